package granule.mmu

import granule.arch.{MmuConfig, TableFormats}
import spinal.core._

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
