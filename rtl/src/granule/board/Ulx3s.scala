package granule.board

import granule.soc.GranuleConfig
import spinal.core._
import spinal.lib._
import spinal.lib.blackbox.lattice.ecp5.{BB, ODDRX1F}

/** The ULX3S board: 25 MHz clock, FTDI serial port, 32 MiB of SDRAM.
  *
  * Clock: the PLL makes `config.clockHz`; the SDRAM's clock leads by about 2 ns, so that commands
  * are held long enough at the chip and its data has the rest of the cycle for the way back.
  * Reset: from power-up until the PLL is locked, while button FIRE1 or PWR is held, and when
  * software asks for it; plus a millisecond, in which a bouncing button settles.
  * Switches 1 and 2, read at reset: highmem has 2, 4, 1 or 0 eighths of the memory.
  * `wifi_gpio0` stays high: low, the ESP32 takes the board over and resets the FPGA.
  */
case class Ulx3s(config: GranuleConfig, part: SdramPart, boot: Seq[Int]) extends Component {
  private val layout = part.layout
  val clk_25mhz = in Bool ()
  val ftdi_rxd = out Bool ()
  val ftdi_txd = in Bool ()
  val wifi_gpio0 = out Bool ()
  val btn = in Bits (2 bits)
  val sw = in Bits (2 bits)
  val led = out Bits (8 bits)
  val sdram_clk, sdram_cke, sdram_csn, sdram_wen, sdram_rasn, sdram_casn = out Bool ()
  val sdram_a = out Bits (layout.chipAddressWidth bits)
  val sdram_ba = out Bits (layout.bankWidth bits)
  val sdram_dqm = out Bits (layout.bytePerWord bits)
  val sdram_d = inout(Analog(Bits(layout.dataWidth bits)))

  private val pll = Ulx3s.pll(config.clockHz)
  pll.run(clk_25mhz)

  private val asked = Bool()
  private val clock =
    new BoardClock(pll.io.CLKOP, config.clockHz, !btn(0) || btn(1) || !pll.io.LOCK || asked)
  private val switches = clock.bare(RegNextWhen(BufferCC(sw), clock.resetting))

  private val system = clock.system(BoardSystem(config, part, boot))
  asked := system.io.reset
  system.io.highmemEighths := switches.mux(0 -> U(2), 1 -> U(4), 2 -> U(1), 3 -> U(0))
  system.io.uart.rxd := clock.bare(BufferCC(ftdi_txd, init = True))
  ftdi_rxd := system.io.uart.txd || clock.resetting
  wifi_gpio0 := True
  led := pll.io.LOCK ## system.io.lamps

  // A register at the pad makes the clock, so that it leaves as late as the commands do.
  private val leading = ClockDomain(clock = pll.io.CLKOS, reset = clock.resetting)
  leading(ODDRX1F(sdram_clk, D0 = True, D1 = False))

  private val chip = system.io.sdram
  sdram_cke := chip.CKE
  sdram_csn := chip.CSn
  sdram_wen := chip.WEn
  sdram_rasn := chip.RASn
  sdram_casn := chip.CASn
  sdram_a := chip.ADDR
  sdram_ba := chip.BA
  sdram_dqm := chip.DQM
  for (i <- 0 until layout.dataWidth) {
    val pad = BB()
    pad.I := chip.DQ.write(i)
    pad.T := !chip.DQ.writeEnable(i)
    chip.DQ.read(i) := pad.O
    pad.B <> sdram_d(i)
  }
}

object Ulx3s {

  /** Any multiple of 5 MHz; the oscillator runs just below 600 MHz, and `lead` is one period. */
  def pll(hertz: Int): EcpPll = {
    require(
      hertz % 5000000 == 0 && hertz >= 10000000 && hertz <= 200000000,
      s"a clock of ${hertz / 1000000.0} MHz; the PLL makes multiples of 5 MHz from 10 to 200"
    )
    val divisor = BigInt(hertz / 5000000).gcd(5).toInt
    new EcpPll(25 MHz, 5 / divisor, hertz / 5000000 / divisor, 600000000 / hertz, lead = 1)
  }
}
