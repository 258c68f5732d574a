package granule.cache

import spinal.core._
import spinal.lib._

/** Keeps the policy's state of every set (one distributed RAM) and names the victim of one set.
  *
  * `use` (a hit) is applied in the cycle in which it is valid.
  * `victim` is combinational for `set`, of the uses before this cycle, and undefined in a cycle
  * with a use; `pick` pulses when it is taken. `clear` zeroes the state of a set and wins over a
  * use. Random: a 23-bit LFSR that moves one step a use and three a pick, so that successive
  * victims are independent. A direct-mapped cache has nothing to choose.
  */
case class VictimChooser(geometry: CacheGeometry) extends Component {
  private val ways = geometry.config.ways
  val io = new Bundle {
    val use = slave(Flow(WayUse(geometry)))
    val clear = slave(Flow(geometry.setType))
    val set = in(geometry.setType)
    val pick = in(Bool())
    val victim = out(geometry.waysType)
  }

  VictimPolicy(geometry.config.replacement, ways) match {
    case Some(policy) =>
      val states = Mem(Bits(policy.stateBits bits), geometry.config.sets)
      val state = states.readAsync(Mux(io.use.valid, io.use.set, io.set))
      states.write(
        address = Mux(io.clear.valid, io.clear.payload, io.use.set),
        data = Mux(io.clear.valid, B(0, policy.stateBits bits), policy.use(state, io.use.ways)),
        enable = io.use.valid || io.clear.valid
      )
      io.victim := policy.victim(state)
    case None if ways == 1 => io.victim := B"1"
    case None =>
      val lfsr = Reg(Bits(23 bits)) init 1
      def step(b: Bits): Bits = b(21 downto 0) ## (b(22) ^ b(17))
      when(io.use.valid) { lfsr := step(lfsr) }
      when(io.pick) { lfsr := step(step(step(lfsr))) }
      io.victim := UIntToOh(lfsr(log2Up(ways) - 1 downto 0).asUInt, ways)
  }
}
