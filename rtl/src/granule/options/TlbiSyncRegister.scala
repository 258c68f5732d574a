package granule.options

import granule.arch.{MmuConfig, TlbiSync}
import spinal.core._
import spinal.lib._
import spinal.lib.bus.amba3.apb.Apb3
import spinal.lib.bus.regif._

/** TLBI_SYNC: a write is what DSB is to TLBI in the architecture, acknowledged when all that were
  * sent before are complete; a read waits for nothing and says how far the queue is.
  */
case class TlbiSyncRegister(
    config: MmuConfig,
    queue: InvalidateQueue,
    bus: BusIf,
    apb: Apb3
) extends Area {
  private val register = bus.newRegAt(
    0x100,
    "TLBI_SYNC: a write is acknowledged when all TLBIs that were sent before are complete"
  )(SymbolName("tlbi_sync"))

  // A TLBI that finds no place is counted once, however long it waits.
  private val stalls = queue.io.sent.isStall
  private val held = Reg(UInt(TlbiSync.held.width bits)) init 0
  when(stalls.rise(initAt = False)) { held := held + 1 }

  for (
    (name, bits, value, doc) <- Seq(
      ("open", TlbiSync.open, queue.io.open.asBits, "TLBIs that are not complete"),
      ("commands", TlbiSync.commands, B(config.postedTlbis), "how many the queue keeps"),
      ("held", TlbiSync.held, held.asBits, "TLBIs that waited for a place, modulo 65536")
    )
  )
    register.fieldAt(bits.lsb, Bits(bits.width bits), AccessType.RO, 0, doc)(SymbolName(name)) :=
      value.resize(bits.width)

  private val access = bus.askWrite && apb.PENABLE && bus.writeAddress() === register.addr

  /** A sync waits, or is acknowledged. */
  val waiting = access && !queue.io.complete
  val ended = access && queue.io.complete
  when(waiting) { bus.writeHalt() }
}
