package granule.bench

/** What may happen to an access, when, and to which kind of entry: the three sides of the matrix of
  * scenarios. [[ScenarioMonitor]] prints the cells that a simulation reaches, by these names.
  */
object Scenarios {
  type Side = Seq[(String, String)]

  val events: Side = Seq(
    "va" -> "an invalidation by VA is accepted",
    "asid" -> "an invalidation by ASID is accepted",
    "range" -> "an invalidation of a range is accepted",
    "all" -> "an invalidation of everything is accepted",
    "context" -> "TTBR0 changes: its ASID or the first table",
    "granule" -> "TCR.TG0 changes",
    "off" -> "SCTLR.M becomes 0",
    "kill" -> "the access is withdrawn",
    "reset" -> "the MMU is reset",
    "bus_error" -> "the memory answers with a bus error",
    "timeout" -> "the memory has not answered, or not taken a command, for 64 cycles"
  )

  val times: Side = Seq(
    "before" -> "the cycle before its walk is accepted, with no other under way, or it hits",
    "accepted" -> "its walk is accepted",
    "start" -> "the cycle after that",
    "offer" -> "a read is offered to the memory",
    "read" -> "a read is on its way",
    "arrival" -> "a descriptor arrives",
    "judge" -> "the walker judges a descriptor",
    "offer_swap" -> "a compare-and-swap is offered",
    "swap" -> "a compare-and-swap is on its way",
    "swapped" -> "it is answered",
    "install" -> "the walk ends with a leaf, which is installed",
    "answer" -> "the access is answered",
    "after" -> "the cycle after that"
  )

  val entries: Side = Seq(
    "page_4k" -> "page of 4 KiB",
    "page_16k" -> "page of 16 KiB",
    "page_64k" -> "page of 64 KiB",
    "block_1g" -> "block of 1 GiB, granule 4K",
    "block_2m" -> "block of 2 MiB, granule 4K",
    "block_32m" -> "block of 32 MiB, granule 16K",
    "block_512m" -> "block of 512 MiB, granule 64K",
    "group" -> "contiguous group",
    "global" -> "entry of all ASIDs",
    "table" -> "the walk that the event met began at a remembered table",
    "root" -> "the walk that the event met began at the first table",
    "warm" -> "the access hit, and there was no walk"
  )

  /** For the test bench. */
  def json: String = {
    def side(name: String, rows: Side) = rows
      .map { case (key, text) => s"""    "$key": "$text"""" }
      .mkString(s"""  "$name": {\n""", ",\n", "\n  }")
    Seq(side("events", events), side("times", times), side("entries", entries))
      .mkString("{\n", ",\n", "\n}\n")
  }
}
