package granule.verify

import granule.arch.CoverPoint
import granule.ip.MmuIp
import granule.mmu.{InvalidatePort, SparingInvalidate}
import spinal.core._
import spinal.lib._

/** The promise of posted invalidations, said a second time and from the agents' side: what was sent
  * before a sync was told to every agent that it does not spare, and is complete there when the
  * sync is.
  *
  * @param sent   a command of software is taken, by whatever keeps it; `held`: it waits for room.
  * @param syncs  software is told in this cycle that all that it sent is complete.
  * @param waits  ... or waits for that.
  * @param sfence the other sender, which spares nobody and may be open beside; `fences`: what the
  *               agents are told in this cycle is its command. One of them may have done it before
  *               the other takes it.
  * @param agents the CPU's MMU, and that of devices.
  */
case class PostedChecks(
    sent: Flow[SparingInvalidate],
    held: Bool,
    syncs: Bool,
    waits: Bool,
    sfence: InvalidatePort,
    fences: Bool,
    agents: Seq[InvalidatePort]
) extends Area {
  private val spares = Seq(sent.spared.cpu, sent.spared.devices)
  private val fenced = RegInit(False)
  private val fence = !fenced && (fences && agents.map(_.cmd.fire).orR || sfence.cmd.fire)
  fenced setWhen fence clearWhen sfence.done
  private val owed = for ((agent, spared) <- agents.zip(spares)) yield {
    val count = Reg(UInt(8 bits)) init 0
    val more = (sent.valid && !spared).asUInt +^ fence.asUInt
    count := count + more - agent.done.asUInt
    assert(
      !agent.done || count =/= 0,
      "invalidation: an agent completes what nobody sent to it"
    )
    assert(
      !syncs || fenced || count === agent.done.asUInt.resize(8),
      "invalidation: a sync is complete, and an agent is not"
    )
    count
  }

  CoverPoint("posted.held")(held)
  CoverPoint("posted.sync_waits")(waits)
  CoverPoint("posted.devices_are_last")(waits && owed.head === 0 && owed.last =/= 0)
  CoverPoint("posted.spares_cpu")(sent.valid && sent.spared.cpu)
  CoverPoint("posted.spares_devices")(sent.valid && sent.spared.devices)
  CoverPoint("posted.sfence_between")(fenced && owed.map(_ > 1).orR)
}

object PostedChecks {

  /** Those of a block whose TLBIs are posted. */
  def of(ip: MmuIp): Unit = {
    import ip.{invalidate, mmu, registers}
    val offered = registers.queue.io.sent.valid.pull()
    val taken = registers.queue.io.sent.ready.pull()
    val sent = Flow(SparingInvalidate())
    sent.valid := offered && taken
    sent.payload := registers.queue.io.sent.payload.pull()
    PostedChecks(
      sent,
      held = offered && !taken,
      syncs = registers.sync.ended.pull(),
      waits = registers.sync.waiting.pull(),
      ip.io.sfence,
      fences = invalidate.arbiter.io.chosenOH(0),
      agents = Seq(mmu.io.invalidate, ip.io.invalidate)
    )
  }
}
