package granule.cpu

import granule.cache.{L1DataPort, L1FetchPort, L1MaintainPort}
import granule.ip.FaultReport
import granule.mmu.InvalidatePort
import granule.options.Pmp
import spinal.core._
import spinal.lib._

/** Ports of the core.
  *
  * @field sfence      a command for each sfence.vma and each write of PMP's entries; see
  *                    [[SerialOperations]].
  * @field fenceI      clean and invalidate for each fence.i, held until `done`.
  * @field fault       pulses when a trap for a fetch or data fault is taken.
  * @field satp        the CSR, for the MMU; `pmp`: those of memory protection, if there are any.
  * @field mtime       for the time CSR.
  * @field privilege   the current mode: 0 U, 1 S, 3 M.
  * @field secondEvents  bit n: counter 3 + n counts its second event ([[PerfEvent.second]]).
  * @field waits       what the caches wait for.
  * @field retired     one instruction retired (minstret).
  */
case class CpuIo(pmpEntries: Int) extends Bundle {
  val fetch = master(L1FetchPort())
  val data = master(L1DataPort())
  val counters = master(CounterPort())
  val secondEvents = out(Bits(PerfEvent.all.size bits))
  val sfence = master(InvalidatePort())
  val fenceI = master(L1MaintainPort())
  val fault = master(Flow(FaultReport()))
  val satp = out(Bits(32 bits))
  val pmp = (pmpEntries > 0) generate out(Pmp(pmpEntries))
  val timerInterrupt = in(Bool())
  val softwareInterrupt = in(Bool())
  val machineExternalInterrupt = in(Bool())
  val supervisorExternalInterrupt = in(Bool())
  val mtime = in(UInt(64 bits))
  val waits = in(CacheWaits())
  val privilege = out(Bits(2 bits))
  val retired = out(Bool())
  val retire = out(Retire())
}

/** One instruction as it leaves the pipeline; for test benches.
  *
  * @field valid      the instruction is complete: retired, or (with `trap`) replaced by a trap.
  * @field rd         register written, 0 if none.
  * @field trap       the instruction did not retire; xcause and xtval get `cause` and `tval`.
  * @field stall      why none retires in this cycle.
  * @field privilege  mode in which the instruction ran: 0 U, 1 S, 3 M.
  */
case class Retire() extends Bundle {
  val valid = Bool()
  val pc = UInt(32 bits)
  val instruction = Bits(32 bits)
  val rd = UInt(5 bits)
  val rdValue = Bits(32 bits)
  val trap = Bool()
  val cause = Bits(32 bits)
  val tval = Bits(32 bits)
  val privilege = Bits(2 bits)
  val stall = Stall()
}
