package granule.gen

import granule.cache.{CacheIp, CacheRegisters}
import granule.device.{BridgeConfig, BridgeRegisters, DeviceMmu}
import granule.ip.{MmuIp, MmuRegisters}
import granule.lab.Configurations
import granule.soc.{GranuleConfig, MemoryMap}
import java.nio.file.{Files, Path, Paths}
import spinal.core._
import spinal.lib.bus.regif.{BusIf, DocJson}

/** What other systems take: `Release OUTDIR` writes a folder for each block with its Verilog, which
  * has no checks of simulation, and its registers as C header, page and SystemRDL. Nothing in it
  * depends on the day or the machine.
  */
object Release extends App {
  require(args.length == 1, s"usage: Release OUTDIR; got ${args.length} arguments")

  /** `registers`: a component of its own, and its bus. */
  private case class Block(
      name: String,
      config: String,
      top: GranuleConfig => Component,
      registers: GranuleConfig => (Component, Component => BusIf)
  )

  private def registers[T <: Component](block: => T)(bus: T => BusIf) =
    (block, (component: Component) => bus(component.asInstanceOf[T]))

  private val blocks = Seq(
    Block("mmu", "teaching", c => MmuIp(c.mmu), c => registers(MmuRegisters(c.mmu))(_.bus)),
    Block(
      "cache",
      "teaching",
      c => CacheIp.withAxiNames(c.icache, c.dcache, c.mmu, MemoryMap.physical(c)),
      c => registers(CacheRegisters(c.icache, c.dcache))(_.bus)
    ),
    Block(
      "bridge",
      "vmsa48_nocache",
      c => DeviceMmu.withAxiNames(BridgeConfig(), c.mmu),
      _ => registers(BridgeRegisters(BridgeConfig()))(_.bus)
    )
  )

  private val out: Path = Paths.get(args.head)
  for (block <- blocks) {
    val config = Configurations.byName(block.config)
    val folder = Files.createDirectories(out.resolve(block.name)).toString
    val name = s"granule_${block.name}"
    val header = s"Granule ${block.name}, configuration ${block.config}\n" +
      "SPDX-License-Identifier: Apache-2.0"
    VerilogOut(folder, name, header)
      .copy(globalPrefix = s"${name}_") // two blocks in one system have parts of one name
      .generateVerilog(block.top(config).setDefinitionName(name))
    // Its Verilog is in that of the block already.
    VerilogOut(folder, "registers", header).generateVerilog {
      val (component, bus) = block.registers(config)
      RegisterDocs.write(bus(component), block.name)
      bus(component).accept(DocJson(name))
      component
    }
    Files.delete(out.resolve(block.name).resolve("registers.v"))
  }
}
