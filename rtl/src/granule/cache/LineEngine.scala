package granule.cache

import granule.arch.{Checks, CoverPoint}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba4.axi._

/** Moves lines between the data cache and memory: one command at a time, all that needs more than
  * one lookup. Keeps the dirty bits and the replacement state.
  *
  * A fill first looks under all other colours (one a cycle); what it finds there is written back
  * when dirty and dropped, or, `inPlace`, reported. Then it replaces a way of its own set: an
  * invalid one, else the policy's victim. So there is one copy of a physical line at a time.
  *
  * A dirty victim is copied into the [[LineWriter]], which writes it to memory after the fill.
  * Fills, which read memory, and maintenance, which promises what memory holds, wait for the line
  * before.
  *
  * A cache that keeps copies drops only a line that is owned: there is one copy of it, and only
  * such a line is ever dirty. A fill that is to `own` the line drops all others, one search each. A
  * line that is in its own set already stays, and is owned from then on.
  *
  * While `busy` the engine owns the arrays. `done` pulses in its last busy cycle, in which the
  * requester may already read the arrays. A command may come only when no write into the arrays is
  * still on its way. After reset the engine is busy until it has invalidated everything.
  *
  * Cycles from the command of a fill to `done`, on memory with latency M (ar to first r):
  * colours + M + beats + 3, and one more for a dirty victim. A dirty line under another colour is
  * in memory before the fill. To own a line that is in its set: colours + 3, and as many again for
  * each copy that goes.
  */
case class LineEngine(geometry: CacheGeometry) extends Component {
  private val ways = geometry.config.ways
  val io = new Bundle {
    val cmd = slave(Flow(LineCmd(geometry)))
    val busy = out(Bool())
    val done = master(Flow(LineDone(geometry)))
    val read = master(Flow(ArrayRead(geometry)))
    val tags = in(Vec(TagEntry(geometry), ways))
    val data = in(Vec(Bits(64 bits), ways))
    val tagWrite = master(Flow(TagWrite(geometry)))
    val dataWrite = master(Flow(DataWrite(geometry)))
    val axi = master(Axi4(MemoryBus.axiConfig(geometry.paWidth)))

    /** A way was used by a hit; a way was written to. */
    val use = slave(Flow(WayUse(geometry)))
    val store = slave(Flow(WayUse(geometry)))

    /** Lines that leave the cache, for the reservation. */
    val dropped = master(Flow(geometry.lineType))
    val droppedAll = out(Bool())
    val events = out(LineEvents())
  }

  // One-hot: whether the tags match is late, and the next state waits for it.
  object State extends SpinalEnum(binaryOneHot) {
    val idle, scan, settle, home, leave, drop, cleaned, fillCommand, fill, sweepRead, sweepCheck,
        sweepDrop, done = newElement()
  }
  import State._
  private val state = Reg(State()) init sweepDrop

  private val cmd = Reg(LineCmd(geometry))
  private val way = Reg(geometry.waysType) // the way that is written back, dropped or filled
  private val set = Reg(geometry.setType) // its set
  private val wayLine = Reg(geometry.lineType) // the line that is in it now
  private val wayValid = Reg(Bool())
  private val afterWay = Reg(State()) // what follows its write-back
  private val owes = Reg(Bool()) // the write-back has not begun
  private val sweepSet = Reg(geometry.setType) init 0
  private val failed = Reg(Bool())
  private val beat = Reg(UInt(log2Up(geometry.beatsPerLine) bits))
  private val beatLast = beat === geometry.beatsPerLine - 1
  private val lowHalf = RegNextWhen(io.axi.r.data, io.axi.r.fire)

  io.busy := state =/= idle
  io.done.valid := state === done
  io.done.set := set
  io.done.error := failed

  // ---- what the arrays say of the set that was read last ----------------------------------------
  private val readSet = RegNextWhen(io.read.set, io.read.valid)

  // A search compares a cycle later: the tags are late, and so much hangs on them.
  private val seenSet = RegNext(readSet)
  private val seenTags = RegNext(io.tags)
  private val valids = seenTags.map(_.valid).asBits()
  private val hits = seenTags.map(t => t.valid && t.tag === geometry.tagOf(cmd.line)).asBits()
  private val hit = hits.orR

  private val dirtyClear = Flow(geometry.waysType)
  dirtyClear.valid := False
  dirtyClear.payload := way
  private val dirty = (0 until ways)
    .map { w =>
      val ram = Mem(Bool(), geometry.config.sets)
        .setName(s"dirty_$w")
        .addAttribute("no_rw_check") // read only after the last store has arrived
      val clear = dirtyClear.valid && dirtyClear.payload(w)
      ram.write(
        Mux(dirtyClear.valid, set, io.store.set),
        !dirtyClear.valid,
        enable = clear || (!dirtyClear.valid && io.store.valid && io.store.ways(w))
      )
      ram.readSync(io.read.set, enable = io.read.valid)
    }
    .asBits()

  private val seenDirty = RegNext(dirty)
  private def owned = (hits & seenTags.map(_.owned).asBits()).orR

  /** Whether a copy under another colour has to do with the command, and whether it will do. */
  private def concerns(found: Bool) =
    if (geometry.copies) found && (cmd.op === LineOp.line || cmd.inPlace || cmd.own || owned)
    else found
  private def serves(inPlace: Bool) =
    if (geometry.copies) inPlace && (!cmd.own || owned) else inPlace

  private val chooser = VictimChooser(geometry)
  chooser.io.use << io.use
  chooser.io.set := cmd.set
  chooser.io.pick := False
  chooser.io.clear.valid := state === sweepDrop
  chooser.io.clear.payload := sweepSet

  // ---- the line that leaves ---------------------------------------------------------------------
  private val writer = LineWriter(geometry, io.axi.config)
  private val copied = Counter(geometry.wordsPerLine)
  private val copying = RegInit(False)
  writer.io.start.valid := False
  writer.io.start.payload := wayLine
  writer.io.word.valid := RegNext(copying) init False
  writer.io.word.index := RegNext(copied.value)
  writer.io.word.data := MuxOH.or(way, io.data, bypassIfSingle = true)
  writer.io.axi.aw >> io.axi.aw
  writer.io.axi.w >> io.axi.w
  writer.io.axi.b << io.axi.b
  when(copying) { copied.increment() }
  copying clearWhen copied.willOverflow

  // ---- defaults ---------------------------------------------------------------------------------
  io.read.valid := copying
  io.read.set := set
  io.read.word := copied
  io.tagWrite.valid := False
  io.tagWrite.ways := way
  io.tagWrite.set := set
  io.tagWrite.entry.valid := False
  io.tagWrite.entry.tag := geometry.tagOf(cmd.line)
  if (geometry.copies) io.tagWrite.entry.owned := cmd.own
  io.dataWrite.valid := state === fill && io.axi.r.valid && beat.lsb
  io.dataWrite.ways := way
  io.dataWrite.set := set
  io.dataWrite.word := (beat >> 1).resized
  io.dataWrite.data := io.axi.r.data ## lowHalf
  io.dropped.valid := False
  io.dropped.payload := wayLine
  io.droppedAll := state === sweepDrop
  io.events.miss := False
  io.events.evict := False
  io.events.aliasMove := False
  io.events.writeback := False
  io.events.writebackError := writer.io.error

  private def select(ways: Bits): Unit = {
    way := ways
    set := seenSet
    wayValid := (ways & valids).orR
    wayLine := geometry.lineOf(MuxOH.or(ways, seenTags.map(_.tag), bypassIfSingle = true), seenSet)
  }

  /** `next` comes when the way's line is in memory, or is a fill and the line is on its way. */
  private def writeBack(next: State.C, dirty: Bool = True): Unit = {
    state := leave
    afterWay := next
    owes := dirty
  }
  private def readSetOnly(at: UInt): Unit = {
    io.read.valid := True
    io.read.set := at
  }

  /** What a line command still has to do with the line in `ways`. */
  private def maintainLine(ways: Bits): Unit = {
    select(ways)
    val next = Mux(cmd.invalidate, drop(), cleaned())
    state := next
    when(cmd.clean && (seenDirty & ways).orR) {
      writeBack(next)
    }
  }

  /** The line is in its set already, and the search has dropped all other copies. */
  private def becomeOwned(): Unit = {
    chooser.io.pick := False
    io.events.miss := False
    io.events.evict := False
    io.tagWrite.valid := True
    io.tagWrite.entry.valid := True
    io.tagWrite.ways := hits
    io.tagWrite.set := cmd.set
    state := done
  }

  /** There may be one more copy. */
  private def searchAgain(): Unit = {
    colour := 1
    looked := False
    seen := False
    state := scan
  }

  // ---- AXI --------------------------------------------------------------------------------------
  io.axi.ar.id := 0
  io.axi.ar.len := geometry.beatsPerLine - 1
  io.axi.ar.size := 2
  io.axi.ar.setBurstINCR()
  io.axi.ar.valid := state === fillCommand
  io.axi.ar.addr := cmd.line @@ U(0, geometry.offsetBits bits)
  io.axi.r.ready := state === fill

  // ---- states -----------------------------------------------------------------------------------
  private val colour = Reg(UInt(log2Up(geometry.colours) + 1 bits)) // 1 .. colours; colours: own
  private val looked = Reg(Bool()) // the arrays answer for a colour that the scan has read
  private val seen = Reg(Bool()) // and so do the registers behind them
  private val ownColour = colour === geometry.colours
  private def recoloured(difference: UInt) =
    geometry.recolour(cmd.set, difference.resize(geometry.colourBits))

  switch(state) {
    is(idle) {
      cmd := io.cmd.payload
      colour := 1
      beat := 0
      failed := False
      looked := False
      seen := False
      sweepSet := 0
      owes := False
      when(io.cmd.valid) {
        state := scan
        when(io.cmd.op =/= LineOp.fill) { state := leave }
      }
      afterWay := io.cmd.op.mux(
        LineOp.sweep -> Mux(io.cmd.clean, sweepRead(), sweepDrop()),
        default -> scan()
      )
    }

    // Reads one colour a cycle and looks at the one two before; its own set comes last.
    is(scan, settle) {
      when(state === scan) {
        readSetOnly(Mux(ownColour, cmd.set, recoloured(colour)))
        colour := colour + 1
        when(ownColour) { state := settle }
      } otherwise {
        state := home
      }
      looked := True
      seen := looked
      when(concerns(hit && seen)) {
        looked := False
        seen := False
        when(cmd.op === LineOp.line) {
          maintainLine(hits)
        } elsewhen (serves(cmd.inPlace)) {
          set := seenSet
          state := done
        } otherwise {
          io.events.aliasMove := True
          colour := geometry.colours
          select(hits)
          state := drop
          when((seenDirty & hits).orR) { writeBack(drop()) }
        }
      }
    }
    is(home) {
      when(cmd.op === LineOp.line) {
        state := done
        when(hit) { maintainLine(hits) }
      } otherwise {
        val full = valids.andR
        val pick = Mux(full, chooser.io.victim, OHMasking.first(~valids))
        chooser.io.pick := full
        io.events.miss := True
        io.events.evict := full
        select(pick)
        state := fillCommand
        val leaves = full && (seenDirty & pick).orR
        when(leaves || writer.io.busy) { writeBack(fillCommand(), leaves) }
        if (geometry.copies) when(hit) { becomeOwned() }
      }
    }

    // The line under another colour, or the one to be invalidated, leaves.
    is(drop) {
      io.tagWrite.valid := True
      io.dropped.valid := True
      if (geometry.copies) searchAgain()
      else state := Mux(cmd.op === LineOp.fill, scan(), done())
    }

    // Waits for the line before.
    is(leave) {
      when(!writer.io.busy) {
        owes := False
        writer.io.start.valid := owes
        copying := owes
        io.events.writeback := owes
        when(!owes || afterWay === fillCommand) { state := afterWay }
      }
    }
    is(cleaned) {
      dirtyClear.valid := True
      state := Mux(cmd.op === LineOp.sweep, sweepRead(), done())
    }

    is(fillCommand) {
      // Gone before the first word of the new line arrives.
      io.tagWrite.valid := True
      dirtyClear.valid := True
      when(io.axi.ar.ready) {
        io.dropped.valid := wayValid
        state := fill
      }
    }
    is(fill) {
      when(io.axi.r.valid) {
        beat := beat + 1
        failed := failed || !io.axi.r.isOKAY()
        when(io.axi.r.last) {
          io.tagWrite.valid := True
          io.tagWrite.entry.valid := !(failed || !io.axi.r.isOKAY())
          state := done
        }
      }
    }

    is(sweepRead) {
      readSetOnly(sweepSet)
      state := sweepCheck
    }
    is(sweepCheck) {
      val toClean = io.tags.map(_.valid).asBits() & dirty
      when(toClean.orR) {
        way := OHMasking.first(toClean)
        set := readSet
        wayLine := geometry.lineOf(
          MuxOH.or(OHMasking.first(toClean), io.tags.map(_.tag), bypassIfSingle = true),
          readSet
        )
        writeBack(cleaned())
      } otherwise {
        sweepSet := sweepSet + 1
        state := sweepRead
        when(sweepSet.andR) { state := Mux(cmd.invalidate, sweepDrop(), done()) }
      }
    }
    is(sweepDrop) {
      io.tagWrite.valid := True
      io.tagWrite.ways.setAll()
      io.tagWrite.set := sweepSet
      sweepSet := sweepSet + 1
      when(sweepSet.andR) { state := done }
    }
    is(done) { state := idle }
  }
  Checks {
    Checks.held("line engine: ar", io.axi.ar)
    assert(!io.cmd.valid || !io.busy, "line engine: a command comes while it is busy")
    assert(!io.axi.r.fire || io.axi.r.last === beatLast, "line engine: a fill of another length")
    assert(
      !(state === fill || copying) || CountOne(way) === 1,
      "line engine: not one way is filled or written back"
    )
    assert(!copying || state =/= done, "line engine: its requester reads under a copy")
    assert(!io.busy || !io.store.valid, "line engine: a store comes while it owns the arrays")

    def at(name: String)(here: Bool): Unit = CoverPoint(s"engine.$name")(here)
    val searching = (state === scan || state === settle) && seen && hit
    val fills = cmd.op === LineOp.fill
    val dirtyHit = (seenDirty & hits).orR
    at("moves")(io.events.aliasMove && !dirtyHit)
    at("moves_dirty")(io.events.aliasMove && dirtyHit)
    val begins = writer.io.start.valid
    at("replaces_dirty")(begins && afterWay === fillCommand)
    at("cleans_home")(state === home && hit && !fills && cmd.clean && dirtyHit)
    at("cleans_other")(searching && !fills && cmd.clean && dirtyHit)
    at("sweeps_dirty")(begins && cmd.op === LineOp.sweep)
    at("fill_error")(io.axi.r.fire && !io.axi.r.isOKAY() && !io.axi.r.last)
    at("write_back_error")(io.events.writebackError)
    at("waits_for_line_before")(state === leave && writer.io.busy && afterWay === fillCommand)
    if (geometry.copies) at("becomes_owned")(state === home && fills && hit)
  }
}
