package granule.board

import granule.soc.Soc
import spinal.core._
import spinal.lib._

/** Lamps that show that a system lives: 6 heartbeat, 5 M-mode, 4 S-mode, 3 U-mode, 2 a trap,
  * 1 receiving, 0 sending. All but the heartbeat are stretched to be seen. When software has
  * powered the system off, they stand still and show its status: all dark after a success.
  */
object Lamps {
  def apply(soc: Soc): Bits = {
    val heartbeat = CounterFreeRun(BigInt(1) << 26)
    val tick = RegNext(heartbeat.value(19 downto 0) === 0)

    /** True from an event until at least one tick (some 10 ms) has passed. */
    def stretched(event: Bool): Bool = {
      val recent = Reg(UInt(2 bits)) init 0
      when(RegNext(event)) { recent := 3 } elsewhen (tick && recent =/= 0) { recent := recent - 1 }
      recent =/= 0
    }
    val retire = RegNext(soc.io.retire)
    val live = Cat(
      heartbeat.value.msb,
      stretched(retire.valid && retire.privilege === 3),
      stretched(retire.valid && retire.privilege === 1),
      stretched(retire.valid && retire.privilege === 0),
      stretched(retire.valid && retire.trap),
      stretched(!soc.io.uart.rxd),
      stretched(!soc.io.uart.txd)
    )
    Mux(soc.io.finished.powerOff, soc.io.finished.status.asBits.resize(7), live)
  }
}
