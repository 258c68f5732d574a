package granule.board

import granule.config.GranuleConfig
import spinal.core._

/** A component that can be generated on its own: for unit tests, lint and synthesis. */
case class UnitTop(name: String, build: GranuleConfig => Component)

/** Writes Verilog: `Generate OUTDIR [UNIT[:CONFIG] ...]`; without units, all of `Units.all`. */
object Generate extends App {
  require(args.nonEmpty, "usage: Generate OUTDIR [UNIT[:CONFIG] ...]")
  private val out = new java.io.File(args.head)
  out.mkdirs()
  private val wanted = if (args.length > 1) args.tail.toSeq else Units.default
  for (w <- wanted) {
    val (unitName, configName) = w.split(":") match {
      case Array(u)    => (u, "teaching")
      case Array(u, c) => (u, c)
    }
    val unit = Units.all
      .find(_.name == unitName)
      .getOrElse(
        throw new IllegalArgumentException(
          s"unit '$unitName' does not exist; choose one of ${Units.all.map(_.name).mkString(", ")}"
        )
      )
    val config   = GranuleConfig.byName(configName)
    val fileName = s"${unitName}_$configName"
    SpinalConfig(
      targetDirectory = out.getPath,
      netlistFileName = s"$fileName.v",
      genLineComments = false,
      rtlHeader = s"Granule $unitName, configuration $configName",
      defaultConfigForClockDomains = ClockDomainConfig(resetKind = SYNC),
      oneFilePerComponent = false,
      headerWithDate = false,
      headerWithRepoHash = false
    ).generateVerilog(unit.build(config).setDefinitionName(unitName))
  }
}
