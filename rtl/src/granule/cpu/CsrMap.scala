package granule.cpu

import spinal.core._

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
  val sie, mie, spie, mpie, spp    = Bool()
  val mpp                          = Bits(2 bits)
  val mprv, sum, mxr, tvm, tw, tsr = Bool()

  private def word(fields: (Int, Bits)*): Bits = {
    val w = B(0, 32 bits)
    for ((at, f) <- fields) w(at, widthOf(f) bits) := f
    w
  }
  def supervisorView: Bits = word(
    1  -> sie.asBits,
    5  -> spie.asBits,
    8  -> spp.asBits,
    18 -> sum.asBits,
    19 -> mxr.asBits
  )
  def machineView: Bits = supervisorView | word(
    3  -> mie.asBits,
    7  -> mpie.asBits,
    11 -> mpp,
    17 -> mprv.asBits,
    20 -> tvm.asBits,
    21 -> tw.asBits,
    22 -> tsr.asBits
  )
  def writeSupervisor(w: Bits): Unit = {
    sie  := w(1)
    spie := w(5)
    spp  := w(8)
    sum  := w(18)
    mxr  := w(19)
  }
  def writeMachine(w: Bits): Unit = {
    writeSupervisor(w)
    mie                             := w(3)
    mpie                            := w(7)
    when(w(12 downto 11) =/= 2)(mpp := w(12 downto 11)) // there is no mode 2: MPP keeps its value
    mprv                            := w(17)
    tvm                             := w(20)
    tw                              := w(21)
    tsr                             := w(22)
  }
}

/** Who may use the cache block operations (Zicbom): menvcfg and senvcfg. */
case class CacheBlockControl() extends Bundle {
  val invalidate = Bits(2 bits) // CBIE: 0 illegal, 1 flush instead, 3 invalidate
  val clean      = Bool()       // CBCFE

  def view: Bits = B(0, 25 bits) ## clean ## invalidate ## B(0, 4 bits)
  def write(w: Bits): Unit = {
    when(w(5 downto 4) =/= 2)(invalidate := w(5 downto 4))
    clean                                := w(6)
  }
}
