package granule.walk

import granule.config.MmuConfig
import granule.format.DescriptorFormat
import granule.port.MmuContext
import spinal.core._
import spinal.lib._

/** What the registers say about one half of the address space (VA[55], spec 2.1). */
case class HalfControl(format: DescriptorFormat) extends Bundle {
  val tnsz    = UInt(6 bits)
  val granule = Bits(format.granules.size bits) // one bit for each of format.granules
  val epd, tbi, tbid, hpd, e0pd = Bool()
}

object HalfControl {

  /** Both halves, lower first. A reserved granule code selects the first granule (spec 1.1). */
  def decode(tcr: Bits, format: DescriptorFormat): Seq[HalfControl] = for (upper <- Seq(0, 1))
    yield {
      val half = HalfControl(format)
      half.tnsz := tcr(16 * upper, 6 bits).asUInt
      val tg     = tcr(if (upper == 1) 30 else 14, 2 bits)
      val others = format.granules.tail.map(g => tg === (if (upper == 1) g.tg1 else g.tg0))
      half.granule := Vec(!others.orR +: others).asBits
      half.epd     := tcr(if (upper == 1) 23 else 7)
      half.tbi     := tcr(37 + upper)
      half.hpd     := tcr(41 + upper)
      half.tbid    := tcr(51 + upper)
      half.e0pd    := tcr(55 + upper)
      half
    }

  def select(tcr: Bits, format: DescriptorFormat, upper: Bool): HalfControl = {
    val halves = decode(tcr, format)
    upper ? halves(1) | halves(0)
  }
}

/** Everything that a walk takes from the registers; latched when it starts, so that a walk never
  * mixes two contexts.
  */
case class WalkContext(config: MmuConfig, format: DescriptorFormat) extends Bundle {
  val half = HalfControl(format)
  val base = Bits(format.addressBits bits) // TTBR, not yet aligned
  val ips  = UInt(3 bits)
  val asid = Bits(config.asidBits bits)
  val mair = Bits(64 bits)
}

object WalkContext {
  def of(context: MmuContext, upper: Bool, config: MmuConfig, format: DescriptorFormat) = {
    val walk = WalkContext(config, format)
    walk.half := HalfControl.select(context.tcr, format, upper)
    walk.base := (upper ? context.ttbr1 | context.ttbr0).resize(format.addressBits)
    walk.ips  := context.tcr(34 downto 32).asUInt
    walk.asid := asid(context, config)
    walk.mair := context.mair
    walk
  }

  /** ASID in use (spec 8.1). */
  def asid(context: MmuContext, config: MmuConfig): Bits = {
    val full = (context.tcr(22) ? context.ttbr1 | context.ttbr0)(63 downto 48)
    if (config.asidBits == 8) full(7 downto 0)
    else (full(15 downto 8) & B(8 bits, default -> context.tcr(36))) ## full(7 downto 0)
  }
}
