package granule.verify

import granule.arch.MmuConfig
import granule.options.{PmpCheck, PmpEntry, PmpRights}
import spinal.core._
import spinal.core.formal._

/** What physical memory protection says of a piece is what the entries of one cycle say, which may
  * be others in every cycle. One word of the piece is watched, which is any.
  */
case class PmpProof(config: MmuConfig) extends Component {
  val check = PmpCheck(config.pmpEntries, config.paWidth)
  private val io = check.io
  for (input <- Seq(io.pmp, io.word, io.inside, io.machine, io.needs)) anyseq(input)
  private val width = io.word.getWidth
  private val entries = io.pmp.entries

  private val word = anyconst(UInt(width bits))
  private val asked = RegNext(((io.word ^ word).asBits & ~io.inside) === 0) init False

  /** As the privileged ISA says it (3.7.1), of one word. */
  private def begin(i: Int) = if (i == 0) U(0, width bits) else entries(i - 1).address.resize(width)
  private def outside(entry: PmpEntry) = ~entry.mask.asSInt.resize(width).asBits
  private def has(entry: PmpEntry, i: Int) =
    entry.aligned && ((word ^ entry.address.resize(width)).asBits & outside(entry)) === 0 ||
      entry.tor && begin(i) <= word && word < entry.address.resize(width)
  private def rightsFor(machine: Bool): PmpRights = {
    val none = PmpRights()
    none.assignFromBits(B(3 bits, default -> machine))
    entries.zipWithIndex.foldRight(none) { case ((entry, i), later) =>
      val here = PmpRights()
      val free = machine && !entry.locked
      here.assignFromBits(PmpRights.of(entry).asBits | B(3 bits, default -> free))
      has(entry, i) ? here | later
    }
  }
  private val (toMachine, toOthers) = (RegNext(rightsFor(True)), RegNext(rightsFor(False)))
  private val ofWord = io.machine ? toMachine | toOthers

  /** A region begins or ends in the piece, or is a part of it. */
  private val cut = {
    val (first, last) = (io.word & ~io.inside.asUInt, io.word | io.inside.asUInt)
    def isInside(end: UInt) = first < end && end <= last
    entries.zipWithIndex
      .map { case (entry, i) =>
        val apart = (io.word ^ entry.address.resize(width)).asBits & outside(entry) & ~io.inside
        entry.aligned && apart === 0 && (io.inside & outside(entry)) =/= 0 ||
        entry.tor && (isInside(begin(i)) || isInside(entry.address.resize(width)))
      }
      .reduce(_ || _)
  }
  private val whole = RegNext(!cut) init False

  Claim.always("a piece has no right that one of its words had not") {
    !asked || ofWord.suffice(io.rights)
  }
  Claim.always("a piece that no region cuts has the rights of its words") {
    !(asked && whole) || io.rights === ofWord
  }
  Claim.always("needs are compared with these rights") {
    !io.needs.asBits.orR || io.suffices === io.rights.suffice(io.needs)
  }
  Claim.reached("a piece is refused whose word is open") {
    asked && ofWord.asBits.andR && !io.rights.asBits.orR
  }
  Claim.reached("a piece of many words is open") {
    asked && !io.machine && io.rights.asBits.andR && (RegNext(io.inside.andR) init False)
  }
}
