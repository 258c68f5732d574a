package granule.cpu

import granule.arch.Satp
import granule.cache.{L1Fault, L1Op}
import spinal.core._
import spinal.lib._

/** RV32IMA_Zicsr_Zifencei_Zicbom core with M, S and U mode.
  *
  * {{{
  *   fetch -> queue | decode, registers    | execute        | memory    | write-back
  *                  | bypass, interrupts,  | ALU, branches, | product,  | wait for data, align,
  *                  | legality             | data command   | quotient, | register file,
  *                  |                      |                | CSRs      | traps, flush
  * }}}
  * In order, one instruction per stage. Cycles: 1 for everything that hits; a load, product,
  * quotient or atomic has its result in write-back: +2 if the next instruction uses it, +1 if the
  * one after; 17 for a division. Jumps: none if fetch guesses right ([[BranchTargets]]), else +2
  * for a jal and a branch backwards, which steer fetch in execute, and +3 for a jalr and all that
  * was wrong, from the memory stage. CSR instructions run alone: 5, +1 where write-back has to
  * empty first. Behind a write of PMP's entries decode waits for `sfence`.
  * Traps and returns flush from write-back.
  * tb/unit/cpu/cocotb_timing.py measures all of these.
  *
  * The answer of the data port is late in its cycle, so nothing but registers of write-back takes
  * it. An access that is not answered in the memory stage moves on and waits in write-back; that it
  * `waits` is a register, and what stalls the stages before. So one more data command may leave
  * execute behind an access that is not answered, and the port drops it when the answer is a fault.
  * Otherwise data commands leave only when everything older is sure to complete.
  */
case class Cpu(resetPc: Long, sv32: Boolean, pmpEntries: Int) extends Component {
  val io = CpuIo(pmpEntries)

  private val fetch = Fetch(resetPc, targets = 128)
  private val alu = Alu()
  private val multiplier = Multiplier()
  private val divider = Divider()
  private val csr = Csr(sv32, pmpEntries)
  private val state = csr.io.state
  private val stalls = StallReasons(io.waits)

  /** Registers in front of execute. */
  private val x = new Area {
    val valid = RegInit(False)
    val slot = Reg(Slot())
    val aluOp = Reg(AluOp())
    val a, b = Reg(Bits(32 bits))
    val storeData = Reg(Bits(32 bits))
    val target = Reg(UInt(32 bits)) // of branches and jal
    val guess = Reg(Guess()) // has steered fetch already
    val steers = Reg(Bool()) // expected to go to `target`, and steers fetch from here
    val redirected = RegInit(False) // and has done so
  }

  /** Registers in front of memory. `result` is a known result, an address, or an xtval. */
  private val m = new Area {
    val valid = RegInit(False)
    val slot = Reg(Slot())
    val result = Reg(Bits(32 bits))
    val el1 = Reg(Bool()) // privilege of the data access
    val asid = Reg(Bits(9 bits)) // of sfence.vma
    val steers = RegInit(False) // fetch went the wrong way behind it, and starts again at
    val target = Reg(UInt(32 bits))
    val learns = Reg(Bool()) // the guess for it changes
    val guess = Reg(Guess())

    val redirect = valid && steers // in its first cycle here
  }

  /** Registers in front of write-back. */
  private val w = new Area {
    val valid = RegInit(False)
    val slot = Reg(Slot())
    val waits = RegInit(False) // for the answer of its data access
    val accesses = Reg(Bool()) // the data port has its result now
    val raw = Reg(Bits(32 bits)) // the result otherwise
    val align = Reg(Bits(3 bits)) // how to take the result out of the word, as funct3
    val result = Reg(Bits(32 bits)) // a known result, an address, or an xtval
    val dataFault = Reg(L1Fault())
    val el1 = Reg(Bool())
    val writesInstret = Reg(Bool())

    val done = valid && !waits
    val value = LoadAlign(Mux(accesses, io.data.rsp.data, raw), align, result(1 downto 0).asUInt)
    val mret = done && slot.is(SystemOp.mret)
    val sret = done && slot.is(SystemOp.sret)
    val trapped = slot.exception.valid || dataFault.valid
    val trap = done && trapped
    val refetch = Reg(Bool()) // what follows is fetched again: after fences, returns, new rights
    val flush = done && (refetch || trapped)
  }

  // ---------------------------------------------------------------- memory
  private val memory = new Area {
    val slot = m.slot
    val isMemory = slot.kind === Kind.memory
    val mayAct = m.valid && !w.valid // system instructions act alone
    val entriesChange = if (pmpEntries > 0) csr.io.pmp.changes else False
    val serial = SerialOperations(io.sfence, io.fenceI, slot, mayAct, entriesChange)
    serial.sfenceOperands(state.satp, m.result, m.asid)
    val isCsr = slot.is(SystemOp.csr)
    val csrActs = RegInit(False) // in its second cycle here; in the first it reads
    csrActs := mayAct && isCsr && !csrActs
    val systemEnd = mayAct && (slot.system.mux(
      SystemOp.csr -> csrActs,
      SystemOp.wfi -> state.wakeUp,
      SystemOp.fenceI -> serial.fenceIDone,
      SystemOp.sfence -> serial.sfenceDone,
      default -> True
    ))
    val done = slot.kind.mux(
      Kind.div -> divider.io.done,
      Kind.system -> systemEnd,
      default -> True
    )
    val ready = !m.valid || (done && !w.waits)

    val result = slot.kind.mux(
      Kind.mul -> multiplier.io.result,
      Kind.div -> divider.io.result,
      default -> m.result
    )
    val csrIllegal = isCsr && csr.io.illegal

    csr.io.access.instruction := slot.instruction
    csr.io.access.source := m.result
    csr.io.execute := csrActs

    stalls.memory(!w.waits, w.flush, m.valid, slot)
    when(!w.waits) {
      w.valid := m.valid && done && !w.flush
      w.slot := slot
      w.align := Mux(isMemory, slot.funct3, B"010")
      w.result := m.result
      w.el1 := m.el1
      w.writesInstret := isCsr && csr.io.writesInstret
      w.refetch := slot.isSystem && slot.system.mux(
        SystemOp.csr -> csr.io.refetches,
        SystemOp.wfi -> False,
        default -> True
      )
      when(csrIllegal) {
        w.slot.exception.valid := True
        w.slot.exception.cause := Cause.illegal
        w.result := slot.instruction
      }
    }
    // The answer of a data access, of the one that waits or else of this stage's; whatever the
    // port says before it answers is overwritten.
    val awaits = w.waits || (m.valid && isMemory && !w.flush)
    w.waits := awaits && !io.data.rsp.valid
    w.dataFault.status := io.data.rsp.fault.status
    w.dataFault.wnr := io.data.rsp.fault.wnr
    w.dataFault.dirty := io.data.rsp.fault.dirty
    w.dataFault.valid := awaits && io.data.rsp.valid && io.data.rsp.fault.valid
    w.accesses := w.waits || isMemory
    w.raw := Mux(isCsr, csr.io.readData, result)
  }

  // ---------------------------------------------------------------- execute
  private val execute = new Area {
    val slot = x.slot
    val isJal = slot.kind === Kind.jal
    val isJalr = slot.kind === Kind.jalr
    val isBranch = slot.kind === Kind.branch
    val isMemory = slot.kind === Kind.memory
    val live = x.valid && !m.redirect

    alu.io.op := x.aluOp
    alu.io.funct3 := slot.funct3
    alu.io.a := x.a
    alu.io.b := x.b

    // A branch backwards is expected to be taken. Whether it is, is known too late to steer fetch.
    val jumps = isJal || isJalr || (isBranch && alu.io.taken)
    val target = Mux(isJalr, alu.io.sum(31 downto 1) @@ False, x.target)
    val badJump = jumps && target(1)
    val near = target(31 downto 12) === slot.pc(31 downto 12)
    val guessed = x.guess.steers && near && target(11 downto 2) === x.guess.offset
    val redirect = live && x.steers && !x.redirected
    val link = slot.pc + 4
    fetch.io.redirect.valid := m.redirect || redirect // a flush comes before both
    fetch.io.redirect.payload := Mux(m.redirect, m.target, x.target)

    val isBlockOp = Seq(L1Op.clean, L1Op.invalidate, L1Op.flush).map(slot.memory === _).orR
    val size = slot.funct3(1 downto 0).asUInt
    val misaligned = isMemory && !isBlockOp &&
      ((size(1) && alu.io.sum(1 downto 0) =/= 0) || (size(0) && alu.io.sum(0)))
    val asks = isMemory && !misaligned
    val olderBad = w.flush || (m.valid && m.slot.exception.valid)

    io.data.cmd.valid := live && asks && memory.ready && !olderBad
    io.data.cmd.payload.va := alu.io.sum
    io.data.cmd.payload.op := slot.memory
    io.data.cmd.payload.size := Mux(isBlockOp, U(0), size)
    io.data.cmd.payload.data := x.storeData
    io.data.cmd.payload.amo := slot.instruction(31 downto 27)
    io.data.cmd.payload.privilege := state.dataPrivilege

    val ready = memory.ready && (!live || !asks || io.data.cmd.ready)
    val fire = live && ready

    multiplier.io.start := ready
    multiplier.io.funct3 := slot.funct3
    multiplier.io.a := x.a
    multiplier.io.b := x.b
    divider.io.start := fire && slot.kind === Kind.div
    divider.io.funct3 := slot.funct3
    divider.io.a := x.a
    divider.io.b := x.b

    val result = Mux(isJal || isJalr, link.asBits, alu.io.result)

    when(memory.ready || w.flush) { m.valid := fire && !w.flush }
    stalls.execute(memory.ready || w.flush, w.flush, x.valid && !live, live && !ready, slot)
    when(m.redirect) { m.steers := False }
    when(ready) {
      m.steers := Mux(jumps, !x.steers && !guessed, x.steers || x.guess.steers)
      m.target := Mux(jumps, target, link)
      m.learns := x.guess.known || x.steers || (jumps && near)
      m.guess.known := Mux(jumps, near, isBranch)
      m.guess.learns(jumps, x.guess)
      m.guess.returns := slot.returns
      m.guess.offset := Mux(jumps, target(11 downto 2), x.guess.offset)
      m.slot := slot
      m.result := Mux(badJump, target.asBits, result)
      m.asid := x.storeData(Satp.asid.width - 1 downto 0)
      m.el1 := Mux(slot.exception.fault, state.fetchPrivilege.el1, state.dataPrivilege.el1)
      when(badJump || misaligned) {
        m.steers := False
        m.learns := False
        m.slot.kind := Kind.alu
        m.slot.exception.valid := True
        m.slot.exception.cause := Cause.storeMisaligned
        when(slot.loads) { m.slot.exception.cause := Cause.loadMisaligned }
        when(badJump) { m.slot.exception.cause := Cause.fetchMisaligned }
      }
    }
    fetch.io.learn.valid := m.valid && m.learns
    fetch.io.learn.pc := m.slot.pc
    fetch.io.learn.guess := m.guess
    val enters = RegNext(fetch.io.output.fire) init False
    fetch.io.calls.valid := enters && slot.calls
    fetch.io.calls.payload := link(11 downto 2)
    fetch.io.returned := enters && slot.returns
    fetch.io.forget := io.sfence.cmd.valid || io.fenceI.cmd.valid
    x.redirected := (x.redirected || redirect) && !(ready || w.flush)
  }

  // ---------------------------------------------------------------- decode
  private val registers = Mem(Bits(32 bits), 32)

  private val decode = new Area {
    val word = fetch.io.output.word
    val decoded = Decoder(word)
    val before = RegNext(state) // no system instruction has acted since then: see `serial`
    val trap = DecodeTrap(fetch.io.output.payload, fetch.io.pc, decoded, before)

    // The youngest older instruction that writes the register has the value; write-back also
    // covers the write that is under way.
    case class Operand(index: UInt, needed: Bool) extends Area {
      def matches(valid: Bool, slot: Slot) = valid && slot.writesRd && slot.rd === index
      val inExecute = matches(x.valid, x.slot)
      val inMemory = matches(m.valid, m.slot)
      val inWrite = matches(w.valid, w.slot)
      val stored = Mux(index === 0, B(0, 32 bits), registers.readAsync(index, writeFirst))
      val value =
        Mux(inExecute, execute.result, Mux(inMemory, m.result, Mux(inWrite, w.value, stored)))
      val hazard = needed && ((inExecute && x.slot.late) || (inMemory && m.slot.late) ||
        (inWrite && w.waits))
    }
    val rs1 = Operand(word(19 downto 15).asUInt, decoded.readsRs1)
    val rs2 = Operand(word(24 downto 20).asUInt, decoded.readsRs2)

    val serial = Seq((x.valid, x.slot), (m.valid, m.slot), (w.valid, w.slot)).map {
      case (valid, slot) => valid && slot.isSystem
    }.orR || memory.serial.forgets
    val stall = rs1.hazard || rs2.hazard || serial
    val go = execute.ready && !stall && !fetch.io.redirect.valid && !w.flush
    fetch.io.output.ready := go
    val imm = Decoder.immediate(word, decoded.imm)
    val target = fetch.io.pc + imm.asUInt

    val moves = execute.ready || w.flush || m.redirect
    when(moves) { x.valid := fetch.io.output.valid && go }
    stalls.decode(moves, w.flush, fetch.io.redirect.valid, fetch.io.output.valid, serial)
    when(execute.ready) {
      x.slot.pc := fetch.io.pc
      x.slot.instruction := word
      x.slot.kind := decoded.kind
      x.slot.memory := decoded.memory
      x.slot.system := decoded.system
      x.slot.writesRd := decoded.writesRd
      x.slot.late := decoded.isLate
      x.slot.exception := trap.exception
      x.aluOp := decoded.aluOp
      x.storeData := rs2.value
      x.target := target
      x.guess := fetch.io.guess
      x.steers := !target(1) && !trap.exception.valid && !fetch.io.guess.known &&
        (decoded.kind === Kind.jal || (decoded.kind === Kind.branch && word.msb))
      x.a := decoded.a.mux(
        OperandA.zero -> B(0, 32 bits),
        OperandA.pc -> fetch.io.pc.asBits,
        OperandA.rs1 -> rs1.value
      )
      x.b := Mux(decoded.bIsRs2, rs2.value, imm)
      when(decoded.memory === L1Op.invalidate && before.cboInvalidFlush) {
        x.slot.memory := L1Op.flush
      }
      when(decoded.kind === Kind.system) { // rs1 passes through, for CSRs and sfence.vma
        x.aluOp := AluOp.add
        x.b := 0
        when(word(14)) { x.a := word(19 downto 15).resize(32) }
      }
      when(trap.exception.valid) { // nothing but the xtval goes on
        x.slot.kind := Kind.alu
        x.slot.writesRd := False
        x.aluOp := AluOp.add
        x.a := trap.tval
        x.b := 0
      }
    }
  }

  // ---------------------------------------------------------------- write-back
  private val writeBack = new Area {
    val slot = w.slot
    registers.write(slot.rd, w.value, enable = w.done && slot.writesRd && !w.trapped)

    // What the port says of a data access; everything else was known when it came here.
    val fault = w.dataFault
    val dataCause = Mux(
      Cause.isAccessFault(fault.status),
      Mux(slot.loads, U(Cause.loadAccess, 4 bits), U(Cause.storeAccess, 4 bits)),
      Mux(slot.loads, U(Cause.loadPage, 4 bits), U(Cause.storePage, 4 bits))
    )
    val cause = Mux(fault.valid, dataCause, slot.exception.cause)

    csr.io.trap.valid := w.trap
    csr.io.trap.interrupt := slot.exception.interrupt
    csr.io.trap.cause := cause
    csr.io.trap.pc := slot.pc
    csr.io.trap.tval := w.result
    csr.io.mret := w.mret
    csr.io.sret := w.sret

    fetch.io.flush.valid := w.flush
    fetch.io.flush.payload := fetch.io.pc // of the next: it waits in decode
    when(w.mret) { fetch.io.flush.payload := state.mepc }
    when(w.sret) { fetch.io.flush.payload := state.sepc }
    when(w.trap) { fetch.io.flush.payload := state.trapVector }
    fetch.io.privilege := state.fetchPrivilege
    fetch.io.port <> io.fetch

    io.fault.valid := w.trap && (fault.valid || slot.exception.fault)
    io.fault.va := w.result.asUInt
    io.fault.status := Mux(fault.valid, fault.status, slot.exception.status)
    io.fault.execute := !fault.valid
    io.fault.wnr := fault.valid && fault.wnr
    io.fault.dirty := fault.valid && fault.dirty
    io.fault.el1 := w.el1

    io.satp := state.satp
    if (io.pmp != null) io.pmp := csr.io.pmp
    io.privilege := state.mode
    io.retired := w.done && !w.trapped && !w.writesInstret

    io.retire.valid := w.done
    io.retire.pc := slot.pc
    io.retire.instruction := slot.instruction
    io.retire.rd := Mux(slot.writesRd && !w.trapped, slot.rd, U(0))
    io.retire.rdValue := w.value
    io.retire.trap := w.trapped
    io.retire.cause := slot.exception.interrupt ## cause.asBits.resize(31)
    io.retire.tval := w.result
    io.retire.privilege := state.mode
    io.retire.stall := stalls.writeBack(w.valid, w.waits, w.trapped, slot)
  }

  csr.io.counters <> io.counters
  io.secondEvents := csr.io.secondEvents
  csr.io.mtime := io.mtime
  csr.io.timer := io.timerInterrupt
  csr.io.software := io.softwareInterrupt
  csr.io.machineExternal := io.machineExternalInterrupt
  csr.io.supervisorExternal := io.supervisorExternalInterrupt
}
