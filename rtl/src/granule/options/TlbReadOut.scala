package granule.options

import granule.arch.{BitField, MmuConfig, TableFormats, TlbFlags}
import granule.mmu.{SweptEntry, TlbView}
import spinal.core._
import spinal.lib.bus.regif._

/** Registers that show the selected entry of a micro TLB: for people who look for a stale one. They
  * mean nothing while an invalidation is under way. Its sweep goes on after
  * `done`, and a write to TLB_SELECT waits for the end of that.
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
