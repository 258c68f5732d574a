package granule.gen

import granule.board.{SdramPart, TangNano20k, Ulx3s}
import granule.lab.Configurations
import granule.soc.{GranuleConfig, MemoryMap}
import java.nio.file.{Files, Paths}
import java.nio.{ByteBuffer, ByteOrder}
import spinal.core._

/** Writes the top of a board: `BoardTops OUTDIR BOARD CONFIG MEGAHERTZ SDRAM [BOOTIMAGE]`. A wrong
  * option ends it with one line that begins with `error: `, after the trace.
  */
object BoardTops {
  def main(args: Array[String]): Unit =
    try write(args)
    catch {
      case wrong: IllegalArgumentException =>
        wrong.printStackTrace()
        System.err.println(s"error: ${wrong.getMessage.stripPrefix("requirement failed: ")}")
        sys.exit(1)
    }

  /** The image as words; a last word that is not full is filled with zeros. */
  private def words(path: String): Seq[Int] = {
    val bytes = Files.readAllBytes(Paths.get(path))
    val buffer = ByteBuffer.wrap(bytes.padTo((bytes.length + 3) / 4 * 4, 0.toByte))
    buffer.order(ByteOrder.LITTLE_ENDIAN)
    Seq.fill(buffer.capacity / 4)(buffer.getInt())
  }

  private def write(args: Array[String]): Unit = {
    require(
      args.length == 5 || args.length == 6,
      s"usage: BoardTops OUTDIR BOARD CONFIG MEGAHERTZ SDRAM [BOOTIMAGE]; got ${args.length}"
    )
    val Array(out, board, configName, megahertz, sdram) = args.take(5)

    val config = Configurations
      .byName(configName)
      .copy(
        resetPc = MemoryMap.boot.base.toLong,
        clockHz = megahertz.toInt * 1000000,
        bootBytes = 8192,
        simulation = false
      )
    val part = SdramPart.byName(sdram)
    val image = if (args.length == 6) words(args(5)) else Nil

    VerilogOut(
      out,
      board,
      s"Granule on $board, configuration $configName, $megahertz MHz, SDRAM $sdram"
    )
      .generateVerilog(board match {
        case "ulx3s"       => Ulx3s(config, part, image).setDefinitionName("ulx3s")
        case "tangnano20k" => TangNano20k(config, image).setDefinitionName("tangnano20k")
        case other =>
          throw new IllegalArgumentException(
            s"board '$other' does not exist; use ulx3s or tangnano20k"
          )
      })
  }
}
