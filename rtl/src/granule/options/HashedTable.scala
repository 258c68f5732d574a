package granule.options

import granule.arch.{Checks, CoverPoint, Htab, MmuConfig, TableFormats}
import granule.mmu._
import spinal.core._
import spinal.lib._

/** A table of translations in memory, behind the TLBs and before the walker, as PowerPC has one:
  * groups of eight entries, found by a hash of address and ASID ([[HashedTranslations]]). What
  * neither the first nor the second group of an address knows is walked and then entered. Software
  * takes entries away; an invalidation does not touch them. docs/hashed-table.md has the rules.
  *
  * Ports: `port` is a [[WalkPort]] with the walker's contract, `walker` is the walker, and `memory`
  * is its memory port ([[WalkMemoryPort]]), which the walker has (`descriptors`) while it walks;
  * `control` is HTAB. `walking` is the walk that the walker knows; `underWay` and `invalidated`
  * ([[WalkUnderWay]]) are for both. `busy`: somebody waits for an answer.
  *
  * {{{
  * in           it holds                          when                             to
  * idle         nothing                           a request that may be probed     tag
  *                                                another one                      ask
  * tag          a read of a tag                   of this page                     translation
  *                                                of another, the last one         ask
  *                                                of another                       tag
  * translation  a read of the entry's other half  the access may use it            found
  *                                                it must mark the page dirty      ask
  * found        a translation                     at once                          leaf
  * leaf         the same                          at once                          idle
  * ask          a request                         the walker takes it              walking
  *                                                translation was switched off     idle
  * walking      a walk                            a page that may be entered       vacate, old
  *                                                any other end                    idle
  * vacate       a swap that frees an entry        won                              old
  * old          a read of a translation           answered                         write
  * write        a swap of it                      won                              enter
  * enter        a swap of a tag                   answered                         idle
  * }}}
  *
  * All writes are compare-and-swaps of 64 bits, so that none undoes what software stored meanwhile;
  * one that is lost, or ends in an error, leaves the entry free. A bus error while it is probed is
  * no fault: the walk answers, and nothing is entered.
  *
  * Latency, for a memory that answers N cycles after a read was accepted: a hit in slot i of the
  * first group is answered (i + 2)(N + 1) + 2 cycles after the request, i + 10 in the second. A
  * miss delays the walk by 16 (N + 1) + 1 cycles, and the next request by up to 4 (N + 2) more.
  * When HTAB is off, or memory is not cached, a walk is one cycle later than without it.
  */
case class HashedTable(config: MmuConfig) extends Component {
  private val formats = TableFormats(config)
  private val table = HashedTranslations(formats)

  val io = new Bundle {
    val control = in(Bits(64 bits))
    val context = in(DecodedContext(formats))
    val port = slave(WalkPort(formats))
    val walker = master(WalkPort(formats))
    val descriptors = slave(WalkMemoryPort(config.paWidth, formats.descriptorBits))
    val memory = master(WalkMemoryPort(config.paWidth, formats.descriptorBits))
    val invalidated = slave(Flow(Bool()))
    val walking = in(WalkUnderWay(formats))
    val underWay = out(WalkUnderWay(formats))
    val busy = out(Bool())
  }

  object State extends SpinalEnum {
    val idle, tag, translation, found, leaf, ask, walking, vacate, old, write, enter = newElement()
  }
  import State._
  private val state = RegInit(idle)
  private def isIn(some: SpinalEnumElement[State.type]*): Bool = some.map(state === _).orR
  private val fills = isIn(vacate, old, write, enter)

  private val request = Reg(WalkRequest())
  private val sought = Reg(SoughtPage(formats))
  private val cacheable, enters = Reg(Bool())
  private val killed = Reg(Bool()) setWhen (io.invalidated.valid && io.invalidated.payload)

  /** The entry that is probed, and the one that will be written. */
  private val at, place = Reg(HashedPlace())
  private val chosen = Reg(Bool()) // it is free, or of this page
  private val oldTag, oldTranslation = Reg(Bits(64 bits))
  private val turn = Reg(UInt(3 bits)) init 0 // whose entry of a full group goes next

  private val sent = Reg(Bool()) init False
  private val accesses = fills || isIn(tag, translation)
  private val offered = RegNext(io.memory.cmd.isStall && accesses) init False
  private val answer = io.memory.rsp
  private val answered = accesses && sent && answer.valid
  private val failed = answer.error || answer.unsupported
  private val readTag = answer.data(63 downto 0)
  private val won = !failed && answer.data(63 downto 0) === io.memory.cmd.expected(63 downto 0)
  private val writes =
    request.access === Access.write || request.access === Access.atomic

  private val entry = Reg(Bits(64 bits)) // a translation that was read, or that was walked
  private val newTag = Reg(Bits(64 bits))
  private val leafOfEntry = table.leaf(sought, entry, HashedTag.global.bool(oldTag))

  private def takes(here: HashedPlace, tag: Bits): Unit = {
    place := here
    oldTag := tag
  }

  switch(state) {
    is(idle) {
      val upper = VirtualAddress.upper(io.port.cmd.va)
      val half = io.context.half(upper)
      val now = SoughtPage.of(io.port.cmd.va, half.tableFormat, io.context, formats)
      val mayProbe = Htab.enable.bool(io.control) && half.cacheable &&
        io.port.cmd.highCanonical && !io.port.cmd.translateOnly
      request := io.port.cmd.payload
      sought := now
      cacheable := half.cacheable
      enters := mayProbe
      chosen := False
      at := HashedPlace.first
      when(io.port.cmd.valid) {
        killed := False
        state := mayProbe ? tag | ask
      }
    }
    is(tag) {
      when(answered) {
        val valid = HashedTag.valid.bool(readTag)
        when(!chosen && (!valid || !at.second && at.slot === turn)) {
          takes(at, readTag)
          chosen := !valid
        }
        at.slot := at.slot + 1
        at.second setWhen at.slot.andR
        when(table.isOf(readTag, sought)) {
          at := at
          takes(at, readTag)
          chosen := True
          state := translation
        } elsewhen (at.second && at.slot.andR) { state := ask }
      }
    }
    is(translation) {
      entry := readTag
      when(answered) { state := found }
      when(answered && writes && table.isClean(readTag)) { state := ask }
    }
    is(found) { state := leaf }
    is(leaf) { state := idle }
    is(ask) { when(io.walker.cmd.fire) { state := walking } }
    is(walking) {
      val leaf = io.walker.leaf.payload
      entry := table.translation(leaf)
      newTag := table.tag(leaf)
      when(io.walker.fault.valid || io.walker.dropped) { state := idle }
      when(io.walker.leaf.valid) {
        state := idle
        when(enters && !killed && table.isPageOf(leaf, sought)) {
          state := HashedTag.valid.bool(oldTag) ? vacate | old
          when(!chosen) { turn := turn + 1 }
        }
      }
    }
    is(vacate) {
      when(answered) {
        oldTag := 0
        state := old
      }
    }
    is(old) {
      oldTranslation := readTag
      when(answered) { state := write }
    }
    is(write) { when(answered) { state := enter } }
    is(enter) { when(answered) { state := idle } }
  }
  // What goes wrong: a probe gives up, and so does what would be entered.
  when(answered && failed && isIn(tag, translation)) {
    state := ask
    enters := False
  }
  when(answered && fills && (isIn(old) ? failed | !won)) { state := idle }
  private val stopped = killed && !offered && (!sent || answered)

  /** The walker would read tables by registers that say that there are none, and update them. */
  private val off = !io.context.enabled
  private val gone = killed && isIn(found, leaf, ask) || isIn(tag, translation) && stopped ||
    isIn(ask) && off
  private val ends = io.walker.leaf.valid || io.walker.fault.valid
  when(gone || fills && stopped) { state := idle }

  sent := (sent || io.memory.cmd.fire) && accesses && !answered

  io.port.cmd.ready := state === idle
  io.port.leaf.valid := !killed && (io.walker.leaf.valid || isIn(leaf))
  io.port.leaf.payload := isIn(walking) ? io.walker.leaf.payload | leafOfEntry
  io.walker.leaf.ready := True
  // Only AT looks at them, and options beside the walker.
  io.port.shareability := io.walker.shareability
  io.port.permitted := io.walker.permitted
  io.port.fault.valid := io.walker.fault.valid && !killed
  io.port.fault.payload := io.walker.fault.payload
  io.port.dropped := io.walker.dropped || killed && ends || gone

  io.walker.cmd.valid := isIn(ask) && !killed && !off
  io.walker.cmd.payload := request

  private val own = io.memory.cmd.payload
  io.memory.cmd.payload := io.descriptors.cmd.payload
  io.memory.cmd.valid := io.descriptors.cmd.valid
  io.descriptors.cmd.ready := io.memory.cmd.ready && !accesses
  io.descriptors.rsp.valid := io.memory.rsp.valid && !accesses
  io.descriptors.rsp.payload := io.memory.rsp.payload
  when(accesses) {
    io.memory.cmd.valid := !sent && (!killed || offered)
    val ofTranslation = isIn(translation, old, write)
    own.address := table.address(io.control, sought, fills ? place | at, ofTranslation)
    own.size := 1
    own.cacheable := cacheable
    own.swap := isIn(vacate, write, enter)
    own.expected := (isIn(write) ? oldTranslation | oldTag).resized
    own.desired := state.mux(write -> entry, enter -> newTag, default -> B(0, 64 bits)).resized
  }

  // What the walker knows, it says itself; the rest is of the page that is sought.
  io.underWay.upper := sought.upper
  io.underWay.asid := sought.asid
  io.underWay.mayStore := killed && fills && (sent || offered)
  when(isIn(walking)) { io.underWay := io.walking }
  io.busy := !isIn(idle) && !fills

  Checks {
    Checks.held("hashed table: memory", io.memory.cmd)
    assert(!ends || isIn(walking), "hashed table: a walk ends that it did not begin")
    CoverPoint("hashed.hit")(isIn(leaf) && !killed)
    CoverPoint("hashed.hit_second")(isIn(leaf) && at.second)
    CoverPoint("hashed.marks_dirty")(
      isIn(translation) && answered && !failed && table.isClean(readTag) && writes
    )
    CoverPoint("hashed.enters_second")(isIn(enter) && answered && won && place.second)
    CoverPoint("hashed.evicts")(isIn(vacate) && answered && won && !chosen)
    CoverPoint("hashed.lost")(fills && answered && !failed && !won && !isIn(old))
    CoverPoint("hashed.error")(isIn(tag) && answered && failed)
    CoverPoint("hashed.killed_probing")(isIn(tag, translation) && killed)
    CoverPoint("hashed.killed_entering")(isIn(enter) && killed && sent)
  }
}
