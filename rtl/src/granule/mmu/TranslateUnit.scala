package granule.mmu

import granule.arch._
import spinal.core._
import spinal.lib._

/** One translate port with its micro TLB: answers in the same cycle what it can, and asks for a
  * walk otherwise.
  *
  * Ports: `port` ([[TranslatePort]]); `request` is valid while the held command needs a walk, and
  * only with `mayAsk`, which comes earlier in the cycle: before it is known what the TLB answers. A
  * command that is answered while it asks needs none: nobody waits for the end of that walk.
  * `leaf` and `fault` end that walk. Both come only for a walk of the command that is still held;
  * `fault` is answered in its own cycle, `leaf` is answered one cycle later as a hit. A write to a
  * writable-clean entry needs a walk, which marks it dirty.
  *
  * `bare` says what an access is while translation is off: untranslated, as RISC-V's Bare mode has
  * it, or one through the flat map of VMSAv8-64. It is asked in every cycle, as the context is: the
  * command itself is held.
  *
  * Everything that belongs to the access or that software may change without TLBI (PAN, MXR, WXN,
  * EPAN, E0PD, TBI, SCTLR.C) is evaluated on every access, so a cold and a hot TLB cannot differ.
  */
case class TranslateUnit(config: MmuConfig, entries: Int, fetch: Boolean, bare: Boolean)
    extends Component {
  private val formats = TableFormats(config)
  private[mmu] val pageShift = formats.pageShift

  val io = new Bundle {
    val port = slave(TranslatePort(config.paWidth))
    val context = in(DecodedContext(formats))
    val mayAsk = out(Bool())
    val request = master(Stream(WalkRequest()))
    val leaf = slave(Flow(Translation(formats)))
    val fault = slave(Flow(WalkFault()))
    // Of the micro TLB.
    val installed = master(Flow(UInt(log2Up(entries) bits)))
    val clear = in(Bits(entries bits))
    val suspects = slave(Flow(Suspects(formats)))
    val compared = in(Bits(entries bits))
  }
  private val cmd = io.port.cmd
  private val rsp = io.port.rsp
  private[mmu] val untranslated =
    if (bare) cmd.untranslated || !io.context.enabled else cmd.untranslated
  private val half = io.context.half(VirtualAddress.upper(cmd.va))
  private val ignoreTop = VirtualAddress.ignoresTop(cmd, io.context)

  private val control = AccessControl.of(cmd.access, cmd.el1, cmd.pan, cmd.mxr, io.context)

  private[granule] val tlb = MicroTlb(config, entries)

  /** In c0 the micro TLB compares its keys with the announced address. */
  private val c0 = new Area {
    val va = io.port.ahead.payload
    val identity = io.context.tlbIdentity ## io.context.asid
    val previous = RegNext(identity)
    val isOfNext = !cmd.isStall || io.port.held // what is announced is of the next cycle's command
  }

  /** In c1 the micro TLB answers. `compared`: what it says is for the command of this cycle, and
    * for the ASID that entries were compared with. `known`: and it comes from no suspect of an
    * invalidation. A command that finds this False waits.
    */
  private[granule] val c1 = new Area {
    val expected = RegNext(c0.isOfNext) init False
    val compared = RegNext(c0.isOfNext && c0.identity === c0.previous) init False
    val known = compared && !tlb.io.waits
  }

  tlb.io.tag := Translation.tag(c0.va, formats)
  tlb.io.identity := io.context.tlbIdentity
  tlb.io.asid := io.context.asid
  tlb.io.writes := (if (fetch) False else control.writes)
  tlb.io.clear := io.clear
  tlb.io.suspects << io.suspects
  tlb.io.compared := io.compared
  io.installed << tlb.io.installed
  // An entry of another ASID or system must not answer the command that waits. What a leaf says of
  // its own is there long before it is valid, so it is compared a cycle early.
  private val leafIsOurs = io.leaf.tlbIdentity ## io.leaf.asid === c0.identity
  tlb.io.install.valid := io.leaf.valid && RegNext(leafIsOurs)
  tlb.io.install.payload := io.leaf.payload

  /** SCTLR.M = 0: output is input, and must fit (spec 1.3). */
  private val flat = new Area {
    val active = !untranslated && !io.context.enabled
    val faulty = Stage1Off.tooWide(cmd.va, ignoreTop, config)
  }

  /** An entry that holds the low bits of an address holds it only if the high bits are right too.
    * Whether they are comes too late to decide about a walk; the walker looks at them first.
    */
  private val found = new Area {
    val mapping = tlb.io.mapping
    val high = Geometry(formats).highBitsCanonical(cmd.va, ignoreTop)
    val hit = tlb.io.hit && c1.known
    val check = PermissionCheck(control)
    val inSpan = formats.spans.mask(mapping.span, formats.pageShift, config.paWidth)
    val vaPage = cmd.va.asBits.resize(config.paWidth) >> formats.pageShift
  }

  private val forbidden = half.e0pd && !cmd.el1
  private val translate = !untranslated && io.context.enabled
  private val outside = forbidden || !found.high
  private def answeredIf(hit: Bool) = !translate || forbidden || hit || io.fault.valid
  cmd.ready := answeredIf(found.hit)
  io.mayAsk := cmd.valid && c1.compared && !untranslated
  private val noMiss = tlb.io.hit || tlb.io.waits
  io.request.valid := io.mayAsk && !answeredIf(noMiss) // what was compared is the command
  io.request.va := cmd.va
  io.request.highCanonical := found.high
  io.request.access := cmd.access
  io.request.el1 := cmd.el1
  io.request.pan := cmd.pan
  io.request.mxr := cmd.mxr
  io.request.translateOnly := False

  /** What is no hit and answered all the same is a fault. */
  rsp.fault := (translate ? (outside || !found.hit || !found.check.allowed(
    found.mapping.permissions
  ))
    | (flat.active && flat.faulty))
  rsp.wnr := cmd.access === Access.write
  rsp.dirty := False
  rsp.status := io.fault.status
  when(flat.active) {
    rsp.status := FaultStatus.addressSize.atLevel0
  } elsewhen (forbidden || found.hit && !found.high) {
    rsp.status := FaultStatus.translation.atLevel0
  } elsewhen (io.fault.valid && !found.hit) {
    rsp.wnr := io.fault.wnr
    rsp.dirty := io.fault.dirty
  }

  when(translate && !outside && found.hit) { // what the permissions say is late, so chosen last
    rsp.status := FaultStatus.permission.at(found.mapping.level, formats)
    rsp.wnr := found.check.wnr(found.mapping.permissions)
    rsp.dirty := found.check.dirty(found.mapping.permissions)
  }

  // One gate of four inputs a bit behind the mapping: the page is late, and a cache waits for it.
  private val page = found.mapping.page.andMask(translate)
  private val fromVa = (found.inSpan | Repeat(!translate, found.inSpan.getWidth)) & found.vaPage
  rsp.pa := ((page | fromVa) ## cmd.va(formats.pageShift - 1 downto 0)).asUInt
  if (config.paWidth > 32) when(untranslated) { rsp.pa(config.paWidth - 1 downto 32) := 0 }

  private val mayCache = if (fetch) io.context.fetchCached else io.context.dataCached
  rsp.attributes := found.mapping.attributes
  when(!translate) {
    def byte(code: Int) = B(code, 8 bits)
    val off =
      if (fetch) mayCache ? byte(MairByte.writeThrough) | byte(MairByte.nonCacheable)
      else byte(MairByte.device)
    rsp.attributes.mair := untranslated ? byte(MairByte.writeBack) | off
    rsp.attributes.device := !untranslated && Bool(!fetch)
    rsp.attributes.cacheable := untranslated || (if (fetch) mayCache else False)
  } otherwise {
    rsp.attributes.cacheable := found.mapping.attributes.cacheable && mayCache
    if (fetch) when(found.mapping.attributes.device) { // DDI 0487 M.a.a, B2.10.2
      rsp.attributes.mair := B(MairByte.nonCacheable, 8 bits)
      rsp.attributes.device := False
    }
  }

  Checks {
    assert(io.port.isAnnounced, "translate port: a command was not announced, or not again")
    Checks.held("translate port", cmd)
    assert(
      cmd.valid || !io.leaf.valid && !io.fault.valid,
      "translate unit: a walk ends for a command that is not here"
    )
    assert(
      !io.leaf.valid || io.leaf.payload.tag === Translation.tag(cmd.va, formats),
      "translate unit: a leaf of another page than the command's"
    )
    assert(
      !(cmd.valid && c1.known) || RegNext(c0.va) === cmd.va,
      "translate unit: another address was compared than that of the command"
    )
    val key = tlb.hitKey.pull()
    val isOurs = key.holds(Translation.tag(cmd.va, formats)) &&
      key.belongs(RegNext(io.context.asid), RegNext(io.context.tlbIdentity))
    val hits = cmd.valid && translate && found.hit
    assert(!hits || isOurs, "translate unit: the entry that answers is of another page or ASID")

    CoverPoint("translate.waits")(cmd.valid && !untranslated && !c1.known)
    CoverPoint("translate.foreign_leaf")(io.leaf.valid && !tlb.io.install.valid)
    CoverPoint("translate.denied")(hits && !outside && rsp.fault)
    CoverPoint("translate.high_bits")(hits && !found.high)
    CoverPoint("translate.e0pd")(cmd.valid && translate && forbidden)
    CoverPoint("translate.flat_too_wide")(cmd.valid && flat.active && flat.faulty)
  }
}

/** Translation switched off (spec 1.3). */
object Stage1Off {

  /** The address does not fit into the implemented output. */
  def tooWide(va: UInt, ignoreTop: Bool, config: MmuConfig): Bool = {
    val high = if (config.paWidth < 56) va(55 downto config.paWidth).orR else False
    high || !ignoreTop && VirtualAddress.top(va).orR
  }
}
