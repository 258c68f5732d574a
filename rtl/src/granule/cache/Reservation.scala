package granule.cache

import spinal.core._
import spinal.lib._

/** The reservation of LR/SC: one physical line. `holds` says whether it covers `pa`. Ending it wins
  * over taking it.
  *
  * `take` is known late in its cycle. The line is that of `pa` in the next one, when it is held.
  */
case class Reservation(geometry: CacheGeometry) extends Area {
  val pa = UInt(geometry.paWidth bits)
  val take = Bool()
  val end = Bool()
  val endLine = Flow(geometry.lineType)

  private val here = geometry.line(pa)
  private val taken = RegNext(take && !end) init False
  private val held = RegInit(False)
  private val heldLine = Reg(geometry.lineType)
  private val valid = held || taken
  private val line = Mux(taken, here, heldLine)
  val holds = valid && line === here

  val ends = valid && endLine.valid && endLine.payload === line

  when(taken) {
    held := True
    heldLine := here
  }
  when(end || ends) { held := False }
}
