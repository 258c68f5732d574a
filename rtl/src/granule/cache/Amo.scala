package granule.cache

import spinal.core._

/** What a cache computes on a word. */
object Amo {

  /** The new word of an atomic memory operation (RISC-V "A"); swap for any other funct5. */
  def apply(funct: Bits, memory: Bits, operand: Bits): Bits = {
    val signed = funct === AmoFunct.min || funct === AmoFunct.max
    val wantMax = funct === AmoFunct.max || funct === AmoFunct.maxu
    val less = (memory.msb ^ signed) ## memory(30 downto 0)
    val than = (operand.msb ^ signed) ## operand(30 downto 0)
    val memoryIsLess = less.asUInt < than.asUInt
    val extreme = Mux(memoryIsLess ^ wantMax, memory, operand)
    funct.mux(
      AmoFunct.add -> (memory.asUInt + operand.asUInt).asBits,
      AmoFunct.xor -> (memory ^ operand),
      AmoFunct.or -> (memory | operand),
      AmoFunct.and -> (memory & operand),
      AmoFunct.min -> extreme,
      AmoFunct.max -> extreme,
      AmoFunct.minu -> extreme,
      AmoFunct.maxu -> extreme,
      default -> operand
    )
  }

  /** Byte lanes of a store of 2^size bytes at `offset` in a word. */
  def mask(size: UInt, offset: UInt): Bits =
    size.mux(
      U(0) -> UIntToLanes(offset, B"0001"),
      U(1) -> UIntToLanes(offset, B"0011"),
      default -> B"1111"
    )

  /** Store data moved into its lanes. */
  def lanes(size: UInt, data: Bits): Bits =
    size.mux(
      U(0) -> (data(7 downto 0) ## data(7 downto 0) ## data(7 downto 0) ## data(7 downto 0)),
      U(1) -> (data(15 downto 0) ## data(15 downto 0)),
      default -> data
    )

  private def UIntToLanes(offset: UInt, lanes: Bits): Bits = (lanes << offset).resize(4)

  /** `word` with the bytes of the mask taken from `data`. */
  def merge(word: Bits, data: Bits, mask: Bits): Bits = {
    val bytes = for (i <- 0 until mask.getWidth) yield {
      Mux(mask(i), data(8 * i + 7 downto 8 * i), word(8 * i + 7 downto 8 * i))
    }
    Cat(bytes)
  }
}
