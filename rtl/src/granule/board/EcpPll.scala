package granule.board

import spinal.core._

/** The PLL of the ECP5 with two outputs of one frequency, the second ahead of the first.
  *
  * The library's EHXPLLL keeps all outputs in phase; the SDRAM's clock has to lead. The oscillator
  * runs at `feedback * output * input / reference`; `lead` counts its periods.
  *
  * @param referenceDivider divides the input. @param feedbackDivider multiplies it.
  * @param outputDivider divides the oscillator. Requires: the oscillator between 400 and 800 MHz.
  */
class EcpPll(
    input: HertzNumber,
    val referenceDivider: Int,
    val feedbackDivider: Int,
    val outputDivider: Int,
    lead: Int
) extends BlackBox {
  val output: HertzNumber = input * feedbackDivider / referenceDivider
  val oscillator: HertzNumber = output * outputDivider
  require(
    oscillator >= (400 MHz) && oscillator <= (800 MHz),
    s"oscillator at ${oscillator.decompose}; choose outputDivider for 400 to 800 MHz"
  )
  require(lead >= 0 && lead < outputDivider, s"lead is $lead; use 0 to ${outputDivider - 1}")

  // The delay of an output counts from the middle, so that both directions are there.
  private val middle = outputDivider / 2 - 1

  addGeneric("CLKI_DIV", referenceDivider)
  addGeneric("CLKFB_DIV", feedbackDivider)
  addGeneric("FEEDBK_PATH", "CLKOP")
  addGeneric("CLKOP_ENABLE", "ENABLED")
  addGeneric("CLKOP_DIV", outputDivider)
  addGeneric("CLKOP_CPHASE", middle)
  addGeneric("CLKOS_ENABLE", "ENABLED")
  addGeneric("CLKOS_DIV", outputDivider)
  addGeneric("CLKOS_CPHASE", middle + (outputDivider - lead) % outputDivider)

  val io = new Bundle {
    val CLKI, CLKFB = in Bool ()
    val RST, STDBY = in Bool ()
    val ENCLKOP, ENCLKOS = in Bool ()
    val CLKOP, CLKOS, LOCK = out Bool ()
  }
  noIoPrefix()
  setDefinitionName("EHXPLLL")

  // The loop filter, as the vendor's tools set it; not in the primitive's parameters.
  for (
    (name, value) <- Seq(
      "ICP_CURRENT" -> "12",
      "LPF_RESISTOR" -> "8",
      "MFG_ENABLE_FILTEROPAMP" -> "1",
      "MFG_GMCREF_SEL" -> "2"
    )
  )
    addAttribute(name, value)

  /** Feeds the loop and ties the controls that nobody uses; called by the parent. */
  def run(input: Bool): Unit = {
    io.CLKI := input
    io.CLKFB := io.CLKOP
    for (control <- Seq(io.RST, io.STDBY, io.ENCLKOP, io.ENCLKOS)) control := False
  }
}
