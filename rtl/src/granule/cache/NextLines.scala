package granule.cache

import granule.arch.Checks
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Lines that are read from memory before they are wanted, each beside the cache until it is:
  * stream buffers of one line (N. Jouppi, ISCA 1990). There are two, one for code and one for data
  * that are read in order.
  *
  * `read` asks for `line` if no buffer `has` it. It goes into an empty buffer, else into the older
  * one; the request is dropped if words of an earlier line still come there, or the address of one
  * still waits. Words come in order; `came` says that word `index` of the buffer `from` is there,
  * `data` and `resp` are of it. `drop` empties buffers: who takes a line, or writes all of it,
  * drops it. A line goes, too, if memory refused a word of it before it was taken.
  *
  * @param axi the port below has the IDs 2 and 3.
  */
case class NextLines(geometry: CacheGeometry, axi: Axi4Config) extends Component {
  private val count = 2
  val io = new Bundle {
    val line = in(geometry.lineType)
    val has = out(Bits(count bits))
    val read = in(Bool())
    val drop, from = in(Bits(count bits))
    val index = in(geometry.wordType)
    val came = out(Bool())
    val data = out(Bits(32 bits))
    val resp = out(Bits(2 bits))
    val axi = master(Axi4ReadOnly(NextLines.this.axi))
  }
  private val (ar, r) = (io.axi.ar, io.axi.r)
  private case class Word() extends Bundle {
    val data = Bits(32 bits)
    val resp = Bits(2 bits)
  }

  private val asks = RegInit(False)
  private val newest = RegInit(U(0, 1 bits)) // buffer
  private val answered = r.id(0).asUInt // buffer
  private val buffers = (0 until count).map { n =>
    new Area {
      val valid, comes = RegInit(False) // it has a line; words of it are still on their way
      val line = Reg(geometry.lineType)
      val next = Reg(geometry.wordType) // to come
      val bad = Reg(Bool())
      val takes = r.valid && answered === n
      val drops = io.drop(n)
      val free = !comes && (!valid || drops)
      when(takes) {
        next := next + 1
        bad := bad || !r.isOKAY()
        when(r.last) {
          comes := False
          valid clearWhen bad || !r.isOKAY()
        }
      }
      valid clearWhen drops
    }
  }
  io.has := buffers.map(b => b.valid && b.line === io.line).asBits()

  private val older = ~newest
  private val target = buffers(0).free ? U(0, 1 bits) | (buffers(1).free ? U(1, 1 bits) | older)
  private val begins = io.read && !asks && !io.has.orR && !buffers.map(_.comes).read(target)
  for ((buffer, n) <- buffers.zipWithIndex) when(begins && target === n) {
    buffer.valid := True
    buffer.comes := True
    buffer.line := io.line
    buffer.next := 0
    buffer.bad := False
  }
  when(begins) { newest := target }
  asks := begins || (asks && !ar.ready)

  ar.valid := asks
  ar.id := (U"1" @@ newest).resized
  ar.addr := buffers.map(_.line).read(newest) @@ U(0, geometry.offsetBits bits)
  ar.len := geometry.beatsPerLine - 1
  ar.size := 2
  ar.setBurstINCR()
  r.ready := True

  private val words = Mem(Word(), count * geometry.beatsPerLine).addAttribute("no_rw_check")
  private val arriving = Word()
  arriving.data := r.data
  arriving.resp := r.resp
  words.write(answered @@ buffers.map(_.next).read(answered), arriving, enable = r.valid)
  private val which = OHToUInt(io.from)
  private val word = words.readAsync(which @@ io.index)
  io.came := io.from.orR && buffers.map(b => !b.comes || io.index < b.next).read(which)
  io.data := word.data
  io.resp := word.resp

  Checks {
    Checks.held("next lines: ar", ar)
    assert(!r.valid || buffers.map(_.comes).read(answered), "next lines: a word of no line")
  }
}
