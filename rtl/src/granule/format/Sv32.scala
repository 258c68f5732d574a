package granule.format

import granule.config.MmuConfig
import spinal.core._

/** Sv32: two levels of tables whose descriptors have 32 bits. */
object Sv32 extends RiscV("Sv32", bits = 32) {
  val layout: DescriptorLayout = RiscV.layout("Sv32", log2Bytes = 2)
  val registers: RootRegisters = RiscV.Root(Satp.asid)

  def tableFormats(config: MmuConfig): Seq[TableFormat] =
    tableFormat(config, built = config.sv32, layout, Satp.base, page = BitField(10, 22))

  /** Beside RV64 it is a satp of 32 bits that selects Sv32; without, there is no other. */
  def selected(context: MmuContext, config: MmuConfig): Bool = {
    val short = if (config.rv64) Satp.high.of(context.satp) === 0 else True
    Satp.mode.bool(context.satp) && short
  }
}
