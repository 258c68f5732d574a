package granule.board

import granule.cpu.Cpu

/** Every unit that `make verilog` writes. A unit's tests use the file by this name. */
object Units {
  val all: Seq[UnitTop]      = Seq(
    UnitTop("cpu", c => Cpu(c.resetPc))
  )
  val default: Seq[String] = Seq()
}
