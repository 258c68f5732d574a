package granule.device

import spinal.core._
import spinal.lib._

/** An entry of the list, 32 bytes in memory, in this order. It begins at a multiple of 32.
  *
  * {{{
  *   word 0     flags: DmaFlags
  *   word 1     bytes
  *   words 2, 3 address of the source; a fill does not look at it
  *   words 4, 5 address of the destination
  *   word 6     what a fill writes
  *   word 7     software's own
  * }}}
  *
  * Addresses and bytes are multiples of a beat. Source and destination do not overlap.
  */
case class DmaEntry() extends Bundle {
  val flags = Bits(32 bits)
  val bytes = UInt(32 bits)
  val source, destination = UInt(64 bits)
  val value, own = Bits(32 bits)

  def fill: Bool = DmaFlags.fill.bool(flags)
  def last: Bool = DmaFlags.last.bool(flags)
  def interrupt: Bool = DmaFlags.interrupt.bool(flags)

  def isIllegal(config: DmaConfig): Bool = {
    val odd = log2Up(config.beatBytes) - 1
    val addresses = destination(odd downto 0) | source(odd downto 0).andMask(!fill)
    (addresses | bytes(odd downto 0)).orR || DmaFlags.reserved.of(flags).orR
  }
}

object DmaEntry {
  val bytes = 32
}

/** What ended a list before its last entry.
  *
  *   - `list`: the bus did not deliver an entry. `read`, `write`: ... did not do that.
  *   - `illegal`: an entry has reserved flags, or what is no multiple of a beat, or it copies to a
  *     place of the same stream that overlaps its source.
  */
object DmaCause extends SpinalEnum(binarySequential) {
  val none, list, read, write, illegal = newElement()
}

/** How a list or an entry ended.
  *
  * @field response of AXI: SLVERR or DECERR.
  * @field va       of the beat that was not read, of the burst that was not written, or of the
  *                 entry.
  */
case class DmaEnd() extends Bundle {
  val cause = DmaCause()
  val response = Bits(2 bits)
  val va = UInt(64 bits)

  def failed: Bool = cause =/= DmaCause.none
}

/** Rows of the bridge's context table, for the list, what is read and what is written. */
case class DmaStreamNumbers(config: DmaConfig) extends Bundle {
  val list, source, destination = UInt(log2Up(config.bus.streams) bits)
}
