package granule.tlb

import granule.format.{Formats, Granule, Spans}
import granule.port.{InvalidateCmd, InvalidateKind}
import spinal.core._
import spinal.lib._

/** What identifies an entry to an invalidation. */
case class SweepView(formats: Formats, spans: Spans, spaceBits: Int) extends Bundle {
  val key     = TlbKey(formats, spans, spaceBits)
  val granule = Bits(formats.granules.size bits)
}

/** A decoded invalidation: which entries it covers (spec 8.2 to 8.4). Positions count in pages
  * of 4K and are signed, so that the upper half lies below zero. TTL hints are ignored, as spec 8.3
  * allows; they only ever make an invalidation smaller.
  *
  * @field everything all entries.
  * @field byAsid     the non-global entries of `asid`.
  * @field byVa       entries whose span holds `first`.
  * @field byRange    entries of `granule` that overlap [first, end).
  * @field anyAsid    `asid` does not matter.
  * @field leavesOnly table entries may stay.
  */
case class InvalidateScope(formats: Formats) extends Bundle {
  private val positionBits = 56 - 12 + 1

  val everything, byAsid, byVa, byRange, anyAsid, leavesOnly = Bool()
  val asid                                                   = Bits(16 bits)
  val granule                                                = Bits(formats.granules.size bits)
  val first, end                                             = SInt(positionBits bits)

  /** Fields are registers: what follows from the command is computed from it, never from them. */
  def decode(command: InvalidateCmd): Unit = {
    val operand                                            = command.operand
    def is(kinds: SpinalEnumElement[InvalidateKind.type]*) = kinds.map(command.kind === _).orR
    everything := is(InvalidateKind.all)
    byAsid     := is(InvalidateKind.asid)
    byVa       := is(InvalidateKind.va, InvalidateKind.vaAllAsids)
    val ranged = is(InvalidateKind.range, InvalidateKind.rangeAllAsids)
    byRange    := ranged
    anyAsid    := is(InvalidateKind.vaAllAsids, InvalidateKind.rangeAllAsids)
    asid       := operand(63 downto 48)
    leavesOnly := command.lastLevelOnly

    val tg    = operand(47 downto 46).asUInt
    val named = Vec(Granule.all.map(g => tg === g.tlbiTg)).asBits
    granule := Vec(formats.granules.map(g => tg === g.tlbiTg)).asBits

    // Base and length in pages of 4K; a base of LPA2 or D128 counts in 64K steps (spec 8.4).
    val pages     = Granule.all.map(_.log2Bytes - 12)
    val largest   = pages.max
    val base      = operand(36 downto 0).asSInt
    val baseStep  = command.ds ? B(1 << (pages.size - 1), pages.size bits) | named
    val rangeBase = MuxOH.or(baseStep, pages.map(p => (base << p).resize(positionBits)))
    val length    = (operand(43 downto 39).asUInt +^ 1) << 1
    val scale     = operand(45 downto 44).asUInt
    val scaled    = scale.muxList((0 to 3).map(s => s -> (length << (5 * s)).resize(22)))
    val inPages   = MuxOH.or(named, pages.map(p => (scaled << p).resize(23 + largest)))

    first := ranged ? rangeBase | operand(43 downto 0).asSInt.resized
    end   := rangeBase + inPages.asSInt.resize(positionBits)
  }

  def covers(entry: SweepView): Bool = {
    val key       = entry.key
    val finer     = formats.pageShift - 12 // the smallest page may be larger than 4K
    val page      = first.asBits.drop(finer)
    val canonical = page.drop(key.tag.getWidth - 1)
    val sameVa    = (canonical.andR || !canonical.orR) && key.holds(page.resize(key.tag.getWidth))

    val firstPage = (key.firstPage ## B(0, finer bits)).asSInt
    val lastPage  = (key.lastPage ## B((1 << finer) - 1, finer bits)).asSInt
    val overlap   = key.tag.msb === first.msb && firstPage < end && lastPage >= first
    val inRange   = overlap && (entry.granule & granule).orR

    val sameAsid = key.asid.resize(16) === asid
    everything || byAsid && !key.global && sameAsid ||
    (byVa && sameVa || byRange && inRange) && (anyAsid || key.global || sameAsid)
  }
}
