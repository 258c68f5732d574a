package granule.board

import granule.config.GranuleConfig
import granule.soc.MemoryMap
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._
import spinal.lib.bus.misc.SizeMapping

/** The memory of a board without a controller for its memory chip: block RAM for the boot memory
  * and for a small lowmem; no highmem.
  *
  * Latency: one cycle for the command, then the library's. Bursts of both kinds are served.
  *
  * @param lowmemBytes size of lowmem. Requires: power of two, at least the boot memory's.
  */
case class RamMemory(
    config: GranuleConfig,
    axiConfig: Axi4Config,
    lowmemBytes: Int,
    boot: Seq[Int]
) extends Component {
  require(
    isPow2(lowmemBytes) && lowmemBytes >= config.bootBytes,
    s"lowmemBytes is $lowmemBytes; use a power of two of at least ${config.bootBytes}"
  )
  require(
    boot.size * 4 <= config.bootBytes,
    s"the boot image has ${boot.size * 4} bytes, bootBytes is ${config.bootBytes}: enlarge it"
  )
  val io = slave(Axi4(axiConfig))

  // One bit above the address in lowmem tells the boot memory from it.
  private val ramBits    = log2Up(lowmemBytes)
  private val flatConfig = axiConfig.copy(addressWidth = ramBits + 1)
  private val shared     = io.toShared()
  private val flat       = Axi4Shared(flatConfig)
  flat.arw << shared.arw
    .map { command =>
      val next = Axi4Arw(flatConfig)
      next.assignSomeByName(command)
      next.addr.removeAssignments()
      next.addr := MemoryMap.boot.contains(command.addr).asUInt @@ command.addr.resize(ramBits)
      next
    }
    .halfPipe()
  flat.w << shared.w
  flat.b >> shared.b
  flat.r >> shared.r

  private val decoder = Axi4SharedDecoder(
    flatConfig,
    readDecodings = Nil,
    writeDecodings = Nil,
    sharedDecodings = Seq(SizeMapping(0, lowmemBytes), SizeMapping(lowmemBytes, lowmemBytes))
  )
  decoder.io.input << flat

  private def ram(bytes: Int) =
    Axi4SharedOnChipRam(32, bytes, axiConfig.idWidth, arwStage = true)
  private val lowmem  = ram(lowmemBytes)
  private val bootRam = ram(config.bootBytes)
  bootRam.ram.initBigInt(
    boot.padTo(config.bootBytes / 4, 0).map(word => BigInt(word & 0xffffffffL))
  )
  for ((slave, output) <- Seq(lowmem.io.axi, bootRam.io.axi).zip(decoder.io.sharedOutputs)) {
    slave.arw.arbitrationFrom(output.arw)
    slave.arw.payload.assignSomeByName(output.arw.payload)
    slave.arw.addr.removeAssignments()
    slave.arw.addr := output.arw.addr.resized
    slave.w << output.w
    slave.b >> output.b
    slave.r >> output.r
  }
}
