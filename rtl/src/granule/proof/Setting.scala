package granule.proof

import granule.port.WalkMemoryPort
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** What is assumed of the other side of a port. */
object Setting {

  /** As [[granule.format.SizeClasses]] writes sizes: ones from bit 0 up. */
  def isSize(code: Bits): Bool = (code.asUInt & (code.asUInt + 1)) === 0

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
