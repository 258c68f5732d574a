package granule.cache

import spinal.core._
import spinal.lib._

/** Who asks, as far as translation cares; stable with the command. */
case class Privilege() extends Bundle {
  val el1 = Bool()
  val pan = Bool()
  val mxr = Bool()
  val untranslated = Bool()
}

/** Fault of an L1 access: of its translation, or 0b010000 for a bus error on the access itself.
  *
  * @field status 6-bit fault status code (spec 7.2).
  * @field dirty  see [[TranslateRsp]].
  */
case class L1Fault() extends Bundle {
  val valid = Bool()
  val status = Bits(6 bits)
  val wnr = Bool()
  val dirty = Bool()
}

case class L1FetchCmd() extends Bundle {
  val va = UInt(32 bits)
  val privilege = Privilege()
}

case class L1FetchRsp() extends Bundle {
  val data = Bits(32 bits)
  val fault = L1Fault()
}

/** Fetch port, CPU -> L1 instruction cache. `va` is 4-byte aligned. Answers in order, at the
  * earliest in the cycle after the command, and cannot be held back: the CPU asks only for what it
  * has room for. A command can be accepted every cycle while accesses hit.
  */
case class L1FetchPort() extends Bundle with IMasterSlave {
  val cmd = Stream(L1FetchCmd())
  val rsp = Flow(L1FetchRsp())

  override def asMaster(): Unit = {
    master(cmd)
    slave(rsp)
  }
}

/** Data operations. Loads return the addressed 32-bit word, not shifted or extended. `sc` returns 0
  * when it stored and 1 when not. `amo` returns the old word. The maintenance operations act on the
  * line that holds `va` (RISC-V Zicbom: clean, invalidate, flush = clean and invalidate).
  */
object L1Op extends SpinalEnum(binarySequential) {
  val load, store, lr, sc, amo, clean, invalidate, flush = newElement()
}

/** RISC-V AMO funct5 values that a cache executes (`def`: a literal belongs to one elaboration). */
object AmoFunct {
  def add = B"00000"
  def swap = B"00001"
  def xor = B"00100"
  def or = B"01000"
  def and = B"01100"
  def min = B"10000"
  def max = B"10100"
  def minu = B"11000"
  def maxu = B"11100"
}

/** @field size    log2 of the bytes accessed (0, 1, 2); `va` is aligned to it: the CPU traps first.
  * @field data    store data in the low bytes (not shifted into its lane).
  * @field amo     funct5 of an AMO.
  */
case class L1DataCmd() extends Bundle {
  val va = UInt(32 bits)
  val op = L1Op()
  val size = UInt(2 bits)
  val data = Bits(32 bits)
  val amo = Bits(5 bits)
  val privilege = Privilege()
}

case class L1DataRsp() extends Bundle {
  val data = Bits(32 bits)
  val fault = L1Fault()
}

/** Data port, CPU -> L1 data cache. Every accepted command is answered once, in order, at the
  * earliest in the cycle after; the answer of a store means that it is performed. Its `data` comes
  * a cycle after the answer itself, for one cycle: which way hits is known late. While a command
  * is unanswered, one more may be accepted. If the answer is a fault, a command that was accepted
  * meanwhile, or is in this very cycle, is dropped without effect and without an answer: it is
  * younger than the fault. For the same reason a command that is offered in the cycle of a faulting
  * answer may be withdrawn; all others are held, unchanged, until accepted.
  */
case class L1DataPort() extends Bundle with IMasterSlave {
  val cmd = Stream(L1DataCmd())
  val rsp = Flow(L1DataRsp())

  override def asMaster(): Unit = {
    master(cmd)
    slave(rsp)
  }
}

/** Whole-cache maintenance. `cmd` is held until `done`.
  *
  * @field clean      write every dirty line back.
  * @field invalidate drop every line (after its write-back when `clean` is set too).
  */
case class L1MaintainCmd() extends Bundle {
  val clean = Bool()
  val invalidate = Bool()
}

case class L1MaintainPort() extends Bundle with IMasterSlave {
  val cmd = Stream(L1MaintainCmd())
  val done = Bool()

  override def asMaster(): Unit = {
    master(cmd)
    in(done)
  }
}

/** The events of the data cache. */
case class L1DataEvents() extends Bundle {
  val access, miss, evict, writeback, aliasMove, stall = Bool()
  val translates = Bool() // for [[CacheWaits]]
}

/** The events of the instruction cache. */
case class L1FetchEvents() extends Bundle {
  val access, miss = Bool()
  val translates, fills = Bool() // for [[CacheWaits]]
}

/** A store as it is performed in the data cache (also by SC and AMO); for test benches.
  *
  * @field data the 32-bit word, in its lanes.
  * @field mask byte lanes written.
  */
case class StoreTrace(paWidth: Int) extends Bundle {
  val pa = UInt(paWidth bits)
  val data = Bits(32 bits)
  val mask = Bits(4 bits)
}
