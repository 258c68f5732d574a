package granule.cpu

import spinal.core._
import spinal.lib._

/** Multiplier in two cycles: four 17 x 17 products (one DSP block each) are registered at the end
  * of the cycle of `start`; `result` is their sum, valid in the next cycle. One start per cycle.
  */
case class Multiplier() extends Component {
  val io = new Bundle {
    val start = in(Bool())
    val funct3 = in(Bits(3 bits))
    val a, b = in(Bits(32 bits))
    val result = out(Bits(32 bits))
  }
  private val aSigned = io.funct3(1 downto 0) =/= 3
  private val bSigned = !io.funct3(1)
  private val aHigh = ((aSigned && io.a.msb) ## io.a(31 downto 16)).asSInt
  private val bHigh = ((bSigned && io.b.msb) ## io.b(31 downto 16)).asSInt
  private val aLow = (False ## io.a(15 downto 0)).asSInt
  private val bLow = (False ## io.b(15 downto 0)).asSInt

  private val highHigh = RegNextWhen(aHigh * bHigh, io.start)
  private val highLow = RegNextWhen(aHigh * bLow, io.start)
  private val lowHigh = RegNextWhen(aLow * bHigh, io.start)
  private val lowLow = RegNextWhen(aLow * bLow, io.start)
  private val wantLow = RegNextWhen(io.funct3(1 downto 0) === 0, io.start)

  private val outer = highHigh(31 downto 0) ## lowLow(31 downto 0)
  private val middle = highLow +^ lowHigh
  private val total = outer.asSInt + (middle ## B(0, 16 bits)).asSInt.resize(64)
  io.result := Mux(wantLow, total(31 downto 0), total(63 downto 32)).asBits
}

/** Divider: restoring, two quotient bits a cycle. `done` is low from the cycle after `start` for 16
  * cycles; `result` is valid while it is high. A new `start` abandons the division under way.
  *
  * Division by zero and overflow need no exception: the plain algorithm gives the quotient of all
  * ones and the dividend as remainder that the ISA asks for, as long as the signs are left alone.
  */
case class Divider() extends Component {
  val io = new Bundle {
    val start = in(Bool())
    val funct3 = in(Bits(3 bits))
    val a, b = in(Bits(32 bits))
    val done = out(Bool())
    val result = out(Bits(32 bits))
  }
  private def magnitude(x: Bits, negative: Bool) = Mux(negative, (~x).asUInt + 1, x.asUInt)

  private val signed = !io.funct3(0)
  private val aMinus = signed && io.a.msb
  private val bMinus = signed && io.b.msb

  private val wantRemainder = Reg(Bool())
  private val quotientMinus = Reg(Bool())
  private val remainderMinus = Reg(Bool())
  private val quotient = Reg(UInt(32 bits)) // dividend bits leave at the top
  private val remainder = Reg(UInt(32 bits))
  private val divisor = Reg(UInt(32 bits))
  private val left = RegInit(U(0, 5 bits)) // cycles

  /** Remainder and dividend behind one bit more. */
  private def step(remainder: UInt, quotient: UInt): (UInt, UInt) = {
    val shifted = remainder @@ quotient.msb
    val difference = shifted - divisor.resize(33)
    val kept = Mux(difference.msb, shifted(31 downto 0), difference(31 downto 0))
    (kept, quotient(30 downto 0) @@ !difference.msb)
  }

  when(io.start) {
    wantRemainder := io.funct3(1)
    quotientMinus := aMinus =/= bMinus && io.b =/= 0
    remainderMinus := aMinus
    quotient := magnitude(io.a, aMinus)
    remainder := 0
    divisor := magnitude(io.b, bMinus)
    left := 16
  } elsewhen (left =/= 0) {
    left := left - 1
    val (half, shifted) = step(remainder, quotient)
    val (whole, both) = step(half, shifted)
    remainder := whole
    quotient := both
  }
  io.done := left === 0
  private val minus = Mux(wantRemainder, remainderMinus, quotientMinus)
  io.result := magnitude(Mux(wantRemainder, remainder, quotient).asBits, minus).asBits
}
