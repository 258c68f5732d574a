package granule.walk

import granule.config.MmuConfig
import granule.format.DescriptorFormat
import granule.port._
import spinal.core._
import spinal.lib._

/** An access that no TLB could translate. */
case class WalkRequest() extends Bundle {
  val va      = UInt(64 bits)
  val execute = Bool() // TBID does not apply to data
}

/** Where a page or block goes and what may be done with it.
  *
  * @field span  decoded size, see [[Geometry.spanCode]].
  * @field page  output address from the smallest page up; bits inside the span are zero.
  */
case class Mapping(config: MmuConfig, format: DescriptorFormat) extends Bundle {
  val span        = Bits(format.spans.size - 1 bits)
  val level       = UInt(format.levelWidth bits)
  val page        = Bits(config.paWidth - format.pageShift bits)
  val permissions = Permissions()
  val attributes  = MemoryAttributes()
}

/** A translation as a walk finds it and a TLB keeps it (spec 8.1).
  *
  * @field tag      half and VA bits from the smallest page up.
  * @field asid     of the walk; means nothing when `global`.
  * @field granule  one-hot over the format's granules, for range invalidation.
  */
case class Translation(config: MmuConfig, format: DescriptorFormat) extends Bundle {
  val tag     = Bits(Translation.tagWidth(format) bits)
  val global  = Bool()
  val asid    = Bits(config.asidBits bits)
  val granule = Bits(format.granules.size bits)
  val mapping = Mapping(config, format)
}

object Translation {
  def tagWidth(format: DescriptorFormat): Int = format.vaBits - format.pageShift + 1

  def tag(va: UInt, format: DescriptorFormat): Bits =
    va(55) ## va(format.vaBits - 1 downto format.pageShift)
}

/** Port of the walker. `cmd` is accepted when the walker is idle. Each accepted command ends in one
  * cycle of `leaf`, `fault` or `dropped` (an invalidation covered the walk: ask again). `leafNext`
  * is set in the cycle before `leaf`, whose payload is there already.
  */
case class WalkPort(config: MmuConfig, format: DescriptorFormat) extends Bundle with IMasterSlave {
  val cmd      = Stream(WalkRequest())
  val leafNext = Bool()
  val leaf     = Flow(Translation(config, format))
  val fault    = Flow(Bits(6 bits))
  val dropped  = Bool()

  override def asMaster(): Unit = {
    master(cmd)
    slave(leaf, fault)
    in(leafNext, dropped)
  }
}

/** What the walker tells the counters. */
case class WalkEvents() extends Bundle {
  val walk, cycle, restart = Bool()
  val read                 = Vec(Bool(), 4)
}
