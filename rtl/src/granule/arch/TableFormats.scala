package granule.arch

import spinal.core._

/** A page size.
  *
  * @param log2Bytes 12, 14 or 16.
  * @param tg0       its code in TCR.TG0.
  * @param tg1       its code in TCR.TG1.
  * @param tlbiTg    its code in the TG field of range invalidations (spec 8.4).
  */
case class Granule(name: String, log2Bytes: Int, tg0: Int, tg1: Int, tlbiTg: Int)

object Granule {
  val all: Seq[Granule] = Seq(
    Granule("4K", log2Bytes = 12, tg0 = 0, tg1 = 2, tlbiTg = 1),
    Granule("16K", log2Bytes = 14, tg0 = 2, tg1 = 1, tlbiTg = 2),
    Granule("64K", log2Bytes = 16, tg0 = 1, tg1 = 3, tlbiTg = 3)
  )

  /** Those of a configuration. */
  def of(config: MmuConfig): Seq[Granule] =
    config.granules.map(g => all.find(_.log2Bytes == g).get)
}

/** One way to lay out tables, all of it data: RTL widths and multiplexers follow from it. Which one
  * is in force is decided for every walk anew, from the registers.
  *
  * @param ds            the value of TCR.DS that chooses it; None: either.
  * @param wideOutput    whether TCR.IPS must be 52 bits; None: either.
  * @param root          where TTBR or satp holds the address of the first table (spec 1.2).
  * @param address       where a descriptor holds its address (spec 4.2).
  * @param zeroBits      must be zero in every descriptor; else Address size fault (spec 4.2).
  * @param blockLevels   levels above the last at which a leaf may be (spec 4.3).
  * @param contiguous    log2 of the entries of a contiguous group, by level (spec 4.6).
  * @param minTnsz       smallest TnSZ (spec 2.3).
  * @param maxTnsz       largest TnSZ.
  * @param maxSkip       largest SKL of a descriptor (spec 10.4); 0: no level can be skipped.
  * @param maxRootSkip   largest SKL of TTBR.
  */
case class TableFormat(
    name: String,
    system: TranslationSystem,
    granule: Granule,
    layout: DescriptorLayout,
    ds: Option[Boolean] = None,
    wideOutput: Option[Boolean] = None,
    root: AddressField,
    address: AddressField,
    zeroBits: Option[BitField] = None,
    blockLevels: Set[Int],
    contiguous: Map[Int, Int] = Map(),
    minTnsz: Int,
    maxTnsz: Int,
    maxSkip: Int = 0,
    maxRootSkip: Int = 0
) {
  val lastLevel = TableFormat.lastLevel

  /** Index bits of one level. */
  val stride: Int = granule.log2Bytes - layout.log2Bytes

  /** Index bits of the largest table. */
  val maxIndexBits: Int = stride * (maxSkip.max(maxRootSkip) + 1)

  /** Lowest VA bit that is indexed at a level (spec 3.1). */
  def lsb(level: Int): Int = granule.log2Bytes + (lastLevel - level) * stride

  def startLevel(tnsz: Int): Int = lastLevel - (64 - tnsz - 1 - granule.log2Bytes) / stride

  /** Levels that some legal TnSZ reaches. */
  def levels: Seq[Int] = startLevel(minTnsz) to lastLevel

  def leafLevels: Seq[Int] = levels.filter(l => l == lastLevel || blockLevels(l))

  /** log2 of what a contiguous group of leaves at a level spans; None: there are no groups. */
  def groupLsb(level: Int): Option[Int] =
    contiguous.get(level).filter(_ => leafLevels.contains(level)).map(_ + lsb(level))

  /** log2 of every size that a leaf or a group of leaves maps. */
  def leafSizes: Seq[Int] = leafLevels.map(lsb) ++ leafLevels.flatMap(groupLsb(_))
}

object TableFormat {

  /** Level of the pages in every format. */
  val lastLevel = 3
}

/** All formats of a configuration, and what follows from having just these. */
case class TableFormats(config: MmuConfig) {
  val granules: Seq[Granule] = Granule.of(config)

  /** Those that are built. */
  val systems: Seq[TranslationSystem] =
    TranslationSystem.all.filter(_.tableFormats(config).nonEmpty)
  val tableFormats: Seq[TableFormat] = systems.flatMap(_.tableFormats(config))
  val layouts: Seq[DescriptorLayout] = tableFormats.map(_.layout).distinct
  private val permissions = layouts.map(_.permissions)

  /** Permissions may be indices into PIR and PIRE0. */
  val indirect: Boolean =
    permissions.exists { case _: PermissionScheme.Indirect => true; case _ => false }

  /** EL1 may be refused to read. */
  val refusesEl1Read: Boolean = permissions.exists(_.refusesEl1Read)

  /** Addresses may be numbers with a sign. */
  val signExtended: Boolean = systems.exists(_.signExtended)

  /** The address of a leaf may say how large its group is. */
  val groupsInLeaf: Boolean = layouts.exists(_.groupInLeaf)

  /** Tables may skip levels. */
  val skips: Boolean = tableFormats.exists(s => s.maxSkip > 0 || s.maxRootSkip > 0)

  /** AttrIndx reaches into MAIR2. */
  val mair2: Boolean = layouts.flatMap(_.attrIndex).exists(_.width == 4)

  /** Which entries a TLB must tell apart although ASID and address are equal. */
  val tlbIdentities: Seq[TranslationSystem] = systems.map(_.tlbIdentity).distinct
  val tlbIdentityBits: Int = log2Up(tlbIdentities.size)

  val vaBits: Int = config.vaBits
  val pageShift: Int = tableFormats.map(_.granule.log2Bytes).min
  val addressBits: Int = tableFormats.map(_.address.width).max.max(config.paWidth.min(48))
  val descriptorBits: Int = config.descriptorBits
  val lastLevel: Int = TableFormat.lastLevel

  /** Level 0 is always there: faults before the first read report it. */
  val firstLevel: Int = tableFormats.flatMap(_.levels).min.min(0)
  val levels: Seq[Int] = firstLevel to lastLevel
  def levelWidth: Int = log2Up(levels.size)

  /** How RTL writes a level: counted from the topmost one. */
  def code(level: Int): Int = level - firstLevel

  /** What hardware may change in a descriptor of a format. In one that it never changes, it does
    * not matter.
    */
  def update(tableFormat: TableFormat): HardwareUpdate =
    tableFormat.layout.update.getOrElse(layouts.flatMap(_.update).head)

  /** Bits of an offset into the largest table. */
  val offsetBits: Int = tableFormats.map(s => s.maxIndexBits + s.layout.log2Bytes).max

  /** log2 of every size that one TLB entry can map. */
  val spans: SizeClasses = SizeClasses(tableFormats.flatMap(_.leafSizes))

  /** log2 of the largest page or block, which a group may exceed. */
  val largestLeaf: Int = tableFormats.flatMap(s => s.leafLevels.map(s.lsb)).max

  /** log2 of every size that one table entry covers. */
  val tableSpans: SizeClasses = SizeClasses(tableFormats.flatMap(s => s.levels.init.map(s.lsb)))

  /** Both: what an invalidation meets. */
  val sweptSpans: SizeClasses = SizeClasses(
    if (config.walkCacheEntries > 0) spans.sizes ++ tableSpans.sizes else spans.sizes
  )
}

/** Sizes as RTL writes them: bit i is set when a size is larger than the i-th one; one bit less
  * than there are sizes, so that a size is a mask that is already decoded.
  */
case class SizeClasses(sizes: Seq[Int]) {
  val sorted: Seq[Int] = sizes.distinct.sorted
  val codeBits: Int = sorted.size - 1

  def code(size: Int): BigInt =
    sorted.init.zipWithIndex.map { case (s, i) => if (size > s) BigInt(1) << i else BigInt(0) }.sum

  /** An address bit lies inside the size: that is larger than it. */
  def inside(code: Bits, bit: Int): Bool = {
    val larger = sorted.indexWhere(_ > bit) // the first size that has this bit inside
    if (larger == 0) True
    else if (larger < 0) False
    else code(larger - 1)
  }

  /** The same size, written as `other` writes it. */
  def recode(code: Bits, other: SizeClasses): Bits =
    Vec(other.sorted.init.map(inside(code, _))).asBits

  /** A one for each address bit from `from` up to `to` that lies inside the size. */
  def mask(code: Bits, from: Int, to: Int): Bits =
    Vec((from until to).map(inside(code, _))).asBits

  /** Two addresses, of which bits `from` up to `to` are given, lie in the same block of the size:
    * bits that are inside of the same sizes are compared together.
    */
  def same(code: Bits, one: Bits, other: Bits, from: Int, to: Int): Bool =
    runs(code, one, other, from, to).map(_.same).reduce(_ && _)

  /** Bits that are inside of the same sizes, of two addresses, from the lowest on. What has one run
    * `inside` has those below inside too.
    */
  case class Run(one: Bits, other: Bits, inside: Bool) {
    def same: Bool = one === other || inside
  }

  def runs(code: Bits, one: Bits, other: Bits, from: Int, to: Int): Seq[Run] =
    (from until to).groupBy(bit => sorted.indexWhere(_ > bit)).values.toSeq.sortBy(_.head).map {
      run =>
        val (low, size) = (run.head - from, run.size)
        Run(one(low, size bits), other(low, size bits), inside(code, run.head))
    }
}
