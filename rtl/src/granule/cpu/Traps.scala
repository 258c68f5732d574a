package granule.cpu

import granule.arch.FaultStatus
import granule.cache.L1Op
import spinal.core._
import spinal.lib._

/** Privilege modes, as mstatus.MPP and csr[9:8] encode them. */
object Mode {
  def user = B"00"
  def supervisor = B"01"
  def machine = B"11"
}

/** Exception codes of xcause, and what may be delegated (privileged ISA 3.1.8, 3.1.15). */
object Cause {
  val fetchMisaligned = 0
  val fetchAccess = 1
  val illegal = 2
  val breakpoint = 3
  val loadMisaligned = 4
  val loadAccess = 5
  val storeMisaligned = 6
  val storeAccess = 7
  val fetchPage = 12
  val loadPage = 13
  val storePage = 15

  val delegable: Seq[Int] = (0 to 9) ++ Seq(fetchPage, loadPage, storePage)

  /** What memory refuses, of access or walk, is an access fault; all else is a page fault. */
  def isAccessFault(status: Bits): Bool = FaultStatus.ofMemory.map(status === _).orR
}

/** Interrupt numbers, in the order in which they are taken (privileged ISA 3.1.9). */
object Interrupt {
  val supervisorSoftware = 1
  val machineSoftware = 3
  val supervisorTimer = 5
  val machineTimer = 7
  val supervisorExternal = 9
  val machineExternal = 11

  val supervisor: Seq[Int] = Seq(supervisorExternal, supervisorSoftware, supervisorTimer)
  val byPriority: Seq[Int] = Seq(machineExternal, machineSoftware, machineTimer) ++ supervisor
}

/** A trap at the moment in which it is taken. */
case class TrapEntry() extends Bundle {
  val interrupt = Bool()
  val cause = UInt(4 bits)
  val pc = UInt(32 bits)
  val tval = Bits(32 bits)
}

/** Trap decisions: combinational functions of the trap registers. */
object Traps {

  /** The interrupt to take now, if any. Interrupts for M come before all that are delegated. */
  def pendingInterrupt(
      active: Bits, // mip & mie
      mideleg: Bits,
      mode: Bits,
      machineEnable: Bool,
      supervisorEnable: Bool
  ): Flow[UInt] = {
    val forMachine = mode =/= Mode.machine || machineEnable
    val forSupervisor = mode === Mode.user || (mode === Mode.supervisor && supervisorEnable)
    val candidates = Interrupt.byPriority.map(n => (n, active(n) && !mideleg(n) && forMachine)) ++
      Interrupt.supervisor.map(n => (n, active(n) && mideleg(n) && forSupervisor))

    val request = Flow(UInt(4 bits))
    request.valid := candidates.map(_._2).orR
    request.payload := PriorityMux(candidates.map { case (n, yes) => (yes, U(n, 4 bits)) })
    request
  }

  /** Does the trap go to S-mode? */
  def delegated(trap: TrapEntry, medeleg: Bits, mideleg: Bits, mode: Bits): Bool =
    mode =/= Mode.machine && Mux(trap.interrupt, mideleg, medeleg)(15 downto 0)(trap.cause)

  /** Address of the handler: xtvec bit 0 set means one entry for each interrupt. */
  def vector(xtvec: Bits, trap: TrapEntry): UInt = {
    val entry = Mux(trap.interrupt && Xtvec.vectored.bool(xtvec), trap.cause, U(0, 4 bits))
    ((Xtvec.base.of(xtvec).asUInt + entry) @@ U"00")
  }
}

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

  val tval = PriorityMux(
    Seq(
      state.interrupt.valid -> B(0, 32 bits),
      fetched.fault -> pc.asBits,
      illegal -> fetched.word,
      True -> pc.asBits.andMask(ebreak)
    )
  )
}
