package granule.board

import spinal.core._
import spinal.lib._

/** Clock domains of a board's top, both on the PLL's output.
  *
  * `bare` runs from power-up. `system` is held in reset while `held` is true (the PLL is not
  * locked, a button is pressed, software asks for it), and some milliseconds longer, in which a
  * bouncing button settles.
  */
class BoardClock(clock: Bool, hertz: Int, held: => Bool) extends Area {
  private val frequency = FixedFrequency(hertz Hz)

  val bare = ClockDomain(clock, frequency = frequency, config = ClockDomainConfig(resetKind = BOOT))

  val resetting: Bool = bare {
    val settled = Reg(UInt(16 bits)) init 0
    when(BufferCC(held, init = True)) { settled := 0 } elsewhen (!settled.andR) {
      settled := settled + 1
    }
    RegNext(!settled.andR) init True
  }

  val system = ClockDomain(
    clock,
    resetting,
    frequency = frequency,
    config = ClockDomainConfig(resetKind = SYNC)
  )
}
