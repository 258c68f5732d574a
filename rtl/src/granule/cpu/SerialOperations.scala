package granule.cpu

import granule.port._
import spinal.core._
import spinal.lib._

/** Handshakes of fence.i and sfence.vma, while `mayAct` says that the instruction is alone. */
class SerialOperations(sfence: InvalidatePort, fenceI: L1MaintainPort, slot: Slot, mayAct: Bool)
    extends Area {
  private val sent = RegInit(False)

  sfence.cmd.valid           := mayAct && slot.is(SystemOp.sfence) && !sent
  sfence.cmd.kind            := InvalidateKind.all
  sfence.cmd.lastLevelOnly   := False
  sfence.cmd.operand         := 0
  sfence.cmd.ds              := False
  when(sfence.cmd.fire)(sent := True)
  when(sfence.done)(sent     := False)
  val sfenceDone = (sent || sfence.cmd.fire) && sfence.done

  fenceI.cmd.valid      := mayAct && slot.is(SystemOp.fenceI)
  fenceI.cmd.clean      := True
  fenceI.cmd.invalidate := True
  val fenceIDone = fenceI.done
}
