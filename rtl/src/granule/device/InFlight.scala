package granule.device

import granule.arch.Checks
import spinal.core._
import spinal.lib._

/** What the bus owes answers to, of one direction, by counting: per ID how many transactions were
  * issued and how many answered, modulo twice what may be outstanding.
  *
  * There are two sets of counts. `mark` changes to the other one, which is even then. The bus
  * answers an ID in order, so an answer is for the set of before as long as that one is not even
  * for its ID; `marked` says that something of it is left.
  *
  * Ports: `issued` and `answered` are IDs. `owes` says in the same cycle whether the bus owes an
  * answer to the ID `asked`; `idle`, that it owes none at all. `ready` comes some cycles after
  * reset, when the counts are zero; nothing may be issued before.
  */
case class InFlight(config: BridgeConfig) extends Component {
  private val ids = 1 << config.idWidth
  private def Id() = UInt(config.idWidth bits)
  private def Count() = UInt(log2Up(config.outstanding) + 1 bits)

  val io = new Bundle {
    val issued = slave(Flow(Id()))
    val answered = slave(Flow(Id()))
    val asked = in(Id())
    val owes = out(Bool())
    val mark = in(Bool())
    val marked = out(Bool())
    val idle, ready = out(Bool())
  }

  private[granule] val clearing = Reg(UInt(config.idWidth + 1 bits)) init 0
  io.ready := clearing.msb
  when(!io.ready) { clearing := clearing + 1 }

  /** The counts of one set. */
  private[granule] case class Counts() extends Area {
    val issued, answered = Mem(Count(), ids)
    val total = Reg(Count()) init 0 // issued and not answered, of all IDs
    def owes(id: UInt): Bool = issued.readAsync(id) =/= answered.readAsync(id)

    private def count(in: Mem[UInt], id: UInt, now: Bool): Unit = in.write(
      io.ready ? id | clearing.resized,
      (in.readAsync(id) + 1).andMask(io.ready),
      enable = now || !io.ready
    )
    def follow(issues: Bool, answers: Bool): Unit = {
      count(issued, io.issued.payload, issues)
      count(answered, io.answered.payload, answers)
      when(issues =/= answers) { total := issues ? (total + 1) | (total - 1) }
    }
    val isEven = total === 0
  }
  private[granule] val sets = Seq.fill(2)(Counts())

  private val second = RegInit(False) // counts what is issued
  when(io.mark) { second := !second }

  private val owed = sets.map(_.owes(io.answered.payload))
  private val toFirst = second ? owed.head | !owed.last
  for ((set, isFirst) <- sets.zip(Seq(true, false)))
    set.follow(
      issues = io.issued.valid && second =/= Bool(isFirst),
      answers = io.answered.valid && toFirst === Bool(isFirst)
    )
  io.owes := sets.map(_.owes(io.asked)).orR
  io.marked := !(second ? sets.head.isEven | sets.last.isEven)
  io.idle := sets.map(_.isEven).andR

  Checks {
    assert(!io.issued.valid || io.ready, "in flight: the counts are not zero yet")
    assert(
      !io.answered.valid || owed.orR,
      "in flight: the bus answers an ID that it owes nothing to"
    )
    assert(!io.mark || !io.marked, "in flight: marked again before what was before is answered")
    val all = sets.head.total +^ sets.last.total
    assert(all <= config.outstanding, "in flight: more than may be outstanding")
  }
}
