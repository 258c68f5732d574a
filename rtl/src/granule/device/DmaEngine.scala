package granule.device

import granule.arch.{Checks, CoverPoint}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.Apb3
import spinal.lib.bus.amba4.axi._

/** A DMA engine: it works off a list of copies and fills, whose addresses are those of the bus, so
  * virtual ones behind an AxiBridge. docs/dma.md says what it does.
  *
  * {{{
  * in        until                                       to
  * idle      START                                       fetching
  * fetching  the entry is there                          moving
  *           STOP, or it is refused or illegal           idle
  * moving    it is done                                  fetching, or idle if it was the last
  *           an error, or STOP                           idle
  * }}}
  *
  * Ports: `axi`, one ID, INCR bursts of whole beats that stay in 4 KiB; `apb`, the registers
  * ([[DmaRegisters]]), and `interrupt`. An entry begins when the one before has ended, so it may
  * read what that has written.
  *
  * Latency: 3 cycles from START to AR of the first entry, 3 more from the end of its answer to AR
  * of what it reads. Then a beat in each cycle, in each direction. Errors: [[DmaCause]].
  */
case class DmaEngine(config: DmaConfig) extends Component {
  val io = new Bundle {
    val axi = master(Axi4(BridgeBus.virtual(config.bus)))
    val apb = slave(Apb3(DmaRegisters.apbConfig))
    val interrupt = out(Bool())
  }

  private val registers = DmaRegisters(config)
  private val fetch = ListFetch(config)
  private val mover = Mover(config)
  registers.io.apb <> io.apb
  io.interrupt := registers.io.interrupt

  object State extends SpinalEnum {
    val idle, fetching, moving = newElement()
  }
  private val state = RegInit(State.idle)
  private val isFetching = state === State.fetching
  private val stop = RegInit(False) setWhen registers.io.stop
  private val index = Reg(UInt(32 bits)) init 0
  private val at = Reg(UInt(64 bits)) // of the entry
  private val untouched = RegInit(True) // nothing of the entry is written

  private val entry = fetch.entry
  // Addresses of two rows may be of two address spaces, and cannot be compared.
  private val oneRow = registers.io.streams.source === registers.io.streams.destination
  private val illegal = entry.isIllegal(config) || oneRow && fetch.overlaps
  private val end = DmaEnd()
  end.cause := DmaCause.none
  end.response := fetch.response
  end.va := at

  private val whole = state === State.moving && mover.io.written === entry.bytes && !end.failed
  private val toFetch = False
  private val ends = False
  switch(state) {
    is(State.idle) {
      stop := False
      when(registers.io.start) {
        state := State.fetching
        at := registers.io.list
        index := 0
        untouched := True
        toFetch := True
      }
    }
    is(State.fetching) {
      when(fetch.response =/= Axi4.resp.OKAY) {
        end.cause := DmaCause.list
      } elsewhen (illegal) { end.cause := DmaCause.illegal }
      when(fetch.arrived) {
        ends := end.failed || stop
        state := ends ? State.idle | State.moving
      }
    }
    is(State.moving) {
      end := mover.io.ended.payload
      when(mover.io.ended.valid) {
        ends := end.failed || stop || entry.last
        when(whole) {
          index := index + 1
          at := at + DmaEntry.bytes
          untouched := True
        }
        state := ends ? State.idle | State.fetching
        toFetch := !ends
      }
    }
  }
  private val moves = isFetching && fetch.arrived && !ends
  fetch.ask.valid := RegNext(toFetch) init False
  fetch.ask.payload := at
  fetch.stream := registers.io.streams.list
  mover.io.begin.valid := moves
  mover.io.begin.payload := entry
  mover.io.stop := stop
  mover.io.streams := registers.io.streams

  when(moves) { untouched := False }

  registers.io.busy := state =/= State.idle
  registers.io.index := index
  registers.io.written := mover.io.written.andMask(!untouched)
  registers.io.entryDone := mover.io.ended.valid && whole && entry.interrupt
  registers.io.ended.valid := ends
  registers.io.ended.payload := end
  registers.io.complete := whole && entry.last

  private val bus = new Area {
    // Nothing is moved while an entry is fetched.
    io.axi.ar.valid := isFetching ? fetch.ar.valid | mover.io.ar.valid
    io.axi.ar.payload := isFetching ? fetch.ar.payload | mover.io.ar.payload
    fetch.ar.ready := io.axi.ar.ready && isFetching
    mover.io.ar.ready := io.axi.ar.ready && !isFetching
    io.axi.r.ready := True
    fetch.r.valid := io.axi.r.valid && isFetching
    fetch.r.payload := io.axi.r.payload
    mover.io.r.valid := io.axi.r.valid && !isFetching
    mover.io.r.payload := io.axi.r.payload
    io.axi.aw << mover.io.aw
    io.axi.w << mover.io.w
    io.axi.b.ready := True
    mover.io.b.valid := io.axi.b.valid
    mover.io.b.payload := io.axi.b.payload
  }

  Checks {
    for ((name, stream) <- Seq("AR" -> io.axi.ar, "AW" -> io.axi.aw, "W" -> io.axi.w))
      Checks.held(s"DMA: $name", stream.asInstanceOf[Stream[Bundle]])
    CoverPoint("dma.stopped_at_entry")(isFetching && fetch.arrived && stop && !end.failed)
  }
}

object DmaEngine {

  /** With the names of AXI's specification on its bus. */
  def withAxiNames(config: DmaConfig): DmaEngine = {
    val engine = DmaEngine(config)
    Axi4SpecRenamer(engine.io.axi)
    engine
  }
}
