package granule.cpu

import spinal.core._

/** Why no instruction retires in a cycle; `none`: one retires. A cycle has exactly one reason, so
  * cycles are instructions and all reasons together. Numbers are those of [[PerfEvent.second]].
  */
object Stall extends SpinalEnum(binarySequential) {
  val none, icache, itlb, branch, flush, hazard, load, store, walk, divide, system, idle =
    newElement()

  val events: Seq[(SpinalEnumElement[Stall.type], PerfEvent)] = Seq(
    icache -> PerfEvent("stall_icache", "cycles lost: fetch waited for the instruction cache"),
    itlb -> PerfEvent("stall_itlb", "cycles lost: fetch waited for its translation"),
    branch -> PerfEvent("stall_branch", "cycles lost behind jumps and branches that steer fetch"),
    flush -> PerfEvent("stall_flush", "cycles lost to traps, and behind returns and fences"),
    hazard -> PerfEvent("stall_hazard", "cycles lost: an operand was not there yet"),
    load -> PerfEvent("stall_load", "cycles lost: a load waited for the data cache"),
    store -> PerfEvent("stall_store", "cycles lost: a store or atomic waited for the data cache"),
    walk -> PerfEvent("stall_walk", "cycles lost: a load or store waited for its translation"),
    divide -> PerfEvent("stall_divide", "cycles lost: a division was under way"),
    system -> PerfEvent("stall_system", "cycles lost: CSR instructions and fences run alone"),
    idle -> PerfEvent("stall_idle", "cycles in wfi")
  )
}

/** What the caches wait for, a cycle late, as the core needs it to tell [[Stall]]s apart.
  *
  * @field fetchTranslates  a fetch has no translation yet.
  * @field fetchFills       the instruction cache fills a line, or is busy otherwise.
  * @field dataTranslates   a load or store has no translation yet.
  */
case class CacheWaits() extends Bundle {
  val fetchTranslates, fetchFills, dataTranslates = Bool()
}

/** Tells for each cycle why no instruction retires in it ([[Stall]]).
  *
  * Write-back knows why it waits itself. A stage without an instruction has a register with the
  * reason, which goes on with the bubble: `decode`, `execute` and `memory` give it when one begins.
  *
  * A bubble that fetch begins is its translation's or the cache's if one of them is waited for.
  * Otherwise the reason is the last thing that kept fetch from delivering since it last did.
  */
case class StallReasons(waits: CacheWaits) extends Area {
  private def register() = RegInit(Stall.flush()) // reset begins with empty stages
  private val fetch, x, m, w = register()
  private def chosen(otherwise: => Stall.C)(cases: (Bool, Stall.C)*): Stall.C =
    cases.foldRight(otherwise) { case ((condition, reason), rest) => Mux(condition, reason, rest) }

  private val waited = Seq(
    waits.fetchTranslates -> Stall.itlb(),
    waits.fetchFills -> Stall.icache()
  )

  /** A data access waits, of a load or of something else. */
  private def data(slot: Slot): Stall.C =
    chosen(Stall.store())(waits.dataTranslates -> Stall.walk(), slot.loads -> Stall.load())

  /** `moves`: execute takes what decode has, be it nothing. */
  def decode(moves: Bool, flush: Bool, steers: Bool, delivered: Bool, serial: Bool): Unit = {
    val empty = chosen(fetch)(waited: _*)
    fetch := chosen(empty)(
      flush -> Stall.flush(),
      steers -> Stall.branch(),
      delivered -> Stall.icache()
    )
    when(moves) {
      x := chosen(Stall.hazard())(
        flush -> Stall.flush(),
        steers -> Stall.branch(),
        !delivered -> empty,
        serial -> Stall.system()
      )
    }
  }

  /** `blocked`: its data command is not taken; `killed`: by a branch. */
  def execute(moves: Bool, flush: Bool, killed: Bool, blocked: Bool, slot: Slot): Unit =
    when(moves) {
      m := chosen(x)(
        flush -> Stall.flush(),
        killed -> Stall.branch(),
        blocked -> data(slot)
      )
    }

  /** `slot` is not done, or the stage is empty. */
  def memory(moves: Bool, flush: Bool, valid: Bool, slot: Slot): Unit =
    when(moves) {
      w := chosen(m)(
        flush -> Stall.flush(),
        (valid && slot.is(SystemOp.wfi)) -> Stall.idle(),
        (valid && slot.isSystem) -> Stall.system(),
        valid -> Stall.divide()
      )
    }

  /** Of this cycle. */
  def writeBack(valid: Bool, waiting: Bool, trapped: Bool, slot: Slot): Stall.C =
    chosen(Stall.none())(
      !valid -> w,
      waiting -> data(slot),
      trapped -> Stall.flush()
    )
}
