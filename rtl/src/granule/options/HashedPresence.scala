package granule.options

import granule.arch.{MmuConfig, TableFormats}
import granule.mmu.{InvalidateScope, SweptEntry, Translation}
import spinal.core._
import spinal.lib._

/** Which places of a way of a [[MainTlb]] are there, for `MainPolicy.Hashed`: XiangShan's way to
  * invalidate. A hash of six bits of an entry's page number and one of three bits of its ASID are
  * in flip-flops. An invalidation compares all of them in the cycle after its acceptance, and what
  * has the same hash goes. A range is taken for all addresses, as that processor has none. What is
  * `large` has no hash of its address.
  *
  * {{{
  * kind                  goes
  * all                   everything
  * asid                  not global, ASID's hash
  * va                    page's hash, and global or ASID's hash
  * vaAllAsids            page's hash
  * range, rangeAllAsids  as asid or all, and what is global
  * }}}
  */
case class HashedPresence(config: MmuConfig, places: Int, large: Boolean) extends Area {
  private val formats = TableFormats(config)

  private case class Hashes() extends Bundle {
    val page = Bits(HashedPresence.pageBits bits)
    val asid = Bits(HashedPresence.asidBits bits)
    val granule = Bits(formats.granules.size bits)
    val global = Bool()
  }
  private val present = Vec.fill(places)(RegInit(False))
  private val hashes = Vec.fill(places)(Reg(Hashes()))

  def apply(place: UInt): Bool = present(place)

  private def pageHash(page: Bits, log2Page: Int): Bits =
    HashedPresence.fold(page >> (log2Page - formats.pageShift), HashedPresence.pageBits)

  /** What `scope` has the hash of goes, unless it comes in this cycle. */
  def forget(now: Bool, scope: InvalidateScope): Unit = {
    val page = (scope.first >> (formats.pageShift - 12)).asBits
      .resize(Translation.tagWidth(formats))
    val pages = formats.granules.map(g => pageHash(page, g.log2Bytes))
    val asid = HashedPresence.fold(scope.asid, HashedPresence.asidBits)
    for (i <- 0 until places) when(now) {
      val hash = hashes(i)
      val samePage =
        if (large) True
        else pages.zipWithIndex.map { case (page, g) => hash.granule(g) && hash.page === page }.orR
      val sameAsid = scope.anyAsid || hash.global || hash.asid === asid
      when(
        scope.everything || scope.byAsid && !hash.global && hash.asid === asid ||
          scope.byVa && samePage && sameAsid || scope.byRange && sameAsid
      ) { present(i) := False }
    }
  }

  /** An entry comes to a place. */
  def take(now: Bool, place: UInt, entry: SweptEntry): Unit = when(now) {
    val each = formats.granules.map(g => pageHash(entry.firstPage, g.log2Bytes))
    present(place) := True
    hashes(place).page := MuxOH.or(entry.granule, each, bypassIfSingle = true)
    hashes(place).asid := HashedPresence.fold(entry.asid.resize(16), HashedPresence.asidBits)
    hashes(place).granule := entry.granule
    hashes(place).global := entry.global
  }
}

object HashedPresence {
  val pageBits = 6
  val asidBits = 3

  /** Groups of `width` bits, added without carry. */
  private def fold(of: Bits, width: Int): Bits =
    of.subdivideIn(width bits, strict = false).map(_.resize(width)).reduce(_ ^ _)
}
