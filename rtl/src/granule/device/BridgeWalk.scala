package granule.device

import granule.arch.{Checks, FaultStatus, TableFormats}
import granule.mmu.{VirtualAddress, WalkUnderWay}
import spinal.core._
import spinal.lib._

/** The walk that the bridge waits for, one at a time.
  *
  * {{{
  * in         it holds                    when                              to
  * idle       nothing                     asked                             asking
  * asking     a request                   the walker takes it               waiting
  *                                        an invalidation concerns it       ended
  * waiting                                leaf, fault or dropped            ended
  * ended      a leaf                      it is probed                      second
  *            a fault, or nothing         it is looked up                   replaying
  * second     a leaf                      at once                           replaying
  * replaying                              the outcome is there              idle
  * }}}
  *
  * What an invalidation concerns is nothing any more: the transaction is looked up, misses, and may
  * be walked again with what the context table says then. A leaf that is for one access alone is a
  * fault: a burst is not one access.
  */
case class BridgeWalk(unit: Translator, formats: TableFormats) extends Area {
  private val config = unit.config
  private val port = unit.io.walk

  object State extends SpinalEnum {
    val idle, asking, waiting, ended, second, replaying = newElement()
  }
  private[granule] val state = RegInit(State.idle)
  private def isIn(some: SpinalEnumElement[State.type]*) = some.map(state === _).orR

  private[granule] val request = Reg(LookupRequest(config))
  private val asid = Reg(Bits(formats.config.asidBits bits))
  private val high = Reg(Bool())
  private val faultStatus = Reg(Bits(6 bits))
  private val found, stale = Reg(Bool())
  val faulted = Reg(Bool())
  val leaf = RegNextWhen(port.walk.leaf.payload, state === State.waiting)
  def status: Bits = faultStatus

  /** An invalidation is accepted, and whether it concerns the walk. */
  val invalidated = Flow(Bool())
  private val concerned = invalidated.valid && invalidated.payload

  /** What was found may be installed. An invalidation of this cycle will see it in the TLB. */
  def installable: Bool = found && !stale

  switch(state) {
    is(State.idle) {
      found := False
      faulted := False
      stale := False
      when(unit.io.ask) { state := State.asking }
    }
    is(State.asking) {
      when(concerned) { state := State.ended } elsewhen (port.walk.cmd.fire) {
        state := State.waiting
      }
    }
    is(State.waiting) {
      val refused = port.walk.leaf.valid && port.walk.leaf.once
      when(port.walk.leaf.valid || port.walk.fault.valid || port.walk.dropped) {
        state := State.ended
        found := port.walk.leaf.valid && !port.walk.leaf.once && !stale && !concerned
        faulted := (port.walk.fault.valid || refused) && !stale && !concerned
      }
      faultStatus := refused ? FaultStatus.accessAbort | port.walk.fault.status
    }
    is(State.ended) {
      when(unit.io.replay.ready) { state := probes ? State.second | State.replaying }
    }
    is(State.second) { state := State.replaying }
  }
  val overtaken = state === State.waiting && concerned
  private def probes = found && !stale
  when(concerned && state =/= State.idle) { stale := True }

  /** The outcome of the walk's lookup is there. */
  def ended(): Unit = state := State.idle

  /** What is walked when `unit.io.ask` says so: the lookup whose outcome is there. */
  def asked(lookup: LookupRequest, ofAsid: Bits, canonical: Bool): Unit =
    when(state === State.idle) {
      request := lookup
      asid := ofAsid
      high := canonical
    }

  def isIdle: Bool = state === State.idle

  private val transaction = request.transaction
  port.root := request.context.streamRoot
  // Withheld when an invalidation comes, which must find nothing that begins beside it.
  port.walk.cmd.valid := state === State.asking && !invalidated.valid
  port.walk.cmd.va := transaction.va
  port.walk.cmd.highCanonical := high
  port.walk.cmd.access := transaction.access
  port.walk.cmd.el1 := request.context.privileged
  port.walk.cmd.pan := False
  port.walk.cmd.mxr := False
  port.walk.cmd.translateOnly := False
  port.walk.leaf.ready := True

  unit.io.replay.valid := isIn(State.ended, State.second)
  unit.io.replay.kind := (state === State.ended && probes) ? LookupKind.probe | LookupKind.walked
  unit.io.replay.write := transaction.write
  unit.io.replay.slot := request.slot

  val underWay = WalkUnderWay(formats)
  underWay.upper := VirtualAddress.upper(transaction.va)
  underWay.asid := asid
  underWay.mayStore := False // the walker's own invalidation waits for that

  Checks {
    val ends = port.walk.leaf.valid || port.walk.fault.valid || port.walk.dropped
    assert(!ends || isIn(State.waiting), "bridge walk: a walk ends that nobody waits for")
  }
}
