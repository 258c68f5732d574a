package granule.cpu

import spinal.core._
import spinal.lib._

/** What fetch expects of an instruction: where it goes, if not to the next one.
  *
  * @field known   the buffer has the instruction, so nobody else guesses.
  * @field taken   it goes to `target`.
  * @field strong  it did so the last time, too, or did not: one more must follow for another guess.
  * @field returns it is a return, which goes behind the call that was made last.
  * @field offset  the target's word in the 4 KiB of the instruction itself.
  */
case class Guess() extends Bundle {
  val known, taken, strong, returns = Bool()
  val offset = UInt(10 bits)

  def steers: Bool = known && taken

  /** The instruction's address is `pc`. */
  def target(pc: UInt): UInt = pc(31 downto 12) @@ offset @@ U(0, 2 bits)

  /** What to expect of taken and not taken, after it `went`: two bits that count up and down. */
  def learns(went: Bool, from: Guess): Unit = {
    taken := went && (!from.known || from.taken || !from.strong) ||
      from.known && from.taken && from.strong
    strong := from.known && went === from.taken
  }
}

/** Branch target buffer and return stack: combinational lookup, a write a cycle.
  *
  * The buffer is direct mapped. A target is guessed only in the 4 KiB of its jump, so a guess leads
  * to no page that the program does not execute already, and makes no walk. A tag is `tagBits` of
  * the address: a guess may be another instruction's. Execute compares every guess with what the
  * instruction does, and `learn`s what to guess next. `forget` empties the buffer; a write of the
  * same cycle is lost.
  */
case class BranchTargets(entries: Int) extends Component {
  private val tagBits = 10
  private val depth = 4

  val io = new Bundle {
    val address = in(UInt(32 bits))
    val guess = out(Guess())
    val learn = slave(Flow(Learned()))
    val calls = slave(Flow(UInt(10 bits))) // the word behind a call
    val returned = in(Bool())
    val forget = in(Bool())
  }
  private val indexBits = log2Up(entries)
  private def index(pc: UInt) = pc(indexBits + 1 downto 2)
  private def tag(pc: UInt) = pc(indexBits + 1 + tagBits downto indexBits + 2)

  private case class Entry() extends Bundle {
    val tag = UInt(tagBits bits)
    val guess = Guess()
  }
  private val table = Mem(Entry(), entries)
  private val valid = Vec.fill(entries)(RegInit(False))

  private val behind = Vec.fill(depth)(Reg(UInt(10 bits))) // calls; the last one's comes first
  when(io.returned) { for (i <- 1 until depth) behind(i - 1) := behind(i) }
  when(io.calls.valid) {
    for (i <- 1 until depth) behind(i) := behind(i - 1)
    behind.head := io.calls.payload
  }

  private val found = table.readAsync(index(io.address))
  io.guess.known := valid(index(io.address)) && found.tag === tag(io.address)
  io.guess.taken := found.guess.taken
  io.guess.strong := found.guess.strong
  io.guess.returns := found.guess.returns
  io.guess.offset := Mux(found.guess.returns, behind.head, found.guess.offset)

  private val written = Entry()
  written.tag := tag(io.learn.pc)
  written.guess := io.learn.guess
  table.write(index(io.learn.pc), written, enable = io.learn.valid)
  when(io.learn.valid) { valid(index(io.learn.pc)) := io.learn.guess.known }
  when(io.forget) { valid.foreach(_ := False) }
}

/** What fetch is to guess of the instruction at `pc` from now on. */
case class Learned() extends Bundle {
  val pc = UInt(32 bits)
  val guess = Guess()
}
