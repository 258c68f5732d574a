package granule.mmu

import granule.arch.{Checks, CoverPoint, MmuConfig, TableFormats}
import spinal.core._
import spinal.lib._

/** What a walk looks tables up by: everything that it would read them with. */
case class TableKey(formats: TableFormats) extends Bundle {
  val tag = Bits(Translation.tagWidth(formats) bits)
  val asid = Bits(formats.config.asidBits bits)
  val tableFormat = Bits(formats.tableFormats.size bits)
}

/** The kind of a table.
  *
  * @field level of the entries in it, one-hot over the formats' levels.
  * @field skip  levels by which it is larger than others.
  */
case class TableKind(formats: TableFormats) extends Bundle {
  val level = Bits(formats.levels.size bits)
  val skip = UInt(2 bits)
}

/** Where a table is, with all that a walk gathered on the way to it (spec 5.2).
  *
  * @field page     its address from the smallest page up.
  * @field noGroups contiguous hints do not count in it.
  */
case class TablePointer(formats: TableFormats) extends Bundle {
  val page = Bits(formats.config.paWidth - formats.pageShift bits)
  val hierarchy = Hierarchy()
  val noGroups = formats.config.tcr2 generate Bool()
}

/** Table entries that walks remember. `key` is looked up in the cycle of `look`. From the next
  * cycle to the next `look`, `found` is the deepest table that covers it, and `pointer` says where
  * that is; an invalidation that clears it meanwhile kills the walk. `install` adds a table.
  * `upcoming` is the ASID of the walk that may be accepted in this cycle, which is `key.asid` then.
  */
case class TableCachePort(formats: TableFormats) extends Bundle with IMasterSlave {
  val upcoming = Flow(Bits(formats.config.asidBits bits))

  val look = Bool()
  val key = TableKey(formats)
  val found = Flow(TableKind(formats))
  val pointer = TablePointer(formats)
  val ready = Bool() // False: a look finds nothing, and its walk must not install anything
  val install = Flow(InstalledTable(formats))

  /** There is no cache: nothing is found. */
  def absent(): Unit = {
    found.valid := False
    found.payload := found.payload.getZero
    pointer := pointer.getZero
    ready := False
  }

  override def asMaster(): Unit = {
    out(look, key)
    slave(found)
    in(ready, pointer)
    master(upcoming, install)
  }
}

/** A table to be remembered.
  *
  * @field span what its entry covers, as `formats.tableSpans` writes sizes.
  */
case class InstalledTable(formats: TableFormats) extends Bundle {
  val span = Bits(formats.tableSpans.codeBits bits)
  val kind = TableKind(formats)
  val pointer = TablePointer(formats)
}

/** Remembers table entries of every level, so that a walk begins at the deepest table that it knows
  * (spec 8.1: a walk cache is a TLB, and every invalidation reaches it). docs/mmu.md shows a hit
  * cycle by cycle.
  *
  * Ports: `tables` ([[TableCachePort]]). While it is `swept`, what an invalidation covers may still
  * be here, so nothing is found. `clear` takes entries away by their number; `installed` is the
  * number of a new one, `installedSpan` what it covers.
  *
  * {{{
  *   before  `upcoming`   each entry's ASID is compared with that of the walk to come: `inUse`
  *   c0      `look`       each entry's key is compared with `key`: which one of each level matches
  *   c1      `found`      the deepest of these; it stays until the next `look`
  * }}}
  *
  * Replacement: the oldest. Entries belong to an ASID and to the format of the tables; one covers
  * all that its table maps. No two entries of the same span cover one address, as a walk installs
  * only tables below those that it found. Where tables skip levels, two of one level may have
  * different spans, and overlap if software changed a table without break-before-make: the first of
  * them answers then, as in a [[MicroTlb]].
  *
  * As in a [[MicroTlb]], keys are flip-flops, and the rest is in small memories.
  */
case class WalkCache(config: MmuConfig) extends Component {
  private val formats = TableFormats(config)
  private val entries = config.walkCacheEntries
  private val identityBits = log2Up(formats.tableFormats.size)

  val io = new Bundle {
    val tables = slave(TableCachePort(formats))
    val swept = in(Bool())
    val clear = in(Bits(entries bits))
    val installed = master(Flow(UInt(log2Up(entries) bits)))
    val installedSpan = out(Bits(formats.tableSpans.codeBits bits))
  }
  private val sought = TlbLookup(formats, identityBits)
  sought.tag := io.tables.key.tag
  sought.asid := io.tables.key.asid
  sought.identity := OHToUInt(io.tables.key.tableFormat).asBits.resize(identityBits)
  private val fresh = TlbKey(formats, formats.tableSpans, identityBits)
  fresh.of := sought
  fresh.span := io.tables.install.span
  fresh.global := False

  private[granule] val valid = Vec.fill(entries)(RegInit(False))
  private[granule] val key =
    Vec.fill(entries)(Reg(TlbKey(formats, formats.tableSpans, identityBits)))
  private[granule] val kind = Seq.fill(entries)(Reg(TableKind(formats)))
  private[granule] val pointers = Mem(TablePointer(formats), entries)

  // A cycle late, as it comes late in its cycle that the memory took the walker's read. No walk
  // looks so soon. A sweep may be under way, for what does not concern this walk; if it clears the
  // place in this very cycle, it is the old entry that goes.
  private val install = RegNext(io.tables.install.valid) init False
  private[granule] val newKey = RegNext(fresh)
  private[granule] val installed = RegNext(io.tables.install.payload)
  private val victim = Counter(entries, install)

  /** Which entries are of the ASID of the walk under way. */
  private[granule] val inUse = key.map { k =>
    RegNextWhen(k.of.asid === io.tables.upcoming.payload, io.tables.upcoming.valid)
  }

  /** What c0 leaves for c1, of each level: whether an entry matches, and of that its number, and
    * the levels that its table spans beyond its own.
    */
  private case class Compared() extends Bundle {
    val any = Vec.fill(formats.levels.size)(Bool())
    val place = Vec.fill(formats.levels.size)(UInt(log2Up(entries) bits))
    val skips = Vec.fill(formats.levels.size)(UInt(2 bits))
  }
  private val c0 = new Area {
    val matches = for (i <- 0 until entries) yield {
      valid(i) && inUse(i) && key(i).of.identity === sought.identity && key(i).holds(sought.tag)
    }
    val levels =
      for (l <- formats.levels.indices)
        yield Vec(matches.zip(kind).map { case (m, k) => m && k.level(l) }).asBits
    val compared = Compared()
    for ((level, l) <- levels.zipWithIndex) {
      val first = if (formats.skips) OHMasking.first(level) else level
      compared.any(l) := level.orR && !io.swept
      compared.place(l) := OHToUInt(first)
      compared.skips(l) := MuxOH.or(first, kind.map(_.skip))
    }
  }
  private val c1 = new Area {
    val compared = RegNextWhen(c0.compared, io.tables.look)
    val any = compared.any
    val deepest = Vec(any.indices.map(l => any(l) && !any.drop(l + 1).orR)).asBits
    val place = MuxOH.or(deepest, compared.place)
    io.tables.found.valid := any.orR
    io.tables.found.level := deepest
    io.tables.pointer := pointers.readAsync(place)
    io.tables.found.skip := MuxOH.or(deepest, compared.skips)
  }
  io.tables.ready := !io.swept

  io.installed.valid := install
  io.installed.payload := victim.value
  io.installedSpan := newKey.span
  // A sweep compares what it has read the cycle before: an entry that was installed meanwhile is
  // not what it means.
  private val newer = RegNext(UIntToOh(victim.value, entries).andMask(install))
  private[granule] val cleared = io.clear & ~newer
  for (i <- 0 until entries) when(cleared(i)) { valid(i) := False }
  when(install) {
    for (i <- 0 until entries) when(victim.value === i) {
      valid(i) := True
      key(i) := newKey
      inUse(i) := True
      kind(i) := installed.kind
    }
  }
  pointers.write(victim.value, installed.pointer, enable = install)

  if (!formats.skips)
    for (level <- c0.levels)
      Checks.atMostOne(
        "walk cache: two tables of one level cover one address",
        level.andMask(io.tables.look && !io.swept)
      )

  CoverPoint("walkcache.replaces")(install && valid(victim.value))
  CoverPoint("walkcache.blind")(io.tables.look && io.swept)
}
