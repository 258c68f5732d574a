package granule.cache

import granule.config.{CacheConfig, MmuConfig, PhysicalMap}
import granule.format.FaultStatus
import granule.port._
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Level-1 data cache: write-back, write-allocate, tagged by physical address, and indexed by
  * virtual or physical address ([[granule.config.Aliases]]; lines and their copies are
  * [[LineEngine]]'s). Serves the CPU and the walker.
  *
  * {{{
  *   c0   cmd fires and is announced to the translate port; arrays are addressed with the VA
  *   c1   translate port asked, tags compared with its answer, rsp
  *   c2   way selected, data of rsp
  * }}}
  *
  * docs/mmu.md has the same stages beside those of the MMU.
  *
  * A load, store or LR that hits is answered in c1, and another can be accepted in that cycle;
  * SC and AMO take one cycle more. An access that waits for its translation leaves the arrays to
  * the walker and looks again when it has its answer (two cycles later). On a miss the engine fills
  * the line and the access looks again at once, before anything else can take the line away. The
  * first lookup is by virtual address in any case: where the index is physical and that is another
  * set, the access looks again there, two cycles later.
  *
  * The walker goes first, see [[WalkSide]].
  *
  * Uncached (Device, Non-cacheable, or not memory by the map): see [[UncachedPort]]; memory that is
  * also in the cache is not looked up. Cache maintenance by address acts on memory whatever the
  * attributes are. Bus errors: the access is answered with status 0b010000; for a write-back
  * `asyncError` pulses and the line is lost. `stored` traces every store of the CPU in the cycle
  * after it was performed, uncached ones included.
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
  private val uncached = UncachedPort(paWidth, map)
  engine.io.axi >> io.axi
  uncached.io.axi >> io.uncached

  /** The CPU's access, from its acceptance to its answer. */
  private val cpu = new Area {
    val valid = RegInit(False)
    val accepted = Bool()
    val cmd = LateLoad(io.cpu.cmd.payload, accepted)
    val translated = Reg(Bool()) // the next three are known
    val pa = Reg(UInt(paWidth bits))
    val memory = Reg(Bool())
    val cacheable = Reg(Bool())
    val away = RegInit(False) // given to the engine or to the uncached port
    val lookup = RegInit(False) // the arrays answer for it in this cycle
    val counted = Reg(Bool())

    val isStore = cmd.op === L1Op.store
    val isSc = cmd.op === L1Op.sc
    val isAmo = cmd.op === L1Op.amo
    val isTwoStep = isSc || isAmo
    val isMaintenance =
      cmd.op === L1Op.clean || cmd.op === L1Op.invalidate || cmd.op === L1Op.flush
  }

  private val walk = WalkSide(geometry, map, io.walk)

  // ---- c1: translation --------------------------------------------------------------------------
  io.translate.cmd.valid := cpu.valid && !cpu.translated
  io.translate.cmd.va := TranslatePort.extend(cpu.cmd.va)
  io.translate.cmd.el1 := cpu.cmd.privilege.el1
  io.translate.cmd.pan := cpu.cmd.privilege.pan
  io.translate.cmd.mxr := cpu.cmd.privilege.mxr
  io.translate.cmd.untranslated := cpu.cmd.privilege.untranslated
  io.translate.cmd.access := cpu.cmd.op.mux(
    L1Op.amo -> Access.atomic(),
    L1Op.store -> Access.write(),
    L1Op.sc -> Access.write(),
    L1Op.invalidate -> Access.write(),
    default -> Access.read()
  )
  private val answered = io.translate.cmd.fire
  private val fault = answered && io.translate.rsp.fault
  private val known = cpu.valid && !cpu.away && (cpu.translated || answered) && !fault

  private val answerMemory = map.isMemory(io.translate.rsp.pa)
  private val answerCacheable = answerMemory && io.translate.rsp.attributes.cacheable
  private val pa = Mux(cpu.translated, cpu.pa, io.translate.rsp.pa)
  private val memory = Mux(cpu.translated, cpu.memory, answerMemory)
  private val cacheable = Mux(cpu.translated, cpu.cacheable, answerCacheable)

  // ---- c1: lookup -------------------------------------------------------------------------------
  private def cpuSet =
    if (geometry.physical) geometry.set(Mux(cpu.translated, cpu.pa.resize(32), cpu.cmd.va))
    else geometry.set(cpu.cmd.va)
  private val lookupAddress = Mux(walk.lookup, walk.address.resize(32), cpu.cmd.va)
  private val lookupSet = Mux(walk.lookup, walk.set, cpuSet)
  // A new access is translated in this very cycle; of all others the tag is in a register. One
  // multiplexer of two, so that it fits into the LUTs that compare.
  private val fresh = Reg(Bool())
  private val heldTag = Reg(geometry.tagType)
  private val lookupTag = Mux(fresh, geometry.tag(io.translate.rsp.pa), heldTag)
  private val hits = arrays.io.tags.map(t => t.valid && t.tag === lookupTag).asBits()
  private val hit = hits.orR

  private def rightSet(looks: Bool) =
    if (geometry.physical)
      looks && (cpu.translated || geometry.sameSet(cpu.cmd.va, io.translate.rsp.pa))
    else looks

  /** A hit that is enough for what is wanted: nobody writes to a line that has copies. LR takes the
    * line for its own too, so that the SC has nothing to wait for.
    */
  private def enough(writes: Bool) =
    if (geometry.copies) hit && (!writes || (hits & arrays.io.tags.map(_.owned).asBits()).orR)
    else hit
  private def cpuOwns = cpu.isStore || cpu.isTwoStep || cpu.cmd.op === L1Op.lr
  private val cpuLooks = rightSet(cpu.lookup && known && cacheable && !cpu.isMaintenance)
  private val cpuHit = cpuLooks && enough(cpuOwns)
  private val cpuHit1 = cpuHit && !cpu.isTwoStep

  private val storing = PendingStore(geometry)
  private val words = storing.over(arrays.io.data, lookupSet, geometry.word(lookupAddress))

  /** What c1 leaves for c2, where the way is selected: which one hits is known too late before. */
  private case class Lookup() extends Bundle {
    val used, twoStep = Bool()
    val upper = Bool() // the access is to the upper half of the word
    val hits = geometry.waysType
    val set = geometry.setType
    val words = Vec(Bits(64 bits), config.ways)
  }
  private val c1 = Lookup()
  c1.used := cpuHit || walk.hit
  c1.twoStep := cpuHit && cpu.isTwoStep
  c1.upper := cpu.cmd.va(2)
  c1.hits := hits
  c1.set := lookupSet
  c1.words := words
  private val c2 = RegNext(c1)
  c2.used init False
  c2.twoStep init False

  // ---- c2 ---------------------------------------------------------------------------------------
  private val found = MuxOH.or(c2.hits, c2.words, bypassIfSingle = true)
  engine.io.use.valid := c2.used
  engine.io.use.set := c2.set
  engine.io.use.ways := c2.hits
  storing.complete(found)

  /** SC, AMO and compare-and-swap act on what the lookup found. */
  private val step = new Area {
    val forCpu = c2.twoStep
    val ways = if (walk.wide) RegNextWhen(hits, !walk.steps) else c2.hits
    val valid = forCpu || walk.stepping
  }
  walk.tagsMatch := enough(walk.cmd.swap)
  walk.found := found

  // ---- stores -----------------------------------------------------------------------------------
  private val halfword = Mux(c1.upper, found(63 downto 32), found(31 downto 0))
  private val reservation = Reservation(geometry)
  reservation.pa := cpu.pa

  private val scStores = step.forCpu && cpu.isSc && reservation.holds
  private val amoStores = step.forCpu && cpu.isAmo
  private val cpuStores = (cpuHit1 && cpu.isStore) || scStores || amoStores
  private val newWord = Mux(
    cpu.isAmo,
    Amo(cpu.cmd.amo, Mux(cpu.away, uncached.io.data, halfword), cpu.cmd.data),
    Amo.lanes(cpu.cmd.size, cpu.cmd.data)
  )
  private val mask = Amo.mask(cpu.cmd.size, cpu.cmd.va(1 downto 0))
  private val lanes = Mux(c1.upper, mask ## B"0000", B"0000" ## mask)
  storing.valid := cpuStores || walk.swaps
  storing.ways := Mux(step.valid, step.ways, hits)
  storing.set := Mux(walk.stepping, walk.set, cpuSet)
  storing.word := Mux(walk.stepping, walk.word, geometry.word(cpu.cmd.va))
  storing.keeps := ~lanes & Repeat(!step.valid, 8)
  storing.early := Mux(
    walk.stepping,
    walk.desired,
    Amo.merge(found.andMask(step.valid), newWord ## newWord, lanes)
  )

  engine.io.store.valid := storing.valid
  engine.io.store.set := storing.set
  engine.io.store.ways := storing.ways

  private val uncachedStores = uncached.io.done && uncached.io.wrote
  io.stored.valid := RegNext(cpuStores || uncachedStores) init False
  io.stored.pa := RegNext(pa)
  io.stored.data := RegNext(newWord)
  io.stored.mask := RegNext(mask)

  // LR takes the reservation; SC, a swap by the walker and the line's departure end it.
  reservation.take := cpu.cmd.op === L1Op.lr &&
    (cpuHit || (uncached.io.done && !uncached.io.error))
  reservation.takeLine := geometry.line(pa)
  reservation.end := (cpu.isSc && (step.forCpu || uncached.io.done)) || engine.io.droppedAll
  reservation.endLine.valid := walk.swaps || engine.io.dropped.valid
  reservation.endLine.payload := Mux(
    walk.stepping,
    geometry.line(walk.cmd.address),
    engine.io.dropped.payload
  )

  // ---- the engine -------------------------------------------------------------------------------
  private object Owner extends SpinalEnum(binarySequential) {
    val nobody, cpu, walk, maintain = newElement()
  }
  private val owner = Reg(Owner()) init Owner.nobody
  private val engineDone = engine.io.done.valid
  private val cpuDone = engineDone && owner === Owner.cpu
  walk.filled.valid := engineDone && owner === Owner.walk
  walk.filled.payload := engine.io.done.payload

  // Nothing that a lookup does is still on its way into the arrays.
  private val quiet = !engine.io.busy && !(cpu.lookup && known) && !walk.lookup && !step.valid &&
    !storing.valid
  private val cpuMisses = cpuLooks && !enough(cpuOwns)
  private val cpuMaintains = known && cpu.isMaintenance && memory && quiet
  private val sweeps = io.maintain.cmd.valid && !known && quiet

  engine.io.cmd.valid := cpuMisses || walk.misses || walk.flushes || cpuMaintains || sweeps
  engine.io.cmd.op := Mux(cpuMaintains || walk.flushes, LineOp.line(), LineOp.fill())
  engine.io.cmd.line := geometry.line(Mux(walk.lookup, walk.cmd.address, pa))
  engine.io.cmd.set := (if (geometry.physical) Mux(walk.lookup, walk.set, geometry.set(pa))
                        else lookupSet)
  if (geometry.copies) engine.io.cmd.own := Mux(walk.lookup, walk.cmd.swap, cpuOwns)
  engine.io.cmd.inPlace := walk.lookup
  engine.io.cmd.clean := walk.lookup || cpu.cmd.op =/= L1Op.invalidate
  engine.io.cmd.invalidate := walk.lookup || cpu.cmd.op =/= L1Op.clean
  when(sweeps) {
    engine.io.cmd.op := LineOp.sweep
    engine.io.cmd.clean := io.maintain.cmd.clean
    engine.io.cmd.invalidate := io.maintain.cmd.invalidate
  }
  when(engineDone) { owner := Owner.nobody }
  when(cpuMisses || cpuMaintains) { owner := Owner.cpu }
  when(walk.waitsForEngine) { owner := Owner.walk }
  when(sweeps) { owner := Owner.maintain }

  io.maintain.done := engineDone && owner === Owner.maintain
  io.maintain.cmd.ready := io.maintain.done
  io.asyncError := engine.io.events.writebackError

  // ---- the uncached port ------------------------------------------------------------------------
  private val goesUncached = known && !cacheable && !cpu.isMaintenance
  uncached.io.start := goesUncached
  uncached.io.cmd := cpu.cmd
  uncached.io.pa := cpu.pa
  uncached.io.reserved := reservation.holds
  uncached.io.toStore := newWord
  uncached.io.mask := mask

  // ---- answers ----------------------------------------------------------------------------------
  private val cpuFails = (cpuDone && engine.io.done.error) ||
    (uncached.io.done && uncached.io.error)
  private val cpuMaintained = (cpuDone && cpu.isMaintenance) ||
    (known && cpu.isMaintenance && !memory)

  io.cpu.rsp.valid := cpuHit1 || step.forCpu || uncached.io.done || cpuMaintained || fault ||
    cpuFails
  io.cpu.rsp.data := { // in c2, where `valid` is in c1
    val stepped = Mux(cpu.isSc, (!reservation.holds).asBits.resized, halfword)
    val early = Mux(uncached.io.done, uncached.io.data, stepped.andMask(step.forCpu))
    val ofLookup = !step.forCpu && !uncached.io.done
    val half = Mux(c2.upper, found(63 downto 32), found(31 downto 0))
    RegNext(early) | half.andMask(RegNext(ofLookup))
  }
  io.cpu.rsp.fault.valid := fault || cpuFails
  io.cpu.rsp.fault.status := Mux(cpuFails, FaultStatus.accessAbort, io.translate.rsp.status)
  io.cpu.rsp.fault.wnr := cpu.isMaintenance ||
    Mux(cpuFails, cpu.isStore || cpu.isTwoStep, io.translate.rsp.wnr)
  io.cpu.rsp.fault.dirty := !cpuFails && io.translate.rsp.dirty

  // ---- c0: who reads the arrays next ------------------------------------------------------------
  private val cpuAgain = cpuDone && !engine.io.done.error && !cpu.isMaintenance
  private val slot = (!engine.io.busy || (engineDone && !cpuAgain && !walk.again)) &&
    !(cpu.lookup && cpu.isTwoStep) && !walk.holds
  private val cpuWaits = cpu.valid && cpu.translated && cpu.cacheable && !cpu.isMaintenance &&
    !cpu.away && !cpu.lookup && !step.forCpu

  // Whose address the arrays get, is known early in the cycle.
  private val cpuMay = !cpu.valid || cpu.lookup || step.forCpu || uncached.io.done
  walk.slot := slot
  walk.cpuMay := cpuWaits || cpuMay
  walk.engineStarts := engine.io.cmd.valid
  private val cpuGoes = cpuAgain || (slot && cpuWaits && !walk.takes)
  io.cpu.cmd.ready := slot && !walk.waits && !cpuWaits && !io.maintain.cmd.valid && cpuMay &&
    (!cpu.valid || io.cpu.rsp.valid)
  cpu.accepted := io.cpu.cmd.fire && !(io.cpu.rsp.valid && io.cpu.rsp.fault.valid)
  io.translate.ahead.valid := io.cpu.cmd.valid
  io.translate.ahead.payload := TranslatePort.extend(io.cpu.cmd.va)

  private val cpuVa = Mux(cpuGoes, cpu.cmd.va, io.cpu.cmd.va)
  arrays.io.read.valid := !engine.io.busy || engineDone
  private def cpuReadSet =
    if (geometry.physical) geometry.set(Mux(cpuGoes, cpu.pa.resize(32), io.cpu.cmd.va))
    else geometry.set(cpuVa)
  arrays.io.read.set := Mux(walk.takes, walk.readSet, cpuReadSet)
  arrays.io.read.word := Mux(walk.takes, geometry.word(walk.readAddress), geometry.word(cpuVa))
  when(engine.io.read.valid) { arrays.io.read := engine.io.read }

  fresh := !walk.takes && !cpuGoes
  when(walk.takes) {
    heldTag := geometry.tag(walk.readAddress)
  } elsewhen (cpuGoes) {
    heldTag := geometry.tag(cpu.pa)
  }

  // A lookup that was begun in the cycle of a command to the engine is void. While the CPU's own
  // access misses, or is maintenance, none of its is begun.
  cpu.lookup := (cpuGoes || cpu.accepted) && !walk.misses && !walk.flushes
  assert(
    !(cpuGoes || cpu.accepted) || !(cpuMisses || cpuMaintains || sweeps),
    "data cache: a lookup of the CPU begins while the engine does"
  )

  arrays.io.tagWrite << engine.io.tagWrite
  arrays.io.dataWrite.valid := storing.valid || engine.io.dataWrite.valid
  arrays.io.dataWrite.payload := Mux(
    storing.valid,
    storing.write.payload,
    engine.io.dataWrite.payload
  )
  engine.io.tags := arrays.io.tags
  engine.io.data := arrays.io.data

  // ---- registers of the two accesses ------------------------------------------------------------
  when(answered) {
    cpu.translated := True
    cpu.pa := io.translate.rsp.pa
    cpu.memory := answerMemory
    cpu.cacheable := answerCacheable
  }
  cpu.counted setWhen cpuLooks
  cpu.away setWhen (cpuMisses || cpuMaintains || goesUncached)
  cpu.away clearWhen cpuAgain
  cpu.valid clearWhen io.cpu.rsp.valid
  when(cpu.accepted || io.cpu.rsp.valid) {
    cpu.away := False
    cpu.translated := False
    cpu.counted := False
  }
  cpu.valid setWhen cpu.accepted

  // ---- events, one cycle late -------------------------------------------------------------------
  private val events = L1DataEvents()
  events.access := (cpuLooks && !cpu.counted) || (walk.looks && !walk.counted)
  events.miss := engine.io.events.miss
  events.evict := engine.io.events.evict
  events.writeback := engine.io.events.writeback
  events.aliasMove := engine.io.events.aliasMove
  events.stall := cpu.valid && !io.cpu.rsp.valid && !(io.translate.cmd.valid && !answered)
  io.events := RegNext(events)
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
