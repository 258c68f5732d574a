package granule.device

import granule.arch.BitField

/* The registers of bridge and DMA engine as data: where each field lies. */

/** A register of the bridge or of the DMA engine that is one field. */
object BridgeWord {
  val value = BitField(0, 32)
}

/** CONTROL of the bridge. */
object BridgeControl {
  val run = BitField(0)
}

/** STATUS of the bridge; INTERRUPT has `fault` and `overflow` at the same places. */
object BridgeStatus {
  val idle = BitField(0)
  val fault = BitField(1)
  val overflow = BitField(2)
}

/** STREAM of the bridge. */
object BridgeStream {
  val number = BitField(0, 4)
}

/** CONTEXT, of the row that STREAM names. */
object BridgeRow {
  val mode = BitField(0, 2)
  val privileged = BitField(2)
  val stalls = BitField(3)
}

/** FAULT_INFO; RESUME has `slot` and `write` at the same places. */
object BridgeFaultInfo {
  val status = BitField(0, 6)
  val write = BitField(6)
  val execute = BitField(7)
  val stalls = BitField(8)
  val slot = BitField(12, 4)
  val stream = BitField(16, 4)
  val id = BitField(24, 8)
}

/** RESUME. */
object BridgeResumed {
  val retry = BitField(0)
}

/** STALLED: a bit for each slot. */
object BridgeStalled {
  val reads = BitField(0, 16)
  val writes = BitField(16, 16)
}

/** Flags of an entry of the DMA engine's list. */
object DmaFlags {
  val fill = BitField(0)
  val last = BitField(1)
  val interrupt = BitField(2)
  val reserved = BitField(3, 29)
}

/** CONTROL of the DMA engine. */
object DmaControl {
  val start = BitField(0)
  val stop = BitField(1)
}

/** STATUS of the DMA engine; INTERRUPT has all but `busy` at the same places. */
object DmaStatus {
  val busy = BitField(0)
  val done = BitField(1)
  val error = BitField(2)
  val stopped = BitField(3)
  val entry = BitField(4)
}

/** STREAMS of the DMA engine: rows of the bridge's context table. */
object DmaStreams {
  val list = BitField(0, 4)
  val source = BitField(8, 4)
  val destination = BitField(16, 4)
}

/** ERROR of the DMA engine. */
object DmaErrorInfo {
  val cause = BitField(0, 3)
  val response = BitField(4, 2)
}
