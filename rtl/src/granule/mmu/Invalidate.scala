package granule.mmu

import granule.arch.{BitField, TlbiOperand}
import spinal.core._
import spinal.lib._

/** Kinds of TLB invalidation (spec 8.2). */
object InvalidateKind extends SpinalEnum(binarySequential) {
  val all, asid, va, vaAllAsids, range, rangeAllAsids = newElement()

  /** The kind that a code means; others invalidate everything, which is always allowed. */
  def of(code: Bits): InvalidateKind.C = {
    val kind = InvalidateKind()
    kind := all
    for ((k, i) <- elements.zipWithIndex)
      when(code === i) { kind := k.asInstanceOf[SpinalEnumElement[InvalidateKind.type]] }
    kind
  }
}

/** One command format for all kinds.
  *
  * @field lastLevelOnly leaf entries only; walk-cache entries may stay (VALE1, VAALE1, RVALE1...).
  * @field operand       the 64-bit operand as spec 8.3 (VA kinds) or 8.4 (range kinds) lays it out,
  *                      ASID in bits 63:48 for every kind that has one.
  * @field ds            TCR.DS: the base of a range counts in 64 KiB steps; with LPA2 or D128 only.
  */
case class InvalidateCmd() extends Bundle {
  val kind = InvalidateKind()
  val lastLevelOnly = Bool()
  val operand = Bits(64 bits)
  val ds = Bool()

  private def is(kinds: SpinalEnumElement[InvalidateKind.type]*) = kinds.map(kind === _).orR
  def isAll: Bool = is(InvalidateKind.all)
  def isAsid: Bool = is(InvalidateKind.asid)
  def isVa: Bool = is(InvalidateKind.va, InvalidateKind.vaAllAsids)
  def isRange: Bool = is(InvalidateKind.range, InvalidateKind.rangeAllAsids)
  def anyAsid: Bool = is(InvalidateKind.vaAllAsids, InvalidateKind.rangeAllAsids)
  def asid: Bits = TlbiOperand.asid.of(operand)

  /** The half of the address space that a VA, or else the base of a range, lies in. */
  def upper: Bool = isVa ? TlbiOperand.va.msb(operand) | TlbiOperand.base.msb(operand)
}

object InvalidateCmd {

  /** The operand of the kinds that name an ASID, an address or both. */
  def operandOf(asid: Bits, firstPage: Bits): Bits = BitField.word(
    TlbiOperand.asid -> asid.resize(TlbiOperand.asid.width),
    TlbiOperand.va -> firstPage.asSInt.resize(TlbiOperand.va.width)
  )
}

/** Agents that need not be told of a command, as software knows that they have nothing of it. */
case class SparedAgents() extends Bundle {
  val cpu, devices = Bool()
}

/** A command of software, with the agents that it spares. */
case class SparingInvalidate() extends Bundle {
  val command = InvalidateCmd()
  val spared = SparedAgents()
}

/** Invalidation port. `done` pulses once for each accepted command, in order. After that cycle no
  * translation and no walk in flight uses or installs what the command covers, and no walk that it
  * concerns updates a descriptor that it had read before. So the memory port must answer a
  * compare-and-swap without waiting for whoever waits for `done`.
  */
case class InvalidatePort() extends Bundle with IMasterSlave {
  val cmd = Stream(InvalidateCmd())
  val done = Bool()

  override def asMaster(): Unit = {
    master(cmd)
    in(done)
  }
}
