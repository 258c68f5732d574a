package granule.gen

import granule.lab.Configurations
import granule.soc.GranuleConfig
import granule.verify.Watchers
import spinal.core._

/** A component that can be generated on its own: for unit tests, lint and synthesis, or (`proof`)
  * for `make formal`.
  */
case class UnitTop(name: String, build: GranuleConfig => Component, proof: Boolean = false)

object UnitTop {
  def byName(name: String): UnitTop = Units.all
    .find(_.name == name)
    .getOrElse(
      throw new IllegalArgumentException(
        s"unit '$name' does not exist; choose one of ${Units.all.map(_.name).mkString(", ")}"
      )
    )
}

/** Writes Verilog: `Generate OUTDIR [UNIT[:CONFIG] ...]`; without units, `Units.default`. */
object Generate extends App {
  require(args.nonEmpty, "usage: Generate OUTDIR [UNIT[:CONFIG] ...]")
  private val wanted = if (args.length > 1) args.tail.toSeq else Units.default
  Watchers.begin()
  for (w <- wanted) {
    val (unitName, configName) = w.split(":") match {
      case Array(u)    => (u, "teaching")
      case Array(u, c) => (u, c)
    }
    val unit = UnitTop.byName(unitName)
    val config = Configurations.byName(configName)
    val fileName = s"${unitName}_$configName"
    val header = s"Granule $unitName, configuration $configName"
    def top = unit.build(config).setDefinitionName(unitName)
    if (unit.proof) VerilogOut.proof(args.head, fileName, header).generateSystemVerilog(top)
    else {
      val checked = unitName != "simsoc" // it is slower by half with checks, and people wait for it
      VerilogOut(args.head, fileName, header, checked).generateVerilog(top)
    }
  }
}
