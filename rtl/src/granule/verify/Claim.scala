package granule.verify

import spinal.core._

/** A sentence that is proved to hold in every cycle, or a situation that is shown to come about.
  * `make formal` prints it by its name.
  */
object Claim {
  private def named(kind: String, sentence: String, bit: Bool): Bool =
    CombInit(bit).setName(s"${kind}_${sentence.replaceAll("[^A-Za-z0-9]+", "_")}")

  def always(sentence: String)(holds: Bool): Unit = assert(named("claim", sentence, holds))
  def reached(situation: String)(here: Bool): Unit = cover(named("reach", situation, here))
}
