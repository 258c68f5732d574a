package granule.cache

import granule.config.{CacheConfig, PhysicalMap}
import granule.format.FaultStatus
import granule.port._
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Level-1 instruction cache: read only, indexed by virtual address, tagged by physical address. A
  * line may be in it under several colours: nothing writes to it, so the copies never differ until
  * software invalidates the whole cache (FENCE.I).
  *
  * Timing as in [[L1Data]]: command in c0, translation, compare and answer in c1, one command a
  * cycle while fetches hit. A fill of memory with latency M (ar to first r) makes the
  * answer M + beats + 4 cycles late. Whatever is memory by the map is cached; everything else, and
  * a line that the bus does not deliver, is answered with status 0b010000 (the former without a
  * request). `maintain` invalidates, one set a cycle; its fields are not looked at.
  */
case class L1Fetch(config: CacheConfig, paWidth: Int, map: PhysicalMap) extends Component {
  val io = new Bundle {
    val cpu = slave(L1FetchPort())
    val translate = master(TranslatePort(paWidth))
    val axi = master(Axi4ReadOnly(MemoryBus.axiConfig(paWidth)))
    val maintain = slave(L1MaintainPort())
    val events = out(L1FetchEvents())
  }
  private val geometry = CacheGeometry(config, paWidth, wordBytes = 4)
  private val arrays = LineArrays(geometry)
  private val chooser = VictimChooser(geometry)

  private object State extends SpinalEnum(binarySequential) {
    val idle, choose, fillCommand, fill, again, failed, sweep, swept = newElement()
  }
  import State._
  private val state = Reg(State()) init sweep

  /** The fetch, from its acceptance to its answer. */
  private val fetch = new Area {
    val valid = RegInit(False)
    val cmd = LateLoad(io.cpu.cmd.payload, io.cpu.cmd.fire)
    val translated = Reg(Bool())
    val pa = Reg(UInt(paWidth bits))
    val memory = Reg(Bool())
    val lookup = RegInit(False) // the arrays answer for it in this cycle
    val counted = Reg(Bool())
    val set = geometry.set(cmd.va)
  }

  // ---- c1: translation --------------------------------------------------------------------------
  io.translate.cmd.valid := fetch.valid && !fetch.translated
  io.translate.cmd.va := TranslatePort.extend(fetch.cmd.va)
  io.translate.cmd.access := Access.execute
  io.translate.cmd.el1 := fetch.cmd.privilege.el1
  io.translate.cmd.pan := fetch.cmd.privilege.pan
  io.translate.cmd.mxr := fetch.cmd.privilege.mxr
  io.translate.cmd.untranslated := fetch.cmd.privilege.untranslated

  private val answered = io.translate.cmd.fire
  private val fault = answered && io.translate.rsp.fault
  private val known = fetch.valid && (fetch.translated || answered) && !fault
  private val pa = Mux(fetch.translated, fetch.pa, io.translate.rsp.pa)
  private val answerMemory = map.isMemory(io.translate.rsp.pa)
  private val memory = Mux(fetch.translated, fetch.memory, answerMemory)

  // ---- c1: lookup -------------------------------------------------------------------------------
  private val valids = arrays.io.tags.map(_.valid).asBits()
  private val hits = arrays.io.tags.map(t => t.valid && t.tag === geometry.tag(pa)).asBits()
  private val looks = fetch.lookup && known && memory
  private val hit = looks && hits.orR
  private val misses = looks && !hits.orR
  private val outside = known && !memory

  io.cpu.rsp.valid := hit || fault || outside || state === failed
  io.cpu.rsp.data := MuxOH.or(hits, arrays.io.data, bypassIfSingle = true)
  io.cpu.rsp.fault.valid := !hit
  io.cpu.rsp.fault.status := Mux(fault, io.translate.rsp.status, FaultStatus.accessAbort)
  io.cpu.rsp.fault.wnr := False
  io.cpu.rsp.fault.dirty := False

  chooser.io.use.valid := RegNext(hit) init False
  chooser.io.use.set := RegNext(fetch.set)
  chooser.io.use.ways := RegNext(hits)

  // ---- c0: who reads the arrays next ------------------------------------------------------------
  private val looksAgain = state === again ||
    (state === idle && fetch.valid && fetch.translated && !fetch.lookup)
  io.cpu.cmd.ready := state === idle && !io.maintain.cmd.valid &&
    (!fetch.valid || io.cpu.rsp.valid)
  io.translate.ahead.valid := io.cpu.cmd.valid
  io.translate.ahead.payload := TranslatePort.extend(io.cpu.cmd.va)
  private val va = Mux(looksAgain, fetch.cmd.va, io.cpu.cmd.va)
  arrays.io.read.valid := looksAgain || (state === idle && io.cpu.cmd.valid)
  arrays.io.read.set := geometry.set(va)
  arrays.io.read.word := geometry.word(va)
  fetch.lookup := looksAgain || io.cpu.cmd.fire

  when(answered) {
    fetch.translated := True
    fetch.pa := io.translate.rsp.pa
    fetch.memory := answerMemory
  }
  fetch.counted setWhen looks
  fetch.valid clearWhen io.cpu.rsp.valid
  when(io.cpu.cmd.fire) {
    fetch.valid := True
    fetch.translated := False
    fetch.counted := False
  }

  // ---- fill and invalidation --------------------------------------------------------------------
  private val missedValids = RegNext(valids)
  private val way = Reg(geometry.waysType)
  private val beat = Reg(UInt(log2Up(geometry.beatsPerLine) bits)) init 0
  private val bad = Reg(Bool())
  private val sweepSet = Reg(geometry.setType) init 0

  io.axi.ar.valid := state === fillCommand
  io.axi.ar.id := 0
  io.axi.ar.addr := geometry.line(fetch.pa) @@ U(0, geometry.offsetBits bits)
  io.axi.ar.len := geometry.beatsPerLine - 1
  io.axi.ar.size := 2
  io.axi.ar.setBurstINCR()
  io.axi.r.ready := state === fill

  arrays.io.dataWrite.valid := io.axi.r.fire
  arrays.io.dataWrite.ways := way
  arrays.io.dataWrite.set := fetch.set
  arrays.io.dataWrite.word := beat
  arrays.io.dataWrite.data := io.axi.r.data

  private val isGood = !bad && io.axi.r.isOKAY()
  arrays.io.tagWrite.valid := state === fillCommand || state === sweep ||
    (io.axi.r.fire && io.axi.r.last)
  arrays.io.tagWrite.ways := way
  arrays.io.tagWrite.set := fetch.set
  arrays.io.tagWrite.entry.valid := state === fill && isGood
  arrays.io.tagWrite.entry.tag := geometry.tag(fetch.pa)
  when(state === sweep) {
    arrays.io.tagWrite.ways.setAll()
    arrays.io.tagWrite.set := sweepSet
  }

  chooser.io.set := fetch.set
  chooser.io.pick := state === choose && missedValids.andR
  chooser.io.clear.valid := state === sweep
  chooser.io.clear.payload := sweepSet

  io.maintain.done := state === swept && io.maintain.cmd.valid
  io.maintain.cmd.ready := io.maintain.done

  switch(state) {
    is(idle) {
      bad := False
      when(misses) {
        state := choose
      } elsewhen (io.maintain.cmd.valid && !fetch.lookup) {
        state := sweep
      }
    }
    is(choose) {
      way := Mux(missedValids.andR, chooser.io.victim, OHMasking.first(~missedValids))
      state := fillCommand
    }
    is(fillCommand) { when(io.axi.ar.ready) { state := fill } }
    is(fill) {
      when(io.axi.r.valid) {
        beat := beat + 1
        bad := !isGood
        when(io.axi.r.last) { state := Mux(isGood, again(), failed()) }
      }
    }
    is(sweep) {
      sweepSet := sweepSet + 1
      when(sweepSet.andR) { state := swept }
    }
    is(swept, again, failed) { state := idle }
  }

  io.events.access := RegNext(looks && !fetch.counted)
  io.events.miss := RegNext(misses)
  io.events.translates := RegNext(io.translate.cmd.isStall) init False
  io.events.fills := RegNext(state =/= idle) init False

  Checks {
    Checks.held("instruction cache: ar", io.axi.ar)
    Checks.atMostOne("instruction cache: a line is in two ways", hits.andMask(looks))
    assert(!io.cpu.rsp.valid || fetch.valid, "instruction cache: an answer without a command")
    CoverPoint("l1fetch.fill_error")(io.axi.r.fire && !io.axi.r.isOKAY() && !io.axi.r.last)
    CoverPoint("l1fetch.outside")(outside)
    CoverPoint("l1fetch.maintenance_waits")(
      state === idle && io.maintain.cmd.valid && fetch.valid && !io.cpu.rsp.valid
    )
  }
}

object L1Fetch {

  /** With the signal names of the AXI specification, as bus models of test benches want them. */
  def withAxiNames(config: CacheConfig, paWidth: Int, map: PhysicalMap): L1Fetch = {
    val unit = L1Fetch(config, paWidth, map)
    Axi4SpecRenamer(unit.io.axi)
    unit
  }
}
