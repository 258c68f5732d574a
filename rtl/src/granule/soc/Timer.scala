package granule.soc

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config, Apb3SlaveFactory}
import spinal.lib.misc.Clint

/** The library's CLINT for one hart behind APB3: msip at 0x0000, mtimecmp at 0x4000, mtime at
  * 0xBFF8. mtime counts clock cycles. Unlike in the library's own wrapper both can be read and
  * written, each word alone, and mtimecmp starts at its maximum, so that no interrupt is pending
  * before software asks for one. The count of the cycle of a write is lost in the written word.
  */
case class Timer() extends Component {
  val io = new Bundle {
    val apb = slave(Apb3(Timer.apbConfig))
    val timerInterrupt = out Bool ()
    val softwareInterrupt = out Bool ()
    val time = out UInt (64 bits)
  }
  private val bus = Apb3SlaveFactory(io.apb)
  private val clint = Clint(Seq(0))
  private val hart = clint.harts.head
  hart.cmp.init(hart.cmp.maxValue)
  clint.driveFrom(bus)
  bus.readMultiWord(hart.cmp, 0x4000)
  bus.writeMultiWord(clint.time, 0xbff8)

  io.timerInterrupt := hart.timerInterrupt
  io.softwareInterrupt := hart.softwareInterrupt
  io.time := clint.time
}

object Timer {
  val apbConfig = Apb3Config(addressWidth = 16, dataWidth = 32, useSlaveError = false)
}
