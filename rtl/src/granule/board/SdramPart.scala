package granule.board

import spinal.core._
import spinal.lib.memory.sdram.SdramLayout
import spinal.lib.memory.sdram.sdr._

/** An SDRAM chip of a board: how it is organised and its timing at speed grade 7.
  *
  * @param cas cycles from READ to data. Requires: 2 or 3, and 2 only up to 100 MHz.
  */
case class SdramPart(name: String, layout: SdramLayout, timing: SdramTimings, cas: Int = 2) {

  /** Layout and times for the simulator, whose memory takes as long as the board's. */
  def cHeader: String = {
    def picoseconds(time: TimeNumber) = (time.toBigDecimal * BigDecimal(10).pow(12)).toBigInt
    val lines = Seq(
      "REFRESH_PS" -> s"${picoseconds(timing.tREF)}ull",
      "ROWS" -> (1 << layout.rowWidth),
      "RC_PS" -> picoseconds(timing.tRC),
      "RFC_PS" -> picoseconds(timing.tRFC),
      "RAS_PS" -> picoseconds(timing.tRAS),
      "RP_PS" -> picoseconds(timing.tRP),
      "RCD_PS" -> picoseconds(timing.tRCD),
      "WR_PS" -> picoseconds(timing.tWR),
      "WR_CLOCKS" -> timing.cWR,
      "CAS" -> cas,
      "BANK_BITS" -> layout.bankWidth,
      "COLUMN_BITS" -> layout.columnWidth
    )
    s"/* SDRAM '$name'; written by granule.gen.Includes from board/SdramPart.scala. */\n" +
      "#ifndef GRANULE_SDRAM_H\n#define GRANULE_SDRAM_H\n" +
      lines.map { case (key, value) => s"#define GRANULE_SDRAM_$key $value\n" }.mkString +
      "#endif\n"
  }
}

object SdramPart {
  private def longest(pick: SdramTimings => TimeNumber): TimeNumber =
    listed.map(part => pick(part.timing)).maxBy(_.toBigDecimal)

  /** The controller rounds the time between two refreshes up to cycles: ask for a little less. */
  private def grade7(name: String, layout: SdramLayout, timing: SdramTimings) =
    SdramPart(name, layout, timing.copy(tREF = 63 ms))

  /** The chips that boards were built with, by their marking. */
  val listed: Seq[SdramPart] = Seq(
    grade7("MT48LC16M16A2", MT48LC16M16A2.layout, MT48LC16M16A2.timingGrade7),
    grade7("AS4C32M16SB", AS4C32M16SB.layout, AS4C32M16SB.timingGrade7),
    grade7("W9825G6JH6", W9825G6JH6.layout, W9825G6JH6.timingGrade7)
  )

  /** Runs on each of them: the slowest of every time, the smallest layout. The larger chip then
    * shows half of its memory.
    */
  val any: SdramPart = SdramPart(
    "any",
    listed.map(_.layout).minBy(_.byteAddressWidth),
    SdramTimings(
      bootRefreshCount = listed.map(_.timing.bootRefreshCount).max,
      tPOW = longest(_.tPOW),
      tREF = listed.map(_.timing.tREF).minBy(_.toBigDecimal),
      tRC = longest(_.tRC),
      tRFC = longest(_.tRFC),
      tRAS = longest(_.tRAS),
      tRP = longest(_.tRP),
      tRCD = longest(_.tRCD),
      cMRD = listed.map(_.timing.cMRD).max,
      tWR = longest(_.tWR),
      cWR = listed.map(_.timing.cWR).max
    )
  )

  val all: Seq[SdramPart] = any +: listed

  def byName(name: String): SdramPart = all
    .find(_.name == name)
    .getOrElse(
      throw new IllegalArgumentException(
        s"SDRAM '$name' is not known; choose one of ${all.map(_.name).mkString(", ")}"
      )
    )
}
