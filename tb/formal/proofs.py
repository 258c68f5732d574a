"""What `make formal` proves, and the defects that each proof must notice.

A proof is a unit of rtl/src/granule/verify, which says what it claims, assumes and must reach. The
rows of mutants are those of campaigns/mutants, and OWN, which no test has. Each claim has one."""

from dataclasses import dataclass
from pathlib import Path

from campaigns.mutants.table import MUTANTS, rows

OWN = [*rows((Path(__file__).parent / "rows.toml").read_text())]
ROWS = {mutant.name: mutant for mutant in [*MUTANTS, *OWN]}


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
    mutants: dict[str, str]
    cut: tuple[str, ...] = ()
    induction: int = 0
    depth: int = 40

    @property
    def rows(self) -> set[str]:
        return {name for names in self.mutants.values() for name in names.split()}

    def broken_by(self, row: str) -> list[str]:
        """The parts of claims that a row must break."""
        return [text for text, names in self.mutants.items() if row in names.split()]

    def texts_in(self, sentence: str) -> list[str]:
        return [text for text in self.mutants if text in sentence]


WALKER_ROWS = {
    "no more of a leaf than its table entry": "block-too-small",
    "a size that its leaves have": "block-too-small",
    "third cycle": "leaf-at-once",
    "as it was in the cycle before": "B5-late-asid",
    "no walk that an invalidation concerns": "B15-idle-assumed B1-same-cycle",
    "of the address and the ASID of its walk": "B5-late-asid",
    "a walk ends": "killed-leaf-stays lost-swap-waits",
    "when none is under way": "accepts-at-the-leaf",
    "looks for tables when it begins": "looks-late",
    "may store": "store-not-told",
    "told the half": "asid-told-late",
    "ends in one way": "killed-walk-faults",
    "looks for those of its address": "looks-by-late-asid",
    "remembers none in the cycle before": "leaf-remembered",
    "remembers none that an invalidation": "table-of-a-killed-walk",
    "remembers none when it ends": "leaf-remembered",
    "tells its ASID": "asid-of-the-last-walk",
    "only a walk that is under way": "leaf-again",
    "only such a walk is dropped": "killed-before",
    "does not look when it remembers": "looks-late",
    "what it remembers is": "looks-by-late-asid",
    "of each level once": "table-of-the-level-above",
    "has the span of its level": "table-of-the-level-above",
}
WALKER_PMP = WALKER_ROWS | {
    "third cycle": "leaf-of-none",
    "a walk ends": "killed-leaf-stays asks-for-the-page-again leaf-behind-all-questions",
}
PMP = {
    "no right that one of its words": "entries-of-two-cycles pmp-last-entry-wins "
    "pmp-m-mode-unbound pmp-part-of-a-piece pmp-tor-from-zero",
    "no region cuts": "entries-of-two-cycles pmp-tor-and-its-end",
    "needs are compared": "pmp-needs-ignored",
}
GUARDED = {
    "may not be read nothing is used": "pmp-walk-unchecked pmp-right-of-the-last-read "
    "descriptor-of-m-mode",
    "an external abort of its level": "refused-is-invalid",
    "what is stored may be": "pmp-update-unchecked",
    "has a reason": "pmp-right-of-the-last-read",
    "all of what a TLB keeps": "pmp-open-if-readable pmp-block-not-open",
    "for one access is open to it": "word-if-readable",
    "remembered of a direct access": "direct-page-for-its-piece compared-beside-a-read",
    "passes alone that is open": "word-of-the-other-mode",
    "is refused by its word": "refused-as-a-whole",
    "is refused that is permitted": "pmp-protection-first",
    "the entries of this cycle": "entries-of-the-cycle-before",
    "a walk is of its request": "request-of-the-next-cycle",
    "what is read is what was asked for": "asked-of-the-table",
    "what was read last is known": "address-of-no-read",
    "what is known was judged": "pmp-walk-unchecked",
    "a part is asked for": "page-of-the-last-walk",
    "is kept when it is early": "right-never-known",
    "waits for its answer": "withdrawn-unseen",
    "of its level and one thing": "level-told-late",
    "what is judged is a leaf": "leaf-before-its-update",
}
DESCRIPTOR = {
    "of the address that was read": "swap-elsewhere",
    "it expects what was read": "swap-of-what-is-next",
    "valid descriptor": "updated-unread",
    "access flag and AP 2 alone": "update-of-another-bit",
    "sets the access flag with HA": "access-flag-without-ha",
    "for a write": "dirty-by-reading",
}
SWEPT = {
    "done comes": "done-before-suspects",
    "the next command is held": "accepts-under-a-sweep",
    "it is swept meanwhile": "busy-too-short",
    "goes before the sweep is over": "sweep-ends-early",
    "nothing goes that it does not cover": "spares-no-table",
    "nothing goes without a command": "compares-when-idle",
    "may bring what it covers": "walk-of-another-asid",
    "told in the cycle of the command": "walk-told-late",
    "the scope covers": "one-page-more",
    "a range is widened": "widened-for-ever",
    "a copy is": "copy-missed",
    "a place has its turn": "place-of-the-next",
    "in its turn": "compared-with-another",
    "after its turn an entry that is covered is gone": "sweep-ends-early",
    "owes its end": "done-before-suspects",
    "is open": "open-late",
    "suspects come in": "suspects-late",
    "they are those of the command": "no-suspects-of-a-range",
    "what goes was compared": "compared-late",
    "each is compared once": "compared-late",
    "is compared and covered goes": "compared-late",
    "each was compared after its turn": "compared-late",
}
OF_ANY_TLB = {
    "one that its sweep meets": "global-unwritten",
    "not there any more when it was swept": "global-unwritten",
    "what a complete command covers is": "global-unwritten",
    "written down for the sweep": "global-unwritten",
}
MICRO = OF_ANY_TLB | {
    "if it is there": "tlb-other-asid cleared-answers other-half-found",
    "answers all of them": "first-goes-too",
    "the cycle after an installation": "newcomer-unseen newcomer-waits",
    "what answers is what was installed": "answers-a-block",
    "nothing answers that a complete": "clear-missed cleared-answers suspects-of-the-other-half",
    "covers what answers": "ours-block-inside",
    "the marked entry is in its place": "clear-missed first-goes-too newer-goes-too",
    "its key and what it answers": "key-of-the-table-entry",
    "written down as it is": "written-as-kept",
    "in the next cycle alone": "pmp-entry-not-open",
    "is a suspect until it goes": "no-suspects",
    "is one until it is compared": "suspect-for-ever",
}
TABLES = OF_ANY_TLB | {
    "covers the address and is of the ASID": "cleared-table-found tables-of-another-walk",
    "the deepest one that there is": "topmost-table",
    "what is found is of one level": "tables-of-all-levels",
    "what is found stays": "found-goes-by",
    "nothing is found during a sweep": "table-found-while-swept",
    "nothing is found that a complete": "table-stays",
    "is told so": "other-half-found",
    "the marked table is in its place": "table-stays newer-table-goes",
    "its key is what was written down": "table-written-as-a-leaf",
    "compared with that of the walk": "tables-of-another-walk",
    "a level has one span": "span-of-another-table",
    "arrives is one of the walk": "table-late",
    "is deeper than all": "table-kept-twice",
    "no table is deeper": "topmost-table",
    "cover no address together": "table-kept-twice",
}
MAIN = {
    "only a lookup is answered": "main-answers-in-reset main-of-the-last-lookup",
    "addresses of its span and its ASID": "main-half-of-a-key main-bit-that-no-place-tells "
    "main-other-asid place-of-the-last-granule",
    "while its granule is in force": "main-other-granule",
    "what answers is what was installed": "main-global-as-the-walk",
    "a write that must dirty it": "main-answers-writes",
    "which came before the answer": "main-answers-suspects main-block-is-a-page "
    "main-answers-overtaken",
    "is what was asked for": "main-page-before main-asid-before main-granule-before",
    "in the cycle before": "main-knows-late",
    "when nothing is known": "main-walks-all-the-same",
    "written while it was read": "main-looks-beside-a-clear",
    "is found when no sweep": "main-one-way-answers",
    "before the next one is accepted": "main-not-read-again main-range-cut",
    "an entry is in its place": "main-asid-of-the-lookup main-page-goes-with-a-block",
    "that is cleared is empty": "main-uncleared-by-a-reset",
    "before the reset is over": "main-installs-in-reset",
    "not part of one": "main-keeps-a-part main-keeps-what-one-access-found",
    "the scope covers": "one-page-more",
    "a range is widened": "widened-for-ever",
    "a range stays as it is": "widened-for-ever",
    "what is compared is in its place": "main-one-lane-compared",
    "of its set the sweep knows": "main-range-cut",
    "when micro TLBs were swept": "main-read-too-soon",
    "behind the last one": "main-set-behind-the-last",
    "still to be read": "main-not-read-again",
}
DIRECT = {
    "passes as remembered": "pmp-direct-of-m-mode pmp-direct-of-a-page",
    "passes after its answer": "pmp-direct-unchecked",
    "refused is an abort": "refusal-without-fault",
    "passes as it is": "translated-is-checked",
    "keeps a command until": "command-withdrawn",
    "was announced there": "unannounced-to-the-unit",
    "was answered there": "answers-of-nothing",
    "of the command that waits": "walk-of-the-other-mode",
    "what is remembered is open": "learns-across-a-change pmp-direct-remembered "
    "direct-forgets-for-two-cycles",
    "known to be stale": "change-beside-the-request",
}
ANSWERED = {
    "walks end before fetch": "turn-of-data-first",
    "walks end before data": "turn-of-fetch-first",
    "a walk begins in": "compared-once",
    "those of walks and between them": "compared-once",
    "is answered in": "compared-once",
    "is answered at once": "untranslated-is-compared",
    "asks for no walk while it waits": "walks-past-a-suspect",
}
ORDERED = {
    "have those that are listed": "unlisted-behind-its-id",
    "are listed as are in lines": "issued-and-listed",
    "is in the line of its ID": "issued-and-listed",
    "is twice in its line": "looked-up-and-free",
    "names the next one": "newest-is-the-first",
    "knows the newest one": "elder-unseen",
    "is in one place": "looked-up-and-free",
    "waits for one thing": "walks-and-wants wants-behind-its-id",
    "is one": "read-as-a-write",
    "on its way": "held-of-the-next",
    "is followed by the second": "probe-with-outcome",
    "is looked up once": "looked-up-for-ever",
    "is of its slot": "walk-of-another",
    "are what the bus owes": "answers-of-one-set",
    "are zero": "accepts-before-ready",
    "than may be outstanding": "place-given-twice",
    "has room": "walked-without-room",
    "has one that is refused": "refuses-again",
    "comes when the bus owes its ID nothing": "bridge-slverr-early",
    "before an invalidation are waited for": "bridge-done-early",
    "is issued when an earlier one": "bridge-passes-own-id elder-unseen",
    "comes when an earlier one of its ID was answered": "bridge-slverr-early",
    "waits behind the earlier one": "id-of-the-slot-before",
    "waits somewhere": "id-of-the-slot-before",
    "while it has it": "waited-uncounted",
    "no command is swept while": "swept-while-it-waits",
    "no invalidation is under way twice": "swept-while-it-waits",
    "second lookup of a walk follows": "second-lookup-unknown",
}
CUT = ("InvalidateSweep", "Walker")

PROOFS = [
    Proof("walker", "the walker keeps its contract, and every walk ends",
          "walkerproof:proof_granules", WALKER_ROWS),
    Proof("walker-pmp", "and so with physical memory protection",
          "walkerproof:proof_pmp", WALKER_PMP, ("PmpCheck",)),
    Proof("pmp", "what protection says of a piece is what the entries of one cycle say",
          "pmpproof:proof_pmp", PMP, induction=1),
    Proof("guarded", "a walk reads, stores and finds what protection lets it in one cycle",
          "guardedwalkproof:proof_pmp", GUARDED, ("PmpCheck",), induction=4),
    Proof("descriptor", "a descriptor changes only by a swap of an allowed bit",
          "descriptorproof:proof_granules", DESCRIPTOR),
    Proof("sweep", "an invalidation takes what it covers, in time, and nothing else",
          "sweepproof:proof_granules", SWEPT, induction=4),
    Proof("micro", "a micro TLB answers what it holds, and nothing that a complete command covers",
          "microproof:proof_pmp", MICRO, CUT[:1], induction=4),
    Proof("tables", "a walk begins at no table that a complete command covers",
          "tableproof:proof", TABLES, CUT, induction=4),
    Proof("main", "a main TLB answers what it holds, and nothing that an earlier command covers",
          "mainproof:proof_main", MAIN, induction=4, depth=60),
    Proof("direct", "an access without translation passes as the entries let it now",
          "directproof:proof_pmp", DIRECT, induction=2),
    Proof("answer", "every translate command is answered, but for the time that a suspect takes",
          "answerproof:proof", ANSWERED, (*CUT, "MicroTlb", "WalkCache", "EntryLog"), depth=70),
    Proof("order", "the bridge keeps the order of an ID",
          "orderproof:proof", ORDERED,
          ("InvalidateSweep", "MicroTlb", "EntryLog", "BridgeRegisters", "WriteData"),
          induction=1),
]  # fmt: skip
