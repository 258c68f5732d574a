package granule.soc

import granule.cache.{PhysicalMap, Region}

/** Where everything sits in the physical address space: the only place that says so. The C header,
  * the linker fragment, the test bench's names and the diagram are written from it (gen/MapFiles).
  */
object MemoryMap {
  private def peripheral(name: String, base: Long, size: Long, description: String) =
    Region(name, base, size, memory = false, description)

  val boot =
    Region("boot", 0x00010000L, 0x10000, memory = true, "loader of a board; not in the simulator")

  val finisher = peripheral("finisher", 0x00100000L, 0x1000, "power-off and reset (sifive,test0)")
  val timer = peripheral("timer", 0x02000000L, 0x10000, "timer and software interrupt (CLINT)")
  val plic = peripheral("plic", 0x0c000000L, 0x400000, "interrupt controller (PLIC)")
  val uart = peripheral("uart", 0x10000000L, 0x1000, "serial port (sifive,uart0)")
  val mmu = peripheral("mmu", 0x10010000L, 0x1000, "MMU registers, fault record, TLBI")
  val cache = peripheral("cache", 0x10020000L, 0x1000, "cache identification and maintenance")
  val sysinfo = peripheral("sysinfo", 0x10030000L, 0x1000, "magic, memory sizes, clock, name")

  val dma = peripheral("dma", 0x10040000L, 0x1000, "DMA engine; in some configurations")
  val bridge = peripheral("bridge", 0x10050000L, 0x1000, "bridge in front of it; likewise")

  val lowmem =
    Region("lowmem", 0x80000000L, 0x40000000L, memory = true, "memory that a pointer reaches")
  val highmem = Region(
    "highmem",
    0x100000000L,
    0x100000000L,
    memory = true,
    "memory that only a mapping reaches"
  )

  /** Those of a configuration with a DMA engine. */
  private val ofDma: Seq[Region] = Seq(dma, bridge)
  val peripherals: Seq[Region] = Seq(finisher, timer, plic, uart, mmu, cache, sysinfo) ++ ofDma
  def peripherals(config: GranuleConfig): Seq[Region] =
    peripherals.filterNot(config.dma.isEmpty && ofDma.contains(_))

  /** In the order of addresses. */
  val all: Seq[Region] = Seq(boot) ++ peripherals ++ Seq(lowmem, highmem)

  /** The window of the AXI to APB bridge: all peripherals, one bit for each address line. */
  val apbAddressWidth = 29

  /** What the blocks are told: the windows that an address of `paWidth` bits can name. */
  def physical(paWidth: Int): PhysicalMap =
    PhysicalMap(all.filter(_.base < (BigInt(1) << paWidth)))

  def physical(config: GranuleConfig): PhysicalMap = PhysicalMap(
    physical(config.mmu.paWidth).regions.filter(r =>
      if (r.memory) r != boot || config.bootBytes > 0 else peripherals(config).contains(r)
    )
  )

  for (pair <- all.sliding(2))
    require(
      pair(0).base + pair(0).size <= pair(1).base,
      s"region ${pair(0).name} reaches into ${pair(1).name}: keep the regions apart and in order"
    )
  for (r <- peripherals)
    require(
      r.base + r.size <= (BigInt(1) << apbAddressWidth),
      s"region ${r.name} ends above the bridge's $apbAddressWidth address bits: widen the bridge"
    )
}
