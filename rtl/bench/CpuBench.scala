package granule.bench

import granule.arch.{FaultStatus, TableFormat}
import granule.cache.{L1DataCmd, L1FetchCmd, L1Op, Privilege, StoreTrace}
import granule.cpu.{Cpu, Retire}
import spinal.core._
import spinal.lib._

/** A Cpu on models of its neighbours, for tests that need no cache and no MMU.
  *
  * The high digit of a virtual address chooses what answers:
  * {{{
  *   8  memory, for everyone           A  the same memory as a kernel page: not for U-mode
  *   9  fault; status is va 17:12,     B  the same memory as a user page: not to be executed in
  *      wnr is False if va 18 is set      S-mode, nor touched with PAN
  *   C  test registers, see [[CpuBenchRegisters]]
  * }}}
  * Everything else is a bus error. `hold` keeps the core in reset; meanwhile `load` writes words.
  * With `stalls`, ready and answers come late, pseudo-randomly. `violation` is sticky, one bit for
  * each broken rule of a port; see the end of this file.
  */
case class CpuBench(
    resetPc: Long,
    sv32: Boolean,
    pmpEntries: Int,
    memoryBytes: Int = 256 * 1024
) extends Component {
  val io = new Bundle {
    val hold = in(Bool())
    val stalls = in(Bool())
    val load = slave(Flow(MemoryWrite()))
    val retire = out(Retire())
    val store = out(Flow(StoreTrace(32)))
    val tohost = master(Flow(Bits(32 bits)))
    val violation = out(Bits(5 bits))
  }

  private val coreDomain = clockDomain.copy(reset = clockDomain.readResetWire || io.hold)
  private val memory = Mem(Bits(32 bits), memoryBytes / 4)
  private def wordAddress(va: UInt) = va(log2Up(memoryBytes) - 1 downto 2)

  // Not reset by `hold`, so that every run sees other stalls.
  private val random = Reg(Bits(32 bits)) init 0x1234567
  random := random(30 downto 0) ## (random(31) ^ random(21) ^ random(1) ^ random(0))

  private val core = coreDomain(new Area {
    val cpu = Cpu(resetPc, sv32, pmpEntries)
    val registers = CpuBenchRegisters(cpu)
    def late(bit: Int) = io.stalls && random(bit) && random(bit + 3)

    val faultPermission = B(FaultStatus.permission.level0 + TableFormat.lastLevel, 6 bits)
    def region(va: UInt, digit: Int) = va(31 downto 28) === digit
    def isRam(va: UInt) = va(31 downto 30) === 2 && !region(va, 9)

    /** Fault of an access at `va`: valid, status. */
    def check(va: UInt, p: Privilege, execute: Boolean): (Bool, Bits) = {
      val user = !p.el1 && !p.untranslated
      val denied = (region(va, 0xa) && user) ||
        (region(va, 0xb) && p.el1 && (if (execute) True else p.pan))
      val mapped = isRam(va) || region(va, 9) || (if (execute) False else region(va, 0xc))
      val status =
        Mux(
          denied,
          faultPermission,
          Mux(region(va, 9), va(17 downto 12).asBits, FaultStatus.accessAbort)
        )
      (denied || region(va, 9) || !mapped, status)
    }

    val fetch = new Area {
      val port = cpu.io.fetch
      val valid = RegInit(False)
      val cmd = Reg(L1FetchCmd())
      val answers = valid && !late(4)
      port.cmd.ready := (!valid || answers) && !late(9)
      when(answers) { valid := False }
      when(port.cmd.fire) { valid := True; cmd := port.cmd.payload }
      val (fault, status) = check(cmd.va, cmd.privilege, execute = true)
      port.rsp.valid := answers
      port.rsp.data := memory.readAsync(wordAddress(cmd.va), writeFirst)
      port.rsp.fault.valid := fault
      port.rsp.fault.status := status
      port.rsp.fault.wnr := False
      port.rsp.fault.dirty := False
    }

    val data = new Area {
      val port = cpu.io.data
      val valid = RegInit(False)
      val cmd = Reg(L1DataCmd())
      val answers = valid && !late(14)
      port.cmd.ready := (!valid || answers) && !late(19)
      val (fault, status) = check(cmd.va, cmd.privilege, execute = false)
      when(answers) { valid := False }
      when(port.cmd.fire) { valid := !(answers && fault); cmd := port.cmd.payload }

      val access = BenchAccess(cmd)
      val index = wordAddress(cmd.va)
      val reserved = RegInit(False)
      val reservedAt = Reg(UInt(32 bits))
      val scWins = reserved && reservedAt === cmd.va
      val old = Mux(isRam(cmd.va), memory.readAsync(index, writeFirst), registers.io.readData)
      access.old := old
      val done = answers && !fault
      val writes = done && (access.isStore || access.isAmo || (cmd.op === L1Op.sc && scWins))
      when(done && cmd.op === L1Op.lr) { reserved := True; reservedAt := cmd.va }
      when(done && cmd.op === L1Op.sc) { reserved := False }

      port.rsp.valid := answers
      val answer = CombInit(old)
      when(cmd.op === L1Op.sc) { answer := (!scWins).asBits.resized }
      port.rsp.data := RegNext(answer)
      port.rsp.fault.valid := fault
      port.rsp.fault.status := status
      port.rsp.fault.dirty := False
      port.rsp.fault.wnr := access.forWrite && !(region(cmd.va, 9) && cmd.va(18))

      registers.io.address := cmd.va(7 downto 2)
      registers.io.writeData := access.data
      registers.io.write := writes && region(cmd.va, 0xc)
      registers.io.done := done
      registers.io.cmd := cmd
      memory.write(
        address = Mux(io.hold, io.load.address, index),
        data = Mux(io.hold, io.load.data, access.data),
        enable = Mux(io.hold, io.load.valid, writes && isRam(cmd.va)),
        mask = Mux(io.hold, B"1111", access.mask)
      )
      io.store.valid := writes && isRam(cmd.va)
      io.store.pa := cmd.va
      io.store.data := access.data
      io.store.mask := access.mask
    }

    registers.io.lateDone := late(24)
    // Nobody translates here; what is late is the caches.
    cpu.io.waits.fetchTranslates := False
    cpu.io.waits.fetchFills := False
    cpu.io.waits.dataTranslates := False
    io.tohost := registers.io.tohost
    io.retire := cpu.io.retire

    val rules = new Area {
      private def moved[T <: Data](s: Stream[T]) = {
        val stalled = RegNext(s.isStall) init False
        stalled && (!s.valid || RegNext(s.payload) =/= s.payload)
      }
      val faulted = RegNext(data.answers && data.fault) init False
      val waiting = registers.io.serialBusy
      val broken = Vec(
        moved(fetch.port.cmd), // 0: fetch command changed
        moved(data.port.cmd) && !faulted, // 1: data command changed
        waiting && cpu.io.retire.valid, // 2: fence did not wait
        waiting && data.port.cmd.valid, // 3: data passed a fence
        fetch.port.cmd.valid && fetch.port.cmd.va(1 downto 0) =/= 0 // 4: misaligned fetch
      )
      val sticky = RegInit(B(0, 5 bits))
      sticky := sticky | broken.asBits
      io.violation := sticky
    }
  })
}

/** One word that `load` writes. */
case class MemoryWrite() extends Bundle {
  val address = UInt(16 bits)
  val data = Bits(32 bits)
}
