package granule.labs

import spinal.core._

/** Which defect this simulation has: that of granule-sim's option --defect; 0: none. */
class ChosenDefect extends BlackBox {
  val number = out(UInt(8 bits))
  setInlineVerilog("""module ChosenDefect(output reg [7:0] number);
  initial if (!$value$plusargs("defect=%d", number)) number = 0;
endmodule
""")
  noIoPrefix()
}

object Defect {

  /** What is `wrong` in the machine with this defect and `right` in all others. */
  def apply[T <: Data](number: Int)(wrong: T, right: T): T =
    Mux(new ChosenDefect().number === number, wrong, right)
}
