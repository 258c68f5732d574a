package granule.mmu

import granule.arch.CoverPoint
import spinal.core._
import spinal.lib._

/** Whether physical memory protection lets a direct access pass, one whose address is physical
  * (M-mode, Bare, SCTLR.M = 0), in a [[TranslateUnit]].
  *
  * M-mode passes at once while no entry is locked. Else the walker is asked, which knows the
  * entries, and its leaf lets this access pass in the next cycle. The 4 MiB around one untranslated
  * access are remembered if they are open, or else its page if that is, so that what stays there
  * passes at once. A write of the entries ends that, and what a walk finds that began before is
  * not remembered: an access without translation needs no fence (privileged ISA 1.12, 3.7.2).
  *
  * @param compared the address of c0.
  * @param expected what c0 compared is for the command of this cycle.
  */
private[granule] case class DirectAccess(
    unit: TranslateUnit,
    compared: UInt,
    expected: Bool
) extends Area {
  import unit.{io, untranslated}
  private val cmd = io.port.cmd
  private val ends = io.leaf.valid && io.leaf.direct

  private[granule] val open = new Area {
    private def pieceOf(va: UInt) = va(31 downto WalkProtection.directPiece)
    private def pageOf(va: UInt) = va(WalkProtection.directPiece - 1 downto unit.pageShift)

    /** The entries have changed since the walk was asked for: its answer may be that of the old
      * ones, so nothing is learnt of it.
      */
    val stale = RegInit(False)
    stale clearWhen io.request.fire setWhen io.pmpChanges
    private val learns =
      ends && !io.leaf.once && untranslated && !stale && !io.pmpChanges
    val known = RegInit(False)
    val piece = RegNextWhen(pieceOf(cmd.va), learns)
    val page = RegNextWhen(pageOf(cmd.va), learns)
    val byPage = RegNextWhen(io.leaf.byPage, learns)
    val machine = RegNextWhen(io.machine, learns) // what is open to S-mode is open to M-mode
    known setWhen learns
    known clearWhen io.pmpChanges

    private val inside =
      piece === pieceOf(compared) && (!byPage || page === pageOf(compared))
    val matches = RegNext(known && !io.pmpChanges && inside) init False
    val holds = matches && expected && untranslated && (!machine || io.machine)
  }
  val passes = io.unchecked || open.holds || (RegNext(ends) init False)

  CoverPoint("translate.remembers")(cmd.valid && !io.unchecked && open.holds)
  CoverPoint("translate.forgets")(open.known && io.pmpChanges)
}
