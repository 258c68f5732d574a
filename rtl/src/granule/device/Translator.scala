package granule.device

import granule.arch._
import granule.mmu._
import spinal.core._
import spinal.lib._

/** How a transaction comes to be looked up.
  *
  *   - `fresh`: it was just accepted.
  *   - `again`: it waited.
  *   - `probe`, then `walked` in the next cycle: its walk has ended. The first one installs what
  *     the walk found and has no outcome; the second one finds it.
  */
object LookupKind extends SpinalEnum {
  val fresh, again, probe, walked = newElement()
}

/** A lookup of what is in a slot. */
case class SlotLookup(config: BridgeConfig) extends Bundle {
  val kind = LookupKind()
  val write = Bool()
  val slot = UInt(log2Up(config.waiting) bits)
}

case class LookupRequest(config: BridgeConfig) extends Bundle {
  val kind = LookupKind()
  val slot = UInt(log2Up(config.waiting) bits)
  val transaction = Transaction(config)
  val context = StreamContext()
}

/** What became of a lookup; neither `fault` nor `translated`: it needs a walk.
  *
  * @field attributes mean nothing when the stream is not `mapped` by tables.
  */
case class LookupOutcome(config: BridgeConfig, paWidth: Int) extends Bundle {
  val kind = LookupKind()
  val slot = UInt(log2Up(config.waiting) bits)
  val transaction = Transaction(config)
  val stalls = Bool()
  val fault, translated, mapped = Bool()
  val status = Bits(6 bits)
  val pa = UInt(paWidth bits)
  val attributes = MemoryAttributes()
}

/** The bridge's micro TLB as a pipeline that never stops: a lookup enters in every cycle, and its
  * outcome comes three cycles later.
  *
  * {{{
  *   cycle 0  `request`   the stream's ASID is compared with all entries
  *   cycle 1              its address is compared; is it a burst that may pass?
  *   cycle 2              the entry that hits is read; permissions
  *   cycle 3  `outcome`
  * }}}
  *
  * So a change of stream costs no cycle. `coming` is the ID of a transaction in the cycle before
  * its outcome. `ask`, in the cycle of an outcome, has its transaction
  * walked if `canAsk`; `walking` says why it may not, else the context of the outcome is older than
  * an invalidation, or a suspect of one matched: it is looked up again. When the walk has ended,
  * `replay` wants the two lookups that follow from it, the second one in the cycle after the first.
  * `invalidate` is done when nothing that was covered is `owed` by the bus any more: `mark` says
  * when to remember what is.
  *
  * What a walk finds that an invalidation concerns is not used. The walker must accept
  * invalidations in the same cycle, or it could begin a walk with a root, or find tables, that are
  * to go.
  */
case class Translator(config: BridgeConfig, mmu: MmuConfig) extends Component {
  private val tlbConfig = config.tlb(mmu)
  private val formats = TableFormats(tlbConfig)

  val io = new Bundle {
    val request = slave(Flow(LookupRequest(config)))
    val outcome = master(Flow(LookupOutcome(config, mmu.paWidth)))
    val coming = out(UInt(config.idWidth bits))
    val shared = in(MmuContext())
    val ask = in(Bool())
    val canAsk, walking = out(Bool())
    val replay = master(Stream(SlotLookup(config)))
    val walk = master(BridgeWalkPort(TableFormats(mmu)))
    val invalidate = slave(InvalidatePort())
    val mark = out(Bool())
    val owed = in(Bool())
  }

  private val tlb = MicroTlb(tlbConfig, config.tlbEntries)
  private[granule] val sweep = InvalidateSweep(tlbConfig)
  private val log = EntryLog(tlbConfig)

  /** What the registers say about a lookup. */
  private[granule] case class Control() extends Bundle {
    val access = AccessControl()
    val identity = Bits(formats.tlbIdentityBits bits)
    val asid = Bits(mmu.asidBits bits)
    val ignoreTop, e0pd, mayCache, mapped, wrongSystem = Bool()
  }

  private val enter = new Area {
    val request = io.request.payload
    val transaction = request.transaction
    val registers = request.context.streamRoot.in(io.shared)
    val decoded = DecodedContext.of(registers, formats)
    val half = decoded.half(VirtualAddress.upper(transaction.va))
    val riscv = SystemChoice(registers, formats).is(_.isInstanceOf[RiscV])

    val control = Control()
    control.access := AccessControl.of(
      transaction.access,
      request.context.privileged,
      pan = False,
      mxr = False,
      decoded
    )
    control.identity := decoded.tlbIdentity
    control.asid := decoded.asid
    control.ignoreTop := half.tbi && !(control.access.execute && half.tbid)
    control.e0pd := half.e0pd && !request.context.privileged
    control.mayCache := control.access.execute ? decoded.fetchCached | decoded.dataCached
    control.mapped := !request.context.of(StreamMode.bypass)
    control.wrongSystem := request.context.of(StreamMode.off) ||
      control.mapped && request.context.of(StreamMode.riscv) =/= riscv
    tlb.io.asid := decoded.asid
    tlb.io.identity := decoded.tlbIdentity
  }

  private[granule] val c0 = new Area {
    val valid = RegNext(io.request.valid) init False
    val request = RegNext(io.request.payload)
    val control = RegNext(enter.control)
    private val va = request.transaction.va
    tlb.io.tag := Translation.tag(va, formats)

    val high = Geometry(formats).highBitsCanonical(va, control.ignoreTop)
    val tooWide = (va >> mmu.paWidth) =/= 0

    /** Faults that no table decides about, and their status. */
    val faulty = Bool()
    val status = Bits(6 bits)
    faulty := True
    status := FaultStatus.translation.atLevel0
    when(!control.wrongSystem) {
      faulty := control.mapped ? control.e0pd | tooWide
      when(!control.mapped) { status := FaultStatus.addressSize.atLevel0 }
      when(request.transaction.illegal) {
        faulty := True
        status := FaultStatus.alignment
      }
    }
  }

  private[granule] val walker = BridgeWalk(this, formats)

  private[granule] val c1 = new Area {
    val valid = RegNext(c0.valid) init False
    val request = RegNext(c0.request)
    val control = RegNext(c0.control)
    val high = RegNext(c0.high)
    val faulty = RegNext(c0.faulty)
    val status = RegNext(c0.status)
    val leafIsOurs = RegNext(
      walker.leaf.tlbIdentity === c0.control.identity && walker.leaf.asid === c0.control.asid
    )
    tlb.io.writes := control.access.writes

    val mapping = tlb.io.mapping
    val allowed = PermissionCheck(control.access).allowed(mapping.permissions)
    private val va = request.transaction.va
    private val vaPage = va.asBits.resize(mmu.paWidth) >> formats.pageShift
    private val inSpan = formats.spans.mask(mapping.span, formats.pageShift, mmu.paWidth) |
      B(vaPage.getWidth bits, default -> !control.mapped)
    val page = mapping.page.andMask(control.mapped) | inSpan & vaPage
    val pa = (page ## va(formats.pageShift - 1 downto 0)).asUInt
  }

  io.coming := c1.request.transaction.id

  tlb.io.install.valid := c1.valid && c1.request.kind === LookupKind.probe && c1.leafIsOurs &&
    walker.installable
  tlb.io.install.payload := walker.leaf

  private[granule] val c2 = new Area {
    val valid = RegNext(c1.valid && c1.request.kind =/= LookupKind.probe) init False
    val request = RegNext(c1.request)
    val control = RegNext(c1.control)
    val high = RegNext(c1.high)
    val faulty = RegNext(c1.faulty)
    val status = RegNext(c1.status)
    // What was just installed answers whatever is asked.
    val foreign = c1.request.kind === LookupKind.walked && !c1.leafIsOurs
    val waits = RegNext(tlb.io.waits && c1.control.mapped) init False
    val hit = RegNext(tlb.io.hit && !tlb.io.waits && c1.control.mapped && !foreign)
    val allowed = RegNext(c1.allowed)
    val level = RegNext(c1.mapping.level)
    val attributes = RegNext(c1.mapping.attributes)
    val pa = RegNext(c1.pa)

    val refusedByWalk = request.kind === LookupKind.walked && walker.faulted
    private val outcome = io.outcome.payload
    io.outcome.valid := valid
    outcome.kind := request.kind
    outcome.slot := request.slot
    outcome.transaction := request.transaction
    // No table that software mends makes an illegal burst legal.
    outcome.stalls := request.context.stalls && status =/= FaultStatus.alignment
    outcome.mapped := control.mapped
    outcome.fault := faulty || refusedByWalk || hit && !(high && allowed)
    outcome.translated := !outcome.fault && (hit || !control.mapped)
    outcome.pa := pa
    outcome.attributes.mair := attributes.mair
    outcome.attributes.device := attributes.device
    outcome.attributes.cacheable := attributes.cacheable && control.mayCache
    when(control.access.execute && attributes.device) { // as at the MMU's fetch port
      outcome.attributes.mair := B(MairByte.nonCacheable, 8 bits)
      outcome.attributes.device := False
    }
    outcome.status := status
    when(!faulty) {
      outcome.status := walker.status
      when(hit) {
        outcome.status := high ? FaultStatus.permission.at(level, formats) |
          FaultStatus.translation.atLevel0
      }
    }
  }

  walker.asked(c2.request, c2.control.asid, c2.high)
  when(c2.valid && c2.request.kind === LookupKind.walked) { walker.ended() }

  private[granule] val invalidation = new Area {
    val draining = RegInit(False)
    sweep.io.port.cmd << io.invalidate.cmd.haltWhen(draining)
    // What an entry answered in the cycle before it was a suspect is issued in that of `done`.
    io.mark := RegNext(sweep.io.port.done) init False
    val marked = RegNext(io.mark) init False
    val waits = RegInit(False) setWhen marked
    io.invalidate.done := (marked || waits) && !io.owed
    draining setWhen sweep.io.port.done clearWhen io.invalidate.done
    waits clearWhen io.invalidate.done

    sweep.io.underWay := walker.underWay
    sweep.io.install << log.io.install
    private val order = SweepOrder(tlbConfig)
    tlb.io.clear := order.of(Holder.DataTlb, sweep.io.clear)
    tlb.io.suspects << sweep.io.suspects
    tlb.io.compared := order.of(Holder.DataTlb, sweep.io.compared)
    log.io.found := walker.leaf
    log.io.data << tlb.io.installed
  }
  walker.invalidated << sweep.io.invalidated
  private val accepted = sweep.io.invalidated.valid
  io.walking := !walker.isIdle
  io.canAsk := walker.isIdle && !c2.waits &&
    !(accepted || (1 to 3).map(n => Delay(accepted, n, init = False)).orR)

  Checks {
    Checks.held("bridge: walk request", io.walk.walk.cmd, mayGo = io.invalidate.cmd.fire)
    val key = tlb.hitKey.pull()
    val hits = c1.valid && c1.control.mapped && tlb.io.hit
    assert(
      !hits || key.holds(Translation.tag(c1.request.transaction.va, formats)) &&
        key.belongs(c1.control.asid, c1.control.identity),
      "bridge: the entry that answers is of another page or ASID"
    )
    CoverPoint("bridge.stale_walk")(walker.overtaken)
    CoverPoint("bridge.stale_leaf")(
      c1.valid && c1.request.kind === LookupKind.probe && !tlb.io.install.valid
    )
    CoverPoint("bridge.denied")(c2.valid && c2.hit && !c2.allowed)
    CoverPoint("bridge.done_waits")(invalidation.waits)
  }
}
