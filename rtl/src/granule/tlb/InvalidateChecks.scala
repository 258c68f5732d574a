package granule.tlb

import granule.config.MmuConfig
import granule.format.{TableFormats, TlbiOperand}
import granule.port.{Checks, InvalidateCmd, InvalidatePort}
import spinal.core._
import spinal.lib._

/** The promise of [[InvalidatePort]], said a second time and plainly: from the cycle of `done` on,
  * nothing answers that the command covers and that was there when it was accepted; what came later
  * is not cleared for it; and what a walk brings that was under way then is not covered.
  *
  * [[InvalidateScope]] says what is covered with as few gates as it can. Here addresses are numbers
  * of pages of 4K, with a sign, and everything is compared at once.
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
  private val pageBits = 60
  private def page(number: Bits): SInt = number.asSInt.resize(pageBits)

  private def covers(command: InvalidateCmd, entry: SweptEntry, isTable: Bool): Bool = {
    val operand = command.operand
    val finer = formats.pageShift - 12
    val first = page(entry.firstPage ## B(0, finer bits))
    val last = first | page(B"0" ## formats.sweptSpans.mask(entry.span, 12, formats.vaBits))
    val ours = entry.asid.resize(16) === TlbiOperand.asid.of(operand)
    val concerned = command.anyAsid || entry.global || ours

    val va = page(TlbiOperand.va.of(operand))
    val there = va >= first && va <= last
    val inRange = formats.granules.zipWithIndex.map { case (granule, i) =>
      val pages = granule.log2Bytes - 12
      val base = page(TlbiOperand.base.of(operand))
      val start =
        if (config.largeRangeBase) command.ds ? (base |<< 4) | (base |<< pages)
        else base |<< pages
      val units = (TlbiOperand.num.of(operand).asUInt +^ 1) << (1 + pages)
      val scale = TlbiOperand.scale.of(operand).asUInt
      val length = units.resize(pageBits) |<< (scale * 5)
      val sameHalf = entry.firstPage.msb === TlbiOperand.base.msb(operand)
      TlbiOperand.tg.of(operand).asUInt === granule.tlbiTg && entry.granule(i) && sameHalf &&
      last >= start && first < start + length.asSInt
    }.orR

    val covered = command.isAll || command.isAsid && !entry.global && ours ||
      command.isVa && there && concerned || command.isRange && inRange && concerned
    covered && !(isTable && command.lastLevelOnly)
  }

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
  if (config.suspects)
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
