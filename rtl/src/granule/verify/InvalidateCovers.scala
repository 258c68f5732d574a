package granule.verify

import granule.arch.{MmuConfig, TableFormats, TlbiOperand}
import granule.mmu.{InvalidateCmd, SweptEntry}
import spinal.core._
import spinal.lib._

/** Which entries a command covers, said plainly: addresses are numbers of pages of 4K, with a sign,
  * and everything is compared at once. [[InvalidateScope]] says the same with as few gates as it
  * can. For checks and proofs.
  */
case class InvalidateCovers(config: MmuConfig) {
  private val formats = TableFormats(config)
  private val pageBits = 60
  private def page(number: Bits): SInt = number.asSInt.resize(pageBits)

  def apply(command: InvalidateCmd, entry: SweptEntry, isTable: Bool): Bool = {
    val operand = command.operand
    val finer = formats.pageShift - 12
    val first = page(entry.firstPage ## B(0, finer bits))
    val last = first | page(B"0" ## formats.sweptSpans.mask(entry.span, 12, formats.vaBits))
    val ours = entry.asid.resize(16) === TlbiOperand.asid.of(operand)
    val concerned = command.anyAsid || entry.global || ours

    val va = page(TlbiOperand.va.of(operand))
    val there = va >= first && va <= last
    val inRange = formats.granules.zipWithIndex.map { case (granule, i) =>
      val pages = granule.log2Bytes - 12
      val base = page(TlbiOperand.base.of(operand))
      val start =
        if (config.largeRangeBase) command.ds ? (base |<< 4) | (base |<< pages)
        else base |<< pages
      val units = (TlbiOperand.num.of(operand).asUInt +^ 1) << (1 + pages)
      val scale = TlbiOperand.scale.of(operand).asUInt
      val length = units.resize(pageBits) |<< (scale * 5)
      val sameHalf = entry.firstPage.msb === TlbiOperand.base.msb(operand)
      TlbiOperand.tg.of(operand).asUInt === granule.tlbiTg && entry.granule(i) && sameHalf &&
      last >= start && first < start + length.asSInt
    }.orR

    val covered = command.isAll || command.isAsid && !entry.global && ours ||
      command.isVa && there && concerned || command.isRange && inRange && concerned
    covered && !(isTable && command.lastLevelOnly)
  }
}
