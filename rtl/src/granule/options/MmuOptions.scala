package granule.options

import granule.arch.{MainPolicy, MmuConfig}
import granule.mmu.{Mmu, MmuOption, TranslatePort, VirtualAddress, Walks}
import spinal.core._
import spinal.lib._

/** What a configuration has beside the core of its [[granule.mmu.Mmu]]; the last one is asked
  * first.
  */
object MmuOptions {
  def of(config: MmuConfig): Seq[MmuOption] =
    (if (config.pmp) Seq(new PmpOption(config)) else Nil) ++
      (if (config.mainTlb) Seq(new MainTlbOption(config)) else Nil) ++
      (if (config.hashedTable) Seq(new HashedTableOption(config)) else Nil) ++
      (if (config.addressTranslate) Seq(new AddressTranslateOption(config)) else Nil) ++
      (if (config.tlbReadOut) Seq(new TlbReadOut(config)) else Nil)
}

/** A [[MainTlb]]. With `MainPolicy.Blocking` no walk begins while an invalidation is under way, and
  * that is complete when all entries were compared.
  */
class MainTlbOption(config: MmuConfig) extends MmuOption {
  var tlb: MainTlb = _

  override def isSwept: Boolean = true

  def wrap(mmu: Mmu, walks: Walks): Walks = {
    tlb = MainTlb(config).setName("main")
    val sweep = tlb.io.sweep
    tlb.io.walker <> walks.port
    tlb.io.context := mmu.context
    tlb.io.invalidated := mmu.sweep.io.invalidated.valid
    sweep <> mmu.sweep.io.further
    if (config.mainPolicy != MainPolicy.Blocking) walks.copy(port = tlb.io.port)
    else {
      val asked = cloneOf(walks.port)
      asked.cmd.haltWhen(sweep.active) >> tlb.io.port.cmd
      tlb.io.port.leaf >> asked.leaf
      asked.fault << tlb.io.port.fault
      asked.shareability := tlb.io.port.shareability
      asked.permitted := tlb.io.port.permitted
      asked.dropped := tlb.io.port.dropped
      val over = !sweep.running && RegNext(sweep.running, init = False)
      val waits = RegInit(False) setWhen mmu.sweep.io.invalidated.valid clearWhen over
      val underWay = CombInit(walks.underWay)
      underWay.mayStore setWhen (waits && !over)
      walks.copy(port = asked, underWay = underWay)
    }
  }
}

/** A [[HashedTable]]. `control` is HTAB, a port of the MMU. */
class HashedTableOption(config: MmuConfig) extends MmuOption {
  var table: HashedTable = _
  var control: Bits = _

  def wrap(mmu: Mmu, walks: Walks): Walks = {
    table = HashedTable(config).setName("hashed")
    control = in(Bits(64 bits)).setName("io_htab")
    table.io.control := control
    table.io.context := mmu.context
    table.io.walker <> walks.port
    table.io.descriptors <> walks.memory
    table.io.walking := walks.underWay
    table.io.invalidated << mmu.sweep.io.invalidated
    Walks(table.io.port, table.io.memory, table.io.underWay, table.io.busy)
  }
}

/** Physical memory protection: a [[PmpGuard]] around the walker, and a [[PmpDirect]] before each
  * translate port. Ports of the MMU: `entries`, and whether a command is of M-mode.
  */
class PmpOption(config: MmuConfig) extends MmuOption {
  var entries: Pmp = _
  var machine: Map[Boolean, Bool] = Map() // by whether it is the port of fetch
  var guard: PmpGuard = _
  var direct: Map[Boolean, PmpDirect] = Map()

  def wrap(mmu: Mmu, walks: Walks): Walks = {
    entries = in(Pmp(config.pmpEntries)).setName("io_pmp")
    machine = PmpOption.sides.map { case (fetch, name) =>
      fetch -> in(Bool()).setName(s"io_${name}Machine")
    }
    guard = PmpGuard(config, ports = 2).setName("pmp")
    PmpOption.around(guard, entries, walks)
  }

  override def front(mmu: Mmu, port: TranslatePort, fetch: Boolean): TranslatePort = {
    val unit = PmpDirect(config, mmu.bare).setName(s"${PmpOption.sides(fetch)}Direct")
    unit.io.enabled := mmu.context.enabled
    unit.io.ignoresTop := VirtualAddress.ignoresTop(unit.io.port.cmd, mmu.context)
    unit.io.machine := machine(fetch)
    unit.io.bindsMachine := entries.bindsMachine
    unit.io.changes := entries.changes
    unit.io.question <> guard.io.questions(if (fetch) 0 else 1)
    unit.io.unit <> port
    direct += fetch -> unit
    unit.io.port
  }
}

object PmpOption {
  private val sides = Map(true -> "fetch", false -> "data")

  def around(guard: PmpGuard, entries: Pmp, walks: Walks): Walks = {
    guard.io.pmp := entries
    guard.io.walker <> walks.port
    guard.io.descriptors <> walks.memory
    walks.copy(port = guard.io.walk, memory = guard.io.memory)
  }
}
