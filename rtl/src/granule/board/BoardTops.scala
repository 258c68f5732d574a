package granule.board

import granule.config.GranuleConfig
import granule.soc.MemoryMap
import java.nio.file.{Files, Paths}
import java.nio.{ByteBuffer, ByteOrder}
import spinal.core._

/** Writes the top of a board: `BoardTops OUTDIR BOARD CONFIG MEGAHERTZ SDRAM [BOOTIMAGE]`. */
object BoardTops extends App {
  require(
    args.length == 5 || args.length == 6,
    s"usage: BoardTops OUTDIR BOARD CONFIG MEGAHERTZ SDRAM [BOOTIMAGE]; got ${args.length}"
  )
  private val Array(out, board, configName, megahertz, sdram) = args.take(5)

  /** The image as words; a last word that is not full is filled with zeros. */
  private def words(path: String): Seq[Int] = {
    val bytes  = Files.readAllBytes(Paths.get(path))
    val buffer = ByteBuffer.wrap(bytes.padTo((bytes.length + 3) / 4 * 4, 0.toByte))
    buffer.order(ByteOrder.LITTLE_ENDIAN)
    Seq.fill(buffer.capacity / 4)(buffer.getInt())
  }

  private val config = GranuleConfig
    .byName(configName)
    .copy(
      resetPc = MemoryMap.boot.base.toLong,
      clockHz = megahertz.toInt * 1000000,
      bootBytes = 8192,
      simulation = false
    )
  private val part  = SdramPart.byName(sdram)
  private val image = if (args.length == 6) words(args(5)) else Nil

  VerilogOut(
    out,
    board,
    s"Granule on $board, configuration $configName, $megahertz MHz, SDRAM $sdram"
  )
    .generateVerilog(board match {
      case "ulx3s"       => new Ulx3s(config, part, image).setDefinitionName("ulx3s")
      case "tangnano20k" => new TangNano20k(config, image).setDefinitionName("tangnano20k")
      case other =>
        throw new IllegalArgumentException(
          s"board '$other' does not exist; use ulx3s or tangnano20k"
        )
    })
}
