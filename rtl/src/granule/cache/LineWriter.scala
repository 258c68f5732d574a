package granule.cache

import granule.arch.Checks
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** A word of the data arrays. */
case class LineWord(geometry: CacheGeometry) extends Bundle {
  val index = geometry.wordType
  val data = Bits(geometry.wordBytes * 8 bits)
}

/** The line that makes room for another. Its words are copied here while the new line is on its
  * way; then they are written to memory, and the access goes on.
  *
  * `start` brings the line's address; from the next cycle on `word` brings its words, one a cycle
  * and all of them, in any order. `busy` lasts from the cycle after `start` until memory has
  * answered; meanwhile there must be no other `start`, and who reads this line from memory reads an
  * old one. `error` pulses when memory refuses it: the line is lost.
  */
case class LineWriter(geometry: CacheGeometry, axiConfig: Axi4Config) extends Component {
  val io = new Bundle {
    val start = slave(Flow(geometry.lineType))
    val word = slave(Flow(LineWord(geometry)))
    val busy = out(Bool())
    val line = out(geometry.lineType) // while it is busy
    val error = out(Bool())
    val axi = master(Axi4WriteOnly(axiConfig))
  }
  private val words =
    Mem(Bits(geometry.wordBytes * 8 bits), geometry.wordsPerLine).addAttribute("no_rw_check")
  words.write(io.word.index, io.word.data, enable = io.word.valid)

  private val busy = RegInit(False)
  private val line = RegNextWhen(io.start.payload, io.start.valid)
  private val complete = RegInit(False) // all words are here
  private val came = Counter(geometry.wordsPerLine, inc = io.word.valid)
  private val addressed = RegInit(False)
  private val beat = Counter(geometry.beatsPerLine, inc = io.axi.w.fire)
  private val sent = RegInit(False)

  io.busy := busy
  io.line := line
  io.error := io.axi.b.fire && !io.axi.b.isOKAY()
  busy setWhen io.start.valid
  complete setWhen came.willOverflow
  addressed setWhen io.axi.aw.fire
  sent setWhen beat.willOverflow
  when(io.axi.b.fire) {
    busy := False
    complete := False
    addressed := False
    sent := False
  }

  io.axi.aw.valid := complete && !addressed
  io.axi.aw.id := 0
  io.axi.aw.addr := line @@ U(0, geometry.offsetBits bits)
  io.axi.aw.len := geometry.beatsPerLine - 1
  io.axi.aw.size := 2
  io.axi.aw.setBurstINCR()
  io.axi.w.valid := complete && !sent
  private val word = words.readAsync((beat >> (geometry.wordBits - 2)).resized)
  io.axi.w.data := word.subdivideIn(32 bits).read(beat.resize(geometry.wordBits - 2))
  io.axi.w.strb := B"1111"
  io.axi.w.last := beat.willOverflowIfInc
  io.axi.b.ready := True

  Checks {
    Checks.held("line writer: aw", io.axi.aw)
    Checks.held("line writer: w", io.axi.w)
    assert(!io.start.valid || !busy, "line writer: a second line comes")
    assert(!io.word.valid || (busy && !complete), "line writer: a word of no line")
  }
}
