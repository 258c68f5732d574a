package granule.walk

import granule.format.TableFormats
import spinal.core._

/** What the level of an entry says about it, whatever it holds.
  *
  * @field leafSpan     what a leaf maps, and `groupSpan` what its contiguous group does, as
  *                     `formats.spans` writes sizes.
  * @field blockAllowed there may be leaves above the last level here (spec 4.3).
  * @field last         it is the last level.
  */
case class LevelFacts(formats: TableFormats) extends Bundle {
  val leafSpan, groupSpan = Bits(formats.spans.codeBits bits)
  val blockAllowed, last = Bool()
}

object LevelFacts {
  def of(tableFormat: Bits, level: UInt, geometry: Geometry): LevelFacts = {
    val facts = LevelFacts(geometry.formats)
    facts.leafSpan := geometry.leafSpan(tableFormat, level)
    facts.groupSpan := geometry.groupSpan(tableFormat, level)
    facts.blockAllowed := geometry.blockAllowed(tableFormat, level)
    facts.last := level === geometry.formats.code(geometry.formats.lastLevel)
    facts
  }
}
