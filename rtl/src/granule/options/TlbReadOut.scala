package granule.options

import granule.arch.{BitField, MmuConfig, TableFormats, TlbFlags, TlbSelect}
import granule.mmu._
import spinal.core._
import spinal.lib._
import spinal.lib.bus.regif._

/** An entry without its key as a debugger reads it; `valid`: the rest means something. */
case class TlbView(formats: TableFormats) extends Bundle {
  val valid = Bool()
  val writableClean = Bool()
  val mapping = Mapping(formats)
}

/** Shows an entry of a micro TLB. It only looks: into the TLB, and at the sweep's copy of the key,
  * which it reads while no entry is compared.
  *
  * `selected`, `view`, `key` and `sweeping` are ports of the MMU: `view`, and a cycle later `key`,
  * are of the entry `selected` of the fetch or (bit 8 set) the data TLB, unless an invalidation is
  * `sweeping`.
  */
class TlbReadOut(config: MmuConfig) extends MmuOption {
  private val formats = TableFormats(config)
  var selected: UInt = _
  var view: TlbView = _
  var key: SweptEntry = _
  var sweeping: Bool = _

  def wrap(mmu: Mmu, walks: Walks): Walks = {
    selected = in(UInt(9 bits)).setName("io_selected")
    view = out(TlbView(formats)).setName("io_view")
    key = out(SweptEntry(formats)).setName("io_viewKey")
    sweeping = out(Bool()).setName("io_sweeping")
    view := selected.msb ? entry(mmu.data.tlb) | entry(mmu.fetch.tlb)
    key := keyOf(mmu.sweep)
    sweeping := mmu.sweep.io.busy
    walks
  }

  private def entry(tlb: MicroTlb): TlbView = tlb
    .rework {
      val number = selected.pull().resize(TlbSelect.entry.width)
      val place = number.resize(log2Up(tlb.entries))
      val view = TlbView(formats).setName("view")
      view.valid := tlb.valid(place) && number < tlb.entries
      view.writableClean := tlb.writableClean(place)
      view.mapping := tlb.mappings.readAsync(place)
      view
    }
    .pull()

  private def keyOf(sweep: InvalidateSweep): SweptEntry = {
    import sweep.{order, State, step}
    sweep
      .rework {
        val chosen = selected.pull()
        val number = chosen.msb ? order.number(Holder.DataTlb, chosen) |
          order.number(Holder.FetchTlb, chosen)
        val rests = Seq(State.settle, State.finish).map(sweep.state === _).orR ||
          sweep.state === State.idle && !sweep.io.port.cmd.fire
        when(rests) { step := number.resized }
        val lane = RegNext(number >> step.getWidth)
        Vec(sweep.lanes.map(_.copy))(lane.resized).setName("viewKey")
      }
      .pull()
  }
}

/** Registers that show what [[TlbReadOut]] has: for people who look for a stale entry. They mean
  * nothing while an invalidation is under way. Its sweep goes on after `done`, and a write to
  * TLB_SELECT waits for the end of that.
  */
object TlbReadOut {
  def apply(config: MmuConfig, view: TlbView, key: SweptEntry, bus: BusIf): Unit = {
    val formats = TableFormats(config)
    val mapping = view.mapping

    def word(at: Int, name: String, doc: String, value: Bits): Unit =
      bus
        .newRegAt(at, doc)(SymbolName(name))
        .field(Bits(32 bits), AccessType.RO, doc)(SymbolName("value")) := value.resize(32)
    def pair(at: Int, name: String, doc: String, value: Bits): Unit = {
      word(at, s"${name}_lo", s"$doc, bits 31:0", value(31 downto 0))
      word(at + 4, s"${name}_hi", s"$doc, bits 63:32", value(63 downto 32))
    }

    // The largest size that the code is at least as large as.
    val sizes = formats.spans.sorted
    val size = sizes.tail.zipWithIndex.foldLeft(U(sizes.head, 8 bits)) { case (smaller, (s, i)) =>
      mapping.span(i) ? U(s, 8 bits) | smaller
    }
    word(
      0xd4,
      "tlb_flags",
      s"entry: ${TlbFlags.valid.range} valid, ${TlbFlags.global.range} global, " +
        s"${TlbFlags.clean.range} writable-clean, ${TlbFlags.level.range} level, " +
        s"${TlbFlags.size.range} log2 of its bytes, ${TlbFlags.mair.range} MAIR byte",
      BitField.word(
        TlbFlags.mair -> mapping.attributes.mair,
        TlbFlags.size -> size,
        TlbFlags.level -> mapping.level.asBits.resize(TlbFlags.level.width),
        TlbFlags.clean -> view.writableClean,
        TlbFlags.global -> key.global,
        TlbFlags.valid -> view.valid
      )
    )
    val va = (key.firstPage ## B(0, formats.pageShift bits)).asSInt.resize(64).asBits
    pair(0xd8, "tlb_va", "VA that the entry begins at", va)
    val pa = (mapping.page ## B(0, formats.pageShift bits)).resize(64)
    pair(0xe0, "tlb_pa", "output address that it begins at", pa)
    word(0xe8, "tlb_asid", "its ASID", key.asid)
  }
}
