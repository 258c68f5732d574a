package granule.mmu

import granule.arch.{MmuConfig, TableFormats}
import spinal.core._
import spinal.lib._

/** Entries that an invalidation compares after those of [[SweepOrder]], with the same comparators:
  * who has them leads it through them.
  *
  * @field active   from the cycle after acceptance until all entries were compared: what it may
  *                 cover, `suspects`, must not be used. `scope` is what it covers.
  * @field decoded  the cycle after acceptance: the length of a range is a number of pages yet.
  * @field begins   one cycle, in which `scope` is ready; the comparators are free from the next on.
  * @field running  entries are still to be compared: the next command waits.
  * @field compares `entry` is compared, of each lane where it is `valid`; in the next cycle
  *                 `covered` has a bit for each.
  */
case class FurtherSweepPort(config: MmuConfig) extends Bundle with IMasterSlave {
  private val formats = TableFormats(config)
  val active, decoded, begins = Bool()
  val suspects = Suspects(formats)
  val scope = InvalidateScope(formats)
  val running, compares = Bool()
  val entry = Vec.fill(config.sweepLanes)(SweptEntry(formats))
  val valid, covered = Bits(config.sweepLanes bits)

  override def asMaster(): Unit = {
    out(active, decoded, begins, suspects, scope, covered)
    in(running, compares, entry, valid)
  }
}
