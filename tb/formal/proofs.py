"""What `make formal` proves, and the defects that each proof must notice.

A proof is a unit of rtl/src/granule/proof, which says what it claims, assumes and must reach. The
rows of mutants are those of campaigns/mutants, and some of its own below. Each claim has one."""

from dataclasses import dataclass

from campaigns.mutants.mutant import Mutant
from campaigns.mutants.table import MUTANTS

WALKER = "rtl/src/granule/walk/Walker.scala"
STEP = "rtl/src/granule/walk/Step.scala"
SWEEP = "rtl/src/granule/tlb/InvalidateSweep.scala"
SCOPE = "rtl/src/granule/tlb/InvalidateScope.scala"
MICRO = "rtl/src/granule/tlb/MicroTlb.scala"
CACHE = "rtl/src/granule/tlb/WalkCache.scala"
KEY = "rtl/src/granule/tlb/TlbKey.scala"
LOG = "rtl/src/granule/tlb/EntryLog.scala"
UNIT = "rtl/src/granule/mmu/TranslateUnit.scala"
TURN = "rtl/src/granule/mmu/WalkTurn.scala"
BRIDGE = "rtl/src/granule/bridge/AxiBridge.scala"
WAITING = "rtl/src/granule/bridge/Waiting.scala"
IN_FLIGHT = "rtl/src/granule/bridge/InFlight.scala"
REFUSAL = "rtl/src/granule/bridge/Refusal.scala"
TRANSLATOR = "rtl/src/granule/bridge/Translator.scala"
BRIDGE_WALK = "rtl/src/granule/bridge/BridgeWalk.scala"
LAYOUT = "rtl/src/granule/format/DescriptorLayout.scala"


@dataclass(frozen=True)
class Proof:
    """`cut`: modules that are left out; the unit assumes what another proof shows of them.
    `mutants`: a part of a claim -> names of rows, each of which must break a claim with that text.
    Every claim has such a part. `induction`: the claims make each other follow within so many
    cycles, so that no invariant is looked for; 0: one is. `depth`: cycles within which covers and
    mutants must show.
    """

    name: str
    states: str
    unit: str
    mutants: dict[str, tuple[str, ...]]
    cut: tuple[str, ...] = ()
    induction: int = 0
    depth: int = 40

    def texts_in(self, sentence: str) -> list[str]:
        return [text for text in self.mutants if text in sentence]


def row(name: str, defect: str, file: str, old: str, new: str) -> Mutant:
    return Mutant(name, defect, "ours", file, old, new, "formal", "")


OWN = [
    row("killed-leaf-stays", "a killed walk that has its leaf never ends",
        WALKER, "killed && (isIn(State.start, State.leaf) ||", "killed && (isIn(State.start) ||"),
    row("lost-swap-waits", "a walk whose swap was lost waits for another answer",
        WALKER, "state := swapWon ? State.step | State.start",
        "state := swapWon ? State.step | State.waiting"),
    row("accepts-at-the-leaf", "a request is accepted in the cycle of a leaf",
        WALKER, "io.walk.cmd.ready := isIn(State.idle)",
        "io.walk.cmd.ready := isIn(State.idle, State.leaf)"),
    row("leaf-again", "a walk tells its leaf for ever",
        WALKER, "is(State.leaf) { state := State.idle", "is(State.leaf) {"),
    row("killed-walk-faults", "a killed walk faults as well",
        WALKER, "!killed && (isIn(State.step) && step.faults ||",
        "(isIn(State.step) && step.faults ||"),
    row("killed-before", "a walk that follows a killed one begins killed",
        WALKER, "when(io.walk.cmd.fire) { killed := False }",
        "when(io.walk.cmd.fire && !killed) { killed := False }"),
    row("leaf-at-once", "a walk takes what it finds at its start for a leaf",
        WALKER, "state := State.step if (config.pmp) when(walk.request.direct)",
        "state := State.leaf; if (config.pmp) when(walk.request.direct)"),
    row("block-too-small", "a table entry is told to be smaller than what the TLB keeps of it",
        WALKER, "leaf.span := descriptor.span", "leaf.span := descriptor.span |>> 1"),
    row("store-not-told", "an invalidation is told of a swap that is offered, not of one under way",
        WALKER, "killed && (isIn(State.swapping) || isIn(State.check) && offered)",
        "killed && isIn(State.check) && offered"),
    row("asid-told-late", "an invalidation is told the ASID that is in force, not the walk's",
        WALKER, "io.underWay.asid := walk.context.asid", "io.underWay.asid := io.context.asid"),
    row("looks-late", "a walk looks for tables one cycle late",
        WALKER, "io.tables.look := isIn(State.start)", "io.tables.look := isIn(State.step)"),
    row("looks-by-late-asid", "a walk looks for tables of the ASID that is in force, not its own",
        WALKER, "io.tables.key.asid := walk.context.asid",
        "io.tables.key.asid := io.context.asid"),
    row("asid-of-the-last-walk", "the walk cache is told the ASID of the walk before",
        WALKER, "io.tables.upcoming.payload := io.context.asid",
        "io.tables.upcoming.payload := walk.context.asid"),
    row("leaf-remembered", "what a leaf or a fault has is remembered as a table",
        WALKER, "goesOn && !walk.first && !killed",
        "isIn(State.step) && !walk.first && !killed"),
    row("swap-elsewhere", "a swap is of the address that would be read next",
        WALKER, "io.memory.cmd.address := entryAddress",
        "io.memory.cmd.address := reading.address.asUInt.resized"),
    row("updated-unread", "a descriptor is updated before anybody has looked whether it is valid",
        WALKER, "state := State.step } if (config.pmp) { when(protection.early)",
        "state := State.check } ; if (config.pmp) { when(protection.early)"),
    row("access-flag-without-ha", "hardware sets the access flag though software has not asked",
        STEP, "descriptor.accessFlag || context.setsAccessFlag", "True"),
    row("swap-of-what-is-next", "a swap expects the descriptor with its change in it",
        WALKER, "io.memory.cmd.expected := walk.descriptor",
        "io.memory.cmd.expected := step.updated"),
    row("update-of-another-bit", "with the access flag, PXN is set too",
        LAYOUT, "accessFlag.set(updated, True)",
        "accessFlag.set(updated, True); updated(53) := True"),
    row("sweep-ends-early", "a sweep leaves the last place of each lane out",
        SWEEP, "step === order.steps - 1", "step === order.steps - 2"),
    row("accepts-under-a-sweep", "a command is accepted before the one under way is done",
        SWEEP, "io.port.cmd.ready := state === State.idle && !io.open",
        "io.port.cmd.ready := state === State.idle || state === State.settle"),
    row("busy-too-short", "a sweep is no more busy when its last entries are not gone yet",
        SWEEP, "else state =/= State.idle)",
        "else state =/= State.idle && state =/= State.settle)"),
    row("spares-no-table", "a command of leaves only takes tables too",
        SWEEP, "io.clear := covered & ~scope.spared(tables)", "io.clear := covered"),
    row("compares-when-idle", "a sweep that is over goes on clearing",
        SWEEP, "RegNext(compares && scope.coversAnywhere(read))",
        "RegNext(scope.coversAnywhere(read))"),
    row("walk-of-another-asid", "a walk of another ASID is never concerned",
        SCOPE, "!(command.isAsid && otherAsid ||", "!(otherAsid ||"),
    row("walk-told-late", "a walk is told of a command in the cycle after it",
        SWEEP, "io.invalidated.valid := io.port.cmd.fire",
        "io.invalidated.valid := RegNext(io.port.cmd.fire, init = False)"),
    row("one-page-more", "a range takes the page behind its end",
        SCOPE, "page < end && !(", "page <= end && !("),
    row("copy-missed", "what is installed under a sweep is not written down",
        SWEEP, "enable = io.install.valid && (", "enable = io.install.valid && !io.busy && ("),
    row("place-of-the-next", "what is covered clears the place after its own",
        SWEEP, "UIntToOh(RegNextWhen(step, sweeping))", "UIntToOh(step)"),
    row("compared-with-another", "the second entry of a lane is compared as the first",
        SWEEP, "RegNextWhen(read, compares)", "RegNextWhen(read, compares && step =/= 1)"),
    row("table-of-the-level-above", "a table is remembered as one of the level of its entry",
        WALKER, "table.kind.level := next.level", "table.kind.level := next.level |>> 1"),
    row("cleared-answers", "an entry that is gone answers",
        MICRO, "valid(i) && inUse(i) && key(i).holds(io.tag)",
        "inUse(i) && key(i).holds(io.tag)"),
    row("first-goes-too", "with the last entry the others go",
        MICRO, "when(goes(i)) { valid(i) := False }",
        "when(goes(i) || goes.msb) { valid(i) := False }"),
    row("clear-missed", "one entry is never cleared",
        MICRO, "when(goes(i)) { valid(i) := False }",
        "when(goes(i) && Bool(i != 2)) { valid(i) := False }"),
    row("newcomer-unseen", "the cycle after an installation has the first entry",
        MICRO, "replacement.victim.andMask(io.install.valid)", "replacement.victim.andMask(False)"),
    row("answers-a-block", "a hit answers a block where a page was installed",
        MICRO, "io.mapping.assignFromBits(mapping)",
        "io.mapping.assignFromBits(mapping | B(1, mapping.getWidth bits))"),
    row("key-of-the-table-entry", "an entry answers what its table entry maps, not what it keeps",
        MICRO, "fresh.span := io.install.mapping.span", "fresh.span := io.install.span"),
    row("written-as-kept", "what is written down is as small as what a TLB keeps",
        LOG, "formats.spans.recode(io.found.span,", "formats.spans.recode(io.found.mapping.span,"),
    row("global-unwritten", "what a walk of a global page installs is not written down",
        LOG, "io.install.valid := installs.orR",
        "io.install.valid := installs.orR && !io.found.global"),
    row("other-half-found", "an entry is found for the same page of the other half",
        KEY, "of.tag.msb === tag.msb &&", ""),
    row("cleared-table-found", "a table that is gone is found",
        CACHE, "valid(i) && inUse(i) && key(i).of.identity", "inUse(i) && key(i).of.identity"),
    row("topmost-table", "the table of the topmost level is found",
        CACHE, "any(l) && !any.drop(l + 1).orR", "any(l) && !any.take(l).orR"),
    row("tables-of-all-levels", "tables of all levels are found at once",
        CACHE, "any(l) && !any.drop(l + 1).orR", "any(l)"),
    row("found-goes-by", "what is found does not wait for the memory",
        CACHE, "RegNextWhen(c0.compared, io.tables.look)", "RegNext(c0.compared)"),
    row("table-stays", "one table is never cleared",
        CACHE, "when(cleared(i)) { valid(i) := False }",
        "when(cleared(i) && Bool(i != 1)) { valid(i) := False }"),
    row("table-written-as-a-leaf", "a table is written down with the size of a leaf",
        LOG, "formats.tableSpans.recode(io.tableSpan,", "formats.spans.recode(io.found.span,"),
    row("span-of-another-table", "a table is kept with the size of another one",
        CACHE, "fresh.span := io.tables.install.span", "fresh.span := ~io.tables.install.span"),
    row("table-late", "a table is installed two cycles late",
        CACHE, "install = RegNext(io.tables.install.valid) init False",
        "install = Delay(io.tables.install.valid, 2, init = False)"),
    row("turn-of-data-first", "data may always ask before fetch",
        TURN, "owner === last && !before", "Bool(last == 0) && !before"),
    row("turn-of-fetch-first", "fetch may always ask before data",
        TURN, "owner === last && !before", "Bool(last == 1) && !before"),
    row("compared-once", "a command that waits is not compared again",
        UNIT, "!cmd.isStall || io.port.held", "!cmd.isStall"),
    row("unlisted-behind-its-id", "what waits behind its own ID is in no list",
        WAITING, "listed(joins.slot) := True", "listed(joins.slot) := !hasElder"),
    row("issued-and-listed", "the last of a list stays in it when it leaves",
        WAITING, "listed(now.payload) := False", "listed(now.payload) := isNewest"),
    row("newest-is-the-first", "the first of a list is taken for its newest one",
        WAITING, "last.write(joins.id, joins.slot, enable = joins.valid)",
        "last.write(joins.id, joins.slot, enable = joins.valid && !hasElder)"),
    row("elder-unseen", "one that has just begun to wait is not seen by the next of its ID",
        WAITING, "RegNext(joinsBefore || stays)", "RegNext(stays)"),
    row("wants-behind-its-id", "what waits behind its own ID is looked up again at once",
        WAITING, "when(elderLeaves)", "when(hasElder)"),
    row("id-of-the-slot-before", "what waits alone has the ID of what its slot had before",
        WAITING, "ids.write(joins.slot, joins.id, enable = joins.valid)",
        "ids.write(joins.slot, joins.id, enable = joins.valid && hasElder)"),
    row("looked-up-and-free", "the slot of what was looked up is free though it waits",
        BRIDGE, "when(issues && (if (d.write)", "when(judged && (if (d.write)"),
    row("walks-and-wants", "what is walked is looked up again meanwhile",
        BRIDGE, "waitsFor.lookup := misses && !walks", "waitsFor.lookup := misses"),
    row("read-as-a-write", "a read is held as a write",
        BRIDGE, "Transaction.of(io.client.ar.payload, write = false, config)",
        "Transaction.of(io.client.ar.payload, write = true, config)"),
    row("held-of-the-next", "a lookup has the transaction of the next one's slot",
        BRIDGE, "held(chosen.write, chosen.slot)", "held(chosen.write, choice.lookup.slot)"),
    row("accepts-before-ready", "transactions are accepted before counts are zero",
        BRIDGE, "registers.io.run && directions.map(_.inFlight.io.ready).andR",
        "registers.io.run"),
    row("place-given-twice", "what is issued gives its place back at once, and when it is answered",
        BRIDGE, "gives = outcome.valid && mine && !issues", "gives = outcome.valid && mine"),
    row("walked-without-room", "what was walked is looked up though the bus has no room for it",
        BRIDGE, "replay.valid && (probed || of(replay.write)(_.issueCredit.any))", "replay.valid"),
    row("second-lookup-unknown", "the second lookup after a walk does not know of the first",
        BRIDGE, "probed := probes", "probed := False"),
    row("waited-uncounted", "what is issued after it waited is not counted",
        BRIDGE, "d.inFlight.io.issued.valid := issues && mine",
        "d.inFlight.io.issued.valid := issues && mine && isFresh"),
    row("answers-of-one-set", "an answer counts for the set that counts what is issued",
        IN_FLIGHT, "second ? owed.head | !owed.last", "!second"),
    row("refuses-again", "who has answered by SLVERR answers the same slot again",
        REFUSAL, "busy := False", "busy := True"),
    row("probe-with-outcome", "the first lookup after a walk has an outcome",
        TRANSLATOR, "RegNext(c1.valid && c1.request.kind =/= LookupKind.probe)",
        "RegNext(c1.valid)"),
    row("swept-while-it-waits", "a command is swept while answers of before another are waited for",
        TRANSLATOR, "io.invalidate.cmd.haltWhen(draining)", "io.invalidate.cmd"),
    row("looked-up-for-ever", "what a walk found nothing for is looked up again and again",
        BRIDGE_WALK, "state := probes ? State.second | State.replaying",
        "state := probes ? State.second | State.ended"),
    row("walk-of-another", "the walk under way becomes that of each lookup that follows",
        BRIDGE_WALK, "when(state === State.idle) { request := lookup",
        "{ request := lookup"),
]  # fmt: skip
ROWS = {m.name: m for m in [*MUTANTS, *OWN]}

WALKER_ROWS = {
    "no more of a leaf than its table entry": ("block-too-small",),
    "third cycle": ("leaf-at-once",),
    "as it was in the cycle before": ("B5-late-asid",),
    "no walk that an invalidation concerns": ("B15-idle-assumed", "B1-same-cycle"),
    "of the address and the ASID of its walk": ("B5-late-asid",),
    "a walk ends": ("killed-leaf-stays", "lost-swap-waits"),
    "when none is under way": ("accepts-at-the-leaf",),
    "looks for tables when it begins": ("looks-late",),
    "may store": ("store-not-told",),
    "told the half": ("asid-told-late",),
    "ends in one way": ("killed-walk-faults",),
    "looks for those of its address": ("looks-by-late-asid",),
    "remembers none in the cycle before": ("leaf-remembered",),
    "remembers none that an invalidation": ("table-of-a-killed-walk",),
    "remembers none when it ends": ("leaf-remembered",),
    "tells its ASID": ("asid-of-the-last-walk",),
    "only a walk that is under way": ("leaf-again",),
    "only such a walk is dropped": ("killed-before",),
    "does not look when it remembers": ("looks-late",),
    "what it remembers is": ("looks-by-late-asid",),
    "of each level once": ("table-of-the-level-above",),
    "has the span of its level": ("table-of-the-level-above",),
}
DESCRIPTOR = {
    "of the address that was read": ("swap-elsewhere",),
    "it expects what was read": ("swap-of-what-is-next",),
    "valid descriptor": ("updated-unread",),
    "access flag and AP 2 alone": ("update-of-another-bit",),
    "sets the access flag with HA": ("access-flag-without-ha",),
    "for a write": ("dirty-by-reading",),
}
SWEPT = {
    "done comes": ("sweep-ends-early",),
    "the next command is held": ("accepts-under-a-sweep",),
    "it is swept meanwhile": ("busy-too-short",),
    "goes before the sweep is over": ("sweep-ends-early",),
    "nothing goes that it does not cover": ("spares-no-table",),
    "nothing goes without a command": ("compares-when-idle",),
    "may bring what it covers": ("walk-of-another-asid",),
    "told in the cycle of the command": ("walk-told-late",),
    "the scope covers": ("one-page-more",),
    "a copy is": ("copy-missed",),
    "a place has its turn": ("place-of-the-next",),
    "in its turn": ("compared-with-another",),
    "after its turn": ("sweep-ends-early",),
    "owes its end": ("sweep-ends-early",),
}
OF_ANY_TLB = {
    "one that its sweep meets": ("global-unwritten",),
    "not there any more when it is complete": ("global-unwritten",),
    "written down for the sweep": ("global-unwritten",),
}
MICRO_ROWS = OF_ANY_TLB | {
    "if it is there": ("main-other-asid", "cleared-answers", "other-half-found"),
    "answers all of them": ("first-goes-too",),
    "the cycle after an installation": ("newcomer-unseen",),
    "what answers is what was installed": ("answers-a-block",),
    "nothing answers that a complete": ("clear-missed", "cleared-answers"),
    "covers what answers": ("ours-block-inside",),
    "the marked entry is in its place": ("clear-missed", "first-goes-too"),
    "its key and what it answers": ("key-of-the-table-entry",),
    "written down as it is": ("written-as-kept",),
}
TABLES = OF_ANY_TLB | {
    "covers the address and is of the ASID": ("cleared-table-found", "tables-of-another-walk"),
    "the deepest one that there is": ("topmost-table",),
    "what is found is of one level": ("tables-of-all-levels",),
    "what is found stays": ("found-goes-by",),
    "nothing is found during a sweep": ("table-found-while-swept",),
    "nothing is found that a complete": ("table-stays",),
    "is told so": ("other-half-found",),
    "the marked table is in its place": ("table-stays",),
    "its key is what was written down": ("table-written-as-a-leaf",),
    "compared with that of the walk": ("tables-of-another-walk",),
    "a level has one span": ("span-of-another-table",),
    "arrives is one of the walk": ("table-late",),
    "is deeper than all": ("table-kept-twice",),
    "no table is deeper": ("topmost-table",),
    "cover no address together": ("table-kept-twice",),
}
ANSWERED = {
    "walks end before fetch": ("turn-of-data-first",),
    "walks end before data": ("turn-of-fetch-first",),
    "a walk begins in": ("compared-once",),
    "those of walks and between them": ("compared-once",),
    "is answered in": ("compared-once",),
}
ORDERED = {
    "have those that are listed": ("unlisted-behind-its-id",),
    "are listed as are in lines": ("issued-and-listed",),
    "is in the line of its ID": ("issued-and-listed",),
    "is twice in its line": ("looked-up-and-free",),
    "names the next one": ("newest-is-the-first",),
    "knows the newest one": ("elder-unseen",),
    "is in one place": ("looked-up-and-free",),
    "waits for one thing": ("walks-and-wants", "wants-behind-its-id"),
    "is one": ("read-as-a-write",),
    "on its way": ("held-of-the-next",),
    "is followed by the second": ("probe-with-outcome",),
    "is looked up once": ("looked-up-for-ever",),
    "is of its slot": ("walk-of-another",),
    "are what the bus owes": ("answers-of-one-set",),
    "are zero": ("accepts-before-ready",),
    "than may be outstanding": ("place-given-twice",),
    "has room": ("walked-without-room",),
    "has one that is refused": ("refuses-again",),
    "comes when the bus owes its ID nothing": ("bridge-slverr-early",),
    "before an invalidation are waited for": ("bridge-done-early",),
    "is issued when an earlier one": ("bridge-passes-own-id", "elder-unseen"),
    "comes when an earlier one of its ID was answered": ("bridge-slverr-early",),
    "waits behind the earlier one": ("id-of-the-slot-before",),
    "waits somewhere": ("id-of-the-slot-before",),
    "while it has it": ("waited-uncounted",),
    "no command is swept while": ("swept-while-it-waits",),
    "no invalidation is under way twice": ("swept-while-it-waits",),
    "second lookup of a walk follows": ("second-lookup-unknown",),
}
CUT = ("InvalidateSweep", "Walker")

PROOFS = [
    Proof("walker", "the walker keeps its contract, and every walk ends",
          "walkerproof:proof", WALKER_ROWS),
    Proof("descriptor", "a descriptor changes only by a swap of an allowed bit",
          "descriptorproof:proof", DESCRIPTOR),
    Proof("sweep", "an invalidation takes what it covers, in time, and nothing else",
          "sweepproof:proof", SWEPT, induction=4),
    Proof("micro", "a micro TLB answers what it holds, and nothing that a complete command covers",
          "microproof:proof", MICRO_ROWS, CUT[:1], induction=4),
    Proof("tables", "a walk begins at no table that a complete command covers",
          "tableproof:proof", TABLES, CUT, induction=4),
    Proof("answer", "every translate command is answered, whatever the other port does",
          "answerproof:proof", ANSWERED, (*CUT, "MicroTlb", "WalkCache", "EntryLog"), depth=70),
    Proof("order", "the bridge keeps the order of an ID",
          "orderproof:proof", ORDERED,
          ("InvalidateSweep", "MicroTlb", "EntryLog", "BridgeRegisters", "WriteData"),
          induction=1),
]  # fmt: skip
