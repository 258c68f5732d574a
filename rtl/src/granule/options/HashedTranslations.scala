package granule.options

import granule.arch.{BitField, Htab, TableFormats}
import granule.mmu._
import spinal.core._
import spinal.lib._

/** A page that the hashed table is asked for.
  *
  * @field granule one-hot; all entries are of whole pages of a granule.
  */
case class SoughtPage(formats: TableFormats) extends Bundle {
  val tag = Bits(Translation.tagWidth(formats) bits)
  val asid = Bits(formats.config.asidBits bits)
  val identity = Bits(formats.tlbIdentityBits bits)
  val granule = Bits(formats.granules.size bits)

  def upper: Bool = tag.msb
}

object SoughtPage {
  def of(va: UInt, tableFormat: Bits, context: DecodedContext, formats: TableFormats) = {
    val page = SoughtPage(formats)
    page.tag := Translation.tag(va, formats)
    page.asid := context.asid
    page.identity := context.tlbIdentity
    page.granule := Translation.granule(tableFormat, Geometry(formats), formats)
    page
  }
}

/** An entry of the two groups of a page. */
case class HashedPlace() extends Bundle {
  val second = Bool()
  val slot = UInt(3 bits)
}

object HashedPlace {
  def first: HashedPlace = HashedPlace().getZero
}

/** Hash and entries of the hashed table ([[HashedTag]], [[HashedTranslation]]).
  *
  * The hash of a page is its number, the upper 18 bits of that laid over the lower ones, and in the
  * lower half of the address space four times the ASID over that. The second group is the one with
  * all bits of the hash inverted.
  */
case class HashedTranslations(formats: TableFormats) {
  private val config = formats.config
  private val permissionBits = Permissions(formats).getBitsWidth
  require(
    config.vaBits <= 48 && config.paWidth <= 48 && !config.d128 && formats.pageShift == 12 &&
      formats.tlbIdentityBits <= HashedTag.identity.width &&
      permissionBits <= HashedTranslation.permissions.width,
    s"hashedTable with vaBits ${config.vaBits}, paWidth ${config.paWidth}, d128 ${config.d128}; " +
      "an entry has room for 48 and 48 bits, of 64-bit descriptors; the 4K granule must be there"
  )
  require(
    !config.pmp && !config.mainTlb,
    s"hashedTable with pmpEntries ${config.pmpEntries}, mainTlbEntries ${config.mainTlbEntries}; " +
      "use 0 and 0: it is a machine to compare with"
  )

  private val hashBits = HashedGroup.hashBits
  private val pageBits = 36 // of a page's number, without the half
  private def finer(i: Int) = formats.granules(i).log2Bytes - formats.pageShift

  /** Bits of a 4K page's number that are inside of a page of the granule. */
  private def inside(granule: Bits): Bits = {
    val most = formats.granules.indices.map(finer).max
    Vec((0 until most).map { bit =>
      formats.granules.indices.map(i => if (finer(i) > bit) granule(i) else False).orR
    }).asBits
  }

  private def wholePage(tag: Bits, granule: Bits): Bits =
    tag & ~inside(granule).resize(tag.getWidth)

  private def granuleCode(granule: Bits): Bits = MuxOH.or(
    granule,
    formats.granules.map(g => B((g.log2Bytes - 12) / 2, 2 bits)),
    bypassIfSingle = true
  )

  def hash(page: SoughtPage): Bits = {
    val number = page.tag.dropHigh(1).asSInt.resize(pageBits).asBits
    val pages = formats.granules.indices.map(i => (number >> finer(i)).resize(pageBits))
    val whole = MuxOH.or(page.granule, pages, bypassIfSingle = true)
    val (low, high) = (whole(0, hashBits bits), whole(hashBits, hashBits bits))
    low ^ high ^ (page.asid ## B"00").resize(hashBits).andMask(!page.upper)
  }

  /** Where a tag or a translation is; `control` is HTAB. */
  def address(control: Bits, page: SoughtPage, place: HashedPlace, ofTranslation: Bool): UInt = {
    val many = Htab.groups.of(control).asUInt
    val mask = Vec((0 until hashBits).map(many > _)).asBits
    val group = (hash(page) ^ Repeat(place.second, hashBits)) & mask
    val inGroup = BitField.word(HashedGroup.log2Bytes)(
      HashedGroup.translations -> ofTranslation,
      HashedGroup.slot -> place.slot
    )
    (Htab.base.of(control, config.paWidth) | (group ## inGroup).resize(config.paWidth)).asUInt
  }

  /** A tag is that of the page. */
  def isOf(tag: Bits, page: SoughtPage): Bool =
    HashedTag.valid.bool(tag) &&
      HashedTag.page.of(tag) === wholePage(page.tag, page.granule).asSInt
        .resize(HashedTag.page.width)
        .asBits &&
      HashedTag.granule.of(tag) === granuleCode(page.granule) &&
      HashedTag.identity.of(tag) === page.identity.resized &&
      (HashedTag.global.bool(tag) || HashedTag.asid.of(tag) === page.asid.resized)

  /** A leaf may be entered: it is one page of the granule, for whom it was sought. */
  def isPageOf(leaf: Translation, page: SoughtPage): Bool = {
    val span = pageSpan(page.granule)
    leaf.span === span && leaf.mapping.span === span && leaf.granule === page.granule &&
    leaf.asid === page.asid && leaf.tlbIdentity === page.identity
  }

  private def pageSpan(granule: Bits): Bits = MuxOH.or(
    granule,
    formats.granules.map(g => B(formats.spans.code(g.log2Bytes), formats.spans.codeBits bits)),
    bypassIfSingle = true
  )

  def tag(leaf: Translation): Bits = {
    val page = wholePage(leaf.tag, leaf.granule).asSInt.resize(HashedTag.page.width).asBits
    BitField.word(
      HashedTag.page -> page,
      HashedTag.asid -> leaf.asid.resize(HashedTag.asid.width).andMask(!leaf.global),
      HashedTag.identity -> leaf.tlbIdentity.resize(HashedTag.identity.width),
      HashedTag.granule -> granuleCode(leaf.granule),
      HashedTag.global -> leaf.global,
      HashedTag.valid -> True
    )
  }

  def translation(leaf: Translation): Bits = BitField.word(64)(
    HashedTranslation.mair -> leaf.mapping.attributes.mair,
    HashedTranslation.page -> leaf.mapping.page.resize(HashedTranslation.page.width),
    HashedTranslation.writableClean -> leaf.writableClean,
    HashedTranslation.permissions -> leaf.mapping.permissions.asBits
      .resize(HashedTranslation.permissions.width)
  )

  def isClean(translation: Bits): Bool = HashedTranslation.writableClean.bool(translation)

  /** What a walk would have found. */
  def leaf(page: SoughtPage, translation: Bits, global: Bool): Translation = {
    val leaf = Translation(formats)
    leaf.tag := page.tag
    leaf.tlbIdentity := page.identity
    leaf.global := global
    leaf.asid := page.asid
    leaf.granule := page.granule
    leaf.writableClean := isClean(translation)
    leaf.span := pageSpan(page.granule)
    leaf.mapping.span := pageSpan(page.granule)
    leaf.mapping.level := formats.code(formats.lastLevel)
    leaf.mapping.page := HashedTranslation.page.of(translation).resized
    leaf.mapping.permissions
      .assignFromBits(HashedTranslation.permissions.of(translation).resize(permissionBits))
    leaf.mapping.attributes := Attributes.of(HashedTranslation.mair.of(translation))
    leaf.once := False
    leaf
  }
}
