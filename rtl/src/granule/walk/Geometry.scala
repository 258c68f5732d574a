package granule.walk

import granule.config.MmuConfig
import granule.format.{DescriptorFormat, Granule}
import spinal.core._
import spinal.lib._

/** Granule and VA size to levels, indexes and masks, at run time (spec 2.3, 2.4 and chapter 3).
  *
  * Combinational; every table in it is computed from the format. A granule is one-hot over
  * `format.granules`, a level is counted from the format's topmost one.
  */
case class Geometry(config: MmuConfig, format: DescriptorFormat) {
  private def granuleMux[T <: Data](granule: Bits)(of: Granule => T): T =
    MuxOH.or(granule, format.granules.map(of))

  def legal(granule: Bits, tnsz: UInt): Bool = tnsz >= format.minTnsz &&
    granuleMux(granule)(g => tnsz <= format.maxTnsz(g, config.smallTables))

  /** Ones in the bits below iasize = 64 - TnSZ. */
  def vaMask(tnsz: UInt): Bits =
    (B(64 bits, default -> True) |>> tnsz).resize(format.vaBits)

  /** All VA bits from iasize to 63 (55 with `ignoreTop`) equal VA[55] (spec 2.2). */
  def highBitsCanonical(va: UInt, ignoreTop: Bool): Bool = {
    val differ = va.asBits ^ B(64 bits, default -> va(55))
    !differ(55 downto format.vaBits).orR && (ignoreTop || !differ(63 downto 56).orR)
  }

  def lowBitsCanonical(va: Bits, upper: Bool, mask: Bits): Bool =
    !((va ^ B(format.vaBits bits, default -> upper)) & ~mask).orR

  def startLevel(granule: Bits, tnsz: UInt): UInt = granuleMux(granule) { g =>
    // A level is passed by when TnSZ is above the largest value that still starts there.
    val passed = format.levelsOf(g).init.map { level =>
      tnsz > (0 to 63).filter(t => format.startLevel(g, t) <= level).max
    }
    CountOne(passed).resize(format.levelWidth) + format.code(format.levelsOf(g).head)
  }

  /** Index of a VA (or of its mask) into the table of a level. */
  def index(granule: Bits, level: UInt, va: Bits): Bits = granuleMux(granule) { g =>
    level.muxListDc(format.levels.map { l =>
      val lsb   = format.lsb(g, l)
      val width = format.indexBits(g).min(format.vaBits - lsb).max(0)
      val bits  = if (width == 0) B(0, 1 bits) else va(lsb, width bits)
      format.code(l) -> bits.resize(format.maxIndexBits)
    })
  }

  /** Index bits of every table below the first one. */
  def fullIndex(granule: Bits): Bits =
    granuleMux(granule)(g => B((BigInt(1) << format.indexBits(g)) - 1, format.maxIndexBits bits))

  def blockAllowed(granule: Bits, level: UInt): Bool = granuleMux(granule) { g =>
    level.muxListDc(format.levels.map(l => format.code(l) -> Bool(g.blockLevels(l))))
  }

  /** Bit i: what a leaf of this level maps is larger than `format.spans(i)`; one bit less than
    * there are spans. These are the decoded span masks that the TLB keeps.
    */
  def spanCode(granule: Bits, level: UInt): Bits = granuleMux(granule) { g =>
    level.muxListDc(format.levels.map { l =>
      val larger = format.spans.init.map(s => Bool(format.lsb(g, l) > s))
      format.code(l) -> Vec(larger).asBits
    })
  }

  /** Ones in the address bits at or above the output size (spec 2.4); from 32 up. */
  def aboveOutputSize(ips: UInt): Bits = {
    val all = BigInt(1) << format.addressBits
    val masks = MmuConfig.paRanges.map { size =>
      B(all - (BigInt(1) << size.min(config.paWidth)), format.addressBits bits)
    }
    ips.muxList(masks.last, masks.zipWithIndex.map { case (m, i) => i -> m })
  }

  /** Bits that must be zero with this granule are not (spec 4.2). */
  def zeroBitsSet(granule: Bits, descriptor: Bits): Bool =
    granuleMux(granule)(g => g.zeroBits.map(_.of(descriptor).orR).getOrElse(False))
}

object SpanMask {

  /** One bit for each VA bit from the smallest page up to `width`: it lies inside the span. */
  def expand(code: Bits, format: DescriptorFormat, width: Int): Bits = {
    val edges = format.spans.filter(_ < width) :+ width
    val segments = edges.zip(edges.tail).zipWithIndex.map { case ((low, high), i) =>
      if (i < code.getWidth) Repeat(code(i), high - low) else B(0, high - low bits)
    }
    segments.reduce((below, above) => above ## below)
  }
}
