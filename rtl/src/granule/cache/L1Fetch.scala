package granule.cache

import granule.arch.{Checks, CoverPoint, FaultStatus}
import granule.mmu.{Access, TranslatePort}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Level-1 instruction cache: read only, indexed by virtual address, tagged by physical address. A
  * line may be in it under several colours: nothing writes to it, so the copies never differ until
  * software invalidates the whole cache (FENCE.I).
  *
  * Timing as in [[L1Data]]: command in c0, translation, compare and answer in c1, one command a
  * cycle while fetches hit. Also while a line is filled: the word that missed comes first, a
  * wrapping burst brings the others, and each is there as it comes. On memory with latency M (ar to
  * first r) a miss makes the answer M + 4 cycles late, or one more; a second miss waits for the end
  * of the fill. What is memory by the map is cached. All else is answered with status 0b010000,
  * without a request; so is a word that the bus does not deliver, whose line is not kept.
  * `maintain` invalidates, one set a cycle; its fields are not looked at.
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
  require(
    geometry.beatsPerLine <= 16,
    s"lineBytes of an instruction cache is ${config.lineBytes}; a wrapping burst has 64 at most"
  )
  private val arrays = LineArrays(geometry)
  private val chooser = VictimChooser(geometry)

  private object State extends SpinalEnum(binarySequential) {
    val idle, ask, install, fill, failed, sweep, swept = newElement()
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
    val missed = Reg(Bool()) // a fill is for it
    val set = geometry.set(cmd.va)
  }

  /** The line that is filled last. Its tag is there from the first word on. */
  private val line = new Area {
    val way = Reg(geometry.waysType)
    val set = Reg(geometry.setType)
    val word = Reg(geometry.wordType) // comes next
    val came = Reg(Bits(geometry.wordsPerLine bits))
    val bad = Reg(Bool())
    val asked = Reg(Bool())
    val comes = state === fill

    /** Ways whose word had not come when the arrays were read; it is looked for again. */
    val lacks = Reg(geometry.waysType) init 0
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
  private val answerTag = geometry.tag(io.translate.rsp.pa)
  private val answerMemory = map.isMemory(io.translate.rsp.pa)
  private val memory = Mux(fetch.translated, fetch.memory, answerMemory)

  // ---- c1: lookup -------------------------------------------------------------------------------
  private val valids = arrays.io.tags.map(_.valid).asBits()
  private val hits = arrays.io.tags
    .zip(line.lacks.asBools)
    .map { case (t, lacks) => t.hits(!fetch.translated, answerTag, geometry.tag(fetch.pa), lacks) }
    .asBits()
  private val looks = fetch.lookup && known && memory
  private val hit = looks && hits.orR
  private val misses = looks && !hits.orR && !line.lacks.orR && state === idle
  private val outside = known && !memory

  private val fails = state === failed && fetch.valid && fetch.missed
  io.cpu.rsp.valid := hit || fault || outside || fails
  io.cpu.rsp.data := MuxOH.or(hits, arrays.io.data, bypassIfSingle = true)
  io.cpu.rsp.fault.valid := !hit
  io.cpu.rsp.fault.status := Mux(fault, io.translate.rsp.status, FaultStatus.accessAbort)
  io.cpu.rsp.fault.wnr := False
  io.cpu.rsp.fault.dirty := False

  chooser.io.use.valid := RegNext(hit) init False
  chooser.io.use.set := RegNext(fetch.set)
  chooser.io.use.ways := RegNext(hits)

  // ---- c0: who reads the arrays next ------------------------------------------------------------
  private val open = state === idle || line.comes
  private val looksAgain = open && fetch.valid && fetch.translated && !fetch.lookup
  private val waits = io.translate.held // for its translation, and announces itself
  io.cpu.cmd.ready := open && !io.maintain.cmd.valid &&
    (!fetch.valid || io.cpu.rsp.valid && !waits)
  private val va = Mux(looksAgain || waits, fetch.cmd.va, io.cpu.cmd.va)
  io.translate.ahead.valid := io.cpu.cmd.valid || waits
  io.translate.ahead.payload := TranslatePort.extend(va)
  arrays.io.read.valid := looksAgain || (open && io.cpu.cmd.valid)
  arrays.io.read.set := geometry.set(va)
  arrays.io.read.word := geometry.word(va)
  fetch.lookup := looksAgain || io.cpu.cmd.fire
  line.lacks := line.way.andMask(
    line.comes && geometry.set(va) === line.set && !line.came(geometry.word(va))
  )

  when(answered) {
    fetch.translated := True
    fetch.pa := io.translate.rsp.pa
    fetch.memory := answerMemory
  }
  fetch.counted setWhen looks
  fetch.missed setWhen misses
  fetch.valid clearWhen io.cpu.rsp.valid
  when(io.cpu.cmd.fire) {
    fetch.valid := True
    fetch.translated := False
    fetch.counted := False
    fetch.missed := False
  }

  // ---- fill and invalidation --------------------------------------------------------------------
  private val missedValids = RegNext(valids)
  private val sweepSet = Reg(geometry.setType) init 0

  io.axi.ar.valid := state === ask || (state === install && !line.asked)
  io.axi.ar.id := 0
  io.axi.ar.addr := geometry.line(fetch.pa) @@ geometry.word(fetch.cmd.va) @@ U(0, 2 bits)
  io.axi.ar.len := geometry.beatsPerLine - 1
  io.axi.ar.size := 2
  io.axi.ar.setBurstWRAP()
  io.axi.r.ready := line.comes

  arrays.io.dataWrite.valid := io.axi.r.fire
  arrays.io.dataWrite.ways := line.way
  arrays.io.dataWrite.set := line.set
  arrays.io.dataWrite.word := line.word
  arrays.io.dataWrite.data := io.axi.r.data

  private val isGood = !line.bad && io.axi.r.isOKAY()
  arrays.io.tagWrite.valid := state === install || state === failed || state === sweep
  arrays.io.tagWrite.ways := line.way
  arrays.io.tagWrite.set := line.set
  arrays.io.tagWrite.entry.valid := state === install
  arrays.io.tagWrite.entry.tag := geometry.tag(fetch.pa)
  when(state === sweep) {
    arrays.io.tagWrite.ways.setAll()
    arrays.io.tagWrite.set := sweepSet
  }

  chooser.io.set := fetch.set
  chooser.io.pick := state === ask && missedValids.andR
  chooser.io.clear.valid := state === sweep
  chooser.io.clear.payload := sweepSet

  io.maintain.done := state === swept && io.maintain.cmd.valid
  io.maintain.cmd.ready := io.maintain.done

  switch(state) {
    is(idle) {
      line.bad := False
      when(misses) {
        state := ask
      } elsewhen (io.maintain.cmd.valid && !fetch.lookup) {
        state := sweep
      }
    }
    is(ask) {
      line.way := Mux(missedValids.andR, chooser.io.victim, OHMasking.first(~missedValids))
      line.set := fetch.set
      line.word := geometry.word(fetch.cmd.va)
      line.came := 0
      line.asked := io.axi.ar.ready
      state := install
    }
    is(install) { when(line.asked || io.axi.ar.ready) { state := fill } }
    is(fill) {
      when(io.axi.r.valid) {
        line.word := line.word + 1
        line.came(line.word) := isGood
        line.bad := !isGood
        when(io.axi.r.last) { state := Mux(isGood, idle(), failed()) }
      }
    }
    is(sweep) {
      sweepSet := sweepSet + 1
      when(sweepSet.andR) { state := swept }
    }
    is(swept, failed) { state := idle }
  }

  io.events.access := RegNext(looks && !fetch.counted)
  io.events.miss := RegNext(misses)
  io.events.translates := RegNext(io.translate.cmd.isStall) init False
  io.events.fills := RegNext(
    state =/= idle && (fetch.valid || !line.comes) && !io.cpu.rsp.valid
  ) init False

  Checks {
    assert(io.translate.isAnnounced, "instruction cache: a fetch is not announced, or not again")
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
