package granule.cache

import granule.arch.MmuConfig
import granule.mmu.{TranslatePort, WalkMemoryPort}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb._
import spinal.lib.bus.amba4.axi._

/** Both level-1 caches with their registers, as the SoC takes them. The registers describe the
  * level `l2` too, whose write-backs that failed come in as `l2Error`.
  *
  * {{{
  *   fetch --> L1Fetch --> fetchAxi      reads of lines
  *   data ---> L1Data ---> dataAxi       lines (through a CommandBuffer)
  *   walk ------^   +----> uncachedAxi   single beats, to memory and peripherals
  *   apb ----> registers --> maintainer --> both caches
  *   fence --------------------^         FENCE.I: clean data, invalidate instructions
  * }}}
  *
  * The SoC must let dataAxi proceed while uncachedAxi waits: a register may answer only when the
  * caches have done something.
  */
case class CacheIp(
    icache: CacheConfig,
    dcache: CacheConfig,
    mmu: MmuConfig,
    map: PhysicalMap,
    l2: Option[CacheConfig] = None
) extends Component {
  private val paWidth = mmu.paWidth
  private val axi = MemoryBus.axiConfig(paWidth)
  val io = new Bundle {
    val fetch = slave(L1FetchPort())
    val fetchTranslate = master(TranslatePort(paWidth))
    val fetchAxi = master(Axi4ReadOnly(axi))
    val fetchEvents = out(L1FetchEvents())
    val data = slave(L1DataPort())
    val dataTranslate = master(TranslatePort(paWidth))
    val vacancy = master(VacancyPort(paWidth))
    val dataAxi = master(Axi4(axi))
    val uncachedAxi = master(Axi4(axi))
    val dataEvents = out(L1DataEvents())
    val stored = master(Flow(StoreTrace(paWidth)))
    val walk = slave(WalkMemoryPort(paWidth, mmu.descriptorBits))
    val fence = slave(L1MaintainPort())
    val apb = slave(Apb3(CacheRegisters.apbConfig))
    val l2Error = l2.isDefined generate in(Bool())
  }

  private val fetch = L1Fetch(icache, paWidth, map)
  private val data = L1Data(dcache, paWidth, map, mmu.descriptorBits)
  private val buffer = CommandBuffer()
  private val registers = CacheRegisters(icache, dcache, l2)
  private val maintainer = Maintainer()

  fetch.io.cpu <> io.fetch
  fetch.io.translate <> io.fetchTranslate
  fetch.io.axi >> io.fetchAxi
  fetch.io.maintain <> maintainer.io.fetch
  io.fetchEvents := fetch.io.events

  buffer.io.above <> io.data
  data.io.cpu <> buffer.io.below
  data.io.walk <> io.walk
  data.io.translate <> io.dataTranslate
  data.io.vacancy <> io.vacancy
  data.io.axi >> io.dataAxi
  data.io.uncached >> io.uncachedAxi
  data.io.maintain <> maintainer.io.data
  data.io.stored >> io.stored
  io.dataEvents := data.io.events

  registers.io.apb << io.apb
  registers.io.asyncError := data.io.asyncError || l2.map(_ => io.l2Error).getOrElse(False)
  maintainer.io.registers <> registers.io.maintain
  maintainer.io.fence <> io.fence
}

object CacheIp {

  /** With the signal names of the AXI specification, as bus models of test benches want them. */
  def withAxiNames(
      icache: CacheConfig,
      dcache: CacheConfig,
      mmu: MmuConfig,
      map: PhysicalMap,
      l2: Option[CacheConfig] = None
  ): CacheIp = {
    val unit = CacheIp(icache, dcache, mmu, map, l2)
    Axi4SpecRenamer(unit.io.fetchAxi)
    Axi4SpecRenamer(unit.io.dataAxi)
    Axi4SpecRenamer(unit.io.uncachedAxi)
    unit
  }
}
