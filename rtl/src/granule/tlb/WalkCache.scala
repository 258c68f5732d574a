package granule.tlb

import granule.config.MmuConfig
import granule.format.{Formats, Regime}
import granule.walk.{TableCachePort, TablePointer}
import spinal.core._
import spinal.lib._

/** Remembers table entries of every level, so that a walk begins at the deepest table that it knows
  * (spec 8.1: a walk cache is a TLB, and every invalidation reaches it).
  *
  * Ports: `tables` ([[TableCachePort]]). While it is `swept`, what an invalidation covers may still
  * be here, so nothing is found. `clear` takes entries away by their number; `installed` is the
  * number of a new one, `installedSpan` what it covers.
  *
  * Latency: the kind of a table is found in the same cycle, its place is read in the next one.
  * Replacement: the oldest. Entries belong to an ASID and to the shape of the tables; one covers
  * all that its table maps. No two entries of the same span cover one address, as a walk installs
  * only tables below those that it found.
  *
  * As in a [[MicroTlb]], keys are flip-flops, and the rest is in small memories.
  */
case class WalkCache(config: MmuConfig) extends Component {
  private val formats   = Formats(config)
  private val entries   = config.walkCacheEntries
  private val spaceBits = log2Up(formats.shapes.size)
  private val d128      = formats.has(Regime.D128)

  val io = new Bundle {
    val tables        = slave(TableCachePort(formats))
    val swept         = in(Bool())
    val clear         = in(Bits(entries bits))
    val installed     = master(Flow(UInt(log2Up(entries) bits)))
    val installedSpan = out(Bits(formats.tableSpans.codeBits bits))
  }
  private val sought = TlbLookup(formats, spaceBits)
  sought.tag   := io.tables.key.tag
  sought.asid  := io.tables.key.asid
  sought.space := OHToUInt(io.tables.key.shape).asBits.resize(spaceBits)
  private val fresh = TlbKey(formats, formats.tableSpans, spaceBits)
  fresh.of     := sought
  fresh.span   := io.tables.install.span
  fresh.global := False

  private val valid    = Vec.fill(entries)(RegInit(False))
  private val key      = Vec.fill(entries)(Reg(TlbKey(formats, formats.tableSpans, spaceBits)))
  private val depth    = Seq.fill(entries)(Reg(Bits(formats.levels.size bits))) // ones up to it
  private val skip     = d128 generate Vec.fill(entries)(Reg(UInt(2 bits)))
  private val pointers = Mem(TablePointer(formats), entries)

  // A cycle late: that the walker has sent its read is. No walk looks and no sweep comes so soon.
  private val install   = RegNext(io.tables.install.valid) init False
  private val newKey    = RegNext(fresh)
  private val installed = RegNext(io.tables.install.payload)
  private val victim    = Counter(entries, install)

  private val lookup = new Area {
    val matches = valid.zip(key).map { case (v, k) => v && k.matches(sought) }
    // Of the entries that match, the one whose table is deepest.
    val reached = matches.zip(depth).map { case (m, d) => d.andMask(m) }.reduceBalancedTree(_ | _)
    val deepest = reached & ~(reached >> 1).resize(reached.getWidth)
    val chosen  = Vec(matches.zip(depth).map { case (m, d) => m && !(reached & ~d).orR }).asBits
    val place   = RegNextWhen(OHToUInt(chosen), io.tables.look)
  }
  io.tables.ready                    := !io.swept
  io.tables.found.valid              := lookup.matches.orR && !io.swept
  io.tables.found.level              := lookup.deepest
  io.tables.pointer                  := pointers.readAsync(lookup.place)
  if (d128) io.tables.found.skipBits := MuxOH.or(lookup.chosen, skip)

  io.installed.valid   := install
  io.installed.payload := victim.value
  io.installedSpan     := newKey.span
  for (i <- 0 until entries) when(io.clear(i))(valid(i) := False)
  when(install) {
    for (i <- 0 until entries) when(victim.value === i) {
      valid(i) := True
      key(i)   := newKey
      depth(i) := Vec(formats.levels.indices.map(l => installed.kind.level.drop(l).orR)).asBits
      if (d128) skip(i) := installed.kind.skip
    }
  }
  pointers.write(victim.value, installed.pointer, enable = install)

  private val found = lookup.chosen
  assert(
    io.swept || !(found & (found.asUInt - 1).asBits).orR,
    "walk cache: two tables of one level cover one address"
  )
}
