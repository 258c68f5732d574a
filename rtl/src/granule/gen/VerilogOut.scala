package granule.gen

import spinal.core._

/** How every Verilog file of the project is written: one file, reproducible, synchronous reset.
  * Checks and cover points are only in what is `checked`.
  */
object VerilogOut {
  def apply(
      directory: String,
      fileName: String,
      header: String,
      checked: Boolean = false
  ): SpinalConfig = {
    new java.io.File(directory).mkdirs()
    val config = SpinalConfig(
      targetDirectory = directory,
      netlistFileName = s"$fileName.v",
      genLineComments = false,
      rtlHeader = header,
      defaultConfigForClockDomains = ClockDomainConfig(resetKind = SYNC),
      oneFilePerComponent = false,
      headerWithDate = false,
      headerWithRepoHash = false,
      inlineRom = true
    )
    if (checked) config.includeSimulation else config
  }

  /** What is assumed and what is to be proved is in it, as SystemVerilog. It has no reset:
    * registers begin as a reset leaves them, and others with anything.
    */
  def proof(directory: String, fileName: String, header: String): SpinalConfig =
    apply(directory, fileName, header)
      .copy(
        netlistFileName = s"$fileName.sv",
        defaultConfigForClockDomains = ClockDomainConfig(resetKind = BOOT)
      )
      .includeFormal
}
