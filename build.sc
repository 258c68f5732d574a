// The RTL build: one SpinalHDL module whose sources sit in rtl/src.
import mill._, scalalib._, scalafmt._

object rtl extends ScalaModule with ScalafmtModule {
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
