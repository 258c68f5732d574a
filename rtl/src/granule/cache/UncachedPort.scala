package granule.cache

import granule.arch.{Checks, CoverPoint}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Accesses that go past the data cache: single beats, one at a time, answered when the bus has
  * answered. They have a bus of their own, so that a register which answers only when the caches or
  * the walker are done (TLBI, MAINTAIN) cannot block the traffic that it waits for.
  *
  * `start` begins the access that `cmd`, `pa` and `reserved` describe (from the next cycle until
  * `done`). An AMO is a read and a write, atomic against the CPU and the walker only. An address
  * without a window in the map is an error and no request. `toStore` is what the access stores, in
  * its lanes, computed outside from `data` (AMO) and `cmd`.
  */
case class UncachedPort(paWidth: Int, map: PhysicalMap) extends Component {
  val io = new Bundle {
    val start = in(Bool())
    val cmd = in(L1DataCmd())
    val pa = in(UInt(paWidth bits))
    val reserved = in(Bool())
    val done = out(Bool())
    val data = out(Bits(32 bits))
    val error = out(Bool())
    val unmapped = out(Bool()) // no window has `pa`
    val wrote = out(Bool())
    val toStore = in(Bits(32 bits))
    val mask = in(Bits(4 bits))
    val axi = master(Axi4(MemoryBus.axiConfig(paWidth)))
  }

  object State extends SpinalEnum(binarySequential) {
    val idle, decide, readCommand, read, compute, write, writeResponse, done = newElement()
  }
  import State._
  private val state = Reg(State()) init idle
  private val data = Reg(Bits(32 bits))
  private val error = Reg(Bool())
  private val wrote = Reg(Bool())
  private val addressed = Reg(Bool())
  private val sent = Reg(Bool())
  private val isAmo = io.cmd.op === L1Op.amo
  private val isSc = io.cmd.op === L1Op.sc

  io.unmapped := !map.isMapped(io.pa)
  io.done := state === done
  io.data := data
  io.error := error
  io.wrote := wrote

  for (ax <- Seq[Axi4Ax](io.axi.ar.payload, io.axi.aw.payload)) {
    ax.id := 0
    ax.addr := io.pa
    ax.len := 0
    ax.size := io.cmd.size.resized
    ax.setBurstINCR()
  }
  io.axi.ar.valid := state === readCommand
  io.axi.r.ready := state === read
  io.axi.aw.valid := state === write && !addressed
  io.axi.w.valid := state === write && !sent
  io.axi.w.data := RegNext(io.toStore)
  io.axi.w.strb := io.mask
  io.axi.w.last := True
  io.axi.b.ready := state === writeResponse

  switch(state) {
    is(idle) {
      error := False
      wrote := False
      addressed := False
      sent := False
      when(io.start) { state := decide }
    }
    is(decide) {
      data := isSc.asBits.resized
      state := Mux(
        io.cmd.op === L1Op.store || (isSc && io.reserved),
        write(),
        Mux(isSc, done(), readCommand())
      )
      when(isSc && io.reserved) { data := 0 }
      when(io.unmapped) {
        error := True
        state := done
      }
    }
    is(readCommand) { when(io.axi.ar.ready) { state := read } }
    is(read) {
      when(io.axi.r.valid) {
        data := io.axi.r.data
        error := !io.axi.r.isOKAY()
        state := Mux(isAmo && io.axi.r.isOKAY(), compute(), done())
      }
    }
    is(compute) { state := write }
    is(write) {
      addressed setWhen (io.axi.aw.ready)
      sent setWhen (io.axi.w.ready)
      when((addressed || io.axi.aw.ready) && (sent || io.axi.w.ready)) { state := writeResponse }
    }
    is(writeResponse) {
      when(io.axi.b.valid) {
        error := !io.axi.b.isOKAY()
        wrote := io.axi.b.isOKAY()
        state := done
      }
    }
    is(done) { state := idle }
  }

  Checks {
    Checks.held("uncached: ar", io.axi.ar)
    Checks.held("uncached: aw", io.axi.aw)
    Checks.held("uncached: w", io.axi.w)
    assert(!io.start || state === idle, "uncached: an access begins before the last one is done")
    CoverPoint("uncached.data_first")(state === write && sent && !addressed)
    CoverPoint("uncached.address_first")(state === write && addressed && !sent)
    CoverPoint("uncached.unmapped")(state === decide && io.unmapped)
    CoverPoint("uncached.amo_error")(isAmo && io.axi.r.fire && !io.axi.r.isOKAY())
  }
}
