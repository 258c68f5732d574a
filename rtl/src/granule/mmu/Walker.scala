package granule.mmu

import granule.arch.{Checks, FaultStatus, MmuConfig, TableFormats}
import spinal.core._
import spinal.lib._

/** Reads descriptors from the first table to a leaf (spec 4.7): one loop for all formats and
  * granules. docs/mmu.md shows it cycle by cycle.
  *
  * Ports: `walk` ([[WalkPort]]), `memory` ([[WalkMemoryPort]]), `tables` ([[TableCachePort]], when
  * there is a walk cache), `context` (sampled when a walk is accepted), `underWay`
  * ([[WalkUnderWay]]), `invalidated` (an invalidation begins, and whether it concerns the walk).
  *
  * {{{
  * in        it holds                              when                              to
  * idle      nothing                               a request is accepted             start
  * start     VA and context                        at once                           step
  * step      where the first table is, or a        fault                             idle
  *           descriptor                            a table, and its read is taken    waiting
  *                                                 a leaf that is to be updated, AT  check
  *                                                 another leaf                      leaf
  * waiting   a read on its way                     answered                          step
  * check     a leaf that the access would change   not permitted: fault              idle
  *                                                 AT, permitted                     leaf
  *                                                 the swap is taken                 swapping
  * swapping  a compare-and-swap on its way         won                               step
  *                                                 lost                              start
  *                                                 bus error, not supported: fault   idle
  * leaf      a leaf without fault                  it is taken                       idle
  * }}}
  *
  * Latency: from the cycle of `cmd` to that of `fault` k * (N + 1) + 2 cycles for k descriptors,
  * each answered N cycles after its read was accepted; `leaf` comes one cycle later, so that its
  * payload can be registered. An update of access flag or dirty state takes N + 2 cycles more.
  *
  * Permissions are checked on the hit of the installed entry, so that they cannot differ between
  * the first access and later ones; only an update and AT need them here (spec 6.2, 6.3).
  * A walk that an invalidation concerns is `killed`: it sends no further command, waits for the
  * answer that is due, and ends with `dropped`.
  */
case class Walker(config: MmuConfig) extends Component {
  private val formats = TableFormats(config)
  private[granule] val geometry = Geometry(formats)
  private val checks = config.hardwareUpdates || config.addressTranslate

  val io = new Bundle {
    val walk = slave(WalkPort(formats))
    val memory = master(WalkMemoryPort(config.paWidth, formats.descriptorBits))
    val tables = master(TableCachePort(formats))
    val context = in(DecodedContext(formats))
    val invalidated = slave(Flow(Bool()))
    val underWay = out(WalkUnderWay(formats))
    val events = out(WalkEvents())
  }

  object State extends SpinalEnum {
    val idle, start, step, waiting, check, swapping, leaf = newElement()
  }
  private[granule] val state = RegInit(State.idle)
  private[granule] def isIn(some: SpinalEnumElement[State.type]*): Bool = some.map(state === _).orR

  private[granule] val walk = Reg(WalkState(formats))
  private[granule] val killed = Reg(Bool())
  // One-hot, of the next descriptor.
  private[granule] val nextLevel = Reg(Bits(formats.levels.size bits))
  private val skipped = Reg(UInt(2 bits)) // levels that SKL skipped
  private[granule] val entryAddress = Reg(UInt(config.paWidth bits)) // of the last read
  private[granule] val reads = Reg(UInt(2 bits)) // so far, up to two

  private[granule] val tableFormat = walk.context.half.tableFormat
  private val tag = walk.upper ## walk.va(formats.vaBits - 1 downto formats.pageShift)

  io.tables.upcoming.valid := io.walk.cmd.ready
  io.tables.upcoming.payload := io.context.asid
  io.tables.look := isIn(State.start)
  io.tables.key.tag := tag
  io.tables.key.asid := walk.context.asid
  io.tables.key.tableFormat := tableFormat
  private[granule] val remembered = walk.first && io.tables.found.valid

  /** The table that is read next: the root, or a remembered one, or the one that the descriptor
    * points to; and what counts in it if it is the first.
    */
  private[granule] val next = new Area {
    val level = CombInit(nextLevel)
    val skip = CombInit(skipped)
    val hierarchy = CombInit(Hierarchy.none)
    val noGroups = CombInit(walk.context.half.noGroups)
    when(remembered) {
      level := io.tables.found.level
      hierarchy := io.tables.pointer.hierarchy
      skip := io.tables.found.skip
      if (formats.config.tcr2) noGroups := io.tables.pointer.noGroups
    }
    val isRoot = walk.first && !remembered
    val size = isRoot ? geometry.firstSize(tableFormat, nextLevel, walk.context.half.tnsz) |
      geometry.tableSize(tableFormat, skip)
  }

  /** The descriptor that is read next, if the walk goes on. A table that skips levels may be larger
    * than the output size: it is judged by the address that is read, in which the index has
    * taken the place of bits that do not count. A remembered table was judged before.
    */
  private[granule] val reading = new Area {
    val large = formats.offsetBits > MmuConfig.paRanges.min
    val offset = geometry.offset(tableFormat, next.level, walk.va)
    val inside = geometry.sizeMask(next.size)
    def at(table: Bits): Bits = Vec(table.asBools.zipWithIndex.map { case (bit, i) =>
      if (i < formats.offsetBits) Mux(inside(i), offset(i), bit) else bit
    }).asBits
    // The address of a remembered table comes late in the cycle.
    val table = CombInit(walk.output.address)
    when(remembered) {
      table := (io.tables.pointer.page ## B(0, formats.pageShift bits)).resized
    }
    val address = at(table)
    val outsideOutput = geometry.aboveOutputSize(walk.context.ips)
    val tooWide =
      if (large) !remembered && (at(walk.output.address) & outsideOutput).orR
      else walk.output.tableTooWide
    val ends = if (large) !(inside.resize(formats.addressBits) & outsideOutput).orR else True
  }

  private[granule] val step = Step(walk, reading.tooWide, geometry)
  private[granule] val descriptor = step.descriptor
  private val needsCheck =
    if (checks) step.needsUpdate || walk.request.translateOnly else False

  // Of the cycle before, which had the same descriptor.
  io.walk.permitted := RegNext(step.allowed)
  private[granule] val allowed = if (checks) io.walk.permitted else True

  /** A command that was offered stays until it is taken, even if the walk was killed meanwhile. */
  private val offered = RegNext(io.memory.cmd.valid && !io.memory.cmd.ready) init False
  private val mayOffer = !killed || offered
  private val asks = isIn(State.step) && step.descends
  private val swaps =
    if (config.hardwareUpdates) isIn(State.check) && allowed && !walk.request.translateOnly
    else False
  private[granule] val readTaken = asks && mayOffer && io.memory.cmd.ready
  private val swapTaken = swaps && mayOffer && io.memory.cmd.ready

  private val below = walk.first ? next.hierarchy | walk.hierarchy
  for (layout <- formats.layouts if layout.tableFields.nonEmpty) {
    val used = geometry.is(tableFormat)(_.layout == layout) && !walk.context.half.hpd
    when(!walk.first && used && !walk.context.pie) {
      below := walk.hierarchy.under(walk.descriptor, layout)
    }
  }

  private[granule] val swapWon = {
    val size64 = geometry.is(tableFormat)(_.layout.log2Bytes == 3)
    val (expected, found) = (walk.descriptor, io.memory.rsp.data)
    expected(63 downto 0) === found(63 downto 0) &&
    (if (formats.descriptorBits == 64) True
     else size64 || (expected >> 64) === (found >> 64))
  }
  private val swapFailed = io.memory.rsp.error || io.memory.rsp.unsupported

  // `output` follows the memory's answer in all of `waiting`: the last cycle has the descriptor.
  private val arriving =
    OutputAddress.of(io.memory.rsp.data, first = isIn(State.start), walk, geometry)
  walk.levelProperties := LevelProperties.of(walk.context, walk.level, geometry)

  // Only counters ask how many, and later than in the next cycle.
  when(RegNext(readTaken, init = False) && !reads.msb) { reads := reads + 1 }

  io.walk.cmd.ready := isIn(State.idle)
  private val faults = Bool()
  private val ends = faults || io.walk.dropped

  switch(state) {
    is(State.idle) {
      walk.va := io.walk.cmd.va(formats.vaBits - 1 downto 0).asBits
      walk.upper := VirtualAddress.upper(io.walk.cmd.va)
      walk.request := io.walk.cmd.payload
      walk.context := io.context.walk(VirtualAddress.upper(io.walk.cmd.va))
      reads := 0
      when(io.walk.cmd.valid) { state := State.start }
    }
    is(State.start) { // checks before the first read, and the root (spec 2.2, 2.3, 2.5, 3.4)
      val half = walk.context.half
      val top = geometry.startLevels(tableFormat, half.tnsz) |<< half.skip
      val vaMask = geometry.vaMask(half.tnsz)
      walk.first := True
      walk.legal := geometry.legal(tableFormat, half.tnsz) && !half.epd && top.orR
      walk.canonical := walk.request.highCanonical &&
        geometry.lowBitsCanonical(tableFormat, walk.va, walk.upper, vaMask)
      walk.readError := False
      walk.output := arriving
      walk.level := formats.code(0)
      nextLevel := top
      state := State.step
    }
    is(State.step) {
      // In the last cycle of the step, this is the address that is read.
      when(step.descends) { entryAddress := reading.address.asUInt.resized }
      when(readTaken) {
        walk.level := OHToUInt(next.level)
        walk.hierarchy := below
        walk.noGroups := walk.first ? next.noGroups | descriptor.noContiguous
        nextLevel := next.level |<< 1
        state := State.waiting
      }
      when(step.maps) { state := needsCheck ? State.check | State.leaf }
    }
    is(State.waiting) {
      walk.output := arriving
      walk.kind := DescriptorKind.of(io.memory.rsp.data, walk, geometry)
      when(io.memory.rsp.valid) {
        walk.first := False
        walk.descriptor := io.memory.rsp.data
        walk.readError := io.memory.rsp.error
        val skip = Descriptor.skip(io.memory.rsp.data, tableFormat, geometry)
        skipped := skip
        nextLevel := nextLevel |<< skip
        state := State.step
      }
    }
    is(State.check) {
      when(walk.request.translateOnly) { state := State.leaf }
      when(swapTaken) { state := State.swapping }
    }
    is(State.swapping) { // one that won goes on with what is in memory now
      when(io.memory.rsp.valid) {
        walk.descriptor := step.updated
        state := swapWon ? State.step | State.start
      }
    }
    is(State.leaf) { when(io.walk.leaf.ready) { state := State.idle } }
  }
  when(ends && !isIn(State.idle)) { state := State.idle } // what asks for a new one is late

  // A walk that was killed ends with `dropped`: at once, or with the answer that is due.
  private[granule] val swapAnswered = isIn(State.swapping) && io.memory.rsp.valid
  io.walk.leaf.valid := !killed && isIn(State.leaf)
  io.walk.fault.valid := faults
  io.walk.dropped := killed && (isIn(State.start, State.leaf) ||
    isIn(State.step, State.check) && !offered ||
    isIn(State.waiting, State.swapping) && io.memory.rsp.valid)
  faults := !killed && (isIn(State.step) && step.faults ||
    isIn(State.check) && !allowed || swapAnswered && swapFailed)
  io.walk.fault.status := step.status
  io.walk.fault.wnr := walk.request.access === Access.write
  io.walk.fault.dirty := False
  if (checks) {
    when(isIn(State.check)) {
      io.walk.fault.status := FaultStatus.permission.at(walk.level, formats)
      io.walk.fault.wnr := step.deniedWnr
      io.walk.fault.dirty := step.deniedDirty
    }
    when(isIn(State.swapping)) {
      // Of an atomic, the read needs the access flag, and the write alone the dirty state.
      val writeAlone = walk.request.access === Access.atomic && descriptor.accessFlag
      io.walk.fault.wnr setWhen writeAlone
      io.walk.fault.status := FaultStatus.externalAbort.at(walk.level, formats)
      when(!io.memory.rsp.error) { io.walk.fault.status := FaultStatus.unsupportedUpdate }
    }
  }

  io.memory.cmd.valid := (asks || swaps) && mayOffer
  io.memory.cmd.address := reading.address.asUInt.resized
  io.memory.cmd.size :=
    geometry.select(tableFormat, _.layout.log2Bytes)(f => U(f.layout.log2Bytes - 2, 2 bits))
  io.memory.cmd.cacheable := walk.context.half.cacheable
  io.memory.cmd.swap := False
  io.memory.cmd.expected := walk.descriptor
  io.memory.cmd.desired := step.updated
  if (config.hardwareUpdates) when(isIn(State.check)) {
    io.memory.cmd.address := entryAddress
    io.memory.cmd.swap := True
  }

  private val leaf = io.walk.leaf.payload
  leaf.tag := tag
  leaf.tlbIdentity := walk.context.tlbIdentity
  leaf.global := descriptor.global && !walk.context.half.local
  leaf.asid := walk.context.asid
  leaf.granule := Translation.granule(tableFormat, geometry, formats)
  leaf.writableClean := descriptor.granted.writableClean
  leaf.span := descriptor.span
  leaf.mapping.span := descriptor.cachedSpan
  leaf.mapping.level := walk.level
  leaf.mapping.page := descriptor.page
  leaf.mapping.permissions := descriptor.granted.permissions
  leaf.mapping.attributes := Attributes.of(descriptor.attributes)
  leaf.once := False
  io.walk.shareability :=
    Attributes.shareability(leaf.mapping.attributes, descriptor.shareability)

  /** A table is remembered in the cycle in which its first entry is asked for, if all of it `ends`
    * within the output size: then no index can lead outside.
    */
  private val usable = RegNextWhen(io.tables.ready, isIn(State.start))
  io.tables.install.valid := readTaken && !walk.first && !killed && usable && reading.ends &&
    !io.invalidated.valid
  private val table = io.tables.install.payload
  table.span := geometry.tableSpan(tableFormat, walk.level)
  table.kind.level := next.level
  table.pointer.page := walk.output.address(config.paWidth - 1 downto formats.pageShift)
  table.pointer.hierarchy := below
  table.kind.skip := descriptor.skip
  if (formats.config.tcr2) table.pointer.noGroups := descriptor.noContiguous

  /** A walk accepted in the same cycle has read nothing yet; one that ends in it is the TLB's to
    * clear.
    */
  when(io.invalidated.valid && io.invalidated.payload) { killed := True }
  when(io.walk.cmd.fire) { killed := False }

  io.underWay.upper := walk.upper
  io.underWay.asid := walk.context.asid
  io.underWay.mayStore := (
    if (config.hardwareUpdates)
      killed && (isIn(State.swapping) || isIn(State.check) && offered)
    else False
  )

  WalkCounting(this)
  Checks.end(this)
}
