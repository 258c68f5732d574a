package granule.walk

import granule.config.MmuConfig
import granule.format.{FaultStatus, TableFormats}
import granule.port._
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
  * leaf      a leaf without fault                  at once                           idle
  * }}}
  *
  * Latency: from the cycle of `cmd` to that of `fault` k * (N + 1) + 2 cycles for k descriptors,
  * each answered N cycles after its read was accepted; `leaf` comes one cycle later, so that its
  * payload can be registered. An update of access flag or dirty state takes N + 2 cycles more.
  *
  * Permissions are checked on the hit of the installed entry, so that they cannot differ between
  * the first access and later ones; only an update and AT need them here (spec 6.2, 6.3). A walk
  * that an invalidation covers is `killed`: it sends no further command, waits for the answer that
  * is due, and ends with `dropped`.
  */
case class Walker(config: MmuConfig) extends Component {
  private val formats = TableFormats(config)
  private val geometry = Geometry(formats)
  private val cached = config.walkCacheEntries > 0
  private val checks = config.hardwareUpdates || config.addressTranslate

  val io = new Bundle {
    val walk = slave(WalkPort(formats))
    val memory = master(WalkMemoryPort(config.paWidth, formats.descriptorBits))
    val tables = cached generate master(TableCachePort(formats))
    val context = in(DecodedContext(formats))
    val invalidated = slave(Flow(Bool()))
    val underWay = out(WalkUnderWay(formats))
    val events = out(WalkEvents())
  }

  object State extends SpinalEnum {
    val idle, start, step, waiting, check, swapping, leaf = newElement()
  }
  private val state = RegInit(State.idle)

  // The walk: follows what is offered, until it is accepted.
  private val va = Reg(Bits(formats.vaBits bits))
  private val upper = Reg(Bool())
  private val request = Reg(WalkRequest())
  private val context = Reg(WalkContext(formats))
  private val killed = Reg(Bool())

  // Where it is: the entry that was read last, and the level (one-hot) of the next one. While
  // `first`, there is no entry yet; the table to be read is one that is remembered, or the root.
  private val first = Reg(Bool())
  private val legal = Reg(Bool()) // TnSZ, EPD and root permit a walk,
  private val canonical = Reg(Bool()) // and the VA's high bits do
  private val descriptor = Reg(Bits(formats.descriptorBits bits))
  private val target = Reg(HeldTarget(formats))
  private val readError = Reg(Bool())
  private val entryAddress = Reg(UInt(config.paWidth bits))
  private val entryLevel = Reg(UInt(formats.levelWidth bits))
  private val nextLevel = Reg(Bits(formats.levels.size bits))
  private val skipped = formats.skips generate Reg(UInt(2 bits)) // levels below the entry
  private val hierarchy = Reg(Hierarchy())
  private val noGroups = Reg(Bool())
  private val reads = Reg(UInt(2 bits)) // so far, up to two

  io.walk.cmd.ready := state === State.idle
  when(io.walk.cmd.ready) {
    va := io.walk.cmd.va(formats.vaBits - 1 downto 0).asBits
    upper := io.walk.cmd.va(55)
    request := io.walk.cmd.payload
    context := io.context.walk(io.walk.cmd.va(55))
  }
  when(io.walk.cmd.fire)(state := State.start)
  private val tableFormat = context.half.tableFormat
  private val tag = upper ## va(formats.vaBits - 1 downto formats.pageShift)

  /** Checks before the first read, and the first table (spec 2.2, 2.3, 2.5, 3.4), or one that is
    * remembered.
    */
  private val start = new Area {
    val active = state === State.start
    val vaMask = geometry.vaMask(context.half.tnsz)
    val top = geometry.startLevels(tableFormat, context.half.tnsz) |<< context.half.rootSkip
    if (cached) {
      io.tables.upcoming.valid := io.walk.cmd.ready
      io.tables.upcoming.payload := io.context.asid

      io.tables.look := active
      io.tables.key.tag := tag
      io.tables.key.asid := context.asid
      io.tables.key.tableFormat := tableFormat
    }
    when(active) {
      state := State.step
      first := True
      legal := geometry.legal(tableFormat, context.half.tnsz) && !context.half.epd && top.orR
      canonical := request.highCanonical &&
        geometry.lowBitsCanonical(tableFormat, va, upper, vaMask)
      readError := False
      entryLevel := formats.code(0)
      nextLevel := top
      reads := 0
    }
  }

  /** The table that is read next, and what counts in it if it is the first. */
  private val next = new Area {
    val level = CombInit(nextLevel)
    val skip = if (formats.skips) CombInit(skipped) else U(0, 2 bits)
    val hierarchy = CombInit(Hierarchy.none)
    val noGroups = CombInit(context.half.firstNoGroups)
    val isRoot = CombInit(first)
    if (cached) when(first && io.tables.found.valid) {
      isRoot := False
      level := io.tables.found.level
      hierarchy := io.tables.pointer.hierarchy
      if (formats.skips) skip := io.tables.found.skip
      if (formats.config.tcr2) noGroups := io.tables.pointer.noGroups
    }
    val size = isRoot ? geometry.firstSize(tableFormat, nextLevel, context.half.tnsz) |
      geometry.tableSize(tableFormat, skip)
  }

  /** The descriptor that is read next, if the walk goes on. A table that skips levels may be larger
    * than the output size: it is judged by the address that is read, in which the index has
    * taken the place of bits that do not count. One that is remembered was judged before.
    */
  private val reading = new Area {
    val large = formats.offsetBits > MmuConfig.paRanges.min
    val known = if (cached) first && io.tables.found.valid else False
    val offset = geometry.offset(tableFormat, next.level, va)
    val inside = geometry.sizeMask(next.size)
    def at(table: Bits): Bits = Vec(table.asBools.zipWithIndex.map { case (bit, i) =>
      if (i < formats.offsetBits) Mux(inside(i), offset(i), bit) else bit
    }).asBits
    // Where a table is that is remembered, comes late.
    val table = CombInit(target.field)
    if (cached) when(known) {
      table := (io.tables.pointer.page ## B(0, formats.pageShift bits)).resized
    }
    val address = at(table)
    val above = geometry.aboveOutputSize(context.ips)
    val tooWide =
      if (large) !known && (at(target.field) & above).orR else target.tableTooWide
    val ends = if (large) !(inside.resize(formats.addressBits) & above).orR else True
  }

  /** Of the level of the cycle before: an entry is awaited for a cycle at least, or swapped. */
  private val atLevel = RegNext(LevelFacts.of(tableFormat, entryLevel, geometry))

  private val step = HeldEntry(
    first = first,
    legal = legal && canonical,
    target = target,
    tableTooWide = reading.tooWide,
    descriptor = descriptor,
    readError = readError,
    entryLevel = entryLevel,
    atLevel = atLevel,
    noGroups = noGroups,
    va = va,
    vaMask = start.vaMask,
    context = context,
    geometry = geometry,
    formats = formats
  )
  private val stepping = state === State.step

  private val held = HeldLeaf(step, descriptor, hierarchy, request, context, geometry, formats)
  private val needsCheck = if (checks) held.needsUpdate || request.translateOnly else False

  /** A command that was offered stays until it is taken, even if the walk was killed meanwhile. */
  private val memory = new Area {
    val offered = RegNext(io.memory.cmd.valid && !io.memory.cmd.ready) init False
    val mayOffer = !killed || offered
    val descends = stepping && step.descends
    val checking = state === State.check
    // Of the cycle before, which had the same entry.
    val allowed =
      if (checks) RegNext(held.permitted.allowed(held.granted.permissions)) else True
    val swaps = if (config.hardwareUpdates) checking && allowed && !request.translateOnly else False
    val sizes =
      geometry.select(tableFormat, _.layout.log2Bytes)(s => U(s.layout.log2Bytes - 2, 2 bits))

    val readTaken = descends && mayOffer && io.memory.cmd.ready
    val swapTaken = swaps && mayOffer && io.memory.cmd.ready

    io.memory.cmd.valid := (descends || swaps) && mayOffer
    io.memory.cmd.address := reading.address.asUInt.resized
    io.memory.cmd.size := sizes
    io.memory.cmd.cacheable := context.half.cacheable
    io.memory.cmd.swap := False
    io.memory.cmd.expected := descriptor
    io.memory.cmd.desired := held.updated
    if (config.hardwareUpdates) when(checking) {
      io.memory.cmd.address := entryAddress
      io.memory.cmd.swap := True
    }
    val below = first ? next.hierarchy | hierarchy
    for (layout <- formats.layouts if layout.tableFields.nonEmpty) {
      val used = geometry.is(tableFormat)(_.layout == layout) && !context.half.hpd
      when(!first && used && !context.indirect)(below := hierarchy.under(descriptor, layout))
    }
    when(swapTaken)(state := State.swapping)
    when(descends)(entryAddress := reading.address.asUInt.resized) // that of the last cycle stays
    when(readTaken) {
      state := State.waiting
      entryLevel := OHToUInt(next.level)
      nextLevel := next.level |<< 1
      hierarchy := below
      noGroups := first ? next.noGroups | step.entry.noContiguous
      when(!reads.msb)(reads := reads + 1)
    }
  }

  when(start.active || state === State.waiting) {
    val arrives = geometry.address(tableFormat, io.memory.rsp.data)
    target := HeldTarget.of(
      field = start.active ? geometry.root(tableFormat, context.half.root) | arrives,
      zeroBitsSet = !start.active && geometry.zeroBitsSet(tableFormat, io.memory.rsp.data),
      va = va,
      leafSpan = geometry.leafSpan(tableFormat, entryLevel),
      above = geometry.aboveOutputSize(context.ips),
      formats = formats
    )
  }

  when(state === State.waiting && io.memory.rsp.valid) {
    descriptor := io.memory.rsp.data
    readError := io.memory.rsp.error
    first := False
    state := killed ? State.idle | State.step
    if (formats.skips) {
      skipped := Entry.skip(io.memory.rsp.data, tableFormat, geometry)
      nextLevel := nextLevel |<< Entry.skip(io.memory.rsp.data, tableFormat, geometry)
    }
  }

  /** A swap that won goes on with what is in memory now; one that lost starts the walk again. */
  private val swapped = new Area {
    val answered = state === State.swapping && io.memory.rsp.valid
    val size64 = geometry.is(tableFormat)(_.layout.log2Bytes == 3)
    val equal = descriptor(63 downto 0) === io.memory.rsp.data(63 downto 0) &&
      (if (formats.descriptorBits == 64) True
       else size64 || (descriptor >> 64) === (io.memory.rsp.data >> 64))
    val failed = io.memory.rsp.error || io.memory.rsp.unsupported
    when(answered && !killed) {
      state := (failed ? State.idle | (equal ? State.step | State.start))
      descriptor := held.updated
    }
  }

  private val ending = new Area {
    val atLeaf = state === State.leaf
    val stepFault = stepping && !killed && step.faulty
    val stepMaps = stepping && !killed && step.maps
    val toCheck = stepMaps && needsCheck
    val forbidden = memory.checking && !killed && !memory.allowed
    val checked = memory.checking && !killed && memory.allowed && request.translateOnly
    val swapFault = swapped.answered && !killed && swapped.failed
    val toLeaf = stepMaps && !needsCheck || checked

    io.walk.fault.valid := stepFault || forbidden || swapFault
    io.walk.fault.status := step.status
    io.walk.fault.wnr := request.access === Access.write
    io.walk.fault.dirty := False
    if (checks) {
      when(memory.checking) {
        io.walk.fault.status := FaultStatus.permission.at(entryLevel, formats)
        io.walk.fault.wnr := held.permitted.wnr(held.granted.permissions)
        io.walk.fault.dirty := held.permitted.dirty(held.granted.permissions)
      }
      when(state === State.swapping) {
        // Of an atomic, the read needs the access flag, and the write alone the dirty state.
        val writeAlone = request.access === Access.atomic && step.entry.accessFlag
        io.walk.fault.wnr setWhen writeAlone
        io.walk.fault.status := FaultStatus.externalAbort.at(entryLevel, formats)
        when(!io.memory.rsp.error)(io.walk.fault.status := FaultStatus.unsupportedUpdate)
      }
    }
    io.walk.leaf.valid := atLeaf && !killed
    val answered = (state === State.waiting || state === State.swapping) && io.memory.rsp.valid
    io.walk.dropped := killed && (start.active || atLeaf || answered ||
      (stepping || memory.checking) && !memory.offered)
    when(toCheck)(state := State.check)
    when(toLeaf)(state := State.leaf)
    when(io.walk.fault.valid || io.walk.leaf.valid || io.walk.dropped)(state := State.idle)
  }

  private val leaf = io.walk.leaf.payload
  leaf.tag := tag
  leaf.tlbIdentity := context.tlbIdentity
  leaf.global := step.entry.global && !context.half.allLocal
  leaf.asid := context.asid
  leaf.granule := Translation.granule(tableFormat, geometry, formats)
  leaf.clean := held.granted.clean
  leaf.span := step.span
  leaf.mapping.span := step.kept
  leaf.mapping.level := entryLevel
  leaf.mapping.page := step.page
  leaf.mapping.permissions := held.granted.permissions
  leaf.mapping.attributes := Attributes.of(step.entry.attributes)
  io.walk.shareability :=
    Attributes.shareability(leaf.mapping.attributes, step.entry.shareability)

  /** A table is remembered in the cycle in which its first entry is asked for, if all of it `ends`
    * within the output size: then no index can lead outside.
    */
  if (cached) {
    val usable = RegNextWhen(io.tables.ready, start.active)
    io.tables.install.valid := memory.readTaken && !first && !killed && usable && reading.ends &&
      !io.invalidated.valid
    val table = io.tables.install.payload
    table.span := geometry.tableSpan(tableFormat, entryLevel)
    table.kind.level := next.level
    table.pointer.page := step.field(config.paWidth - 1 downto formats.pageShift)
    table.pointer.hierarchy := memory.below
    if (formats.skips) table.kind.skipBits := step.entry.skip
    if (formats.config.tcr2) table.pointer.noGroups := step.entry.noContiguous
  }

  /** A walk accepted in the same cycle has read nothing yet; one that ends in it is the TLB's to
    * clear.
    */
  when(io.invalidated.valid && io.invalidated.payload)(killed := True)
  when(io.walk.cmd.fire)(killed := False)

  io.underWay.upper := upper
  io.underWay.asid := context.asid
  io.underWay.mayStore := (if (config.hardwareUpdates)
                             killed &&
                             (state === State.swapping || memory.checking && memory.offered)
                           else False)

  io.events.walk := io.walk.cmd.fire
  io.events.cycle := state =/= State.idle
  io.events.restart := io.walk.dropped
  for ((event, l) <- io.events.read.zipWithIndex) {
    val counted = if (l == 0) formats.levels.filter(_ <= 0) else Seq(l)
    event := memory.readTaken && counted.map(level => next.level(formats.code(level))).orR
  }
  io.events.single := (io.walk.leaf.valid || io.walk.fault.valid) && reads === 1
  if (cached) {
    val found = RegNext(start.active) && io.tables.found.valid
    val last = io.tables.found.level(formats.code(formats.lastLevel))
    io.events.cachedLast := found && last
    io.events.cachedUpper := found && !last
  } else {
    io.events.cachedLast := False
    io.events.cachedUpper := False
  }
}
