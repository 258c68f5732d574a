package granule.tlb

import granule.config.MmuConfig
import granule.format.{DescriptorFormat, Vmsa64}
import granule.walk.{Mapping, Translation}
import spinal.core._
import spinal.lib._

/** Fully associative TLB with entries of every page and block size, for one translate port.
  *
  * Ports: `tag` and `asid` are looked up in the same cycle: `hit`, and `mapping` of the entry.
  * `install` writes an entry that answers from the next cycle on. It may come only while `tag` and
  * `asid` are still those of the request that the walk was made for, and `probe` must show in the
  * same cycle what the new entry leaves open: the comparators leave it open too and so find the
  * entries that overlap the new one. These are removed, so that never more than one matches; there
  * is no hit in that cycle. `step` and `scope` clear what an invalidation covers
  * ([[InvalidateSweep]]).
  *
  * Latency: a hit takes no cycle. Replacement: a free entry, or else the oldest.
  *
  * Keys are flip-flops, as all are compared at once. What a key leads to is a small memory read by
  * the number of the entry, and so is the copy of the keys that invalidations read.
  */
case class MicroTlb(config: MmuConfig, entries: Int, format: DescriptorFormat = Vmsa64.format)
    extends Component {
  val io = new Bundle {
    val tag     = in(Bits(Translation.tagWidth(format) bits))
    val asid    = in(Bits(config.asidBits bits))
    val hit     = out(Bool())
    val mapping = out(Mapping(config, format))
    val install = slave(Flow(Translation(config, format)))
    val probe   = slave(Flow(TlbProbe(format)))
    val step    = slave(Flow(UInt(InvalidateSweep.stepWidth(config) bits)))
    val scope   = in(InvalidateScope(config, format))
  }
  private val lanes = config.sweepLanes
  private val fresh = TlbKey.of(io.install.payload, config, format)

  private val valid    = Vec.fill(entries)(RegInit(False))
  private val key      = Vec.fill(entries)(Reg(TlbKey(config, format)))
  private val mappings = Mem(Mapping(config, format), entries)

  private val lookup  = TlbKey.value(io.tag, io.asid)
  private val counts  = TlbKey.care(io.probe.span, io.probe.global, config, format)
  private val matches = valid.zip(key).map { case (v, k) => v && k.matches(lookup, counts) }
  private val hits    = Vec(matches).asBits
  private val found   = CombInit(mappings.readAsync(OHToUInt(hits), writeFirst).asBits)
  found.addAttribute(Verilator.public) // read once a cycle in simulation, not once for each field
  io.hit := hits.orR && !io.probe.valid
  io.mapping.assignFromBits(found)

  private val replacement = new Area {
    val oldest = Counter(entries)
    val free   = valid.map(!_)
    val victim = free.orR ? OHToUInt(OHMasking.first(free)) | oldest.value
    when(io.install.valid && !free.orR)(oldest.increment())
  }

  private val invalidation = new Area {
    val at     = io.step.payload.resize(log2Up(entries / lanes))
    val active = RegNext(io.step.valid) init False
    val place  = RegNextWhen(at, io.step.valid)
    for (lane <- 0 until lanes) {
      val slots  = lane until entries by lanes
      val copies = Mem(SweepView(config, format), slots.size)
      val view   = SweepView(config, format)
      view.key     := fresh
      view.granule := io.install.granule
      copies.write(
        replacement.victim >> log2Up(lanes),
        view,
        enable = io.install.valid && replacement.victim.resize(log2Up(lanes)) === lane
      )
      val covered = io.scope.covers(RegNextWhen(copies.readAsync(at, writeFirst), io.step.valid))
      when(active) {
        when(covered) {
          for ((i, n) <- slots.zipWithIndex) when(place === n)(valid(i) := False)
        }
      }
    }
  }

  when(io.install.valid) {
    for (i <- 0 until entries) {
      when(matches(i))(valid(i) := False)
      when(replacement.victim === i) {
        valid(i) := True
        key(i)   := fresh
      }
    }
  }
  mappings.write(replacement.victim, io.install.mapping, enable = io.install.valid)

  assert(
    io.probe.valid || !(hits & (hits.asUInt - 1).asBits).orR,
    "micro TLB: two entries match one address; install must remove what it overlaps"
  )
  assert(
    io.probe.valid || !io.install.valid,
    "micro TLB: an install without its probe would leave entries that it overlaps"
  )
}
