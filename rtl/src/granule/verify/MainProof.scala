package granule.verify

import granule.arch.{MmuConfig, TableFormats}
import granule.mmu._
import granule.options.{MainTlb, MainTlbPlaces}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** A main TLB answers what it holds and nothing else, nothing that a command covers which came
  * before the answer, and keeps all that no command covers. The sweep is the real one. Around them
  * everything is anything: commands, requests, what walks find and when, the registers.
  *
  * One command, one place and one entry are watched, each of which is any.
  */
case class MainProof(config: MmuConfig) extends Component {
  private val formats = TableFormats(config)
  private val places = MainTlbPlaces(config)
  val sweep = InvalidateSweep(config, goesOn = true)
  val tlb = MainTlb(config)
  private val io = tlb.io
  io.sweep <> sweep.io.further
  private val cmd = sweep.io.port.cmd
  private val walker = io.walker
  for (input <- Seq(cmd.valid, sweep.io.install.valid, io.port.cmd.valid)) anyseq(input)
  for (input <- Seq(cmd.payload, sweep.io.underWay, sweep.io.install.payload)) anyseq(input)
  for (input <- Seq(walker.cmd.ready, walker.leaf.valid, walker.fault.valid, walker.dropped))
    anyseq(input)
  for (input <- Seq(io.port.cmd.payload, walker.leaf.payload, walker.fault.payload, io.context))
    anyseq(input)
  anyseq(walker.shareability)
  io.invalidated := cmd.fire

  // What the walker's contract says of a walk and its leaf.
  private val isWalking = tlb.rework(tlb.isIn(tlb.State.walks)).pull()
  assume(!walker.leaf.valid || isWalking && (RegNext(isWalking) init False))
  assume(!(walker.fault.valid || walker.dropped) || isWalking)
  assume(!walker.leaf.valid || walker.leaf.payload === RegNext(walker.leaf.payload))
  assume(Setting.isLeaf(walker.leaf.span, walker.leaf.granule, formats))
  assume(Setting.isSize(walker.leaf.mapping.span))
  assume((walker.leaf.mapping.span & ~walker.leaf.span) === 0)
  // Each half may change its format in any cycle.
  for (half <- io.context.halves) assume(CountOne(half.tableFormat) === 1)
  private val leaf = RegNext(io.port.leaf.payload) // what is installed

  // ---- what is watched --------------------------------------------------------------------------
  private val command = InvalidateCmd()
  anyconst(command)
  assume(command.kind.asBits.asUInt < command.kind.spinalEnum.elements.size)
  private val entry = Translation(formats)
  anyconst(entry)
  assume(Setting.isLeaf(entry.span, entry.granule, formats))
  private val kept = SweptEntry(formats)
  kept.span := formats.spans.recode(entry.span, formats.sweptSpans)
  kept.firstPage := SweptEntry.firstPage(entry.tag, kept.span, formats)
  kept.asid := entry.asid
  kept.global := entry.global
  kept.granule := entry.granule
  private val covered = InvalidateCovers(config)(command, kept, isTable = False)
  private val way = anyconst(UInt(2 bits))
  assume(way <= MainTlb.ways)
  private val isLarge = way === MainTlb.ways
  private val number = anyconst(UInt(places.setBits bits))
  assume(!isLarge || number <= MainTlb.large - 1)

  private case class Seen() extends Bundle {
    val arrives, isRead, answers, known, looked, over, isCleared = Bool()
    val lookup, judged, goes, writes = Bool()
    val sought = TlbLookup(formats, formats.tlbIdentityBits)
    val granule = Bits(formats.granules.size bits)
    val valid = Bool()
    val entry = SweptEntry(formats)
    val identity = Bits(formats.tlbIdentityBits bits)
    val writableClean = Bool()
    val mapping = Mapping(formats)
  }
  private val seen = tlb
    .rework {
      val (ofWay, at) = (way.pull(), number.pull())
      val seen = Seen()
      def each[T <: Data](what: tlb.Way => T): T = Vec(tlb.ways.map(what))(ofWay)
      def isAt(place: UInt) = place === at.resized
      val key = each(w => w.keys.readAsync(at.resized))
      val mapped = each(w => w.mappings.readAsync(at.resized))
      seen.valid := key.valid
      seen.entry := key.entry
      seen.identity := key.identity
      seen.writableClean := mapped.writableClean
      seen.mapping := mapped.mapping
      seen.arrives := tlb.fresh.valid && each { w =>
        isAt(w.place(tlb.fresh.found.tag, tlb.fresh.found.granule)) &&
        (if (w.isLarge) tlb.fresh.isLarge else !tlb.fresh.isLarge && tlb.fresh.way(w.number))
      }
      seen.isRead := Vec(tlb.read.zip(tlb.ways).map { case (r, _) => isAt(r.place) })(ofWay)
      seen.known := tlb.hit.known
      seen.answers := tlb.hit.known && tlb.hit.number === ofWay +^ 1
      seen.goes := tlb.hit.goes.orR
      seen.lookup := tlb.asked.lookup
      seen.judged := tlb.isIn(tlb.State.judge)
      seen.writes := tlb.writes
      seen.sought := tlb.sought
      seen.granule := tlb.granule
      seen.over := tlb.reset.over
      seen.looked := tlb.looked
      seen.isCleared := tlb.reset.place > at
      seen
    }
    .pull()

  private val main = tlb.sweep
  private def inside[T <: Data](what: => T): T = tlb.rework(CombInit(what)).pull()

  // ---- one command and one entry ----------------------------------------------------------------
  private val accepted = cmd.fire
  private val isOurs = RegInit(False)
  when(accepted) { isOurs := cmd.payload === command }
  private val arrives = seen.arrives
  private val chosen = Bool()
  anyseq(chosen)
  private val enters = chosen && arrives
  assume(!enters || leaf === entry)
  private val clears = {
    val (lanes, cleared) = (inside(main.clears), inside(main.cleared))
    cleared.large === isLarge && cleared.number === number &&
    Vec(lanes(0), lanes(1), lanes(0))(way)
  }
  private val spared = isOurs && !covered
  private val isNow = cmd.payload === command

  /** Any entry is in the place, since the last reset; and the one that is watched. */
  private val occupied = RegInit(False) setWhen arrives clearWhen (clears && !arrives)
  private val here = RegInit(False)
  when(arrives) { here := enters } elsewhen (clears && !spared) { here := False }

  /** It was when a command was accepted that covers it. */
  private val stale = RegInit(False)
  when(accepted && cmd.payload === command && covered) {
    stale := arrives ? enters | here
  } elsewhen (arrives || clears) { stale := False }

  // ---- a lookup: c0 is two cycles ago -----------------------------------------------------------
  private def atC0(what: Bool) = RegNext(RegNext(what) init False) init False
  private val answers = seen.answers && atC0(seen.isRead)
  private def inSpan(tag: Bits) = (tag ^ entry.tag) & ~formats.spans
    .mask(entry.span, formats.pageShift, formats.vaBits)
    .resize(tag.getWidth)
  private val isWanted = inSpan(seen.sought.tag) === 0 &&
    (seen.sought.asid === entry.asid || entry.global) && seen.sought.identity === entry.tlbIdentity
  private val ofItsGranule = seen.granule === entry.granule
  private val wanted = atC0(seen.lookup && seen.isRead && here) && isWanted &&
    (isLarge || ofItsGranule)

  Claim.always("what is sought is what was asked for, in the context of that cycle") {
    val request = io.port.cmd
    val format = io.context.half(VirtualAddress.upper(request.va)).tableFormat
    val granule = Translation.granule(format, Geometry(formats), formats)
    val asked = TlbLookup(formats, formats.tlbIdentityBits)
    asked.tag := Translation.tag(request.va, formats)
    asked.asid := io.context.asid
    asked.identity := io.context.tlbIdentity
    inside(tlb.isIn(tlb.State.idle)) || seen.sought === RegNextWhen(asked, request.fire) &&
    seen.granule === RegNextWhen(granule, request.fire)
  }
  Claim.always("only a lookup is answered, by an entry that is there") {
    !answers || seen.judged && atC0(seen.lookup && occupied)
  }
  Claim.always("an entry answers addresses of its span and its ASID") {
    !(answers && atC0(here)) || isWanted
  }
  Claim.always("a page answers while its granule is in force") {
    !(answers && atC0(here)) || isLarge || ofItsGranule
  }
  Claim.always("what answers is what was installed") {
    val found = io.port.leaf.payload
    !(answers && atC0(here)) || found.mapping === entry.mapping && found.global === entry.global &&
    found.span === entry.span && found.granule === entry.granule &&
    !found.once &&
    found.writableClean === entry.writableClean
  }
  Claim.always("a write that must dirty it is not answered by it") {
    !(answers && atC0(here) && seen.writes) || !entry.writableClean
  }
  Claim.always("nothing answers that a command covers which came before the answer") {
    !(answers && (atC0(here && stale) || atC0(here) && (stale || cmd.fire && covered && isNow)))
  }
  Claim.always("a leaf of its own is what it knew in the cycle before") {
    (io.port.leaf.valid && !walker.leaf.valid) === (RegNext(seen.known) init False)
  }
  Claim.always("a walk begins when nothing is known") {
    !(walker.cmd.valid && seen.known)
  }
  Claim.always("nothing is looked at that was written while it was read") {
    !(seen.looked && (RegNext(seen.isRead && (arrives || clears)) init False))
  }
  Claim.always("an entry that is there is found when no sweep is under way") {
    val missed = wanted && !seen.goes && !(seen.writes && entry.writableClean)
    !missed || RegNext(io.sweep.active)
  }

  // ---- the sweep --------------------------------------------------------------------------------
  private val state = sweep.state.pull()
  private val States = sweep.State
  private val (running, more) = (inside(main.running), inside(main.more))
  private val next = inside(main.next)
  private val last = inside(main.last)
  private val stages = main.under.map(stage => inside(stage))
  private val first = inside(main.set.first)

  Claim.always("what a command covers goes before the next one is accepted") {
    !(stale && here) || isOurs && covered && state =/= States.idle
  }

  // From here on, what makes the others follow.
  Claim.always("an entry is in its place") {
    !here || occupied && seen.valid && seen.entry === kept && seen.identity === entry.tlbIdentity &&
    seen.mapping === entry.mapping && seen.writableClean === entry.writableClean
  }
  Claim.always("a place that is cleared is empty") {
    !seen.isCleared || seen.valid === occupied
  }
  Claim.always("nothing is there before the reset is over")(seen.over || !occupied)
  Claim.always("what is there is as leaves are, and not part of one") {
    !here || Setting.isSize(entry.span) && entry.mapping.span === entry.span &&
    !entry.once &&
    places.isLarge(entry.span, entry.granule) === isLarge &&
    placeOf(entry.tag) === number
  }
  private def placeOf(page: Bits) = isLarge ?
    places.of(page, entry.granule, large = true).resize(number.getWidth) |
    places.of(page, entry.granule, large = false).resize(number.getWidth)

  private val scope = sweep.scope.pull()
  private val wider = sweep.wider.pull()
  Claim.always("a range is widened in the cycle after its command") {
    wider === 0 || wider === 1 && state === States.widen
  }
  Claim.always("the scope covers what the command covers") {
    val inScope = scope.coversAnywhere(kept) ||
      scope.coversThere(kept) && scope.overlaps(kept, scope.end)
    val kinds = Seq(scope.everything, scope.byAsid, scope.byVa, scope.byRange)
      .zip(Seq(command.isAll, command.isAsid, command.isVa, command.isRange))
      .map { case (ours, said) => ours === said }
      .andR
    !isOurs || (wider =/= 0 || inScope === covered) && kinds && (!scope.byVa || scope.length === 1)
  }
  private val sought = stale && here
  private val offset = scope.byVa ? OHToUInt(entry.granule).resize(number.getWidth) |
    (number - first).resize(number.getWidth)
  Claim.always("of its set the sweep knows after its first cycle") {
    !(sought && !isLarge && state =/= States.widen) ||
    offset <= last && (!scope.byVa || last === formats.granules.size - 1)
  }
  Claim.always("places are read when micro TLBs were swept") {
    !(running || stages.map(_.valid).orR) || running && state === States.finish
  }
  Claim.always("what is compared is in its place") {
    val stage = stages.last
    val lanes = sweep.lanes
    def of[T <: Data](each: Seq[T]): T = Vec(each(0), each(1), each(0))(way)
    val compared = stage.valid && stage.place.large === isLarge && stage.place.number === number
    !(compared && here) ||
    of(lanes.map(_.entry.pull())) === kept &&
    of(lanes.map(_.anywhere.pull())) === scope.coversAnywhere(kept) &&
    of(lanes.map(_.there.pull())) === scope.coversThere(kept)
  }
  Claim.always("a range stays as it is when it is compared") {
    !(running || stages.map(_.valid).orR) || wider === 0 && sweep.end.pull() === scope.end
  }
  Claim.always("no set is read behind the last one") {
    !(running && more && !next.large) || next.number <= last
  }
  Claim.always("what is covered is still to be read or to be compared") {
    val ahead = more &&
      (isLarge ? (next.large && next.number <= number) | (next.large || next.number <= offset))
    val read = stages.map { stage =>
      stage.valid && stage.place.large === isLarge && stage.place.number === number &&
      (isLarge || stage.next.number <= offset)
    }.orR
    !(sought && state === States.finish) || running && (ahead || read)
  }

  Claim.reached("a command overtakes a lookup that knows the answer") {
    wanted && seen.goes && !seen.known
  }
  Claim.reached("an entry answers that was there before a command")(
    answers && atC0(here) && isOurs && !covered && command.isVa
  )
  Claim.reached("one that is covered is looked for, and does not answer") {
    wanted && atC0(sought) && !seen.known
  }
  for (
    (kind, is) <- Seq(
      "an ASID" -> command.isAsid,
      "a VA" -> command.isVa,
      "a range" -> command.isRange
    )
  )
    Claim.reached(s"a page goes with $kind")(sought && clears && !isLarge && is)
  Claim.reached("a block goes by one of its addresses") {
    sought && clears && isLarge && command.isVa
  }
  Claim.reached("what was read is read again")(inside(main.again) && sought)
}
