package granule.cache

import granule.arch.{Checks, CoverPoint, MmuConfig}
import granule.mmu.{TranslatePort, WalkMemoryPort}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Level-1 data cache: write-back, write-allocate, tagged by physical address, and indexed by
  * virtual or physical address ([[granule.cache.Aliases]]; lines and their copies are
  * [[LineEngine]]'s). Serves the CPU ([[CpuSide]]) and the walker ([[WalkSide]]), which know their
  * own accesses; here are the arrays, the engine, and whose turn it is.
  *
  * {{{
  *   c0   whose address the arrays get: the engine's, the walker's, the CPU's
  *   c1   tags compared; a miss goes to the engine; a load, store or LR that hits is answered
  *   c2   way selected, data of that answer; SC, AMO and the walker's swap compare and store
  * }}}
  *
  * docs/mmu.md has the same stages beside those of the MMU. A load, store or LR that hits is
  * answered in c1, and another can be accepted in that cycle; SC and AMO take one cycle more. The
  * walker goes first.
  *
  * For a write-back that fails on the bus `asyncError` pulses and the line is lost. `stored` traces
  * every store of the CPU in the cycle after it was performed, uncached ones included.
  *
  * `maintain` waits until the engine is free and holds back new commands of the CPU. After reset
  * the cache invalidates itself, one set a cycle; commands wait for that.
  */
case class L1Data(config: CacheConfig, paWidth: Int, map: PhysicalMap, walkWidth: Int = 64)
    extends Component {
  val io = new Bundle {
    val cpu = slave(L1DataPort())
    val walk = slave(WalkMemoryPort(paWidth, walkWidth))
    val translate = master(TranslatePort(paWidth))
    val vacancy = master(VacancyPort(paWidth))
    val axi = master(Axi4(MemoryBus.axiConfig(paWidth)))
    val uncached = master(Axi4(MemoryBus.axiConfig(paWidth)))
    val maintain = slave(L1MaintainPort())
    val events = out(L1DataEvents())
    val stored = master(Flow(StoreTrace(paWidth)))
    val asyncError = out(Bool())
  }
  private val geometry = CacheGeometry(config, paWidth, wordBytes = 8)
  private val arrays = LineArrays(geometry)
  private val engine = LineEngine(geometry)
  private val cpu = CpuSide(geometry, map, io.cpu, io.translate, io.vacancy)
  private val walk = WalkSide(geometry, map, io.walk)
  engine.io.axi >> io.axi
  cpu.uncachedBus >> io.uncached
  io.stored << cpu.trace

  // ---- c1: lookup -------------------------------------------------------------------------------
  private val lookupSet = Mux(walk.lookup, walk.set, cpu.set)
  private val lookupWord = Mux(walk.lookup, geometry.word(walk.address), cpu.word)
  // A new access is translated in this very cycle; of all others the tag is in a register.
  private val fresh = Reg(Bool())
  private val heldTag = Reg(geometry.tagType)
  private val hits =
    arrays.io.tags.map(_.hits(fresh, geometry.tag(io.translate.rsp.pa), heldTag)).asBits()
  private val hit = hits.orR

  /** A hit that is enough for what is wanted: nobody writes to a line that has copies. */
  private def enough(writes: Bool) =
    if (geometry.copies) hit && (!writes || (hits & arrays.io.tags.map(_.owned).asBits()).orR)
    else hit
  cpu.told.enough := enough(cpu.owns)
  walk.told.enough := enough(walk.cmd.swap)

  private val storing = PendingStore(geometry)
  private val words = storing.over(arrays.io.data, lookupSet, lookupWord)

  /** What c1 leaves for c2, where the way is selected: which one hits is known too late before. */
  private case class Lookup() extends Bundle {
    val used = Bool()
    val hits = geometry.waysType
    val set = geometry.setType
    val words = Vec(Bits(64 bits), config.ways)
  }
  private val c1 = Lookup()
  c1.used := cpu.hit || walk.hit
  c1.hits := hits
  c1.set := lookupSet
  c1.words := words
  private val c2 = RegNext(c1)
  c2.used init False

  // ---- c2 ---------------------------------------------------------------------------------------
  private val found = MuxOH.or(c2.hits, c2.words, bypassIfSingle = true)
  engine.io.use.valid := c2.used
  engine.io.use.set := c2.set
  engine.io.use.ways := c2.hits
  storing.complete(found)
  cpu.told.found := found
  walk.told.found := found

  // ---- stores: c1 of a store, c2 of SC, AMO and compare-and-swap --------------------------------
  private val stepping = cpu.steps || walk.stepping
  private val stepWays = if (walk.wide) RegNextWhen(hits, !walk.steps) else c2.hits
  storing.valid := cpu.stores || walk.swaps
  storing.ways := Mux(stepping, stepWays, hits)
  storing.set := Mux(walk.stepping, walk.set, cpu.set)
  storing.word := Mux(walk.stepping, walk.word, cpu.word)
  storing.early := Mux(walk.stepping, walk.desired, cpu.stored)
  storing.keeps := cpu.keeps & Repeat(!walk.stepping, 8)

  engine.io.store.valid := storing.valid
  engine.io.store.set := storing.set
  engine.io.store.ways := storing.ways

  // A swap by the walker and the line's departure end the CPU's reservation.
  cpu.told.lostLine.valid := walk.swaps || engine.io.dropped.valid
  cpu.told.lostLine.payload := Mux(
    walk.stepping,
    geometry.line(walk.cmd.address),
    engine.io.dropped.payload
  )
  cpu.told.lostAll := engine.io.droppedAll

  // ---- the engine -------------------------------------------------------------------------------
  private object Owner extends SpinalEnum(binarySequential) {
    val nobody, cpu, walk, maintain = newElement()
  }
  private val owner = Reg(Owner()) init Owner.nobody
  private val engineDone = engine.io.done.valid
  private def filledFor(who: Owner.E) = {
    val filled = Flow(LineDone(geometry))
    filled.valid := engineDone && owner === who
    filled.payload := engine.io.done.payload
    filled
  }
  cpu.told.filled := filledFor(Owner.cpu)
  walk.told.filled := filledFor(Owner.walk)

  private val quiet = !engine.io.busy && !(cpu.lookup && cpu.known) && !walk.lookup && !stepping &&
    !storing.valid
  private val sweeps = io.maintain.cmd.valid && !cpu.known && quiet
  cpu.told.quiet := quiet

  engine.io.cmd.valid := cpu.misses || walk.misses || walk.flushes || cpu.maintains || sweeps
  engine.io.cmd.op := Mux(cpu.maintains || walk.flushes, LineOp.line(), LineOp.fill())
  engine.io.cmd.line := geometry.line(Mux(walk.lookup, walk.cmd.address, cpu.pa))
  engine.io.cmd.set := (if (geometry.physical) Mux(walk.lookup, walk.set, geometry.set(cpu.pa))
                        else lookupSet)
  if (geometry.copies) engine.io.cmd.own := Mux(walk.lookup, walk.cmd.swap, cpu.owns)
  engine.io.cmd.inPlace := walk.lookup
  engine.io.cmd.clean := walk.lookup || cpu.cleans
  engine.io.cmd.invalidate := walk.lookup || cpu.invalidates
  when(sweeps) {
    engine.io.cmd.op := LineOp.sweep
    engine.io.cmd.clean := io.maintain.cmd.clean
    engine.io.cmd.invalidate := io.maintain.cmd.invalidate
  }
  when(engineDone) { owner := Owner.nobody }
  when(cpu.misses || cpu.maintains) { owner := Owner.cpu }
  when(walk.waitsForEngine) { owner := Owner.walk }
  when(sweeps) { owner := Owner.maintain }

  io.maintain.done := engineDone && owner === Owner.maintain
  io.maintain.cmd.ready := io.maintain.done
  io.asyncError := engine.io.events.writebackError

  // ---- c0: who reads the arrays next ------------------------------------------------------------
  // Early in the cycle.
  private val slot = (!engine.io.busy || (engineDone && !cpu.again && !walk.again)) &&
    !cpu.holds && !walk.holds
  walk.told.slot := slot
  walk.told.spare := !cpu.wants
  walk.told.void := engine.io.cmd.valid
  cpu.told.slot := slot
  cpu.told.taken := walk.takes
  cpu.told.closed := walk.waits || io.maintain.cmd.valid
  cpu.told.void := walk.misses || walk.flushes

  arrays.io.read.valid := !engine.io.busy || engineDone
  arrays.io.read.set := Mux(walk.takes, walk.readSet, cpu.readSet)
  arrays.io.read.word := Mux(walk.takes, geometry.word(walk.readAddress), cpu.readWord)
  when(engine.io.read.valid) { arrays.io.read := engine.io.read }

  fresh := !walk.takes && !cpu.goes
  when(walk.takes) {
    heldTag := geometry.tag(walk.readAddress)
  } elsewhen (cpu.goes) {
    heldTag := cpu.readTag
  }

  arrays.io.tagWrite << engine.io.tagWrite
  arrays.io.dataWrite.valid := storing.valid || engine.io.dataWrite.valid
  arrays.io.dataWrite.payload := Mux(
    storing.valid,
    storing.write.payload,
    engine.io.dataWrite.payload
  )
  engine.io.tags := arrays.io.tags
  engine.io.data := arrays.io.data

  // ---- events, one cycle late -------------------------------------------------------------------
  private val events = L1DataEvents()
  events.access := cpu.accesses || walk.accesses
  events.miss := engine.io.events.miss
  events.evict := engine.io.events.evict
  events.writeback := engine.io.events.writeback
  events.aliasMove := engine.io.events.aliasMove
  events.stall := cpu.stalls
  events.translates := io.translate.cmd.isStall
  io.events := RegNext(events)

  Checks {
    val faults = io.cpu.rsp.valid && io.cpu.rsp.fault.valid
    Checks.held("data cache: command", io.cpu.cmd, mayGo = faults)
    Checks.held("data cache: walk", io.walk.cmd)
    Checks.atMostOne("data cache: two look up", cpu.lookup, walk.lookup)
    Checks.atMostOne("data cache: two are about to look up", cpu.begins, walk.takes)
    Checks.atMostOne("data cache: two store", cpu.stores, walk.swaps)
    Checks.atMostOne(
      "data cache: the engine has two commands",
      cpu.misses,
      walk.misses,
      walk.flushes,
      cpu.maintains,
      sweeps
    )
    assert(
      !RegNext(cpu.again, init = False) || cpu.hit,
      "data cache: the line that was filled for the CPU is not there"
    )
    Checks.atMostOne("data cache: a line is in two ways", hits.andMask(c1.used))
    // While the CPU's own access misses, or is maintenance, none of its lookups is begun.
    assert(
      !cpu.begins || !(cpu.misses || cpu.maintains || sweeps),
      "data cache: a lookup of the CPU begins while the engine does"
    )
    // Nobody waits for what follows reset, nor for a walker's line that is dropped when it is used.
    val dropsUsed = walk.flushes && !walk.waitsForEngine
    val unawaited = RegNextWhen(dropsUsed, engine.io.cmd.valid) init True
    assert(
      !engineDone || (owner === Owner.nobody) === unawaited,
      "data cache: the engine has done something, and not for whom it was asked"
    )

    val (fromStore, fromLast) = storing.forwards(lookupSet, lookupWord, hits.andMask(c1.used))
    CoverPoint("l1data.walk_first")(walk.takes && cpu.wants && io.cpu.cmd.valid)
    CoverPoint("l1data.forwards")(fromStore)
    CoverPoint("l1data.forwards_late")(fromLast && !fromStore)
    CoverPoint("l1data.reservation_lost")(walk.swaps && cpu.reservation.ends)
    if (geometry.physical) CoverPoint("l1data.looks_again")(cpu.inWrongSet)
    CoverPoint("l1data.maintenance_waits")(io.maintain.cmd.valid && cpu.known)
  }
}

object L1Data {

  /** With the signal names of the AXI specification, as bus models of test benches want them. */
  def withAxiNames(config: CacheConfig, mmu: MmuConfig, map: PhysicalMap): L1Data = {
    val unit = L1Data(config, mmu.paWidth, map, mmu.descriptorBits)
    Axi4SpecRenamer(unit.io.axi)
    Axi4SpecRenamer(unit.io.uncached)
    unit
  }
}
