package granule.bench

import granule.cache.{L1DataCmd, L1Op}
import granule.cpu.{Cpu, Mode}
import spinal.core._
import spinal.lib._

/** Registers by which a test program drives and observes the core's other ports. Offsets:
  * {{{
  *   00 tohost            w   the run ends
  *   04 interrupt lines   rw  0 timer, 1 software, 2 external of M, 3 of S
  *   08 timer delay       w   the timer line rises that many cycles later
  *   0c faults reported   r   count
  *   10 last fault        r   status 5:0, el1 6, wnr 7, execute 8
  *   14 last fault's VA   r
  *   18 sfence commands   r   count; 1c fence.i commands, done
  *   20 accesses          r   loads and stores performed so far, test registers left out
  *   24 last cache block operation  r  L1Op in 31:29, va 28:0
  *   28 cycle             r
  *   2c last sfence.vma   r   InvalidateKind; 30, 34 its operand, low and high word
  *   38 privilege of the last load or store    r   0 el1, 1 pan, 2 mxr, 3 untranslated
  *   3c satp              r   as the MMU sees it
  * }}}
  */
case class CpuBenchRegisters(cpu: Cpu) extends Area {
  val io = new Area {
    val address = UInt(6 bits)
    val write = Bool()
    val writeData = Bits(32 bits)
    val readData = Bits(32 bits)
    val done = Bool() // data command `cmd` is performed
    val cmd = L1DataCmd()
    val lateDone = Bool()
    val tohost = Flow(Bits(32 bits))
    val serialBusy = Bool()
  }
  private def hit(offset: Int) = io.write && io.address === offset / 4
  private def count(event: Bool) = {
    val n = RegInit(U(0, 32 bits))
    when(event) { n := n + 1 }
    n
  }

  io.tohost.valid := hit(0)
  io.tohost.payload := io.writeData

  private val lines = RegInit(B(0, 4 bits))
  private val delay = RegInit(U(0, 32 bits))
  when(delay =/= 0) { delay := delay - 1 }
  when(delay === 1) { lines(0) := True }
  when(hit(0x04)) { lines := io.writeData(3 downto 0) }
  when(hit(0x08)) { delay := io.writeData.asUInt }
  cpu.io.timerInterrupt := lines(0)
  cpu.io.softwareInterrupt := lines(1)
  cpu.io.machineExternalInterrupt := lines(2)
  cpu.io.supervisorExternalInterrupt := lines(3)

  private val fault = cpu.io.fault
  private val faults = count(fault.valid)
  private val faultVa = RegNextWhen(fault.va, fault.valid) init 0
  private val faultWhat =
    RegNextWhen(fault.execute ## fault.wnr ## fault.el1 ## fault.status, fault.valid) init 0

  /** An operation with a handshake: accepted, and done 12 cycles later. */
  private def delayed(start: Bool) = {
    val left = RegInit(U(0, 4 bits))
    when(start) { left := 12 }
    when(left =/= 0) { left := left - 1 }
    (left === 1, left =/= 0)
  }
  private val sfence = cpu.io.sfence
  private val (sfenceDone, sfenceBusy) = delayed(sfence.cmd.fire)
  sfence.cmd.ready := !sfenceBusy && !io.lateDone
  sfence.done := sfenceDone
  private val sfences = count(sfence.cmd.fire)
  private val lastSfence = RegNextWhen(sfence.cmd.payload, sfence.cmd.fire)

  private val fenceI = cpu.io.fenceI
  private val fenceIStart = Bool()
  private val (fenceIDone, fenceIBusy) = delayed(fenceIStart)
  fenceIStart := fenceI.cmd.valid && !fenceIBusy
  fenceI.cmd.ready := fenceIDone
  fenceI.done := fenceIDone
  private val fenceIs = count(fenceI.cmd.fire && fenceI.cmd.clean && fenceI.cmd.invalidate)
  io.serialBusy := fenceIBusy || sfenceBusy

  private val isRegister = io.cmd.va(31 downto 28) === 0xc
  private val isBlockOp =
    io.cmd.op === L1Op.clean || io.cmd.op === L1Op.invalidate || io.cmd.op === L1Op.flush
  private val accesses = count(io.done && !isRegister && !isBlockOp)
  private val blockOp =
    RegNextWhen(io.cmd.op.asBits ## io.cmd.va(28 downto 0), io.done && isBlockOp) init 0

  private val p = io.cmd.privilege
  private val lastPrivilege =
    RegNextWhen(p.untranslated ## p.mxr ## p.pan ## p.el1, io.done && !isRegister) init 0

  // Counters: cycle, instret and the first event count, the others hold their number.
  private val counters = cpu.io.counters
  private def counter(index: Int, event: Bool) = {
    val n = RegInit(U(0, 64 bits))
    when(event && !counters.inhibit(index)) { n := n + 1 }
    when(counters.write && counters.index === index) {
      when(counters.writeHigh) { n(63 downto 32) := counters.writeData.asUInt }
        .otherwise(n(31 downto 0) := counters.writeData.asUInt)
    }
    n
  }
  private val cycles = counter(0, True)
  private val instret = counter(2, cpu.io.retired)
  private val inKernel = counter(3, cpu.io.privilege === Mode.supervisor)
  counters.value := counters.index.mux(
    0 -> cycles,
    2 -> instret,
    3 -> inKernel,
    default -> counters.index.resize(64)
  )
  private val now = count(True)
  cpu.io.mtime := U(0x12345678L, 32 bits) @@ now

  io.readData := (io.address << 2).mux(
    0x04 -> lines.resize(32),
    0x0c -> faults.asBits,
    0x10 -> faultWhat.resize(32),
    0x14 -> faultVa.asBits,
    0x18 -> sfences.asBits,
    0x1c -> fenceIs.asBits,
    0x20 -> accesses.asBits,
    0x24 -> blockOp,
    0x28 -> now.asBits,
    0x2c -> lastSfence.kind.asBits.resize(32),
    0x30 -> lastSfence.operand(31 downto 0),
    0x34 -> lastSfence.operand(63 downto 32),
    0x38 -> lastPrivilege.resize(32),
    0x3c -> cpu.io.satp,
    default -> B(0, 32 bits)
  )
}
