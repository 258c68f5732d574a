package granule.verify

import granule.arch.TableFormats
import granule.mmu.WalkMemoryPort
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** What is assumed of the other side of a port. */
object Setting {

  /** As [[granule.arch.SizeClasses]] writes sizes: ones from bit 0 up. */
  def isSize(code: Bits): Bool = (code.asUInt & (code.asUInt + 1)) === 0

  /** One granule, and a size that its leaves have. */
  def isLeaf(span: Bits, granule: Bits, formats: TableFormats): Bool = (
    for (format <- formats.tableFormats; size <- format.leafSizes)
      yield granule === (1 << formats.granules.indexOf(format.granule)) &&
        span === formats.spans.code(size)
  ).orR

  /** Tables have this level (one-hot) in some format, and this span, if one is given. */
  def isTable(level: Bits, formats: TableFormats, span: Bits = null): Bool = (
    for (format <- formats.tableFormats; (above, below) <- format.levels.zip(format.levels.tail))
      yield level === (1 << formats.code(below)) &&
        (if (span == null) True else span === formats.tableSpans.code(format.lsb(above)))
  ).orR

  /** A memory that answers anything. Answers whether an answer is due. */
  def memory(port: WalkMemoryPort): Bool = {
    anyseq(port.cmd.ready)
    anyseq(port.rsp.valid)
    anyseq(port.rsp.payload)
    val due = RegInit(False) setWhen port.cmd.fire clearWhen port.rsp.valid
    assume(!port.rsp.valid || due)
    assume(!port.cmd.ready || !due)
    due
  }
}
