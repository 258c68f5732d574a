package granule.cache

import granule.arch.{Checks, FaultStatus}
import granule.mmu.{Access, TranslatePort}
import spinal.core._
import spinal.lib._

/** What the data cache tells its CPU side: of the arrays, of the engine and of other requesters. */
case class CpuSideTold(geometry: CacheGeometry) extends Bundle {
  val slot = Bool() // c0: the arrays are free for the next lookup
  val taken = Bool() // c0: the walker takes them
  val closed = Bool() // c0: no new command, others wait
  val void = Bool() // c0: the engine begins, so that no lookup does
  val enough = Bool() // c1: the line is there, and one copy of it if the access `owns` it
  val quiet = Bool() // c1: the engine is free, and nothing is on its way into the arrays
  val found = Bits(64 bits) // c2: the word that c1 looked up
  val filled = Flow(LineDone(geometry)) // the engine has done what this side asked for
  val lostLine = Flow(geometry.lineType) // a line leaves the cache, or the walker writes to it
  val lostAll = Bool() // all lines leave the cache
}

/** The CPU's side of the data cache, as [[WalkSide]] is the walker's: its access from acceptance to
  * answer, what it looks up, what it stores and what it answers. [[L1Data]] has the arrays, tells
  * what they hold (`told`), and arbitrates.
  *
  * {{{
  *   c0   cmd fires and is announced to the translate port; arrays are addressed with the VA
  *   c1   `lookup`: translate port asked, tags compared with its answer; rsp of load, store, LR
  *   c2   data of that rsp; `steps`: SC and AMO compute and store; their rsp
  * }}}
  *
  * An access that waits for its translation leaves the arrays to the walker and looks again when it
  * has its answer (two cycles later). On a miss it is `away` until the engine has filled the line,
  * and looks again at once, before anything else can take the line away. The first lookup is by
  * virtual address in any case: where the index is physical and that is another set, the access
  * looks again there, two cycles later.
  *
  * Uncached (Device, Non-cacheable, or not memory by the map): see [[UncachedPort]]; memory that is
  * also in the cache is not looked up. Cache maintenance by address acts on memory whatever the
  * attributes are, and on a register it does nothing; where nothing is, it fails. A bus error
  * answers the access with status 0b010000.
  */
case class CpuSide(
    geometry: CacheGeometry,
    map: PhysicalMap,
    port: L1DataPort,
    translate: TranslatePort,
    vacancy: VacancyPort
) extends Area {
  val told = CpuSideTold(geometry)
  import told.{closed, enough, filled, found, lostAll, lostLine, quiet, slot, taken, void}

  // ---- the access -------------------------------------------------------------------------------
  private val accepted = Bool()
  private val valid = RegInit(False)
  private val cmd = LateLoad(port.cmd.payload, accepted)
  private val translated = Reg(Bool()) // the next three are known
  private val heldPa = Reg(UInt(geometry.paWidth bits))
  private val heldMemory = Reg(Bool())
  private val heldCacheable = Reg(Bool())
  private val away = RegInit(False) // given to the engine or to the uncached port
  private val counted = Reg(Bool())
  val lookup = RegInit(False) // the arrays answer for it in this cycle

  private val isStore = cmd.op === L1Op.store
  private val isLr = cmd.op === L1Op.lr
  private val isSc = cmd.op === L1Op.sc
  private val isAmo = cmd.op === L1Op.amo
  private val isTwoStep = isSc || isAmo
  private val isMaintenance =
    cmd.op === L1Op.clean || cmd.op === L1Op.invalidate || cmd.op === L1Op.flush
  private val uncached = UncachedPort(geometry.paWidth, map)

  // ---- c1: translation --------------------------------------------------------------------------
  translate.cmd.valid := valid && !translated
  translate.cmd.va := TranslatePort.extend(cmd.va)
  translate.cmd.el1 := cmd.privilege.el1
  translate.cmd.pan := cmd.privilege.pan
  translate.cmd.mxr := cmd.privilege.mxr
  translate.cmd.untranslated := cmd.privilege.untranslated
  translate.cmd.access := cmd.op.mux(
    L1Op.amo -> Access.atomic(),
    L1Op.store -> Access.write(),
    L1Op.sc -> Access.write(),
    L1Op.invalidate -> Access.write(),
    default -> Access.read()
  )
  private val answered = translate.cmd.fire
  private val fault = answered && translate.rsp.fault
  private val answerMemory = map.isMemory(translate.rsp.pa)
  private val answerCacheable = answerMemory && translate.rsp.attributes.cacheable
  private val isMemory = Mux(translated, heldMemory, answerMemory)
  private val cacheable = Mux(translated, heldCacheable, answerCacheable)

  /** The access may act in this cycle, at this address. */
  val known = valid && !away && (translated || answered) && !fault
  val pa = Mux(translated, heldPa, translate.rsp.pa)

  when(answered) {
    translated := True
    heldPa := translate.rsp.pa
    heldMemory := answerMemory
    heldCacheable := answerCacheable
  }

  // ---- c1: lookup -------------------------------------------------------------------------------
  def set =
    if (geometry.physical) geometry.set(Mux(translated, heldPa.resize(32), cmd.va))
    else geometry.set(cmd.va)
  def word = geometry.word(cmd.va)

  private def rightSet(looks: Bool) =
    if (geometry.physical) {
      looks && (translated || geometry.sameSet(cmd.va, translate.rsp.pa))
    } else looks

  /** LR takes the line for its own, so that the SC has nothing to wait for. */
  def owns = isStore || isTwoStep || isLr
  private val mayLook = lookup && known && cacheable && !isMaintenance
  private val looks = rightSet(mayLook)
  val hit = looks && enough
  val misses = looks && !enough
  private val hitsAtOnce = hit && !isTwoStep

  /** Maintenance of a line, by the engine. */
  val maintains = known && isMaintenance && isMemory && quiet
  val cleans = cmd.op =/= L1Op.invalidate
  val invalidates = cmd.op =/= L1Op.clean

  /** Maintenance of no line, answered two cycles after its translation. */
  private val lineless = valid && translated && isMaintenance && !heldMemory
  private val linelessEnds = lineless && (RegNext(lineless) init False)

  /** Of the second cycle after the translation; the engine takes longer for a line. */
  vacancy.pa := heldPa
  private val vacant = RegNext(Mux(heldMemory, vacancy.vacant, uncached.io.unmapped))

  // ---- c2: SC and AMO act on what the lookup found ----------------------------------------------
  val steps = RegNext(hit && isTwoStep) init False
  private def half(word: Bits, upper: Bool) = Mux(upper, word(63 downto 32), word(31 downto 0))
  private val old = half(found, cmd.va(2))

  val reservation = Reservation(geometry)
  reservation.pa := heldPa
  reservation.take := isLr && (hit || (uncached.io.done && !uncached.io.error))
  reservation.end := (isSc && (steps || uncached.io.done)) || lostAll
  reservation.endLine := lostLine

  // ---- stores: c1 of a store, c2 of SC and AMO --------------------------------------------------
  private val mask = Amo.mask(cmd.size, cmd.va(1 downto 0))
  private val newWord = Mux(
    isAmo,
    Amo(cmd.amo, Mux(away, uncached.io.data, old), cmd.data),
    Amo.lanes(cmd.size, cmd.data)
  )
  private val lanes = Mux(cmd.va(2), mask ## B"0000", B"0000" ## mask)

  val stores = (hitsAtOnce && isStore) || (steps && isSc && reservation.holds) || (steps && isAmo)

  /** Bytes to store; those that stay are here in c2 of SC and AMO, and else come a cycle later. */
  val stored = Amo.merge(found.andMask(steps), newWord ## newWord, lanes)
  val keeps = ~lanes & Repeat(!steps, 8)

  val trace = Flow(StoreTrace(geometry.paWidth))
  trace.valid := RegNext(stores || (uncached.io.done && uncached.io.wrote)) init False
  trace.pa := RegNext(pa)
  trace.data := RegNext(newWord)
  trace.mask := RegNext(mask)

  // ---- uncached ---------------------------------------------------------------------------------
  private val goesUncached = known && !cacheable && !isMaintenance
  val uncachedBus = uncached.io.axi
  uncached.io.start := goesUncached
  uncached.io.cmd := cmd
  uncached.io.pa := heldPa
  uncached.io.reserved := reservation.holds
  uncached.io.toStore := newWord
  uncached.io.mask := mask

  // ---- answer -----------------------------------------------------------------------------------
  private val maintained = linelessEnds || (isMaintenance && filled.valid)
  private val fails = (filled.valid && filled.error) ||
    (uncached.io.done && uncached.io.error) || (maintained && vacant)

  /** Answered without a fault, as `rsp` says too, but later in the cycle. */
  private val served = hitsAtOnce || steps || (uncached.io.done && !uncached.io.error) ||
    (maintained && !fails)

  port.rsp.valid := hitsAtOnce || steps || uncached.io.done || maintained || fault || fails
  port.rsp.data := { // in c2, where `valid` is in c1
    val stepped = Mux(isSc, (!reservation.holds).asBits.resized, old)
    val early = Mux(uncached.io.done, uncached.io.data, stepped.andMask(steps))
    val ofLookup = !steps && !uncached.io.done
    RegNext(early) | half(found, RegNext(cmd.va(2))).andMask(RegNext(ofLookup))
  }
  port.rsp.fault.valid := fault || fails
  port.rsp.fault.status := Mux(fails, FaultStatus.accessAbort, translate.rsp.status)
  port.rsp.fault.wnr := isMaintenance || Mux(fails, isStore || isTwoStep, translate.rsp.wnr)
  port.rsp.fault.dirty := !fails && translate.rsp.dirty

  // ---- c0: whether it reads the arrays next -----------------------------------------------------
  val again = filled.valid && !filled.error && !isMaintenance
  private val waits = valid && translated && heldCacheable && !isMaintenance && !away && !lookup &&
    !steps

  private val free = !valid || lookup || steps || uncached.io.done // or will be

  /** It may take the arrays for a new command, or for the access that waits. */
  val wants = waits || free

  /** Nobody else may look up in the next cycle. */
  val holds = lookup && isTwoStep

  /** The access that is here looks again; else it is that of a new command. */
  val goes = again || (slot && waits && !taken)
  val begins = goes || accepted
  lookup := begins && !void

  /** No other can begin. While it waits for its translation, it announces itself. */
  private val stays = again || waits || translate.held
  private val nextVa = Mux(stays, cmd.va, port.cmd.va)
  val readWord = geometry.word(nextVa)
  val readTag = geometry.tag(heldPa) // of an access that looks again
  def readSet =
    if (geometry.physical) geometry.set(Mux(goes, heldPa.resize(32), port.cmd.va))
    else geometry.set(nextVa)

  private val mayAccept = slot && !closed && !waits && free
  port.cmd.ready := mayAccept && (!valid || port.rsp.valid)
  accepted := port.cmd.valid && mayAccept && (!valid || served)
  translate.ahead.valid := port.cmd.valid || translate.held
  translate.ahead.payload := TranslatePort.extend(nextVa)

  counted setWhen looks
  away setWhen (misses || maintains || goesUncached)
  away clearWhen again
  valid clearWhen port.rsp.valid
  when(accepted || port.rsp.valid) {
    away := False
    translated := False
    counted := False
  }
  valid setWhen accepted

  // ---- for the counters -------------------------------------------------------------------------
  val accesses = looks && !counted
  val stalls = valid && !port.rsp.valid && !(translate.cmd.valid && !answered)

  Checks {
    assert(translate.isAnnounced, "data cache: its access is not announced, or not again")
    assert(!(goes && !stays || stays && accepted), "data cache: the arrays read another address")
    assert(!port.rsp.valid || valid, "data cache: an answer without a command")
    assert(
      served === (port.rsp.valid && !port.rsp.fault.valid),
      "data cache: an answer without a fault is none, or one with a fault is served"
    )
    Checks.atMostOne(
      "data cache: two answers",
      hitsAtOnce,
      steps,
      uncached.io.done,
      maintained,
      fault,
      filled.valid && filled.error
    )
  }

  /** For a cover point: the lookup was in the set of the virtual address, which is another one. */
  def inWrongSet: Bool = mayLook && !looks
}
