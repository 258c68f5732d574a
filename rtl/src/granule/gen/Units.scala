package granule.gen

import granule.bench.{CpuBench, WatchedMmu}
import granule.cache._
import granule.cpu.{Counters, Cpu, PerfEvent}
import granule.device.{AxiBridge, BridgeConfig, DeviceMmu, DmaConfig, DmaEngine, VirtualDma}
import granule.ip.MmuIp
import granule.mmu.{EntryLog, InvalidateSweep, MicroTlb, Walker, WalkTurn}
import granule.options.PmpCheck
import granule.soc.{Interconnect, MemoryMap, Plic, Soc, Timer}
import granule.verify._

/** Every unit that can be written, and what `make verilog` writes by `default`. A unit's tests use
  * the file by this name.
  */
object Units {
  private def l1data(name: String, cache: CacheConfig) = UnitTop(
    s"l1data_$name",
    c => L1Data.withAxiNames(cache, c.mmu, MemoryMap.physical(c))
  )

  private def l2(name: String, cache: CacheConfig) =
    UnitTop(s"l2_$name", c => L2.withAxiNames(cache, Interconnect.memoryConfig(c)))

  val all: Seq[UnitTop] = Seq(
    // cache
    UnitTop("l1data", c => L1Data.withAxiNames(c.dcache, c.mmu, MemoryMap.physical(c))),
    // Geometries that only tests have; tb/unit/cache/geometry.py lists them too.
    l1data("direct", CacheConfig(8 * 1024, ways = 1)),
    l1data("plru", CacheConfig(64 * 1024, ways = 4, replacement = Replacement.TreePlru)),
    l1data("nru", CacheConfig(8 * 1024, ways = 8, lineBytes = 32, Replacement.Nru)),
    l1data("random", CacheConfig(8 * 1024, ways = 8, lineBytes = 128, Replacement.Random)),
    l1data("copies", CacheConfig(32 * 1024, ways = 2, aliases = Aliases.Copies)),
    l1data("physical", CacheConfig(32 * 1024, ways = 2, aliases = Aliases.Physical)),
    UnitTop("l1fetch", c => L1Fetch.withAxiNames(c.icache, c.mmu.paWidth, MemoryMap.physical(c))),
    UnitTop(
      "cacheip",
      c => CacheIp.withAxiNames(c.icache, c.dcache, c.mmu, MemoryMap.physical(c), c.l2)
    ),
    UnitTop("l2", c => L2.withAxiNames(c.l2.get, Interconnect.memoryConfig(c))),
    l2("small", CacheConfig(4 * 1024, ways = 2)),
    l2("ways", CacheConfig(8 * 1024, ways = 8)),
    // cpu
    UnitTop("cpu", c => Cpu(c.resetPc, c.mmu.sv32, c.mmu.pmpEntries)),
    UnitTop("cpubench", c => CpuBench(c.resetPc, c.mmu.sv32, c.mmu.pmpEntries)),
    UnitTop("cpu_pmp16", c => Cpu(c.resetPc, c.mmu.sv32, pmpEntries = 16)),
    // pmu
    UnitTop("counters", _ => Counters(PerfEvent.all.size)),
    // mmu
    UnitTop("mmu", c => new WatchedMmu(c.mmu)),
    UnitTop("mmuip", c => MmuIp(c.mmu, devices = c.dma.isDefined)),
    UnitTop("walkturn", _ => WalkTurn(3)),
    UnitTop("invalidatesweep", c => InvalidateSweep(c.mmu)),
    UnitTop("entrylog", c => EntryLog(c.mmu)),
    // Parts of the MMU, for `make area`.
    UnitTop("pmpcheck", c => PmpCheck(c.mmu.pmpEntries, c.mmu.paWidth)),
    UnitTop("pmpcheck_16", c => PmpCheck(16, c.mmu.paWidth)),
    UnitTop("walker", c => Walker(c.mmu)),
    UnitTop("microtlb", c => MicroTlb(c.mmu, c.mmu.dataTlbEntries)),
    // bridge
    UnitTop("axibridge", c => AxiBridge(BridgeConfig(), c.mmu)),
    UnitTop("devicemmu", c => DeviceMmu.withAxiNames(BridgeConfig(), c.mmu)),
    // dma
    UnitTop("dma", _ => DmaEngine.withAxiNames(DmaConfig())),
    UnitTop("virtualdma", c => VirtualDma.withAxiNames(DmaConfig(), c.mmu)),
    // soc
    UnitTop("soc_interconnect", c => Interconnect.withAxiNames(c)),
    UnitTop("timer", _ => Timer()),
    UnitTop("plic", _ => Plic(5)),
    UnitTop("simsoc", c => Soc(c)),
    UnitTop("simsoc_checked", c => Soc(c)), // with checks, as all other units are
    // What is proved.
    UnitTop("walkerproof", c => WalkerProof(c.mmu), proof = true),
    UnitTop("pmpproof", c => PmpProof(c.mmu), proof = true),
    UnitTop("guardedwalkproof", c => GuardedWalkProof(c.mmu), proof = true),
    UnitTop("descriptorproof", c => DescriptorProof(c.mmu), proof = true),
    UnitTop("sweepproof", c => SweepProof(c.mmu), proof = true),
    UnitTop("microproof", c => MicroProof(c.mmu), proof = true),
    UnitTop("tableproof", c => TableProof(c.mmu), proof = true),
    UnitTop("mainproof", c => MainProof(c.mmu), proof = true),
    UnitTop("directproof", c => DirectProof(c.mmu), proof = true),
    UnitTop("answerproof", c => AnswerProof(c.mmu), proof = true),
    UnitTop("orderproof", c => OrderProof(c.mmu), proof = true)
  )
  val default: Seq[String] = Seq(
    "cpubench",
    "cpubench:minimal",
    "cpu_pmp16",
    "l1data:teaching",
    "l1data:ulx3s",
    "l1data:wide",
    "l1fetch:teaching",
    "l1fetch:ulx3s",
    "l1data_direct",
    "l1data_direct:wide",
    "l1data_plru",
    "l1data_nru",
    "l1data_random",
    "l1data_copies",
    "l1data_copies:wide",
    "l1data_physical",
    "cacheip:teaching",
    "cacheip:ulx3s_l2",
    "cacheip:wide",
    "l2_small",
    "l2_ways",
    "counters",
    "soc_interconnect",
    "plic",
    "mmu:teaching",
    "mmu:ulx3s",
    "mmu:vmsa48",
    "mmu:vmsa48_main",
    "mmu:teaching_main",
    "mmu:vmsa48_hashed",
    "mmu:vmsa48_nocache",
    "mmu:wide",
    "mmu:wide_nocache",
    "mmu:minimal",
    "mmu:small",
    "mmu:fixed4k",
    "mmu:fixed16k",
    "mmu:fixed64k",
    "invalidatesweep:wide",
    "invalidatesweep:small",
    "walkturn",
    "pmpcheck",
    "pmpcheck_16",
    "entrylog:wide",
    "entrylog:small",
    "devicemmu:vmsa48_nocache",
    "dma",
    "virtualdma:vmsa48_nocache",
    "walkerproof:proof_granules",
    "walkerproof:proof_pmp",
    "pmpproof:proof_pmp",
    "guardedwalkproof:proof_pmp",
    "descriptorproof:proof_granules",
    "sweepproof:proof_granules",
    "microproof:proof_pmp",
    "tableproof:proof",
    "mainproof:proof_main",
    "directproof:proof_pmp",
    "answerproof:proof",
    "orderproof:proof",
    "mmuip:teaching",
    "mmuip:wide",
    "mmuip:teaching_dma",
    "simsoc:teaching",
    "simsoc:teaching_dma",
    "simsoc:ulx3s",
    "simsoc:wide"
  )
}
