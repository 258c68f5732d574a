package granule.board

import granule.cache.{CacheIp, L1Data, L1Fetch}
import granule.cpu.{Cpu, CpuBench}
import granule.mmu.{Mmu, MmuIp}
import granule.pmu.Counters
import granule.port.Event
import granule.soc._

/** Every unit that `make verilog` writes. A unit's tests use the file by this name. */
object Units {
  val all: Seq[UnitTop] = Seq(
    // cache
    UnitTop("l1data", c => L1Data.withAxiNames(c.dcache, c.mmu.paWidth, MemoryMap.physical(c))),
    UnitTop("l1fetch", c => L1Fetch.withAxiNames(c.icache, c.mmu.paWidth, MemoryMap.physical(c))),
    UnitTop("cacheip", c => new CacheIp(c, MemoryMap.physical(c))),
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
    "l1data",
    "counters",
    "soc_interconnect",
    "mmu:teaching",
    "mmu:wide",
    "mmuip:teaching",
    "simsoc:teaching",
    "simsoc:ulx3s"
  )
}
