package granule.walk

import granule.config.MmuConfig
import granule.format.{DescriptorFormat, FaultStatus, Vmsa64}
import granule.port._
import spinal.core._
import spinal.lib._

/** Reads descriptors from the first table to a leaf (spec 4.7): one loop for all granules.
  *
  * Ports: `walk` ([[WalkPort]]), `memory` ([[WalkMemoryPort]]), `context` (sampled when a walk is
  * accepted), `invalidated` (commands as they are accepted; nothing is held back).
  *
  * {{{
  * state   what it holds                              leaves for
  * idle    nothing                                    start  a request is accepted
  * start   VA and context                             step   checks passed    idle  fault
  * step    TTBR (`first`) or a descriptor read        wait   table, read sent leaf, or idle: fault
  * wait    a read on its way                          step   answered
  * leaf    a leaf without fault                       idle   at once
  * }}}
  *
  * Latency: from the cycle of `cmd` to that of `fault` k * (N + 1) + 2 cycles for k descriptors,
  * each answered N cycles after its read was accepted; `leaf` comes one cycle later, `leafNext`
  * tells it in time for a TLB to prepare its comparators.
  *
  * Permissions are not checked here but on the hit of the installed entry, so that they cannot
  * differ between the first access and later ones. A walk that an invalidation covers is `killed`:
  * it sends no further read, waits for the answer that is due, and ends with `dropped`.
  */
case class Walker(config: MmuConfig, format: DescriptorFormat = Vmsa64.format) extends Component {
  val io = new Bundle {
    val walk        = slave(WalkPort(config, format))
    val memory      = master(WalkMemoryPort(config.paWidth))
    val context     = in(MmuContext())
    val invalidated = slave(Flow(InvalidateCmd()))
    val events      = out(WalkEvents())
  }
  private val geometry = Geometry(config, format)

  object State extends SpinalEnum { val idle, start, step, waiting, leaf = newElement() }
  private val state = RegInit(State.idle)

  // The walk: latched when it is accepted.
  private val va            = Reg(Bits(format.vaBits bits))
  private val upper         = Reg(Bool())
  private val highCanonical = Reg(Bool())
  private val context       = Reg(WalkContext(config, format))
  private val killed        = Reg(Bool())

  // Where it is: `entryLevel` is that of the entry in `descriptor`, `nextLevel` of the next read.
  private val first      = Reg(Bool())
  private val descriptor = Reg(Bits(64 bits))
  private val readError  = Reg(Bool())
  private val entryLevel = Reg(UInt(format.levelWidth bits))
  private val nextLevel  = Reg(UInt(format.levelWidth bits))
  private val index      = Reg(Bits(format.maxIndexBits bits)) // of the next read
  private val indexMask  = Reg(Bits(format.maxIndexBits bits)) // index bits of the table pointed to
  private val hierarchy  = Reg(Hierarchy())

  io.walk.cmd.ready := state === State.idle
  when(io.walk.cmd.fire) {
    va      := io.walk.cmd.va(format.vaBits - 1 downto 0).asBits
    upper   := io.walk.cmd.va(55)
    context := WalkContext.of(io.context, io.walk.cmd.va(55), config, format)
    highCanonical := {
      val half = HalfControl.select(io.context.tcr, format, io.walk.cmd.va(55))
      geometry.highBitsCanonical(
        io.walk.cmd.va,
        ignoreTop = half.tbi && !(io.walk.cmd.execute && half.tbid)
      )
    }
    state := State.start
  }

  private val granule = context.half.granule

  /** Checks before the first read, and the first table (spec 2.2, 2.3, 2.5, 3.4). */
  private val start = new Area {
    val active     = state === State.start
    val vaMask     = geometry.vaMask(context.half.tnsz)
    val startLevel = geometry.startLevel(granule, context.half.tnsz)
    val legal = geometry.legal(granule, context.half.tnsz) && !context.half.epd && highCanonical &&
      geometry.lowBitsCanonical(va, upper, vaMask)
    val mask = geometry.index(granule, startLevel, vaMask)
    when(active) {
      state      := State.step
      first      := True
      descriptor := context.base.resized
      readError  := False
      entryLevel := format.code(0)
      nextLevel  := startLevel
      indexMask  := mask
      index      := geometry.index(granule, startLevel, va) & mask
      hierarchy.clear()
    }
  }

  /** What the held entry is, and what follows from it (spec 4.1, 4.2, 4.3). */
  private val step = new Area {
    val active   = state === State.step
    val valid    = format.valid.bool(descriptor)
    val table    = format.table.bool(descriptor)
    val last     = entryLevel === format.code(format.lastLevel)
    val reserved = !valid || !table && !geometry.blockAllowed(granule, entryLevel)
    val isTable  = first || table && !last

    val span    = geometry.spanCode(granule, entryLevel)
    val inSpan  = SpanMask.expand(span, format, format.addressBits) ## B(0, format.pageShift bits)
    val above   = geometry.aboveOutputSize(context.ips)
    val address = descriptor.resize(format.addressBits)
    val output  = (address & ~inSpan) | (va.resize(format.addressBits) & inSpan)
    val tooWide = (((isTable ? address | output) & above).orR
      || !first && geometry.zeroBitsSet(granule, descriptor))

    val inEntry  = B((1 << format.log2Bytes) - 1, format.log2Bytes bits)
    val base     = address & ~(indexMask ## inEntry).resize(format.addressBits)
    val nextRead = base | (index ## ~inEntry).resize(format.addressBits)

    /** In the order of priority (spec 7.1). */
    val faults = Seq(
      (!first && readError)                                        -> FaultStatus.externalAbort,
      (!first && reserved)                                         -> FaultStatus.translation,
      tooWide                                                      -> FaultStatus.addressSize,
      (!isTable && !format.leafFields.accessFlag.bool(descriptor)) -> FaultStatus.accessFlag
    )
    val faulty = faults.map(_._1).orR
    val status = PriorityMux(faults.map { case (c, f) => c -> f.at(entryLevel, format) })
  }

  /** A read that was offered stays until it is taken, even if the walk was killed meanwhile. */
  private val read = new Area {
    val offered = RegNext(io.memory.cmd.valid && !io.memory.cmd.ready) init False
    io.memory.cmd.valid    := step.active && step.isTable && !step.faulty && (!killed || offered)
    io.memory.cmd.address  := step.nextRead.asUInt.resized
    io.memory.cmd.swap     := False
    io.memory.cmd.expected := 0
    io.memory.cmd.desired  := 0
    when(io.memory.cmd.fire) {
      state      := State.waiting
      entryLevel := nextLevel
      nextLevel  := nextLevel + 1
      when(!first && !context.half.hpd)(hierarchy.accumulate(descriptor, format))
    }
  }

  /** The index is renewed on every cycle of the wait: the first one already has the new level. */
  when(state === State.waiting) {
    index     := geometry.index(granule, nextLevel, va)
    indexMask := geometry.fullIndex(granule)
    when(io.memory.rsp.valid) {
      descriptor := io.memory.rsp.data
      readError  := io.memory.rsp.error
      first      := False
      state      := killed ? State.idle | State.step
    }
  }

  private val ending = new Area {
    val atLeaf     = state === State.leaf
    val startFault = start.active && !start.legal && !killed
    val stepEnds   = step.active && !killed && (step.faulty || !step.isTable)
    io.walk.fault.valid   := startFault || stepEnds && step.faulty
    io.walk.fault.payload := start.active ? FaultStatus.translation.atLevel0 | step.status
    io.walk.leafNext      := stepEnds && !step.faulty
    io.walk.leaf.valid    := atLeaf && !killed
    io.walk.dropped := killed && (start.active || step.active && !io.memory.cmd.valid || atLeaf ||
      state === State.waiting && io.memory.rsp.valid)
    when(io.walk.leafNext)(state                                             := State.leaf)
    when(io.walk.fault.valid || io.walk.leaf.valid || io.walk.dropped)(state := State.idle)
  }

  private val leaf = io.walk.leaf.payload
  leaf.tag           := upper ## va(format.vaBits - 1 downto format.pageShift)
  leaf.global        := !format.leafFields.notGlobal.bool(descriptor)
  leaf.asid          := context.asid
  leaf.granule       := granule
  leaf.mapping.span  := step.span
  leaf.mapping.level := entryLevel
  leaf.mapping.page  := (step.address & ~step.inSpan)(config.paWidth - 1 downto format.pageShift)
  leaf.mapping.permissions := Permissions.of(descriptor, hierarchy, format)
  leaf.mapping.attributes := Attributes.of(
    context.mair.subdivideIn(8 bits)(format.leafFields.attrIndex.of(descriptor).asUInt)
  )

  /** A command kills the walk under way unless ASID or half say that it does not concern it. A walk
    * accepted in the same cycle has read nothing yet; one that ends in it is the TLB's to clear.
    */
  private val kill = new Area {
    val command  = io.invalidated
    val asidKind = command.kind === InvalidateKind.asid
    val vaKind   = command.kind === InvalidateKind.va || command.kind === InvalidateKind.vaAllAsids
    val rangeKind = (command.kind === InvalidateKind.range
      || command.kind === InvalidateKind.rangeAllAsids)
    val otherAsid    = command.operand(63 downto 48) =/= context.asid.resize(16)
    val commandUpper = vaKind ? command.operand(43) | command.operand(36)
    val elsewhere =
      asidKind && otherAsid || (vaKind || rangeKind) && commandUpper =/= upper
    when(command.valid && !elsewhere)(killed := True)
    when(io.walk.cmd.fire)(killed            := False)
  }

  io.events.walk    := io.walk.cmd.fire
  io.events.cycle   := state =/= State.idle
  io.events.restart := io.walk.dropped
  for ((event, l) <- io.events.read.zipWithIndex)
    event := io.memory.cmd.fire && nextLevel === format.code(l)
}
