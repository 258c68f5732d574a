package granule.options

import granule.arch.{MainPolicy, MmuConfig, TableFormats}
import granule.mmu.{FurtherSweepPort, Translation}
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

  private def ofGranule[T <: Data](granule: Bits, of: Int => T): T =
    MuxOH.or(granule, formats.granules.map(g => of(g.log2Bytes)), bypassIfSingle = true)

  /** Of a page whose half has the one-hot granule. */
  def of(page: Bits, granule: Bits, large: Boolean): UInt =
    ofGranule(granule, inGranule(page, _, large))
  def inGranule(page: Bits, log2Page: Int, large: Boolean): UInt =
    if (large) bits(page, block(log2Page), largeBits) else bits(page, log2Page, setBits)

  /** log2 of the least size that is larger than a page of its granule. */
  val leastLarge: Int =
    formats.tableFormats.flatMap(s => s.leafSizes.filter(_ > s.granule.log2Bytes)).min

  /** It is larger than a page of its granule. */
  def isLarge(span: Bits, granule: Bits): Bool =
    ofGranule(granule, page => formats.spans.mask(span, page, page + 1).asBool)

  /** The size of a page, as `formats.sweptSpans` writes it. */
  def pageSpan(granule: Bits): Bits = {
    val spans = formats.sweptSpans
    ofGranule(granule, page => B(spans.code(page), spans.codeBits bits))
  }
}

/** A place of a [[MainTlb]]: a set of pages, or what is larger than a page. */
case class MainPlace(config: MmuConfig) extends Bundle {
  val large = Bool()
  val number = UInt(MainTlbPlaces(config).setBits bits)
}

/** Leads an invalidation through the places of a [[MainTlb]] that it may be about, one a cycle: all
  * that is larger than a page, then the sets of an address in each granule, those of a short range,
  * or all. `io` is where they are compared.
  *
  * {{{
  *   s0  `place`      is read
  *   s1               its entries come out of the block RAM
  *   s2               the sweep compares the ASID
  *   s3  `clears`     and the address
  * }}}
  *
  * With `MainPolicy.Blocking` it is all sets, and with `Hashed` none.
  *
  * If an entry is installed, what is in s0 to s3 is read `again`: it may be in its place. A lookup
  * in the cycle of a `clears` finds nothing.
  *
  * @param installs an entry comes in this cycle.
  */
private[granule] case class MainSweep(config: MmuConfig, io: FurtherSweepPort, installs: Bool)
    extends Area {
  import io.scope
  private val formats = TableFormats(config)
  private val places = MainTlbPlaces(config)

  private val blocks = config.mainPolicy == MainPolicy.Blocking

  val running = RegInit(False)

  /** `number` counts the sets, from that of the address on. */
  private[granule] val next = Reg(MainPlace(config))
  private[granule] val last = Reg(UInt(places.setBits bits))

  /** A set for each granule that an address may have been mapped in; else one after the other. */
  private[granule] val set = new Area {
    val page = (scope.first >> (formats.pageShift - 12)).asBits
      .resize(Translation.tagWidth(formats))
    val each = formats.granules.map(g => places.inGranule(page, g.log2Bytes, large = false))
    val ofVa = each.zipWithIndex.tail.foldLeft(each.head) { case (before, (set, i)) =>
      (next.number >= i) ? set | before
    }
    val first = MuxOH.or(scope.granule, each, bypassIfSingle = true).andMask(scope.byRange)
    val number =
      if (blocks) next.number else scope.byVa ? ofVa | first + next.number
  }

  private[granule] case class Stage() extends Bundle {
    val valid = Bool()
    val next, place = MainPlace(config)
  }
  private val s0 = Stage()
  s0.valid := running && !installs
  s0.next := next
  s0.place.large := next.large
  s0.place.number := next.large ? next.number | set.number
  private def after(stage: Stage): Stage = {
    val following = RegNext(stage)
    following.valid init False
    when(installs) { following.valid := False }
    following
  }
  private val s1 = after(s0)
  private val s2 = after(s1)
  private val s3 = after(s2)
  private[granule] val under = Seq(s1, s2, s3)

  io.running := running
  io.compares := s2.valid

  /** It is read; in s2 its entries are compared. */
  val place = s0.place

  /** Entries of this place go, one in each lane of `clears`. */
  val cleared = s3.place
  val clears = io.covered.andMask(s3.valid && !installs)

  /** What was read before may be another now. */
  val again = installs && under.map(_.valid).orR

  private[granule] val more = Reg(Bool()) // places that were not read
  s0.valid clearWhen !more
  when(s0.valid) {
    next.number := next.number + 1
    when(next.large && next.number === MainTlb.large - 1) {
      next.large := False
      next.number := 0
    }
    when(!next.large && next.number === last) { more := False }
  }
  when(again) {
    next := s3.valid ? s3.next | (s2.valid ? s2.next | s1.next)
    more := True
  }
  when(running && !more && !under.map(_.valid).orR) { running := False }
  if (!config.mainForgets) when(io.begins) {
    running := True
    more := True
    next.large := True
    next.number := 0
  }
  when(io.decoded) {
    val pages = scope.length >> (formats.pageShift - 12)
    last := places.sets - 1
    if (!blocks) when(scope.byVa) {
      last := formats.granules.size - 1
    } elsewhen (scope.byRange && pages < places.sets) {
      last := (pages - 1).resized
    }
  }
}
