package granule.cpu

import spinal.core._
import spinal.lib._

/** Integer unit: combinational.
  *
  * `sum` is the plain a + b, for addresses, so that they do not wait for the result multiplexer.
  */
case class Alu() extends Component {
  val io = new Bundle {
    val op = in(AluOp())
    val funct3 = in(Bits(3 bits))
    val a, b = in(Bits(32 bits))
    val result = out(Bits(32 bits))
    val sum = out(UInt(32 bits))
    val taken = out(Bool())
  }
  import io._

  sum := a.asUInt + b.asUInt

  private val difference = (False ## a).asUInt - (False ## b).asUInt
  private val lessUnsigned = difference.msb
  private val less = Mux(a.msb === b.msb, lessUnsigned, a.msb)

  // One right shifter; a left shift is a right shift of the mirrored word.
  private val left = op === AluOp.sll
  private val fill = op === AluOp.sra && a.msb
  private val shifted = ((fill ## Mux(left, a.reversed, a)).asSInt >> b(4 downto 0).asUInt).asBits
  private val shift = Mux(left, shifted(31 downto 0).reversed, shifted(31 downto 0))

  result := op.mux(
    AluOp.add -> sum.asBits,
    AluOp.sub -> difference(31 downto 0).asBits,
    AluOp.slt -> less.asBits(32 bits),
    AluOp.sltu -> lessUnsigned.asBits(32 bits),
    AluOp.xor -> (a ^ b),
    AluOp.or -> (a | b),
    AluOp.and -> (a & b),
    default -> shift
  )

  // Branches: funct3 2:1 chooses the comparison, bit 0 inverts it.
  private val condition = Mux(!funct3(2), a === b, Mux(funct3(1), lessUnsigned, less))
  taken := condition ^ funct3(0)
}
