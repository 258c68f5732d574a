package granule.options

import granule.arch.{Checks, CoverPoint, FaultStatus, MmuConfig, TableFormats}
import granule.mmu._
import spinal.core._
import spinal.lib._

/** Whether an access that is not translated may pass: [[PmpDirect]] asks [[PmpGuard]].
  *
  * @field asks    held until `answer`, or withdrawn. `word`: its address in words of 4 bytes;
  *                `machine`: of M-mode.
  * @field begins  the question is taken in this cycle.
  * @field answer  `open`: it may. Then all of [[PmpGuard.directPiece]] around it is open, or
  *                `byPage` its page, or `byWord` this access alone.
  */
case class PmpQuestion(config: MmuConfig) extends Bundle with IMasterSlave {
  val asks = Bool()
  val word = UInt(config.paWidth - 2 bits)
  val access = Access()
  val machine = Bool()
  val begins = Bool()
  val answer = Flow(new Bundle { val open, byPage, byWord = Bool() })

  override def asMaster(): Unit = {
    out(asks, word, access, machine)
    in(begins)
    slave(answer)
  }

  /** Nothing is ever asked. */
  def idle(): Unit = {
    asks := False
    word := 0
    access := Access.read
    machine := False
  }
}

/** Physical memory protection of a walker: what it reads, what it stores, and what its leaf maps.
  * Accesses that are not translated ask the same [[PmpCheck]], in turn with walks.
  *
  * Ports: `walk` and `descriptors` are the walker's ports as others see them, `walker` and `memory`
  * the other sides of them; `questions`, of [[PmpDirect]].
  *
  * A read is sent before it is known whether it may be: a load of S-mode. If not, its answer is an
  * error. The right is known in the second cycle after the command; an answer in the first one is
  * kept for a cycle. A swap is a store of S-mode to what was read last. If it may not be, memory
  * does not see it, and the answer in the next cycle is an error.
  *
  * {{{
  * in        it holds                    when                                to
  * idle      nothing, or a leaf          a leaf                              decide
  *                                       a question, or a leaf behind one    take
  * take      which piece is asked about  no descriptor is being read         compare
  * compare   the piece                   at once                             decide
  * decide    what entries say of it      it is open, or refused              idle
  *                                       a smaller piece may be open         take
  * }}}
  * The pieces: all that a leaf maps, or the `directPiece` around an access; the page; the word. All
  * and the page must be open to be read, written and executed: then a TLB keeps the leaf, and what
  * hits is not checked again. A word must be open to this access; the leaf is `once`.
  *
  * Latency: a leaf comes a cycle later if all of it is open; else four, and for one access seven.
  * The answer to a question comes three cycles after its `begins`; else six, and nine. It waits
  * while a descriptor is read, and a leaf waits for a question that was taken before. No command of
  * a walk waits.
  */
case class PmpGuard(config: MmuConfig, ports: Int) extends Component {
  private val formats = TableFormats(config)
  private val pageShift = formats.pageShift

  val io = new Bundle {
    val pmp = in(Pmp(config.pmpEntries))
    val walk = slave(WalkPort(formats))
    val walker = master(WalkPort(formats))
    val descriptors = slave(WalkMemoryPort(config.paWidth, formats.descriptorBits))
    val memory = master(WalkMemoryPort(config.paWidth, formats.descriptorBits))
    val questions = Vec(slave(PmpQuestion(config)), ports)
  }
  private[granule] val check = PmpCheck(config.pmpEntries, config.paWidth)
  check.io.pmp := io.pmp

  object Stage extends SpinalEnum { val idle, take, compare, decide = newElement() }
  private[granule] val stage = RegInit(Stage.idle)
  private def isIn(some: Stage.E): Bool = stage === some

  // ---- descriptors ------------------------------------------------------------------------------
  private[granule] val descriptor = new Area {
    val (cmd, rsp) = (io.descriptors.cmd, io.memory.rsp)
    val mayUpdate = Reg(Bool()) // what was read last
    val refuses = cmd.valid && cmd.swap && !mayUpdate
    io.memory.cmd << cmd.throwWhen(refuses)
    val sends = cmd.fire && !cmd.swap
    val refused = RegNext(refuses) init False

    val reading = RegInit(False) setWhen sends
    val known = RegNext(reading) init False
    val early = reading && !known && rsp.valid
    val kept = RegNext(early) init False
    val data = RegNext(rsp.data.andMask(early))
    val error = RegNext(early && rsp.error) init False
    val answers = reading && known && (rsp.valid || kept)
    reading clearWhen answers
    when(reading) { mayUpdate := check.io.rights.write }

    io.descriptors.rsp.valid := rsp.valid && !early || kept || refused
    io.descriptors.rsp.data := rsp.data.andMask(!kept) | data
    io.descriptors.rsp.error := rsp.error && !kept || error || refused ||
      reading && !check.io.rights.read
    io.descriptors.rsp.unsupported := rsp.unsupported && !kept && !refused
  }

  // ---- leaves and questions ---------------------------------------------------------------------
  /** What is asked: the walker's leaf, or a question. */
  private[granule] val asked = new Area {
    val port = Reg(Bits(ports bits)) init 0 // one-hot: whose question was taken
    val question = port.orR
    val before = RegNext(question) init False
    val byPage, byWord = RegInit(False)

    private val walk = RegNextWhen(io.walk.cmd.payload, io.walk.cmd.fire)
    val next = OHMasking.first(Vec(io.questions.map(_.asks))).asBits
    val begins = isIn(Stage.idle) && next.orR && !io.walker.leaf.valid

    private def of[T <: Data](value: PmpQuestion => T): T = MuxOH(port, io.questions.map(value))
    val taken = isIn(Stage.take) && !descriptor.reading
    val machine = RegNext(taken && question && of(_.machine)) init False
    val ends = question ? !of(_.asks) | io.walker.dropped

    val leaf = io.walker.leaf.mapping
    private val inSpan = formats.spans.mask(leaf.span, pageShift, config.paWidth)
    private val va = (walk.va >> pageShift).asBits.resize(config.paWidth - pageShift)
    val page = RegNext(leaf.page | va & inSpan) // that of the access, when a part is asked for
    private val inPage = walk.va(pageShift - 1 downto 2).asBits
    val word = question ? of(_.word).asBits | ((byPage ? page | leaf.page) ## inPage)
    private val direct = B((1 << (PmpGuard.directPiece - pageShift)) - 1, inSpan.getWidth bits)
    val inside =
      (question ? direct | inSpan).andMask(!byPage) ## B(pageShift - 2 bits, default -> !byWord)

    check.io.needs.assignFromBits(B"111")
    when(byWord) { check.io.needs := PmpRights.of(question ? of(_.access) | walk.access) }

    /** A page fault of the same access comes first, and is found on the hit. AT needs no right. */
    val needsNone = !question && (walk.translateOnly || byWord && !io.walker.permitted)
    val open = RegNext(check.io.suffices || needsNone)
  }
  io.walker.cmd << io.walk.cmd
  check.io.machine := asked.machine

  /** What is compared: the descriptor that is read, from registers, or what is asked about. */
  private[granule] val piece = new Area {
    private val cmd = io.descriptors.cmd
    val word = RegNextWhen((cmd.address >> 2).asBits, descriptor.sends)
    val inside =
      RegNextWhen((cmd.size(1) ## cmd.size.orR).resize(config.paWidth - 2), descriptor.sends)
    check.io.word := (descriptor.reading ? word | asked.word).asUInt
    check.io.inside := descriptor.reading ? inside | asked.inside
  }

  private val leaves = isIn(Stage.decide) && !asked.question && io.walker.leaf.valid
  private val smaller = !asked.open && !asked.byWord
  switch(stage) {
    is(Stage.idle) { // what a leaf maps was compared in the cycle before, but for a question
      when(io.walker.leaf.valid) { stage := asked.before ? Stage.take | Stage.decide }
      when(asked.begins) {
        stage := Stage.take
        asked.port := asked.next
      }
    }
    is(Stage.take) { when(asked.taken) { stage := Stage.compare } }
    is(Stage.compare) { stage := Stage.decide }
    is(Stage.decide) {
      stage := smaller ? Stage.take | Stage.idle
      asked.byPage := smaller
      asked.byWord := smaller && asked.byPage
      when(!smaller) { asked.port := 0 }
    }
  }
  when(!isIn(Stage.idle) && asked.ends) {
    stage := Stage.idle
    asked.port := 0
    asked.byPage := False
    asked.byWord := False
  }

  for ((question, i) <- io.questions.zipWithIndex) {
    question.begins := asked.begins && asked.next(i)
    question.answer.valid := isIn(Stage.decide) && asked.port(i) && !smaller
    question.answer.open := asked.open
    question.answer.byPage := asked.byPage
    question.answer.byWord := asked.byWord
  }

  io.walk.leaf.valid := leaves && asked.open
  io.walk.leaf.payload := io.walker.leaf.payload
  when(asked.byWord) { io.walk.leaf.once := True }
  when(asked.byPage) {
    io.walk.leaf.mapping.span := formats.spans.code(pageShift)
    io.walk.leaf.mapping.page := asked.page
  }
  private val refuses = leaves && !asked.open && asked.byWord
  io.walker.leaf.ready := leaves && !smaller
  io.walk.shareability := io.walker.shareability
  io.walk.permitted := io.walker.permitted
  io.walk.dropped := io.walker.dropped
  io.walk.fault << io.walker.fault
  when(refuses) {
    io.walk.fault.valid := True
    io.walk.fault.status := FaultStatus.accessAbort
  }

  Checks {
    def at(name: String)(here: Bool): Unit = CoverPoint(s"pmp.$name")(here)
    val isAll = check.io.rights.asBits.andR
    at("early")(descriptor.early)
    at("read")(descriptor.answers && !check.io.rights.read)
    at("update")(descriptor.refuses)
    at("page")(io.walk.leaf.fire && asked.byPage && !asked.byWord)
    at("once")(io.walk.leaf.fire && asked.byWord)
    at("refuses")(refuses)
    at("hides")(leaves && asked.byWord && !isAll && !io.walker.permitted)
    at("direct")(io.questions.map(q => q.answer.valid && !q.answer.open).orR)
    assert(
      !(descriptor.kept && descriptor.rsp.valid),
      "protection: the memory answers a read twice"
    )
    assert(!io.walk.leaf.valid || io.walk.leaf.ready, "protection: who asks lets a leaf wait")
  }
}

object PmpGuard {

  /** What a direct access asks for first, and [[PmpDirect]] remembers if it is open: 4 MiB.
    * Firmware keeps less to itself, and kernels begin behind it at such an address.
    */
  val directPiece = 22
}
