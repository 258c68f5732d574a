package granule.mmu

import granule.config.MmuConfig
import granule.format.{DescriptorFormat, FaultStatus, Vmsa64}
import granule.port._
import granule.tlb.{InvalidateScope, InvalidateSweep, MicroTlb, TlbProbe}
import granule.walk._
import spinal.core._
import spinal.lib._

/** One translate port with its micro TLB: answers in the same cycle what it can, and asks for a
  * walk otherwise.
  *
  * Ports: `port` ([[TranslatePort]]); `request` is valid while the held command needs a walk,
  * `leaf` and `fault` end that walk. Both come only for a walk of the command that is still held;
  * `fault` is answered in its own cycle, `leaf` is answered one cycle later as a hit.
  *
  * Everything that belongs to the access or that software may change without TLBI (PAN, WXN, EPAN,
  * E0PD, TBI, SCTLR.C) is evaluated on every access, so a cold and a hot TLB cannot differ.
  */
case class TranslateUnit(
    config: MmuConfig,
    entries: Int,
    fetch: Boolean,
    format: DescriptorFormat = Vmsa64.format
) extends Component {
  val io = new Bundle {
    val port    = slave(TranslatePort(config.paWidth))
    val context = in(MmuContext())
    val request = master(Stream(WalkRequest()))
    val leaf    = slave(Flow(Translation(config, format)))
    val probe   = slave(Flow(TlbProbe(format)))
    val fault   = slave(Flow(Bits(6 bits)))
    val step    = slave(Flow(UInt(InvalidateSweep.stepWidth(config) bits)))
    val scope   = in(InvalidateScope(config, format))
  }
  private val cmd       = io.port.cmd
  private val rsp       = io.port.rsp
  private val sctlr     = io.context.sctlr
  private val execute   = cmd.access === Access.execute
  private val half      = HalfControl.select(io.context.tcr, format, cmd.va(55))
  private val ignoreTop = half.tbi && !(execute && half.tbid)

  private val tlb = MicroTlb(config, entries, format)
  tlb.io.tag  := Translation.tag(cmd.va, format)
  tlb.io.asid := WalkContext.asid(io.context, config)
  tlb.io.step << io.step
  tlb.io.probe << io.probe
  tlb.io.scope           := io.scope
  tlb.io.install.valid   := io.leaf.valid && io.leaf.asid === tlb.io.asid
  tlb.io.install.payload := io.leaf.payload

  /** SCTLR.M = 0: output is input, and must fit (spec 1.3). */
  private val flat = new Area {
    val active = !cmd.untranslated && !sctlr(0)
    val faulty = cmd.va(55 downto config.paWidth).orR || !ignoreTop && cmd.va(63 downto 56).orR
  }

  private val found = new Area {
    val mapping = tlb.io.mapping
    val hit     = tlb.io.hit && Geometry(config, format).highBitsCanonical(cmd.va, ignoreTop)
    val check =
      PermissionCheck(cmd.access, el1 = cmd.el1, pan = cmd.pan, epan = sctlr(57), wxn = sctlr(19))
    val inSpan = SpanMask.expand(mapping.span, format, config.paWidth)
    val page   = mapping.page | (cmd.va(config.paWidth - 1 downto format.pageShift).asBits & inSpan)
  }

  private val forbidden = half.e0pd && !cmd.el1
  private val translate = !cmd.untranslated && sctlr(0)
  private val answered  = !translate || forbidden || found.hit || io.fault.valid

  cmd.ready          := answered
  io.request.valid   := cmd.valid && !answered
  io.request.va      := cmd.va
  io.request.execute := execute

  /** What is no hit and answered all the same is a fault. */
  rsp.fault := (translate ? (forbidden || !found.hit || !found.check.allowed(
    found.mapping.permissions
  ))
    | (flat.active && flat.faulty))
  rsp.wnr    := cmd.access === Access.write
  rsp.status := io.fault.payload
  when(flat.active) {
    rsp.status := FaultStatus.addressSize.atLevel0
  } elsewhen (forbidden) {
    rsp.status := FaultStatus.translation.atLevel0
  } elsewhen (found.hit) {
    rsp.status := FaultStatus.permission.at(found.mapping.level, format)
    rsp.wnr    := found.check.wnr(found.mapping.permissions)
  }

  private val low32 = cmd.va(31 downto 0).resize(config.paWidth)
  rsp.pa := (translate ? (found.page ## cmd.va(format.pageShift - 1 downto 0)).asUInt
    | (cmd.untranslated ? low32 | cmd.va.resize(config.paWidth)))

  private val mayCache = if (fetch) sctlr(12) else sctlr(2)
  rsp.attributes := found.mapping.attributes
  when(!translate) {
    val off = if (fetch) mayCache ? B(0xaa, 8 bits) | B(0x44, 8 bits) else B(0, 8 bits)
    rsp.attributes.mair      := cmd.untranslated ? B(0xff, 8 bits) | off
    rsp.attributes.device    := !cmd.untranslated && Bool(!fetch)
    rsp.attributes.cacheable := cmd.untranslated || (if (fetch) mayCache else False)
  } otherwise {
    rsp.attributes.cacheable := found.mapping.attributes.cacheable && mayCache
  }
}
