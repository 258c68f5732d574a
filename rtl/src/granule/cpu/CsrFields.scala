package granule.cpu

import granule.arch.BitField

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
