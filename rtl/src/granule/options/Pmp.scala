package granule.options

import spinal.core._
import spinal.lib._

/** An entry of physical memory protection, decoded (privileged ISA 1.12, 3.7.1). Addresses count
  * words of 4 bytes.
  *
  * @field address  pmpaddr: above the last word of a `tor` region, which begins at the address of
  *                 the entry before; somewhere in an `aligned` one.
  * @field mask     the words inside of an aligned region, as bits of the address.
  * @field tor      the entry is on, as TOR; `aligned`: as NA4 or NAPOT.
  * @field locked   it holds for M-mode too.
  */
case class PmpEntry() extends Bundle {
  val address = UInt(32 bits)
  val mask = Bits(33 bits)
  val tor, aligned = Bool()
  val read, write, execute, locked = Bool()
}

/** All entries, as the CPU tells them to whoever checks an access. They are registers.
  *
  * @field bindsMachine an entry that is on is locked, so M-mode is checked too.
  * @field changes      a CSR instruction writes one of their registers in this cycle.
  */
case class Pmp(count: Int) extends Bundle {
  val entries = Vec(PmpEntry(), count)
  val bindsMachine, changes = Bool()
}
