package granule.gen

import granule.cache.Region
import granule.soc.MemoryMap

/** The memory map as a picture for readers: plain text and SVG. Boxes have one height each; a gap
  * in the addresses is drawn as a thin empty box.
  */
object MapDiagram {
  private def address(n: BigInt): String = {
    val digits = f"$n%09x"
    s"0x${digits.take(1)}_${digits.slice(1, 5)}_${digits.drop(5)}"
  }
  private def size(n: BigInt): String = Seq(30 -> "GiB", 20 -> "MiB", 10 -> "KiB")
    .collectFirst { case (shift, unit) if n >= (BigInt(1) << shift) => s"${n >> shift} $unit" }
    .getOrElse(s"$n B")

  /** Highest address first, as such pictures usually are. */
  private val topDown: Seq[Region] = MemoryMap.all.reverse

  def text: String = {
    val rows = topDown.map { r =>
      f"${address(r.base)} - ${address(r.base + r.size - 1)}  ${r.name}%-8s ${size(r.size)}%8s  " +
        r.description
    }
    rows.mkString("", "\n", "\n")
  }

  def svg: String = {
    val (left, width, box, gap) = (130, 520, 34, 12)
    val body = new StringBuilder
    var y = gap
    for (r <- topDown) {
      val fill = if (r.memory) "#dcebf7" else "#f5ead7"
      body ++= s"""<rect x="$left" y="$y" width="$width" height="$box" fill="$fill" """
      body ++= """stroke="#555"/>""" + "\n"
      body ++= s"""<text x="8" y="${y + box - 4}">${address(r.base)}</text>""" + "\n"
      body ++= s"""<text x="${left + 10}" y="${y + 22}"><tspan font-weight="bold">${r.name}"""
      body ++= s"""</tspan> ${size(r.size)}: ${r.description}</text>""" + "\n"
      y += box + gap
    }
    s"""<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + gap}" height="$y" """ +
      s"""font-family="monospace" font-size="13">\n$body</svg>\n"""
  }
}
