package granule.verify

import granule.arch.{FaultStatus, MmuConfig, TableFormats}
import granule.mmu._
import granule.options.{PmpGuard, PmpRights}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** A walk reads, stores and finds what physical memory protection lets it. The entries may be
  * others in every cycle. Those of the cycle before count for a descriptor; those of two cycles
  * before count for a leaf, and for a question about an access that is not translated.
  *
  * A read is sent before it is known whether it may be. So nothing is made of its answer.
  */
case class GuardedWalkProof(config: MmuConfig) extends WalkerSetting(config) {
  private val formats = TableFormats(config)
  private val pmp = PmpContract(guard)
  private val (cmd, rsp) = (memory.cmd, memory.rsp)
  private val (accepts, fault) = (port.cmd.fire, port.fault)
  private val (ends, leaf) = (port.leaf.valid, port.leaf.payload)

  private val request = RegNextWhen(port.cmd.payload, accepts)
  private val context =
    RegNextWhen(walker.io.context.walk(VirtualAddress.upper(port.cmd.va)), accepts)

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

  // ---- leaves -----------------------------------------------------------------------------------
  private def inside(log2Bytes: Int) =
    B((BigInt(1) << (log2Bytes - 2)) - 1, config.paWidth - 2 bits)
  private val mapped = leaf.mapping.page ## B(0, formats.pageShift - 2 bits)
  private val within = formats.spans.mask(leaf.mapping.span, 2, config.paWidth)
  private val va = request.va(formats.pageShift - 1 downto 2).asBits
  private val isWord = pmp.is(leaf.mapping.page ## va, inside(2))
  private val opened = RegNext(pmp.opened(False))
  private val suffices = opened.suffice(PmpRights.of(request.access))
  private val control =
    AccessControl.of(request.access, request.el1, request.pan, request.mxr, context)
  private val permitted = PermissionCheck(control).allowed(leaf.mapping.permissions)
  private val found = ends && !request.translateOnly // AT asks for no right of its access

  Claim.always("all of what a TLB keeps is open") {
    !(found && !leaf.once && pmp.is(mapped, within)) || opened.asBits.andR
  }
  Claim.always("what is found for one access is open to it") {
    !(found && leaf.once && permitted && isWord) || suffices
  }
  private val refuses = fault.valid && fault.status === FaultStatus.accessAbort
  Claim.always("an access is refused that is permitted and not open") {
    !(refuses && isWord) || permitted && !suffices
  }

  // ---- accesses that are not translated ---------------------------------------------------------
  private val question = guard.io.questions.head
  private val answer = question.answer
  private val says = answer.valid && question.asks
  private val toIt = RegNext(pmp.opened(question.machine))
  private val sufficesIt = toIt.suffice(PmpRights.of(question.access))
  private val isIts = pmp.is(question.word.asBits, inside(2))
  Claim.always("all of what is remembered of a direct access is open") {
    val piece = answer.byPage ? inside(formats.pageShift) | inside(PmpGuard.directPiece)
    !(says && answer.open && !answer.byWord && pmp.is(question.word.asBits, piece)) ||
    toIt.asBits.andR
  }
  Claim.always("a direct access passes alone that is open") {
    !(says && answer.byWord && isIts) || answer.open === sufficesIt
  }
  Claim.always("a direct access is refused by its word") {
    !(says && !answer.open) || answer.byWord
  }

  // From here on, what makes the others follow.
  private def at[T <: Data](what: T): T = what.pull()
  private val (state, walk) = (at(walker.state), walker.walk)
  private def isIn(some: SpinalEnumElement[walker.State.type]*) = some.map(state === _).orR
  import walker.State.{check, idle, start, step, swapping, waiting}
  private val begins = at(walk.first)
  private val (kind, depth, unread) = (at(walk.kind), at(walk.level), at(walk.readError))
  private val kept = at(guard.descriptor.kept)
  private val isLast = pmp.is((at(walker.entryAddress) >> 2).asBits, words)
  private val hasRead = isIn(step) && !begins
  private val judges = isIn(walker.State.leaf)
  private val after = hasRead || isIn(check, swapping) || judges

  private val judging = at(guard.stage)
  private val unasked = judging === guard.Stage.idle
  private val (byPage, byWord) = (at(guard.asked.byPage), at(guard.asked.byWord))
  private val asks = at(guard.asked.question)

  Claim.always("a walk is of its request") {
    isIn(idle) || at(walk.request) === request && at(walk.context) === context &&
    at(walk.va) === request.va(formats.vaBits - 1 downto 0).asBits
  }
  Claim.always("what is read is what was asked for") {
    reading === (isIn(waiting) && !kept) && (!reading || reads === isLast) &&
    at(guard.descriptor.reading) === isIn(waiting) &&
    (!isIn(waiting) || pmp.is(at(guard.piece.word), at(guard.piece.inside)) === reads)
  }
  Claim.always("what was read last is known") {
    !(isLast && (hasRead && !at(walker.step.descends) || isIn(check, swapping))) || known
  }
  Claim.always("what is known was judged") {
    val stored = at(guard.descriptor.mayUpdate) === gave.write
    !known || isIn(idle) || (!after || unread === (error || !gave.read) && stored) &&
    (!isIn(waiting) || kept && at(guard.descriptor.error) === error) &&
    (!(isIn(start, swapping) || isIn(step) && begins) || gave.read)
  }
  Claim.always("an answer is kept when it is early") {
    !kept || isIn(waiting) && at(guard.descriptor.known) && reads === isLast
  }
  Claim.always("a part is asked for when all of a leaf is not open") {
    (!byWord || byPage) && !(unasked && (byPage || asks)) && (unasked || asks || judges)
  }
  Claim.always("a question that is taken waits for its answer") {
    !asks || (RegNext(question.asks) init False)
  }
  Claim.always("what was read is of its level, and one thing") {
    val next = at(walker.nextLevel)
    val properties = LevelProperties.of(at(walk.context), depth, walker.geometry)
    val below = UIntToOh(depth, next.getWidth) |<< 1
    (!(after || isIn(waiting) && !first) || at(walk.levelProperties) === properties) &&
    (!(after || isIn(waiting)) || next === below && depth =/= 0) &&
    (!(isIn(step) && begins && at(walk.legal)) || CountOne(next) === 1 && !next(0)) &&
    !(after && kind.table && (kind.leaf || depth.andR))
  }
  Claim.always("what is judged is a leaf") {
    !(isIn(swapping) && begins) &&
    (!(judges || isIn(check)) || at(walker.step.maps) && !begins &&
      (isIn(check) || !at(walker.step.needsUpdate) || request.translateOnly))
  }

  Claim.reached("a read is refused")(refused && isAbort && !error)
  Claim.reached("a store is refused")(known && gave.read && !gave.write && isAbort && !error)
  Claim.reached("a part of a block is kept, as all of it is not open") {
    found && !leaf.once && leaf.mapping.span =/= leaf.span
  }
  Claim.reached("a word is open to its access alone") {
    found && leaf.once && isWord && permitted && !opened.asBits.andR
  }
  Claim.reached("an access is refused")(refuses && isWord)
  Claim.reached("a direct access is refused")(says && isIts && !answer.open)
}
