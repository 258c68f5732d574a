package granule.mmu

import granule.arch.{Checks, CoverPoint}
import spinal.core._
import spinal.lib._

/** Who may need a walk, as [[WalkTurn]] sees it.
  *
  * @field mayAsk   the port has a command that may need a walk; known early in the cycle. `request`
  *                 is valid only with it.
  * @field answered the port's command is answered, by a walk or without one.
  * @field owns     a walk that is under way was made for the command that the port still holds: its
  *                 end is for this port.
  */
case class WalkTurnPort() extends Bundle with IMasterSlave {
  val mayAsk = Bool()
  val request = Stream(WalkRequest())
  val answered = Bool()
  val owns = Bool()

  override def asMaster(): Unit = {
    out(mayAsk, answered)
    master(request)
    in(owns)
  }
}

/** One walk at a time: whose turn it is to ask for it, and whose the last one was.
  *
  * The turn goes round among the ports that may ask: it is the first one's behind `owner`, which is
  * the port that had the turn when the walker was idle last. So the walker follows a request before
  * it is known whether that port needs a walk. (The arbiters of the library choose among those that
  * ask, which is known too late.) A port that must ask while another has the turn asks again two
  * cycles later, as its TLB compares its keys again first.
  *
  * When a command is answered without the walk that was made for it, while it asks or because the
  * context changed, that walk is an orphan: no port owns it, and none hears of its end.
  *
  * Ports: `ports` ask, `walker` is asked. No latency.
  */
case class WalkTurn(portCount: Int) extends Component {
  val io = new Bundle {
    val ports = Vec(slave(WalkTurnPort()), portCount)
    val walker = master(Stream(WalkRequest()))
  }
  private val owner = RegInit(U(0, log2Up(portCount) bits))
  private val orphan = RegInit(False)

  /** Port i has the turn: it may ask, and no port between the owner and it may. */
  private val turns =
    for (i <- 0 until portCount) yield io.ports(i).mayAsk && (0 until portCount).map { last =>
      val before = (last + 1 to last + portCount).map(_ % portCount).takeWhile(_ != i)
      owner === last && !before.map(io.ports(_).mayAsk).orR
    }.orR

  io.walker.valid := io.ports.zip(turns).map { case (port, turn) => turn && port.request.valid }.orR
  io.walker.payload := io.ports.head.request.payload
  for ((port, i) <- io.ports.zipWithIndex) {
    port.request.ready := io.walker.ready && turns(i)
    port.owns := owner === i && !orphan
    when(turns(i)) {
      io.walker.payload := port.request.payload
      when(io.walker.ready) { owner := i }
    }
  }

  private val ownerAnswered =
    io.ports.zipWithIndex.map { case (port, i) => owner === i && port.answered }.orR
  private val turnAnswered = io.ports
    .zip(turns)
    .map { case (port, turn) =>
      turn && port.answered
    }
    .orR
  when(io.walker.ready) { orphan := turnAnswered } elsewhen (ownerAnswered) { orphan := True }

  Checks {
    Checks.atMostOne("walk turn: two ports have it", Vec(turns).asBits)
    for (port <- io.ports)
      assert(!port.request.valid || port.mayAsk, "walk turn: a port asks that may not")
    val asking = io.ports.map(_.mayAsk).asBits()
    CoverPoint("turn.contested")(io.walker.ready && CountOne(asking) > 1)
    CoverPoint("turn.orphan")(ownerAnswered && !io.walker.ready && !orphan)
  }
}
