package granule.walk

import granule.format._
import spinal.core._
import spinal.lib._

/** What a descriptor says, whatever its format.
  *
  * @field leaf          page or block; neither leaf nor table: invalid or reserved.
  * @field skip          levels that are skipped below a table.
  * @field attributes    MAIR byte of a leaf.
  * @field shareability  of a leaf.
  */
case class Entry(formats: TableFormats) extends Bundle {
  val valid, leaf, table = Bool()
  val skip = UInt(2 bits)
  val accessFlag, global = Bool()
  val contiguous, noContiguous = Bool()
  val attributes = Bits(8 bits)
  val shareability = Bits(2 bits)
}

object Entry {

  /** SKL alone: needed in the cycle in which a descriptor arrives. */
  def skip(descriptor: Bits, tableFormat: Bits, geometry: Geometry): UInt =
    geometry.select(tableFormat, _.layout.kind) { s =>
      s.layout.kind match {
        case TypeScheme.SkipLevel(field) => field.of(descriptor).asUInt
        case _                           => U(0, 2 bits)
      }
    }

  /** Reads a descriptor of the format in force, found at `level`, of which `facts` are. */
  def of(
      descriptor: Bits,
      level: UInt,
      facts: LevelFacts,
      context: WalkContext,
      geometry: Geometry,
      formats: TableFormats
  ): Entry = geometry.select(context.half.tableFormat, _.layout) { s =>
    decode(
      s.layout,
      descriptor.resize(s.layout.bits),
      level,
      facts,
      context,
      geometry,
      formats
    )
  }

  private def decode(
      layout: DescriptorLayout,
      word: Bits,
      level: UInt,
      facts: LevelFacts,
      context: WalkContext,
      geometry: Geometry,
      formats: TableFormats
  ): Entry = {
    val entry = Entry(formats)
    val tableFormat = context.half.tableFormat
    def flag(field: Option[BitField]) = field.map(_.bool(word)).getOrElse(False)

    layout.kind match {
      case TypeScheme.TableBit(bit) =>
        entry.skip := 0
        entry.table := bit.bool(word) && !facts.last
        entry.leaf := bit.bool(word) ? facts.last | facts.blockAllowed
      case TypeScheme.SkipLevel(field) =>
        val skip = field.of(word).asUInt
        val sum = level +^ skip
        val most = geometry.select(tableFormat, _.maxSkip)(s => U(s.maxSkip, 2 bits))
        entry.skip := skip
        entry.table := skip <= most && sum < formats.code(formats.lastLevel)
        entry.leaf := skip <= most && sum === formats.code(formats.lastLevel)
      case TypeScheme.AnyPermission(read, write, execute, reserved, reservedInTable) =>
        def zero(fields: Seq[BitField]) = !fields.flatMap(_.of(word).asBools).orR
        val legal = if (reserved.isEmpty) True else zero(reserved)
        val access = read.bool(word) || execute.bool(word) && !write.bool(word)
        entry.skip := 0
        entry.leaf := legal && access
        entry.table := legal && !access && !write.bool(word) && !facts.last &&
          zero(reservedInTable)
    }
    entry.valid := layout.valid.bool(word)
    entry.accessFlag := layout.accessFlag.bool(word)
    entry.global := layout.notGlobal.bool(word) === Bool(!layout.notGlobalWhen)
    entry.contiguous := flag(layout.contiguous)
    entry.noContiguous := flag(layout.noContiguous)
    entry.shareability := layout.shareability.map(_.of(word)).getOrElse(context.half.shareability)
    entry.attributes := layout.attrIndex
      .map { field =>
        val bytes = if (field.width == 4) context.mair2 ## context.mair else context.mair
        bytes.subdivideIn(8 bits)(field.of(word).asUInt)
      }
      .getOrElse(Attributes.default)
    entry
  }
}
