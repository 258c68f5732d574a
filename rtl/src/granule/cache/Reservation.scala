package granule.cache

import spinal.core._
import spinal.lib._

/** The reservation of LR/SC: one physical line. `holds` says whether it covers `pa`. Ending it wins
  * over taking it.
  */
case class Reservation(geometry: CacheGeometry) extends Area {
  val pa = UInt(geometry.paWidth bits)
  val take = Bool()
  val takeLine = geometry.lineType
  val end = Bool()
  val endLine = Flow(geometry.lineType)

  private val valid = RegInit(False)
  private val line = Reg(geometry.lineType)
  val holds = valid && line === geometry.line(pa)

  val ends = valid && endLine.valid && endLine.payload === line

  when(take) {
    valid := True
    line := takeLine
  }
  when(end || ends) { valid := False }
}
