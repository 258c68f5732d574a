// The RTL build: one SpinalHDL module. Its sources sit in rtl/src, test benches in hardware in
// rtl/bench: a module of their own would need its own list of units and a second start of Mill.
import mill._, scalalib._, scalafmt._

object rtl extends ScalaModule with ScalafmtModule {
  def sources = T.sources(millSourcePath / "src", millSourcePath / "bench")
  val spinalVersion = "1.14.2"
  def scalaVersion = "2.13.16"
  def ivyDeps = Agg(
    ivy"com.github.spinalhdl::spinalhdl-core:$spinalVersion",
    ivy"com.github.spinalhdl::spinalhdl-lib:$spinalVersion"
  )
  def scalacPluginIvyDeps = Agg(
    ivy"com.github.spinalhdl::spinalhdl-idsl-plugin:$spinalVersion"
  )
  def scalacOptions = Seq("-deprecation", "-feature", "-unchecked")
}
