package granule.soc

import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._
import spinal.lib.bus.misc.SizeMapping

/** Where an address goes, as two bits that the interconnect carries above the address: the crossbar
  * of the library routes by one power of two for each slave, memory has two windows of settable
  * size. What is neither memory that exists nor below the bridge's limit goes nowhere: DECERR.
  *
  * Combinational. The sizes may change only while the bus is idle (they are pins, read at reset).
  */
case class AddressDecode(config: GranuleConfig, lowmemBytes: UInt, highmemBytes: UInt) {
  import AddressDecode._
  private val paWidth = config.mmu.paWidth

  def destination(address: UInt): UInt = {
    val lowmem = MemoryMap.lowmem.contains(address) &&
      address.resize(log2Up(MemoryMap.lowmem.size)) < lowmemBytes
    val highmem = Bool(paWidth > 32) && MemoryMap.highmem.contains(address) &&
      address.resize(log2Up(MemoryMap.highmem.size)) < highmemBytes
    val boot = Bool(config.bootBytes > 0) && MemoryMap.boot.contains(address) &&
      address.resize(log2Up(MemoryMap.boot.size)) < config.bootBytes
    val bridge = (address >> MemoryMap.apbAddressWidth) === 0
    Mux(
      lowmem || highmem || boot,
      U(memory, 2 bits),
      Mux(bridge, U(peripherals, 2 bits), U(nowhere, 2 bits))
    )
  }

  private def forward[T <: Axi4Ax](from: Stream[T], to: Stream[T]): Unit = {
    to.arbitrationFrom(from)
    to.payload.assignSomeByName(from.payload)
    to.addr.removeAssignments()
    to.addr := destination(from.addr) @@ from.addr
  }

  def widen(bus: Axi4ReadOnly): Axi4ReadOnly = {
    val wide = Axi4ReadOnly(bus.config.copy(addressWidth = paWidth + 2))
    forward(bus.ar, wide.ar)
    wide.r >> bus.r
    wide
  }

  def widen(bus: Axi4): Axi4 = {
    val wide = Axi4(bus.config.copy(addressWidth = paWidth + 2))
    forward(bus.ar, wide.ar)
    forward(bus.aw, wide.aw)
    bus.w >> wide.w
    wide.r >> bus.r
    wide.b >> bus.b
    wide
  }

  def mapping(destination: Int): SizeMapping =
    SizeMapping(BigInt(destination) << paWidth, BigInt(1) << paWidth)
}

object AddressDecode {
  val nowhere = 0
  val peripherals = 1
  val memory = 2
}
