package granule.device

import granule.arch.{Checks, CoverPoint}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Where the data of a write comes from or goes to.
  *
  * @field kept in the buffer of `slot`; else it is passed on directly.
  */
case class WriteRoute(config: BridgeConfig) extends Bundle {
  val kept = Bool()
  val slot = UInt(log2Up(config.waiting) bits)
}

case class WriteSource(config: BridgeConfig) extends Bundle {
  val route = WriteRoute(config)
  val len = UInt(8 bits)
}

/** Brings the data of writes, which come in the order of acceptance, into the order of issue: what
  * belongs to a write that waits is kept in a buffer of 256 beats for its slot.
  *
  * Ports: `accepted` tells of each write in order, at the latest with its outcome, where its data
  * goes; `issued` of each in the order of the bus. Neither may be more than `outstanding` plus
  * `waiting` ahead of the data. `from` is the client's W, `to` the bus's; `complete` says of a slot
  * that all of its data is kept, and lasts until `discard` or until `passed`, the cycle after all
  * of it was passed on.
  *
  * Latency: none for data that is passed on directly, nor a bubble. What was kept follows two
  * cycles after it is complete and its turn has come, a beat in each cycle then.
  */
case class WriteData(config: BridgeConfig) extends Component {
  private val slots = config.waiting
  private val axi = BridgeBus.virtual(config)
  private val depth = 2 * config.outstanding

  val io = new Bundle {
    val accepted = slave(Flow(WriteRoute(config)))
    val issued = slave(Flow(WriteSource(config)))
    val from = slave(Stream(Axi4W(axi)))
    val to = master(Stream(Axi4W(axi)))
    val complete = out(Vec(Bool(), slots))
    val discard = slave(Flow(UInt(log2Up(slots) bits)))
    val passed = master(Flow(UInt(log2Up(slots) bits)))
    val idle = out(Bool())
  }
  require(
    config.waiting <= config.outstanding,
    "writes that wait must not be more than outstanding"
  )

  private def queue[T <: Data](flow: Flow[T]) = {
    val fifo = StreamFifo(flow.payloadType(), depth, latency = 1)
    fifo.io.push.valid := flow.valid
    fifo.io.push.payload := flow.payload
    Checks(assert(!fifo.io.push.isStall, "bridge: more writes than their data has room for"))
    fifo.io.pop
  }
  private val route = queue(io.accepted)
  private val source = queue(io.issued)

  private case class Kept() extends Bundle {
    val data = Bits(config.dataWidth bits)
    val strb = Bits(config.dataWidth / 8 bits)
  }
  private val buffer = Mem(Kept(), slots * 256)
  private val complete = Vec.fill(slots)(RegInit(False))
  io.complete := complete

  private val incoming = new Area {
    val keeps = route.valid && route.kept
    val directly = io.from.haltWhen(!(route.valid && !route.kept))
    val beat = Reg(UInt(8 bits)) init 0
    val taken = io.from.valid && keeps
    when(keeps) { io.from.ready := True }
    val kept = Kept()
    kept.data := io.from.data
    kept.strb := io.from.strb
    buffer.write(route.slot @@ beat, kept, enable = taken)
    val last = io.from.fire && io.from.last
    when(taken) { beat := last ? U(0, 8 bits) | beat + 1 }
    when(last && keeps) { complete(route.slot) := True }
    route.ready := last
  }

  private val outgoing = new Area {
    val fromBuffer = source.valid && source.route.kept
    val asks = Stream(UInt(log2Up(slots) + 8 bits))
    val asked, beat = Reg(UInt(9 bits)) init 0
    asks.valid := fromBuffer && complete(source.route.slot) && asked <= source.len
    asks.payload := source.route.slot @@ asked.resize(8)
    when(asks.fire) { asked := asked + 1 }
    val kept = buffer.streamReadSync(asks)

    val directly = source.valid && !source.route.kept
    io.to.valid := directly && incoming.directly.valid || kept.valid
    io.to.data := fromBuffer ? kept.data | incoming.directly.data
    io.to.strb := fromBuffer ? kept.strb | incoming.directly.strb
    io.to.last := beat === source.len
    incoming.directly.ready := directly && io.to.ready
    kept.ready := fromBuffer && io.to.ready
    when(io.to.fire) { beat := beat + 1 }
    val ends = io.to.fire && io.to.last
    source.ready := ends
    io.passed.valid := RegNext(ends && fromBuffer) init False
    io.passed.payload := RegNext(source.route.slot)
    when(ends) {
      asked := 0
      beat := 0
    }
  }
  for (gone <- Seq(io.passed, io.discard)) when(gone.valid) { complete(gone.payload) := False }

  io.idle := !route.valid && !source.valid

  Checks {
    val directBeat = io.to.fire && !outgoing.fromBuffer
    assert(
      !directBeat || io.from.last === io.to.last,
      "bridge: the client's WLAST is not where AWLEN says"
    )
    CoverPoint("bridge.data_first")(io.from.valid && !route.valid)
    CoverPoint("bridge.data_overtakes")(io.to.fire && outgoing.directly && complete.orR)
  }
}
