package granule.proof

import granule.config.MmuConfig
import granule.format.{FaultStatus, TableFormats}
import granule.port.VirtualAddress
import granule.walk._
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** What a walk reads, stores and finds is what physical memory protection lets it, by the entries
  * of one cycle, which may be others in every cycle: that before the answer counts, or two before
  * the walk ends.
  *
  * A read is sent before it is known whether it may be. So nothing is made of its answer.
  */
case class GuardedWalkProof(config: MmuConfig) extends WalkerSetting(config) {
  private val formats = TableFormats(config)
  private val pmp = PmpContract(walker)
  private val (cmd, rsp) = (memory.cmd, memory.rsp)
  private val (accepts, fault) = (walker.io.walk.cmd.fire, walker.io.walk.fault)
  private val (ends, leaf) = (walker.io.walk.leaf.valid, walker.io.walk.leaf.payload)

  private val request = RegNextWhen(walker.io.walk.cmd.payload, accepts)
  private val context =
    RegNextWhen(walker.io.context.walk(VirtualAddress.upper(walker.io.walk.cmd.va)), accepts)
  private val direct = request.direct

  // ---- descriptors ------------------------------------------------------------------------------
  private val words = ((U(1, 4 bits) |<< cmd.size) - 1).asBits.resize(config.paWidth - 2)
  private val isPiece = pmp.is((cmd.address >> 2).asBits, words)
  private val sent = cmd.fire && !cmd.swap
  private val reads = RegNextWhen(isPiece, sent)
  private val reading = RegInit(False) setWhen sent clearWhen rsp.valid
  private val answered = reading && rsp.valid && reads

  /** The watched piece was read last; what the entries of one cycle gave to it. */
  private val known = RegInit(False) setWhen answered clearWhen (sent || accepts)
  private val first = RegNext(sent) init False
  private val gave = RegNextWhen(first ? pmp.opens(0) | pmp.opened(False), answered)
  private val error = RegNextWhen(rsp.error, answered)
  private val lost = rsp.valid && rsp.error // of a store
  private val isAbort =
    fault.valid && fault.status === FaultStatus.externalAbort.at(leaf.mapping.level, formats)
  private val refused = known && !gave.read

  Claim.always("of what may not be read nothing is used") {
    !refused || !(cmd.valid || ends || walker.io.tables.install.valid)
  }
  Claim.always("what may not be read is an external abort of its level") {
    !(refused && fault.valid) || isAbort
  }
  Claim.always("what is stored may be read and stored") {
    !(cmd.valid && cmd.swap && isPiece) || known && gave.read && gave.write
  }
  Claim.always("an external abort has a reason") {
    !(known && isAbort) || error || lost || !gave.read || !gave.write
  }

  // ---- leaves and direct accesses ---------------------------------------------------------------
  private def inside(log2Bytes: Int) =
    B((BigInt(1) << (log2Bytes - 2)) - 1, config.paWidth - 2 bits)
  private val mapped = leaf.mapping.page ## B(0, formats.pageShift - 2 bits)
  private val within = formats.spans.mask(leaf.mapping.span, 2, config.paWidth)
  private val va = request.va(config.paWidth - 1 downto 2).asBits
  private val word = direct ? va | (leaf.mapping.page ## va(formats.pageShift - 3 downto 0))
  private val isWord = pmp.is(word, inside(2))
  private val opened = pmp.openedTwice(direct && request.machine)
  private val suffices = opened.suffice(PmpRights.of(request.access))
  private val control =
    AccessControl.of(request.access, request.el1, request.pan, request.mxr, context)
  private val permitted = direct || PermissionCheck(control).allowed(leaf.mapping.permissions)
  private val found = ends && !request.translateOnly // AT asks for no right of its access

  Claim.always("all of what a TLB keeps is open") {
    !(found && !leaf.once && !direct && pmp.is(mapped, within)) || opened.asBits.andR
  }
  Claim.always("what is found for one access is open to it") {
    !(found && leaf.once && permitted && isWord) || suffices
  }
  Claim.always("all of what is remembered of a direct access is open") {
    val piece = leaf.byPage ? inside(formats.pageShift) | inside(WalkProtection.directPiece)
    !(found && !leaf.once && direct && pmp.is(va, piece)) || opened.asBits.andR
  }
  private val refuses = fault.valid && fault.status === FaultStatus.accessAbort
  Claim.always("an access is refused that is permitted and not open") {
    !(refuses && isWord) || permitted && !suffices
  }

  // From here on, what makes the others follow.
  private case class Inside() extends Bundle {
    val idle, start, step, waiting, check, swapping, ends = Bool()
    val first, unread, mayUpdate, kept, byPage, byWord, maps, descends, updates = Bool()
    val request = WalkRequest(config.pmp)
    val context = WalkContext(formats)
    val va = Bits(formats.vaBits bits)
    val kind = DescriptorKind()
    val address = UInt(config.paWidth bits)
    val legal = Bool()
    val level = UInt(formats.levelWidth bits)
    val next = Bits(formats.levels.size bits)
    val properties, propertiesNow = LevelProperties(formats)
  }
  private val seen = walker
    .rework {
      import walker.{isIn, State, walk}
      val seen = Inside()
      seen.idle := isIn(State.idle)
      seen.start := isIn(State.start)
      seen.step := isIn(State.step)
      seen.waiting := isIn(State.waiting)
      seen.check := isIn(State.check)
      seen.swapping := isIn(State.swapping)
      seen.ends := isIn(State.judge, State.leaf)
      seen.first := walk.first
      seen.unread := walk.readError
      seen.mayUpdate := walker.protection.mayUpdate
      seen.kept := walker.protection.kept
      seen.byPage := walk.byPage
      seen.byWord := walk.byWord
      seen.maps := walker.step.maps
      seen.descends := walker.step.descends
      seen.updates := walker.step.needsUpdate
      seen.request := walk.request
      seen.context := walk.context
      seen.va := walk.va
      seen.kind := walk.kind
      seen.address := walker.entryAddress
      seen.legal := walk.legal
      seen.level := walk.level
      seen.next := walker.nextLevel
      seen.properties := walk.levelProperties
      seen.propertiesNow := LevelProperties.of(walker.tableFormat, walk.level, walker.geometry)
      seen
    }
    .pull()
  private val isLast = pmp.is((seen.address >> 2).asBits, words)
  private val hasRead = seen.step && !seen.first
  private val judges = seen.ends && !direct
  private val after = hasRead || seen.check || seen.swapping || judges

  Claim.always("a walk is of its request") {
    seen.idle || seen.request === request && seen.context === context &&
    seen.va === request.va(formats.vaBits - 1 downto 0).asBits
  }
  Claim.always("what is read is what was asked for") {
    reading === (seen.waiting && !seen.kept) && (!reading || reads === isLast)
  }
  Claim.always("what was read last is known") {
    !(isLast && (hasRead && !seen.descends || seen.check || seen.swapping)) || known
  }
  Claim.always("what is known was judged") {
    !known || seen.idle || !direct &&
    (!after || seen.unread === (error || !gave.read) && seen.mayUpdate === gave.write) &&
    (!seen.waiting || seen.kept && seen.unread === error) &&
    (!(seen.start || seen.swapping || seen.step && seen.first) || gave.read && gave.write)
  }
  Claim.always("a part is asked for when all of a leaf is not open") {
    val sooner = seen.waiting || seen.swapping || seen.check || seen.step && seen.first ||
      seen.start && !direct
    (!seen.byWord || seen.byPage || seen.idle) && !(sooner && seen.byPage) &&
    (seen.idle || !direct || seen.start || seen.ends)
  }
  Claim.always("what was read is of its level, and one thing") {
    val (ofLevel, known) = (after || seen.waiting, after || seen.waiting && seen.kept)
    val below = UIntToOh(seen.level, seen.next.getWidth) |<< 1
    (!(after || seen.waiting && !first) || seen.properties === seen.propertiesNow) &&
    (!ofLevel || seen.next === below && seen.level =/= 0) &&
    (!(seen.step && seen.first && seen.legal) || CountOne(seen.next) === 1 && !seen.next(0)) &&
    !(known && seen.kind.table && (seen.kind.leaf || seen.level.andR))
  }
  Claim.always("what is judged is a leaf") {
    !(seen.swapping && seen.first) &&
    (!(judges || hasRead && seen.byPage || seen.check) || seen.maps && !seen.first &&
      (seen.check || !seen.updates || request.translateOnly))
  }

  Claim.reached("a read is refused")(refused && isAbort && !error)
  Claim.reached("a store is refused")(known && gave.read && !gave.write && isAbort && !error)
  Claim.reached("a part of a block is kept, as all of it is not open") {
    found && !direct && !leaf.once && leaf.mapping.span =/= leaf.span
  }
  Claim.reached("a word is open to its access alone") {
    found && !direct && leaf.once && isWord && permitted && !opened.asBits.andR
  }
  Claim.reached("an access is refused")(refuses && isWord && !direct)
  Claim.reached("a direct access is refused")(refuses && isWord && direct)
}
