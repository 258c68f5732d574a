package granule.tlb

import granule.config.MmuConfig
import granule.format.{DescriptorFormat, Vmsa64}
import granule.walk.{Mapping, Translation}
import spinal.core._
import spinal.lib._

/** Fully associative TLB with entries of every page and block size, for one translate port.
  *
  * Ports: `tag` and `asid` are looked up in the same cycle: `hit`, and `mapping` of the entry.
  * `install` writes an entry that answers from the next cycle on; it may come only while `tag` and
  * `asid` are still those of the request that the walk was made for, as the comparators also find
  * the entries that the new one overlaps. These are removed, so that never more than one matches.
  * `step` and `scope` clear what an invalidation covers ([[InvalidateSweep]]).
  *
  * Latency: a hit takes no cycle. Replacement: a free entry, or else the oldest.
  */
case class MicroTlb(config: MmuConfig, entries: Int, format: DescriptorFormat = Vmsa64.format)
    extends Component {
  private val sweep = InvalidateSweep.stepWidth(config)

  val io = new Bundle {
    val tag     = in(Bits(Translation.tagWidth(format) bits))
    val asid    = in(Bits(config.asidBits bits))
    val hit     = out(Bool())
    val mapping = out(Mapping(config, format))
    val install = slave(Flow(Translation(config, format)))
    val step    = slave(Flow(UInt(sweep bits)))
    val scope   = in(InvalidateScope(config, format))
  }

  private val valid = Vec.fill(entries)(RegInit(False))
  private val entry = Vec.fill(entries)(Reg(Translation(config, format)))

  /** `hit`: the entry translates the tag. `overlap`: it shares an address with the entry that is being
    * installed, which is the same comparison with what the new entry leaves open left open too.
    */
  private val lookup = for (i <- 0 until entries) yield new Area {
    private val e    = entry(i)
    private val tags = SpanMatch(e.tag, io.tag, format)
    private val same = e.global || e.asid === io.asid
    val hit          = valid(i) && same && tags.equalOutside(e.mapping.span)
    val overlap = valid(i) && (same || io.install.global) &&
      tags.equalOutside(e.mapping.span | io.install.mapping.span)
  }
  private val hits = Vec(lookup.map(_.hit)).asBits
  io.hit := hits.orR
  io.mapping.assignFromBits(MuxOH.or(hits, entry.map(_.mapping.asBits)))

  private val replacement = new Area {
    val oldest = Counter(entries)
    val free   = valid.map(!_)
    val victim = free.orR ? OHMasking.first(Vec(free).asBits) | UIntToOh(oldest.value, entries)
    when(io.install.valid && !free.orR)(oldest.increment())
  }

  private val invalidation = new Area {
    val lanes = config.sweepLanes
    val at    = io.step.payload.resize(log2Up(entries / lanes))
    val active = RegNext(io.step.valid) init False
    val place  = RegNextWhen(at, io.step.valid)
    for (lane <- 0 until lanes) {
      val slots = (lane until entries by lanes).map(entry(_))
      val view  = SweepView(config, format)
      val slot  = Vec(slots)(at)
      view.tag     := slot.tag
      view.span    := slot.mapping.span
      view.global  := slot.global
      view.asid    := slot.asid
      view.granule := slot.granule
      val covered = io.scope.covers(RegNextWhen(view, io.step.valid))
      when(active && covered) {
        for ((i, n) <- (lane until entries by lanes).zipWithIndex)
          when(place === n)(valid(i) := False)
      }
    }
  }

  when(io.install.valid) {
    for (i <- 0 until entries) {
      when(lookup(i).overlap)(valid(i) := False)
      when(replacement.victim(i)) {
        valid(i) := True
        entry(i) := io.install.payload
      }
    }
  }

  assert(
    !(hits & (hits.asUInt - 1).asBits).orR,
    "micro TLB: two entries match one address; install must remove what it overlaps"
  )
}
