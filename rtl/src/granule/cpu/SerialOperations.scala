package granule.cpu

import granule.arch.Satp
import granule.cache.L1MaintainPort
import granule.mmu.{InvalidateCmd, InvalidateKind, InvalidatePort}
import spinal.core._
import spinal.lib._

/** Handshakes of fence.i and sfence.vma, while `mayAct` says that the instruction is alone.
  *
  * TLBs hold what physical memory protection said of a leaf. So everything is invalidated behind a
  * write of its entries (`entriesChange`), and no instruction is decoded while this `forgets`.
  *
  * Under Sv32, sfence.vma orders what its operands name (privileged ISA, "Supervisor
  * Memory-Management Fence Instruction"): a register that is not x0 chooses the address, or the
  * ASID. Without Sv32 it covers everything.
  */
case class SerialOperations(
    sfence: InvalidatePort,
    fenceI: L1MaintainPort,
    slot: Slot,
    mayAct: Bool,
    entriesChange: Bool
) extends Area {
  private val sent = RegInit(False)
  val forgets = RegInit(False) setWhen entriesChange clearWhen sfence.done
  private val fences = mayAct && slot.is(SystemOp.sfence)

  sfence.cmd.valid := (fences || forgets) && !sent
  sfence.cmd.kind := InvalidateKind.all
  sfence.cmd.lastLevelOnly := False
  sfence.cmd.ds := False
  when(sfence.cmd.fire) { sent := True }
  when(sfence.done) { sent := False }
  val sfenceDone = (sent || sfence.cmd.fire) && sfence.done

  def sfenceOperands(satp: Bits, va: Bits, asid: Bits): Unit = {
    val byVa = slot.instruction(19 downto 15) =/= 0
    val byAsid = slot.instruction(24 downto 20) =/= 0
    sfence.cmd.operand := InvalidateCmd.operandOf(asid, va(31 downto 12))
    when(fences && Satp.mode.bool(satp)) {
      when(byVa && byAsid) { sfence.cmd.kind := InvalidateKind.va }
      when(byVa && !byAsid) { sfence.cmd.kind := InvalidateKind.vaAllAsids }
      when(!byVa && byAsid) { sfence.cmd.kind := InvalidateKind.asid }
    }
  }

  fenceI.cmd.valid := mayAct && slot.is(SystemOp.fenceI)
  fenceI.cmd.clean := True
  fenceI.cmd.invalidate := True
  val fenceIDone = fenceI.done
}
