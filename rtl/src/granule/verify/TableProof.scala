package granule.verify

import granule.arch.{MmuConfig, TableFormats}
import granule.mmu.{Holder, SweptEntry, TlbKey, WalkCache, Walker}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** The walk cache finds the deepest table that it holds for a walk, no other, nothing while a sweep
  * is under way, and nothing that a complete command covers. The walker keeps its
  * [[WalkerContract]], and is left out otherwise.
  *
  * A bit of what an entry answers tells the marked one from all others.
  */
case class TableProof(config: MmuConfig) extends SweptSetting(config, Holder.WalkCache) {
  private val formats = TableFormats(config)
  val walker = Walker(config)
  val tables = WalkCache(config)
  walker.io.tables <> tables.io.tables
  anyseq(walker.io.walk.cmd.valid)
  anyseq(walker.io.walk.cmd.payload)
  walker.io.walk.leaf.ready := True
  anyseq(walker.io.context)
  Setting.memory(walker.io.memory)
  walker.io.invalidated << sweep.io.invalidated
  sweep.io.underWay := walker.io.underWay
  tables.io.swept := sweep.io.busy
  tables.io.clear := clears
  log.io.found := RegNext(walker.io.walk.leaf.payload)
  log.io.tables << tables.io.installed
  log.io.tableSpan := tables.io.installedSpan
  anyOther(log.io.data, log.io.tables)
  anyOther(log.io.fetch, log.io.tables)
  assume(!(log.io.data.valid && log.io.fetch.valid))
  private val walk = WalkerContract(walker)
  for ((_, holds) <- walk.rules) assume(holds)

  private val io = tables.io.tables
  private val newer = RegNext(tables.io.installed.valid && tables.io.installed.payload === place)
  private val marked = Marked(
    tables.io.installed,
    removed = False,
    spares = newer
  )
  private val depth = Bits(formats.levels.size bits)
  anyconst(depth)
  private val page = RegNext(io.install.pointer.page)
  assume(!tables.io.installed.valid || page.lsb === marked.enters)
  assume(!marked.enters || RegNext(io.install.kind.level) === depth)

  /** What the walk found it uses until it remembers a table itself, looks again or ends. */
  private val begun = RegInit(False) setWhen io.look clearWhen
    (io.install.valid || walk.ends || walk.accepted)
  private val uses = begun && walk.underWay
  private def atLook(what: Bool) = RegNextWhen(what, io.look)
  private val written = watched.entry
  private val isWanted = written.asid === walk.ofAsid &&
    SweptEntry.firstPage(walk.tag, written.span, formats) === written.firstPage
  private val found = uses && io.found.valid
  private val isMarked = found && io.pointer.page.lsb

  Claim.always("a table that is found is there, covers the address and is of the ASID") {
    !isMarked || isWanted && atLook(marked.here)
  }
  Claim.always("it is the deepest one that there is") {
    !(uses && isWanted && atLook(marked.here && !sweep.io.busy)) ||
    io.found.valid && io.found.level.asUInt >= depth.asUInt
  }
  Claim.always("what is found is of one level, which tables have") {
    !found || Setting.isTable(io.found.level, formats)
  }
  Claim.always("what is found stays") {
    val same = uses && !(RegNext(io.look) init True)
    val looked = RegNext(io.found)
    !same || io.found.valid === looked.valid && io.found.level === looked.level &&
    (!io.found.valid || io.pointer === RegNext(io.pointer))
  }
  Claim.always("nothing is found during a sweep")(!(found && atLook(sweep.io.busy)))
  Claim.always("nothing is found that a complete command covers") {
    !(isMarked && atLook(marked.stale))
  }
  Claim.always("a walk that began at what a command covers is told so") {
    val commands = sweep.io.port.cmd.payload === watched.command && contract.accepted
    !(isMarked && commands && watched.covered) ||
    walker.io.invalidated.valid && walker.io.invalidated.payload
  }
  // From here on, what makes the others follow.
  private val held = tables.rework(new Area {
    val valid = CombInit(tables.valid.asBits)
    val keys = CombInit(tables.key)
    val levels = CombInit(Vec(tables.kind.map(_.level)))
    val bits = Vec(tables.valid.indices.map { i =>
      tables.pointers.readAsync(U(i, place.getWidth bits)).page.lsb
    }).asBits
    val mine = CombInit(Vec(tables.inUse).asBits)
    val (newKey, newLevel) = (CombInit(tables.newKey), CombInit(tables.installed.kind.level))
  })
  private val (valid, keys, levels) = (held.valid.pull(), held.keys.pull(), held.levels.pull())
  private val (newKey, newLevel) = (held.newKey.pull(), held.newLevel.pull())
  private val arrives = tables.io.installed.valid
  private def ofWalk(key: TlbKey) = key.of.asid === walk.ofAsid && key.holds(walk.tag)
  Claim.always("the marked table is in its place, and no other") {
    (valid & held.bits.pull()) === UIntToOh(place, valid.getWidth).andMask(marked.here)
  }
  Claim.always("its key is what was written down") {
    val mine = keys(place)
    !marked.here || mine.of.asid === written.asid && levels(place) === depth &&
    SweptEntry.firstPage(mine.of.tag, written.span, formats) === written.firstPage &&
    formats.tableSpans.recode(mine.span, formats.sweptSpans) === written.span
  }
  Claim.always("the ASID of each is compared with that of the walk") {
    valid.asBools.indices.map { i =>
      !(walk.underWay && valid(i)) || held.mine.pull()(i) === (keys(i).of.asid === walk.ofAsid)
    }.andR
  }
  Claim.always("a level has one span") {
    (!arrives || Setting.isTable(newLevel, formats, newKey.span)) &&
    valid.asBools.indices
      .map(i => !valid(i) || Setting.isTable(levels(i), formats, keys(i).span))
      .andR
  }
  Claim.always("a table that arrives is one of the walk, which has not ended") {
    !arrives || walk.underWay && newKey.of.tag === walk.tag && newKey.of.asid === walk.ofAsid &&
    newLevel === walk.deepest
  }
  private val usable = atLook(!sweep.io.busy)
  Claim.always("a table that arrives is deeper than all that the walk could find") {
    !arrives || valid.asBools.indices
      .map(i => !(valid(i) && ofWalk(keys(i))) || levels(i).asUInt < newLevel.asUInt)
      .andR
  }
  Claim.always("no table is deeper than what the walk has found or remembered") {
    !(walk.looked && walk.underWay && usable) || valid.asBools.indices
      .map(i => !(valid(i) && ofWalk(keys(i))) || levels(i).asUInt <= walk.deepest.asUInt)
      .andR
  }
  Claim.always("two tables of one level cover no address together") {
    (for (i <- valid.asBools.indices; j <- 0 until i) yield {
      !(valid(i) && valid(j) && levels(i) === levels(j) && keys(i).of.asid === keys(j).of.asid &&
        keys(i).holds(keys(j).of.tag))
    }).andR
  }

  Claim.reached("the marked table is found")(isMarked)
  Claim.reached("one that is covered is looked for, and not found") {
    uses && isWanted && atLook(marked.stale && !sweep.io.busy) && !io.found.valid
  }
  Claim.reached("a walk begins at a table that a command of leaves has spared") {
    val covered = InvalidateCovers(config)(watched.command, written, isTable = False)
    isMarked && marked.overtaken && watched.command.lastLevelOnly && covered
  }
}
