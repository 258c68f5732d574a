package granule.cache

import spinal.core._

/** What a [[LineEngine]] does. */
object LineOp extends SpinalEnum(binarySequential) {

  /** `fill`: bring a line into `set`. `line`: clean and/or invalidate one line, wherever it is.
    * `sweep`: clean and/or invalidate the whole cache.
    */
  val fill, line, sweep = newElement()
}

/** @field line    physical line address.
  * @field set     where the requester looks for it (its colour included).
  * @field inPlace a fill that is content with the line under another colour: `done.set` says where.
  * @field own     of a cache that keeps copies: a fill after which there is no other copy.
  */
case class LineCmd(geometry: CacheGeometry) extends Bundle {
  val op = LineOp()
  val line = geometry.lineType
  val set = geometry.setType
  val inPlace = Bool()
  val clean = Bool()
  val invalidate = Bool()
  val own = geometry.copies generate Bool()
}

/** @field set   set in which the line of a fill now is.
  * @field error the bus did not deliver the line; nothing was installed.
  */
case class LineDone(geometry: CacheGeometry) extends Bundle {
  val set = geometry.setType
  val error = Bool()
}

/** One way of a set, one-hot. */
case class WayUse(geometry: CacheGeometry) extends Bundle {
  val set = geometry.setType
  val ways = geometry.waysType
}

/** One cycle for each; [[granule.cpu.PerfEvent]] says what they count. */
case class LineEvents() extends Bundle {
  val miss, evict, writeback, writebackError, aliasMove = Bool()
}
