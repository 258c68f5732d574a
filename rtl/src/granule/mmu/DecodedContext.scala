package granule.mmu

import granule.arch._
import spinal.core._
import spinal.lib._

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
    if (formats.mair2) mair2 := context.mair2
    if (formats.config.hardwareUpdates) {
      ha := Tcr.ha.bool(tcr) && system.obeys(Control.Hafdbs)
      hd := Tcr.hd.bool(tcr) && system.obeys(Control.Hafdbs)
    }
    if (formats.indirect) {
      pie := formats.systems.map(s => system.active(s) && s.indirect(context)).orR
      pir := context.pir
      pire0 := context.pire0
    }
    mxr := system.obeys(Control.Mxr)
    epan := Sctlr.epan.bool(sctlr) && system.obeys(Control.Epan) && !indirect
    wxn := Sctlr.wxn.bool(sctlr) && system.obeys(Control.Wxn) && !indirect

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
      if (formats.config.tcr2) {
        half.noGroups := on(Control.Disch, Tcr2.disch, tcr2)
        half.local := on(Control.Fng, Tcr2.fng, tcr2)
      }
      if (formats.skips) half.skip := system.select(_.rootSkip) {
        _.rootSkip.map(_.of(half.root).asUInt).getOrElse(U(0, 2 bits))
      }
    }
    decoded
  }
}
