package granule.cpu

import granule.cache.L1Op
import spinal.core._
import spinal.lib._

/** The trap that an instruction is known to take when it leaves decode: an interrupt before it, its
  * failed fetch, or what it is; in this order.
  */
case class DecodeTrap(fetched: Fetched, pc: UInt, decoded: Decoded, state: CsrState) extends Area {
  private val isSystem = decoded.kind === Kind.system
  private val isMemory = decoded.kind === Kind.memory

  private val forbidden = (isSystem && decoded.system.mux(
    SystemOp.mret -> (state.mode =/= Mode.machine),
    SystemOp.sret -> !state.sretLegal,
    SystemOp.wfi -> !state.wfiLegal,
    SystemOp.sfence -> !state.sfenceLegal,
    default -> False
  )) || (isMemory && decoded.memory.mux(
    L1Op.clean -> !state.cboCleanLegal,
    L1Op.flush -> !state.cboCleanLegal,
    L1Op.invalidate -> !state.cboInvalidLegal,
    default -> False
  ))
  private val illegal = !decoded.legal || forbidden
  private val ecall = isSystem && decoded.system === SystemOp.ecall
  private val ebreak = isSystem && decoded.system === SystemOp.ebreak

  val exception = PendingTrap()
  exception.valid := state.interrupt.valid || fetched.fault || illegal || ecall || ebreak
  exception.interrupt := state.interrupt.valid
  exception.fault := fetched.fault && !state.interrupt.valid
  exception.status := fetched.status

  private val access = Cause.isAccessFault(fetched.status)
  exception.cause := PriorityMux(
    Seq(
      state.interrupt.valid -> state.interrupt.payload,
      fetched.fault -> Mux(access, U(Cause.fetchAccess, 4 bits), U(Cause.fetchPage, 4 bits)),
      illegal -> U(Cause.illegal, 4 bits),
      ebreak -> U(Cause.breakpoint, 4 bits),
      True -> (U"10" @@ state.mode.asUInt) // ecall
    )
  )

  val tval = Bits(32 bits)
  tval := PriorityMux(
    Seq(
      state.interrupt.valid -> B(0, 32 bits),
      fetched.fault -> pc.asBits,
      illegal -> fetched.word,
      ebreak -> pc.asBits,
      True -> B(0, 32 bits)
    )
  )
}
