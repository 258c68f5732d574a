package granule.cache

import granule.mmu.LevelledAnd
import spinal.core._

/** Which address bits are what, for one cache.
  *
  * {{{
  *   virtual   31 .......... | colour |   set (low)   | word | byte     index = colour, set (low)
  *   physical  paWidth-1 .. tag .. |       "          |  "   |  "
  *                         tagLsb = min(12, log2(way))
  * }}}
  *
  * The set index comes from the virtual address. Its bits below 12 are the same in every
  * translation; the ones above, the colour, are not: they exist where a way is larger than the
  * smallest page, and then the tag holds the physical bits of the same positions. A cache that is
  * indexed by physical address has no colours and all of these bits in its index.
  *
  * @param wordBytes bytes of one word of the data RAM.
  */
case class CacheGeometry(config: CacheConfig, paWidth: Int, wordBytes: Int) {
  require(
    config.sets >= 2,
    s"the cache has ${config.sets} set; use sizeBytes of at least " +
      s"2 * ways * lineBytes = ${2 * config.ways * config.lineBytes}"
  )
  val pageBits: Int = 12
  val offsetBits: Int = log2Up(config.lineBytes)
  val setBits: Int = log2Up(config.sets)
  val translatedBits: Int = (offsetBits + setBits - pageBits).max(0) // of the index
  val physical: Boolean = config.aliases == Aliases.Physical && translatedBits > 0
  val colourBits: Int = if (physical) 0 else translatedBits
  val colours: Int = 1 << colourBits
  val copies: Boolean = config.aliases == Aliases.Copies && colours > 1
  val setLowBits: Int = setBits - colourBits
  val tagLsb: Int = offsetBits + setLowBits
  val tagWidth: Int = paWidth - tagLsb
  val lineWidth: Int = paWidth - offsetBits
  val wordBits: Int = log2Up(wordBytes)
  val wordsPerLine: Int = config.lineBytes / wordBytes
  val wordIndexBits: Int = offsetBits - wordBits
  val beatsPerLine: Int = config.lineBytes / 4

  def setType: UInt = UInt(setBits bits)
  def wordType: UInt = UInt(wordIndexBits bits)
  def tagType: UInt = UInt(tagWidth bits)
  def lineType: UInt = UInt(lineWidth bits)
  def waysType: Bits = Bits(config.ways bits)

  def set(address: UInt): UInt = address(offsetBits + setBits - 1 downto offsetBits)
  def word(address: UInt): UInt = address(offsetBits - 1 downto wordBits)
  def tag(pa: UInt): UInt = pa(paWidth - 1 downto tagLsb)
  def line(pa: UInt): UInt = pa(paWidth - 1 downto offsetBits)

  /** The line address of what is stored with `tag` in `set`. */
  def lineOf(tag: UInt, set: UInt): UInt = tag @@ set(setLowBits - 1 downto 0)
  def tagOf(line: UInt): UInt = line(lineWidth - 1 downto setLowBits)

  /** Whether the index that the virtual address gives is the physical one. */
  def sameSet(va: UInt, pa: UInt): Bool = set(va)(setBits - 1 downto setBits - translatedBits) ===
    set(pa)(setBits - 1 downto setBits - translatedBits)

  /** The set of the same line seen through a page of another colour. */
  def recolour(set: UInt, difference: UInt): UInt =
    if (colourBits == 0) set
    else (set(setBits - 1 downto setLowBits) ^ difference) @@ set(setLowBits - 1 downto 0)
}

/** A tag as it is stored.
  *
  * @field owned of a cache that keeps copies: there is no other one, so the line may be written.
  */
case class TagEntry(geometry: CacheGeometry) extends Bundle {
  val valid = Bool()
  val tag = geometry.tagType
  val owned = geometry.copies generate Bool()

  /** It is valid and has the tag that is asked for: with `fresh` that of a translation, which comes
    * late, as a tag from block RAM does; else one from a register. Each is compared by itself, as a
    * multiplexer before would be a gate more on the way of what is late.
    */
  def hits(fresh: Bool, translated: UInt, held: UInt, hides: Bool = False): Bool = {
    val may = valid && !hides
    def has(sought: UInt, asked: Bool) = LevelledAnd(
      LevelledAnd.equal(tag.asBits, sought.asBits) :+ LevelledAnd.Term(may && asked)
    ).reduce(_ && _)
    has(translated, fresh) || has(held, !fresh)
  }
}
