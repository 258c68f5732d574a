package granule.mmu

import spinal.core._
import spinal.lib._

/** What an access does; an atomic needs read permission first and write permission then. */
object Access extends SpinalEnum(binarySequential) {
  val read, write, execute, atomic = newElement()
}

/** One access to be translated.
  *
  * @field va           64 bits; a 32-bit requester sign-extends.
  * @field el1          True: EL1 (RISC-V S-mode), False: EL0 (U-mode).
  * @field pan          PSTATE.PAN of this access (not sstatus.SUM).
  * @field mxr          sstatus.MXR of this access: a load may read what may only be executed. Only
  *                     RISC-V's systems look at it.
  * @field untranslated RISC-V M-mode: pa is va[31:0], the memory map gives the attributes.
  */
case class TranslateCmd() extends Bundle {
  val va = UInt(64 bits)
  val access = Access()
  val el1 = Bool()
  val pan = Bool()
  val mxr = Bool()
  val untranslated = Bool()
}

/** Memory attributes as the requester needs them.
  *
  * @field mair      the MAIR byte of the translation (spec 1.4).
  * @field cacheable Normal write-back or write-through memory, with SCTLR.C taken into account.
  * @field device    Device memory: no speculation, no gathering, in order. Never of a fetch:
  *                  that is Normal Non-cacheable (DDI 0487 M.a.a, B2.10.2).
  */
case class MemoryAttributes() extends Bundle {
  val mair = Bits(8 bits)
  val cacheable = Bool()
  val device = Bool()
}

/** Answer to a [[TranslateCmd]]. With `fault`, only `status`, `wnr` and `dirty` mean anything.
  *
  * @field status 6-bit fault status code with its level (spec 7.2).
  * @field wnr    the fault was caused by a write (False for the read half of an atomic).
  * @field dirty  a write that only the dirty state of the page forbids (ISS2.DirtyBit).
  */
case class TranslateRsp(paWidth: Int) extends Bundle {
  val pa = UInt(paWidth bits)
  val attributes = MemoryAttributes()
  val fault = Bool()
  val status = Bits(6 bits)
  val wnr = Bool()
  val dirty = Bool()
}

/** Translate port: a command in two phases, one cycle each.
  *
  * {{{
  *   c0   `ahead` announces the address of a command      the MMU compares its keys
  *   c1   `cmd` is valid with that address                the MMU answers: `ready` and `rsp`
  *   ...  `ahead` announces it again while it waits       the MMU compares its keys again
  * }}}
  *
  * A micro-TLB hit is answered in the first cycle of `cmd` (no latency), so a requester that
  * announces in every cycle has an answer in every cycle while all commands hit. Two things hold a
  * hit back: an invalidation that may cover the entry, until the sweep has compared it
  * ([[Suspects]]); and a change of the ASID or of the translation system, with which entries are
  * compared a cycle earlier.
  *
  * A command that is not answered in its first cycle is held, unchanged, until `ready`; it cannot
  * be withdrawn: a requester that no longer wants the answer drops it. `rsp` is valid in the cycle
  * in which `cmd` fires.
  *
  * A new command always has the address that `ahead` had in the cycle before. In each cycle that it
  * is `held`, `ahead` has its address, so that the next command comes two cycles after its answer,
  * or later ([[isAnnounced]]). Else, what is announced need not follow, and may be announced again.
  */
case class TranslatePort(paWidth: Int) extends Bundle with IMasterSlave {
  val ahead = Flow(UInt(64 bits))
  val cmd = Stream(TranslateCmd())
  val rsp = TranslateRsp(paWidth)

  /** The command of this cycle waits since the one before, or longer. */
  def held: Bool = RegNext(cmd.isStall) init False

  /** The rule above, for assertions. */
  def isAnnounced: Bool = {
    val told = Mux(held, ahead, RegNext(ahead))
    !cmd.valid || told.valid && told.payload === cmd.va
  }

  override def asMaster(): Unit = {
    master(ahead, cmd)
    in(rsp)
  }
}

/** Bits of a VA that have a meaning of their own (spec 2.1, 2.2). */
object VirtualAddress {

  /** The half of the address space: that of TTBR1, or that of TTBR0. */
  def upper(va: UInt): Bool = va(55)

  /** The byte that TBI ignores. */
  def top(va: UInt): UInt = va(63 downto 56)

  /** TBI ignores it for this access. */
  def ignoresTop(cmd: TranslateCmd, context: DecodedContext): Bool = {
    val half = context.half(upper(cmd.va))
    half.tbi && !(cmd.access === Access.execute && half.tbid)
  }
}

object TranslatePort {

  /** A 32-bit address as the port wants it. */
  def extend(va: UInt): UInt = va.asSInt.resize(64).asUInt
}
