package granule.mmu

import spinal.core._
import spinal.lib._

/** One descriptor access of the walker: read, or compare-and-swap. Each is one atomic step.
  *
  * @field address   physical, a multiple of the size.
  * @field size      log2 of the words of 4 bytes: 0, 1 or 2.
  * @field cacheable the walk may use a data cache. If not, the answer is what memory holds, and a
  *                  swap is unsupported.
  * @field swap      False: read. True: if memory holds `expected`, replace it by `desired`.
  */
case class WalkMemoryCmd(paWidth: Int, dataWidth: Int) extends Bundle {
  val address = UInt(paWidth bits)
  val size = UInt(2 bits)
  val cacheable = Bool()
  val swap = Bool()
  val expected = Bits(dataWidth bits)
  val desired = Bits(dataWidth bits)
}

/** @field data        what memory held before the access, from bit 0 up; above its size anything.
  * @field error       bus error, or an address outside the memory map (then no bus request was
  *                    made). A swap that lost (data differs from `expected`) is no error; nothing
  *                    was written.
  * @field unsupported this memory cannot swap; nothing was written.
  */
case class WalkMemoryRsp(dataWidth: Int) extends Bundle {
  val data = Bits(dataWidth bits)
  val error = Bool()
  val unsupported = Bool()
}

/** Walker memory port: one request at a time, exactly one answer for each accepted command, at the
  * earliest in the cycle after. Coherent with the CPU's stores (goes through the L1 data cache).
  *
  * @param dataWidth bits of the widest descriptor: 64 or 128.
  */
case class WalkMemoryPort(paWidth: Int, dataWidth: Int = 64) extends Bundle with IMasterSlave {
  val cmd = Stream(WalkMemoryCmd(paWidth, dataWidth))
  val rsp = Flow(WalkMemoryRsp(dataWidth))

  override def asMaster(): Unit = {
    master(cmd)
    slave(rsp)
  }
}

/** Several walkers at one walker memory port, in turn. The memory answers one access before it
  * takes the next one, so whoever was taken last owns an answer; the next one may be taken in its
  * cycle. Latency: none.
  */
object WalkMemoryArbiter {
  def apply(walkers: Seq[WalkMemoryPort], memory: WalkMemoryPort): Unit = {
    val turns = StreamArbiterFactory().roundRobin.transactionLock
      .build(memory.cmd.payloadType, walkers.size)
    turns.io.output >> memory.cmd
    val owner = RegNextWhen(turns.io.chosenOH, memory.cmd.fire)
    for (((walker, input), i) <- walkers.zip(turns.io.inputs).zipWithIndex) {
      input << walker.cmd
      walker.rsp.valid := memory.rsp.valid && owner(i)
      walker.rsp.payload := memory.rsp.payload
    }
  }
}
