package granule.bench

import granule.arch.{Checks, MmuConfig, Sctlr, TableFormats, Tcr}
import granule.mmu.{Mmu, TranslatePort, Walker}
import granule.options.MmuOptions
import spinal.core._
import spinal.lib._

/** Watches an [[Mmu]] in simulation and prints each cell of the matrix of [[Scenarios]] when it is
  * reached for the first time: `matrix: EVENT TIME ENTRY`, the first two as numbers.
  *
  * An event meets an entry when a walk for the same page ends with a leaf. That is the walk which
  * it met, or a later one where that was killed or ended with a fault. Where a walk began is said
  * of the walk that the event met, and of no other. One event is remembered at a time.
  */
case class ScenarioMonitor(mmu: Mmu) extends Area {
  private val formats = TableFormats(mmu.config)
  private val walker = mmu.children.collectFirst { case w: Walker => w }.get
  private val reset = Bool()
  reset := ClockDomain.current.isResetActive

  // What is remembered of a scenario must survive a reset, which may be its event.
  private val always = ClockDomain.current.withBootReset()

  private val watch = new ClockingArea(always) {
    private def number(side: Scenarios.Side, name: String) = side.indexWhere(_._1 == name)
    private def at(time: String) = U(number(Scenarios.times, time), 4 bits)
    private def flag(set: Bool, clear: Bool) =
      RegInit(False) setWhen set clearWhen (clear || reset)

    // ---- times ---------------------------------------------------------------------------------
    val (cmd, memory) = (walker.io.walk.cmd, walker.io.memory)
    val begins = cmd.fire && !cmd.translateOnly
    val leaf = walker.io.walk.leaf.fire
    val under = RegInit(False)
    when(begins) { under := True }
    when(leaf || walker.io.walk.fault.valid || walker.io.walk.dropped || reset) { under := False }
    val va = RegNextWhen(cmd.va, begins) init 0
    val onItsWay = flag(memory.cmd.fire, memory.rsp.valid)
    val reads = flag(memory.cmd.fire, begins)
    val swaps = RegNextWhen(memory.cmd.swap, memory.cmd.fire) init False
    val ports = Seq(mmu.io.data, mmu.io.fetch)
    def pageOf(va: UInt) = va >> 12
    val leafBefore = RegNext(leaf && under) init False
    val answers = leafBefore && ports.map(p => p.cmd.fire && pageOf(p.cmd.va) === pageOf(va)).orR

    val rows = Seq(
      "install" -> (leaf && under),
      "answer" -> answers,
      "after" -> (RegNext(answers) init False),
      "start" -> (under && (RegNext(begins) init False)),
      "offer" -> (under && memory.cmd.valid && !memory.cmd.swap),
      "offer_swap" -> (under && memory.cmd.valid && memory.cmd.swap),
      "arrival" -> (under && memory.rsp.valid && !swaps),
      "swapped" -> (under && memory.rsp.valid && swaps),
      "read" -> (under && onItsWay && !swaps),
      "swap" -> (under && onItsWay && swaps),
      "judge" -> under,
      "accepted" -> begins
    )
    val time = PriorityMux(rows.map { case (name, here) =>
      here -> at(name)
    })
    val timed = rows.map(_._2).orR

    // ---- events --------------------------------------------------------------------------------
    val invalidation = mmu.io.invalidate.cmd
    def changes(word: Bits) = word =/= RegNext(word)
    val silent = RegInit(U(0, 7 bits))
    when(memory.rsp.valid || !(memory.cmd.isStall || onItsWay)) { silent := 0 } elsewhen
      (!silent.andR) { silent := silent + 1 }
    val context = mmu.io.context
    val happens = Seq(
      "va" -> (invalidation.fire && invalidation.isVa),
      "asid" -> (invalidation.fire && invalidation.isAsid),
      "range" -> (invalidation.fire && invalidation.isRange),
      "all" -> (invalidation.fire && invalidation.isAll),
      "reset" -> (reset && !(RegNext(reset) init True)),
      "off" -> (!Sctlr.m.bool(context.sctlr) && RegNext(Sctlr.m.bool(context.sctlr))),
      "granule" -> changes(Tcr.tg.lower.of(context.tcr)),
      "context" -> changes(context.ttbr0),
      "bus_error" -> (memory.rsp.valid && memory.rsp.error),
      "timeout" -> (silent === 64 && !memory.rsp.valid)
    )
    val event = PriorityMux(happens.map { case (name, here) =>
      here -> U(number(Scenarios.events, name), 4 bits)
    })
    val happened = happens.map(_._2).orR

    // An event that waits for its entry. `Met`: the walk that it met goes on. `Reads`: that walk
    // has begun to read, and `Table` says where.
    val pending, pendingMet, pendingReads, pendingTable = RegInit(False)
    val pendingEvent, pendingTime = RegInit(U(0, 4 bits))
    val pendingPage = RegInit(U(0, 52 bits))

    // ---- entries -------------------------------------------------------------------------------
    val found = walker.io.walk.leaf.payload
    def leafOf(granule: Int, size: Int) = {
      val i = formats.granules.indexWhere(_.log2Bytes == granule)
      if (i < 0) False
      else found.granule(i) && found.span === B(formats.spans.code(size), found.span.getWidth bits)
    }
    val sizes = Seq(
      "page_4k" -> leafOf(12, 12),
      "page_16k" -> leafOf(14, 14),
      "page_64k" -> leafOf(16, 16),
      "block_1g" -> leafOf(12, 30),
      "block_2m" -> leafOf(12, 21),
      "block_32m" -> leafOf(14, 25),
      "block_512m" -> leafOf(16, 29)
    )
    val fromTable = RegInit(False)
    when(begins) { fromTable := False }
    val takesTable = walker.io.events.cachedLast || walker.io.events.cachedUpper
    when(takesTable) { fromTable := True }
    def kinds(table: Bool, root: Bool) = sizes ++ Seq(
      "group" -> !sizes.map(_._2).orR,
      "global" -> found.global,
      "table" -> table,
      "root" -> root
    )
    def bits(kinds: Seq[(String, Bool)]) = kinds.map(_._2).asBits()
    val ofThisWalk = kinds(fromTable, !fromTable)
    val ofItsWalk = bits(kinds(pendingReads && pendingTable, pendingReads && !pendingTable))
    val ofLastWalk = RegNextWhen(bits(ofThisWalk), leaf) init 0

    // ---- cells ---------------------------------------------------------------------------------
    val page = pageOf(under ? va | cmd.va)
    val (eventBefore, happenedBefore) = (RegNext(event) init 0, RegNext(happened) init False)
    val meets = pending && pendingPage === page
    val settled = answers || (RegNext(answers) init False)
    when(leaf && under && meets) { pending := False }
    when(pendingMet && memory.cmd.fire && !pendingReads) {
      pendingReads := True
      pendingTable := takesTable
    }
    when(!under) { pendingMet := False }
    when(happened && timed && !(leaf && under) && !settled) {
      pending := True
      pendingEvent := event
      pendingTime := time
      pendingPage := page
      pendingMet := True
      pendingReads := under && (reads || memory.cmd.fire)
      pendingTable := fromTable || takesTable
    }
    when(begins && happenedBefore && !happened && !RegNext(under)) {
      pending := True
      pendingEvent := eventBefore
      pendingTime := at("before")
      pendingPage := page
      pendingMet := True
      pendingReads := False
    }
    val vmsa = context.satp === 0
    val now = happened && (leaf && under || settled)
    val said = vmsa && (now || leaf && under && meets)
    val saidEvent = now ? event | pendingEvent
    val saidTime = now ? time | pendingTime
    val saidKind = settled ? ofLastWalk | (now ? bits(ofThisWalk) | ofItsWalk)

    def say(here: Bool, event: UInt, time: UInt, entry: String): Unit = {
      val seen = RegInit(B(0, 256 bits))
      val cell = event @@ time
      when(here && !seen(cell)) {
        seen(cell) := True
        report(L"matrix: $event $time $entry")
      }
    }
    for (((name, _), i) <- ofThisWalk.zipWithIndex)
      say(said && saidKind(i), saidEvent, saidTime, name)

    def hits(port: TranslatePort) = {
      val first = RegNext(!port.cmd.isStall) init False
      port.cmd.fire && first && !port.cmd.untranslated && !port.rsp.fault &&
      Sctlr.m.bool(context.sctlr)
    }
    val hit = ports.map(hits).orR && vmsa
    val hitBefore = RegNext(hit) init False
    say(hit && happened, event, at("answer"), "warm")
    say(hit && happenedBefore, eventBefore, at("before"), "warm")
    say(hitBefore && happened, event, at("after"), "warm")
  }
}

/** The MMU, watched where there are checks. */
class WatchedMmu(config: MmuConfig) extends Mmu(config, options = MmuOptions.of(config)) {
  Checks { ScenarioMonitor(this) }
}
