package granule.device

import granule.arch.{Checks, CoverPoint}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Moves the bytes of one entry.
  *
  * {{{
  *   BurstCut ──> AR ─ ─ R ──> buffer ──> W
  *      └──────> begun ──── arrived? ───> AW ─ ─ B: written
  * }}}
  *
  * A burst is written when all of its data is there. Were its address ahead of its data, an
  * invalidation would wait for that write, the write for a read that faults, and the read for
  * software that waits for the invalidation.
  *
  * Ports: `begin` names a legal entry when nothing is under way. `written` counts its bytes that
  * the bus has acknowledged, in order. `ended` comes when nothing is under way any more, with the
  * first error in the order of addresses. After an error, and with `stop`, no burst begins; what
  * has arrived before an error is written. R and B are always taken.
  *
  * Latency: 2 cycles from `begin` to AR, or 4 to AW of a fill; of a burst 2 from its last R to AW.
  * A beat in each cycle.
  */
case class Mover(config: DmaConfig) extends Component {
  private val axi = BridgeBus.virtual(config.bus)
  private val shift = log2Up(config.beatBytes)
  private def Len() = UInt(8 bits)

  val io = new Bundle {
    val begin = slave(Flow(DmaEntry()))
    val stop = in(Bool())
    val streams = in(DmaStreamNumbers(config))
    val written = out(UInt(32 bits))
    val ended = master(Flow(DmaEnd()))
    val ar = master(Stream(Axi4Ar(axi)))
    val r = slave(Flow(Axi4R(axi)))
    val aw = master(Stream(Axi4Aw(axi)))
    val w = master(Stream(Axi4W(axi)))
    val b = slave(Flow(Axi4B(axi)))
  }

  private val entry = RegNextWhen(io.begin.payload, io.begin.valid)
  private val active = RegInit(False) setWhen io.begin.valid
  private val end = Reg(DmaEnd())
  private val readFails, writeFails = RegInit(False)
  private def Bursts() = UInt(log2Up(config.bursts) + 2 bits)
  private val reads, writes, arrived = Reg(Bursts()) init 0

  private def follow(count: UInt, more: Bool, less: Bool): Unit =
    when(more =/= less) { count := more ? (count + 1) | (count - 1) }

  private val cut = BurstCut(config, io.begin, io.stop || readFails || writeFails)

  /** Bursts that have begun, until their data is on its way. So many find room in the buffer. */
  private val begun = StreamFifo(Len(), config.bursts, latency = 1)
  private val room = Reg(Bursts()) init config.bursts

  private val reading = new Area {
    private val admitted = cut.bursts.haltWhen(room === 0)
    private val (toAr, toBegun) = StreamFork2(admitted)
    private val asks = toAr.throwWhen(entry.fill)
    io.ar.arbitrationFrom(asks)
    DmaBus.address(io.ar.payload, asks.source, asks.len, io.streams.source)
    begun.io.push << toBegun.translateWith(toBegun.len)
    val begins = admitted.fire

    val va = Reg(UInt(64 bits)) // of the beat that comes next
    when(io.r.valid) { va := va + config.beatBytes }
    when(io.begin.valid) { va := io.begin.source }
    val bad = io.r.valid && io.r.resp =/= Axi4.resp.OKAY
    val failsNow = readFails || bad
    val comes = entry.fill ? toBegun.fire | (io.r.valid && io.r.last && !failsNow)
    follow(reads, begins && !entry.fill, io.r.valid && io.r.last)
    when(bad && !readFails) {
      readFails := True
      when(!writeFails) {
        end.cause := DmaCause.read
        end.response := io.r.resp
        end.va := va
      }
    }
  }

  private val buffer = StreamFifo(axi.dataType, config.bursts * config.burstBeats, latency = 2)
  buffer.io.push.valid := io.r.valid
  buffer.io.push.payload := io.r.data

  private val writing = new Area {
    // In a register: what is offered to the bus may not be withdrawn when an error comes.
    private val issued = begun.io.pop.haltWhen(arrived === 0 || writeFails).m2sPipe()
    follow(arrived, reading.comes, begun.io.pop.fire)
    private val lens = StreamFifo(Len(), 2 * config.bursts, latency = 1)
    private val (toAw, toW, toLens) = StreamFork3(issued)
    lens.io.push << toLens

    private val va = Reg(UInt(64 bits))
    io.aw.arbitrationFrom(toAw)
    DmaBus.address(io.aw.payload, va, toAw.payload, io.streams.destination)
    when(io.aw.fire) { va := va + ((toAw.payload +^ U(1)) << shift) }
    when(io.begin.valid) { va := io.begin.destination }

    private val beat = Reg(Len()) init 0
    io.w.valid := toW.valid && (entry.fill || buffer.io.pop.valid)
    io.w.data := entry.fill ? Cat(Seq.fill(config.beatBytes / 4)(entry.value)) |
      buffer.io.pop.payload
    io.w.strb.setAll()
    io.w.last := beat === toW.payload
    toW.ready := io.w.fire && io.w.last
    buffer.io.pop.ready := io.w.fire && !entry.fill
    when(io.w.fire) { beat := io.w.last ? U(0) | (beat + 1) }
    val leaves = toW.fire

    val count = Reg(UInt(32 bits))
    val bad = io.b.valid && io.b.resp =/= Axi4.resp.OKAY
    lens.io.pop.ready := io.b.valid
    when(io.b.valid && !bad && !writeFails) {
      count := count + ((lens.io.pop.payload +^ U(1)) << shift)
    }
    when(io.begin.valid) { count := 0 }
    // What is written comes before what is read, so this error is the first one.
    when(bad && !writeFails) {
      writeFails := True
      end.cause := DmaCause.write
      end.response := io.b.resp
      end.va := entry.destination + count
    }
    follow(writes, begun.io.pop.fire, io.b.valid)
  }
  io.written := writing.count
  // A burst has its place until its data has left the buffer.
  follow(room, writing.leaves, reading.begins)

  private val ending = new Area {
    val halted = !cut.left || io.stop || readFails || writeFails
    // A burst that waits for room has not begun, and after an error there may never be any.
    val quiet = (!cut.bursts.valid || room === 0) && reads === 0 && writes === 0
    val nothingToWrite = arrived === 0 || writeFails
    val now = active && halted && quiet && nothingToWrite
    io.ended.valid := now
    io.ended.payload := end
    begun.io.flush := now
    buffer.io.flush := now
    when(now) {
      active := False
      cut.drop()
      readFails := False
      writeFails := False
      arrived := 0
      room := config.bursts
    }
    when(io.begin.valid) { end.cause := DmaCause.none }
  }

  Checks {
    assert(!io.begin.valid || !active, "DMA: an entry begins before the one before has ended")
    assert(!io.r.valid || reads =/= 0, "DMA: the bus delivers what was not asked for")
    assert(!io.b.valid || writes =/= 0, "DMA: the bus acknowledges what was not written")
    assert(buffer.io.push.ready || !io.r.valid, "DMA: no room in the buffer")
    assert(!begun.io.push.isStall, "DMA: no room for a burst")
    CoverPoint("dma.no_room")(cut.bursts.valid && room === 0)
    CoverPoint("dma.read_fails_as_others_wait")(reading.bad && !readFails && arrived =/= 0)
    CoverPoint("dma.write_fails_after_read")(writing.bad && readFails)
    CoverPoint("dma.read_fails_after_write")(reading.bad && writeFails)
    CoverPoint("dma.error_drops_data")(ending.now && end.failed && buffer.io.occupancy =/= 0)
    CoverPoint("dma.stopped_midway")(ending.now && !end.failed && cut.left)
  }
}
