"""The console of the firmware: each command, typed on the serial port of a simulator."""

import re

import pytest

from system.sw.firmware import PROMPT, boot, typed

pytestmark = pytest.mark.xdist_group("firmware")

GRANULES = ("4k", "16k", "64k")
LEVELS = {"4k": 3, "16k": 2, "64k": 2}
SHIFT = {"4k": 12, "16k": 14, "64k": 16}
KERNEL, HEAP = 0x80000000, 0x100000


def console(*commands: str, arguments: str = "", config: str = "teaching") -> dict[str, str]:
    """What the console answers to each command."""
    run = typed(f"run=console {arguments}", config, "\n".join([*commands, "exit", ""])).passed()
    answers = run.out.split(PROMPT)[1:]
    return {command: answer.partition("\n")[2] for command, answer in
            zip(commands, answers, strict=False)}  # fmt: skip


def numbers(text: str) -> list[int]:
    return [int(word, 16) for word in re.findall(r"0x([0-9a-f]+)", text)]


@pytest.mark.parametrize("granule", GRANULES)
def test_walk_follows_the_tables_and_agrees_with_the_hardware(granule: str) -> None:
    """Each level's entry lies in the table that the level before names; the address comes out of
    the last one; AT says the same, for a read and for a write that is not permitted."""
    heap = HEAP + (1 << SHIFT[granule])
    commands = (f"walk {KERNEL:#x}", f"walk {HEAP + 8:#x}", f"walk {heap + 4:#x}")
    answers = console(*commands, arguments=f"pagesize={granule}")
    for command, answer in answers.items():
        va = numbers(command)[0]
        levels = re.findall(
            r"level (\d)  VA bits? +(\d+)(?::(\d+))? += (\d+) +entry at 0x(\w+): 0x(\w+)  (.+)",
            answer,
        )
        assert len(levels) == LEVELS[granule], answer
        table = None
        for level, high, lowest, index, at, entry, _ in levels:
            low = lowest or high
            width = int(high) - int(low) + 1
            assert int(index) == va >> int(low) & ((1 << width) - 1), (level, answer)
            assert table is None or int(at, 16) == table + 8 * int(index), (level, answer)
            table = int(entry, 16) & 0x0000FFFFFFFFF000
        span = 1 << int(low)
        assert f"output   {table // span * span | va % span:#011x}" in answer
        assert answer.count(", as above") == 2 and "NOT AS ABOVE" not in answer
    assert "kernel may read and execute, user programs may do nothing" in answers[commands[0]]
    assert "write: permission fault, level 3, as above" in answers[commands[0]]
    assert "user programs may read and write" in answers[commands[1]]
    assert "the zero page" in answers[commands[2]]


def test_walk_to_a_block() -> None:
    """Lowmem behind the kernel is mapped by blocks of 2 MiB with 4K."""
    (answer,) = console("walk 0x80400123").values()
    assert "level 2" in answer and "block of 2 MiB" in answer and "level 3" not in answer
    assert "output   0x080400123" in answer and answer.count("as above") == 2


# Commands whose answer is one text, and what can be typed wrongly; test_text.c and test_line.c have
# the rest of it. One boot for all.
ANSWERS = {
    "walk 0xd0000000": ("translation fault, level 2, as above", "nothing is mapped there"),
    "walk 0x102000": ("level 3, as above", "not touched so far", "`read 0x102000`"),
    "walk 0": ("nothing may be there", "0x00100000 to 0x00107fff rw- heap"),
    "walk": ("an address is missing; type `walk 0x80000000`",),
    "write 0 1": ("the process may not write 0x00000000", "r-x code", "rw- stack"),
    "write 0x10000 1": ("the process may not write 0x00010000",),
    "write 0x100000 x": ("'x' is no number from 0 to 0xffffffff; type `write",),
    "read 0x100002": ("0x00100002 is no multiple of 4; take 0x00100000",),
    "ptdump x": ("'x' is neither kernel nor process; type `ptdump`, `ptdump kernel` or `",),
    "mem 3": ("'3' is no power of two from 1 to 1024; type `mem`, or `mem 1` for a letter a page",),
    "tlb x": ("'x' is one argument too many; type `tlb`",),
    "run": ("'' is no experiment; type `run all`", "e002"),
    "run nothing": ("'nothing' is no experiment; type `run all`", "e000"),
    "smaps": ("00100000-00108000 rw-p", "Private_Dirty:          4 kB", "00200000-00208000 rw-s"),
    "bogus": ("unknown command 'bogus'; `help` lists them",),
    "w\u00e4lk 0x100000": ("unknown command 'w?lk'",),
    "help": ("run      NAME", "walk     ADDRESS", "Ctrl-C (stop)", "selftest"),
    "info": ("machine      teaching", "zone LOW", "page tables"),
    "ps": ("pid  state", "nothing runs while the console waits"),
}


@pytest.mark.parametrize("command", ANSWERS)
def test_answers(command: str) -> None:
    answer = console(*ANSWERS)[command]
    for text in ANSWERS[command]:
        assert text in answer, answer


def test_walk_beyond_the_size_of_user_addresses() -> None:
    """With 25 bits, 0x04000000 has no place in any table."""
    (answer,) = console("walk 0x4000000", arguments="va_bits=25").values()
    assert "more than 25 bits" in answer and answer.count("fault, level 0, as above") == 2


def test_read_and_write_make_page_faults() -> None:
    """The first read maps the zero page, a write replaces it by a page of its own."""
    answers = console(
        "read 0x102000", "read 0x102004", "write 0x102000 0x17", "write 0x103000 5",
        "write 0x102004 6", "walk 0x102000", "read 0x103000",
    )  # fmt: skip
    assert answers["read 0x102000"] == "a page fault mapped the zero page\n0x00000000\n"
    assert answers["read 0x102004"] == "0x00000000\n"
    for first, value in (("write 0x102000 0x17", 0x17), ("write 0x103000 5", 5)):
        own = "a page fault mapped a page of its own"
        assert answers[first] == f"{own}\n{value:#010x} is written\n"
    assert answers["write 0x102004 6"] == "0x00000006 is written\n"
    assert "highmem" in answers["walk 0x102000"]
    assert answers["read 0x103000"] == "0x00000005\n"


def test_a_hole_of_a_file() -> None:
    """A read maps the zero page and takes no memory; a write gets storage, in one fault."""
    answers = console(
        "read 0x200000", "smaps", "write 0x202000 7", "read 0x202000", "walk 0x202000"
    )
    assert answers["read 0x200000"] == "a page fault mapped the zero page\n0x00000000\n"
    hole = answers["smaps"].split("hole\n")[1]
    assert "Size:                  32 kB" in hole and "Rss:                    0 kB" in hole
    assert answers["write 0x202000 7"].startswith("a page fault mapped storage of the file\n")
    assert answers["read 0x202000"] == "0x00000007\n"
    assert "user programs may read and write" in answers["walk 0x202000"]


RANGE = re.compile(
    r"  ([0-9a-f]{8})-([0-9a-f]{8}) +(\S+ \S+) +(\d+) x (\d+ \w+) +(\S{3})    (\S{3})   "
    r"(\S+) +([0-9a-f]{9})([ *]) (.+)"
)
UNIT = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def size(text: str) -> int:
    number, unit = text.split()
    return int(number) * UNIT[unit]


@pytest.mark.parametrize("granule", GRANULES)
def test_ptdump_shows_every_range_once(granule: str) -> None:
    """Ranges ascend and do not overlap, their sizes are those of their entries, and none may be
    written and executed; the kernel's image has the rights that its segments ask for."""
    answers = console("ptdump", "ptdump kernel", arguments=f"pagesize={granule}")
    kernel, process = answers["ptdump"].split("process (TTBR0)")
    assert kernel in answers["ptdump kernel"] and "TTBR0" not in answers["ptdump kernel"]
    for half in (kernel, process):
        end = 0
        for start, last, total, count, entry, *_ in (rows := RANGE.findall(half)):
            assert end <= int(start, 16), half
            end = int(last, 16) + 1
            assert end - int(start, 16) == size(total) == int(count) * size(entry), half
        assert len(rows) >= 3, half
        assert all("wx" not in kernel_ + user for *_, kernel_, user, _, _, _, _ in rows)
    rights = {row[-1]: row[5] for row in RANGE.findall(kernel)}
    assert rights["kernel code"] == "r-x" and rights["kernel constants"] == "r--"
    assert rights["kernel data"] == "rw-" and rights["device"] == "rw-"


def test_ptdump_marks_what_lies_in_several_places() -> None:
    """Two neighbours of the heap map the same zero page."""
    answers = console("read 0x102000", "ptdump process")
    row = next(r for r in RANGE.findall(answers["ptdump process"]) if r[-1] == "the zero page")
    assert (row[0], row[1], row[3], row[9]) == ("00101000", "00102fff", "2", "*")


@pytest.mark.parametrize("granule", GRANULES)
def test_tlb_shows_what_the_tables_say(granule: str) -> None:
    """Every entry of the kernel is a part of a range that ptdump shows, with the same output."""
    answers = console("ptdump kernel", "tlb", arguments=f"pagesize={granule}")
    rows = RANGE.findall(answers["ptdump kernel"])
    ranges = [(int(r[0], 16), int(r[1], 16), int(r[8], 16)) for r in rows]
    fetch, data = answers["tlb"].split("data TLB")
    pattern = r" +\d+  ([0-9a-f]{8})-([0-9a-f]{8}) +\S+ \S+ ([0-9a-f]{9})  L(\d)  (\S+) +(all|ASID)"
    assert "kernel code" in fetch and "device" in data
    entries = [e for e in re.findall(pattern, answers["tlb"]) if e[0] >= "8"]
    assert len(entries) >= 8
    for first, last, pa, level, _, whose in entries:
        start, end = int(first, 16), int(last, 16)
        assert whose == "all" and level in "123" and start & (end - start) == 0
        if 0xC0000000 <= start < 0xEA000000 or start >= 0xF0100000 and start < 0xF8000000:
            continue  # windows of kmap and kmap_local: their pages come and go
        assert any(
            s <= start and end <= e and int(pa, 16) == p + start - s for s, e, p in ranges
        ), (first, answers["tlb"])


@pytest.mark.parametrize("granule", GRANULES)
def test_mem_draws_every_page_once(granule: str) -> None:
    """One letter a page: as many as there are, as many free ones as the heading says."""
    (answer,) = console("mem 1", arguments=f"pagesize={granule}").values()
    for zone in ("LOW", "HIGH"):
        pages, free = re.search(rf"{zone}: (\d+) pages of \S+ KiB, (\d+) free", answer).groups()
        part = answer.split(f"{zone}: ")[1].split("HIGH: ")[0].split("  . free")[0]
        letters = "".join(re.findall(r"0x[0-9a-f]{9} (\S+)", part))
        assert len(letters) == int(pages) and letters.count(".") == int(free)
        if zone == "LOW":
            assert letters.startswith("K" * (0x30000 >> SHIFT[granule])) and letters.endswith("E")
            assert letters.count("0") == 1
    for letter in re.findall(r"^  (\S) \w", answer, re.M):
        assert letter in answer.split("  . free")[0]


def test_counters_since_the_last_time() -> None:
    """The second answer counts from the first one on."""
    answers = boot("run=console", "teaching", "counters\ncounters\nexit\n").text
    first, second = (
        {name: (int(a), int(b)) for a, b, name in
         re.findall(r"^ +(\d+) +(\d+)  (\w+) ", part, re.M)}
        for part in answers.split("since last")[1:]
    )  # fmt: skip
    for name, (since, total) in first.items():
        assert since == total and second[name][1] >= total
    assert 0 < second["CYCLES"][0] < second["CYCLES"][1] - first["CYCLES"][1] + 1
    assert 0 < second["l1d_access"][0] < first["l1d_access"][0]


def test_run_measures_what_a_boot_measures() -> None:
    """An experiment from the console, with more typed ahead, gives the figures of run=."""
    typed = boot("run=console", "teaching", "walk 0x100000\nrun selftest\nwalk 0x100000\nexit\n")
    assert typed.status == 0 and typed.text.count("NOT AS ABOVE") == 0
    figures = boot("run=selftest").figures
    assert len(figures) > 5 and typed.figures.keys() == figures.keys()
    assert all(typed.value(name) == figure.value for name, figure in figures.items())


def test_ctrl_c_stops_an_experiment() -> None:
    """In the middle of e002: the prompt comes back, the history is there, and what was half done
    is gone: the self-test finds every page and every table where it should be."""
    first = "walk 0x100000\nrun e002\n"
    run = typed("run=console", "teaching", "\x03\x1b[A\x1b[A\nrun selftest\nexit\n", first, "A-1")
    _, stopped, after = run.passed().out.partition("stopped; the kernel began again")
    assert stopped and after.partition("run selftest")[0].count(", as above") == 2
    assert "0 failed, 0" in after and after.count("PASS") > 5


def test_ctrl_c_typed_ahead_and_in_a_long_output() -> None:
    """Before an experiment begins, and between two lines of a dump."""
    text = boot("run=console", "teaching", "run e002\n\x03ps\nexit\n").text
    assert "=== e002" not in text and "^C" in text and "pid  state" in text
    text = boot("run=console", "teaching", "ptdump\n\x03exit\n").text
    assert "kernel code" in text and "kernel constants" not in text and "^C" in text
