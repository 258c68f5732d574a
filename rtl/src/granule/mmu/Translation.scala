package granule.mmu

import granule.arch.{MairByte, SizeClasses, TableFormats}
import spinal.core._
import spinal.lib._

/** Where a page or block goes and what may be done with it.
  *
  * @field span  size, as `formats.spans` writes it; that of the group if there is one.
  * @field page  output address from the smallest page up; bits inside the span are zero.
  */
case class Mapping(formats: TableFormats) extends Bundle {
  val span = Bits(formats.spans.codeBits bits)
  val level = UInt(formats.levelWidth bits)
  val page = Bits(formats.config.paWidth - formats.pageShift bits)
  val permissions = Permissions(formats)
  val attributes = MemoryAttributes()
}

/** A translation as a walk finds it and a TLB keeps it (spec 8.1).
  *
  * @field tag         half and VA bits from the smallest page up.
  * @field tlbIdentity which of `formats.tlbIdentities` it is of.
  * @field asid        of the walk; means nothing when `global`.
  * @field granule     one-hot over the formats' granules, for range invalidation.
  * @field writableClean (spec 6.3): a write must not use the entry.
  * @field span        of the table entry or group, for invalidation: what a TLB keeps of it goes
  *                    with it, even if an entry stands for less (spec 8.3).
  * @field once        it is for the access that asked, and no other may use it. The walker finds
  *                    none; an option may say so.
  */
case class Translation(formats: TableFormats) extends Bundle {
  val tag = Bits(Translation.tagWidth(formats) bits)
  val tlbIdentity = Bits(formats.tlbIdentityBits bits)
  val global = Bool()
  val asid = Bits(formats.config.asidBits bits)
  val granule = Bits(formats.granules.size bits)
  val writableClean = Bool()
  val span = Bits(formats.spans.codeBits bits)
  val mapping = Mapping(formats)
  val once = Bool()
}

object Translation {
  def tagWidth(formats: TableFormats): Int = formats.vaBits - formats.pageShift + 1

  def tag(va: UInt, formats: TableFormats): Bits =
    VirtualAddress.upper(va) ## va(formats.vaBits - 1 downto formats.pageShift)

  /** One-hot granule of a one-hot format. */
  def granule(tableFormat: Bits, geometry: Geometry, formats: TableFormats): Bits =
    Vec(formats.granules.map(g => geometry.is(tableFormat)(_.granule == g))).asBits
}

/** What is looked up in a TLB, and what an entry was installed for.
  *
  * @field tag      half and VA bits from the smallest page up.
  * @field identity number of the tables' system or format: entries of others do not match.
  */
case class TlbLookup(formats: TableFormats, identityBits: Int) extends Bundle {
  val tag = Bits(Translation.tagWidth(formats) bits)
  val asid = Bits(formats.config.asidBits bits)
  val identity = Bits(identityBits bits)
}

/** What an entry is found by: it leaves the tag bits inside its span open, and when `global` the
  * ASID too.
  *
  * @param spans the sizes that entries have.
  */
case class TlbKey(formats: TableFormats, spans: SizeClasses, identityBits: Int) extends Bundle {
  val of = TlbLookup(formats, identityBits)
  val span = Bits(spans.codeBits bits)
  val global = Bool()

  /** It is of this ASID, or of all, and of this identity. */
  def belongs(asid: Bits, identity: Bits): Bool =
    (of.asid === asid || global) && of.identity === identity

  /** The page `tag` lies in the span. */
  def holds(tag: Bits): Bool =
    of.tag.msb === tag.msb && spans.same(span, of.tag, tag, formats.pageShift, formats.vaBits)
}

/** Meaning of a MAIR byte for an L1 cache (spec 1.4). Bytes without a meaning are Device when their
  * upper half is zero and Normal Non-cacheable otherwise, which is safe.
  */
object Attributes {
  def of(mair: Bits): MemoryAttributes = {
    val inner = MairByte.inner.of(mair)
    val attributes = MemoryAttributes()
    attributes.mair := mair
    attributes.device := MairByte.outer.of(mair) === 0
    attributes.cacheable :=
      !attributes.device && inner =/= 0 && inner =/= MairByte.nonCacheableInner
    attributes
  }

  /** The byte of a leaf that has no such field. */
  def default: Bits = B(MairByte.writeBack, 8 bits)

  /** Shareability as PAR reports it: Device and Non-cacheable memory is Outer Shareable. */
  def shareability(attributes: MemoryAttributes, field: Bits): Bits = {
    val nonCacheable =
      Seq(MairByte.nonCacheable, MairByte.nonCacheableXs).map(attributes.mair === _).orR
    (attributes.device || nonCacheable) ? B"10" | field
  }
}
