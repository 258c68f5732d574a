package granule.format

import granule.config.MmuConfig
import spinal.core._

/** The tables of RV64: descriptors of 64 bits, with Svnapot and without Svpbmt. Addresses are
  * numbers with a sign.
  *
  * @param mode satp.MODE.
  */
sealed abstract class RiscV64(name: String, bits: Int, mode: Int) extends RiscV(name, bits) {
  override val signExtended: Boolean = true
  val registers: RootRegisters = RiscV.Root(Satp64.asid)

  def tableFormats(config: MmuConfig): Seq[TableFormat] = tableFormat(
    config,
    built = config.rv64 && config.vaBits >= bits,
    layout = RiscV64.layout,
    root = Satp64.base,
    page = BitField(10, 44),
    contiguous = Map(3 -> 4)
  )

  def selected(context: MmuContext, config: MmuConfig): Bool = Satp64.mode.of(context.satp) === mode
}

object Sv39 extends RiscV64("Sv39", bits = 39, mode = 8)
object Sv48 extends RiscV64("Sv48", bits = 48, mode = 9)

object RiscV64 {
  private val reserved = BitField(54, 9) // PBMT is 62:61
  private val napot = BitField(63)

  val layout: DescriptorLayout =
    RiscV.layout("RV64", log2Bytes = 3, reserved = Seq(reserved), napot = Some(napot))
}
