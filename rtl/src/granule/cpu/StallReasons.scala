package granule.cpu

import granule.cache.L1Op
import spinal.core._

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
  private def data(op: L1Op.C): Stall.C = chosen(Stall.store())(
    waits.dataTranslates -> Stall.walk(),
    (op === L1Op.load || op === L1Op.lr) -> Stall.load()
  )

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
  def execute(moves: Bool, flush: Bool, killed: Bool, blocked: Bool, op: L1Op.C): Unit =
    when(moves) {
      m := chosen(x)(
        flush -> Stall.flush(),
        killed -> Stall.branch(),
        blocked -> data(op)
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
  def writeBack(valid: Bool, waiting: Bool, trapped: Bool, op: L1Op.C): Stall.C =
    chosen(Stall.none())(
      !valid -> w,
      waiting -> data(op),
      trapped -> Stall.flush()
    )
}
