package granule.board

import spinal.core._

/** The PLL of the Gowin GW2A: output = input * feedback / reference.
  *
  * @param outputDivider divides the oscillator. Requires: the oscillator between 500 and 1250 MHz.
  */
class GowinPll(input: HertzNumber, reference: Int, feedback: Int, outputDivider: Int)
    extends BlackBox {
  private val oscillator = input * feedback / reference * outputDivider
  require(
    oscillator >= (500 MHz) && oscillator <= (1250 MHz),
    s"oscillator at ${oscillator.decompose}; choose outputDivider for 500 to 1250 MHz"
  )
  addGeneric("FCLKIN", (input.toBigDecimal / 1000000).toInt.toString)
  addGeneric("DEVICE", "GW2AR-18C")
  addGeneric("IDIV_SEL", reference - 1)
  addGeneric("FBDIV_SEL", feedback - 1)
  addGeneric("ODIV_SEL", outputDivider)
  for (name <- Seq("DYN_IDIV_SEL", "DYN_FBDIV_SEL", "DYN_ODIV_SEL", "DYN_DA_EN"))
    addGeneric(name, "false")
  addGeneric("CLKFB_SEL", "internal")

  val io = new Bundle {
    val CLKIN, CLKFB, RESET, RESET_P = in Bool ()
    val FBDSEL, IDSEL, ODSEL = in Bits (6 bits)
    val PSDA, DUTYDA, FDLY = in Bits (4 bits)
    val CLKOUT, LOCK = out Bool ()
  }
  noIoPrefix()
  setDefinitionName("rPLL")

  /** Feeds the loop and ties the controls that nobody uses; called by the parent. */
  def run(input: Bool): Unit = {
    io.CLKIN := input
    for (control <- Seq(io.CLKFB, io.RESET, io.RESET_P)) control := False
    for (control <- Seq(io.FBDSEL, io.IDSEL, io.ODSEL, io.PSDA, io.DUTYDA, io.FDLY)) control := 0
  }
}
