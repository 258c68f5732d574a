package granule.mmu

import granule.arch.{Checks, CoverPoint, MmuConfig, TableFormats}
import spinal.core._
import spinal.lib._

/** What a [[MainTlb]] is asked, a cycle before anybody knows whether it is asked.
  *
  * @field pages    of each port, half and VA bits of its command.
  * @field turn     a bit for each port: its command is the one that may have to walk.
  * @field granules one-hot, what each half of the address space has in force.
  */
case class MainTlbQuestion(formats: TableFormats, ports: Int) extends Bundle {
  val pages = Vec(Bits(Translation.tagWidth(formats) bits), ports)
  val turn = Bits(ports bits)
  val granules = Vec(Bits(formats.granules.size bits), 2)
}

/** Set-associative TLB behind the micro TLBs, in block RAM. It is asked whenever a walk begins, and
  * if it knows the translation, that walk ends before its first read.
  *
  * {{{
  *   c0  `asks`     the walker is idle: the set of the port whose turn it is is read
  *   c1  `sought`   the keys of the set are compared (the walker is in `start`)
  *   c2  `known`    the first that is the same is `translation` (in `step`)
  * }}}
  *
  * Ports: `question` has the addresses in c0; `lookup` says in c0 that a walk is accepted that may
  * be answered; `sought`, `granule` and `writes` say in c1 what it is for. `install` is what a walk
  * found; `translation` is that, unless `known`; `answers` is c2 of a lookup. `sweep` is the
  * invalidation under way ([[MainSweep]]).
  *
  * While an invalidation is under way, what it may cover ([[Suspects]]) does not answer; of what is
  * larger than a page, all of the half that an address lies in. An entry that is installed
  * meanwhile and is covered may go; the micro TLB keeps it.
  *
  * Pages are in `MainTlb.ways` ways, in the set of their lowest page bits. What is larger, blocks
  * and groups, is in one more way, in the place of its lowest address bits from a block of level 2
  * on; whatever is larger than that is there for each piece that was used. It has few places, and
  * is in LUTs, nearer to what compares its keys than a block RAM.
  *
  * Replacement: what matches, else a free way, else the ways in turn. Where entries overlap because
  * software changed a size without break-before-make, the first one answers. Nothing is kept that
  * stands for less than its table entry. The place is chosen with the granule of the previous
  * cycle: if TG changed since, nothing answers.
  *
  * After reset every place is cleared first, and nothing is found or kept until then. A block RAM
  * that is read where it is written gives any bits; who may cause that does not look at them.
  */
case class MainTlb(config: MmuConfig, ports: Int) extends Component {
  private val formats = TableFormats(config)
  private val places = MainTlbPlaces(config)

  val io = new Bundle {
    val asks = in(Bool())
    val question = in(MainTlbQuestion(formats, ports))
    val lookup = in(Bool())
    val sought = in(TlbLookup(formats, formats.tlbIdentityBits))
    val granule = in(Bits(formats.granules.size bits))
    val writes = in(Bool())
    val answers = out(Bool())
    val known = out(Bool())
    val translation = out(Translation(formats))
    val install = slave(Flow(Translation(formats)))
    val sweep = slave(MainSweepPort(config))
  }

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

  private[granule] val reset = new Area {
    val place = Reg(UInt(places.setBits + 1 bits)) init 0
    val over = place.msb
    when(!over) { place := place + 1 }
  }

  // ---- c0 ---------------------------------------------------------------------------------------
  // What is looked up and what is cleared are both known late.
  private[granule] val looked = (RegNext(io.lookup && reset.over) init False) &&
    !RegNext(io.sweep.clears.orR)
  private[granule] val read = for (way <- ways) yield new Area {
    val each = io.question.pages.map { page =>
      way.place(page, io.question.granules(page.msb.asUInt)).asBits
    }
    val place = MuxOH.or(io.question.turn, each, bypassIfSingle = true).asUInt
    val key = way.keys.readSync(place, enable = io.asks)
    val mapped = way.mappings.readSync(place, enable = io.asks)
    val valid =
      if (config.mainForgets)
        key.valid && RegNextWhen(way.present(place.resize(log2Up(way.size))), io.asks)
      else key.valid
  }

  // ---- c1, c2 -----------------------------------------------------------------------------------
  private val c1 = new Area {
    // The granule that chose the place is of the cycle before the walk's. If it was another, the
    // place says nothing of the page's lowest bits.
    val placedBy = RegNext(
      MuxOH.or(
        io.question.turn,
        io.question.pages.map(page => io.question.granules(page.msb.asUInt)),
        bypassIfSingle = true
      )
    )
    val span = places.pageSpan(io.granule)
    val firstPage = SweptEntry.firstPage(io.sought.tag, span, formats)

    val near = io.sweep.suspects.near(io.sought.tag)
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
            io.sought.tag,
            formats.pageShift,
            formats.vaBits,
            least = places.leastLarge
          ) ++ LevelledAnd.equal(entry.firstPage.msb.asBits, io.sought.tag.msb.asBits)
        else
          LevelledAnd.equal(told(entry.firstPage), told(firstPage)) ++
            LevelledAnd.equal(entry.granule, io.granule)
      val same = LevelledAnd(
        page ++ LevelledAnd.equal(found.key.identity, io.sought.identity) ++
          LevelledAnd.equal(entry.asid, io.sought.asid, Some(entry.global)) ++
          LevelledAnd.equal(placedBy, io.granule) ++
          Seq(looked, found.valid).map(LevelledAnd.Term(_))
      )
      val protects = found.mapped.writableClean && io.writes
      val reach = if (way.isLarge) B(pageReach.getWidth bits, default -> True) else pageReach
      val closed = io.sweep.active && io.sweep.suspects.include(near, reach, entry.global)
    }
  }
  private val c2 = for (way <- c1.compared) yield new Area {
    val matches = way.same.map(RegNext(_) init False).andR
    val protects = RegNext(way.protects)
    val closed = RegNext(way.closed)
    val open = RegNext(!way.protects && !way.closed)
    val goes = matches && open
  }

  /** Of those that answer, the first: its number, from 1 on. */
  private[granule] val hit = new Area {
    val goes = c2.map(_.goes)
    val number = goes.zipWithIndex.foldRight(U(0, log2Up(ways.size + 1) bits)) {
      case ((goes, i), later) => goes ? U(i + 1) | later
    }
    val known = goes.orR
  }
  io.answers := RegNext(looked) init False
  io.known := hit.known

  // One multiplexer chooses among the ways and what the walk has found.
  io.translation := io.install.payload
  for ((found, i) <- read.zipWithIndex) when(hit.number === i + 1) {
    val (entry, mapped) = (RegNext(found.key.entry), RegNext(found.mapped))
    io.translation.global := entry.global
    io.translation.granule := entry.granule
    io.translation.writableClean := mapped.writableClean
    io.translation.span := mapped.mapping.span
    io.translation.mapping := mapped.mapping
  }

  // ---- installation -----------------------------------------------------------------------------
  private[granule] val fresh = new Area {
    val found = io.install.payload
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
    val matched = RegNextWhen(c2.init.map(_.matches).asBits(), RegNext(looked))
    val free = RegNextWhen(read.init.map(!_.valid).asBits(), looked)
    val way = matched.orR ? OHMasking.first(matched) |
      (free.orR ? OHMasking.first(free) | UIntToOh(turn.value, MainTlb.ways))

    val isWhole = found.mapping.span === found.span
    val valid = io.install.valid && isWhole && !found.once && !found.byPage && reset.over
    val isLarge = places.isLarge(found.span, found.granule)
    when(valid && !isLarge && !matched.orR && !free.orR) { turn.increment() }
  }
  io.sweep.installs := fresh.valid

  // ---- the sweep reads, and entries come and go -------------------------------------------------
  private val clearing = new Area {
    def place(of: MainPlace, way: Way) = of.number.resize(log2Up(way.size))
    val swept = for (way <- ways) yield way.keys.readSync(place(io.sweep.place, way))
    val ofLarge = RegNext(io.sweep.place.large)
    for (w <- pageWays.indices) {
      val key = if (w == 0) ofLarge ? swept.last | swept(w) else swept(w)
      io.sweep.entry(w) := RegNext(key.entry)
      io.sweep.valid(w) := RegNext(key.valid && (if (w == 0) True else !ofLarge))
    }
  }
  for (way <- ways) {
    val installs =
      fresh.valid && (if (way.isLarge) fresh.isLarge else !fresh.isLarge && fresh.way(way.number))
    val ofLarge = io.sweep.cleared.large === Bool(way.isLarge)
    val lane = if (way.isLarge) 0 else way.number
    val clears = io.sweep.clears(lane) && ofLarge
    val place = way.place(fresh.found.tag, fresh.found.granule)
    val key = Key()
    key.valid := installs
    key.entry := fresh.entry
    key.identity := fresh.found.tlbIdentity
    val cleared = reset.over ? clearing.place(io.sweep.cleared, way) | reset.place.resized
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
    val clears = io.sweep.clears.orR
    Checks.atMostOne("main TLB: a lookup and an installation", io.lookup, io.install.valid)
    Checks.atMostOne("main TLB: two ports have the turn", io.question.turn)
    assert(!io.lookup || io.asks, "main TLB: a lookup of what was not read")
    val asked = MuxOH.or(io.question.turn, io.question.pages)
    assert(
      !(RegNext(io.lookup) init False) || io.sought.tag === RegNext(asked),
      "main TLB: what is sought is not what was asked for a cycle before"
    )
    val sought = RegNext(io.sought.tag)
    for ((found, i) <- read.zipWithIndex) {
      val entry = RegNext(found.key.entry)
      assert(
        hit.number =/= i + 1 ||
          entry.firstPage === SweptEntry.firstPage(sought, entry.span, formats),
        "main TLB: the entry that answers does not hold the address that was asked"
      )
    }
    assert(!(fresh.valid && clears), "main TLB: an entry goes in the cycle in which another comes")
    CoverPoint("maintlb.hits_large")(hit.number === ways.size)
    CoverPoint("maintlb.protects")(c2.map(way => way.matches && way.protects).orR)
    CoverPoint("maintlb.refuses")(c2.map(way => way.matches && way.closed).orR)
    CoverPoint("maintlb.takes_match")(fresh.valid && !fresh.isLarge && fresh.matched.orR)
    CoverPoint("maintlb.replaces")(
      fresh.valid && !fresh.isLarge && !fresh.matched.orR && !fresh.free.orR
    )
    CoverPoint("maintlb.sweeps_again")(io.sweep.again)
    CoverPoint("maintlb.clears_beside_lookup")(clears && io.lookup)
    CoverPoint("maintlb.resets")(io.lookup && !reset.over)
  }
}

object MainTlb {

  /** Ways for pages. */
  val ways = 2

  /** Places for what is larger. */
  val large = 16
}
