package granule.walk

import granule.config.MmuConfig
import granule.format.{FaultStatus, TableFormats}
import spinal.core._
import spinal.lib._

/** What the entry is that a walk holds, and what follows from it (spec 4.1, 4.2, 4.3, 4.6).
  *
  * @param first      there is no entry yet, and `target` is the first table.
  * @param legal      the VA may be looked up at all.
  * @param tableTooWide what would be read next is outside of the output size.
  * @param readError  the read of the descriptor failed.
  * @param entryLevel of the entry; `atLevel`: what follows from it.
  * @param noGroups   contiguous hints do not count in its table.
  * @param vaMask     ones in the VA bits that the half has.
  */
case class HeldEntry(
    first: Bool,
    legal: Bool,
    target: HeldTarget,
    tableTooWide: Bool,
    descriptor: Bits,
    readError: Bool,
    entryLevel: UInt,
    atLevel: LevelFacts,
    noGroups: Bool,
    va: Bits,
    vaMask: Bits,
    context: WalkContext,
    geometry: Geometry,
    formats: TableFormats
) extends Area {
  private val config = formats.config
  private val tableFormat = context.half.tableFormat

  val entry = Entry.of(descriptor, entryLevel, atLevel, context, geometry, formats)

  val field = target.field
  val vaBits = va.resize(formats.addressBits)
  def inside(code: Bits) = formats.spans.mask(code, 0, formats.addressBits)

  val leafSpan = atLevel.leafSpan
  val inLeaf = inside(leafSpan)
  val above = geometry.aboveOutputSize(context.ips)
  val misaligned =
    geometry.is(tableFormat)(_.layout.alignedLeaf) && entry.leaf && (field & inLeaf).orR

  /** A group is used as one entry if this member lies where it should and the VA range holds it;
    * else the hint is of no use, and need not be used (spec 4.6). A group that its address must
    * describe has nothing else to be used as.
    */
  val span = CombInit(leafSpan)
  val misplaced = CombInit(misaligned)
  val large = formats.spans.sorted.exists(_ > MmuConfig.paRanges.min) // than some output size
  def overflows(code: Bits) = if (large) (inside(code) & above).orR else False
  if (config.contiguous) {
    val groupSpan = atLevel.groupSpan
    val inGroup = inside(groupSpan)
    val between = inGroup & ~inLeaf
    val fits = (inGroup.resize(formats.vaBits) & ~vaMask) === 0
    val described = geometry.is(tableFormat)(_.layout.groupInLeaf)
    val topmost = between & ~(between |>> 1)
    val member = if (formats.groupsInLeaf) described ? topmost | vaBits else vaBits
    val placed = ((field ^ member) & between) === 0
    if (formats.groupsInLeaf) when(described && entry.leaf && entry.contiguous) {
      misplaced setWhen !(placed && between.orR)
    }
    when(entry.contiguous && !noGroups && fits && placed && !overflows(groupSpan)) {
      span := groupSpan
    }
  }

  /** Of a block that is larger than the output, parts translate and others fault: a TLB may keep
    * only the page that was asked for.
    */
  val kept = CombInit(span)
  val output = field & ~inside(span)
  if (formats.largestLeaf > MmuConfig.paRanges.min) when(overflows(leafSpan)) {
    kept := formats.spans.code(formats.pageShift)
    output := HeldTarget.output(field, va, leafSpan, formats)
  }
  val page = output(config.paWidth - 1 downto formats.pageShift)

  /** What becomes of the walk: it goes on with a table, ends with a leaf, or with a fault. */
  val readable = !readError && entry.valid
  val accessed = entry.accessFlag || context.setsAccessFlag
  val descends = (first ? legal | readable && entry.table) && !tableTooWide
  val maps = !first && readable && entry.leaf && !misplaced && !target.leafTooWide && accessed
  val faulty = !descends && !maps
  val nothing = first ? !legal | (!entry.valid || !(entry.table || entry.leaf) || misplaced)
  val noAddress = (first || entry.table) ? tableTooWide | target.leafTooWide

  /** Of a fault, in the order of priority (spec 7.1). */
  val status = PriorityMux(
    Seq(
      (!first && readError) -> FaultStatus.externalAbort,
      nothing -> FaultStatus.translation,
      noAddress -> FaultStatus.addressSize,
      True -> FaultStatus.accessFlag
    ).map { case (c, f) => c -> f.at(entryLevel, formats) }
  )
}
