"""Labs in which students write a file: the reference has full marks, the starter what its handout
says, and each typical mistake costs the parts that it is about and no other."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from labs import answers
from labs.labs import LABS
from labs.seed import Seed
from labs.student_rtl import changed
from labs.trial import NAMES, Trial, slow
from support.root import ROOT

CODE = [number for number, lab in LABS.items() if lab.files]
# What the starter brings beside its compilation, and what is said of it.
STARTERS = {
    3: ("finds_line", ""),
    5: ("rtl_plain", "misses with 1 zero page\n"),
    8: ("correct", ""),
    9: ("verilog", "way 1"),
    10: ("verilog keeps", "reads of 0x4"),
}
ENDLESS = "is there an endless loop?"
LOOP = "for (;;)\n        ;\n"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", [*map(slow, CODE)])
def test_reference_has_full_marks(tmp_path: Path, number: int, name: str) -> None:
    trial = Trial(number, name)
    found = trial.graded(tmp_path, trial.reference)
    assert found.total == trial.whole, (found.lost, found.said)


@pytest.mark.parametrize("number", [*map(slow, CODE)])
def test_starter(tmp_path: Path, number: int) -> None:
    """What a student has who has done nothing; the handout says the same."""
    trial, (kept, said) = Trial(number), STARTERS.get(number, ("", ""))
    found = trial.graded(tmp_path, trial.starter, key=False)
    page = (ROOT / f"docs/labs/lab{number}.md").read_text().split("## Hand in")[1]
    bonus = [trial.whole.bonus] if trial.whole.bonus else []
    numbers = [found.total.points, found.total.of, *bonus, found.total.by_hand]
    assert [int(text) for text in re.findall(r"\d+", page)] == numbers
    assert found.lost == trial.checks.keys() - {"compiles", *kept.split()}
    assert said in found.said


@pytest.mark.parametrize("number", [0, *map(slow, CODE)])
def test_two_names_have_different_questions(number: int) -> None:
    """Or, in lab 3, other answers to the same ones."""
    sheets = [Trial(number, name).sheet for name in NAMES]
    asked = [answers.form("", Seed("nobody", 0), of, answers.key(of)) for of in sheets]
    assert asked[0] != asked[1]


@dataclass(frozen=True)
class Mistake:
    """`old` gives way to `new` in the reference, and so do the others of `also`. `lost`: the parts
    that it costs; `*`: all that run something but `compiles`; `...`: and perhaps others. `said`: a
    text that the grader says. `set`: what is lowered, so that an endless loop ends soon."""

    old: str
    new: str
    lost: str
    said: str = ""
    also: tuple[tuple[str, str], ...] = ()
    of: str = "reference"
    set: dict[str, object] = field(default_factory=dict)


# Of lab 1.
FIRST = "uint64_t *table = table_at(space->root);"
MAPS_PAGE = "return map_at(space, va, pa, attributes, 3);"
ON_RTL = f"#ifdef __riscv\n    %s\n#endif\n    {MAPS_PAGE}"
EXISTS = "            if (*descriptor & VALID)\n                return -EEXIST;\n"
RTL = "rtl_4k rtl_16k rtl_64k"
# Of lab 4.
UNMAP = "    set_descriptor(descriptor_of(va), 0);\n    invalidate(K_VA, va_operand(va));\n"
ADDS = "    set_descriptor(descriptor, *descriptor | READ_ONLY);\n"
INVALIDATES = "    invalidate(K_VA, va_operand(va));\n"
ALL_PAGES = "    invalidate_pages(va, pages);"
ONE_BY_ONE = """    (void)invalidate_pages;
    for (unsigned i = 0; i < pages; i++)
        invalidate(K_VA, va_operand(va + (i << page_shift)));"""
# Of lab 5.
SHIFTS = "{12, 16, 14, 12}"
# Of lab 6.
FORGET = "    if (seen & ACCESSED)\n        forget(0, slots);\n"
BEFORE = "    uint64_t seen = 0;\n"
UNUSED = "        mapped[slot].users--;\n"
FREED = """        if (!--mapped[slot].users) {
            set_slot(slot, 0);
            mapped[slot].page = 0;
            forget(slot, 1);
            cursor = 0;
        }
"""
# Of lab 8.
TEST = "void test(void)\n{\n"
READ_CLOCK = '__asm__ volatile("csrr %%0, mcycle" : "=r"(%s));\n    '
READS, ASKS = "const struct outcome got", "if (got.status ||"
TOO_SLOW = 'if (to - from > 900)\n        report("too slow", 0, 0, to - from);\n    '

MISTAKES = {
    1: {
        "nine index bits": Mistake(
            "return space->granule - 3;", "(void)space;\n    return 9;",
            "maps_16k maps_64k rtl_16k rtl_64k block rights tables"),
        "an existing page is overwritten": Mistake(EXISTS, "", "errors", "0"),
        "attributes are forgotten": Mistake(
            "pa | attributes |", "pa | (attributes & 1 << 10) |", f"rights {RTL}", "0x0"),
        "a new table each time": Mistake(
            "if (!(*descriptor & VALID)) {", "if (level < last) {",
            f"maps_4k maps_16k maps_64k {RTL} ..."),
        "no block": Mistake("int map_block", "int no_block", "compiles *", "undefined reference"),
        "wild": Mistake("if (level == last) {", "if (level == 9) {", "...", "your code crashed"),
        "pointer": Mistake(FIRST, FIRST + "\n    *(volatile int *)8 = 0;", "...",
                           "crashed at map.c:"),
        "beside": Mistake(FIRST, FIRST + "\n    table[100000] = 3;", "...", "beside the tables"),
        "next": Mistake(FIRST, FIRST + "\n    table[1u << (space->granule - 3)] = 0;", "...",
                        "crashed at map.c:"),
        "it does not end": Mistake(FIRST, f"{FIRST}\n    {LOOP}", "...", ENDLESS),
        # This code knows where it runs.
        "only the RTL loops": Mistake(MAPS_PAGE, ON_RTL % LOOP, RTL, ENDLESS),
        "only the RTL crashes": Mistake(MAPS_PAGE, ON_RTL % "*(volatile int *)0 = 0;", RTL),
    },
    2: {
        # All in one set of the cache, which ends before the TLB does.
        "the first word of each page": Mistake(" + page * LINE % arena->page_size", "", "*"),
        # The first chain that misses instead of the last one that does not.
        "one page too many": Mistake(
            "return good;", "return bad;", "finds_4k finds_16k finds_64k finds_groups", "17 pages"),
        # Right for pages; groups tell.
        "the number instead of a measurement": Mistake(
            "    return good;", "    return 16;", "finds_groups"),
        "beyond the arena": Mistake(
            "return arena->base + page", "return 0x30000000 + arena->base + page", "...",
            "your code made an access to 0x5000"),
        "it does not end": Mistake("while (steps--)", "while (1)", "...", ENDLESS,
                                   set={"lab2.MOST": 200_000}),
    },
    3: {
        "a number instead of a probe": Mistake(
            "    return step;", "    return 4096;", "finds_way"),
        "the page's line was not there": Mistake(
            "        load(at + line);\n        forget", "        forget",
            "finds_page finds_entries"),
        "all places in one line of their page": Mistake(
            "i * page + i * line % page", "i * page", "finds_entries"),
        "the first that misses": Mistake("return count - 1;", "return count;", "finds_entries"),
        "a newcomer before the first was used again": Mistake(
            "    load(places[0]);\n    load(places[count - 1]);", "    load(places[count - 1]);",
            "finds_policy"),
        "one way too many": Mistake(
            "memory_bytes() / MOST_WAYS))\n        count++;\n    return count;",
            "memory_bytes() / MOST_WAYS))\n        count++;\n    return count + 1;",
            "finds_ways finds_way"),
        "a line under another colour is the same line": Mistake(
            "        if (load(0) == least)", "        if (load(0))", "finds_colours"),
        "it does not end": Mistake(
            "uint32_t colours(void)\n{", "uint32_t colours(void)\n{\n    " + LOOP,
            "finds_colours", ENDLESS, set={"machine.MOST_CYCLES": 200_000}),
        "outside of the memory": Mistake(
            "load_under(0, pages);\n        if", "load(memory_bytes() + 4);\n        if",
            "finds_colours", "see memory_bytes()"),
        "a wild pointer": Mistake(
            "const uint32_t count = ways() + 1;",
            "const uint32_t count = ways() + 1 + (*(volatile uint32_t *)0x40000000 & 0);",
            "finds_way", "an access to 0x40000000 that faults"),
        "it does not compile": Mistake(
            "uint32_t ways(void)", "uint32_t ways(int x)", "compiles *",
            "does not compile:\nmystery.c:"),
    },
    4: {
        "forgotten": Mistake(UNMAP, UNMAP.splitlines()[0], "unmap remap precise"),
        "before": Mistake(ADDS + INVALIDATES, INVALIDATES + ADDS, "protect precise"),
        "no break": Mistake(
            "    unmap_page(va);\n", "", "remap precise",
            also=(("attributes | pa);\n", "attributes | pa);\n" + INVALIDATES),)),
        "everything": Mistake(
            "invalidate(K_ASID, asid_operand(of))", "invalidate(K_ALL, (uint64_t)of)",
            "space precise",
            also=((ALL_PAGES, "    (void)invalidate_pages;\n    invalidate(K_ALL, 0);"),)),
        "page by page": Mistake(ALL_PAGES, ONE_BY_ONE, "few"),
        "half a range": Mistake("units - 1));", "units / 2));", "range few precise"),
        "other ASID": Mistake("asid_operand(of)", "asid_operand(of + 1)", "space"),
        # Only what calls it fails.
        "it does not end": Mistake(
            "{\n    invalidate(K_ASID", f"{{\n    {LOOP}    invalidate(K_ASID", "space", ENDLESS),
    },
    5: {
        "the whole cache instead of a way": Mistake(
            "sets(machine) * line_bytes(machine);",
            "sets(machine) * line_bytes(machine) * ((machine->ccsidr >> 3 & 0x1fffff) + 1);",
            "colours zero rtl_colours rtl_plain"),
        "TG0 read as TG1": Mistake(SHIFTS, "{16, 14, 12, 16}", "colours zero rtl_colours"),
        "16 and 64 KiB exchanged": Mistake(SHIFTS, "{12, 14, 16, 12}", "colours zero"),
        "sets without one": Mistake("0xffffff) + 1", "0xffffff)", "sets colours zero rtl_colours"),
        "no colour where a way is small": Mistake(
            "pages ? pages : 1", "pages", "colours zero rtl_plain"),
        "colours count from the line": Mistake(
            "va >> page_shift(machine) &", "va / line_bytes(machine) &", "zero rtl_colours"),
        "a set of the next line": Mistake(
            "va / line_bytes(machine) & ", "va / line_bytes(machine) + 1 & ", "sets"),
        "no mistake: colours have other numbers": Mistake(
            "return va >> page_shift(machine) &", "return ~va >> page_shift(machine) &", ""),
        "a zero page that is not there": Mistake(
            "va >> page_shift(machine) & (colours(machine) - 1)",
            "(va >> page_shift(machine)) + 1000", "zero rtl_colours rtl_plain", "memory for 32"),
    },
    6: {
        "never": Mistake(FORGET, "    (void)seen;\n", "fresh few unused"),
        "before": Mistake(FORGET, "    (void)seen;\n", "fresh few unused",
                          also=((BEFORE, BEFORE + "    forget(0, slots);\n"),)),
        "at each unmap": Mistake(UNUSED, FREED, "few unused"),
        "a second slot": Mistake(
            "unsigned slot = slot_of(page);", "unsigned slot = slots;", "same few unused"),
        "in use": Mistake("mapped[i].page && !mapped[i].users", "mapped[i].page",
                          "same full held table"),
        "first use only": Mistake(UNUSED, "        mapped[slot].users = 0;\n", "same"),
        "leak": Mistake("    kunmap(entries);\n", "", "table"),
        "no slot": Mistake("    if (!entries)\n        return -1;\n", "", "table"),
        "any page": Mistake("return page >> 32 == 0;", "return page == 0;", "lowmem"),
        "used at once": Mistake("page | PRESENT);", "page | PRESENT | ACCESSED);", "unused"),
        # The page of lowmem with the same low bits is not there; memory is written at random.
        "32 bits of an address": Mistake(
            "page | PRESENT);", "(uint32_t)page | PRESENT);", "*", "shows 0x5e"),
        "a pointer to highmem": Mistake(
            "entries = kmap(table);", "entries = (uint64_t *)(uint32_t)table;", "table", "entry"),
        "a wild pointer": Mistake(
            "        mapped[slot].page = page;",
            "        *(volatile int *)64 = 0;\n        mapped[slot].page = page;", "...",
            "16k: your code made an access to 0x40 that faults"),
        "a slot that is not there": Mistake(
            "        set_slot(slot, page", "        set_slot(slots + 3, page", "...",
            "and below are in the window"),
    },
    7: {
        "nine index bits": Mistake(
            "return choice->page_shift - ENTRY_SHIFT;", "(void)choice;\n    return 9;",
            "levels shifts entries tables"),
        "full first table": Mistake(
            "return 1ull << (choice->va_bits - index_shift(choice, level));",
            "return 1ull << index_bits(choice);", "entries"),
        "levels rounded down": Mistake(
            "(bits + index_bits(choice) - 1) / index_bits(choice)", "bits / index_bits(choice)",
            "levels entries tables"),
        "start inside a page": Mistake(
            "(last_byte(area) >> choice->page_shift) - (area->start >> choice->page_shift) + 1",
            "(area->bytes + page_size(choice) - 1) >> choice->page_shift",
            "pages walks_4k walks_16k walks_64k"),
        "a whole page is wasted": Mistake(
            "-sizes[i] & (page_size(choice) - 1)",
            "page_size(choice) - (sizes[i] & (page_size(choice) - 1))", "waste"),
        "a table for each area": Mistake("            sum--;\n", "            ;\n", "tables"),
        "without the first": Mistake("uint64_t sum = 1;", "uint64_t sum = 0;", "tables"),
        "each area copies pages of its own": Mistake(
            "return entries_used(choice->page_shift, areas, count) * page_size(choice);",
            "uint64_t sum = 0;\n    for (unsigned i = 0; i < count; i++)\n"
            "        sum += pages(choice, &areas[i]);\n    return sum * page_size(choice);",
            "copied"),
        "4 KiB of reach": Mistake(
            "return tlb_entries * page_size(choice);",
            "return page_size(choice) ? tlb_entries * 4096ull : 0;", "reach"),
    },
    # A test that fails the right machine has no points.
    8: {
        "a rule that is none": Mistake(
            "const int wx = user && !read_only;", "const int wx = user;", "*",
            "no report with pages of 4k", set={"lab8.MOST": 600_000}),
        "a clock": Mistake(
            "{\n    *descriptor_of", "{\n    uint32_t from, to;\n    *descriptor_of", "*",
            "and slow memory", of="starter",
            also=((READS, READ_CLOCK % "from" + READS),
                  (ASKS, READ_CLOCK % "to" + TOO_SLOW + ASKS))),
        "it does not end": Mistake(TEST, f"{TEST}    {LOOP}", "*", ENDLESS,
                                   set={"lab8.MOST": 600_000}),
        "it crashes": Mistake(TEST, f"{TEST}    *word_at(8) = 1;\n", "*",
                              "your code crashed: exception 7"),
    },
    9: {  # anna has 5, false and true
        "the other of several oldest ways": Mistake(
            "highest = false", "highest = true", "cleared once long mixed size"),
        "who becomes older": Mistake("younger = true", "younger = false", "long mixed size"),
        "a use makes nothing younger": Mistake(
            "(way(i) ? U(0, width bits) | (stays ? age | (age + 1))).asBits",
            "(stays ? age | (age + 1)).asBits", "once long mixed size"),
        "a bit more for each way": Mistake("log2Up(most + 1)", "log2Up(most + 1) + 1", "size"),
        "it does not compile": Mistake(
            "stateBits: Int = 1", "stateBits: Int = x", "compiles *",
            "Policy.scala:13: error: not found: value x", of="starter"),
        # A bit that is not there: SpinalHDL's message, and the line of the student's file.
        "hardware that cannot be": Mistake(
            "B(2, ways bits)", "state(9 downto 2)", "*",
            "gives no Verilog at Policy.scala:19", of="starter"),
    },
    10: {
        "nine index bits": Mistake(
            "stride = granule - 3", "stride = 9", "levels walks_16k walks_64k"),
        "the first table is full": Mistake(
            "(U(64 - lowest(level), 6 bits) - tnsz).resize(4)", "U(stride, 4 bits)",
            "walks_4k walks_16k walks_64k"),
        "no level 0": Mistake(
            "val higher = level > 0 &&", "val higher = level > 1 &&", "levels walks_4k walks_16k",
            also=(("reaches && (if", "Bool(level > 0) && reaches && (if"),)),
    },
}  # fmt: skip


@pytest.mark.parametrize(
    "number, what", [slow(n, what) for n, of in MISTAKES.items() for what in of]
)
def test_typical_mistakes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, what: str
) -> None:
    trial, made = Trial(number), MISTAKES[number][what]
    monkeypatch.setattr("labs.lab6.TRIED", ("16k",))  # the other granules say the same
    for name, value in made.set.items():
        monkeypatch.setattr(f"labs.{name}", value)
    text = changed(getattr(trial, made.of), (made.old, made.new), *made.also)
    found, lost = trial.graded(tmp_path, text), {*made.lost.split()} - {"*", "..."}
    if "*" in made.lost:
        lost |= trial.checks.keys() - {"compiles"}
    if "..." in made.lost:
        assert lost < found.lost, found
    else:
        assert lost == found.lost, found
    assert found.total.points == trial.whole.points - trial.points_of(found.lost)
    assert made.said in found.said and str(tmp_path) not in found.said
