package granule.mmu

import granule.arch.{Checks, CoverPoint, MmuConfig, TableFormats}
import spinal.core._
import spinal.lib._

/** Fully associative TLB with entries of every page, block and group size, for one translate port.
  * docs/mmu.md shows a hit and a miss cycle by cycle.
  *
  * {{{
  *   in every cycle    each entry's ASID and system are compared with the registers: `inUse`
  *   c0  `tag`         each entry's key is compared with it: which entries match
  *   c1  `writes`      one of these is chosen: `hit`, `mapping`
  * }}}
  *
  * Ports: a lookup takes `tag` in c0 and is answered in c1 by `hit`, and by `mapping` of the entry;
  * a writable-clean entry does not answer what `writes` (spec 6.3). `install` writes an entry that
  * answers from the next cycle on, and removes those that matched. It may come only in c1 of the
  * address that it maps, with `identity` and `asid` those of the walk; if the answer is not used,
  * `tag` may have been another, but then unrelated entries are removed needlessly. One that is
  * `once` answers in the cycle after `install` and in no other. `installed` is
  * the number of the new entry. `clear` has a bit for each entry that is to go, which may answer
  * for a cycle more. `suspects` begins a sweep: all entries are suspects of it, and its payload
  * holds while they are. `compared` says whom it has looked at; it clears suspects only. `waits`,
  * in c1: a suspect matched that the command may cover, and whoever asks must wait.
  *
  * Entries overlap where software changed a size, or made a page global, without break-before-make.
  * The first of them answers then (spec 8.1: as one of them), until an invalidation removes all.
  *
  * Latency: `identity` and `asid` count from the next c0 on. A new entry answers its first request
  * even if it is clean: whoever writes has made it dirty on the walk.
  * Replacement: a free entry, else the oldest.
  *
  * Keys are flip-flops, as all are compared at once. What a key leads to is a small memory read by
  * the number of the entry.
  */
case class MicroTlb(config: MmuConfig, entries: Int) extends Component {
  private val formats = TableFormats(config)

  val io = new Bundle {
    val tag = in(Bits(Translation.tagWidth(formats) bits))
    val identity = in(Bits(formats.tlbIdentityBits bits))
    val asid = in(Bits(config.asidBits bits))
    val writes = in(Bool())
    val hit = out(Bool())
    val mapping = out(Mapping(formats))
    val install = slave(Flow(Translation(formats)))
    val installed = master(Flow(UInt(log2Up(entries) bits)))
    val clear = in(Bits(entries bits))
    val suspects = slave(Flow(Suspects(formats)))
    val compared = in(Bits(entries bits))
    val waits = out(Bool())
  }

  private def Key() = TlbKey(formats, formats.spans, formats.tlbIdentityBits)
  private val fresh = Key()
  fresh.of.tag := io.install.tag
  fresh.of.asid := io.install.asid
  fresh.of.identity := io.install.tlbIdentity
  fresh.span := io.install.mapping.span
  fresh.global := io.install.global

  private[granule] val valid = Vec.fill(entries)(RegInit(False))
  private[granule] val key = Vec.fill(entries)(Reg(Key()))
  private[granule] val writableClean = Vec.fill(entries)(Reg(Bool()))
  private[granule] val reach = Vec.fill(entries)(Reg(Bits(Suspects.reachBits(formats) bits)))
  private[granule] val suspect = Vec.fill(entries)(RegInit(False)) // an empty place may be one
  private[granule] val mappings = Mem(Mapping(formats), entries)

  /** Known a cycle early; an entry that became free since then is found the next time. */
  private val replacement = new Area {
    val oldest = Counter(entries)
    val free = valid.map(!_)
    val full = RegNext(!free.orR) init False
    val victim = RegNext(free.orR ? MicroTlb.first(free) | oldest.value) init 0
    when(io.install.valid && full) { oldest.increment() }
  }

  /** Which entries belong to the identity and ASID of the cycle before. */
  private def belongs(key: TlbKey) = key.belongs(io.asid, io.identity)
  private val inUse = Vec(key.map(k => RegNext(belongs(k))))

  private def fours = (entries + 3) / 4

  /** The registers between c0 and c1: all entries that match; the first one of each half; and
    * whether one of a quarter does, or of four that is writable-clean or a suspect.
    */
  private case class Compared() extends Bundle {
    val matches = Bits(entries bits)
    val any = Vec.fill(4)(Bool())
    val first = Vec.fill(2)(UInt(log2Up(entries) - 1 bits))
    val protects = config.hardwareUpdates generate Vec.fill(fours)(Bool())
    val suspect = Vec.fill(fours)(Bool())
  }
  private val c0 = new Area {
    val compared = Compared()
    compared.matches := Vec((0 until entries).map { i =>
      valid(i) && inUse(i) && key(i).holds(io.tag)
    }).asBits
    def inFours(flags: Vec[Bool]) = Vec(
      (compared.matches & flags.asBits).subdivideIn(4 bits, strict = false).map(_.orR)
    )
    private val near = io.suspects.near(io.tag)
    compared.suspect := inFours(Vec((0 until entries).map { i =>
      suspect(i) && io.suspects.include(near, reach(i), key(i).global)
    }))
    if (config.hardwareUpdates) compared.protects := inFours(writableClean)
    for ((half, i) <- compared.matches.subdivideIn(2 slices).zipWithIndex) {
      compared.first(i) := MicroTlb.first(half.asBools)
    }
    for ((quarter, i) <- compared.matches.subdivideIn(4 slices).zipWithIndex) {
      compared.any(i) := quarter.orR
    }
  }

  /** The c1 after an `install` is for what the new entry maps, which c0 could not see yet.
    * Comparing takes a whole cycle, so no multiplexer is put behind it: the flip-flops between c0
    * and c1 are set and cleared as if entry 0 matched alone, and `newcomer`, the number of the new
    * entry, is added to its number.
    */
  private val c1 = new Area {
    val compared = RegNext(c0.compared)
    val newcomer = RegNext(replacement.victim.andMask(io.install.valid))
    when(io.install.valid) {
      compared.any.head := True
      compared.any.tail.foreach(_ := False)
      compared.first.foreach(_ := 0)
      if (config.hardwareUpdates) compared.protects.foreach(_ := False)
      compared.suspect.foreach(_ := False)
    }
    val Seq(low, high) = compared.any.grouped(2).map(_.orR).toSeq
    val place =
      newcomer | ((high && !low) ## Mux(low, compared.first(0), compared.first(1))).asUInt
    val mapping = CombInit(mappings.readAsync(place).asBits)
    val protects = if (config.hardwareUpdates) compared.protects.orR else False
    io.hit := compared.any.orR && !(protects && io.writes)
    io.mapping.assignFromBits(mapping)
  }

  io.installed.valid := io.install.valid
  io.installed.payload := replacement.victim
  io.waits := c1.compared.suspect.orR
  for (i <- 0 until entries) {
    when(io.compared(i)) { suspect(i) := False }
    when(io.suspects.valid) { suspect(i) := True }
  }
  private[granule] val goes = io.clear & suspect.asBits
  private val removed = c1.compared.matches.andMask(io.install.valid)
  for (i <- 0 until entries) when(goes(i)) { valid(i) := False }
  for (i <- 0 until entries) {
    when(removed(i)) { valid(i) := False }
    when(io.install.valid && replacement.victim === i) {
      valid(i) := !io.install.once
      suspect(i) := False
      reach(i) := Suspects.reach(io.install.span, formats)
      writableClean(i) := io.install.writableClean
      key(i) := fresh
      inUse(i) := belongs(fresh)
    }
  }
  mappings.write(replacement.victim, io.install.mapping, enable = io.install.valid)

  /** For checks: the entries that do not answer, asked for the address that they are of. */
  private[granule] val silent = GenerationFlags.simulation(Vec((0 until entries).map { i =>
    val near = io.suspects.near(key(i).of.tag)
    suspect(i) && io.suspects.include(near, reach(i), key(i).global)
  }))

  /** For checks: the key of the entry that hits. */
  private[granule] val hitKey = GenerationFlags.simulation(CombInit(key(c1.place)))

  Checks {
    val answers = io.hit && valid(c1.place)
    val once = RegNext(io.install.valid && io.install.once) init False
    val compared = RegNext(True) init False // not so after a reset: then nobody is answered
    assert(
      !(io.hit && compared) || answers || once || RegNext(io.clear | removed)(c1.place),
      "micro TLB: an entry hits that is not there"
    )
    val matched = c1.compared.matches
    CoverPoint("tlb.suspect_waits")(io.hit && io.waits)
    CoverPoint("tlb.suspect_spared")((suspect.asBits & valid.asBits & io.compared & ~io.clear).orR)
    CoverPoint("tlb.newer_stays")((valid.asBits & ~suspect.asBits & io.clear).orR)
    CoverPoint("tlb.replaces")(io.install.valid && valid(replacement.victim))
    CoverPoint("tlb.removes")(io.install.valid && (matched & valid.asBits).orR)
    CoverPoint("tlb.two_match")(CountOne(matched) > 1)
    CoverPoint("tlb.protects")(matched.orR && c1.protects && io.writes)
    CoverPoint("tlb.clears_hit")(answers && io.clear(c1.place))
    CoverPoint("tlb.clears_beside_install")(io.install.valid && io.clear.orR)
  }
}

object MicroTlb {

  /** Number of the first that is set, with few gates in a row: it is wanted late in a cycle. In
    * each bit, groups of entries have 0 and 1 in turns; the number has 1 if a group that has 1
    * comes before all that have 0.
    */
  private def first(of: collection.Seq[Bool]): UInt =
    Vec((0 until log2Up(of.size)).map { bit =>
      val pairs = of.grouped(1 << bit).map(_.orR).toSeq.grouped(2).toSeq
      val none = pairs.indices.map(last => !pairs.take(last + 1).map(_.head).orR)
      pairs.zip(none).map { case (pair, before) => pair.last && before }.orR || none.last
    }).asBits.asUInt
}
