package granule.walk

import granule.format.TlbiOperand
import granule.port.{InvalidateCmd, InvalidateKind}
import spinal.core._
import spinal.lib._

/** Whether an invalidation concerns a walk under way: unless ASID or half say that it does not. */
object Kill {
  def concerns(command: InvalidateCmd, upper: Bool, asid: Bits): Bool = {
    def is(kinds: SpinalEnumElement[InvalidateKind.type]*) = kinds.map(command.kind === _).orR
    val byVa      = is(InvalidateKind.va, InvalidateKind.vaAllAsids)
    val byRange   = is(InvalidateKind.range, InvalidateKind.rangeAllAsids)
    val otherAsid = TlbiOperand.asid.of(command.operand) =/= asid.resize(16)
    val commandUpper =
      byVa ? TlbiOperand.va.msb(command.operand) | TlbiOperand.base.msb(command.operand)
    !(is(InvalidateKind.asid) && otherAsid || (byVa || byRange) && commandUpper =/= upper)
  }
}
