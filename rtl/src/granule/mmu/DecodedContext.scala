package granule.mmu

import granule.arch._
import spinal.core._
import spinal.lib._

/** What the registers say about one half of the address space (VA[55], spec 2.1). A control that
  * the system in force does not obey is off; so is one that the configuration lacks, which costs
  * nothing: a constant is no gate.
  *
  * @field tableFormat one-hot over `formats.tableFormats`.
  * @field root        the register with the address of the first table.
  * @field cacheable   descriptors may be read through the data cache: SCTLR.C, and TCR.IRGN is not
  *                    Non-cacheable.
  * @field skip        SKL of the first table.
  * @field noGroups    contiguous hints do not count in the first table (TCR2.DisCH).
  * @field local       every leaf is non-global (TCR2.FNG).
  */
case class HalfControl(formats: TableFormats) extends Bundle {
  val tableFormat = Bits(formats.tableFormats.size bits)
  val root = Bits(formats.descriptorBits bits)
  val tnsz = UInt(6 bits)
  val epd, tbi, tbid, hpd, e0pd = Bool()
  val shareability = Bits(2 bits)
  val cacheable = Bool()
  val skip = UInt(2 bits)
  val noGroups, local = Bool()
}

/** What the registers say about both halves.
  *
  * @field ips         output size, as TCR.IPS writes it.
  * @field tlbIdentity which of `formats.tlbIdentities` is in force.
  * @field ha          hardware sets the access flag; `hd`: and the dirty state.
  * @field pie         indirect permissions.
  * @field mxr         MXR of an access counts.
  */
class SystemControl(formats: TableFormats) extends Bundle {
  val ips = UInt(3 bits)
  val asid = Bits(formats.config.asidBits bits)
  val tlbIdentity = Bits(formats.tlbIdentityBits bits)
  val mair, mair2 = Bits(64 bits)
  val ha, hd = Bool()
  val epan, wxn, mxr = Bool()
  val pie = Bool()
  val pir, pire0 = Bits(64 bits)

  def setsDirty: Bool = ha && hd
}

/** Everything that a walk takes from the registers; latched when it starts, so that a walk never
  * mixes two contexts.
  */
case class WalkContext(formats: TableFormats) extends SystemControl(formats) {
  val half = HalfControl(formats)
}

/** The registers, decoded once for all who translate.
  *
  * @field enabled     addresses are translated, not passed on.
  * @field dataCached  Normal memory may be cached (SCTLR.C); `fetchCached`: by fetches (SCTLR.I).
  * @field halves      the lower and the upper one.
  */
case class DecodedContext(formats: TableFormats) extends SystemControl(formats) {
  val enabled, dataCached, fetchCached = Bool()
  val halves = Vec(HalfControl(formats), 2)

  def half(upper: Bool): HalfControl = upper ? halves.last | halves.head

  def walk(upper: Bool): WalkContext = {
    val walk = WalkContext(formats)
    walk.assignSomeByName(this)
    walk.half := half(upper)
    walk
  }
}

object DecodedContext {
  def of(context: MmuContext, formats: TableFormats): DecodedContext = {
    val decoded = DecodedContext(formats)
    val system = SystemChoice(context, formats)
    import context.{sctlr, tcr, tcr2}
    import decoded.{formats => _, _}

    enabled := system.enabled
    val alwaysCached = !system.obeys(Control.Cacheability)
    dataCached := Sctlr.c.bool(sctlr) || alwaysCached
    fetchCached := Sctlr.i.bool(sctlr) || alwaysCached
    ips := system.select(_.registers)(_.registers.outputSize(context)).asUInt
    asid := system.select(_.registers)(_.registers.asid(context)).resized
    tlbIdentity := system.select(_.tlbIdentity) { s =>
      B(formats.tlbIdentities.indexOf(s.tlbIdentity), formats.tlbIdentityBits bits)
    }
    mair := context.mair
    mair2 := context.mair2
    pir := context.pir
    pire0 := context.pire0
    val updates = system.obeys(Control.Hafdbs) && Bool(formats.config.hardwareUpdates)
    ha := Tcr.ha.bool(tcr) && updates
    hd := Tcr.hd.bool(tcr) && updates
    pie := formats.systems.map(s => system.active(s) && s.indirect(context)).orR &&
      Bool(formats.indirect)
    mxr := system.obeys(Control.Mxr)
    epan := Sctlr.epan.bool(sctlr) && system.obeys(Control.Epan) && !pie
    wxn := Sctlr.wxn.bool(sctlr) && system.obeys(Control.Wxn) && !pie

    for ((half, upper) <- halves.zip(Seq(false, true))) {
      def on(control: Control, field: HalfField, word: Bits) =
        field(upper).bool(word) && system.obeys(control)
      half.root := system.select(_.registers)(
        _.registers.root(context, upper).resize(half.root.getWidth)
      )
      half.tnsz := system.select(_.inputBits) {
        _.inputBits match {
          case Some(bits) => U(64 - bits, 6 bits)
          case None       => Tcr.tnsz(upper).of(tcr).asUInt
        }
      }
      half.tableFormat := Vec(formats.systems.flatMap { s =>
        s.inForce(s.tableFormats(formats.config), context, upper).map(_ && system.active(s))
      }).asBits
      half.epd := on(Control.Epd, Tcr.epd, tcr)
      half.tbi := on(Control.Tbi, Tcr.tbi, tcr)
      half.tbid := on(Control.Tbi, Tcr.tbid, tcr)
      half.hpd := on(Control.Hpd, Tcr.hpd, tcr)
      half.e0pd := on(Control.E0pd, Tcr.e0pd, tcr)
      half.shareability := Tcr.sh(upper).of(tcr).andMask(system.obeys(Control.Cacheability))
      half.cacheable := dataCached && (alwaysCached ||
        Tcr.irgn(upper).of(tcr) =/= Tcr.nonCacheable)
      val exists = Bool(formats.config.tcr2)
      half.noGroups := on(Control.Disch, Tcr2.disch, tcr2) && exists
      half.local := on(Control.Fng, Tcr2.fng, tcr2) && exists
      half.skip := system.select(_.rootSkip) {
        _.rootSkip.fold(U(0, 2 bits))(_.of(half.root).asUInt)
      }
    }
    decoded
  }
}
