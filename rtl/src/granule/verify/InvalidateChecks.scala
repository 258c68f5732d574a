package granule.verify

import granule.arch.{Checks, MmuConfig, TableFormats}
import granule.mmu.{Holder, InvalidatePort, SweepOrder, SweptEntry, SweptInstall}
import spinal.core._
import spinal.lib._

/** The promise of [[InvalidatePort]], said a second time and plainly: from the cycle of `done` on,
  * nothing answers that the command covers and that was there when it was accepted; what came later
  * is not cleared for it; and what a walk brings that was under way then is not covered.
  *
  * What is covered [[InvalidateCovers]] says.
  *
  * @param installed an entry that a TLB takes, in the same cycle.
  * @param valid     a bit for each entry, in the order of [[SweepOrder]].
  * @param answering of these, the entries that a lookup may find.
  * @param kept      what is installed comes from the main TLB, which may hold what is covered yet.
  * @param cleared   an invalidation takes these away.
  * @param taken     and these of the main TLB, whose Bool is set.
  * @param walkBegins a walk is accepted; `walks`: one is under way.
  */
case class InvalidateChecks(
    config: MmuConfig,
    port: InvalidatePort,
    installed: Flow[SweptInstall],
    valid: Bits,
    answering: Bits,
    kept: Bool,
    cleared: Bits,
    taken: Seq[(SweptEntry, Bool)],
    walkBegins: Bool,
    walks: Bool
) extends Area {
  private val formats = TableFormats(config)
  private val order = SweepOrder(config)
  private val tables = B(order.ones(Holder.WalkCache), 1 << order.width bits)
  private val covers = InvalidateCovers(config)

  private val entries = Vec.fill(1 << order.width)(Reg(SweptEntry(formats)))
  private val owed = RegInit(B(0, 1 << order.width bits))
  private val command = RegNextWhen(port.cmd.payload, port.cmd.fire)
  private val overtaken = RegInit(False) // `command` came after the walk that is under way

  for ((entry, i) <- entries.zipWithIndex) {
    val arrives = installed.valid && installed.payload.number === i
    owed(i) clearWhen arrives || !valid(i)
    when(port.cmd.fire) {
      val held = CombInit(entry)
      when(arrives) { held := installed.payload.entry }
      owed(i) := (valid(i) || arrives) && covers(port.cmd.payload, held, tables(i))
    }
    when(arrives) { entry := installed.payload.entry }
  }
  private val complete = RegInit(False) setWhen port.done clearWhen port.cmd.fire
  assert(
    !(port.done || complete) || (owed & answering) === 0,
    "invalidation: an entry that it covers answers after `done`"
  )
  assert(
    (cleared & valid & ~owed) === 0,
    "invalidation: it takes an entry that it does not cover, or that came after it"
  )

  overtaken setWhen (port.cmd.fire && walks)
  overtaken clearWhen walkBegins
  assert(
    !(installed.valid && overtaken) ||
      !covers(command, installed.payload.entry, tables(installed.payload.number)),
    "invalidation: a walk that was under way brings what it covers"
  )

  assert(
    !(installed.valid && kept) ||
      !covers(command, installed.payload.entry, tables(installed.payload.number)),
    "invalidation: the main TLB answers what it covers"
  )

  for ((entry, goes) <- taken)
    assert(
      !goes || covers(command, entry, isTable = False),
      "invalidation: it takes an entry of the main TLB that it does not cover"
    )

  Checks.held("invalidate", port.cmd)
}
