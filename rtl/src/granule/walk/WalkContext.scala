package granule.walk

import granule.format._
import granule.port.MmuContext
import spinal.core._
import spinal.lib._

/** What the registers say about one half of the address space (VA[55], spec 2.1). */
case class HalfControl(formats: Formats) extends Bundle {
  val shape = Bits(formats.shapes.size bits) // one bit for each of formats.shapes
  val tnsz  = UInt(6 bits)
  val epd, tbi, tbid, hpd, e0pd = Bool()
  val shareability              = Bits(2 bits)
}

object HalfControl {
  def sv32(context: MmuContext, formats: Formats): Bool =
    if (formats.has(Regime.Sv32)) Satp.mode.bool(context.satp) else False

  def d128(context: MmuContext, formats: Formats): Bool =
    if (formats.has(Regime.D128)) Tcr2.d128.bool(context.tcr2) else False

  /** TCR2.PIE, which D128 implies. */
  def pie(context: MmuContext, formats: Formats): Bool =
    if (formats.has(Regime.D128)) Tcr2.pie.bool(context.tcr2) || Tcr2.d128.bool(context.tcr2)
    else False

  def select(context: MmuContext, upper: Bool, formats: Formats): HalfControl = {
    val half                   = HalfControl(formats)
    val rv                     = sv32(context, formats)
    def flag(field: HalfField) = field.bool(context.tcr, upper) && !rv
    half.tnsz          := Tcr.tnsz.of(context.tcr, upper).asUInt
    when(rv)(half.tnsz := Sv32.tnsz)
    half.epd           := flag(Tcr.epd)
    half.tbi           := flag(Tcr.tbi)
    half.hpd           := flag(Tcr.hpd)
    half.tbid          := flag(Tcr.tbid)
    half.e0pd          := flag(Tcr.e0pd)
    half.shareability  := Tcr.sh.of(context.tcr, upper).andMask(!rv)
    half.shape         := shape(context, upper, formats)
    half
  }

  /** A reserved granule code selects the first granule (spec 1.1). */
  private def shape(context: MmuContext, upper: Bool, formats: Formats): Bits = {
    val tcr = context.tcr
    def named(code: Bits, of: Granule => Int) = {
      val others = formats.granules.tail.map(g => code === of(g))
      !others.orR +: others
    }
    // Which half it is comes last.
    val halves     = named(Tcr.tg.upper.of(tcr), _.tg1).zip(named(Tcr.tg.lower.of(tcr), _.tg0))
    val granule    = formats.granules.zip(halves.map { case (h, l) => upper ? h | l }).toMap
    val ds         = Tcr.ds.bool(tcr)
    val wideOutput = Tcr.ips.of(tcr) === Tcr.ipsCode(52)
    val rv         = sv32(context, formats)
    val d          = d128(context, formats)
    def want(wanted: Option[Boolean], bit: Bool) = wanted match {
      case None        => True
      case Some(true)  => bit
      case Some(false) => !bit
    }
    Vec(formats.shapes.map { s: Shape =>
      s.regime match {
        case Regime.Sv32 => rv
        case Regime.D128 => granule(s.granule) && d && !rv
        case Regime.Vmsa64 =>
          granule(s.granule) && want(s.ds, ds) && want(s.wideOutput, wideOutput) && !d && !rv
      }
    }).asBits
  }
}

/** Everything that a walk takes from the registers; latched when it starts, so that a walk never
  * mixes two contexts. Fields that only some formats need exist only with these.
  *
  * @field root       TTBR or satp.
  * @field cacheable  descriptors may be read through the data cache: SCTLR.C, and TCR.IRGN is not
  *                   Non-cacheable; always with Sv32.
  * @field ha         TCR.HA: hardware sets the access flag; `hd`: and the dirty state.
  * @field pie        indirect permissions.
  * @field skip       SKL of the first table.
  * @field noGroups   contiguous hints do not count in the first table (TCR2.DisCH).
  * @field local      every leaf is non-global (TCR2.FNG).
  */
case class WalkContext(formats: Formats) extends Bundle {
  private val config = formats.config
  private val d128   = formats.has(Regime.D128)

  val half                 = HalfControl(formats)
  val root                 = Bits(formats.descriptorBits bits)
  val ips                  = UInt(3 bits)
  val asid                 = Bits(config.asidBits bits)
  val mair                 = Bits(64 bits)
  val ha, hd               = config.hardwareUpdates generate Bool()
  val cacheable            = Bool()
  val epan, wxn            = Bool()
  val mair2, pir, pire0    = d128 generate Bits(64 bits)
  val pie, noGroups, local = d128 generate Bool()
  val skip                 = d128 generate UInt(2 bits)

  def setsAccessFlag: Bool = if (config.hardwareUpdates) ha else False
  def setsDirty: Bool      = if (config.hardwareUpdates) ha && hd else False
  def rootSkip: UInt       = if (d128) skip else U(0, 2 bits)
  def firstNoGroups: Bool  = if (d128) noGroups else False
  def allLocal: Bool       = if (d128) local else False
}

object WalkContext {
  def of(context: MmuContext, upper: Bool, formats: Formats): WalkContext = {
    val walk = WalkContext(formats)
    val rv   = HalfControl.sv32(context, formats)
    val ttbr = upper ? (context.ttbr1High ## context.ttbr1) | (context.ttbr0High ## context.ttbr0)
    walk.half := HalfControl.select(context, upper, formats)
    walk.root := ttbr.resized
    walk.ips  := Tcr.ips.of(context.tcr).asUInt
    walk.asid := asid(context, formats)
    walk.mair := context.mair
    walk.cacheable := rv || Sctlr.c.bool(context.sctlr) &&
      Tcr.irgn.of(context.tcr, upper) =/= Tcr.nonCacheable
    walk.epan := direct(context, formats) && Sctlr.epan.bool(context.sctlr)
    walk.wxn  := direct(context, formats) && Sctlr.wxn.bool(context.sctlr)
    if (formats.config.hardwareUpdates) {
      walk.ha := Tcr.ha.bool(context.tcr) && !rv
      walk.hd := Tcr.hd.bool(context.tcr) && !rv
    }
    if (formats.has(Regime.D128)) {
      walk.mair2    := context.mair2
      walk.pir      := context.pir
      walk.pire0    := context.pire0
      walk.pie      := HalfControl.pie(context, formats)
      walk.noGroups := Tcr2.disch.bool(context.tcr2, upper)
      walk.local    := Tcr2.fng.bool(context.tcr2, upper) && !rv
      walk.skip     := HalfControl.d128(context, formats) ? Ttbr.skl.of(ttbr).asUInt | 0
    }
    when(rv) {
      walk.root := context.satp.resized
      walk.ips  := Tcr.ipsCode(56)
    }
    walk
  }

  /** Direct permissions are in force: the only ones that WXN and EPAN act on. */
  def direct(context: MmuContext, formats: Formats): Bool =
    !HalfControl.sv32(context, formats) && !HalfControl.pie(context, formats)

  /** ASID in use (spec 8.1). */
  def asid(context: MmuContext, formats: Formats): Bits = {
    val bits = formats.config.asidBits
    val full = Ttbr.asid.of(Tcr.a1.bool(context.tcr) ? context.ttbr1 | context.ttbr0)
    val arm =
      if (bits == 8) Asid.low.of(full)
      else
        (Asid.high.of(full) & B(8 bits, default -> Tcr.as.bool(context.tcr))) ## Asid.low.of(full)
    HalfControl.sv32(context, formats) ? Satp.asid.of(context.satp).resize(bits) | arm
  }
}
