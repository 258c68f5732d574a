package granule.soc

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config}

/** Ends a run: the register of SiFive's test finisher (`sifive,test0`), which Linux drives as
  * `syscon-poweroff` and `syscon-reboot`. A word written to it means:
  * {{{
  *   0x0000_5555   power off, status 0
  *   code  3333    power off after a failure; status is the code, at least 1
  *   0x0000_7777   reset
  * }}}
  * Any other does nothing, and it reads as zero. Such a write is never answered, so the CPU stops
  * at its store; only a reset of the system brings it back. `powerOff`, `status` and `reset` rise
  * in the cycle after and stay.
  */
case class Finisher() extends Component {
  val io = new Bundle {
    val apb = slave(Apb3(Finisher.apbConfig))
    val powerOff = out(Bool())
    val status = out(UInt(16 bits))
    val reset = out(Bool())
  }
  private val written =
    io.apb.PSEL(0) && io.apb.PENABLE && io.apb.PWRITE && io.apb.PADDR === 0
  private val halves = io.apb.PWDATA.subdivideIn(16 bits) // command, code
  private def commanded(command: Int) =
    written && halves.head === command
  private val passes = commanded(Finisher.pass)
  private val fails = commanded(Finisher.fail)
  private val resets = commanded(Finisher.reset)
  private val code = halves.last.asUInt

  io.powerOff := RegInit(False).setWhen(passes || fails)
  io.reset := RegInit(False).setWhen(resets)
  io.status := RegNextWhen(Mux(code === 0, U(1, 16 bits), code), fails) init 0

  io.apb.PREADY := !(passes || fails || resets)
  io.apb.PRDATA := 0
}

object Finisher {
  val apbConfig = Apb3Config(addressWidth = 12, dataWidth = 32, useSlaveError = false)
  val pass = 0x5555
  val fail = 0x3333
  val reset = 0x7777
}
