package granule.mmu

import granule.arch.{Checks, CoverPoint}
import spinal.core._
import spinal.lib._

/** Physical memory protection of a [[Walker]]: asks one [[PmpCheck]] about every descriptor, about
  * what a leaf maps, and about direct accesses.
  *
  * {{{
  *   waiting   the descriptor that is read: an S-mode load of it, and a store if it is updated. The
  *             rights are known in its second cycle; an answer of memory in the first is kept.
  *   judge     all that the entry would map.
  *   leaf      If it is open, to be read, written and executed, a TLB keeps it, and accesses that
  *             hit are not checked again.
  *             Else the page alone, three cycles later. Else, three cycles later, the word of this
  *             access, with the rights that it needs: the leaf is for it alone.
  * }}}
  * A direct access begins with the `directPiece` that it is in. So protection costs one cycle of a
  * walk whose leaf is open, if memory needs two for an answer.
  */
private[granule] case class WalkProtection(walker: Walker) extends Area {
  import walker.{descriptor, isIn, walk}
  import walker.State.{check, idle, judge, leaf, waiting}
  private val formats = walker.geometry.formats
  private val config = formats.config
  private val direct = walk.request.direct
  private val reading = isIn(waiting)

  private[granule] val asked = PmpCheck(config.pmpEntries, config.paWidth)
  asked.io.pmp := walker.io.pmp
  asked.io.machine := direct && walk.request.machine

  val smaller = Bool()

  /** What is asked about: a word, and the address bits inside of what is read or mapped. */
  private val piece = new Area {
    val width = config.paWidth - 2
    def of(log2Bytes: Int) = B((BigInt(1) << (log2Bytes - 2)) - 1, width bits)
    val size = walker.io.memory.cmd.size
    val descriptorRead = (size(1) ## size.orR).resize(width)

    // That a contiguous hint is of no use is known too late: all that the leaf could map. All but
    // the hint is known in the cycle before: here it is what `walk` will have in the next one.
    private val (idles, shrinks) = (isIn(idle), isIn(leaf) && smaller)
    private val byPage = !idles && (walk.byPage || shrinks)
    private val byWord = !idles && (walk.byWord || shrinks && walk.byPage)
    private def mapped(span: Bits) = RegNext {
      val leaf = (idles || direct) ? of(WalkProtection.directPiece) |
        formats.spans.mask(span, 2, config.paWidth)
      (byPage ? of(formats.pageShift) | leaf).andMask(!byWord)
    }
    val inside = mapped(walk.levelProperties.leafSpan)
    val inGroup = if (config.contiguous) mapped(walk.levelProperties.groupSpan) else inside
    asked.io.inside := reading ? descriptorRead | (descriptor.contiguous ? inGroup | inside)

    // Bits inside of a leaf do not count. Where the access is in it is known a cycle later.
    def words(address: Bits) = address.resize(config.paWidth)(config.paWidth - 1 downto 2)
    val address = walk.output.address
    val access = RegNext(OutputAddress.inLeaf(address, walk.va, descriptor.span, formats))
    val word = direct ? words(walk.va) | (walk.byPage ? words(access) | words(address))
    asked.io.word := (reading ? (walker.entryAddress >> 2).asBits | word).asUInt
  }
  private val rights = asked.io.rights
  val mayRead = rights.read

  /** The answer to a read counts when its right is known: it is `kept` till then if need be. */
  private val rsp = walker.io.memory.rsp
  private val known = RegNext(reading) init False
  val early = reading && !known && rsp.valid
  val kept = RegNext(early) init False
  val answered = kept || rsp.valid && !early
  val mayUpdate = RegNextWhen(rights.write, reading) // the descriptor that was read last

  /** In state `leaf`: whether the walk may end so, or what is asked next. What a TLB may keep is
    * open to everything; a word, to this access. A page fault of the same access comes first, and
    * is found on the hit. What is needed is early, and `rights` are late.
    */
  private val pageAllows = direct || walker.allowed
  asked.io.needs.assignFromBits(B"111")
  when(walk.byWord) { asked.io.needs := PmpRights.of(walk.request.access) }
  private val needsNone = walk.request.translateOnly || walk.byWord && !pageAllows
  private val suffices = asked.io.suffices || needsNone
  smaller := RegNext(!suffices && !walk.byWord)
  val refuses = RegNext(!suffices && walk.byWord)
  val settles = RegNext(suffices)

  Checks {
    def at(name: String)(here: Bool): Unit = CoverPoint(s"walker.$name")(here && !walker.killed)
    at("pmp_early")(early)
    at("pmp_read")(reading && answered && !mayRead)
    at("pmp_update")(isIn(check) && walker.allowed && !mayUpdate)
    at("pmp_page")(isIn(leaf) && settles && walk.byPage && !walk.byWord)
    at("pmp_once")(isIn(leaf) && settles && walk.byWord && !direct)
    at("pmp_refuses")(isIn(leaf) && refuses && !direct)
    at("pmp_hides")(isIn(judge) && walk.byWord && !rights.asBits.andR && !pageAllows)
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
