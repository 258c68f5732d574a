package granule.arch

import spinal.core._

/** A class of faults by its status codes (spec 7.2).
  *
  * @param level0   code at level 0; levels 1 to 3 count up from it.
  * @param negative codes at levels -1, -2.
  */
case class FaultStatus(name: String, level0: Int, negative: Seq[Int] = Nil) {

  /** Status code of this fault at a level as RTL writes it. */
  def at(level: UInt, formats: TableFormats): Bits = {
    val codes = formats.levels.map { l =>
      if (l >= 0) level0 + l
      else if (-l <= negative.size) negative(-l - 1)
      else level0
    }
    if (formats.levels == (0 to 3)) B(level0 >> 2, 4 bits) ## level.asBits
    else level.muxListDc(codes.zipWithIndex.map { case (c, i) => i -> B(c, 6 bits) })
  }

  /** Faults that are found before the first descriptor is read report level 0. */
  def atLevel0: Bits = B(level0, 6 bits)
}

object FaultStatus {
  val addressSize = FaultStatus("address size", 0x00, Seq(0x29, 0x2c))
  val translation = FaultStatus("translation", 0x04, Seq(0x2b, 0x2a))
  val accessFlag = FaultStatus("access flag", 0x08)
  val permission = FaultStatus("permission", 0x0c)

  /** Also of a hardware update of a descriptor. */
  val externalAbort = FaultStatus("external abort on a walk", 0x14, Seq(0x13, 0x12))

  /** The memory cannot update a descriptor atomically. */
  val unsupportedUpdateCode = 0x31
  def unsupportedUpdate: Bits = B(unsupportedUpdateCode, 6 bits)

  /** External abort of the access itself; not on a walk. */
  val accessAbortCode = 0x10
  def accessAbort: Bits = B(accessAbortCode, 6 bits)

  /** Alignment, which a burst has that cannot be passed on. */
  def alignment: Bits = B(0x21, 6 bits)

  /** What memory, and not the tables, refuses: software that mends tables cannot help. */
  val ofMemory: Seq[Int] = Seq(accessAbortCode, unsupportedUpdateCode) ++
    (0 to 3).map(externalAbort.level0 + _) ++ externalAbort.negative
}
