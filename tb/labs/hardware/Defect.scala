package granule.labs

import spinal.core._

/** Which defect this simulation has: that of granule-sim's option --defect, or of the variable
  * GRANULE_DEFECT; 0: none.
  */
class ChosenDefect extends BlackBox {
  val number = out(UInt(10 bits))
  setInlineVerilog("""module ChosenDefect(output reg [9:0] number);
  initial if (!$value$plusargs("defect=%d", number))
    number = $c32("(std::getenv(\"GRANULE_DEFECT\") ? ",
      "std::atoi(std::getenv(\"GRANULE_DEFECT\")) : 0)");
endmodule
""")
  noIoPrefix()
}

object Defect {
  private def chosen(number: Int): Bool = new ChosenDefect().number === number

  /** What is `wrong` in the machine with this defect and `right` in all others. */
  def apply[T <: Data](number: Int)(wrong: T, right: T): T = Mux(chosen(number), wrong, right)

  /** The same of statements. */
  def instead(number: Int)(wrong: => Unit)(right: => Unit): Unit =
    when(chosen(number))(wrong).otherwise(right)
}
