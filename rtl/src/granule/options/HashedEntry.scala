package granule.options

import granule.arch.BitField

/** The hashed table of translations in memory (docs/hashed-table.md): groups of eight tags, behind
  * them their eight translations.
  */
object HashedGroup {
  val slot = BitField(3, 3)
  val translations = BitField(6)
  val log2Bytes = 7

  /** A hash has so many bits; there are no more groups than it can name. */
  val hashBits = 18
}

/** First word of an entry: which page it is of. Software reads it, and takes the entry away by a
  * zero in its low half.
  */
object HashedTag {
  val valid = BitField(0)
  val global = BitField(1)
  val granule = BitField(2, 2) // log2 of the page's bytes: 12, 14, 16
  val identity = BitField(4, 2)
  val asid = BitField(8, 16) // zero if global
  val page = BitField(27, 37) // VA[47:12] of the first 4 KiB, and VA[55] above
}

/** Second word: where the page goes and what may be done with it, as a TLB holds it. */
object HashedTranslation {
  val permissions = BitField(0, 8)
  val writableClean = BitField(8)
  val page = BitField(12, 36)
  val mair = BitField(48, 8)
}
