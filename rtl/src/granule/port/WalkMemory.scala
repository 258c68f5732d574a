package granule.port

import spinal.core._
import spinal.lib._

/** One descriptor access of the walker: read, or compare-and-swap.
  *
  * @field address  physical, 8-byte aligned.
  * @field swap     False: read. True: if memory holds `expected`, replace it by `desired`.
  */
case class WalkMemoryCmd(paWidth: Int) extends Bundle {
  val address  = UInt(paWidth bits)
  val swap     = Bool()
  val expected = Bits(64 bits)
  val desired  = Bits(64 bits)
}

/** @field data  what memory held before the access.
  * @field error bus error, or an address outside the memory map (then no bus request was made).
  *              A swap that lost (data differs from `expected`) is no error; nothing was written.
  */
case class WalkMemoryRsp() extends Bundle {
  val data  = Bits(64 bits)
  val error = Bool()
}

/** Walker memory port: one request at a time, exactly one answer for each accepted command, at the
  * earliest in the cycle after. Coherent with the CPU's stores (goes through the L1 data cache).
  */
case class WalkMemoryPort(paWidth: Int) extends Bundle with IMasterSlave {
  val cmd = Stream(WalkMemoryCmd(paWidth))
  val rsp = Flow(WalkMemoryRsp())

  override def asMaster(): Unit = {
    master(cmd)
    slave(rsp)
  }
}
