package granule.mmu

import granule.arch.{MmuConfig, TableFormats}
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

/** An invalidation as it goes through a [[MainTlb]].
  *
  * @field active   from the cycle after its acceptance until all entries were compared: what it may
  *                 cover, `suspects`, must not be used.
  * @field place    is read; two cycles later `entry` has it, in a lane each, where it is `valid`.
  * @field cleared  of this place, the entries of the lanes in `clears` go.
  * @field installs an entry comes in this cycle. `again`: what was read before may be another now.
  */
case class MainSweepPort(config: MmuConfig) extends Bundle with IMasterSlave {
  private val formats = TableFormats(config)
  val active = Bool()
  val suspects = Suspects(formats)
  val scope = config.mainForgets generate InvalidateScope(formats)
  val place = MainPlace(config)
  val entry = Vec.fill(MainTlb.ways)(SweptEntry(formats))
  val valid = Bits(MainTlb.ways bits)
  val cleared = MainPlace(config)
  val clears = Bits(MainTlb.ways bits)
  val installs, again = Bool()

  override def asMaster(): Unit = {
    out(active, suspects, place, cleared, clears, again)
    if (config.mainForgets) out(scope)
    in(entry, valid, installs)
  }
}

/** Leads an invalidation through the places of a [[MainTlb]] that it may be about, one a cycle: all
  * that is larger than a page, then the sets of an address in each granule, those of a short range,
  * or all. Who compares is [[InvalidateSweep]], with the comparators that it has anyway.
  *
  * {{{
  *   s0  `place`      is read
  *   s1               its entries come out of the block RAM
  *   s2  `compares`   the ASID is compared
  *   s3  `clears`     the address is compared
  * }}}
  *
  * With `MainPolicy.Blocking` it is all sets, and with `Hashed` none.
  *
  * If an entry is installed, what is in s0 to s3 is read `again`: it may be in its place. A lookup
  * in the cycle of a `clears` finds nothing.
  *
  * @param decoded the cycle after acceptance: the length of a range is a number of pages yet.
  * @param begins  one cycle, in which `scope` is ready.
  */
case class MainSweep(
    config: MmuConfig,
    scope: InvalidateScope,
    decoded: Bool,
    begins: Bool,
    io: MainSweepPort
) extends Area {
  private val formats = TableFormats(config)
  private val places = MainTlbPlaces(config)

  val running = RegInit(False)
  private[granule] val next = Reg(
    MainPlace(config)
  ) // `number` counts the sets, from that of the address on
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
      if (config.mainBlocks) next.number else scope.byVa ? ofVa | first + next.number
  }

  private[granule] case class Stage() extends Bundle {
    val valid = Bool()
    val next, place = MainPlace(config)
  }
  private val s0 = Stage()
  s0.valid := running && !io.installs
  s0.next := next
  s0.place.large := next.large
  s0.place.number := next.large ? next.number | set.number
  private def after(stage: Stage): Stage = {
    val following = RegNext(stage)
    following.valid init False
    when(io.installs) { following.valid := False }
    following
  }
  private val s1 = after(s0)
  private val s2 = after(s1)
  private val s3 = after(s2)
  private[granule] val under = Seq(s1, s2, s3)

  /** The entries are there whose ASID is compared. */
  val compares: Bool = s2.valid
  io.place := s0.place
  io.cleared := s3.place
  io.again := io.installs && under.map(_.valid).orR

  /** `covered` is what the lanes say in s3. */
  def clear(covered: Bits): Unit = io.clears := covered.andMask(s3.valid && !io.installs)

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
  when(io.again) {
    next := s3.valid ? s3.next | (s2.valid ? s2.next | s1.next)
    more := True
  }
  when(running && !more && !under.map(_.valid).orR) { running := False }
  if (!config.mainForgets) when(begins) {
    running := True
    more := True
    next.large := True
    next.number := 0
  }
  when(decoded) {
    val pages = scope.length >> (formats.pageShift - 12)
    last := places.sets - 1
    if (!config.mainBlocks) when(scope.byVa) {
      last := formats.granules.size - 1
    } elsewhen (scope.byRange && pages < places.sets) {
      last := (pages - 1).resized
    }
  }
}
