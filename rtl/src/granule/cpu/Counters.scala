package granule.cpu

import spinal.core._
import spinal.lib._

/** All performance counters behind the CPU's [[CounterPort]]: index 0 cycle, 2 instret, 3 + n event
  * n. Indices without a counter (1, and 3 + events.size and up) read as zero and ignore writes.
  *
  * Cycle and instret have 64 bits, as the unprivileged ISA asks (Zicntr). A counter of events is
  * `width` bits wide and reads zero-extended to 64; it wraps at its width. `value`
  * answers `index` in the same cycle, with what was counted up to the end of the last cycle. An
  * event of the cycle of a write is lost: the written value stands (privileged specification,
  * 3.1.10). `inhibit` holds a counter still but not against writes.
  *
  * @param width bits of the counter of an event. Requires: 33 to 64.
  */
case class Counters(events: Int, width: Int = 40) extends Component {
  require(width > 32 && width <= 64, s"width is $width; use 33 to 64 bits")
  require(events >= 1 && events <= 29, s"events is $events; CSR numbers exist for 1 to 29")

  val io = new Bundle {
    val port = slave(CounterPort())
    val event = in Bits (events bits)
    val retire = in Bool () // one instruction retired
  }

  private val present = Seq(0, 2) ++ (3 until 3 + events)
  private val step = present.map {
    case 0 => True
    case 2 => io.retire
    case i => io.event(i - 3)
  }

  // A cycle late: whether the instruction may write is known late.
  private val write = RegNext(io.port.write) init False
  private val writeHigh = RegNext(io.port.writeHigh)
  private val writeData = RegNext(io.port.writeData).asUInt
  private val index = RegNext(io.port.index)

  private val counters = for ((i, count) <- present.zip(step)) yield new Area {
    private val bits = if (i < 3) 64 else width
    val value = Reg(UInt(bits bits)) init 0
    value.setName(s"counter_$i")
    private val written = write && index === i
    when(count && !io.port.inhibit(i)) { value := value + 1 }
    private def high = writeData.resize(bits - 32) @@ value(31 downto 0)
    private def low = value(bits - 1 downto 32) @@ writeData
    when(written) { value := Mux(writeHigh, high, low) }
  }

  io.port.value := 0
  switch(io.port.index) {
    for ((i, counter) <- present.zip(counters)) is(i) { io.port.value := counter.value.resized }
  }
}

/** The CPU's view of all performance counters: index 0 is cycle, 2 is instret, 3 + n is event n of
  * [[PerfEvent.all]]. `value` answers `index` in the same cycle; reading disturbs nothing.
  *
  * @field inhibit     bit i stops counter i (mcountinhibit).
  * @field write       replace the low (`writeHigh` False) or high word of counter `index`.
  */
case class CounterPort() extends Bundle with IMasterSlave {
  val index = UInt(5 bits)
  val value = UInt(64 bits)
  val inhibit = Bits(32 bits)
  val write = Bool()
  val writeHigh = Bool()
  val writeData = Bits(32 bits)

  override def asMaster(): Unit = {
    out(index, inhibit, write, writeHigh, writeData)
    in(value)
  }
}
