package granule.board

import granule.cpu.{Cpu, CpuBench}
import granule.mmu.{Mmu, MmuIp}
import granule.pmu.Counters
import granule.port.Event
import granule.soc._

/** Every unit that `make verilog` writes. A unit's tests use the file by this name. */
object Units {
  val all: Seq[UnitTop] = Seq(
    // cpu
    UnitTop("cpu", c => Cpu(c.resetPc)),
    UnitTop("cpubench", c => CpuBench(c.resetPc)),
    // pmu
    UnitTop("counters", _ => Counters(Event.all.size)),
    // mmu
    UnitTop("mmu", c => Mmu(c.mmu)),
    UnitTop("mmuip", c => MmuIp(c.mmu)),
    // soc
    UnitTop("soc_interconnect", c => Interconnect.withAxiNames(c)),
    UnitTop("timer", _ => Timer()),
    UnitTop("simsoc", c => new Soc(c))
  )
  val default: Seq[String] = Seq(
    "cpubench",
    "counters",
    "soc_interconnect",
    "mmu:teaching", "mmu:wide", "mmuip:teaching"
  )
}
