package granule.verify

import granule.arch.{Checks, CoverPoint, FaultStatus, MmuConfig}
import granule.mmu.Walker
import spinal.core._
import spinal.lib._

/** What a [[Walker]] relies on, and what tests must have shown it. */
object WalkChecks {
  def apply(walker: Walker): Unit = Checks {
    import walker.{allowed, descriptor, io, isIn, killed, readTaken, step, walk}
    import walker.State.{check, idle, leaf, start, swapping, waiting}
    val formats = walker.geometry.formats
    val config = formats.config
    val (cmd, rsp) = (io.memory.cmd, io.memory.rsp)

    // ---- what is relied on ----------------------------------------------------------------------
    Checks.held("walker: memory", cmd)
    assert(
      !rsp.valid || isIn(waiting, swapping),
      "walker: the memory answers what nobody asked"
    )
    Checks.atMostOne(
      "walker: a walk ends in two ways",
      io.walk.leaf.valid,
      io.walk.fault.valid,
      io.walk.dropped
    )
    assert(
      isIn(idle) || CountOne(walker.tableFormat) === 1,
      "walker: not one table format is in force"
    )
    assert(
      !readTaken || CountOne(walker.next.level) === 1 &&
        (walk.first || OHToUInt(walker.next.level) > walk.level),
      "walker: the next descriptor is not of one level, or of none below"
    )
    assert(
      !cmd.valid || (cmd.address & ((U(4) << cmd.size) - 1).resized) === 0,
      "walker: the address of a descriptor is not a multiple of its size"
    )
    assert(
      !(cmd.valid && cmd.swap) || cmd.expected =/= cmd.desired,
      "walker: a compare-and-swap that changes nothing"
    )
    assert(
      !io.walk.leaf.valid || io.walk.leaf.payload === RegNext(io.walk.leaf.payload),
      "walker: a leaf differs from what it was a cycle before"
    )
    val steps = isIn(walker.State.step)
    val hasRead = steps && !walk.first // what is known of a descriptor means something
    Checks.atMostOne(
      "step: a table and a leaf",
      hasRead && descriptor.kind.table,
      hasRead && descriptor.kind.leaf
    )
    assert(
      !steps || step.faults === step.hasReason,
      "walk: a fault without a reason, or against one"
    )
    if (config.walkCacheEntries > 0) {
      assert(
        !killed || !io.tables.install.valid,
        "walker: a killed walk remembers a table"
      )
      val stays = isIn(walker.State.step) && walk.first
      val found = io.tables.found.valid ## io.tables.found.level ## io.tables.pointer.asBits
      assert(
        !(stays && RegNext(stays)) || found === RegNext(found),
        "walker: what the walk cache found does not stay"
      )
    }

    // ---- what tests must have shown -------------------------------------------------------------
    def at(name: String)(here: Bool): Unit = CoverPoint(s"walker.$name")(here)
    val kills = io.invalidated.valid && io.invalidated.payload && !killed
    at("killed_at_start")(kills && isIn(start))
    at("killed_offering_read")(kills && isIn(walker.State.step) && cmd.isStall)
    at("killed_waiting")(kills && isIn(waiting) && !rsp.valid)
    at("killed_with_answer")(kills && isIn(waiting) && rsp.valid)
    at("killed_with_leaf")(kills && isIn(leaf))
    at("spared")(io.invalidated.valid && !io.invalidated.payload && !isIn(idle))

    val judged = isIn(walker.State.step) && !killed
    val first = judged && walk.first
    val later = judged && !walk.first && !walk.readError && descriptor.kind.valid
    at("legal_not")(first && !walk.legal)
    at("canonical_not")(first && !walk.canonical)
    at("root_outside")(first && walk.legal && walk.canonical && walker.reading.tooWide)
    at("table_outside")(later && descriptor.kind.table && walker.reading.tooWide)
    at("leaf_outside")(later && descriptor.kind.leaf && walk.output.leafTooWide)
    at("reserved")(later && !descriptor.kind.table && !descriptor.kind.leaf)
    at("read_error")(judged && !walk.first && walk.readError)
    if (formats.layouts.exists(_.alignedLeaf)) at("misplaced")(later && descriptor.misplaced)
    val accessFlag = FaultStatus.accessFlag.at(walk.level, formats)
    at("accessed_not")(later && step.faults && step.status === accessFlag)

    val maps = judged && step.maps
    if (config.contiguous) {
      val grouped = descriptor.span =/= walk.levelProperties.leafSpan
      at("group")(maps && grouped)
      at("group_refused")(maps && descriptor.kind.contiguous && !grouped)
    }
    if (formats.largestLeaf > MmuConfig.paRanges.min)
      at("block_cut")(maps && descriptor.cachedSpan =/= descriptor.span)
    if (formats.skips) at("skips")(readTaken && !walk.first && descriptor.skip =/= 0)

    if (config.hardwareUpdates) {
      at("killed_offering_swap")(kills && isIn(check) && cmd.isStall)
      at("killed_swapping")(kills && isIn(swapping))
      val answered = walker.swapAnswered && !killed
      at("swap_won")(answered && walker.swapWon && !rsp.error && !rsp.unsupported)
      at("swap_lost")(answered && !walker.swapWon && !rsp.error && !rsp.unsupported)
      at("swap_error")(answered && rsp.error)
      at("swap_unsupported")(answered && !rsp.error && rsp.unsupported)
      at("denied")(isIn(check) && !killed && !allowed)
    }
    if (config.addressTranslate) at("at")(io.walk.leaf.fire && walk.request.translateOnly)

    if (config.walkCacheEntries > 0) {
      at("begins_at_last")(io.events.cachedLast)
      at("begins_above")(io.events.cachedUpper)
      at("table_kept_not")(readTaken && !walk.first && !killed && !walker.reading.ends)
    }
  }
}
