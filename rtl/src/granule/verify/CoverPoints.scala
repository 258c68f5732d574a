package granule.verify

import granule.arch.CoverPoint

/** All cover points, by unit. Each is placed in the file of its unit, or in one beside it. */
object CoverPoints {
  private def of(unit: String)(points: (String, String)*): Seq[CoverPoint] =
    points.map { case (name, description) => CoverPoint(s"$unit.$name", description) }

  val all: Seq[CoverPoint] = Seq(
    of("walker")(
      "killed_at_start" -> "an invalidation concerns a walk that has read nothing",
      "killed_offering_read" -> "... a walk whose read is offered and not yet taken",
      "killed_waiting" -> "... a walk whose read is on its way",
      "killed_with_answer" -> "... a walk in the cycle in which its descriptor arrives",
      "killed_offering_swap" -> "... a walk whose compare-and-swap is offered and not yet taken",
      "killed_swapping" -> "... a walk whose compare-and-swap is on its way",
      "killed_with_leaf" -> "... a walk in the cycle of its leaf, which is installed",
      "spared" -> "an invalidation does not concern the walk under way",
      "legal_not" -> "TnSZ, EPD or the root forbid the walk",
      "canonical_not" -> "the high bits of the address are wrong",
      "root_outside" -> "the first table is outside of the output size",
      "table_outside" -> "a descriptor points to a table outside of the output size",
      "leaf_outside" -> "a descriptor maps an address outside of the output size",
      "reserved" -> "a valid descriptor is neither table nor leaf",
      "misplaced" -> "a leaf has an address that no leaf of its size has",
      "read_error" -> "the bus does not deliver a descriptor",
      "accessed_not" -> "a leaf without access flag, which hardware does not set",
      "denied" -> "an access that would change the leaf is not permitted",
      "swap_won" -> "a compare-and-swap updates a leaf",
      "swap_lost" -> "somebody else was first",
      "swap_error" -> "a compare-and-swap ends in a bus error",
      "swap_unsupported" -> "the memory cannot swap",
      "at" -> "AT ends with a leaf",
      "group" -> "a contiguous group becomes one entry",
      "group_refused" -> "the hint of a contiguous group does not count",
      "block_cut" -> "of a block that is larger than the output size, a page becomes an entry",
      "skips" -> "a table takes the place of several levels",
      "begins_at_last" -> "a walk begins at a remembered table of the last level",
      "begins_above" -> "a walk begins at a remembered table above that",
      "table_kept_not" -> "a table that is not all inside the output size is not remembered"
    ),
    of("pmp")(
      "early" -> "memory answers before PMP's right to read is known",
      "read" -> "PMP refuses a descriptor",
      "update" -> "PMP lets a descriptor be read and not updated",
      "page" -> "PMP does not open all of a block, and a page of it becomes an entry",
      "once" -> "a leaf is for one access, as PMP does not open its page",
      "refuses" -> "PMP refuses an access that the page permits",
      "hides" -> "PMP refuses an access that the page does not permit",
      "abandons" -> "translation goes off under a command that waits, and PMP is asked first",
      "direct" -> "PMP refuses an access that is not translated",
      "remembers" -> "an untranslated access is in the page that is known to be open",
      "forgets" -> "a write of PMP's entries ends that"
    ),
    of("hashed")(
      "hit" -> "the hashed table has the translation",
      "hit_second" -> "... in the second group of its page",
      "marks_dirty" -> "a write finds a writable-clean page in the table, and walks to mark it",
      "enters_second" -> "what was walked goes into the second group",
      "evicts" -> "both groups are full, and an entry of another page goes",
      "lost" -> "software wrote an entry that was about to be written",
      "error" -> "the bus does not deliver an entry",
      "killed_probing" -> "an invalidation concerns a page that is sought in the table",
      "killed_entering" -> "... a page that is being entered"
    ),
    of("walkcache")(
      "replaces" -> "the oldest entry gives its place to a new one",
      "blind" -> "a walk begins while an invalidation sweeps, and finds nothing"
    ),
    of("turn")(
      "contested" -> "two ports may ask when the walker is idle",
      "orphan" -> "a command is answered without the walk that was made for it"
    ),
    of("translate")(
      "waits" -> "a command waits until its own address is compared",
      "foreign_leaf" -> "a leaf comes after the context has changed, and is not installed",
      "denied" -> "a hit without permission",
      "high_bits" -> "the low bits hit, and the high ones are wrong",
      "e0pd" -> "E0PD forbids the half to EL0",
      "flat_too_wide" -> "translation is off, and the address does not fit"
    ),
    of("tlb")(
      "replaces" -> "the oldest entry gives its place to a new one",
      "removes" -> "an entry goes as a new one maps the same address",
      "two_match" -> "two entries match",
      "protects" -> "a write finds an entry that is writable-clean",
      "clears_hit" -> "an invalidation clears the entry that answers in this cycle",
      "clears_beside_install" -> "an invalidation clears while an entry is installed",
      "suspect_waits" -> "an access waits as its entry is a suspect of an invalidation",
      "suspect_spared" -> "a suspect turns out not to be covered",
      "newer_stays" -> "an entry stays that came after the invalidation that covers it"
    ),
    of("maintlb")(
      "hits_large" -> "a block or group is found",
      "overtaken" -> "an invalidation comes between a lookup and its answer",
      "protects" -> "a write finds an entry that is writable-clean",
      "refuses" -> "what an invalidation under way may cover does not answer",
      "takes_match" -> "a new entry takes the place of one of its page",
      "replaces" -> "a new entry takes the place of another page's",
      "sweeps_again" -> "the sweep reads again as an entry was installed",
      "clears_beside_lookup" -> "an entry goes in the cycle of a lookup",
      "resets" -> "a lookup while the places are cleared after reset"
    ),
    of("sweep")(
      "clears_all" -> "an invalidation of everything clears an entry",
      "clears_asid" -> "... of an ASID ...",
      "clears_va" -> "... by VA ...",
      "clears_range" -> "... of a range ...",
      "spares_table" -> "an invalidation of the last level leaves a table",
      "installs" -> "an entry is installed while an invalidation sweeps",
      "waits_for_swap" -> "`done` waits for the compare-and-swap of a killed walk",
      "widens_twice" -> "a range counts in pages 16 times as large as the smallest",
      "back_to_back" -> "an invalidation is accepted in the cycle after `done`"
    ),
    of("posted")(
      "held" -> "a TLBI waits for a place in the queue",
      "sync_waits" -> "a sync waits for TLBIs that were posted",
      "devices_are_last" -> "... of which the CPU's MMU has done all",
      "spares_cpu" -> "the CPU's MMU is not told",
      "spares_devices" -> "the MMU of devices is not told",
      "sfence_between" -> "SFENCE.VMA is under way while TLBIs are"
    ),
    of("l1data")(
      "walk_first" -> "the walker takes the arrays while the CPU wants them",
      "forwards" -> "a lookup finds a word that is written in this cycle",
      "forwards_late" -> "a lookup finds a word that was written in the cycle before",
      "reservation_lost" -> "the walker's swap ends the CPU's reservation",
      "looks_again" -> "the physical index of an access is not that of its virtual address",
      "maintenance_waits" -> "maintenance of the whole cache waits for an access"
    ),
    of("walkside")(
      "other_colour" -> "the walker uses a line under a colour that is not its own",
      "drops" -> "a walk that must see memory finds the line in the cache",
      "refuses" -> "a swap past the cache is refused",
      "swaps_16_bytes" -> "a compare-and-swap of two words wins",
      "differs_below" -> "... fails by its lower word alone",
      "outside" -> "a descriptor lies outside of memory"
    ),
    of("engine")(
      "moves" -> "a fill drops the line under another colour",
      "moves_dirty" -> "... and writes it back first",
      "replaces_dirty" -> "a fill writes the replaced line back",
      "cleans_home" -> "a dirty line is cleaned in its own set",
      "cleans_other" -> "... under another colour",
      "sweeps_dirty" -> "maintenance of the whole cache finds a dirty line",
      "fill_error" -> "a beat of a fill, not the last one, is an error",
      "write_back_error" -> "a write-back ends in a bus error",
      "waits_for_line_before" -> "a fill waits for the write-back of the line before",
      "becomes_owned" -> "the last copy of a line becomes the only one"
    ),
    of("uncached")(
      "data_first" -> "the bus takes the data of a write before its address",
      "address_first" -> "... the address first",
      "unmapped" -> "an address without a window",
      "amo_error" -> "the read of an AMO ends in a bus error, and nothing is written"
    ),
    of("buffer")(
      "keeps" -> "a command waits as the cache does not take it",
      "drops" -> "a faulting answer drops the command that waits"
    ),
    of("l1fetch")(
      "fill_error" -> "a beat of a fill, not the last one, is an error",
      "outside" -> "a fetch from what is not memory",
      "maintenance_waits" -> "FENCE.I waits for a fetch"
    ),
    of("l2")(
      "fills_around" -> "a word comes of which bytes were written",
      "whole_line" -> "a line is written whole, and not read",
      "other_order" -> "a read waits for a line, as it wants its words in another order",
      "next_line" -> "a burst leaves its line",
      "waits_for_writer" -> "a dirty line waits until the one before was written back",
      "wants_what_leaves" -> "a miss waits until memory has its line again",
      "overtakes_writer" -> "a line is asked for before another was written back",
      "from_buffer" -> "a line comes that was read before it was wanted",
      "buffer_late" -> "... and some of its words are still on their way",
      "buffer_written" -> "a line is written whole that was read before it was wanted",
      "next_is_leaving" -> "the next line is not read while it is written back",
      "copies_under_fill" -> "a word comes while the line that leaves is copied",
      "read_error" -> "a beat of a fill is an error, for a read",
      "write_error" -> "... for a write",
      "write_back_error" -> "a write-back ends in a bus error"
    ),
    of("bridge")(
      "stale_walk" -> "an invalidation concerns a walk under way",
      "stale_leaf" -> "a leaf is not installed: an invalidation, or another context, came between",
      "denied" -> "a hit without permission",
      "done_waits" -> "an invalidation waits for what the bus still owes",
      "queue_overflows" -> "the fault of a transaction that stalls finds the queue full",
      "data_first" -> "data of a write waits for its address",
      "data_overtakes" -> "data passes while that of an older write is kept",
      "hit_overtakes" -> "a hit is issued while an older transaction of another ID waits",
      "behind_own_id" -> "a hit waits for an older transaction of its ID",
      "refusal_waits" -> "SLVERR waits for an older answer of its ID",
      "refusal_between" -> "... and a newer transaction of its ID waits for it",
      "joins_as_elder_leaves" -> "one waits behind an older one of its ID that SLVERR answers now",
      "second_miss" -> "a transaction misses while the walk of another is under way",
      "address_of_two" -> "a read and a write want to enter in one cycle"
    ),
    of("dma")(
      "no_room" -> "a burst waits for a place in the buffer",
      "read_fails_as_others_wait" -> "a read fails while older bursts wait to be written",
      "write_fails_after_read" -> "a write fails after a newer read did",
      "read_fails_after_write" -> "a read fails after an older write did",
      "error_drops_data" -> "data was read that is not written after an error",
      "stopped_midway" -> "STOP ends an entry before its end",
      "stopped_at_entry" -> "STOP ends a list while an entry is fetched"
    ),
    of("maintainer")(
      "fence_first" -> "FENCE.I and the registers ask in one cycle"
    )
  ).flatten
}
