package granule.cache

import granule.arch.{Checks, CoverPoint}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** One cycle for each. */
case class L2Events() extends Bundle {
  val access, miss, writeback = Bool()
}

/** Level-2 cache: unified, indexed and tagged by physical address, write-back, write-allocate. It
  * stands in front of memory, and all that reads or writes memory stands above it, so it is the
  * point of coherence: no maintenance reaches it, and none is needed.
  *
  * {{{
  *   idle    a burst is taken, and the tags of its line are read
  *   lookup  they are compared; block RAM answers late, so that is all
  *   choose  a hit goes on with `read` or `write`
  *   miss    the way to fill is known; its line goes to the [[LineWriter]] if it is dirty
  *   ask     the line is asked for, beginning with the word that is wanted first, if it was not
  *           read ahead
  *   fill    its words are stored, and those that a read waits for go up as they come
  * }}}
  *
  * `above` is a slave of 32 bits: INCR of any length and WRAP, whole words; a narrow access is one
  * beat. One burst at a time, of reads and writes in turn. A burst that leaves its line is looked
  * up again for the next one, three cycles a line. A write waits for its first word.
  *
  * A write that misses is stored at once, and the line is filled around it; a line that is written
  * whole is not read. While a line is filled, [[NextLines]] reads the next one of its 4 KiB if that
  * is not there. Nobody has asked for it, so it may lie behind what PMP closes, and stays there.
  *
  * An error below is answered in the beat of a read that it concerns, or of a write that had to
  * fill; such a line is not kept. A write-back that fails pulses `asyncError`; its line is lost.
  *
  * Cycles from an address to its first word: 4 in a hit, memory's and 4 in a miss, 5 where the word
  * was read ahead. A dirty line waits until the one before it was written back, and so does who
  * wants that one again. After reset the cache invalidates itself, one set a cycle; accesses wait.
  *
  * @param axi of both sides, with IDs of 2 bits or more; below, a line that is wanted has ID 0.
  */
case class L2(config: CacheConfig, axi: Axi4Config) extends Component {
  private val geometry = CacheGeometry(config, axi.addressWidth, wordBytes = 4)
  private val ways = config.ways
  require(
    config.lineBytes == 64,
    s"lineBytes of an L2 is ${config.lineBytes}; use 64, which is what a wrapping burst has"
  )
  require(axi.idWidth > 1, s"idWidth of an L2 is ${axi.idWidth}; use 2 or more")
  require(ways > 1, s"ways of an L2 is $ways; use 2 or more")

  val io = new Bundle {
    val above = slave(Axi4(axi))
    val below = master(Axi4(axi))
    val events = out(L2Events())
    val asyncError = out(Bool())
  }
  private val (ar, aw, r, w, b) = (io.above.ar, io.above.aw, io.above.r, io.above.w, io.above.b)

  private object State extends SpinalEnum(binaryOneHot) {
    val sweep, idle, lookup, choose, miss, read, write, ask, fill, next, answer = newElement()
  }
  import State._
  private val state = Reg(State()) init sweep

  /** The burst, from its next word on. */
  private val burst = new Area {
    val writes = RegInit(False)
    val id = Reg(UInt(axi.idWidth bits))
    val line = Reg(geometry.lineType)
    val word = Reg(geometry.wordType)
    val beats = Reg(UInt(8 bits)) // that follow that word
    val wraps = Reg(Bool())
    val length = Reg(UInt(4 bits)) // of one that wraps
    val refused = Reg(Bool()) // memory did not give what a write had to fill
    val over = Reg(Bool()) // it ended with this line

    val set = geometry.set(line @@ U(0, geometry.offsetBits bits))
    val isLast = beats === 0
    val step = False
    val ends = step && (isLast || (word.andR && !wraps)) // with this line
    private val inside = length.resize(geometry.wordIndexBits)
    when(step) {
      beats := beats - 1
      word := Mux(wraps, (word & ~inside) | ((word + 1) & inside), word + 1)
      over := isLast
    }
    def after(over: Bool) = Mux(over, Mux(writes, answer(), idle()), next())
  }

  // ---- the arrays -------------------------------------------------------------------------------
  private case class Entry() extends Bundle {
    val valid, dirty = Bool()
    val tag = geometry.tagType
  }
  private val takesWrite = aw.valid && w.valid && !(ar.valid && burst.writes)
  private def taken[T <: Data](field: Axi4Ax => T): T =
    Mux(takesWrite, field(aw.payload), field(ar.payload))
  private val takes = state === idle && (takesWrite || ar.valid)
  private val nextLine = burst.line + 1
  private val looksAhead = RegInit(U(0, 2 bits)) // for the next line; 1 to 3 are steps
  private val readsTags = takes || state === next || looksAhead === 1
  private val sought = geometry.set(
    Mux(state === idle, taken(_.addr), nextLine @@ U(0, geometry.offsetBits bits))
  )

  private val entry = Entry() // that is written
  private val writesEntry = False
  private val sweepSet = Counter(config.sets, inc = state === sweep)
  private val isHit = Reg(Bool()) // the line was there
  private val way = Reg(UInt(log2Up(ways) bits))
  private val entries = Vec((0 until ways).map { n =>
    val ram = Mem(Entry(), config.sets).setName(s"tag_$n").addAttribute("no_rw_check")
    ram.write(
      Mux(state === sweep, sweepSet.value, burst.set),
      entry,
      enable = state === sweep || (writesEntry && way === n)
    )
    ram.readSync(sought, readsTags)
  })
  private val failed = Reg(Bool()) // the fill of this line
  entry.valid := state =/= sweep && !failed
  entry.dirty := burst.writes
  entry.tag := geometry.tagOf(burst.line)

  private val data = Mem(Bits(32 bits), config.sizeBytes / 4).addAttribute("no_rw_check")
  private val dataRead = Flow(geometry.wordType)
  private val dataOut = data.readSync(way @@ burst.set @@ dataRead.payload, dataRead.valid)
  private val dataWrite = Flow(LineWord(geometry))
  private val dataMask = Bits(4 bits)
  data.write( // a cycle later: the array is wide
    RegNext(way @@ burst.set @@ dataWrite.index),
    RegNext(dataWrite.data),
    RegNext(dataWrite.valid) init False,
    RegNext(dataMask)
  )

  // ---- lookup -----------------------------------------------------------------------------------
  private val policy = TreePlru(ways)
  private val history = Mem(Bits(policy.stateBits bits), config.sets).addAttribute("no_rw_check")
  private val uses = history.readSync(sought, readsTags)
  private val used = RegNext(state === choose) init False
  history.write(burst.set, policy.use(uses, UIntToOh(way, ways)), used)

  private val tag = geometry.tagOf(burst.line)
  private val hits = RegNext(entries.map(e => e.valid && e.tag === tag).asBits())
  private val hit = hits.orR
  private val empty = RegNext(entries.map(!_.valid).asBits())
  private val victim = Mux(empty.orR, OHMasking.first(empty), policy.victim(uses))

  // ---- where a line comes from ------------------------------------------------------------------
  private val ahead = NextLines(geometry, axi)
  private val (asked, answered) = (Stream(Axi4Ar(axi)), io.below.r)
  private val wantsAhead = RegInit(False) // the next line, which is not there
  private val from = RegInit(B(0, ahead.io.has.getWidth bits)) // a buffer, and not memory
  private val buffered = RegNext(ahead.io.has)
  io.below.ar << StreamArbiterFactory().lowerFirst.transactionLock
    .onArgs(asked, ahead.io.axi.ar)
  ahead.io.axi.r.valid := answered.valid && answered.id(1)
  ahead.io.axi.r.payload := answered.payload

  // ---- the line that leaves ---------------------------------------------------------------------
  private val writer = LineWriter(geometry, axi)
  private val dirty = RegNext(entries.map(e => e.valid && e.dirty).asBits())
  private val leaves = Reg(Bool()) // it is dirty
  private val first = Reg(geometry.wordType) // of the fill, and of the copy: it stays ahead
  private val copying = RegInit(False)
  private val copied = RegNext(dataRead.payload + 1)
  copying clearWhen copied + 1 === first
  writer.io.start.valid := False
  writer.io.start.payload := geometry.lineOf(entries(way).tag, burst.set)
  writer.io.word.valid := RegNext(copying || writer.io.start.valid) init False
  writer.io.word.index := RegNext(dataRead.payload)
  writer.io.word.data := dataOut
  private val isLeaving = writer.io.busy && writer.io.line === ahead.io.line
  io.below.aw << writer.io.axi.aw
  io.below.w << writer.io.axi.w
  io.below.b >> writer.io.axi.b
  io.asyncError := writer.io.error

  // ---- what goes up -----------------------------------------------------------------------------
  private val wanted = Reg(Bool()) // by a read: the word that comes next from below
  private val again = Reg(Bool()) // a read that wants them in another order: when all are here
  private val stored = new Area { // a word of the arrays, on its way up
    val valid = RegInit(False)
    val last, bad = Reg(Bool())
    val id = Reg(UInt(axi.idWidth bits))
    val moves = !valid || r.ready
    when(r.ready) { valid := False }
  }

  // ---- the fill ---------------------------------------------------------------------------------
  private val coming = Reg(geometry.wordType)
  private val written = Vec.fill(geometry.beatsPerLine)(Reg(Bits(4 bits))) // bytes that stay
  private val filling = new Area { // the word that comes next
    val buffer = from.orR
    val valid = state === fill && (buffer ? ahead.io.came | (answered.valid && !answered.id(1)))
    val data = buffer ? ahead.io.data | answered.data
    val resp = buffer ? ahead.io.resp | answered.resp
    val last = coming + 1 === first
    val ready = !wanted || (r.ready && !stored.valid)
    val fire = valid && ready
    val good = resp === Axi4.resp.OKAY
  }
  answered.ready := answered.id(1) || (state === fill && !filling.buffer && filling.ready)
  r.valid := stored.valid || (wanted && filling.valid)
  r.data := Mux(stored.valid, dataOut, filling.data)
  r.id := Mux(stored.valid, stored.id, burst.id)
  r.last := Mux(stored.valid, stored.last, burst.isLast)
  r.resp := Mux(stored.valid, Mux(stored.bad, Axi4.resp.SLVERR, Axi4.resp.OKAY), filling.resp)

  private val whole = written.map(_.andR).andR
  asked.valid := state === ask && !whole && !buffered.orR
  asked.id := 0
  asked.addr := burst.line @@ first @@ U(0, 2 bits)
  asked.len := geometry.beatsPerLine - 1
  asked.size := 2
  asked.setBurstWRAP()

  // What stays in this page, and in the sets behind this one, has this line's tag.
  private val pageEnds = burst.line(log2Up(config.sets.min(64)) - 1 downto 0).andR
  ahead.io.line := Mux(state === fill, nextLine, burst.line)
  ahead.io.from := from
  ahead.io.index := coming
  ahead.io.drop := 0
  ahead.io.read := state === fill && wantsAhead && !isLeaving &&
    (!filling.buffer || (filling.fire && filling.last)) // whose room it may take
  when(ahead.io.read) { wantsAhead := False }
  when(looksAhead =/= 0) { looksAhead := looksAhead + 1 }
  when(looksAhead === 3) { wantsAhead := !hit && !pageEnds }

  // ---- defaults ---------------------------------------------------------------------------------
  dataRead.valid := copying
  dataRead.payload := Mux(copying, copied, burst.word)
  dataWrite.valid := False
  dataWrite.index := burst.word
  dataWrite.data := w.data
  dataMask := w.strb
  ar.ready := state === idle && !takesWrite
  aw.ready := state === idle && takesWrite
  w.ready := state === write && !(copying && burst.wraps) // which leaves the order of the copy
  b.valid := state === answer
  b.id := burst.id
  b.resp := Mux(burst.refused, Axi4.resp.SLVERR, Axi4.resp.OKAY)

  // ---- states -----------------------------------------------------------------------------------
  switch(state) {
    is(sweep) { when(sweepSet.willOverflow) { state := idle } }
    is(idle) {
      when(takes) {
        burst.writes := takesWrite
        state := lookup
      }
      burst.id := taken(_.id)
      burst.line := geometry.line(taken(_.addr))
      burst.word := geometry.word(taken(_.addr))
      burst.beats := taken(_.len)
      burst.length := taken(_.len).resized
      burst.wraps := taken(_.burst) === Axi4.burst.WRAP
      burst.refused := False
    }
    is(next) {
      burst.line := nextLine
      burst.word := 0
      state := lookup
    }
    is(lookup) { state := choose }
    is(choose) {
      val inOrder = !burst.wraps || burst.length.andR
      way := OHToUInt(Mux(hit, hits, victim))
      isHit := hit
      leaves := (dirty & victim).orR
      failed := False
      wantsAhead := False
      written.foreach(_ := 0)
      first := burst.word
      coming := burst.word
      wanted := !burst.writes && inOrder
      again := !burst.writes && !inOrder
      state := Mux(hit, Mux(burst.writes, write(), read()), miss())
    }
    is(miss) {
      dataRead.valid := !stored.valid
      when(!stored.valid && !(writer.io.busy && (leaves || isLeaving))) {
        writer.io.start.valid := leaves
        copying := leaves
        state := Mux(burst.writes, write(), ask())
      }
    }
    is(read) {
      when(stored.moves) {
        dataRead.valid := True
        stored.valid := True
        stored.last := burst.isLast
        stored.bad := failed
        stored.id := burst.id
        burst.step := True
        when(burst.ends) { state := burst.after(burst.isLast) }
      }
    }
    is(write) {
      when(w.fire) {
        dataWrite.valid := True
        written(burst.word) := written(burst.word) | w.strb
        burst.step := True
        when(burst.ends) {
          writesEntry := isHit
          state := Mux(isHit, burst.after(burst.isLast), ask())
        }
      }
    }
    is(ask) {
      from := buffered
      when(whole) {
        writesEntry := True
        ahead.io.drop := buffered
        state := burst.after(burst.over)
      } elsewhen (buffered.orR || asked.ready) {
        looksAhead := 1
        state := fill
      }
    }
    is(fill) {
      dataWrite.index := coming
      dataWrite.data := filling.data
      dataMask := ~written(coming)
      when(filling.fire) {
        dataWrite.valid := True
        coming := coming + 1
        when(!filling.good) {
          failed := True
          entry.valid := False
          burst.refused := True
        }
        when(wanted) {
          burst.step := True
          when(burst.ends) { wanted := False }
        }
        when(filling.last) {
          writesEntry := True
          ahead.io.drop := from
          state := Mux(again, read(), burst.after(Mux(burst.ends, burst.isLast, burst.over)))
        }
      }
    }
    is(answer) { when(b.ready) { state := idle } }
  }

  io.events.access := RegNext(state === choose) init False
  io.events.miss := RegNext(state === choose && !hit) init False
  io.events.writeback := RegNext(writer.io.start.valid) init False

  Checks {
    for ((name, channel) <- Seq("r" -> r, "b" -> b)) Checks.held(s"L2: $name", channel)
    Checks.held("L2: ar", io.below.ar)
    Checks.atMostOne("L2: a line is in two ways", hits.andMask(state === choose))
    assert(
      !(state === fill && copying && filling.fire) || (coming - first) < (copied - first),
      "L2: a word is filled before the old one was copied"
    )
    assert(!copying || state === write || state === ask || state === fill, "L2: a copy goes on")
    assert(
      !filling.fire || filling.buffer || answered.last === filling.last,
      "L2: a fill of another length"
    )
    assert(!(state === choose && hit && buffered.orR), "L2: a line is there, and read ahead")
    assert(!used || !readsTags, "L2: the history of a set is read while it is written")

    def at(name: String)(here: Bool): Unit = CoverPoint(s"l2.$name")(here)
    val filled = state === fill && filling.fire
    at("fills_around")(filled && burst.writes && written(coming) =/= 0)
    at("whole_line")(state === ask && whole)
    at("other_order")(filled && again)
    at("next_line")(state === next)
    at("waits_for_writer")(state === miss && writer.io.busy && leaves)
    at("wants_what_leaves")(state === miss && isLeaving)
    at("overtakes_writer")(asked.fire && writer.io.busy && !copying)
    at("from_buffer")(filled && filling.buffer)
    at("buffer_late")(state === fill && filling.buffer && !filling.valid)
    at("buffer_written")(state === ask && whole && buffered.orR)
    at("next_is_leaving")(state === fill && wantsAhead && isLeaving)
    at("copies_under_fill")(filled && copying)
    at("read_error")(filled && !burst.writes && !filling.good)
    at("write_error")(filled && burst.writes && !filling.good)
    at("write_back_error")(io.asyncError)
  }
}

object L2 {

  /** With the signal names of the AXI specification, as bus models of test benches want them. */
  def withAxiNames(config: CacheConfig, axi: Axi4Config): L2 = {
    val unit = L2(config, axi)
    Axi4SpecRenamer(unit.io.above)
    Axi4SpecRenamer(unit.io.below)
    unit
  }
}
