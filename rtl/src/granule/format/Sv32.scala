package granule.format

import granule.config.MmuConfig
import spinal.core._

/** Sv32: two levels of tables whose descriptors have 32 bits. */
object Sv32 extends RiscV("Sv32", bits = 32) {
  val layout: DescriptorLayout = RiscV.layout("Sv32", log2Bytes = 2)
  val registers: RootRegisters = RiscV.Root(Satp.asid)

  def tableFormats(config: MmuConfig): Seq[TableFormat] =
    tableFormat(config, built = config.sv32, layout, Satp.base, page = BitField(10, 22))

  def selected(context: MmuContext): Bool =
    Satp.mode.bool(context.satp) && Satp.high.of(context.satp) === 0
}
