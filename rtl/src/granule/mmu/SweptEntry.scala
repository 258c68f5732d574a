package granule.mmu

import granule.arch.{Checks, MmuConfig, TableFormats}
import spinal.core._
import spinal.lib._

/** What identifies an entry of any TLB to an invalidation.
  *
  * @field firstPage half and VA bits of the first of the smallest pages that the entry maps.
  * @field span      size, as `formats.sweptSpans` writes it.
  * @field granule   one-hot over the formats' granules.
  */
case class SweptEntry(formats: TableFormats) extends Bundle {
  val firstPage = Bits(Translation.tagWidth(formats) bits)
  val span = Bits(formats.sweptSpans.codeBits bits)
  val global = Bool()
  val asid = Bits(formats.config.asidBits bits)
  val granule = Bits(formats.granules.size bits)
}

object SweptEntry {

  /** The page `tag` without the bits inside of a span. */
  def firstPage(tag: Bits, span: Bits, formats: TableFormats): Bits =
    tag & ~formats.sweptSpans.mask(span, formats.pageShift, formats.vaBits).resize(tag.getWidth)
}

/** An entry as it is installed, with its number in the [[SweepOrder]]. */
case class SweptInstall(config: MmuConfig) extends Bundle {
  val number = UInt(SweepOrder(config).width bits)
  val entry = SweptEntry(TableFormats(config))
}

/** Who keeps entries that an invalidation may cover. */
sealed trait Holder
object Holder {
  case object DataTlb extends Holder
  case object FetchTlb extends Holder
  case object WalkCache extends Holder
}

/** The order in which an invalidation looks at the entries of an MMU: the largest TLB first, so
  * that each begins at a multiple of its size and upper bits of a number tell whose entry it is.
  */
case class SweepOrder(config: MmuConfig) {
  private val holders = Seq[(Holder, Int)](
    Holder.DataTlb -> config.dataTlbEntries,
    Holder.FetchTlb -> config.fetchTlbEntries,
    Holder.WalkCache -> config.walkCacheEntries
  ).filter(_._2 > 0).sortBy(-_._2)
  private val sizes = holders.toMap
  private val bases = holders.map(_._1).zip(holders.map(_._2).scanLeft(0)(_ + _)).toMap

  /** Bits of a number. */
  val width: Int = log2Up(sizes.values.sum)

  /** Entries that each lane looks at. */
  val steps: Int = (1 << width) / config.sweepLanes

  /** Number of an entry of `holder`. */
  def number(holder: Holder, entry: UInt): UInt =
    U(bases(holder), width bits) | entry.resize(log2Up(sizes(holder))).resize(width)

  /** The bits of `all`, one for each entry, that are of the entries of `holder`. */
  def of(holder: Holder, all: Bits): Bits = all(bases(holder), sizes(holder) bits)

  /** A bit for each entry, of what each holder has for its own. */
  def all(held: Map[Holder, Bits]): Bits = held
    .map { case (holder, bits) => bits.resize(1 << width) |<< bases(holder) }
    .reduce(_ | _)

  /** A one for each entry of `holder`. */
  def ones(holder: Holder): BigInt =
    sizes.get(holder).fold(BigInt(0))(size => ((BigInt(1) << size) - 1) << bases(holder))
}

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

/** What an invalidation may cover, by a test of a few gates. Every entry is a suspect when a sweep
  * begins. A suspect that matches a lookup does not answer it if the test includes it; the sweep
  * compares each suspect exactly, and then it goes or is none any more.
  *
  * {{{
  * kind              a suspect that matches waits
  * all               always
  * asid              if it is not global
  * va, vaAllAsids    if its `reach` around the address that is looked up has the command's
  * range...          if it is of the command's half
  * }}}
  *
  * The reach of an entry is the least of a few sizes that holds its table entry: what a TLB keeps
  * of that may be smaller, and goes with it.
  *
  * @field page the page of a VA, without its half.
  */
case class Suspects(formats: TableFormats) extends Bundle {
  val everything, byAsid, byVa, byRange, upper = Bool()
  val page = Bits(formats.vaBits - formats.pageShift bits)

  /** Of a lookup: for each reach, whether the command is as near as that. */
  def near(tag: Bits): Bits = {
    val sameHalf = tag.msb === upper
    val within = Suspects.reaches(formats).map { log2 =>
      val inside = log2 - formats.pageShift
      (tag.dropHigh(1) >> inside) === (page >> inside)
    }
    Vec((within :+ True).map(is => sameHalf && (byRange || byVa && is))).asBits
  }

  /** It must wait, if it is a suspect and matches: with `near` of the lookup. */
  def include(near: Bits, reach: Bits, global: Bool): Bool =
    everything || byAsid && !global || near.lsb || (near.dropLow(1) & reach).orR
}

object Suspects {

  /** The sizes: pages, and what most blocks and groups are no larger than. Above is a half. */
  def reaches(formats: TableFormats): Seq[Int] = (formats.granules.map(_.log2Bytes) :+ 25).sorted

  /** For each of these, whether a table entry of this span is larger. */
  def reach(span: Bits, formats: TableFormats): Bits =
    Vec(reaches(formats).map(formats.spans.inside(span, _))).asBits

  def reachBits(formats: TableFormats): Int = reaches(formats).size

  def of(scope: InvalidateScope): Suspects = {
    val formats = scope.formats
    val suspects = Suspects(formats)
    suspects.everything := scope.everything
    suspects.byAsid := scope.byAsid
    suspects.byVa := scope.byVa
    suspects.byRange := scope.byRange
    suspects.upper := scope.first.msb
    suspects.page := (scope.first >> (formats.pageShift - 12)).asBits.resize(suspects.page.getWidth)
    suspects
  }
}
