package granule.verify

import granule.options.{Pmp, PmpGuard, PmpRights}
import spinal.core._
import spinal.core.formal._
import spinal.lib._

/** Stands for [[granule.options.PmpCheck]] in a proof that leaves it out: for a piece and the
  * entries of a cycle there is one answer ([[PmpProof]]).
  *
  * One piece is watched, which is any. What the entries of a cycle give to it is anything.
  */
case class PmpContract(guard: PmpGuard) extends Area {
  private val config = guard.config
  private val width = config.paWidth - 2

  private case class Asked() extends Bundle {
    val pmp = Pmp(config.pmpEntries)
    val word, inside = Bits(width bits)
    val machine, suffices = Bool()
    val needs, rights = PmpRights()
  }
  private val asked = guard
    .rework {
      val io = guard.check.io
      val asked = Asked()
      asked.pmp := io.pmp
      asked.word := io.word.asBits
      asked.inside := io.inside
      asked.machine := io.machine
      asked.suffices := io.suffices
      asked.needs := io.needs
      asked.rights := io.rights
      asked
    }
    .pull()

  private val (first, inside) = (anyconst(Bits(width bits)), anyconst(Bits(width bits)))

  /** The piece around a word is the watched one. */
  def is(word: Bits, inside: Bits): Bool =
    (word & ~inside) === first && inside === this.inside

  /** What the entries of this cycle give to S-mode, and to M-mode. */
  val opens = Vec(PmpRights(), 2)
  anyseq(opens)
  private val before = RegNext(opens)

  /** Those of the cycle before. */
  def opened(machine: Bool): PmpRights = before(machine.asUInt)

  private val isAsked = RegNext(is(asked.word, asked.inside)) init False
  assume(!isAsked || asked.rights === opened(asked.machine))
  assume(asked.suffices === asked.rights.suffice(asked.needs))

  Claim.always("protection is asked of the entries of this cycle, for some right") {
    asked.pmp.asBits === guard.io.pmp.asBits && asked.needs.asBits.orR
  }
}
