package granule.verify

import granule.arch.{MmuConfig, TableFormats}
import granule.mmu.{Holder, InvalidateCmd, SweepOrder, SweptEntry}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** One command, one entry and one place for an entry, each of which is any: what is proved of them
  * holds for all. An entry is as [[EntryLog]] writes it down.
  */
case class Watched(config: MmuConfig) extends Area {
  private val formats = TableFormats(config)
  private val order = SweepOrder(config)

  val command = InvalidateCmd()
  anyconst(command)
  assume(command.kind.asBits.asUInt < command.kind.spinalEnum.elements.size)

  val entry = SweptEntry(formats)
  anyconst(entry)
  assume(Setting.isSize(entry.span))
  assume(SweptEntry.firstPage(entry.firstPage, entry.span, formats) === entry.firstPage)
  assume(CountOne(entry.granule) === 1)

  val number = anyconst(UInt(order.width bits))
  val isTable = B(order.ones(Holder.WalkCache), 1 << order.width bits)(number)

  /** The command covers the entry, if that is in this place. */
  val covered = InvalidateCovers(config)(command, entry, isTable)
}
