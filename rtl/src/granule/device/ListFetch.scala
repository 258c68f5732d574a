package granule.device

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Reads an entry of the list in one burst, which stays in its 4 KiB as entries are aligned.
  *
  * `ask` holds the entry's address for one cycle, when nothing is under way; `entry` and `response`
  * are valid from `arrived`, a cycle after the last beat, to the next `ask`. `response` is OKAY or
  * that of a beat that failed. `overlaps`: what the entry reads and what it writes have a byte in
  * common if they are of one address space.
  *
  * Latency: a cycle to AR, a cycle after the last beat.
  */
case class ListFetch(config: DmaConfig) extends Area {
  private val axi = BridgeBus.virtual(config.bus)
  private val beats = DmaEntry.bytes / config.beatBytes

  val ask = Flow(UInt(64 bits))
  val stream = UInt(log2Up(config.bus.streams) bits)
  val ar = Stream(Axi4Ar(axi))
  val r = Flow(Axi4R(axi))

  private val asking = RegInit(False) clearWhen ar.fire setWhen ask.valid
  val va = RegNextWhen(ask.payload, ask.valid)
  ar.valid := asking
  DmaBus.address(ar.payload, va, U(beats - 1, 8 bits), stream)

  private val words = Reg(Bits(8 * DmaEntry.bytes bits))
  val entry = DmaEntry()
  entry.assignFromBits(words)
  val response = Reg(Bits(2 bits))
  val arrived = RegNext(r.valid && r.last) init False
  private val next = r.data ## (words >> config.bus.dataWidth)
  when(ask.valid) { response := Axi4.resp.OKAY }
  when(r.valid) {
    words := next
    when(r.resp =/= Axi4.resp.OKAY) { response := r.resp }
  }

  val overlaps: Bool = {
    val coming = DmaEntry()
    coming.assignFromBits(next)
    // 0 where the destination ends at the source, twice the bytes where it begins at its end.
    // In a register, so that these sums and the comparison have a cycle each.
    val place = RegNextWhen(coming.destination - coming.source + coming.bytes, r.valid)
    !entry.fill && place =/= 0 && place < (entry.bytes << 1)
  }
}

/** What all transactions of the engine have in common. */
object DmaBus {
  def address(ax: Axi4Ax, va: UInt, len: UInt, stream: UInt): Unit = {
    ax.addr := va
    ax.len := len
    ax.user := stream.asBits
    ax.id := 0 // one ID: the answers come in order
    ax.size := log2Up(ax.config.bytePerWord)
    ax.setBurstINCR()
    ax.lock := 0
    ax.cache := B"0011" // for a stream that is not translated: Normal Non-cacheable
    ax.prot := 0
    ax.qos := 0
  }
}
