package granule.board

import granule.config.GranuleConfig
import granule.soc.Soc
import spinal.core._
import spinal.lib._
import spinal.lib.com.uart.Uart
import spinal.lib.memory.sdram.sdr.SdramInterface

/** What is the same on every board: the system, its memory, and lamps that show that it lives.
  *
  * @param boot words of the boot image; it starts at the boot memory's base, where reset goes.
  *
  * `lamps`: 6 heartbeat, 5 M-mode, 4 S-mode, 3 U-mode, 2 a trap, 1 receiving, 0 sending. All but the
  * heartbeat are stretched to be seen.
  */
case class BoardSystem(config: GranuleConfig, part: SdramPart, boot: Seq[Int]) extends Component {
  val io = new Bundle {
    val uart           = master(Uart(rtsGen = true))
    val sdram          = master(SdramInterface(part.layout))
    val highmemEighths = in UInt (3 bits)
    val lamps          = out Bits (7 bits)
  }
  private val soc    = new Soc(config)
  private val memory = BoardMemory(config, soc.io.memory.config, part, boot)

  memory.io.axi << soc.io.memory
  memory.io.highmemEighths := io.highmemEighths
  soc.io.lowmemBytes       := memory.io.lowmemBytes
  soc.io.highmemBytes      := memory.io.highmemBytes
  io.sdram <> memory.io.sdram
  io.uart <> soc.io.uart

  private val heartbeat = CounterFreeRun(BigInt(1) << 26)
  private val tick      = RegNext(heartbeat.value(19 downto 0) === 0)

  /** True from an event until at least one tick (some 10 ms) has passed. */
  private def stretched(event: Bool): Bool = {
    val recent = Reg(UInt(2 bits)) init 0
    when(RegNext(event)) { recent := 3 } elsewhen (tick && recent =/= 0) { recent := recent - 1 }
    recent =/= 0
  }
  private val retire = RegNext(soc.io.retire)
  io.lamps := Cat(
    heartbeat.value.msb,
    stretched(retire.valid && retire.privilege === 3),
    stretched(retire.valid && retire.privilege === 1),
    stretched(retire.valid && retire.privilege === 0),
    stretched(retire.valid && retire.trap),
    stretched(!io.uart.rxd),
    stretched(!io.uart.txd)
  )
}
