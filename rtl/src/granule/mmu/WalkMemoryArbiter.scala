package granule.mmu

import spinal.core._
import spinal.lib._

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
