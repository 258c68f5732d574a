package granule.cache

import granule.arch.{Checks, CoverPoint}
import granule.mmu.WalkMemoryPort
import spinal.core._
import spinal.lib._

/** What the data cache tells its walker's side: of the arrays, of the engine and of the CPU. */
case class WalkSideTold(geometry: CacheGeometry) extends Bundle {
  val slot = Bool() // c0: the arrays are free for the next lookup
  val spare = Bool() // c0: the CPU does not want them
  val void = Bool() // c0: the engine begins, so that no lookup does
  val enough = Bool() // c1: the line is there, and one copy of it if the access swaps
  val found = Bits(64 bits) // c2: the word that c1 looked up
  val filled = Flow(LineDone(geometry)) // the engine has done what this side asked for
}

/** The walker's side of the data cache: its access from acceptance to answer, what it looks up and
  * what it answers. [[L1Data]] has the arrays, tells what they hold (`told`), and
  * arbitrates.
  *
  * {{{
  *   cycle              read      swap
  *   0                  cmd fires, arrays are addressed
  *   1       `lookup`   tags and word of an access of up to 8 bytes
  *   2       `steps`    rsp       compare, store
  *   3                            rsp
  *
  *   1, 2    `lookup`   lower and upper word of an access of 16 bytes
  *   3       `steps`    rsp       compare both, store the upper word
  *   4       `stepsLow`           store the lower one, if both were equal; rsp
  * }}}
  *
  * Two words are one step: nobody else looks up, and the engine does not begin, between the two
  * lookups, between them and the comparison, or between the two stores. So the line that the first
  * lookup finds is there until the last store.
  *
  * The walker goes first, before a command of the CPU that waits; a new command of its own finds
  * the arrays when the CPU waits for its answer, and has them in the next cycle otherwise. A line
  * that it needs is used under whatever colour it is in. An address that is not memory is an error
  * without a request. Answers come from registers.
  *
  * A read that is not `cacheable` must see memory. The engine first drops the line, written back
  * when it is dirty; then it fills the line, the lookup finds what memory holds, and the line is
  * dropped again. Between the two a store of the CPU may bring the line back: then the lookup finds
  * that store, which memory has when the line is dropped. It is the engine's bus, not that of
  * uncached accesses: an AT that waits there waits for its walk. A swap that is not `cacheable` is
  * unsupported: it would have to be atomic in memory.
  *
  * The port's width decides whether there are accesses of 16 bytes.
  */
case class WalkSide(geometry: CacheGeometry, map: PhysicalMap, port: WalkMemoryPort) extends Area {
  val wide = port.dataWidth > 64
  val told = WalkSideTold(geometry)
  import told.{enough, filled, found, slot, spare, void}

  val valid = RegInit(False)
  val cmd = Reg(cloneOf(port.cmd.payload))
  val set = Reg(geometry.setType) // the line may be in use under another colour
  val away = RegInit(False) // given to the engine
  val alone = Reg(Bool()) // not `cacheable`, and the line has left the cache
  val lookup = RegInit(False) // the arrays answer for it in this cycle
  val counted = Reg(Bool())

  // ---- lookup -----------------------------------------------------------------------------------
  private val two = if (wide) cmd.size === 2 else False
  private val upper = wide generate RegInit(False) // the lookup is of the upper word
  private val isMemory = map.isMemory(cmd.address)
  private val last = if (wide) !two || upper else True

  /** The upper word is read next, whatever becomes of the lower one. */
  private val readsUpper = if (wide) lookup && !last else False
  if (wide) upper := readsUpper

  private val past = lookup && isMemory && !cmd.cacheable
  private val refuses = past && cmd.swap
  private val drops = past && !cmd.swap && !alone

  val looks = lookup && isMemory && (cmd.cacheable || alone)
  val hit = looks && enough
  val misses = looks && !enough

  /** The engine writes the line back and drops it; before the fill, the access waits for that. */
  val flushes = drops || (hit && last && alone)
  val waitsForEngine = misses || drops

  val address = if (wide) withUpper(cmd.address, upper) else cmd.address

  private def withUpper(address: UInt, upper: Bool): UInt = {
    val bits = CombInit(address)
    bits(3) := address(3) || upper
    bits
  }

  // ---- compare and swap -------------------------------------------------------------------------
  val steps = RegNext(hit && last && cmd.swap) init False
  val stepsLow = wide generate (RegInit(False))

  private def half(word: Bits, high: Bool): Bits =
    if (wide) Mux(high, word(127 downto 64), word(63 downto 0)) else word
  private val stepsHigh = steps && two
  private val equal = found === half(cmd.expected, stepsHigh)
  private val equalLow = wide generate RegNext(equal)
  private val wins = steps && equal && (if (wide) equalLow || !two else True)
  if (wide) stepsLow := wins && two

  val stepping = if (wide) steps || stepsLow else steps
  val swaps = if (wide) wins || stepsLow else wins
  val desired = half(cmd.desired, stepsHigh)
  val word = geometry.word(if (wide) withUpper(cmd.address, stepsHigh) else cmd.address)

  /** Nobody else may look up in the next cycle. */
  val holds = if (wide) lookup && (cmd.swap || !last) || stepsHigh else lookup && cmd.swap

  /** For the counters. */
  val accesses = looks && !counted

  // ---- answer -----------------------------------------------------------------------------------
  private val fails = (lookup && !isMemory) || (filled.valid && filled.error)
  private val ends = (hit && last && !cmd.swap) || steps || fails || refuses
  private val odd = cmd.size === 0 && cmd.address(2)
  // Of a read, the word that was looked up last is there; of a swap it was, a cycle ago. The lower
  // one of two was found before that, and stays.
  private val ofSwap = RegNext(steps)
  private val before = RegNextWhen(found, !stepsHigh)
  private val low = Mux(odd, found(63 downto 32) ## found(63 downto 32), found)
  port.rsp.valid := RegNext(ends) init False
  port.rsp.error := RegNext(fails)
  port.rsp.unsupported := RegNext(refuses)
  port.rsp.data := (if (wide) Mux(ofSwap, RegNext(found), found) ## Mux(two || ofSwap, before, low)
                    else Mux(ofSwap, before, low))

  // ---- whether it reads the arrays next: early in the cycle -------------------------------------
  private val fills = cmd.cacheable || alone // what the engine has done was a fill
  val again = filled.valid && !filled.error && fills
  val waits = valid && !away && !lookup && !steps
  val takes = again || (slot && (waits || (!valid && spare))) || readsUpper
  val goes = takes && (valid || port.cmd.valid)

  val readAddress = {
    val address = Mux(valid, cmd.address, port.cmd.address)
    if (wide) withUpper(address, readsUpper) else address
  }
  val readSet = Mux(again, filled.set, Mux(valid, set, geometry.set(port.cmd.address)))

  port.cmd.ready := !valid
  lookup := goes && !void
  if (wide) when((!isMemory || refuses) && readsUpper) { lookup := False }
  counted setWhen looks
  away setWhen waitsForEngine
  when(filled.valid) {
    away := False
    alone := !cmd.cacheable
    when(fills) { set := filled.set }
  }
  valid clearWhen ends
  when(port.cmd.fire) {
    valid := True
    counted := False
    alone := False
    cmd := port.cmd.payload
    set := geometry.set(port.cmd.address)
  }

  Checks {
    CoverPoint("walkside.other_colour")(
      filled.valid && !filled.error && fills && filled.set =/= set
    )
    CoverPoint("walkside.drops")(drops && enough)
    CoverPoint("walkside.refuses")(refuses)
    CoverPoint("walkside.outside")(lookup && !isMemory)
    if (wide) {
      assert(
        !(looks && upper) || enough,
        "data cache: the line of a lower word is not there for the upper one"
      )
      CoverPoint("walkside.swaps_16_bytes")(stepsLow)
      CoverPoint("walkside.differs_below")(stepsHigh && equal && !equalLow)
    }
  }
}
