package granule.mmu

import granule.arch.{Checks, MmuConfig, TableFormats}
import spinal.core._
import spinal.lib._

/** Writes down each entry that a TLB or the walk cache installs, in the form that an invalidation
  * compares. There is one walker, so at most one entry is installed in a cycle, and its address,
  * ASID and granule are those of the walk's result in that cycle. A table has a span of its own,
  * and is never global.
  *
  * Ports: `found` is the walk's result. `data`, `fetch` and `tables` give the number of the entry
  * that is installed there; `tableSpan` goes with `tables`. `install` is the entry to be written
  * down, in the same cycle.
  */
case class EntryLog(config: MmuConfig) extends Component {
  private val formats = TableFormats(config)
  private val order = SweepOrder(config)
  private val cached = config.walkCacheEntries > 0
  private val fetches = config.fetchTlbEntries > 0
  private def number(entries: Int) = Flow(UInt(log2Up(entries) bits))

  val io = new Bundle {
    val found = in(Translation(formats))
    val data = slave(number(config.dataTlbEntries))
    val fetch = fetches generate slave(number(config.fetchTlbEntries))
    val tables = cached generate slave(number(config.walkCacheEntries))
    val tableSpan = cached generate in(Bits(formats.tableSpans.codeBits bits))
    val install = master(Flow(SweptInstall(config)))
  }
  private val holders = Seq(Holder.DataTlb -> io.data) ++
    (if (fetches) Seq(Holder.FetchTlb -> io.fetch) else Nil) ++
    (if (cached) Seq(Holder.WalkCache -> io.tables) else Nil)
  private val installs = Vec(holders.map(_._2.valid)).asBits
  Checks.atMostOne("entry log: two TLBs install in one cycle", installs)

  io.install.valid := installs.orR
  io.install.number := MuxOH.or(
    installs,
    holders.map { case (holder, entry) => order.number(holder, entry.payload) }
  )
  private val entry = io.install.entry
  entry.asid := io.found.asid
  entry.granule := io.found.granule
  entry.global := io.found.global
  entry.span := formats.spans.recode(io.found.span, formats.sweptSpans)
  if (cached) when(io.tables.valid) {
    entry.global := False
    entry.span := formats.tableSpans.recode(io.tableSpan, formats.sweptSpans)
  }
  entry.firstPage := SweptEntry.firstPage(io.found.tag, entry.span, formats)
}
