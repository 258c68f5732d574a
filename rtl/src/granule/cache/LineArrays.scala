package granule.cache

import spinal.core._
import spinal.lib._

/** What a read of the arrays addresses. */
case class ArrayRead(geometry: CacheGeometry) extends Bundle {
  val set = geometry.setType
  val word = geometry.wordType
}

/** Writes one entry into the tag RAM of every way of the mask. */
case class TagWrite(geometry: CacheGeometry) extends Bundle {
  val ways = geometry.waysType
  val set = geometry.setType
  val entry = TagEntry(geometry)
}

/** Writes one word into the data RAM of every way of the mask. */
case class DataWrite(geometry: CacheGeometry) extends Bundle {
  val ways = geometry.waysType
  val set = geometry.setType
  val word = geometry.wordType
  val data = Bits(geometry.wordBytes * 8 bits)
}

/** Tag and data RAMs of a cache, one pair of memories for each way, so that every write is of whole
  * words and the memories fit simple dual-port block RAM.
  *
  * Latency: `tags` and `data` answer in the cycle after `read` and stay until the next one. A read
  * in the very cycle of a write to the same word gives an undefined value: who can cause that must
  * bypass it.
  */
case class LineArrays(geometry: CacheGeometry) extends Component {
  private val ways = geometry.config.ways
  val io = new Bundle {
    val read = slave(Flow(ArrayRead(geometry)))
    val tags = out(Vec(TagEntry(geometry), ways))
    val data = out(Vec(Bits(geometry.wordBytes * 8 bits), ways))
    val tagWrite = slave(Flow(TagWrite(geometry)))
    val dataWrite = slave(Flow(DataWrite(geometry)))
  }

  for (w <- 0 until ways) {
    val tagRam = Mem(TagEntry(geometry), geometry.config.sets).setName(s"tag_$w")
    val dataRam =
      Mem(Bits(geometry.wordBytes * 8 bits), geometry.config.sets * geometry.wordsPerLine)
        .setName(s"data_$w")
    // A few sets fit into LUTs, whose answer is there at once; that of a block RAM is late.
    if (geometry.config.sets <= 64) tagRam.addAttribute("ram_style", "distributed")
    // Collisions are bypassed or do not happen: no logic that makes them exact.
    Seq(tagRam, dataRam).foreach(_.addAttribute("no_rw_check"))
    tagRam.write(
      io.tagWrite.set,
      io.tagWrite.entry,
      enable = io.tagWrite.valid && io.tagWrite.ways(w)
    )
    dataRam.write(
      io.dataWrite.set @@ io.dataWrite.word,
      io.dataWrite.data,
      enable = io.dataWrite.valid && io.dataWrite.ways(w)
    )
    io.tags(w) := tagRam.readSync(io.read.set, enable = io.read.valid)
    io.data(w) := dataRam.readSync(io.read.set @@ io.read.word, enable = io.read.valid)
  }
}
