package granule.walk

import granule.config.MmuConfig
import granule.format.{Formats, Regime, Shape}
import spinal.core._
import spinal.lib._

/** Shape of the tables and VA size to levels, indexes and masks, at run time (spec 2.3, 2.4 and
  * chapter 3).
  *
  * Combinational; every table in it is computed from the formats. A shape is one-hot over
  * `formats.shapes`, a level is counted from the formats' topmost one. With one shape only, nothing
  * of the choice is left.
  */
case class Geometry(formats: Formats) {
  private val shapes = formats.shapes

  /** Selects by shape; shapes with the same `key` share one input. */
  def select[K, T <: Data](shape: Bits, key: Shape => K)(of: Shape => T): T = {
    val groups = shapes.indices.groupBy(i => key(shapes(i))).values.toSeq.sortBy(_.head)
    val chosen = groups.map(g => g.map(shape(_)).orR)
    MuxOH.or(Vec(chosen).asBits, groups.map(g => of(shapes(g.head))), bypassIfSingle = true)
  }

  /** The shape has a property. */
  def is(shape: Bits)(property: Shape => Boolean): Bool =
    if (shapes.forall(property)) True
    else if (!shapes.exists(property)) False
    else shapes.indices.filter(i => property(shapes(i))).map(shape(_)).orR

  def sv32(shape: Bits): Bool = is(shape)(_.regime == Regime.Sv32)

  private def layoutOf(s: Shape) = (s.granule.log2Bytes, s.layout.log2Bytes)

  private def byLevel[T <: Data](level: UInt, levels: Seq[Int])(of: Int => T): T = {
    val inputs = levels.map(l => formats.code(l) -> of(l))
    if (levels.size == 1) inputs.head._2 else level.muxListDc(inputs)
  }

  def legal(shape: Bits, tnsz: UInt): Bool =
    select(shape, s => (s.minTnsz, s.maxTnsz))(s => tnsz >= s.minTnsz && tnsz <= s.maxTnsz)

  /** Ones in the bits below iasize = 64 - TnSZ. */
  def vaMask(tnsz: UInt): Bits =
    (B(64 bits, default -> True) |>> tnsz).resize(formats.vaBits)

  /** All VA bits from iasize to 63 (55 with `ignoreTop`) equal VA[55] (spec 2.2). */
  def highBitsCanonical(va: UInt, ignoreTop: Bool): Bool = {
    val differ = va.asBits ^ B(64 bits, default -> va(55))
    !differ(55 downto formats.vaBits).orR && (ignoreTop || !differ(63 downto 56).orR)
  }

  def lowBitsCanonical(va: Bits, upper: Bool, mask: Bits): Bool =
    !((va ^ B(formats.vaBits bits, default -> upper)) & ~mask).orR

  def startLevel(shape: Bits, tnsz: UInt): UInt = select(shape, s => (layoutOf(s), s.minTnsz)) {
    s =>
      // A level is passed by when TnSZ is above the largest value that still starts there.
      val passed = s.levels.init.map { level =>
        tnsz > (0 to 63).filter(t => s.startLevel(t) <= level).max
      }
      val first = U(formats.code(s.levels.head), formats.levelWidth bits)
      if (passed.isEmpty) first else CountOne(passed).resize(formats.levelWidth) + first
  }

  /** Byte offset of a VA's entry in the table of a level, from all VA bits that the level and, with
    * skipped levels, those above it index. Of the mask of a VA: one for each bit that it may have.
    */
  def offset(shape: Bits, level: UInt, va: Bits): Bits = select(shape, layoutOf) { s =>
    byLevel(level, widest(s).levels)(l => offsetAt(s, l, va))
  }

  /** The same with levels that are one-hot. */
  def offsetOneHot(shape: Bits, levels: Bits, va: Bits): Bits = MuxOH.or(
    levels,
    formats.levels.map { l =>
      select(shape, layoutOf) { s =>
        if (widest(s).levels.contains(l)) offsetAt(s, l, va) else B(0, formats.offsetBits bits)
      }
    }
  )

  private def offsetAt(s: Shape, level: Int, va: Bits): Bits = {
    val width = s.maxIndexBits.min(formats.vaBits - s.lsb(level)).max(0)
    if (width == 0) B(0, formats.offsetBits bits)
    else (va(s.lsb(level), width bits) << s.layout.log2Bytes).resize(formats.offsetBits)
  }

  /** Of the shapes that are laid out alike, the one with most levels. */
  private def widest(s: Shape): Shape =
    shapes.filter(other => layoutOf(other) == layoutOf(s)).minBy(_.levels.head)

  /** Ones in the bits below the size of every table but the first; `skip` more levels than one. */
  def tableMask(shape: Bits, skip: UInt): Bits =
    select(shape, s => (layoutOf(s), s.maxSkip)) { s =>
      def ones(levels: Int) =
        B((BigInt(1) << (levels * s.stride + s.layout.log2Bytes)) - 1, formats.offsetBits bits)
      if (s.maxSkip == 0) ones(1) else skip.muxListDc((0 to s.maxSkip).map(k => k -> ones(k + 1)))
    }

  def blockAllowed(shape: Bits, level: UInt): Bool = select(shape, _.blockLevels) { s =>
    byLevel(level, formats.levels)(l => Bool(s.blockLevels(l)))
  }

  /** What a leaf of this level maps, as `formats.spans` writes sizes. */
  def leafSpan(shape: Bits, level: UInt): Bits = select(shape, layoutOf) { s =>
    byLevel(level, widest(s).levels)(l => B(formats.spans.code(s.lsb(l)), spanBits))
  }

  /** What its contiguous group maps; what it maps itself where there are no groups. */
  def groupSpan(shape: Bits, level: UInt): Bits = select(shape, s => (layoutOf(s), s.contiguous)) {
    s =>
      byLevel(level, widest(s).levels) { l =>
        B(formats.spans.code(s.groupLsb(l).getOrElse(s.lsb(l))), spanBits)
      }
  }
  private def spanBits = formats.spans.codeBits bits

  /** What a table entry of this level covers, as `formats.tableSpans` writes sizes. */
  def tableSpan(shape: Bits, level: UInt): Bits = select(shape, layoutOf) { s =>
    byLevel(level, widest(s).levels.init) { l =>
      B(formats.tableSpans.code(s.lsb(l)), formats.tableSpans.codeBits bits)
    }
  }

  /** Ones in the address bits at or above the output size (spec 2.4); from 32 up. */
  def aboveOutputSize(ips: UInt): Bits = {
    val all   = BigInt(1) << formats.addressBits
    val width = formats.config.paWidth
    val masks = MmuConfig.paRanges.map { size =>
      B((all - (BigInt(1) << size.min(width))).max(0), formats.addressBits bits)
    }
    ips.muxList(masks.zipWithIndex.map { case (m, i) => i -> m })
  }

  /** Bits that must be zero in this shape are not (spec 4.2). */
  def zeroBitsSet(shape: Bits, descriptor: Bits): Bool =
    select(shape, _.zeroBits)(s => s.zeroBits.map(_.of(descriptor).orR).getOrElse(False))

  def address(shape: Bits, descriptor: Bits): Bits =
    select(shape, _.address)(_.address.of(descriptor, formats.addressBits))

  def root(shape: Bits, register: Bits): Bits =
    select(shape, _.root)(_.root.of(register, formats.addressBits))
}
