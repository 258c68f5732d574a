package granule.port

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
  *                     Sv32 looks at it.
  * @field untranslated RISC-V M-mode: pa is va[31:0], the memory map gives the attributes.
  */
case class TranslateCmd() extends Bundle {
  val va           = UInt(64 bits)
  val access       = Access()
  val el1          = Bool()
  val pan          = Bool()
  val mxr          = Bool()
  val untranslated = Bool()
}

/** Memory attributes as the requester needs them.
  *
  * @field mair      the MAIR byte of the translation (spec 1.4).
  * @field cacheable Normal write-back or write-through memory, with SCTLR.C taken into account.
  * @field device    Device memory: no speculation, no gathering, in order.
  */
case class MemoryAttributes() extends Bundle {
  val mair      = Bits(8 bits)
  val cacheable = Bool()
  val device    = Bool()
}

/** Answer to a [[TranslateCmd]]. With `fault`, only `status` and `wnr` mean anything.
  *
  * @field status 6-bit fault status code with its level (spec 7.2).
  * @field wnr    the fault was caused by a write (False for the read half of an atomic).
  */
case class TranslateRsp(paWidth: Int) extends Bundle {
  val pa         = UInt(paWidth bits)
  val attributes = MemoryAttributes()
  val fault      = Bool()
  val status     = Bits(6 bits)
  val wnr        = Bool()
}

/** Translate port. `cmd` is held, unchanged, until `ready`; `rsp` is valid in the cycle in which
  * `cmd` fires. A micro-TLB hit fires in the cycle in which `cmd` becomes valid (no latency).
  * A request cannot be withdrawn: who no longer wants the answer drops it.
  *
  * @field ahead the address of the command that will be new in the next cycle, if there is one: an
  *              MMU that looks ahead (`MmuConfig.lookAhead`) compares its keys with it already.
  */
case class TranslatePort(paWidth: Int) extends Bundle with IMasterSlave {
  val ahead = UInt(64 bits)
  val cmd   = Stream(TranslateCmd())
  val rsp   = TranslateRsp(paWidth)

  override def asMaster(): Unit = {
    out(ahead)
    master(cmd)
    in(rsp)
  }
}

object TranslatePort {

  /** A 32-bit address as the port wants it. */
  def extend(va: UInt): UInt = va.asSInt.resize(64).asUInt
}
