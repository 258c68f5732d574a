package granule.cpu

import granule.arch.BitField
import spinal.core._

/* Where the fields of the core's registers lie (privileged ISA, chapters 3 and 4); satp is a
 * register of translation, [[granule.arch.Satp]]. The lower privilege's register has its fields
 * in the same places. */

/** mstatus and sstatus. */
object Xstatus {
  val sie = BitField(1)
  val mie = BitField(3)
  val spie = BitField(5)
  val mpie = BitField(7)
  val spp = BitField(8)
  val mpp = BitField(11, 2)
  val mprv = BitField(17)
  val sum = BitField(18)
  val mxr = BitField(19)
  val tvm = BitField(20)
  val tw = BitField(21)
  val tsr = BitField(22)
}

/** menvcfg and senvcfg. */
object Xenvcfg {
  val cbie = BitField(4, 2)
  val cbcfe = BitField(6)
}

/** mcause and scause; codes of four bits are enough. */
object Xcause {
  val code = BitField(0, 4)
  val interrupt = BitField(31)
}

/** mtvec and stvec. */
object Xtvec {
  val vectored = BitField(0)
  val base = BitField(2, 30)
}

/** mepc and sepc: there are no compressed instructions. */
object Xepc {
  val pc = BitField(2, 30)
}

/** The byte of an entry in pmpcfg (privileged ISA 1.12, 3.7.1). */
object PmpConfig {
  val read = BitField(0)
  val write = BitField(1)
  val execute = BitField(2)
  val kind = BitField(3, 2)
  val locked = BitField(7)

  /** Of `kind`; 0 is off, 2 and 3 are NA4 and NAPOT. */
  val tor = 1
}

/** One CSR as the register file's table lists it.
  *
  * @param read   what a CSR instruction gets.
  * @param write  what a written value does; read-only fields simply ignore it.
  * @param allow  an access rule on top of the one in the address (privilege in bits 9:8, read-only
  *               in bits 11:10).
  */
case class CsrEntry(
    address: Int,
    name: String,
    read: Bits,
    write: Bits => Unit = _ => (),
    allow: Option[Bool] = None
)

/** The fields of mstatus that exist (privileged ISA 3.1.6); the rest is zero. */
case class Status() extends Bundle {
  val sie, mie, spie, mpie, spp = Bool()
  val mpp = Bits(2 bits)
  val mprv, sum, mxr, tvm, tw, tsr = Bool()

  private def supervisorFields = Seq(
    Xstatus.mxr -> mxr,
    Xstatus.sum -> sum,
    Xstatus.spp -> spp,
    Xstatus.spie -> spie,
    Xstatus.sie -> sie
  )
  private def machineFields = Seq(
    Xstatus.tsr -> tsr,
    Xstatus.tw -> tw,
    Xstatus.tvm -> tvm,
    Xstatus.mprv -> mprv,
    Xstatus.mpie -> mpie,
    Xstatus.mie -> mie
  )

  def supervisorView: Bits = BitField.word(32)(supervisorFields: _*)
  def machineView: Bits = supervisorView | BitField.word(32)(machineFields: _*) |
    BitField.word(32)(Xstatus.mpp -> mpp)
  def writeSupervisor(w: Bits): Unit = for ((field, flag) <- supervisorFields) flag := field.bool(w)
  def writeMachine(w: Bits): Unit = {
    writeSupervisor(w)
    for ((field, flag) <- machineFields) flag := field.bool(w)
    // There is no mode 2: MPP keeps its value.
    when(Xstatus.mpp.of(w) =/= 2) { mpp := Xstatus.mpp.of(w) }
  }
}

/** Who may use the cache block operations (Zicbom): menvcfg and senvcfg. */
case class CacheBlockControl() extends Bundle {
  val invalidate = Bits(2 bits) // CBIE: 0 illegal, 1 flush instead, 3 invalidate
  val clean = Bool() // CBCFE

  def view: Bits =
    BitField.word(32)(Xenvcfg.cbcfe -> clean, Xenvcfg.cbie -> invalidate)
  def write(w: Bits): Unit = {
    when(Xenvcfg.cbie.of(w) =/= 2) { invalidate := Xenvcfg.cbie.of(w) }
    clean := Xenvcfg.cbcfe.bool(w)
  }
}
