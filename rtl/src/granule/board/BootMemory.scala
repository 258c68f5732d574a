package granule.board

import granule.soc.{GranuleConfig, MemoryMap}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._
import spinal.lib.bus.misc.SizeMapping

/** The boot memory of a board, in block RAM, and the way to it and to the memory beside it.
  *
  * {{{
  *   axi -> one command channel -> address in the memory -+-> boot memory
  *                                                        +-> memory
  * }}}
  *
  * Latency: one cycle for the command, then the slave's. Bursts of both kinds are served; answers
  * come in order.
  *
  * @param bits width of an address in `memory`; nothing beside the boot memory is larger.
  * @param boot words of the boot image; it starts at the boot memory's base, where reset goes.
  */
class BootMemory(config: GranuleConfig, axiConfig: Axi4Config, bits: Int, boot: Seq[Int]) {
  private val bytes = config.bootBytes
  require(
    boot.size * 4 <= bytes,
    s"the boot image has ${boot.size * 4} bytes, bootBytes is $bytes: enlarge it"
  )
  private val size = BigInt(1) << bits
  require(bytes <= size, s"the boot memory has $bytes bytes, more than the $size beside it")

  /** A block RAM behind AXI4. */
  def ram(bytes: Int): Axi4SharedOnChipRam =
    Axi4SharedOnChipRam(32, bytes, axiConfig.idWidth, arwStage = true)

  /** Builds both ways. `place`: from the system's address to the one in `memory`. */
  def connect(axi: Axi4, memory: Axi4Shared)(place: UInt => UInt): Unit = {
    val bootRam = ram(bytes).setName("bootRam")
    bootRam.ram.initBigInt(boot.padTo(bytes / 4, 0).map(word => BigInt(word & 0xffffffffL)))

    // One bit above the address in the memory tells the boot memory from it.
    val flatConfig = axiConfig.copy(addressWidth = bits + 1)
    val shared = axi.toShared()
    val flat = Axi4Shared(flatConfig)
    flat.arw << shared.arw
      .map { command =>
        val next = Axi4Arw(flatConfig)
        next.assignSomeByName(command)
        next.addr.removeAssignments()
        next.addr := MemoryMap.boot.contains(command.addr).asUInt @@ place(command.addr)
        next
      }
      .halfPipe()
    flat.w << shared.w
    flat.b >> shared.b
    flat.r >> shared.r

    val decoder = Axi4SharedDecoder(
      flatConfig,
      readDecodings = Nil,
      writeDecodings = Nil,
      sharedDecodings = Seq(SizeMapping(0, size), SizeMapping(size, size))
    ).setName("decoder")
    decoder.io.input << flat
    for ((slave, output) <- Seq(memory, bootRam.io.axi).zip(decoder.io.sharedOutputs)) {
      slave.arw.arbitrationFrom(output.arw)
      slave.arw.payload.assignSomeByName(output.arw.payload)
      slave.arw.addr.removeAssignments()
      slave.arw.addr := output.arw.addr.resized
      slave.w << output.w
      slave.b >> output.b
      slave.r >> output.r
    }
  }
}
