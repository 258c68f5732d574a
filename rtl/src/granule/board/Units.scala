package granule.board

import granule.cpu.Cpu
import granule.pmu.Counters
import granule.port.Event
import granule.soc._

/** Every unit that `make verilog` writes. A unit's tests use the file by this name. */
object Units {
  val all: Seq[UnitTop] = Seq(
    // cpu
    UnitTop("cpu", c => Cpu(c.resetPc)),
    // pmu
    UnitTop("counters", _ => Counters(Event.all.size)),
    // soc
    UnitTop("interconnect", c => Interconnect(c)),
    UnitTop("timer", _ => Timer())
  )
  val default: Seq[String] = Seq("counters")
}
