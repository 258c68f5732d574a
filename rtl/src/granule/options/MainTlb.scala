package granule.options

import granule.arch.{Checks, CoverPoint, MmuConfig, TableFormats}
import granule.mmu._
import spinal.core._
import spinal.lib._

/** Set-associative TLB behind the micro TLBs, in block RAM: a [[WalkPort]] before the walker's. A
  * request is looked up, and if its translation is known, answered without a walk.
  *
  * {{{
  * in       it holds                     when                              to
  * idle     nothing                      a request that may be answered    look
  *                                       another one                       judge
  * look     a request; keys of its set   at once                           judge
  * judge    which key is the same        known                             known
  *                                       the walker takes the request      walks
  * known    a translation                at once                           idle
  * walks    a walk                       its end                           idle
  * }}}
  *
  * Ports: `port` is asked with the walker's contract, `walker` is the walker; `context` is sampled
  * with a request. `invalidated`: a command is accepted. `sweep` is the invalidation under way
  * ([[MainSweep]]).
  *
  * Latency: `leaf` comes three cycles after the request if it is known; else the walker has the
  * request two cycles later, one if it is not looked up: an AT operation.
  *
  * While an invalidation is under way, what it may cover ([[Suspects]]) does not answer; of what is
  * larger than a page, all of the half that an address lies in. A lookup that a command overtakes
  * finds nothing. An entry that is installed meanwhile and is covered may go; the micro TLB keeps
  * it.
  *
  * Pages are in `MainTlb.ways` ways, in the set of their lowest page bits. Blocks and groups are in
  * one more way, in the place that the lowest bits of the number of a level 2 block give. What is
  * larger than such a block has an entry for each piece that was used. The way has few places, and
  * is in LUTs, nearer to what compares its keys than a block RAM.
  *
  * Replacement: what matches, else a free way, else the ways in turn. Where entries overlap because
  * software changed a size without break-before-make, the first one answers. Nothing is kept that
  * stands for less than its table entry.
  *
  * After reset every place is cleared first, and nothing is found or kept until then. A block RAM
  * that is read where it is written gives any bits; who may cause that does not look at them.
  */
case class MainTlb(config: MmuConfig) extends Component {
  private val formats = TableFormats(config)
  private val places = MainTlbPlaces(config)

  val io = new Bundle {
    val port = slave(WalkPort(formats))
    val walker = master(WalkPort(formats))
    val context = in(DecodedContext(formats))
    val invalidated = in(Bool())
    val sweep = slave(FurtherSweepPort(config))
  }

  object State extends SpinalEnum { val idle, look, judge, known, walks = newElement() }
  private[granule] val state = RegInit(State.idle)
  private[granule] def isIn(some: State.E): Bool = state === some

  /** What an entry is found by, and what an invalidation compares. */
  private[granule] case class Key() extends Bundle {
    val valid = Bool()
    val entry = SweptEntry(formats)
    val identity = Bits(formats.tlbIdentityBits bits)
  }
  private[granule] case class Mapped() extends Bundle {
    val writableClean = Bool()
    val mapping = Mapping(formats)
  }

  private[granule] case class Way(number: Int) extends Area {
    val isLarge = number == MainTlb.ways
    val size = if (isLarge) MainTlb.large else places.sets
    val keys = Mem(Key(), size)
    val mappings = Mem(Mapped(), size)
    for (memory <- Seq(keys, mappings)) {
      memory.addAttribute("ram_style", if (isLarge) "distributed" else "block")
      memory.addAttribute("no_rw_check")
    }
    val present = config.mainForgets generate HashedPresence(config, size, isLarge)
    def place(page: Bits, granule: Bits): UInt =
      places.of(page, granule, isLarge).resize(log2Up(size))
  }
  private[granule] val ways = for (w <- 0 to MainTlb.ways) yield Way(w)
  private val (pageWays, large) = (ways.init, ways.last)

  private val installs = Bool() // an entry comes
  private[granule] val sweep = MainSweep(config, io.sweep, installs)

  private[granule] val reset = new Area {
    val place = Reg(UInt(places.setBits + 1 bits)) init 0
    val over = place.msb
    when(!over) { place := place + 1 }
  }

  // ---- idle: the set is read --------------------------------------------------------------------
  private[granule] val asked = new Area {
    val cmd = io.port.cmd
    val half = io.context.half(VirtualAddress.upper(cmd.va))
    val page = Translation.tag(cmd.va, formats)
    val granule = Translation.granule(half.tableFormat, Geometry(formats), formats)
    val lookup = cmd.fire && !cmd.translateOnly
  }
  private val request = RegNextWhen(asked.cmd.payload, isIn(State.idle))
  private[granule] val sought = Reg(TlbLookup(formats, formats.tlbIdentityBits))
  private[granule] val granule = RegNextWhen(asked.granule, isIn(State.idle))
  when(isIn(State.idle)) {
    sought.tag := asked.page
    sought.asid := io.context.asid
    sought.identity := io.context.tlbIdentity
  }
  private[granule] val writes =
    request.access === Access.write || request.access === Access.atomic

  // What is looked up and what is cleared are both known late.
  private[granule] val looked = (RegNext(asked.lookup && reset.over) init False) &&
    !RegNext(sweep.clears.orR)
  private[granule] val read = for (way <- ways) yield new Area {
    val place = way.place(asked.page, asked.granule)
    val key = way.keys.readSync(place, enable = isIn(State.idle))
    val mapped = way.mappings.readSync(place, enable = isIn(State.idle))
    val valid =
      if (config.mainForgets)
        key.valid && RegNextWhen(way.present(place.resize(log2Up(way.size))), isIn(State.idle))
      else key.valid
  }

  // ---- look, judge ------------------------------------------------------------------------------
  private val c1 = new Area {
    val span = places.pageSpan(granule)
    val firstPage = SweptEntry.firstPage(sought.tag, span, formats)
    val near = io.sweep.suspects.near(sought.tag)
    val pageReach = Suspects.reach(formats.sweptSpans.recode(span, formats.spans), formats)
    val compared = for ((found, way) <- read.zip(ways)) yield new Area {
      val entry = found.key.entry
      // The lowest bits of a page are inside of it, or tell its place: in the same place they are
      // the same if the granule is.
      private def told(page: Bits) = page >> places.setBits
      private val page =
        if (way.isLarge)
          LevelledAnd.same(formats.spans)(
            formats.sweptSpans.recode(entry.span, formats.spans),
            entry.firstPage,
            sought.tag,
            formats.pageShift,
            formats.vaBits,
            least = places.leastLarge
          ) ++ LevelledAnd.equal(entry.firstPage.msb.asBits, sought.tag.msb.asBits)
        else
          LevelledAnd.equal(told(entry.firstPage), told(firstPage)) ++
            LevelledAnd.equal(entry.granule, granule)
      val same = LevelledAnd(
        page ++ LevelledAnd.equal(found.key.identity, sought.identity) ++
          LevelledAnd.equal(entry.asid, sought.asid, Some(entry.global)) ++
          Seq(looked, found.valid).map(LevelledAnd.Term(_))
      )
      val protects = found.mapped.writableClean && writes
      val reach = if (way.isLarge) B(pageReach.getWidth bits, default -> True) else pageReach
      val closed = io.sweep.active && io.sweep.suspects.include(near, reach, entry.global)
    }
  }
  // What is not looked up matches nothing.
  private def held(same: Bool): Bool =
    RegNextWhen(same, isIn(State.look)) init False clearWhen isIn(State.idle)
  private val c2 = for (way <- c1.compared) yield new Area {
    val matches = way.same.map(held).andR
    val protects = RegNextWhen(way.protects, isIn(State.look))
    val closed = RegNextWhen(way.closed, isIn(State.look))
    val open = RegNextWhen(!way.protects && !way.closed, isIn(State.look))
    val goes = matches && open
  }

  /** Of those that answer, the first: its number, from 1 on. */
  private[granule] val hit = new Area {
    val goes = c2.map(_.goes)
    val number = goes.zipWithIndex.foldRight(U(0, log2Up(ways.size + 1) bits)) {
      case ((goes, i), later) => goes ? U(i + 1) | later
    }
    val overtaken = RegInit(False) setWhen io.invalidated clearWhen isIn(State.idle)
    val known = goes.orR && !overtaken && !io.invalidated && isIn(State.judge)
  }

  switch(state) {
    is(State.idle) { when(asked.cmd.valid) { state := asked.lookup ? State.look | State.judge } }
    is(State.look) { state := State.judge }
    is(State.judge) {
      when(io.walker.cmd.fire) { state := State.walks }
      when(hit.known) { state := State.known }
    }
    is(State.known) { state := State.idle }
    is(State.walks) {
      when(io.walker.leaf.valid || io.walker.fault.valid || io.walker.dropped) {
        state := State.idle
      }
    }
  }
  io.port.cmd.ready := isIn(State.idle)
  io.walker.cmd.valid := isIn(State.judge) && !hit.known
  io.walker.cmd.payload := request

  // One multiplexer chooses among the ways and what the walk has found.
  private val leaf = io.port.leaf.payload
  leaf := io.walker.leaf.payload
  when(!isIn(State.walks)) {
    leaf.tag := sought.tag
    leaf.asid := sought.asid
    leaf.tlbIdentity := sought.identity
    leaf.once := False
  }
  for ((found, i) <- read.zipWithIndex) when(!isIn(State.walks) && hit.number === i + 1) {
    val (entry, mapped) = (RegNext(found.key.entry), RegNext(found.mapped))
    leaf.global := entry.global
    leaf.granule := entry.granule
    leaf.writableClean := mapped.writableClean
    leaf.span := mapped.mapping.span
    leaf.mapping := mapped.mapping
  }
  private[granule] val answers = isIn(State.known)
  io.port.leaf.valid := answers || io.walker.leaf.valid
  io.walker.leaf.ready := io.port.leaf.ready
  // Only AT looks at them, and options beside the walker.
  io.port.shareability := io.walker.shareability
  io.port.permitted := io.walker.permitted
  io.port.fault << io.walker.fault
  io.port.dropped := io.walker.dropped

  // ---- installation -----------------------------------------------------------------------------
  private[granule] val fresh = new Area {
    val found = RegNext(leaf)
    val entry = SweptEntry(formats)
    entry.span := formats.spans.recode(found.span, formats.sweptSpans)
    entry.firstPage := SweptEntry.firstPage(found.tag, entry.span, formats)
    entry.asid := found.asid
    entry.global := found.global
    entry.granule := found.granule
    val mapped = Mapped()
    mapped.writableClean := found.writableClean
    mapped.mapping := found.mapping

    val turn = Counter(MainTlb.ways)
    val matched = c2.init.map(_.matches).asBits()
    val free = RegNextWhen(read.init.map(!_.valid).asBits(), isIn(State.look))
    val way = matched.orR ? OHMasking.first(matched) |
      (free.orR ? OHMasking.first(free) | UIntToOh(turn.value, MainTlb.ways))

    val isWhole = found.mapping.span === found.span && !found.once
    val valid = io.walker.leaf.valid && isWhole && !request.translateOnly && reset.over
    val isLarge = places.isLarge(found.span, found.granule)
    when(valid && !isLarge && !matched.orR && !free.orR) { turn.increment() }
  }
  installs := fresh.valid

  // ---- the sweep reads, and entries come and go -------------------------------------------------
  private val clearing = new Area {
    def place(of: MainPlace, way: Way) = of.number.resize(log2Up(way.size))
    val swept = for (way <- ways) yield way.keys.readSync(place(sweep.place, way))
    val ofLarge = RegNext(sweep.place.large)
    for (w <- pageWays.indices) {
      val key = if (w == 0) ofLarge ? swept.last | swept(w) else swept(w)
      io.sweep.entry(w) := RegNext(key.entry)
      io.sweep.valid(w) := RegNext(key.valid && (if (w == 0) True else !ofLarge))
    }
  }
  for (way <- ways) {
    val installs =
      fresh.valid && (if (way.isLarge) fresh.isLarge else !fresh.isLarge && fresh.way(way.number))
    val ofLarge = sweep.cleared.large === Bool(way.isLarge)
    val lane = if (way.isLarge) 0 else way.number
    val clears = sweep.clears(lane) && ofLarge
    val place = way.place(fresh.found.tag, fresh.found.granule)
    val key = Key()
    key.valid := installs
    key.entry := fresh.entry
    key.identity := fresh.found.tlbIdentity
    val cleared = reset.over ? clearing.place(sweep.cleared, way) | reset.place.resized
    way.keys.write(
      installs ? place | cleared,
      key,
      enable = installs || clears || !reset.over
    )
    way.mappings.write(place, fresh.mapped, enable = installs)
    if (config.mainForgets) {
      way.present.forget(io.sweep.active.rise(initAt = False), io.sweep.scope)
      way.present.take(installs, place, fresh.entry)
    }
  }

  Checks {
    val clears = sweep.clears.orR
    assert(
      !io.walker.leaf.valid && !io.walker.fault.valid && !io.walker.dropped || isIn(State.walks),
      "main TLB: a walk ends that it did not ask for"
    )
    for ((found, i) <- read.zipWithIndex) {
      val entry = RegNext(found.key.entry)
      assert(
        !hit.known || hit.number =/= i + 1 ||
          entry.firstPage === SweptEntry.firstPage(sought.tag, entry.span, formats),
        "main TLB: the entry that answers does not hold the address that was asked"
      )
    }
    assert(io.port.leaf.ready, "main TLB: who asks lets a leaf wait")
    assert(!(fresh.valid && clears), "main TLB: an entry goes in the cycle in which another comes")
    CoverPoint("maintlb.hits_large")(hit.known && hit.number === ways.size)
    CoverPoint("maintlb.protects")(
      isIn(State.judge) && c2.map(way => way.matches && way.protects).orR
    )
    CoverPoint("maintlb.refuses")(
      isIn(State.judge) && c2.map(way => way.matches && way.closed).orR
    )
    CoverPoint("maintlb.overtaken")(
      isIn(State.judge) && hit.goes.orR && (hit.overtaken || io.invalidated)
    )
    CoverPoint("maintlb.takes_match")(fresh.valid && !fresh.isLarge && fresh.matched.orR)
    CoverPoint("maintlb.replaces")(
      fresh.valid && !fresh.isLarge && !fresh.matched.orR && !fresh.free.orR
    )
    CoverPoint("maintlb.sweeps_again")(sweep.again)
    CoverPoint("maintlb.clears_beside_lookup")(clears && asked.lookup)
    CoverPoint("maintlb.resets")(asked.lookup && !reset.over)
  }
}

object MainTlb {

  /** Ways for pages. */
  val ways = 2

  /** Places for what is larger. */
  val large = 16
}
