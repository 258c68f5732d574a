package granule.board

import granule.soc.{GranuleConfig, Soc}
import spinal.core._
import spinal.lib._

/** The Tang Nano 20K board (Gowin GW2AR-18): 27 MHz clock, serial port, block RAM as memory.
  *
  * Clock: the PLL makes `config.clockHz`, a multiple of 3 MHz.
  * Reset: from power-up until the PLL is locked, while button S1 is held, and when software asks
  * for it.
  * The chip's own SDRAM is not used: lowmem is 32 KiB of block RAM, there is no highmem.
  * Lamps (lit when low): PLL locked, M-mode, U-mode, a trap, receiving, sending.
  */
case class TangNano20k(config: GranuleConfig, boot: Seq[Int]) extends Component {
  val clk_27mhz = in Bool ()
  val uart_tx = out Bool ()
  val uart_rx = in Bool ()
  val button_s1 = in Bool ()
  val led = out Bits (6 bits)

  private val pll = TangNano20k.pll(config.clockHz)
  pll.run(clk_27mhz)

  private val asked = Bool()
  private val clock =
    new BoardClock(pll.io.CLKOUT, config.clockHz, button_s1 || !pll.io.LOCK || asked)

  private val system = clock.system(new Area {
    val soc = Soc(config)
    val memory = RamMemory(config, soc.io.memory.config, TangNano20k.lowmemBytes, boot)
    memory.io << soc.io.memory
    soc.io.lowmemBytes := TangNano20k.lowmemBytes
    soc.io.highmemBytes := 0
    val lamps = Lamps(soc)
  })
  asked := system.soc.io.finished.reset
  system.soc.io.uart.rxd := clock.bare(BufferCC(uart_rx, init = True))
  uart_tx := system.soc.io.uart.txd || clock.resetting
  led := ~(pll.io.LOCK ## system.lamps(5) ## system.lamps(3) ## system.lamps(2 downto 0))
}

object TangNano20k {
  val lowmemBytes: Int = 32 * 1024

  def pll(hertz: Int): GowinPll = {
    require(
      hertz % 3000000 == 0 && hertz >= 6000000 && hertz <= 81000000,
      s"a clock of ${hertz / 1000000.0} MHz; the PLL makes multiples of 3 MHz from 6 to 81"
    )
    val divisor = BigInt(hertz / 3000000).gcd(9).toInt
    val feedback = hertz / 3000000 / divisor
    val divider = Seq(2, 4, 8, 16, 32, 48, 64, 80, 96).find(hertz.toLong * _ >= 500000000L).get
    new GowinPll(27 MHz, 9 / divisor, feedback, divider)
  }
}
