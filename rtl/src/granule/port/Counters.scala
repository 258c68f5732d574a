package granule.port

import spinal.core._
import spinal.lib._

/** The CPU's view of all performance counters: index 0 is cycle, 2 is instret, 3 + n is event n of
  * [[PerfEvent.all]]. `value` answers `index` in the same cycle; reading disturbs nothing.
  *
  * @field inhibit     bit i stops counter i (mcountinhibit).
  * @field write       replace the low (`writeHigh` False) or high word of counter `index`.
  */
case class CounterPort() extends Bundle with IMasterSlave {
  val index = UInt(5 bits)
  val value = UInt(64 bits)
  val inhibit = Bits(32 bits)
  val write = Bool()
  val writeHigh = Bool()
  val writeData = Bits(32 bits)

  override def asMaster(): Unit = {
    out(index, inhibit, write, writeHigh, writeData)
    in(value)
  }
}
