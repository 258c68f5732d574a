package granule.cpu

import spinal.core._
import spinal.lib._

/** Takes a loaded byte, half or word (funct3) out of its lane and extends it. */
object LoadAlign {
  def apply(word: Bits, funct3: Bits, lane: UInt): Bits = {
    val half = Mux(lane(1), word(31 downto 16), word(15 downto 0))
    val byte = Mux(lane(0), half(15 downto 8), half(7 downto 0))
    val signed = !funct3(2)
    funct3(1 downto 0).mux(
      0 -> ((signed && byte.msb) ## byte).asSInt.resize(32).asBits,
      1 -> ((signed && half.msb) ## half).asSInt.resize(32).asBits,
      default -> word
    )
  }
}
