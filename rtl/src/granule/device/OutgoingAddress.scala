package granule.device

import granule.arch.MairByte
import granule.mmu.MemoryAttributes
import spinal.core._
import spinal.lib.bus.amba4.axi._

/** AR or AW of the bus for a transaction that was translated. */
object OutgoingAddress {
  def of(outcome: LookupOutcome, config: BridgeConfig, ax: Axi4Ax): Unit = {
    val transaction = outcome.transaction
    ax.addr := outcome.pa
    ax.id := transaction.id
    ax.len := transaction.len
    ax.size := transaction.size
    ax.burst := transaction.burst
    ax.qos := transaction.qos
    ax.lock := transaction.lock.asBits
    ax.prot := transaction.prot
    ax.cache := outcome.mapped ? cache(outcome.attributes, transaction.write) | transaction.cache
  }

  /** AxCACHE (AXI4, A4.4) of memory with these attributes: bit 0 bufferable, 1 modifiable, 2 read
    * allocate, 3 write allocate. One of the upper two must be set where it is cacheable: of reads
    * bit 3 means that it may be cached for another reason, of writes bit 2.
    */
  def cache(attributes: MemoryAttributes, write: Bool): Bits = {
    val inner = MairByte.inner.of(attributes.mair)
    val noHint = inner(1 downto 0) === 0
    val allocateRead = inner(1) || noHint && write
    val allocateWrite = inner(0) || noHint && !write
    val writeBack = inner(2)
    val cacheable = allocateWrite ## allocateRead ## B"1" ## writeBack
    val device = B"000" ## attributes.mair.orR // nGnRnE is not to be answered early
    attributes.cacheable ? cacheable | (attributes.device ? device | B"0011")
  }
}
