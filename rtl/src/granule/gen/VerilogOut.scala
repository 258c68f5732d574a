package granule.gen

import spinal.core._

/** How every Verilog file of the project is written: one file, reproducible, synchronous reset. */
object VerilogOut {
  def apply(directory: String, fileName: String, header: String): SpinalConfig = {
    new java.io.File(directory).mkdirs()
    SpinalConfig(
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
  }
}
