package granule.verify

import granule.arch.{MmuConfig, Vmsa64}
import granule.mmu.Access
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** A descriptor changes only by a compare-and-swap, of what was read at that address last, which
  * sets the access flag, or clears AP[2] of what a write may make dirty, and nothing else.
  *
  * One bit of the descriptor stands for all of them.
  */
case class DescriptorProof(config: MmuConfig) extends WalkerSetting(config) {
  private val (cmd, rsp) = (memory.cmd, memory.rsp)
  private val layout = Vmsa64.layout
  private val accessFlag = layout.update.get.accessFlag.lsb
  private val dirty = layout.update.get.dirty.lsb

  /** What was read last, and where. */
  private val swapped = RegNextWhen(cmd.swap, cmd.fire) init False
  private val address = RegNextWhen(cmd.address, cmd.fire && !cmd.swap)
  private val read = RegNextWhen(rsp.data, rsp.valid && !swapped)

  /** The walk is for a write, and its registers had HA and HD when it began. */
  private val request = walker.io.walk.cmd
  private def began(bit: Bool) = RegNextWhen(bit, request.fire)
  private val writes =
    began(request.access === Access.write || request.access === Access.atomic)
  private val setsAccessFlag = began(walker.io.context.ha)
  private val setsDirty = began(walker.io.context.ha && walker.io.context.hd)

  private val modifiable = read(51) // DBM

  /** Any bit. */
  private val bit = anyconst(UInt(6 bits))
  private val swap = cmd.valid && cmd.swap
  private def at(word: Bits): Bool = word(bit)
  private val changes = swap && at(cmd.desired) =/= at(cmd.expected)
  private val setsFlag = changes && bit === accessFlag
  private val marksDirty = changes && bit === dirty

  Claim.always("a swap is of the address that was read")(!swap || cmd.address === address)
  Claim.always("it expects what was read")(!swap || at(cmd.expected) === at(read))
  Claim.always("it is of a valid descriptor")(!swap || cmd.expected(0))
  Claim.always("it changes access flag and AP[2] alone")(!changes || setsFlag || marksDirty)
  Claim.always("it sets the access flag, with HA") {
    !setsFlag || at(cmd.desired) && setsAccessFlag
  }
  Claim.always("it clears AP[2], for a write, with DBM and HD") {
    !marksDirty || !at(cmd.desired) && setsDirty && writes && modifiable
  }
  Claim.reached("the access flag is set")(setsFlag)
  Claim.reached("AP[2] is cleared")(marksDirty)
}
