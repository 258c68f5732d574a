package granule.soc

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.{Apb3, Apb3Config, Apb3SlaveFactory}
import spinal.lib.com.uart._

/** The library's transmitter and receiver behind the registers of SiFive's UART (`sifive,uart0`;
  * FU540-C000 manual, chapter 13), which Linux has a driver for:
  * {{{
  *   00 txdata   write: 7:0 to send; read: 31 the queue is full (then a write is lost)
  *   04 rxdata   read: 7:0 the next character, 31 there is none
  *   08 txctrl   0 send, 1 two stop bits, 18:16 watermark
  *   0c rxctrl   0 receive, 18:16 watermark
  *   10 ie       0 fewer characters wait to be sent than txctrl's watermark,
  *   14 ip       1 more have come than rxctrl's watermark
  *   18 div      15:0 cycles of a bit - 1
  * }}}
  * Queues hold 16 characters. `uart.rts` is high, and the far end waits, while the receive queue is
  * full or rxctrl.0 is clear. A bit is sampled 8 times, so div counts as 7 when it is less; the
  * samples are spread over the cycles of a bit, so that every other div is exact. `bitCycles` is
  * for test benches and may stay open.
  */
case class SifiveUart() extends Component {
  val io = new Bundle {
    val apb = slave(Apb3(SifiveUart.apbConfig))
    val uart = master(Uart(rtsGen = true))
    val interrupt = out(Bool())
    val bitCycles = out(UInt(17 bits))
  }
  private val generics = UartCtrlGenerics(rtsGen = true)
  private val bus = Apb3SlaveFactory(io.apb)

  private val sends = bus.createReadAndWrite(Bool(), 0x08, 0) init False
  private val twoStops = bus.createReadAndWrite(Bool(), 0x08, 1) init False
  private val sendMark = bus.createReadAndWrite(UInt(3 bits), 0x08, 16) init 0
  private val receives = bus.createReadAndWrite(Bool(), 0x0c, 0) init False
  private val receiveMark = bus.createReadAndWrite(UInt(3 bits), 0x0c, 16) init 0
  private val enabled = bus.createReadAndWrite(Bits(2 bits), 0x10) init 0
  private val div = bus.createReadAndWrite(UInt(16 bits), 0x18) init SifiveUart.fastest

  /** 8 samples a bit: each cycle is worth 8, and a sample is due for every `bitCycles`. */
  private val sampling = new Area {
    val bitCycles = Mux(div < SifiveUart.fastest, U(SifiveUart.fastest, 16 bits), div) +^ 1
    val phase = Reg(UInt(17 bits)) init 0
    val next = phase +^ generics.rxSamplePerBit
    val tick = next >= bitCycles
    phase := Mux(tick, next - bitCycles, next).resized
    when(bus.isWriting(0x18)) { phase := 0 }
  }
  io.bitCycles := sampling.bitCycles

  private def frame(stop: UartStopType.C): UartCtrlFrameConfig = {
    val config = UartCtrlFrameConfig(generics)
    config.dataLength := 7
    config.parity := UartParityType.NONE
    config.stop := stop
    config
  }

  private val transmitter = new UartCtrlTx(generics)
  transmitter.io.configFrame := frame(Mux(twoStops, UartStopType.TWO(), UartStopType.ONE()))
  transmitter.io.samplingTick := sampling.tick
  transmitter.io.cts := False
  transmitter.io.break := False
  io.uart.txd := transmitter.io.txd
  private val toSend = StreamFifo(Bits(8 bits), SifiveUart.queue)
  toSend.io.push << bus.createAndDriveFlow(Bits(8 bits), 0x00).toStream
  transmitter.io.write << toSend.io.pop.haltWhen(!sends)
  bus.read(!toSend.io.push.ready, 0x00, 31)

  private val receiver = new UartCtrlRx(generics)
  receiver.io.configFrame := frame(UartStopType.ONE())
  receiver.io.samplingTick := sampling.tick
  receiver.io.rxd := io.uart.rxd
  io.uart.rts := receiver.io.rts
  private val received = StreamFifo(Bits(8 bits), SifiveUart.queue)
  received.io.push << receiver.io.read.haltWhen(!receives)
  received.io.pop.ready := False
  bus.onRead(0x04) { received.io.pop.ready := True }
  bus.read(received.io.pop.payload, 0x04)
  bus.read(!received.io.pop.valid, 0x04, 31)

  private val pending =
    (received.io.occupancy > receiveMark) ## (toSend.io.occupancy < sendMark)
  bus.read(pending, 0x14)
  io.interrupt := (pending & enabled).orR
}

object SifiveUart {
  val apbConfig = Apb3Config(addressWidth = 12, dataWidth = 32, useSlaveError = false)
  val queue = 16

  /** The least `div`, and its reset value, which the simulator stays with. */
  val fastest = 7
}
