package granule.verify

import granule.mmu._
import granule.options.{AddressTranslateOption, MainTlbOption, PmpCheck, PmpOption, PmpRights}
import spinal.core._
import spinal.lib._

/** What an [[granule.mmu.Mmu]] relies on, of more than one of its parts. */
object MmuChecks {
  def apply(mmu: Mmu): Unit = {
    import mmu._

    // What is remembered to be open is asked again, of the entries as they are.
    for (pmp <- mmu.options.collect { case pmp: PmpOption => pmp }) {
      for ((fetches, direct) <- pmp.direct) {
        val port = if (fetches) io.fetch else io.data
        val machine = pmp.machine(fetches)
        val fresh = PmpCheck(config.pmpEntries, config.paWidth)
        fresh.io.pmp := pmp.entries
        fresh.io.word := port.rsp.pa >> 2
        fresh.io.inside := 0
        fresh.io.machine := RegNext(machine)
        fresh.io.needs := RegNext(PmpRights.of(port.cmd.access))
        val unchecked = machine && !pmp.entries.bindsMachine
        val passed = port.cmd.fire && !port.rsp.fault && !unchecked && direct.remembered.pull()
        assert(
          !(RegNext(passed) init False) || fresh.io.suffices,
          "mmu: an access passes by what is remembered, and the entries forbid it"
        )
      }
    }

    def bits(unit: TranslateUnit) = Vec(unit.tlb.valid.map(_.pull())).asBits
    val held = Map[Holder, Bits](Holder.DataTlb -> bits(data), Holder.FetchTlb -> bits(fetch)) ++
      (if (tables != null) Map(Holder.WalkCache -> Vec(tables.valid.map(_.pull())).asBits) else Nil)
    if (tables != null) {
      val key = tables.newKey.pull()
      assert(
        !tables.io.installed.valid || key.of.tag === walked.tag && key.of.asid === walked.asid,
        "mmu: the table that is installed is not one of the walk under way"
      )
    }
    def silent(unit: TranslateUnit) = Vec(unit.tlb.silent.map(_.pull())).asBits
    val silents =
      Map[Holder, Bits](Holder.DataTlb -> silent(data), Holder.FetchTlb -> silent(fetch)) ++
        (if (tables != null)
           Map(Holder.WalkCache -> B(config.walkCacheEntries bits, default -> sweep.io.busy))
         else Nil)
    val cleared =
      Map[Holder, Bits](
        Holder.DataTlb -> data.tlb.goes.pull(),
        Holder.FetchTlb -> fetch.tlb.goes.pull()
      ) ++
        (if (tables != null) Map(Holder.WalkCache -> tables.cleared.pull()) else Nil)
    val main = mmu.options.collectFirst { case option: MainTlbOption => option.tlb }
    val at = mmu.options.collectFirst { case option: AddressTranslateOption => option.at }
    InvalidateChecks(
      config,
      sweep.io.port,
      log.io.install,
      order.all(held),
      answering = order.all(held) & ~order.all(silents),
      kept = main.map(tlb => tlb.answers.pull() && sweep.io.further.active).getOrElse(False),
      cleared = order.all(cleared),
      taken = main.toSeq.flatMap { tlb =>
        sweep.lanes.map(_.entry.pull()).zip(tlb.sweep.clears.pull().asBools)
      },
      walkBegins = main.map(_.io.walker).orElse(at.map(_.io.walker)).getOrElse(walks).cmd.fire,
      walks = io.events.walkCycle
    )
  }
}
