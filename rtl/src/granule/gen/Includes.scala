package granule.gen

import granule.bench.Scenarios
import granule.board.SdramPart
import granule.cache.CacheRegisters
import granule.device.{BridgeConfig, BridgeRegisters, DmaConfig, DmaRegisters}
import granule.ip.{IdRegisters, MmuRegisters}
import granule.lab.Configurations
import granule.soc.{GranuleConfig, Sysinfo}
import granule.verify.CoverPoints
import java.nio.file.{Files, Path, Paths}
import scala.jdk.CollectionConverters._
import spinal.core._
import spinal.lib.bus.regif.BusIf

/** Writes what software and test bench include: `Includes OUTDIR`. The files are the same from run
  * to run; one that did not change keeps its time, so that make rebuilds nothing for it.
  */
object Includes extends App {
  require(args.length == 1, s"usage: Includes OUTDIR; got ${args.length} arguments")
  private val out: Path = Files.createDirectories(Paths.get(args.head))

  private def write(name: String, text: String): Unit = {
    val path = out.resolve(name)
    val same = Files.exists(path) && new String(Files.readAllBytes(path), "UTF-8") == text
    if (!same) Files.write(path, text.getBytes("UTF-8"))
  }

  /** Register blocks write header and page beside their Verilog, of which nothing is kept here. */
  private def registers[T <: Component](name: String, block: => T)(bus: T => BusIf): Unit = {
    val scratch = Files.createTempDirectory("granule")
    SpinalConfig(
      targetDirectory = scratch.toString,
      headerWithDate = false,
      headerWithRepoHash = false
    ).generateVerilog {
      val component = block
      RegisterDocs.write(bus(component), name)
      component
    }
    for (path <- Files.list(scratch).iterator.asScala.toSeq) {
      val name = path.getFileName.toString
      val text = new String(Files.readAllBytes(path), "UTF-8")
      if (name.endsWith(".h")) write(name, forAssembler(text))
      else if (name.endsWith(".html")) write(name, text)
      Files.delete(path)
    }
    Files.delete(scratch)
  }

  /** Types are hidden from the assembler, so that it can use the offsets and masks. */
  private def forAssembler(header: String): String = {
    val types = header.indexOf("/**")
    val end = header.lastIndexOf("#endif")
    header.take(types) + "#ifndef __ASSEMBLER__\n#include <stdint.h>\n\n" +
      header.slice(types, end).trim + "\n#endif /* __ASSEMBLER__ */\n" + header.drop(end)
  }

  write("granule_map.h", MapFiles.cHeader)
  write("granule_events.h", MapFiles.eventsHeader)
  write("granule_sdram.h", SdramPart.any.cHeader)
  write("granule_map.ld", MapFiles.linker)
  write("granule_map.json", MapFiles.json)
  write("granule_map.txt", MapDiagram.text)
  write("granule_map.svg", MapDiagram.svg)
  write("granule_id.json", identification)
  write("granule_cover.json", coverPoints)
  write("granule_matrix.json", Scenarios.json)
  for (config <- DeviceTree.configurations)
    write(s"granule_${config.name}.dts", DeviceTree.text(config))

  /** ID registers of every configuration, for the test bench to compare with what it expects. */
  private def identification: String = {
    val configs = Configurations.all.map { c =>
      val id = IdRegisters(c.mmu)
      val registers = Seq(
        "mmfr0" -> id.mmfr0,
        "mmfr1" -> id.mmfr1,
        "mmfr2" -> id.mmfr2,
        "mmfr3" -> id.mmfr3,
        "isar0" -> id.isar0
      ).map { case (name, value) => s""""$name": "0x${value.toString(16)}"""" }
      s"""  "${c.name}": {${registers.mkString(", ")}}"""
    }
    configs.mkString("{\n", ",\n", "\n}\n")
  }

  /** What tests must have shown, for the test bench to look for. */
  private def coverPoints: String = CoverPoints.all
    .map(point => s"""  "${point.name}": "${point.description}"""")
    .mkString("{\n", ",\n", "\n}\n")

  private val config = GranuleConfig.teaching
  registers("sysinfo", Sysinfo(config))(_.bus)
  registers("cache", CacheRegisters(config.icache, config.dcache, config.l2))(_.bus)
  registers("bridge", BridgeRegisters(BridgeConfig()))(_.bus)
  registers("dma", DmaRegisters(DmaConfig()))(_.bus)
  // With every register that there is.
  private val most = GranuleConfig.wide.mmu.copy(hashedTable = true, postedTlbis = 4)
  registers("mmu", MmuRegisters(most))(_.bus)
}
