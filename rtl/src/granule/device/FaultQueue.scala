package granule.device

import granule.arch.CoverPoint
import spinal.core._
import spinal.lib._

/** Keeps faults until software has read them, the oldest first. One that finds it full is lost, and
  * `overflow` remembers that until it is cleared; a transaction that stalls waits all the same.
  */
case class FaultQueue(config: BridgeConfig, fault: Flow[BridgeFault]) extends Area {
  private val fifo = StreamFifo(BridgeFault(config), config.faults, latency = 1)
  fifo.io.push.valid := fault.valid
  fifo.io.push.payload := fault.payload
  val pop = fifo.io.pop
  val overflow = RegInit(False) setWhen fifo.io.push.isStall

  CoverPoint("bridge.queue_overflows")(fifo.io.push.isStall && fault.stalls)
}
