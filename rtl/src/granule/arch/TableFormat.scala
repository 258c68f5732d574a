package granule.arch

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
