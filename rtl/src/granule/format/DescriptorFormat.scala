package granule.format

import spinal.core._

/** Bits `lsb + width - 1 : lsb` of a descriptor. */
case class BitField(lsb: Int, width: Int = 1) {
  def of(descriptor: Bits): Bits = descriptor(lsb, width bits)
  def bool(descriptor: Bits): Bool = {
    require(width == 1, s"field at bit $lsb has $width bits; use `of`")
    descriptor(lsb)
  }
}

/** A page size that a format knows.
  *
  * @param log2Bytes   12, 14 or 16.
  * @param tg0         its code in TCR.TG0.
  * @param tg1         its code in TCR.TG1.
  * @param tlbiTg      its code in the TG field of range invalidations (spec 8.4).
  * @param blockLevels levels above the last at which an entry may map a block (spec 4.3).
  * @param zeroBits    address bits that must be zero in every descriptor; else Address size fault
  *                    (spec 4.2: 64K without 52-bit addresses).
  */
case class Granule(
    name: String,
    log2Bytes: Int,
    tg0: Int,
    tg1: Int,
    tlbiTg: Int,
    blockLevels: Set[Int],
    zeroBits: Option[BitField] = None
)

/** Fields of a page or block descriptor (spec 4.4). */
case class LeafFields(
    attrIndex: BitField,
    el0: BitField,
    readOnly: BitField,
    shareability: BitField,
    accessFlag: BitField,
    notGlobal: BitField,
    dirtyModifier: BitField,
    contiguous: BitField,
    pxn: BitField,
    uxn: BitField,
    software: BitField
)

/** Fields of a table descriptor that take permissions away from all below it (spec 4.5, 5.2). */
case class TableFields(pxn: BitField, uxn: BitField, noEl0: BitField, noWrite: BitField)

/** A descriptor format as data: RTL widths and multiplexers follow from it.
  *
  * @param log2Bytes   log2 of the bytes of a descriptor.
  * @param vaBits      widest input address of one half.
  * @param addressBits address bits that a descriptor or a TTBR holds.
  * @param firstLevel  topmost level of any granule.
  * @param lastLevel   level of the pages.
  * @param granules    the first one stands for reserved codes of TCR.TG0/TG1 (spec 1.1).
  * @param minTnsz     smallest TnSZ.
  * @param maxTnsz     largest TnSZ, by granule and by FEAT_TTST.
  * @param valid       descriptor is valid.
  * @param table       table (or, at the last level, page) instead of block.
  */
case class DescriptorFormat(
    name: String,
    log2Bytes: Int,
    vaBits: Int,
    addressBits: Int,
    firstLevel: Int,
    lastLevel: Int,
    granules: Seq[Granule],
    minTnsz: Int,
    maxTnsz: (Granule, Boolean) => Int,
    valid: BitField,
    table: BitField,
    leafFields: LeafFields,
    tableFields: TableFields
) {
  val pageShift: Int    = granules.map(_.log2Bytes).min
  val levels: Seq[Int]  = firstLevel to lastLevel
  def levelWidth: Int   = log2Up(levels.size)
  val maxIndexBits: Int = granules.map(indexBits).max

  def indexBits(g: Granule): Int = g.log2Bytes - log2Bytes

  /** Lowest VA bit that is indexed at a level (spec 3.1). */
  def lsb(g: Granule, level: Int): Int = g.log2Bytes + (lastLevel - level) * indexBits(g)

  def startLevel(g: Granule, tnsz: Int): Int =
    lastLevel - (64 - tnsz - 1 - g.log2Bytes) / indexBits(g)

  /** Levels that some legal TnSZ reaches with this granule. */
  def levelsOf(g: Granule): Seq[Int] = startLevel(g, minTnsz) to lastLevel

  def leafLevels(g: Granule): Seq[Int] = levels.filter(l => l == lastLevel || g.blockLevels(l))

  /** log2 of every size that a leaf can map, in ascending order. */
  val spans: Seq[Int] = granules.flatMap(g => leafLevels(g).map(lsb(g, _))).distinct.sorted

  /** How RTL writes a level: counted from the topmost one. */
  def code(level: Int): Int = level - firstLevel
}
