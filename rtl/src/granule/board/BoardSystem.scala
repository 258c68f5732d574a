package granule.board

import granule.soc.{GranuleConfig, Soc}
import spinal.core._
import spinal.lib._
import spinal.lib.com.uart.Uart
import spinal.lib.memory.sdram.sdr.SdramInterface

/** What is the same on every board with an SDRAM: the system, its memory, and [[Lamps]].
  *
  * @param boot words of the boot image; it starts at the boot memory's base, where reset goes.
  */
case class BoardSystem(config: GranuleConfig, part: SdramPart, boot: Seq[Int]) extends Component {
  val io = new Bundle {
    val uart = master(Uart(rtsGen = true))
    val sdram = master(SdramInterface(part.layout))
    val highmemEighths = in UInt (3 bits)
    val lamps = out Bits (7 bits)
    val reset = out Bool () // software asks for it
  }
  private val soc = Soc(config)
  private val memory = BoardMemory(config, soc.io.memory.config, part, boot)

  memory.io.axi << soc.io.memory
  memory.io.highmemEighths := io.highmemEighths
  soc.io.lowmemBytes := memory.io.lowmemBytes
  soc.io.highmemBytes := memory.io.highmemBytes
  io.sdram <> memory.io.sdram
  io.uart <> soc.io.uart

  io.lamps := Lamps(soc)
  io.reset := soc.io.finished.reset
}
