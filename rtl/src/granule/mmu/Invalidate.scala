package granule.mmu

import granule.arch.{BitField, Granule, TableFormats, TlbiOperand}
import spinal.core._
import spinal.lib._

/** Kinds of TLB invalidation (spec 8.2). */
object InvalidateKind extends SpinalEnum(binarySequential) {
  val all, asid, va, vaAllAsids, range, rangeAllAsids = newElement()

  /** The kind that a code means; others invalidate everything, which is always allowed. */
  def of(code: Bits): InvalidateKind.C = {
    val kind = InvalidateKind()
    kind := all
    for ((k, i) <- elements.zipWithIndex)
      when(code === i) { kind := k.asInstanceOf[SpinalEnumElement[InvalidateKind.type]] }
    kind
  }
}

/** One command format for all kinds.
  *
  * @field lastLevelOnly leaf entries only; walk-cache entries may stay (VALE1, VAALE1, RVALE1...).
  * @field operand       the 64-bit operand as spec 8.3 (VA kinds) or 8.4 (range kinds) lays it out,
  *                      ASID in bits 63:48 for every kind that has one.
  * @field ds            TCR.DS: the base of a range counts in 64 KiB steps; with LPA2 or D128 only.
  */
case class InvalidateCmd() extends Bundle {
  val kind = InvalidateKind()
  val lastLevelOnly = Bool()
  val operand = Bits(64 bits)
  val ds = Bool()

  private def is(kinds: SpinalEnumElement[InvalidateKind.type]*) = kinds.map(kind === _).orR
  def isAll: Bool = is(InvalidateKind.all)
  def isAsid: Bool = is(InvalidateKind.asid)
  def isVa: Bool = is(InvalidateKind.va, InvalidateKind.vaAllAsids)
  def isRange: Bool = is(InvalidateKind.range, InvalidateKind.rangeAllAsids)
  def anyAsid: Bool = is(InvalidateKind.vaAllAsids, InvalidateKind.rangeAllAsids)
  def asid: Bits = TlbiOperand.asid.of(operand)

  /** The half of the address space that a VA, or else the base of a range, lies in. */
  def upper: Bool = isVa ? TlbiOperand.va.msb(operand) | TlbiOperand.base.msb(operand)
}

object InvalidateCmd {

  /** The operand of the kinds that name an ASID, an address or both. */
  def operandOf(asid: Bits, firstPage: Bits): Bits = BitField.word(
    TlbiOperand.asid -> asid.resize(TlbiOperand.asid.width),
    TlbiOperand.va -> firstPage.asSInt.resize(TlbiOperand.va.width)
  )
}

/** Agents that need not be told of a command, as software knows that they have nothing of it. */
case class SparedAgents() extends Bundle {
  val cpu, devices = Bool()
}

/** A command of software, with the agents that it spares. */
case class SparingInvalidate() extends Bundle {
  val command = InvalidateCmd()
  val spared = SparedAgents()
}

/** Invalidation port. `done` pulses once for each accepted command, in order. After that cycle no
  * translation and no walk in flight uses or installs what the command covers, and no walk that it
  * concerns updates a descriptor that it had read before. So the memory port must answer a
  * compare-and-swap without waiting for whoever waits for `done`.
  */
case class InvalidatePort() extends Bundle with IMasterSlave {
  val cmd = Stream(InvalidateCmd())
  val done = Bool()

  override def asMaster(): Unit = {
    master(cmd)
    in(done)
  }
}

/** What an invalidation means (spec 8.2 to 8.4): which entries it covers, which walk it concerns,
  * and what the counters call it. tb/unit/tlb/cocotb_invalidate_sweep.py reads this table.
  *
  * {{{
  * kind           leaves                 tables         the walk       counted
  *                global  ours   others  ours   others  ours   others  as
  * all            yes     yes    yes     yes    yes     yes    yes     all
  * asid           -       yes    -       yes    -       yes    -       asid
  * va             there   there  -       there  -       half   half    va
  * vaAllAsids     there   there  there   there  there   half   half    va
  * range          there   there  -       there  -       half   half    range
  * rangeAllAsids  there   there  there   there  there   half   half    range
  * }}}
  *
  * An entry is `ours` if it is of the command's ASID; tables are never global. `there`: what it
  * maps overlaps the addresses of the command; for a range it must be of the command's granule too.
  * With `lastLevelOnly` tables stay. A walk may still find anything in its half of the address
  * space, an entry of that half being global or not; so of a VA or range the half alone counts.
  *
  * Positions count in pages of 4K and are signed, so that the upper half lies below zero. TTL hints
  * are ignored, as spec 8.3 allows; they only ever make an invalidation smaller.
  *
  * @field everything all entries.
  * @field byAsid     the non-global entries of `asid`.
  * @field byVa       entries that overlap the `length` pages from `first` on, which is one page.
  * @field byRange    the same, but of `granule` only.
  * @field anyAsid    `asid` does not matter.
  * @field leavesOnly table entries may stay.
  */
case class InvalidateScope(formats: TableFormats) extends Bundle {
  private val positionBits = 56 - 12 + 1

  val everything, byAsid, byVa, byRange, anyAsid, leavesOnly = Bool()
  val asid = Bits(16 bits)
  val granule = Bits(formats.granules.size bits)
  val first = SInt(positionBits bits)
  val length = UInt(22 + formats.granules.map(_.log2Bytes).max - 12 bits)

  /** Behind the last page of the range. */
  def end: SInt = first + length.resize(positionBits).asSInt

  /** What the command says, except that a range counts in pages of its granule as if that were the
    * smallest one. Answers how often it has to [[widen]]. Fields are registers: what follows from
    * the command is computed from it, never from them.
    */
  def decode(command: InvalidateCmd): UInt = {
    val operand = command.operand
    everything := command.isAll
    byAsid := command.isAsid
    byVa := command.isVa
    val ranged = command.isRange
    byRange := ranged
    anyAsid := command.anyAsid
    asid := command.asid
    leavesOnly := command.lastLevelOnly

    // A granule that this MMU lacks names no entry.
    val tg = TlbiOperand.tg.of(operand).asUInt
    val named = Vec(formats.granules.map(g => tg === g.tlbiTg)).asBits
    granule := named

    val least = formats.pageShift - 12
    val base = TlbiOperand.base.of(operand).asSInt
    val units = (TlbiOperand.num.of(operand).asUInt +^ 1) << 1
    val scale = TlbiOperand.scale.of(operand).asUInt
    val scaled = scale.muxList((0 to 3).map(s => s -> (units << (5 * s)).resize(22)))
    def at(shift: Int) = (base << shift).resize(positionBits)
    val start = CombInit(at(least))
    if (formats.config.largeRangeBase) when(command.ds) {
      // The base counts in steps of 64K, whatever the granule (spec 8.4).
      val bases = formats.granules.map(g => at(4 - 2 * InvalidateScope.steps(g, formats)))
      start := MuxOH.or(named, bases, bypassIfSingle = true)
    }
    first := ranged ? start | TlbiOperand.va.of(operand).asSInt.resized
    length := ranged ? (scaled << least).resize(length.getWidth) | 1
    val steps = formats.granules.map(g => U(InvalidateScope.steps(g, formats), 2 bits))
    MuxOH.or(named, steps, bypassIfSingle = true).andMask(ranged)
  }

  /** Two more bits of a page. */
  def widen(): Unit = {
    first := first |<< 2
    length := length |<< 2
  }

  private def sameAsid(entry: SweptEntry): Bool = entry.asid.resize(16) === asid

  /** The entry is covered wherever it is. */
  def coversAnywhere(entry: SweptEntry): Bool =
    everything || byAsid && !entry.global && sameAsid(entry)

  /** The entry is covered if it [[overlaps]]. */
  def coversThere(entry: SweptEntry): Bool =
    (byVa || byRange && (entry.granule & granule).orR) &&
      (anyAsid || entry.global || sameAsid(entry))

  /** Which of the entries `tables` stay, whatever else covers them. */
  def spared(tables: Bits): Bits = tables.andMask(leavesOnly)

  /** @param end of this scope, computed once for all who ask. */
  def overlaps(entry: SweptEntry, end: SInt): Bool = {
    val finer = formats.pageShift - 12 // the smallest page may be larger than 4K
    val page = (entry.firstPage ## B(0, finer bits)).asSInt
    // The entry is not over before the range begins, if it begins with the range's first page or
    // later, rounded down to a multiple of what the entry maps. (Of `>=`, synthesis makes a
    // comparison for less and one for equal.)
    val inside = formats.sweptSpans.mask(entry.span, 12, formats.vaBits)
    val rounded = (first.asBits & ~inside.resize(first.getWidth)).asSInt
    entry.firstPage.msb === first.msb && page < end && !(page < rounded)
  }
}

/** What the counters call an invalidation. */
case class InvalidateEvents() extends Bundle {
  val all, asid, va, range = Bool()
}

object InvalidateScope {

  /** The command concerns a walk under way, unless its ASID or half says that it does not. */
  def concerns(command: InvalidateCmd, walk: WalkUnderWay): Bool = {
    val otherAsid = command.asid =/= walk.asid.resize(16)
    val otherHalf = command.upper =/= walk.upper
    !(command.isAsid && otherAsid || (command.isVa || command.isRange) && otherHalf)
  }

  /** One of them is high in a cycle in which a command is accepted. */
  def events(command: Flow[InvalidateCmd]): InvalidateEvents = {
    val events = InvalidateEvents()
    events.all := command.valid && command.isAll
    events.asid := command.valid && command.isAsid
    events.va := command.valid && command.isVa
    events.range := command.valid && command.isRange
    events
  }

  /** How many times two bits a page of a granule is larger than the smallest one. */
  def steps(granule: Granule, formats: TableFormats): Int =
    (granule.log2Bytes - formats.pageShift) / 2
}
