package granule.walk

import granule.port.{Checks, CoverPoint}
import spinal.core._
import spinal.lib._

/** Physical memory protection of a [[Walker]]: asks one [[PmpCheck]] about every descriptor, about
  * what a leaf maps, and about direct accesses.
  *
  * {{{
  *   waiting   the descriptor that is read: an S-mode load of it, and a store if it is updated. The
  *             rights are known in its second cycle; an answer of memory in the first is kept.
  *   leaf      all that the entry would map. If it is open, to be read, written and executed, a TLB
  *             keeps it, and accesses that hit are not checked again.
  *             Else the page alone, two cycles later. Else, two cycles later, the word of this
  *             access, with the rights that it needs: the leaf is for it alone.
  * }}}
  * A direct access begins with the `directPiece` that it is in. So protection costs no cycle of
  * what is open, if memory needs two to answer.
  */
private[walk] case class WalkProtection(walker: Walker) extends Area {
  import walker.{descriptor, isIn, walk}
  import walker.State.{check, leaf, waiting}
  private val formats = walker.geometry.formats
  private val config = formats.config
  private val direct = walk.request.direct
  private val reading = isIn(waiting)

  private val asked = PmpCheck(config.pmpEntries, config.paWidth)
  asked.io.pmp := walker.io.pmp
  asked.io.machine := direct && walk.request.machine
  asked.io.word := reading ? (walker.entryAddress >> 2) |
    (direct ? walk.va.asUInt.resize(config.paWidth) |
      (descriptor.page ## walk.va(formats.pageShift - 1 downto 0)).asUInt) >> 2
  private val size = walker.io.memory.cmd.size
  private def piece(log2Bytes: Int) = B((BigInt(1) << (log2Bytes - 2)) - 1, config.paWidth - 2 bits)
  private val ofAccess =
    direct ? (walk.byPage ? piece(formats.pageShift) | piece(WalkProtection.directPiece)) |
      formats.spans.mask(descriptor.cachedSpan, 2, config.paWidth)
  asked.io.inside := reading ? (size(1) ## size.orR).resize(config.paWidth - 2) |
    ofAccess.andMask(!walk.byWord)

  private val rights = asked.io.rights
  val mayRead = rights.read

  /** The answer to a read counts when its right is known: it is `kept` till then if need be. */
  private val rsp = walker.io.memory.rsp
  private val known = RegNext(reading) init False
  val early = reading && !known && rsp.valid
  val kept = RegNext(early) init False
  val answered = kept || rsp.valid && !early
  val mayUpdate = RegNextWhen(rights.write, reading) // the descriptor that was read last

  /** In state `leaf`: what is asked next, if not all is open. */
  private val open = rights.all || walk.request.translateOnly
  val smaller = !open && !walk.byWord

  /** A page fault of the same access comes first, and is found on the hit. */
  private val pageAllows = direct || walker.allowed
  val refuses = !open && walk.byWord && !rights.permit(walk.request.access) && pageAllows
  val settles = !smaller && !refuses

  Checks {
    def at(name: String)(here: Bool): Unit = CoverPoint(s"walker.$name")(here && !walker.killed)
    at("pmp_early")(early)
    at("pmp_read")(reading && answered && !mayRead)
    at("pmp_update")(isIn(check) && walker.allowed && !mayUpdate)
    at("pmp_page")(isIn(leaf) && settles && walk.byPage && !walk.byWord)
    at("pmp_once")(isIn(leaf) && settles && walk.byWord && !direct)
    at("pmp_refuses")(isIn(leaf) && refuses && !direct)
    at("pmp_hides")(isIn(leaf) && walk.byWord && !rights.all && !pageAllows)
    at("pmp_direct")(isIn(leaf) && refuses && direct)
    assert(!(kept && rsp.valid), "walker: the memory answers a read twice")
  }
}

object WalkProtection {

  /** What a direct access asks for first, and [[granule.mmu.DirectAccess]] remembers if it is open:
    * 4 MiB. Firmware keeps less to itself, and kernels begin behind it at such an address.
    */
  val directPiece = 22
}
