package granule.verify

import granule.arch.TableFormats
import granule.mmu.{Translation, WalkMemoryPort, WalkPort, Walker}
import spinal.core._
import spinal.lib._

/** What the rest of the MMU needs to know of a walker, which [[WalkerProof]] proves of the walker
  * alone. A proof of what stands around it can take it for granted, and leave the walker out.
  *
  * A walk is `underWay` from the cycle after its acceptance until the cycle in which it ends.
  *
  * @param walk the port that others see, and `memory`: the walker's, or those of an option.
  */
case class WalkerContract(walker: Walker, walk: WalkPort, memory: WalkMemoryPort) extends Area {
  private val config = walker.config
  private val formats = TableFormats(config)
  private def at[T <: Data](port: T): T = port.pull()
  private val (request, leaf) = (walk.cmd, walk.leaf)
  private val ready = at(request.ready)
  val accepted = at(request.valid) && ready
  private val found = at(leaf.payload)
  private val maps = at(leaf.valid)
  private val finds = maps && at(leaf.ready)
  private val faults = at(walk.fault.valid)
  val dropped = at(walk.dropped)
  private val asid = at(walker.io.context.asid)
  private val invalidated = at(walker.io.invalidated.valid)
  private val concerned = invalidated && at(walker.io.invalidated.payload)
  private val seen = walker.io.underWay

  val ends = finds || faults || dropped
  val underWay = RegInit(False) setWhen accepted clearWhen ends
  val tag = RegNextWhen(Translation.tag(at(request.va), formats), accepted)
  val ofAsid = RegNextWhen(asid, accepted)

  private val first = RegNext(accepted) init False
  private val second = RegNext(first) init False

  /** An invalidation came that concerns it. */
  val killed = RegInit(False) setWhen concerned clearWhen accepted

  /** Its compare-and-swap is offered, or on its way. */
  private val offersSwap = at(memory.cmd.valid) && at(memory.cmd.swap)
  private val swapTaken = RegInit(False) setWhen (offersSwap && at(memory.cmd.ready)) clearWhen
    at(memory.rsp.valid)
  val stores = offersSwap || swapTaken

  /** Its look was two cycles ago, or more. */
  val looked = RegInit(False)

  /** Level of the deepest table that it has found then, or remembered since; 0: none. */
  val deepest = Reg(Bits(formats.levels.size bits)) init 0

  val rules: Seq[(String, Bool)] = Seq(
    "a walk is accepted when none is under way" -> (ready === !underWay),
    "only a walk that is under way ends" -> (!ends || underWay),
    "it ends in one way" -> (CountOne(Seq(finds, faults, dropped)) <= 1),
    "a leaf is of no walk that an invalidation concerns" -> !(finds && killed),
    "only such a walk is dropped" -> (!dropped || killed),
    "a leaf is of the address and the ASID of its walk" ->
      (!underWay || found.tag === tag && found.asid === ofAsid),
    "a leaf is as it was in the cycle before" -> (!maps || found === RegNext(found)),
    "a leaf comes in the third cycle at the earliest" -> !(finds && (first || second)),
    "a TLB keeps no more of a leaf than its table entry" ->
      (!maps || Setting.isSize(found.span) && Setting.isSize(found.mapping.span) &&
        (found.mapping.span & ~found.span) === 0),
    "a leaf has one granule and a size that its leaves have" ->
      (!maps || Setting.isLeaf(found.span, found.granule, formats)),
    "an invalidation is told that a walk that it concerns may store" ->
      (!(killed && stores) || at(seen.mayStore)),
    "an invalidation is told the half and the ASID of the walk" ->
      (!underWay || at(seen.upper) === tag.msb && at(seen.asid) === ofAsid)
  ) ++ (if (config.walkCacheEntries > 0) rulesOfTables else Nil)

  private def rulesOfTables = {
    val tables = walker.io.tables
    val look = at(tables.look)
    val key = at(tables.key)
    val looks = RegNext(accepted) init False
    val usable = RegNextWhen(at(tables.ready), look)
    val installs = at(tables.install.valid)
    val install = at(tables.install.payload)
    val level = install.kind.level
    val finds = RegNext(look) init False
    looked setWhen finds clearWhen (look || accepted || ends)
    when(finds) { deepest := at(tables.found.level).andMask(at(tables.found.valid)) }
    when(installs) { deepest := level }
    Seq(
      "a walk looks for tables when it begins, before it remembers any" ->
        ((!looks || look) && (!installs || looked)),
      "it looks for those of its address and ASID" ->
        (!look || underWay && key.tag === tag && key.asid === ofAsid),
      "it tells its ASID when it is accepted, and none until it ends" ->
        (!(accepted || underWay) || (at(tables.upcoming.valid) === accepted &&
          (!accepted || at(tables.upcoming.payload) === asid))),
      "it remembers none that an invalidation may concern" ->
        (!installs || underWay && !killed && !invalidated && usable),
      "it remembers none when it ends" -> (!installs || !ends),
      "it does not look when it remembers a table, and not in the cycle after that" ->
        !(look && (installs || (RegNext(installs) init False))),
      "it remembers none in the cycle before it ends" -> !(ends && (RegNext(installs) init False)),
      "what it remembers is of its address and ASID" ->
        (!installs || key.tag === tag && key.asid === ofAsid),
      "it remembers a table of each level once, below the one that it found" ->
        (!installs || level.asUInt > deepest.asUInt),
      "a table has the span of its level" ->
        (!installs || Setting.isTable(level, formats, install.span))
    )
  }
}

object WalkerContract {
  def apply(walker: Walker): WalkerContract =
    WalkerContract(walker, walker.io.walk, walker.io.memory)
}
