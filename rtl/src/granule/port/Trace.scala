package granule.port

import spinal.core._

/** A store as it is performed in the data cache (also by SC and AMO); for test benches.
  *
  * @field data the 32-bit word, in its lanes.
  * @field mask byte lanes written.
  */
case class StoreTrace(paWidth: Int) extends Bundle {
  val pa = UInt(paWidth bits)
  val data = Bits(32 bits)
  val mask = Bits(4 bits)
}

/** A data or fetch fault at the moment in which the CPU takes its trap; never speculative. */
case class FaultReport() extends Bundle {
  val va = UInt(32 bits)
  val status = Bits(6 bits)
  val execute = Bool()
  val wnr = Bool()
  val dirty = Bool()
  val el1 = Bool()
}
