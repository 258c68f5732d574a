package granule.options

import granule.mmu.Access
import spinal.core._
import spinal.lib._

/** Rights of physical memory protection: those that it gives, or those that somebody needs. */
case class PmpRights() extends Bundle {
  val read, write, execute = Bool()

  /** These are given, or more. */
  def suffice(needs: PmpRights): Bool =
    (read || !needs.read) && (write || !needs.write) && (execute || !needs.execute)
}

object PmpRights {

  /** What an entry gives. */
  def of(entry: PmpEntry): PmpRights = {
    val gives = PmpRights()
    gives.read := entry.read
    gives.write := entry.write
    gives.execute := entry.execute
    gives
  }

  /** What an access needs. */
  def of(access: Access.C): PmpRights = {
    def is(some: Access.E*) = some.map(access === _).orR
    val needs = PmpRights()
    needs.read := is(Access.read, Access.atomic)
    needs.write := is(Access.write, Access.atomic)
    needs.execute := is(Access.execute)
    needs
  }
}

/** Physical memory protection (privileged ISA 1.12, 3.7.1): what may be done with all bytes of a
  * naturally aligned piece of memory.
  *
  * The first entry that has a byte of the piece decides. One that has not all of them refuses it.
  * M-mode is bound by locked entries alone; what no entry has is M-mode's.
  *
  * Ports: `word` is the address of a word in the piece, counted in words, and `inside` has its bits
  * that differ within the piece. The answer takes two cycles:
  *
  * {{{
  *   compare   `word` and `inside` with the address and mask of each entry
  *   decide    `rights`, for the `machine` of this cycle; `suffices`: they cover the `needs` of
  *             this cycle, which must be early. Then it is no later than `rights`.
  * }}}
  * All of an entry is taken in `compare`, its rights and lock too. So an answer is that of the
  * entries of one cycle, and a write of them between the two does not count.
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
    val needs = in(PmpRights())
    val suffices = out(Bool())
    val rights = out(PmpRights())
  }
  private val first = io.word & ~io.inside.asUInt
  private val last = io.word | io.inside.asUInt

  /** An entry of ones is all of physical memory, also where that has more than 2^35 bytes. */
  private def widened(mask: Bits) = mask.asSInt.resize(wordBits.max(33)).asBits.resize(wordBits)

  /** Of a piece and an entry. The cycle is full with comparing; what follows is for the next. */
  private case class Compared(now: PmpEntry) extends Area {
    private val mask = widened(now.mask)
    private val differs = (io.word ^ now.address.resize(wordBits)).asBits & ~mask
    val tor = RegNext(now.tor)
    val aligned = RegNext(now.aligned)
    val locked = RegNext(now.locked)
    val gives = RegNext(PmpRights.of(now))
    val meets = RegNext((differs & ~io.inside) === 0)
    val fits = RegNext((io.inside & ~mask) === 0)
    val from = RegNext(first >= now.address)
    val reaches = RegNext(last >= now.address)
  }
  private val compared = io.pmp.entries.map(Compared(_))

  /** Whether an entry has a byte of the piece, and all of them. */
  private val found = compared.zipWithIndex.map { case (here, i) =>
    val below = compared.lift(i - 1)
    new Area {
      val some = here.aligned && here.meets ||
        here.tor && !here.from && below.map(_.reaches).getOrElse(True)
      val all = here.aligned && here.meets && here.fits ||
        here.tor && !here.reaches && below.map(_.from).getOrElse(True)
    }
  }

  /** That which decides allows it; `allows` is asked of what an entry gives. */
  private def decided(allows: PmpRights => Bool): Bool = {
    val here = found.zip(compared).map { case (found, compared) =>
      found.all && (allows(compared.gives) || io.machine && !compared.locked)
    }
    // One row more, for what no entry has.
    PriorityMux(found.map(_.some) :+ True, here :+ io.machine)
  }
  io.rights.read := decided(_.read)
  io.rights.write := decided(_.write)
  io.rights.execute := decided(_.execute)
  io.suffices := decided(_.suffice(io.needs))
}
