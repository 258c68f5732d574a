package granule.format

import spinal.core._
import spinal.lib._

/** TTBR0 and TTBR1 hold a root for each half, TCR the rest. */
object VmsaRegisters extends RootRegisters {
  def enabled(context: MmuContext): Bool = Sctlr.m.bool(context.sctlr)

  def root(context: MmuContext, upper: Boolean): Bits =
    if (upper) context.ttbr1High ## context.ttbr1 else context.ttbr0High ## context.ttbr0

  /** ASID in use (spec 8.1). */
  def asid(context: MmuContext): Bits = {
    val full = Ttbr.asid.of(Tcr.a1.bool(context.tcr) ? context.ttbr1 | context.ttbr0)
    (Asid.high.of(full) & B(8 bits, default -> Tcr.as.bool(context.tcr))) ## Asid.low.of(full)
  }

  def outputSize(context: MmuContext): Bits = Tcr.ips.of(context.tcr)
}

/** What VMSAv8-64 and VMSAv9-128 have in common. */
trait Vmsa extends TranslationSystem {
  val registers: RootRegisters = VmsaRegisters

  /** By granule, TCR.DS and the output size; a reserved granule code selects the first granule
    * (spec 1.1).
    */
  override def inForce(
      tableFormats: Seq[TableFormat],
      context: MmuContext,
      upper: Boolean
  ): Seq[Bool] = {
    val granules = tableFormats.map(_.granule).distinct
    val code = Tcr.tg(upper).of(context.tcr)
    val named = granules.tail.map(g => g -> (code === (if (upper) g.tg1 else g.tg0)))
    val chosen = ((granules.head -> !named.map(_._2).orR) +: named).toMap
    val ds = Tcr.ds.bool(context.tcr)
    val wideOutput = Tcr.ips.of(context.tcr) === Tcr.ipsCode(52)
    def want(wanted: Option[Boolean], bit: Bool) = wanted match {
      case None        => True
      case Some(true)  => bit
      case Some(false) => !bit
    }
    tableFormats.map(s => chosen(s.granule) && want(s.ds, ds) && want(s.wideOutput, wideOutput))
  }
}
