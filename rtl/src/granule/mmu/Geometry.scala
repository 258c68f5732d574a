package granule.mmu

import granule.arch.{MmuConfig, TableFormat, TableFormats}
import spinal.core._
import spinal.lib._

/** Table format and VA size to levels, indexes and masks, at run time (spec 2.3, 2.4, chapter 3).
  *
  * Combinational; every table in it is computed from the formats. A format is one-hot over
  * `formats.tableFormats`, a level is counted from the formats' topmost one. With one format only,
  * nothing of the choice is left.
  */
case class Geometry(formats: TableFormats) {
  private val tableFormats = formats.tableFormats

  /** Selects by format; formats with the same `key` share one input. A format is always one of
    * them, so one of the inputs needs no condition.
    */
  def select[K, T <: Data](tableFormat: Bits, key: TableFormat => K)(of: TableFormat => T): T = {
    val groups = tableFormats.indices.groupBy(i => key(tableFormats(i))).values.toSeq.sortBy(_.head)
    groups.tail.foldLeft(of(tableFormats(groups.head.head))) { (others, group) =>
      Mux(group.map(tableFormat(_)).orR, of(tableFormats(group.head)), others)
    }
  }

  /** The format has a property. */
  def is(tableFormat: Bits)(property: TableFormat => Boolean): Bool =
    if (tableFormats.forall(property)) True
    else if (!tableFormats.exists(property)) False
    else tableFormats.indices.filter(i => property(tableFormats(i))).map(tableFormat(_)).orR

  private def layoutOf(s: TableFormat) = (s.granule.log2Bytes, s.layout.log2Bytes)

  private def byLevel[T <: Data](level: UInt, levels: Seq[Int])(of: Int => T): T = {
    val inputs = levels.map(l => formats.code(l) -> of(l))
    if (levels.size == 1) inputs.head._2 else level.muxListDc(inputs)
  }

  /** Of the formats that are laid out alike, the one with most levels. */
  private def widest(s: TableFormat): TableFormat =
    tableFormats.filter(other => layoutOf(other) == layoutOf(s)).minBy(_.levels.head)

  /** `value` is above a limit that is known: a gate a bit, where `>` would be a subtractor. */
  private def above(value: UInt, limit: Int): Bool =
    value.asBools.zipWithIndex.foldLeft(False) { case (lower, (bit, i)) =>
      if ((limit >> i & 1) == 1) bit && lower else bit || lower
    }

  def legal(tableFormat: Bits, tnsz: UInt): Bool =
    select(tableFormat, s => (s.minTnsz, s.maxTnsz)) { s =>
      above(tnsz, s.minTnsz - 1) && !above(tnsz, s.maxTnsz)
    }

  /** Ones in the bits below iasize = 64 - TnSZ, if TnSZ is legal. */
  def vaMask(tnsz: UInt): Bits = {
    val least = 64 - tableFormats.map(_.maxTnsz).max
    Vec((0 until formats.vaBits).map(b => if (b < least) True else !above(tnsz, 63 - b))).asBits
  }

  /** All VA bits from iasize to 63 (55 with `ignoreTop`) equal VA[55] (spec 2.2). */
  def highBitsCanonical(va: UInt, ignoreTop: Bool): Bool = {
    val differ = va ^ U(64 bits, default -> VirtualAddress.upper(va))
    !differ(55 downto formats.vaBits).orR && (ignoreTop || !VirtualAddress.top(differ).orR)
  }

  /** VA bits outside of `mask` equal VA[55] too; with a sign, so does the topmost one inside.
    */
  def lowBitsCanonical(tableFormat: Bits, va: Bits, upper: Bool, mask: Bits): Bool = {
    val signed = is(tableFormat)(_.system.signExtended)
    val free = if (formats.signExtended) Mux(signed, mask |>> 1, mask) else mask
    !((va ^ B(formats.vaBits bits, default -> upper)) & ~free).orR
  }

  /** One-hot level that the first table would have if none were skipped. */
  def startLevels(tableFormat: Bits, tnsz: UInt): Bits =
    select(tableFormat, s => (layoutOf(s), s.minTnsz)) { s =>
      // A level is passed by when TnSZ is above the largest value that still starts there.
      val passed = s.levels.init.map { level =>
        above(tnsz, (0 to 63).filter(t => s.startLevel(t) <= level).max)
      }
      val reached = s.levels.zip((True +: passed).zip(passed.map(!_) :+ True)).toMap
      Vec(
        formats.levels.map(l => reached.get(l).map { case (a, b) => a && b }.getOrElse(False))
      ).asBits
    }

  private val usedLevels = formats.levels.filter(l => tableFormats.exists(_.levels.contains(l)))

  /** What a one-hot level chooses; what the format chooses is chosen before: it is known before. */
  private def atLevel[T <: Data](levels: Bits)(of: Int => T): T = MuxOH.or(
    Vec(usedLevels.map(l => levels(formats.code(l)))).asBits,
    usedLevels.map(of),
    bypassIfSingle = true
  )

  /** Byte offset of a VA's entry in its table, from all VA bits that the level and, with skipped
    * levels, those above it index.
    */
  def offset(tableFormat: Bits, levels: Bits, va: Bits): Bits = atLevel(levels) { level =>
    val there = tableFormats.filter(_.levels.contains(level))
    // A format that never has this level shares the input of one that has: it is never asked.
    def alike(s: TableFormat) = there.find(layoutOf(_) == layoutOf(s)).getOrElse(there.head)
    select(tableFormat, alike) { s =>
      val lsb = alike(s).lsb(level)
      val width = alike(s).maxIndexBits.min(formats.vaBits - lsb).max(0)
      if (width == 0) B(0, formats.offsetBits bits)
      else (va(lsb, width bits) << alike(s).layout.log2Bytes).resize(formats.offsetBits)
    }
  }

  /** Size of the first table (spec 3.4), as `sizeMask` reads it. Its index has 64 - TnSZ - lsb
    * bits; the constant and the difference are reduced to the few bits that the result needs.
    */
  def firstSize(tableFormat: Bits, levels: Bits, tnsz: UInt): UInt = {
    def end(s: TableFormat, level: Int) = U(
      Math.floorMod(64 - s.lsb(level) + s.layout.log2Bytes - leastSize, 1 << sizeBits),
      sizeBits bits
    )
    atLevel(levels)(l => select(tableFormat, layoutOf)(end(_, l))) - tnsz.resize(sizeBits)
  }

  /** Size of every table but the first; `skip` more levels than one. */
  def tableSize(tableFormat: Bits, skip: UInt): UInt =
    select(tableFormat, s => (layoutOf(s), s.maxSkip)) { s =>
      def size(levels: Int) =
        U(levels * s.stride + s.layout.log2Bytes - leastSize, sizeBits bits)
      if (s.maxSkip == 0) size(1) else skip.muxListDc((0 to s.maxSkip).map(k => k -> size(k + 1)))
    }

  /** Ones in the bits of an offset that lie inside a table. */
  def sizeMask(size: UInt): Bits = Vec((0 until formats.offsetBits).map { b =>
    if (b < leastSize) True else above(size, b - leastSize)
  }).asBits

  /** A size is log2 of bytes, less that of the smallest entry. */
  private val leastSize = tableFormats.map(_.layout.log2Bytes).min
  val sizeBits = log2Up(formats.offsetBits - leastSize + 1)

  def blockAllowed(tableFormat: Bits, level: UInt): Bool = select(tableFormat, _.blockLevels) { s =>
    byLevel(level, formats.levels)(l => Bool(s.blockLevels(l)))
  }

  /** What a leaf of this level maps, as `formats.spans` writes sizes. */
  def leafSpan(tableFormat: Bits, level: UInt): Bits = select(tableFormat, layoutOf) { s =>
    byLevel(level, widest(s).levels)(l => B(formats.spans.code(s.lsb(l)), spanBits))
  }

  /** What its contiguous group maps; what it maps itself where there are no groups. */
  def groupSpan(tableFormat: Bits, level: UInt): Bits =
    select(tableFormat, s => (layoutOf(s), s.contiguous)) { s =>
      byLevel(level, widest(s).levels) { l =>
        B(formats.spans.code(s.groupLsb(l).getOrElse(s.lsb(l))), spanBits)
      }
    }
  private def spanBits = formats.spans.codeBits bits

  /** What a table entry of this level covers, as `formats.tableSpans` writes sizes. */
  def tableSpan(tableFormat: Bits, level: UInt): Bits = select(tableFormat, layoutOf) { s =>
    byLevel(level, widest(s).levels.init) { l =>
      B(formats.tableSpans.code(s.lsb(l)), formats.tableSpans.codeBits bits)
    }
  }

  /** Ones in the address bits at or above the output size (spec 2.4); from 32 up. */
  def aboveOutputSize(ips: UInt): Bits = {
    val all = BigInt(1) << formats.addressBits
    val width = formats.config.paWidth
    val masks = MmuConfig.paRanges.map { size =>
      B((all - (BigInt(1) << size.min(width))).max(0), formats.addressBits bits)
    }
    ips.muxList(masks.zipWithIndex.map { case (m, i) => i -> m })
  }

  /** Bits that must be zero in this format are not (spec 4.2). */
  def zeroBitsSet(tableFormat: Bits, descriptor: Bits): Bool =
    select(tableFormat, _.zeroBits)(s => s.zeroBits.map(_.of(descriptor).orR).getOrElse(False))

  /** Address bits below the page are whatever: what a page or table adds takes their place. */
  def address(tableFormat: Bits, descriptor: Bits): Bits = Vec(
    (0 until formats.addressBits).map { bit =>
      val holders = tableFormats.filter(_.granule.log2Bytes <= bit).groupBy(_.address.source(bit))
      val inputs = holders.toSeq.collect { case (Some(source), s) =>
        if (holders.size == 1) descriptor(source)
        else descriptor(source) && is(tableFormat)(s.contains(_))
      }
      inputs.orR
    }
  ).asBits

  def root(tableFormat: Bits, register: Bits): Bits =
    select(tableFormat, _.root)(_.root.of(register, formats.addressBits))
}
