package granule.tlb

import granule.config.MmuConfig
import granule.format.TableFormats
import granule.walk.Translation
import spinal.core._
import spinal.lib._

/** Where the entries of a [[MainTlb]] are. */
case class MainTlbPlaces(config: MmuConfig) {
  private val formats = TableFormats(config)
  val sets: Int = config.mainTlbEntries / MainTlb.ways
  val setBits: Int = log2Up(sets)
  private val largeBits = log2Up(MainTlb.large)

  /** log2 of the blocks of level 2 with 64-bit descriptors. */
  private def block(log2Page: Int) = log2Page + log2Page - 3

  private def bits(page: Bits, lsb: Int, width: Int): UInt =
    page(lsb - formats.pageShift, width bits).asUInt.resize(setBits)

  /** Of a page whose half has the one-hot granule. */
  def of(page: Bits, granule: Bits, large: Boolean): UInt = {
    val each = formats.granules.map(g => inGranule(page, g.log2Bytes, large))
    MuxOH.or(granule, each, bypassIfSingle = true)
  }
  def inGranule(page: Bits, log2Page: Int, large: Boolean): UInt =
    if (large) bits(page, block(log2Page), largeBits) else bits(page, log2Page, setBits)

  /** It is larger than a page of its granule. */
  def isLarge(span: Bits, granule: Bits): Bool = {
    def larger(log2Page: Int) = formats.spans.mask(span, log2Page, log2Page + 1).asBool
    MuxOH.or(granule, formats.granules.map(g => larger(g.log2Bytes)), bypassIfSingle = true)
  }
}

/** An invalidation as a [[MainTlb]] sees it.
  *
  * @field active from the cycle after its acceptance until all entries were compared: what it
  *               covers must not be used.
  * @field begins one cycle, in which `scope` and `end` are ready.
  */
case class SweepUnderWay(formats: TableFormats) extends Bundle with IMasterSlave {
  val active, begins = Bool()
  val scope = InvalidateScope(formats)
  val end = SInt(scope.first.getWidth bits)

  override def asMaster(): Unit = out(active, begins, scope, end)
}

/** Compares a command with the entries of a [[MainTlb]] that it may be about, a set a cycle: the
  * sets of an address in each granule, those of a short range, or all; and all of what is larger
  * than a page beside them.
  *
  * {{{
  *   s0  `place`   is read
  *   s1  `entry`   the ASID is compared
  *   s2            the address is compared; `clears`
  * }}}
  *
  * If an entry is installed, s1 and s2 are read `again`: it may be in their place. A lookup may
  * read what is cleared in the same cycle. It is of no use then either way, as it is suspect.
  */
case class MainSweep(
    config: MmuConfig,
    places: MainTlbPlaces,
    under: SweepUnderWay,
    enable: Bool
) extends Area {
  private val formats = TableFormats(config)
  private val holders = MainTlb.ways + 1
  private val position = UInt(places.setBits + 1 bits)
  val again = Bool()
  import under.scope

  val installs = Bool()
  val entry = Vec.fill(holders)(SweptEntry(formats))
  val valid = Vec.fill(holders)(Bool())

  val running = RegInit(False)
  private val next, count = Reg(position)
  private val first =
    (scope.first >> (formats.pageShift - 12)).asBits.resize(Translation.tagWidth(formats))

  /** A set for each granule that an address may have been mapped in; else one after the other. */
  private val ofPage =
    formats.granules.map(g => places.inGranule(first, g.log2Bytes, large = false))
  private def page(position: UInt): UInt = {
    val granule = MuxOH.or(scope.granule, ofPage, bypassIfSingle = true)
    val inTurn = granule.andMask(scope.byRange) + position.resize(places.setBits)
    val each = ofPage.zipWithIndex.tail.foldLeft(ofPage.head) { case (before, (set, i)) =>
      (position >= i) ? set | before
    }
    scope.byVa ? each | inTurn
  }

  private val pages = MuxOH.or(
    scope.granule,
    formats.granules.map(g => (scope.length >> (g.log2Bytes - 12)).resize(scope.length.getWidth)),
    bypassIfSingle = true
  )

  private val reads = running && next =/= count && !again
  private val s1 = new Area {
    val valid = RegNext(reads) init False
    val position = RegNext(next)
  }
  private val s2 = new Area {
    val valid = RegNext(s1.valid && !again) init False
    val position = RegNext(s1.position)
  }
  private val lanes = for (w <- 0 until holders) yield new Area {
    val compared = RegNext(entry(w))
    val anywhere = RegNext(valid(w) && scope.coversAnywhere(entry(w)))
    val there = RegNext(valid(w) && scope.coversThere(entry(w)))
    val covered = s2.valid && (anywhere || there && scope.overlaps(compared, under.end))
  }
  again := installs && (s1.valid || s2.valid)
  val clears = Vec(lanes.map(_.covered && !again))

  def place(large: Boolean): UInt = if (large) next.resize(places.setBits) else page(next)
  def compared(large: Boolean): UInt =
    if (large) s2.position.resize(places.setBits) else page(s2.position)

  when(reads) { next := next + 1 }
  when(again) { next := s2.valid ? s2.position | s1.position }
  when(running && next === count && !s1.valid && !s2.valid) { running := False }
  when(under.begins && enable) {
    running := True
    next := 0
    count := places.sets
    when(scope.byVa || scope.byRange && pages < MainTlb.large) {
      count := MainTlb.large
    } elsewhen (scope.byRange && pages < places.sets) {
      count := pages.resized
    }
  }
}
