package granule.ip

import granule.arch.{Checks, MmuConfig, MmuContext}
import granule.mmu._
import granule.options._
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.Apb3

/** The MMU as an IP block: [[Mmu]] with its register block.
  *
  * Ports: `fetch` and `data` translate ([[TranslatePort]]), `walk` reads descriptors
  * ([[WalkMemoryPort]]), `sfence` invalidates on behalf of the CPU beside TLBI_COMMAND, `fault` is
  * recorded in ESR and FAR, `satp` and `pmp` are the CPU's; satp joins the context. While no
  * register turns translation on, all accesses are untranslated. Latencies are those of [[Mmu]] and
  * [[MmuRegisters]].
  *
  * @param devices there is another MMU, of devices: `context` are its registers, and `invalidate`
  *                takes every invalidation to it that does not spare it. None is complete before
  *                both have done it.
  */
case class MmuIp(config: MmuConfig, devices: Boolean = false) extends Component {
  val io = new Bundle {
    val apb = slave(Apb3(MmuRegisters.apbConfig))
    val fetch = slave(TranslatePort(config.paWidth))
    val data = slave(TranslatePort(config.paWidth))
    val walk = master(WalkMemoryPort(config.paWidth, config.descriptorBits))
    val sfence = slave(InvalidatePort())
    val fault = slave(Flow(FaultReport()))
    val satp = in(Bits(64 bits))
    val pmp = config.pmp generate in(Pmp(config.pmpEntries))
    val events = out(MmuEvents())
    val context = devices generate out(MmuContext())
    val invalidate = devices generate master(InvalidatePort())
  }

  private[granule] val mmu = Mmu(config, bare = true, MmuOptions.of(config))
  private[granule] val registers = MmuRegisters(config)

  mmu.io.fetch <> io.fetch
  mmu.io.data <> io.data
  mmu.io.walk <> io.walk
  mmu.io.context := registers.io.context
  if (devices) io.context := registers.io.context
  io.events := mmu.io.events
  registers.io.apb <> io.apb
  registers.io.fault << io.fault
  registers.io.satp := io.satp
  mmu.options.foreach {
    case pmp: PmpOption =>
      pmp.entries := io.pmp
      pmp.machine(true) := io.fetch.cmd.untranslated
      pmp.machine(false) := io.data.cmd.untranslated
    case hashed: HashedTableOption => hashed.control := registers.io.htab
    case at: AddressTranslateOption =>
      at.cmd << registers.io.at
      registers.io.par := at.par
    case readOut: TlbReadOut =>
      readOut.selected := registers.io.selected
      registers.io.view := readOut.view
      registers.io.viewKey := readOut.key
      registers.io.sweeping := readOut.sweeping
    case _ =>
  }

  /** Two senders; `done` belongs to the one whose command was accepted last: one is open. What is
    * posted and SFENCE.VMA have no order: neither waits for the other to be complete.
    */
  private[granule] val invalidate = new Area {
    val senders = Seq(io.sfence, registers.io.invalidate)
    // A command that was offered stays, even if one that goes first comes meanwhile.
    val arbiter =
      StreamArbiterFactory().lowerFirst.transactionLock.build(InvalidateCmd(), senders.size)
    val broadcast = devices generate InvalidateBroadcast()
    val all = if (devices) broadcast.io.sender else mmu.io.invalidate
    if (devices) {
      broadcast.io.cpu <> mmu.io.invalidate
      broadcast.io.devices <> io.invalidate
      broadcast.io.spared.assignFromBits(
        if (config.posts) registers.io.spared.asBits.andMask(arbiter.io.chosenOH(1))
        else B(0, 2 bits)
      )
    }
    arbiter.io.output >> all.cmd
    val turn = RegNextWhen(arbiter.io.chosenOH, all.cmd.fire)
    for ((sender, i) <- senders.zipWithIndex) {
      arbiter.io.inputs(i) << sender.cmd
      sender.done := all.done && turn(i)
    }
  }

  Checks.end(this)
}
