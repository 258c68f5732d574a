package granule.cpu

import granule.arch.BitField
import granule.cache.Privilege
import granule.options.Pmp
import spinal.core._
import spinal.lib._

/** A CSR instruction. `source` is rs1 or the immediate; funct3 1:0 is 1 write, 2 set, 3 clear. */
case class CsrAccess() extends Bundle {
  val instruction = Bits(32 bits)
  val source = Bits(32 bits)

  def address: Bits = instruction(31 downto 20)
  def funct3: Bits = instruction(14 downto 12)

  /** Set and clear with x0 or an immediate of zero do not write, and so may read anything. */
  def writes: Bool = !funct3(1) || instruction(19 downto 15) =/= 0
}

/** What the pipeline needs to know of the state; steady while no system instruction acts. */
case class CsrState() extends Bundle {
  val mode = Bits(2 bits)
  val dataPrivilege = Privilege() // of loads and stores: MPRV and SUM count
  val fetchPrivilege = Privilege()
  val sretLegal = Bool()
  val wfiLegal = Bool()
  val sfenceLegal = Bool()
  val cboCleanLegal = Bool()
  val cboInvalidLegal = Bool()
  val cboInvalidFlush = Bool() // cbo.inval cleans first
  val wakeUp = Bool() // what ends a wfi
  val interrupt = Flow(UInt(4 bits))
  val trapVector = UInt(32 bits)
  val mepc, sepc = UInt(32 bits)
  val satp = Bits(32 bits)
}

/** Control and status registers, trap entry and return (privileged ISA 1.12, chapters 3 and 4).
  *
  * `access` is answered in the next cycle by `readData` and `illegal`; with `execute` in that one a
  * legal write takes effect at its end. `trap`, `mret` and `sret` act likewise; never two at once.
  * Physical memory protection is in [[PmpRegisters]]. With `sv32` every value of satp is
  * legal: MODE is Bare or Sv32, all 9 bits of ASID exist. Without, satp is read-only zero.
  */
case class Csr(sv32: Boolean, pmpEntries: Int) extends Component {
  val io = new Bundle {
    val access = in(CsrAccess())
    val execute = in(Bool())
    val readData = out(Bits(32 bits))
    val illegal = out(Bool())
    val writesInstret = out(Bool())
    val refetches = out(Bool()) // it changes what a fetch is, or may do
    val trap = slave(Flow(TrapEntry()))
    val mret, sret = in(Bool())
    val state = out(CsrState())
    val pmp = (pmpEntries > 0) generate out(Pmp(pmpEntries))
    val counters = master(CounterPort())
    val secondEvents = out(Bits(PerfEvent.all.size bits))
    val mtime = in(UInt(64 bits))
    val timer, software = in(Bool())
    val machineExternal, supervisorExternal = in(Bool())
  }

  // The reset values of mode, MIE and MPRV are architectural; the others are a choice.
  val mode = RegInit(Mode.machine)
  val status = RegInit(Status().getZero)
  private def word(): Bits = RegInit(B(0, 32 bits))

  val mtvec, stvec, mepc, sepc, mtval, stval = word()
  val mscratch, sscratch, mcounteren, scounteren, inhibited = word()
  val medeleg, mideleg, mie = word()
  val satp = if (sv32) word() else B(0, 32 bits)
  val mcause, scause = RegInit(B(0, 5 bits)) // bit 4: interrupt
  val softPending = RegInit(B(0, 32 bits)) // SSIP, STIP, and software's part of SEIP
  val blockM, blockS = Reg(CacheBlockControl())
  // S-mode's cbo.inval flushes, so that it cannot undo a store of M-mode; U-mode has none of these.
  blockM.invalidate init 1
  blockM.clean init True
  blockS.invalidate init 0
  blockS.clean init False

  private def bits(numbers: Seq[Int]): Bits = B(numbers.map(BigInt(1) << _).sum, 32 bits)
  private val supervisorBits = bits(Interrupt.supervisor)
  private val supervisorSoftware = bits(Seq(Interrupt.supervisorSoftware))

  private val lines = B(0, 32 bits)
  lines(Interrupt.machineTimer) := RegNext(io.timer) init False
  lines(Interrupt.machineSoftware) := RegNext(io.software) init False
  lines(Interrupt.machineExternal) := RegNext(io.machineExternal) init False
  lines(Interrupt.supervisorExternal) := RegNext(io.supervisorExternal) init False
  private val mip = softPending | lines

  private def cause(w: Bits) =
    BitField.word(Xcause.interrupt -> w.msb, Xcause.code -> Xcause.code.of(w))
  private def setCause(r: Bits)(w: Bits) =
    r := Xcause.interrupt.bool(w) ## Xcause.code.of(w)
  private def setWord(r: Bits)(w: Bits) = r := w
  private def setMasked(r: Bits, mask: Bits)(w: Bits) = r := (r & ~mask) | (w & mask)
  private def setPc(r: Bits)(w: Bits) = r := BitField.word(Xepc.pc -> Xepc.pc.of(w))
  private def setVector(r: Bits)(w: Bits) =
    r := BitField.word(Xtvec.base -> Xtvec.base.of(w), Xtvec.vectored -> Xtvec.vectored.bool(w))

  private val isMachine = mode === Mode.machine
  private val isSupervisor = mode === Mode.supervisor

  private val misa = B((BigInt(1) << 30) + "AIMSU".map(c => BigInt(1) << (c - 'A')).sum, 32 bits)

  private val protection = PmpRegisters(pmpEntries)
  if (pmpEntries > 0) io.pmp := protection.pmp

  // tdata1.type 0: there are no triggers.
  private def zeros = Seq(
    0x310 -> "mstatush",
    0x31a -> "menvcfgh",
    0x7a0 -> "tselect",
    0x7a1 -> "tdata1",
    0x7a2 -> "tdata2",
    0xf11 -> "mvendorid",
    0xf12 -> "marchid",
    0xf13 -> "mimpid",
    0xf14 -> "mhartid",
    0xf15 -> "mconfigptr"
  )

  private val table: Seq[CsrEntry] = protection.csrs ++ Seq(
    CsrEntry(0x100, "sstatus", status.supervisorView, status.writeSupervisor),
    CsrEntry(0x104, "sie", mie & mideleg, setMasked(mie, mideleg)),
    CsrEntry(0x105, "stvec", stvec, setVector(stvec)),
    CsrEntry(0x106, "scounteren", scounteren, setWord(scounteren)),
    CsrEntry(0x10a, "senvcfg", blockS.view, blockS.write),
    CsrEntry(0x140, "sscratch", sscratch, setWord(sscratch)),
    CsrEntry(0x141, "sepc", sepc, setPc(sepc)),
    CsrEntry(0x142, "scause", cause(scause), setCause(scause)),
    CsrEntry(0x143, "stval", stval, setWord(stval)),
    CsrEntry(0x144, "sip", mip & mideleg, setMasked(softPending, mideleg & supervisorSoftware)),
    CsrEntry(0x180, "satp", satp, w => if (sv32) satp := w, Some(!(isSupervisor && status.tvm))),
    CsrEntry(0x300, "mstatus", status.machineView, status.writeMachine),
    CsrEntry(0x301, "misa", misa),
    CsrEntry(0x302, "medeleg", medeleg, setMasked(medeleg, bits(Cause.delegable))),
    CsrEntry(0x303, "mideleg", mideleg, setMasked(mideleg, supervisorBits)),
    CsrEntry(0x304, "mie", mie, setMasked(mie, bits(Interrupt.byPriority))),
    CsrEntry(0x305, "mtvec", mtvec, setVector(mtvec)),
    CsrEntry(0x306, "mcounteren", mcounteren, setWord(mcounteren)),
    CsrEntry(0x30a, "menvcfg", blockM.view, blockM.write),
    CsrEntry(0x320, "mcountinhibit", inhibited, w => inhibited := w & ~bits(Seq(1))),
    CsrEntry(0x340, "mscratch", mscratch, setWord(mscratch)),
    CsrEntry(0x341, "mepc", mepc, setPc(mepc)),
    CsrEntry(0x342, "mcause", cause(mcause), setCause(mcause)),
    CsrEntry(0x343, "mtval", mtval, setWord(mtval)),
    CsrEntry(0x344, "mip", mip, setMasked(softPending, supervisorBits))
  ) ++ zeros.map { case (address, name) => CsrEntry(address, name, B(0, 32 bits)) }

  private val address = io.access.address

  /** Counters: the same 32 at 0xb00, 0xb80 (high words), 0xc00 and 0xc80. */
  private val counter = new Area {
    val index = address(4 downto 0).asUInt
    val high = address(7)
    val isMachine = address === M"1011-00-----" && index =/= 1 // there is no mtime here
    val isUser = address === M"1100-00-----"
    val enabled = mcounteren(index) && (isSupervisor || scounteren(index))
    val denied = isUser && mode =/= Mode.machine && !enabled
    val value = Mux(isUser && index === 1, io.mtime, io.counters.value)
    val read = Mux(high, value(63 downto 32), value(31 downto 0)).asBits
  }

  /** mhpmevent3..31: 1 + the number of the event, 0 where there is none. Only the bit that chooses
    * a second event can be written, and only where there is one.
    */
  private val event = new Area {
    val hit = address === M"0011001-----" && counter.index >= 3
    val first = 3 + PerfEvent.all.size // without an event
    val exists = if (first > 31) True else counter.index < first
    val second = RegInit(B(0, PerfEvent.all.size bits))
    val chosen = (second.resize(29) ## B"000")(counter.index)
    val number = chosen ## (counter.index - 2)
    val read = Mux(exists, number.resize(32), B(0, 32 bits))
    val written = RegNext(hit)
    def write(data: Bits): Unit = for (n <- PerfEvent.second.keys.toSeq.sorted)
      when(written && counter.index === 3 + n) { second(n) := data(PerfEvent.chooseSecond) }
  }

  private val hits = table.map(e => address === e.address)
  private val written = hits.map(RegNext(_))
  io.readData := RegNext(
    (table.zip(hits).map { case (e, hit) => e.read.andMask(hit) } ++ Seq(
      counter.read.andMask(counter.isMachine || counter.isUser),
      event.read.andMask(event.hit)
    )).reduceBalancedTree(_ | _)
  )

  private val exists = hits.orR || counter.isMachine || event.hit || counter.isUser
  private val denied = table.zip(hits).flatMap { case (e, hit) => e.allow.map(hit && !_) }.orR ||
    counter.denied
  private val readOnly = address(11 downto 10) === 3
  io.illegal := RegNext(
    !exists || denied || address(9 downto 8).asUInt > mode.asUInt ||
      (readOnly && io.access.writes)
  )

  private val write = new Area {
    val enable = io.execute && io.access.writes && !io.illegal
    // Set and clear must not make software's SEIP out of the external line's.
    val old = CombInit(io.readData)
    when(address === 0x344) {
      old(Interrupt.supervisorExternal) := softPending(Interrupt.supervisorExternal)
    }
    val data = io.access
      .funct3(1 downto 0)
      .mux(
        2 -> (old | io.access.source),
        3 -> (old & ~io.access.source),
        default -> io.access.source
      )
    for ((e, hit) <- table.zip(written)) when(enable && hit) { e.write(data) }
    when(enable) { event.write(data) }
  }
  io.counters.index := counter.index
  io.secondEvents := event.second
  io.counters.inhibit := inhibited
  // A write acts behind itself: it retires in the next cycle, and counts as before.
  io.counters.inhibit(2) := RegNext(inhibited(2)) init False
  io.counters.write := write.enable && counter.isMachine
  io.counters.writeHigh := counter.high
  io.counters.writeData := write.data
  io.writesInstret := io.counters.write && counter.index === 2
  io.refetches := Bool(sv32) && write.enable && address === 0x180
  if (pmpEntries > 0) io.refetches setWhen protection.pmp.changes

  private val trap = new Area {
    val entry = io.trap.payload
    val toSupervisor = Traps.delegated(entry, medeleg, mideleg, mode)
    when(io.trap.valid) {
      when(toSupervisor) {
        scause := entry.interrupt ## entry.cause
        sepc := entry.pc.asBits
        stval := entry.tval
        status.spie := status.sie
        status.sie := False
        status.spp := mode(0)
        mode := Mode.supervisor
      } otherwise {
        mcause := entry.interrupt ## entry.cause
        mepc := entry.pc.asBits
        mtval := entry.tval
        status.mpie := status.mie
        status.mie := False
        status.mpp := mode
        mode := Mode.machine
      }
    }
    when(io.mret) {
      mode := status.mpp
      status.mie := status.mpie
      status.mpie := True
      status.mpp := Mode.user
      when(status.mpp =/= Mode.machine) { status.mprv := False }
    }
    when(io.sret) {
      mode := False ## status.spp
      status.sie := status.spie
      status.spie := True
      status.spp := False
      status.mprv := False
    }
  }

  private val state = io.state
  private val dataMode = Mux(isMachine && status.mprv, status.mpp, mode)
  private def privilege(p: Privilege, m: Bits, pan: Bool, mxr: Bool): Unit = {
    p.el1 := m === Mode.supervisor
    p.pan := m === Mode.supervisor && pan
    p.mxr := mxr
    p.untranslated := m === Mode.machine
  }
  privilege(state.dataPrivilege, dataMode, !status.sum, status.mxr)
  privilege(state.fetchPrivilege, mode, False, False)
  state.mode := mode
  state.sretLegal := isMachine || (isSupervisor && !status.tsr)
  state.wfiLegal := isMachine || (isSupervisor && !status.tw)
  state.sfenceLegal := isMachine || (isSupervisor && !status.tvm)
  state.cboCleanLegal := isMachine || (blockM.clean && (isSupervisor || blockS.clean))
  state.cboInvalidLegal := isMachine ||
    (blockM.invalidate(0) && (isSupervisor || blockS.invalidate(0)))
  state.cboInvalidFlush := !isMachine &&
    !(blockM.invalidate(1) && (isSupervisor || blockS.invalidate(1)))
  private val active = mip & mie
  state.wakeUp := active.orR
  state.interrupt := Traps.pendingInterrupt(active, mideleg, mode, status.mie, status.sie)
  state.trapVector := Traps.vector(Mux(trap.toSupervisor, stvec, mtvec), trap.entry)
  state.mepc := mepc.asUInt
  state.sepc := sepc.asUInt
  state.satp := satp
}
