package granule.mmu

import granule.arch.{BitField, DescriptorLayout, MmuConfig, TableFormats, TypeScheme}
import spinal.core._
import spinal.lib._

/** What a descriptor is at its level, whatever its format.
  *
  * @field leaf       page or block; a descriptor that is neither leaf nor table is reserved.
  * @field contiguous its contiguous hint.
  */
case class DescriptorKind() extends Bundle {
  val valid, leaf, table, contiguous = Bool()
}

object DescriptorKind {

  /** That of a word that arrives, by a layout (spec 4.1, 4.5, 10.4). */
  def of(arriving: Bits, walk: WalkState, geometry: Geometry): DescriptorKind = {
    val formats = geometry.formats
    val tableFormat = walk.context.half.tableFormat
    val level = LevelProperties.of(walk.context, walk.level, geometry)

    def by(layout: DescriptorLayout): DescriptorKind = {
      val word = arriving.resize(layout.bits)
      val kind = DescriptorKind()
      kind.valid := layout.valid.bool(word)
      kind.contiguous := layout.contiguous.map(_.bool(word)).getOrElse(False)
      layout.kind match {
        case TypeScheme.TableBit(bit) =>
          kind.table := bit.bool(word) && !level.last
          kind.leaf := bit.bool(word) ? level.last | level.blockAllowed
        case TypeScheme.SkipLevel(field) =>
          val skip = field.of(word).asUInt
          val sum = walk.level +^ skip
          val most = geometry.select(tableFormat, _.maxSkip)(f => U(f.maxSkip, 2 bits))
          kind.table := skip <= most && sum < formats.code(formats.lastLevel)
          kind.leaf := skip <= most && sum === formats.code(formats.lastLevel)
        case TypeScheme.AnyPermission(read, write, execute, reserved, reservedInTable) =>
          def zero(fields: Seq[BitField]) = !fields.flatMap(_.of(word).asBools).orR
          val legal = if (reserved.isEmpty) True else zero(reserved)
          val access = read.bool(word) || execute.bool(word) && !write.bool(word)
          kind.leaf := legal && access
          kind.table := legal && !access && !write.bool(word) && !level.last &&
            zero(reservedInTable)
      }
      kind
    }
    geometry.select(tableFormat, _.layout)(f => by(f.layout))
  }
}

/** What a descriptor's bits say, whatever its format.
  *
  * @field noContiguous contiguous hints do not count in the table.
  * @field attributes   MAIR byte of a leaf.
  * @field shareability of a leaf.
  */
class DescriptorFields extends Bundle {
  val accessFlag, global = Bool()
  val noContiguous = Bool()
  val attributes = Bits(8 bits)
  val shareability = Bits(2 bits)
}

/** A descriptor, decoded for the walk that has read it.
  *
  * @field kind       what it is; `skip`: levels that are skipped below a table.
  * @field misplaced  a leaf whose address, by its format, is none of a leaf of this size.
  * @field span       what a leaf maps, or the contiguous group that it stands for.
  * @field cachedSpan what of it a TLB may keep.
  * @field page       output address of `cachedSpan`, from the smallest page up.
  * @field granted    permissions of a leaf.
  */
case class Descriptor(formats: TableFormats) extends DescriptorFields {
  val kind = DescriptorKind()
  val skip = UInt(2 bits)
  val misplaced = Bool()
  val span, cachedSpan = Bits(formats.spans.codeBits bits)
  val page = Bits(formats.config.paWidth - formats.pageShift bits)
  val granted = LeafPermissions(formats)
}

object Descriptor {

  /** The descriptor that a walk has read last. The registers `kind`, `output` and `levelProperties`
    * hold what was worked out of it in the cycle before.
    */
  def of(walk: WalkState, geometry: Geometry): Descriptor = {
    val formats = geometry.formats
    val tableFormat = walk.context.half.tableFormat
    val decoded = Descriptor(formats)
    decoded.assignSomeByName(
      geometry.select(tableFormat, _.layout)(f => fields(f.layout, walk, geometry))
    )
    decoded.kind := walk.kind
    decoded.skip := skip(walk.descriptor, tableFormat, geometry)
    decoded.granted := geometry.select(tableFormat, _.layout.permissions) { f =>
      val word = walk.descriptor.resize(f.layout.bits)
      LeafPermissions.of(
        f.layout,
        word,
        walk.hierarchy,
        walk.context,
        formats
      )
    }
    placeLeaf(decoded, walk, geometry)
    decoded
  }

  /** SKL: the walker needs it in the cycle in which a descriptor arrives, too. */
  def skip(word: Bits, tableFormat: Bits, geometry: Geometry): UInt =
    geometry.select(tableFormat, _.layout.kind) {
      _.layout.kind match {
        case TypeScheme.SkipLevel(field) => field.of(word).asUInt
        case _                           => U(0, 2 bits)
      }
    }

  /** Reads the flags by a layout. */
  private def fields(layout: DescriptorLayout, walk: WalkState, geometry: Geometry) = {
    val context = walk.context
    val word = walk.descriptor.resize(layout.bits)
    val fields = new DescriptorFields
    def flag(field: Option[BitField]) = field.map(_.bool(word)).getOrElse(False)

    fields.accessFlag := layout.accessFlag.bool(word)
    fields.global := layout.notGlobal.bool(word) === Bool(!layout.notGlobalWhen)
    fields.noContiguous := flag(layout.noContiguous)
    fields.shareability := layout.shareability.map(_.of(word)).getOrElse(context.half.shareability)
    fields.attributes := layout.attrIndex
      .map { field =>
        val bytes = if (field.width == 4) context.mair2 ## context.mair else context.mair
        bytes.subdivideIn(8 bits)(field.of(word).asUInt)
      }
      .getOrElse(Attributes.default)
    fields
  }

  /** What a leaf maps, and where.
    *
    * A contiguous group is used as one entry if this member lies where it should and the VA range
    * holds the group. Otherwise the hint is of no use, and need not be used (spec 4.6); but a group
    * that its address must describe has nothing else to be used as.
    *
    * Of a block that is larger than the output size, parts translate and others fault: a TLB may
    * keep only the page that was asked for.
    */
  private def placeLeaf(leaf: Descriptor, walk: WalkState, geometry: Geometry): Unit = {
    val formats = geometry.formats
    val config = formats.config
    val tableFormat = walk.context.half.tableFormat
    val address = walk.output.address
    def inside(code: Bits) = formats.spans.mask(code, 0, formats.addressBits)
    val leafSpan = walk.levelProperties.leafSpan
    val inLeaf = inside(leafSpan)

    val aligned = geometry.is(tableFormat)(_.layout.alignedLeaf)
    leaf.misplaced := aligned && leaf.kind.leaf && walk.output.insideLeaf
    leaf.span := leafSpan
    if (config.contiguous) {
      val groupSpan = walk.levelProperties.groupSpan
      val inGroup = inside(groupSpan)
      val between = inGroup & ~inLeaf
      val described = geometry.is(tableFormat)(_.layout.groupInLeaf)
      val placed = walk.output.placed
      if (formats.groupsInLeaf) when(described && leaf.kind.leaf && leaf.kind.contiguous) {
        leaf.misplaced setWhen !(placed && between.orR)
      }
      when(leaf.kind.contiguous && !walk.noGroups && placed && walk.levelProperties.groupFits) {
        leaf.span := groupSpan
      }
    }

    val output = CombInit(address & ~inside(leaf.span))
    leaf.cachedSpan := leaf.span
    if (formats.largestLeaf > MmuConfig.paRanges.min) when(walk.levelProperties.overflows) {
      leaf.cachedSpan := formats.spans.code(formats.pageShift)
      output := OutputAddress.inLeaf(address, walk.va, leafSpan, formats)
    }
    leaf.page := output(config.paWidth - 1 downto formats.pageShift)
  }
}

/** Where a descriptor points to, or the register that holds the first table, and what that address
  * says by itself. The walker works it out in the cycle in which the descriptor arrives, so that
  * the step in the next cycle finds it in registers.
  *
  * @field address      bits inside the page are whatever the descriptor has there.
  * @field tableTooWide a table there is outside of the output size (spec 2.4), or bits are set that
  *                     must be zero (spec 4.2); `leafTooWide`: the same of a leaf. All of a table
  *                     of 64-bit descriptors is where its first byte is; of others, the walker
  *                     looks at the address that it reads.
  * @field insideLeaf   bits inside of a leaf are set.
  * @field placed       between the sizes of a leaf and its contiguous group, it is what it must be
  *                     for the VA's member of the group.
  */
case class OutputAddress(formats: TableFormats) extends Bundle {
  val address = Bits(formats.addressBits bits)
  val tableTooWide, leafTooWide, insideLeaf = Bool()
  val placed = formats.config.contiguous generate Bool()
}

object OutputAddress {

  /** That of a word that arrives, or with `first` that of the root register. */
  def of(word: Bits, first: Bool, walk: WalkState, geometry: Geometry): OutputAddress = {
    val half = walk.context.half
    val outsideOutput = geometry.aboveOutputSize(walk.context.ips)
    val zeroBitsSet = !first && geometry.zeroBitsSet(half.tableFormat, word)
    val leafSpan = geometry.leafSpan(half.tableFormat, walk.level)
    val formats = geometry.formats
    val output = OutputAddress(formats)
    output.address := first ? geometry.root(half.tableFormat, half.root) |
      geometry.address(half.tableFormat, word)
    output.tableTooWide := zeroBitsSet || (output.address & outsideOutput).orR
    output.leafTooWide := zeroBitsSet ||
      (inLeaf(output.address, walk.va, leafSpan, formats) & outsideOutput).orR

    def inside(code: Bits) = formats.spans.mask(code, 0, formats.addressBits)
    output.insideLeaf := (output.address & inside(leafSpan)).orR
    if (formats.config.contiguous) {
      val between = inside(geometry.groupSpan(half.tableFormat, walk.level)) & ~inside(leafSpan)
      val va = walk.va.resize(formats.addressBits)
      val described = geometry.is(half.tableFormat)(_.layout.groupInLeaf)
      val topmost = between & ~(between |>> 1)
      val member = if (formats.groupsInLeaf) described ? topmost | va else va
      output.placed := ((output.address ^ member) & between) === 0
    }
    output
  }

  /** Where the VA is in a leaf. */
  def inLeaf(address: Bits, va: Bits, leafSpan: Bits, formats: TableFormats): Bits = {
    val inLeaf = formats.spans.mask(leafSpan, 0, formats.addressBits)
    (address & ~inLeaf) | (va.resize(formats.addressBits) & inLeaf)
  }
}

/** What the level of a descriptor says about it in a walk, whatever its bits are.
  *
  * @field leafSpan     what a leaf maps, as `formats.spans` writes sizes.
  * @field groupSpan    what its contiguous group maps.
  * @field blockAllowed a leaf may be here, above the last level (spec 4.3).
  * @field last         it is the last level.
  * @field overflows    not all of a leaf is within the output size; `groupFits`: all of a group is,
  *                     and within the half of the address space that the walk is for.
  */
case class LevelProperties(formats: TableFormats) extends Bundle {
  val leafSpan, groupSpan = Bits(formats.spans.codeBits bits)
  val blockAllowed, last, overflows, groupFits = Bool()
}

object LevelProperties {
  def of(context: WalkContext, level: UInt, geometry: Geometry): LevelProperties = {
    val formats = geometry.formats
    val tableFormat = context.half.tableFormat
    val outsideOutput = geometry.aboveOutputSize(context.ips)
    def inside(span: Bits) = formats.spans.mask(span, 0, formats.addressBits)
    def within(span: Bits) =
      if (formats.spans.sorted.exists(_ > MmuConfig.paRanges.min))
        !(inside(span) & outsideOutput).orR
      else True
    val properties = LevelProperties(formats)
    properties.leafSpan := geometry.leafSpan(tableFormat, level)
    properties.groupSpan := geometry.groupSpan(tableFormat, level)
    properties.blockAllowed := geometry.blockAllowed(tableFormat, level)
    properties.last := level === formats.code(formats.lastLevel)
    properties.overflows := !within(properties.leafSpan)
    val inHalf = geometry.vaMask(context.half.tnsz)
    properties.groupFits := within(properties.groupSpan) &&
      (inside(properties.groupSpan).resize(formats.vaBits) & ~inHalf) === 0
    properties
  }
}
