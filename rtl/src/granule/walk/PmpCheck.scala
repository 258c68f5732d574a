package granule.walk

import granule.port.{Access, Checks, CoverPoint, Pmp}
import spinal.core._
import spinal.lib._

/** What physical memory protection permits. */
case class PmpRights() extends Bundle {
  val read, write, execute = Bool()

  def all: Bool = read && write && execute
  def permit(access: Access.C): Bool = access.mux(
    Access.read -> read,
    Access.write -> write,
    Access.execute -> execute,
    Access.atomic -> (read && write)
  )
}

/** Physical memory protection (privileged ISA 1.12, 3.7.1): what may be done with all bytes of a
  * naturally aligned piece of memory.
  *
  * The first entry that has a byte of the piece decides. One that has not all of them refuses it.
  * M-mode is bound by locked entries alone; what no entry has is M-mode's.
  *
  * Ports: `page` and `offset` are the address of a word in the piece, and `inside` has the address
  * bits that lie inside of the piece. `rights` are those of the cycle before, for the `machine` of
  * this one. An entry whose registers change in between counts as it is then.
  *
  * A TOR region that ends where it begins, or before, has no word; here it still cuts a piece that
  * has both ends inside: it is refused as a whole, and its words are right each for itself.
  */
case class PmpCheck(count: Int, paWidth: Int) extends Component {
  private val wordBits = paWidth - 2

  val io = new Bundle {
    val pmp = in(Pmp(count))
    val word = in(UInt(wordBits bits))
    val inside = in(Bits(wordBits bits))
    val machine = in(Bool())
    val rights = out(PmpRights())
  }
  private val first = io.word & ~io.inside.asUInt
  private val last = io.word | io.inside.asUInt

  /** Whether an entry has a byte of the piece, and all of them. */
  private case class Found() extends Bundle { val some, all = Bool() }

  /** An entry of ones is all of physical memory, also where that has more than 2^35 bytes. */
  private def widened(mask: Bits) = mask.asSInt.resize(wordBits.max(33)).asBits.resize(wordBits)

  private val found = new Area {
    val from = io.pmp.entries.map(e => first >= e.address)
    val reaches = io.pmp.entries.map(e => last >= e.address)
    val entries = Vec(io.pmp.entries.zipWithIndex.map { case (entry, i) =>
      val mask = widened(entry.mask)
      val differs = (io.word ^ entry.address.resize(wordBits)).asBits & ~mask
      val meets = (differs & ~io.inside) === 0
      val result = Found()
      result.some := entry.aligned && meets ||
        entry.tor && !from(i) && (if (i == 0) True else reaches(i - 1))
      result.all := entry.aligned && meets && (io.inside & ~mask) === 0 ||
        entry.tor && !reaches(i) && (if (i == 0) True else from(i - 1))
      result
    })
  }
  private val chosen = RegNext(found.entries)

  private def right(of: granule.port.PmpEntry => Bool): Bool = {
    val free = io.pmp.entries.map(e => of(e) || io.machine && !e.locked)
    val here = chosen.zip(free).map { case (found, free) => found.all && free }
    // One row more, for what no entry has.
    PriorityMux(chosen.map(_.some) :+ True, here :+ io.machine)
  }
  io.rights.read := right(_.read)
  io.rights.write := right(_.write)
  io.rights.execute := right(_.execute)
}
