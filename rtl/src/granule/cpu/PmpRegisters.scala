package granule.cpu

import granule.arch.BitField
import granule.options.Pmp
import spinal.core._
import spinal.lib._

/** pmpcfg0 to 3 and pmpaddr0 to 15 of the CSR file (privileged ISA 1.12, 3.7). Regions may be as
  * small as 4 bytes. Of the 16 entries `count` exist, and the others read as zero; without any, no
  * register exists.
  *
  * An entry cannot be written once it is locked, nor can the address that a locked TOR entry begins
  * at. W without R is reserved, and becomes neither.
  *
  * `entries` decodes them, from registers: the mask is worked out when an address is written.
  */
case class PmpRegisters(count: Int) extends Area {
  private case class Entry() extends Area {
    val read, write, execute, locked = RegInit(False)
    val kind = RegInit(B(0, 2 bits))
    val address = RegInit(U(0, 32 bits))
    val mask = RegInit(B(1, 33 bits))

    def view: Bits = BitField.word(
      PmpConfig.locked -> locked,
      PmpConfig.kind -> kind,
      PmpConfig.execute -> execute,
      PmpConfig.write -> write,
      PmpConfig.read -> read
    )
    def configure(byte: Bits): Unit = when(!locked) {
      read := PmpConfig.read.bool(byte)
      write := PmpConfig.write.bool(byte) && PmpConfig.read.bool(byte)
      execute := PmpConfig.execute.bool(byte)
      kind := PmpConfig.kind.of(byte)
      locked := PmpConfig.locked.bool(byte)
      binds setWhen (PmpConfig.locked.bool(byte) && PmpConfig.kind.of(byte).orR)
    }
  }
  private val binds = RegInit(False) // until a reset, as a lock does
  private val entries = Seq.fill(count)(Entry())
  private val changes = False

  private def config(number: Int): CsrEntry = {
    val mine = entries.slice(4 * number, 4 * number + 4)
    val read = B(0, 32 bits)
    for ((entry, i) <- mine.zipWithIndex) read(8 * i, 8 bits) := entry.view
    def write(w: Bits): Unit = {
      changes := True
      for ((entry, byte) <- mine.zip(w.subdivideIn(8 bits))) entry.configure(byte)
    }
    CsrEntry(0x3a0 + number, s"pmpcfg$number", read, write)
  }
  private def address(number: Int): CsrEntry = {
    val above = entries.lift(number + 1).map(e => e.locked && e.kind === PmpConfig.tor)
    val read = entries.lift(number).map(_.address.asBits).getOrElse(B(0, 32 bits))
    def write(w: Bits): Unit = for (entry <- entries.lift(number)) {
      changes := True
      when(!entry.locked && !above.getOrElse(False)) {
        entry.address := w.asUInt
        // Up to the lowest zero, and that one.
        entry.mask := B"0" ## w ^ (w.asUInt +^ 1).asBits
      }
    }
    CsrEntry(0x3b0 + number, s"pmpaddr$number", read, write)
  }
  val csrs: Seq[CsrEntry] =
    if (count == 0) Nil else (0 until 4).map(config) ++ (0 until 16).map(address)

  val pmp = (count > 0) generate Pmp(count)
  if (count > 0) {
    pmp.changes := changes
    pmp.bindsMachine := binds
    for ((told, entry) <- pmp.entries.zip(entries)) {
      told.address := entry.address
      told.mask := entry.mask.andMask(entry.kind(0))
      told.tor := entry.kind === PmpConfig.tor
      told.aligned := entry.kind(1)
      told.read := entry.read
      told.write := entry.write
      told.execute := entry.execute
      told.locked := entry.locked
    }
  }
}
