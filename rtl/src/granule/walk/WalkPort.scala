package granule.walk

import granule.format.Formats
import granule.port._
import spinal.core._
import spinal.lib._

/** An access that no TLB could translate.
  *
  * @field highCanonical the VA bits above the widest half are as they must be (spec 2.2). The
  *                      requester knows it anyway, and before it knows that it has to ask.
  * @field translateOnly an AT operation: the permission is checked by the walk, and no descriptor
  *                      is changed.
  */
case class WalkRequest() extends Bundle {
  val va            = UInt(64 bits)
  val highCanonical = Bool()
  val access        = Access()
  val el1, pan, mxr = Bool()
  val translateOnly = Bool()
}

/** Where a page or block goes and what may be done with it.
  *
  * @field span  size, as `formats.spans` writes it; that of the group if there is one.
  * @field page  output address from the smallest page up; bits inside the span are zero.
  */
case class Mapping(formats: Formats) extends Bundle {
  val span        = Bits(formats.spans.codeBits bits)
  val level       = UInt(formats.levelWidth bits)
  val page        = Bits(formats.config.paWidth - formats.pageShift bits)
  val permissions = Permissions(formats)
  val attributes  = MemoryAttributes()
}

/** A translation as a walk finds it and a TLB keeps it (spec 8.1).
  *
  * @field tag         half and VA bits from the smallest page up.
  * @field tlbIdentity which of `formats.tlbIdentities` it is of.
  * @field asid        of the walk; means nothing when `global`.
  * @field granule     one-hot over the formats' granules, for range invalidation.
  * @field clean       writable-clean (spec 6.3): a write must not use the entry.
  * @field span        of the table entry or group, for invalidation: what a TLB keeps of it goes
  *                    with it, even if an entry stands for less (spec 8.3).
  */
case class Translation(formats: Formats) extends Bundle {
  val tag         = Bits(Translation.tagWidth(formats) bits)
  val tlbIdentity = Bits(formats.tlbIdentityBits bits)
  val global      = Bool()
  val asid        = Bits(formats.config.asidBits bits)
  val granule     = Bits(formats.granules.size bits)
  val clean       = Bool()
  val span        = Bits(formats.spans.codeBits bits)
  val mapping     = Mapping(formats)
}

object Translation {
  def tagWidth(formats: Formats): Int = formats.vaBits - formats.pageShift + 1

  def tag(va: UInt, formats: Formats): Bits =
    va(55) ## va(formats.vaBits - 1 downto formats.pageShift)

  /** One-hot granule of a one-hot shape. */
  def granule(shape: Bits, geometry: Geometry, formats: Formats): Bits =
    Vec(formats.granules.map(g => geometry.is(shape)(_.granule == g))).asBits
}

/** Why an access has no translation; `dirty` is that of [[TranslateRsp]]. */
case class WalkFault() extends Bundle {
  val status     = Bits(6 bits)
  val wnr, dirty = Bool()
}

/** Port of the walker. `cmd` is accepted when the walker is idle. Each accepted command ends in one
  * cycle of `leaf`, `fault` or `dropped` (an invalidation covered the walk: ask again). The payload
  * of `leaf` is there in the cycle before already; `shareability` goes with it.
  */
case class WalkPort(formats: Formats) extends Bundle with IMasterSlave {
  val cmd          = Stream(WalkRequest())
  val leaf         = Flow(Translation(formats))
  val shareability = Bits(2 bits)
  val fault        = Flow(WalkFault())
  val dropped      = Bool()

  override def asMaster(): Unit = {
    master(cmd)
    slave(leaf, fault)
    in(shareability, dropped)
  }
}

/** What a walk looks tables up by: everything that it would read them with. */
case class TableKey(formats: Formats) extends Bundle {
  val tag   = Bits(Translation.tagWidth(formats) bits)
  val asid  = Bits(formats.config.asidBits bits)
  val shape = Bits(formats.shapes.size bits)
}

/** The kind of a table.
  *
  * @field level of the entries in it, one-hot over the formats' levels.
  * @field skip  levels by which it is larger than others.
  */
case class TableKind(formats: Formats) extends Bundle {
  val level    = Bits(formats.levels.size bits)
  val skipBits = formats.skips generate UInt(2 bits)

  def skip: UInt = if (formats.skips) skipBits else U(0, 2 bits)
}

/** Where a table is, with all that a walk gathered on the way to it (spec 5.2).
  *
  * @field page     its address from the smallest page up.
  * @field noGroups contiguous hints do not count in it.
  */
case class TablePointer(formats: Formats) extends Bundle {
  val page      = Bits(formats.config.paWidth - formats.pageShift bits)
  val hierarchy = Hierarchy()
  val noGroups  = formats.config.tcr2 generate Bool()
}

/** Table entries that walks remember. `key` is looked up in the cycle of `look`. From the next
  * cycle to the next `look`, `found` is the deepest table that covers it, and `pointer` says where
  * that is; an invalidation that clears it meanwhile kills the walk. `install` adds a table.
  * `upcoming` is the ASID of the walk that may be accepted in this cycle, which is `key.asid` then.
  */
case class TableCachePort(formats: Formats) extends Bundle with IMasterSlave {
  val upcoming = Flow(Bits(formats.config.asidBits bits))

  val look    = Bool()
  val key     = TableKey(formats)
  val found   = Flow(TableKind(formats))
  val pointer = TablePointer(formats)
  val ready   = Bool() // False: a look finds nothing, and its walk must not install anything
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
case class InstalledTable(formats: Formats) extends Bundle {
  val span    = Bits(formats.tableSpans.codeBits bits)
  val kind    = TableKind(formats)
  val pointer = TablePointer(formats)
}

/** The walk under way as an invalidation sees it: what it will find, nobody knows yet.
  *
  * @field upper    the half of the address space that it is for.
  * @field mayStore it was killed, and its compare-and-swap may still be performed.
  */
case class WalkUnderWay(formats: Formats) extends Bundle {
  val upper    = Bool()
  val asid     = Bits(formats.config.asidBits bits)
  val mayStore = Bool()
}

/** What the walker tells the counters.
  *
  * @field read        a descriptor is read: at level 0 or above it, at levels 1, 2, 3.
  * @field cachedLast  a walk began at a remembered table of the last level.
  * @field cachedUpper a walk began at a remembered table above it.
  * @field single      a walk that ended after one read.
  */
case class WalkEvents() extends Bundle {
  val walk, cycle, restart = Bool()
  val read                 = Vec(Bool(), 4)
  val cachedLast           = Bool()
  val cachedUpper          = Bool()
  val single               = Bool()
}
