package granule.walk

import granule.port._
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
  * that differ within the piece. `rights` are those of the piece of the cycle before, for the
  * `machine` of this one; `suffices`: so are `needs`, which must be early, and it is there as soon
  * as they are. Addresses of entries count as in that cycle, all else as in this one; what was
  * fetched before the registers change is fetched again.
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
  private case class Compared(entry: PmpEntry) extends Area {
    private val mask = widened(entry.mask)
    private val differs = (io.word ^ entry.address.resize(wordBits)).asBits & ~mask
    val meets = RegNext((differs & ~io.inside) === 0)
    val fits = RegNext((io.inside & ~mask) === 0)
    val from = RegNext(first >= entry.address)
    val reaches = RegNext(last >= entry.address)
  }
  private val compared = io.pmp.entries.map(Compared(_))

  /** Whether an entry has a byte of the piece, and all of them. */
  private val found = io.pmp.entries.zipWithIndex.map { case (entry, i) =>
    val (here, below) = (compared(i), compared.lift(i - 1))
    new Area {
      val some = entry.aligned && here.meets ||
        entry.tor && !here.from && below.map(_.reaches).getOrElse(True)
      val all = entry.aligned && here.meets && here.fits ||
        entry.tor && !here.reaches && below.map(_.from).getOrElse(True)
    }
  }

  /** That which decides allows it; `allows` is what an entry says of itself. */
  private def decided(allows: PmpEntry => Bool): Bool = {
    val here = found.zip(io.pmp.entries).map { case (found, entry) =>
      found.all && (allows(entry) || io.machine && !entry.locked)
    }
    // One row more, for what no entry has.
    PriorityMux(found.map(_.some) :+ True, here :+ io.machine)
  }
  io.rights.read := decided(_.read)
  io.rights.write := decided(_.write)
  io.rights.execute := decided(_.execute)
  io.suffices := decided(PmpRights.of(_).suffice(io.needs))
}
