package granule.cpu

import spinal.core._
import spinal.lib._

/** Where fetch goes behind an instruction, if not to the next one: `offset` is the target's word in
  * the 4 KiB of the instruction itself.
  *
  * @field steers  there is a target.
  * @field strong  it was right the last time, too: one wrong guess does not end it.
  */
case class Guess() extends Bundle {
  val steers = Bool()
  val strong = Bool()
  val offset = UInt(10 bits)

  /** The instruction's address is `pc`. */
  def target(pc: UInt): UInt = pc(31 downto 12) @@ offset @@ U(0, 2 bits)
}

/** Branch target buffer: direct mapped, combinational lookup, a write a cycle.
  *
  * A target is kept only if it is in the same 4 KiB as its jump. So a guess leads to no page that
  * the program does not execute already, and makes no walk. A tag is `tagBits` of the address: a
  * guess may be another instruction's. Execute compares every guess with what the instruction does.
  * `forget` empties the buffer; a write of the same cycle is lost.
  */
case class BranchTargets(entries: Int, tagBits: Int) extends Component {
  val io = new Bundle {
    val address = in(UInt(32 bits))
    val guess = out(Guess())
    val learn = slave(Flow(Learned()))
    val forget = in(Bool())
  }
  private val indexBits = log2Up(entries)
  private def index(pc: UInt) = pc(indexBits + 1 downto 2)
  private def tag(pc: UInt) = pc(indexBits + 1 + tagBits downto indexBits + 2)

  private case class Entry() extends Bundle {
    val tag = UInt(tagBits bits)
    val strong = Bool()
    val offset = UInt(10 bits)
  }
  private val table = Mem(Entry(), entries)
  private val valid = Vec.fill(entries)(RegInit(False))

  private val found = table.readAsync(index(io.address))
  io.guess.steers := valid(index(io.address)) && found.tag === tag(io.address)
  io.guess.strong := found.strong
  io.guess.offset := found.offset

  private val written = Entry()
  written.tag := tag(io.learn.pc)
  written.strong := io.learn.guess.strong
  written.offset := io.learn.guess.offset
  table.write(index(io.learn.pc), written, enable = io.learn.valid)
  when(io.learn.valid) { valid(index(io.learn.pc)) := io.learn.guess.steers }
  when(io.forget) { valid.foreach(_ := False) }
}

/** What fetch is to guess behind the instruction at `pc` from now on. */
case class Learned() extends Bundle {
  val pc = UInt(32 bits)
  val guess = Guess()
}
