package granule.cache

import granule.config.PhysicalMap
import granule.port._
import spinal.core._
import spinal.lib._

/** The walker's side of the data cache: its access from acceptance to answer, what it looks up and
  * what it answers. [[L1Data]] has the arrays and says what they hold.
  *
  * {{{
  *   cycle 0   cmd fires, arrays are addressed
  *   cycle 1   `lookup`: tags compared; a read is over
  *   cycle 2   `steps`: a swap compares what the lookup found, and stores; rsp of a read
  *   cycle 3   rsp of a swap
  * }}}
  *
  * The walker goes first, before a command of the CPU that waits; a new command of its own finds
  * the arrays when the CPU does not need them, and has them in the next cycle otherwise. A line
  * that it needs is used under whatever colour it is in. An address that is not memory is an error
  * without a request. Answers come from registers.
  *
  * The wires of the first group are [[L1Data]]'s to drive.
  */
class WalkSide(geometry: CacheGeometry, map: PhysicalMap, port: WalkMemoryPort) extends Area {
  val tagsMatch    = Bool()                   // what is looked up is in the arrays
  val found        = Bits(64 bits)            // there, in the cycle of the lookup
  val foundBefore  = Bits(64 bits)            // in the cycle before
  val filled       = Flow(LineDone(geometry)) // the engine has done what it was asked for
  val engineStarts = Bool()                   // a lookup that begins now is void
  val slot         = Bool()                   // the arrays are free for the next lookup
  val cpuNeeds     = Bool()                   // the CPU would take them

  val valid   = RegInit(False)
  val cmd     = Reg(cloneOf(port.cmd.payload))
  val set     = Reg(geometry.setType) // the line may be in use under another colour
  val away    = RegInit(False)        // given to the engine
  val lookup  = RegInit(False)        // the arrays answer for it in this cycle
  val counted = Reg(Bool())

  // ---- lookup -----------------------------------------------------------------------------------
  private val isMemory = map.isMemory(cmd.address)
  val looks            = lookup && isMemory
  val hit              = looks && tagsMatch
  val misses           = looks && !tagsMatch

  // ---- compare and swap -------------------------------------------------------------------------
  val steps   = RegNext(hit && cmd.swap) init False
  val swaps   = steps && foundBefore === cmd.expected
  val desired = cmd.desired
  val word    = geometry.word(cmd.address)

  /** Nobody else may look up in the next cycle. */
  val holds = lookup && cmd.swap

  // ---- answer -----------------------------------------------------------------------------------
  private val fails  = (lookup && !isMemory) || (filled.valid && filled.error)
  private val ends   = (hit && !cmd.swap) || steps || fails
  private val upper  = cmd.size === 0 && cmd.address(2)
  private val answer = Mux(steps, foundBefore, found)
  port.rsp.valid       := RegNext(ends) init False
  port.rsp.error       := RegNext(fails)
  port.rsp.unsupported := False
  port.rsp.data        := RegNext(Mux(upper, found(63 downto 32) ## found(63 downto 32), answer))

  // ---- whether it reads the arrays next: early in the cycle -------------------------------------
  val again = filled.valid && !filled.error
  val waits = valid && !away && !lookup && !steps
  val takes = again || (slot && (waits || (!valid && !cpuNeeds)))
  val goes  = takes && (valid || port.cmd.valid)

  val readAddress = Mux(valid, cmd.address, port.cmd.address)
  val readSet     = Mux(again, filled.set, Mux(valid, set, geometry.set(port.cmd.address)))

  port.cmd.ready := !valid
  lookup         := goes && !engineStarts
  counted setWhen looks
  away setWhen misses
  when(filled.valid) {
    away := False
    set  := filled.set
  }
  valid clearWhen ends
  when(port.cmd.fire) {
    valid   := True
    counted := False
    cmd     := port.cmd.payload
    set     := geometry.set(port.cmd.address)
  }
}
