package granule.gen

import granule.lab.Configurations
import granule.soc.GranuleConfig
import spinal.core._

/** Writes units behind a register harness: `AreaTops OUTDIR UNIT:CONFIG ...`, one file each. */
object AreaTops extends App {
  require(args.length > 1, "usage: AreaTops OUTDIR UNIT:CONFIG ...")
  for (wanted <- args.tail) {
    val (unitName, configName) = wanted.split(":") match {
      case Array(u, c) => (u, c)
      case _           => throw new IllegalArgumentException(s"'$wanted' is not UNIT:CONFIG")
    }
    val unit = UnitTop.byName(unitName)
    val config = Configurations.byName(configName)
    VerilogOut(args.head, s"${unitName}_${configName}_harness", s"$unitName behind registers")
      .generateVerilog(new Harness(unit.build(config)).setDefinitionName("harness"))
  }
}
