package granule.tlb

import granule.config.MmuConfig
import granule.format.TableFormats
import granule.port.{Checks, CoverPoint}
import granule.walk._
import spinal.core._
import spinal.lib._

/** Set-associative TLB behind the micro TLBs, in block RAM. It is asked whenever a walk begins, and
  * if it knows the translation, that walk ends before its first read.
  *
  * {{{
  *   c0  `lookup`   the walk is accepted; its set is addressed
  *   c1  `sought`   the keys of the set are compared (the walker is in `start`)
  *   c2  `known`    one of those that matched is chosen: `translation` (in `step`)
  * }}}
  *
  * Ports: `lookup` has the page of the walk that is accepted, `granules` is what its half has in
  * force; `sought` and `writes` say in c1 and c2 what it is for. `install` is what a walk found.
  * `sweep` is the invalidation under way ([[MainSweep]]); `busy`: entries are still compared.
  *
  * While an invalidation is under way, what it may cover ([[Suspects]]) does not answer. An entry
  * that is installed meanwhile and is covered may go; the micro TLB keeps it.
  *
  * Pages are in `MainTlb.ways` ways, in the set of their lowest page bits. What is larger, blocks
  * and groups, is in one more way, in the place of its lowest address bits from a block of level 2
  * on; whatever is larger than that is there for each piece that was used.
  *
  * Replacement: what matches, else a free way, else the ways in turn. Where entries overlap because
  * software changed a size without break-before-make, the first one answers. Nothing is kept that
  * stands for less than its table entry. After reset every place is cleared first.
  */
case class MainTlb(config: MmuConfig) extends Component {
  private val formats = TableFormats(config)
  private val places = MainTlbPlaces(config)
  private val holders = MainTlb.ways + 1
  private def isLarge(way: Int) = way == MainTlb.ways

  val io = new Bundle {
    val lookup = slave(Flow(Bits(Translation.tagWidth(formats) bits)))
    val granules = in(Vec(Bits(formats.granules.size bits), 2))
    val sought = in(TlbLookup(formats, formats.tlbIdentityBits))
    val writes = in(Bool())
    val known = out(Bool())
    val translation = out(Translation(formats))
    val install = slave(Flow(Translation(formats)))
    val sweep = slave(SweepUnderWay(formats))
    val busy = out(Bool())
  }

  /** What an entry is found by, and what an invalidation compares. */
  private case class Key() extends Bundle {
    val of = TlbKey(formats, formats.spans, formats.tlbIdentityBits)
    val granule = Bits(formats.granules.size bits)

    def swept: SweptEntry = {
      val swept = SweptEntry(formats)
      swept.span := formats.spans.recode(of.span, formats.sweptSpans)
      swept.firstPage := SweptEntry.firstPage(of.of.tag, swept.span, formats)
      swept.global := of.global
      swept.asid := of.of.asid
      swept.granule := granule
      swept
    }
  }
  private case class Mapped() extends Bundle {
    val writableClean = Bool()
    val mapping = Mapping(formats)
  }
  private def size(way: Int) = if (isLarge(way)) MainTlb.large else places.sets
  private val keys = for (w <- 0 until holders) yield Mem(Key(), size(w))
  private val mappings = for (w <- 0 until holders) yield Mem(Mapped(), size(w))
  private val valids = for (w <- 0 until holders) yield Mem(Bool(), size(w))

  private val suspects = Suspects.of(io.sweep.scope)
  private def closedFor(key: TlbKey) = io.sweep.active && suspects.include(key)

  private val reset = new Area {
    val place = Reg(UInt(places.setBits + 1 bits)) init 0
    val over = place.msb
    when(!over) { place := place + 1 }
  }
  private val sweep = MainSweep(config, places, io.sweep, enable = reset.over)
  io.busy := sweep.running || !reset.over

  // ---- c0 ---------------------------------------------------------------------------------------
  private val looked = RegNext(io.lookup.valid) init False
  private val granule = io.granules(io.lookup.payload.msb.asUInt)
  private val read = for (w <- 0 until holders) yield new Area {
    val set = places.of(io.lookup.payload, granule, isLarge(w)).resize(log2Up(size(w)))
    val key = keys(w).readSync(set)
    val mapped = mappings(w).readSync(set)
    val valid = valids(w).readSync(set)
  }

  // ---- c1, c2 -----------------------------------------------------------------------------------
  private val c1 = for (way <- read) yield new Area {
    val key = way.key.of
    val matches = looked && way.valid && key.belongs(io.sought.asid, io.sought.identity) &&
      key.holds(io.sought.tag)
    val protects = way.mapped.writableClean && io.writes
    val answers = matches && !protects && !closedFor(key)
  }
  private val hits = Vec(c1.map(way => RegNext(way.answers) init False)).asBits
  private val hit = new Area {
    val first = OHMasking.first(hits)
    val key = MuxOH.or(first, read.map(way => RegNext(way.key)))
    val mapped = MuxOH.or(first, read.map(way => RegNext(way.mapped)))
  }
  io.known := hits.orR
  io.translation.tag := io.sought.tag
  io.translation.asid := io.sought.asid
  io.translation.tlbIdentity := io.sought.identity
  io.translation.global := hit.key.of.global
  io.translation.granule := hit.key.granule
  io.translation.writableClean := hit.mapped.writableClean
  io.translation.span := hit.key.of.span
  io.translation.mapping := hit.mapped.mapping
  if (config.pmp) {
    io.translation.onceBit := False
    io.translation.directBit := False
    io.translation.byPageBit := False
  }

  // ---- installation -----------------------------------------------------------------------------
  private val fresh = new Area {
    val found = io.install.payload
    val key = Key()
    key.of.of.tag := found.tag
    key.of.of.asid := found.asid
    key.of.of.identity := found.tlbIdentity
    key.of.span := found.span
    key.of.global := found.global
    key.granule := found.granule
    val mapped = Mapped()
    mapped.writableClean := found.writableClean
    mapped.mapping := found.mapping

    val turn = Counter(MainTlb.ways)
    def remember(bit: Bool) = RegNextWhen(bit, looked)
    val matched = c1.init.map(way => remember(way.matches)).asBits()
    val free = read.init.map(way => remember(!way.valid)).asBits()
    val way = matched.orR ? OHMasking.first(matched) |
      (free.orR ? OHMasking.first(free) | UIntToOh(turn.value, MainTlb.ways))

    val whole = found.mapping.span === found.span && !found.once && !found.byPage
    val valid = io.install.valid && whole && reset.over
    val isLarge = places.isLarge(found.span, found.granule)
    when(valid && !isLarge && !matched.orR && !free.orR) { turn.increment() }
  }
  sweep.installs := fresh.valid
  for (w <- 0 until holders) {
    val installs =
      fresh.valid && (if (isLarge(w)) fresh.isLarge else !fresh.isLarge && fresh.way(w))
    val set = places.of(fresh.found.tag, fresh.found.granule, isLarge(w))
    keys(w).write(set.resized, fresh.key, enable = installs)
    mappings(w).write(set.resized, fresh.mapped, enable = installs)

    val place = sweep.place(isLarge(w)).resize(log2Up(size(w)))
    sweep.entry(w) := keys(w).readSync(place).swept
    sweep.valid(w) := valids(w).readSync(place)
    val clears = sweep.clears(w) || !reset.over
    val cleared = reset.over ? sweep.compared(isLarge(w)) | reset.place.resize(places.setBits)
    valids(w).write(
      (installs ? set | cleared).resized,
      installs,
      enable = installs || clears
    )
  }

  Checks {
    val clears = sweep.clears.orR
    Checks.atMostOne("main TLB: a lookup and an installation", io.lookup.valid, io.install.valid)
    assert(!(fresh.valid && clears), "main TLB: an entry goes in the cycle in which another comes")
    CoverPoint("maintlb.hits_large")(hits.msb)
    CoverPoint("maintlb.protects")(c1.map(way => way.matches && way.protects).orR)
    CoverPoint("maintlb.refuses")(c1.map(way => way.matches && closedFor(way.key)).orR)
    CoverPoint("maintlb.takes_match")(fresh.valid && !fresh.isLarge && fresh.matched.orR)
    CoverPoint("maintlb.replaces")(
      fresh.valid && !fresh.isLarge && !fresh.matched.orR && !fresh.free.orR
    )
    CoverPoint("maintlb.sweeps_again")(sweep.again)
    CoverPoint("maintlb.clears_beside_lookup")(clears && io.lookup.valid)
  }
}

object MainTlb {

  /** Ways for pages. */
  val ways = 2

  /** Places for what is larger. */
  val large = 16
}
