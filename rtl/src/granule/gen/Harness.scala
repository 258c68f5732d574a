package granule.gen

import spinal.core._
import spinal.lib._

/** A register harness around any unit, for timing out of context: every input comes from a
  * flip-flop, every output goes into one, and few pins are left.
  *
  * The inputs are one shift register, fed by `scanIn`. The outputs are captured and folded by
  * exclusive-or, four bits a stage and each stage registered, into `scanOut`. The unit is reset by
  * a flip-flop too. So every path that place and route reports lies inside the unit, or is one hop.
  */
class Harness(build: => Component) extends Component {
  val io = new Bundle {
    val scanIn = in Bool ()
    val scanOut = out Bool ()
  }

  private val resetChain = RegNext(RegNext(ClockDomain.current.isResetActive))

  val inner = new ClockingArea(
    ClockDomain.current.copy(reset = resetChain, config = Harness.syncReset)
  ) {
    val unit = build.setDefinitionName(Harness.unitName)
  }

  private val ports = inner.unit.getOrdredNodeIo.filterNot(Harness.isClocking)
  private val inputs = ports.filter(_.isInput)
  private val outputs = ports.filter(_.isOutput)

  private val width = inputs.map(_.getBitsWidth).sum
  private val chain = Reg(Bits((width max 1) bits)).addAttribute("keep")
  chain := (chain ## io.scanIn).resize(width max 1)

  private val offsets = inputs.scanLeft(0)(_ + _.getBitsWidth)
  for ((port, offset) <- inputs.zip(offsets))
    port.assignFromBits(chain(offset, port.getBitsWidth bits))

  private def fold(bits: Seq[Bool]): Bool =
    if (bits.size == 1) bits.head
    else fold(bits.grouped(4).map(group => RegNext(group.reduce(_ ^ _))).toSeq)

  private val captured = outputs.flatMap(port => RegNext(port.asBits).asBools)
  io.scanOut := (if (captured.isEmpty) chain.msb else fold(captured))
}

object Harness {

  /** Name of the unit's module inside the harness. */
  val unitName = "unit_under_harness"

  private val syncReset = ClockDomainConfig(resetKind = SYNC)

  private def isClocking(port: BaseType): Boolean =
    Set("clk", "reset").contains(port.getName())
}
