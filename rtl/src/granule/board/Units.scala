package granule.board

/** Every unit that `make verilog` writes. A unit's tests use the file by this name. */
object Units {
  val all: Seq[UnitTop]      = Seq()
  val default: Seq[String] = Seq()
}
