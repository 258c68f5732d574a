package granule.walk

import granule.port.{Checks, CoverPoint}
import spinal.core._
import spinal.lib._

/** Physical memory protection of a [[Walker]]: asks one [[PmpCheck]] about every descriptor, about
  * what a leaf maps, and about direct accesses.
  *
  * {{{
  *   waiting   the descriptor that is read: an S-mode load of it, and a store if it is updated.
  *             The answer of memory comes later than this, and is not looked at without the right.
  *   leaf      all that the entry would map. If it is open, to be read, written and executed, a TLB
  *             keeps it, and accesses that hit are not checked again.
  *             Else the page alone, two cycles later. Else, two cycles later, the word of this
  *             access, with the rights that it needs: the leaf is for it alone.
  * }}}
  * A direct access begins with its page. So protection costs no cycle of what is open.
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
  private val ofEntry =
    direct ? B(formats.spans.code(formats.pageShift), formats.spans.codeBits bits) |
      descriptor.cachedSpan
  asked.io.inside := reading ? (size(1) ## size.orR).resize(config.paWidth - 2) |
    formats.spans.mask(ofEntry, 2, config.paWidth).andMask(!walk.byWord)

  private val rights = asked.io.rights
  val mayRead = rights.read
  val mayUpdate = RegNextWhen(rights.write, reading) // the descriptor that was read last

  /** In state `leaf`: what is asked next, if not all is open. */
  private val open = rights.all || walk.request.translateOnly
  val smaller = !open && !walk.byWord

  /** A page fault of the same access comes first, and is found on the hit. */
  private val pageAllows = direct || walker.allowed
  val refuses = !open && walk.byWord && !rights.permit(walk.request.access) && pageAllows
  val settles = !smaller && !refuses

  Checks {
    val rsp = walker.io.memory.rsp
    def at(name: String)(here: Bool): Unit = CoverPoint(s"walker.$name")(here && !walker.killed)
    at("pmp_read")(reading && rsp.valid && !rsp.error && !mayRead)
    at("pmp_update")(isIn(check) && walker.allowed && !mayUpdate)
    at("pmp_page")(isIn(leaf) && settles && walk.byPage && !walk.byWord)
    at("pmp_once")(isIn(leaf) && settles && walk.byWord && !direct)
    at("pmp_refuses")(isIn(leaf) && refuses && !direct)
    at("pmp_hides")(isIn(leaf) && walk.byWord && !rights.all && !pageAllows)
    at("pmp_direct")(isIn(leaf) && refuses && direct)
    assert(
      !(reading && rsp.valid) || RegNext(reading, init = False),
      "walker: memory answers in the cycle after a command, when no right is known yet"
    )
  }
}
