package granule.verify

import granule.arch.{FaultStatus, MmuConfig, TableFormats}
import granule.mmu._
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
  private def at[T <: Data](what: T): T = what.pull()
  private val (state, walk) = (at(walker.state), walker.walk)
  private def isIn(some: SpinalEnumElement[walker.State.type]*) = some.map(state === _).orR
  import walker.State.{check, idle, judge, start, step, swapping, waiting}
  private val Seq(begins, byPage, byWord) = Seq(walk.first, walk.byPage, walk.byWord).map(at(_))
  private val (kind, depth, unread) = (at(walk.kind), at(walk.level), at(walk.readError))
  private val kept = at(walker.protection.kept)
  private val isLast = pmp.is((at(walker.entryAddress) >> 2).asBits, words)
  private val hasRead = isIn(step) && !begins
  private val judges = isIn(judge, walker.State.leaf) && !direct
  private val after = hasRead || isIn(check, swapping) || judges

  Claim.always("a walk is of its request") {
    isIn(idle) || at(walk.request) === request && at(walk.context) === context &&
    at(walk.va) === request.va(formats.vaBits - 1 downto 0).asBits
  }
  Claim.always("what is read is what was asked for") {
    reading === (isIn(waiting) && !kept) && (!reading || reads === isLast)
  }
  Claim.always("what was read last is known") {
    !(isLast && (hasRead && !at(walker.step.descends) || isIn(check, swapping))) || known
  }
  Claim.always("what is known was judged") {
    val stored = at(walker.protection.mayUpdate) === gave.write
    !known || isIn(idle) || !direct && (!after || unread === (error || !gave.read) && stored) &&
    (!isIn(waiting) || kept && unread === error) &&
    (!(isIn(start, swapping) || isIn(step) && begins) || gave.read && gave.write)
  }
  Claim.always("a part is asked for when all of a leaf is not open") {
    val sooner = isIn(waiting, swapping, check) || isIn(step) && begins || isIn(start) && !direct
    (!byWord || byPage || isIn(idle)) && !(sooner && byPage) &&
    (!direct || isIn(idle, start, judge, walker.State.leaf))
  }
  Claim.always("what was read is of its level, and one thing") {
    val next = at(walker.nextLevel)
    val properties = LevelProperties.of(at(walker.tableFormat), depth, walker.geometry)
    val below = UIntToOh(depth, next.getWidth) |<< 1
    (!(after || isIn(waiting) && !first) || at(walk.levelProperties) === properties) &&
    (!(after || isIn(waiting)) || next === below && depth =/= 0) &&
    (!(isIn(step) && begins && at(walk.legal)) || CountOne(next) === 1 && !next(0)) &&
    !((after || isIn(waiting) && kept) && kind.table && (kind.leaf || depth.andR))
  }
  Claim.always("what is judged is a leaf") {
    !(isIn(swapping) && begins) &&
    (!(judges || hasRead && byPage || isIn(check)) || at(walker.step.maps) && !begins &&
      (isIn(check) || !at(walker.step.needsUpdate) || request.translateOnly))
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
