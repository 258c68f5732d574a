package granule.soc

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config}

/** Flip-flops on everything between an APB3 master and its slaves, so that address decoding and the
  * slaves' answers are not in one path with the bus behind the master.
  *
  * Latency: a transfer takes two cycles more. One at a time, as APB3 is.
  */
case class ApbSlice(config: Apb3Config) extends Component {
  val io = new Bundle {
    val above = slave(Apb3(config))
    val below = master(Apb3(config))
  }
  private val selected = RegInit(False)
  private val enabled = RegInit(False)
  private val answered = RegInit(False)

  when(!selected && io.above.PSEL(0) && !answered) { selected := True }
  enabled := selected && !(enabled && io.below.PREADY)
  answered := enabled && io.below.PREADY
  when(enabled && io.below.PREADY) { selected := False }

  io.below.PSEL := selected.asBits
  io.below.PENABLE := enabled
  io.below.PADDR := RegNext(io.above.PADDR)
  io.below.PWRITE := RegNext(io.above.PWRITE)
  io.below.PWDATA := RegNext(io.above.PWDATA)

  io.above.PREADY := answered
  io.above.PRDATA := RegNext(io.below.PRDATA)
  if (config.useSlaveError) io.above.PSLVERROR := RegNext(io.below.PSLVERROR)
}
