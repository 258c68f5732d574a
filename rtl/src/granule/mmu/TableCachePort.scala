package granule.mmu

import granule.arch.TableFormats
import spinal.core._
import spinal.lib._

/** What a walk looks tables up by: everything that it would read them with. */
case class TableKey(formats: TableFormats) extends Bundle {
  val tag = Bits(Translation.tagWidth(formats) bits)
  val asid = Bits(formats.config.asidBits bits)
  val tableFormat = Bits(formats.tableFormats.size bits)
}

/** The kind of a table.
  *
  * @field level of the entries in it, one-hot over the formats' levels.
  * @field skip  levels by which it is larger than others.
  */
case class TableKind(formats: TableFormats) extends Bundle {
  val level = Bits(formats.levels.size bits)
  val skipBits = formats.skips generate UInt(2 bits)

  def skip: UInt = if (formats.skips) skipBits else U(0, 2 bits)
}

/** Where a table is, with all that a walk gathered on the way to it (spec 5.2).
  *
  * @field page     its address from the smallest page up.
  * @field noGroups contiguous hints do not count in it.
  */
case class TablePointer(formats: TableFormats) extends Bundle {
  val page = Bits(formats.config.paWidth - formats.pageShift bits)
  val hierarchy = Hierarchy()
  val noGroups = formats.config.tcr2 generate Bool()
}

/** Table entries that walks remember. `key` is looked up in the cycle of `look`. From the next
  * cycle to the next `look`, `found` is the deepest table that covers it, and `pointer` says where
  * that is; an invalidation that clears it meanwhile kills the walk. `install` adds a table.
  * `upcoming` is the ASID of the walk that may be accepted in this cycle, which is `key.asid` then.
  */
case class TableCachePort(formats: TableFormats) extends Bundle with IMasterSlave {
  val upcoming = Flow(Bits(formats.config.asidBits bits))

  val look = Bool()
  val key = TableKey(formats)
  val found = Flow(TableKind(formats))
  val pointer = TablePointer(formats)
  val ready = Bool() // False: a look finds nothing, and its walk must not install anything
  val install = Flow(InstalledTable(formats))

  override def asMaster(): Unit = {
    out(look, key)
    slave(found)
    in(ready, pointer)
    master(upcoming, install)
  }
}

/** A table to be remembered.
  *
  * @field span what its entry covers, as `formats.tableSpans` writes sizes.
  */
case class InstalledTable(formats: TableFormats) extends Bundle {
  val span = Bits(formats.tableSpans.codeBits bits)
  val kind = TableKind(formats)
  val pointer = TablePointer(formats)
}
