package granule.walk

import granule.format.{BitField, D128, Formats, Granule, Regime, Shape, Sv32}
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
    if (formats.has(Regime.Sv32)) Sv32.mode.bool(context.satp) else False

  def d128(context: MmuContext, formats: Formats): Bool =
    if (formats.has(Regime.D128)) context.tcr2(5) else False

  /** TCR2.PIE, which D128 implies. */
  def pie(context: MmuContext, formats: Formats): Bool =
    if (formats.has(Regime.D128)) context.tcr2(1) || context.tcr2(5) else False

  def select(context: MmuContext, upper: Bool, formats: Formats): HalfControl = {
    val tcr                                  = context.tcr
    val half                                 = HalfControl(formats)
    val rv                                   = sv32(context, formats)
    def field(low: BitField, high: BitField) = upper ? high.of(tcr) | low.of(tcr)
    def flag(low: Int, high: Int)            = (upper ? tcr(high) | tcr(low)) && !rv
    half.tnsz          := field(BitField(0, 6), BitField(16, 6)).asUInt
    when(rv)(half.tnsz := Sv32.tnsz)
    half.epd           := flag(7, 23)
    half.tbi           := flag(37, 38)
    half.hpd           := flag(41, 42)
    half.tbid          := flag(51, 52)
    half.e0pd          := flag(55, 56)
    half.shareability  := field(BitField(12, 2), BitField(28, 2))
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
    val halves     = named(tcr(31 downto 30), _.tg1).zip(named(tcr(15 downto 14), _.tg0))
    val granule    = formats.granules.zip(halves.map { case (h, l) => upper ? h | l }).toMap
    val ds         = tcr(59)
    val wideOutput = tcr(34 downto 32) === 6
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
    walk.ips  := context.tcr(34 downto 32).asUInt
    walk.asid := asid(context, formats)
    walk.mair := context.mair
    walk.epan := direct(context, formats) && context.sctlr(57)
    walk.wxn  := direct(context, formats) && context.sctlr(19)
    if (formats.config.hardwareUpdates) {
      walk.ha := context.tcr(39) && !rv
      walk.hd := context.tcr(40) && !rv
    }
    if (formats.has(Regime.D128)) {
      walk.mair2    := context.mair2
      walk.pir      := context.pir
      walk.pire0    := context.pire0
      walk.pie      := HalfControl.pie(context, formats)
      walk.noGroups := upper ? context.tcr2(15) | context.tcr2(14)
      walk.local    := (upper ? context.tcr2(18) | context.tcr2(17)) && !rv
      walk.skip     := HalfControl.d128(context, formats) ? D128.rootSkip.of(ttbr).asUInt | 0
    }
    when(rv) {
      walk.root := context.satp.resized
      walk.ips  := 7
    }
    walk
  }

  /** Direct permissions are in force: the only ones that WXN and EPAN act on. */
  def direct(context: MmuContext, formats: Formats): Bool =
    !HalfControl.sv32(context, formats) && !HalfControl.pie(context, formats)

  /** ASID in use (spec 8.1). */
  def asid(context: MmuContext, formats: Formats): Bits = {
    val bits = formats.config.asidBits
    val full = (context.tcr(22) ? context.ttbr1 | context.ttbr0)(63 downto 48)
    val arm =
      if (bits == 8) full(7 downto 0)
      else (full(15 downto 8) & B(8 bits, default -> context.tcr(36))) ## full(7 downto 0)
    HalfControl.sv32(context, formats) ? Sv32.asid.of(context.satp).resize(bits) | arm
  }
}
