"""Lab 0: its sheet is enough to find every answer, and typical mistakes cost what they should."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from labs import answers, judge, lab0, machine
from labs.lab import Handin, Number, Sheet
from labs.seed import Seed

NAMES = [f"student {i}" for i in range(12)]
FAULT_CODES = {"translation": 4, "access flag": 8, "permission": 12}
PAGE_KIB = {"4": 12, "16": 14, "64": 16}


def sheet(name: str) -> Sheet:
    return lab0.sheet(Seed(name, 0))


def points(of: Sheet, given: dict[str, object]) -> tuple[int, set[str]]:
    """What the grader gives, and for what it gives nothing."""
    rows = list(judge.rows(of, Handin(Path("."), given)))
    lost = {row.id for row in rows if row.state is judge.FAILED}
    return judge.total(rows).points, lost


class Paper:
    """A student who has nothing but the printed sheet, and walks with pencil and paper."""

    def __init__(self, text: str, *, stride: int | None = None, offset: int | None = None):
        """`stride`, `offset`: what is taken for the index bits and for the offset's bits of every
        page size, where they are wrong."""
        self.text, self.wrong_stride, self.wrong_offset = text, stride, offset

    def walk(self, letter: str) -> dict:
        part = re.search(rf"Walk {letter}: (granule.*?)(?=\nWalk|\nWrite)", self.text, re.S)[1]
        granule = PAGE_KIB[re.search(r"granule (\d+) KiB", part)[1]]
        bits = int(re.search(r"of (\d+) bits", part)[1])
        table = int(re.search(r"TTBR0 = (\w+)", part)[1], 16)
        access, va = re.search(r"(reads|writes) (\w+)", part).groups()
        words = {int(a, 16): int(w, 16) for a, w in re.findall(r"  (\w+): (\w+)", part)}
        stride = self.wrong_stride or granule - 3
        va, steps = int(va, 16), []
        first = 3 - (bits - granule - 1) // (granule - 3)
        for level in range(first, 4):
            low = granule + (3 - level) * (granule - 3)
            top = bits if level == first else low + stride
            index = va % 2**top >> low
            entry = words.get(table + 8 * index, 0)
            steps.append((index, table + 8 * index))
            table = entry % 2**48 >> granule << granule
            if not entry & 1 or level == 3 or not entry & 2:
                break
        span = self.wrong_offset or low
        return {
            "steps": steps, "level": level, "entry": entry, "span": low, "write": access[0] == "w",
            "page": entry % 2**48 >> low << low, "pa": entry % 2**48 >> low << low | va % 2**span,
        }  # fmt: skip

    def predicted(self) -> dict[str, int]:
        """Levels and first table, by counting down from the top."""
        bits = int(re.search(r"Addresses have (\d+) bits", self.text)[1])
        found = {}
        for name, granule in PAGE_KIB.items():
            left, levels = bits - granule, 0
            while left > 0:
                rest, left, levels = left, left - (granule - 3), levels + 1
            found[f"levels_{name}k"] = levels
            if f"first table with pages of {name} KiB" in self.text:
                found["first_entries"] = 2**rest
        return found

    def solve(self) -> dict[str, object]:
        a, b, c, d = map(self.walk, "ABCD")
        found = self.predicted()
        for step, (index, address) in enumerate(a["steps"], 1):
            found |= {f"a_index_{step}": index, f"a_entry_{step}": address}
        fault = "permission"
        if not c["entry"] & 1:
            fault = "translation"
        elif not c["entry"] >> 10 & 1:
            fault = "access flag"
        written = d["entry"] & ~(1 << 7) if d["write"] else d["entry"]
        return found | {
            "a_page": a["page"], "a_address": a["pa"],
            "a_write": "no" if a["entry"] >> 7 & 1 else "yes",
            "a_execute": "no" if a["entry"] >> 54 & 1 else "yes",
            "b_reads": len(b["steps"]), "b_size": 2 ** b["span"], "b_address": b["pa"],
            "c_fault": fault, "c_level": c["level"], "c_status": FAULT_CODES[fault] + c["level"],
            "d_entry": written | 1 << 10,
        }  # fmt: skip


def printed(name: str) -> str:
    """The sheet as a student gets it, without its comment signs."""
    text = answers.form("", Seed(name, 0), sheet(name))
    return re.sub(r"^# ?", "", text, flags=re.M)


@pytest.mark.parametrize("name", NAMES)
def test_reference_has_full_marks(name: str) -> None:
    assert points(sheet(name), Paper(printed(name)).solve()) == (24, set())


def test_a_wrong_key_is_noticed() -> None:
    """The reference finds each answer that is changed in the key."""
    right = sheet("anna")
    solved = Paper(printed("anna")).solve()
    for i, part in enumerate(right.parts):
        if isinstance(part, Number):
            wrong = (*right.parts[:i], replace(part, answer=part.answer ^ 8), *right.parts[i + 1 :])
            assert points(replace(right, parts=wrong), solved) == (24 - part.points, {part.id})


def large(name: str) -> bool:
    """Walk A has pages that are not those of 4 KiB."""
    return "Walk A: granule 4 KiB" not in printed(name)


@pytest.mark.parametrize("name", [name for name in NAMES if large(name)])
def test_nine_index_bits_for_every_page_size(name: str) -> None:
    """Who knows only pages of 4 KiB takes indices from too few bits: what follows is lost too."""
    got, lost = points(sheet(name), Paper(printed(name), stride=9).solve())
    assert got < 24 and "a_index_1" not in lost and "a_entry_1" not in lost
    indices = {"a_index_2", "a_index_3", "a_entry_2", "a_entry_3"}
    assert lost & indices and not lost & {"levels_4k", "levels_16k", "levels_64k"}


@pytest.mark.parametrize("name", NAMES)
def test_the_offset_of_a_page_in_a_block(name: str) -> None:
    """Who takes 12 bits for the offset of everything loses addresses, and nothing else."""
    lost = points(sheet(name), Paper(printed(name), offset=12).solve())[1]
    assert "b_address" in lost
    assert lost == {"b_address"} | ({"a_address"} if large(name) else set())


@pytest.mark.parametrize("name", NAMES)
def test_ap2_read_as_may_write(name: str) -> None:
    solved = Paper(printed(name)).solve()
    solved["a_write"] = "yes" if solved["a_write"] == "no" else "no"
    assert points(sheet(name), solved) == (23, {"a_write"})


def test_a_name_may_be_written_otherwise() -> None:
    assert printed("anna") == printed("Anna ").replace("Anna", "anna")


def test_every_kind_of_fault_is_asked() -> None:
    asked = {answers.key(sheet(f"{i}"))["c_fault"] for i in range(40)}
    assert asked == set(FAULT_CODES)


def test_names_are_spread_over_all_sheets() -> None:
    """None is left out, and none is drawn much more often than others."""
    drawn = [lab0.sheet_number(f"student {n}") for n in range(3000)]
    assert set(drawn) == set(range(lab0.SHEETS))
    assert max(Counter(drawn).values()) < 3 * len(drawn) / lab0.SHEETS


def test_sheets_differ_from_each_other() -> None:
    keys = set()
    for number in range(64):
        walks = lab0.drawn(number)[1].values()
        keys.add(tuple(part.key for _, asked in walks for part in asked))
    assert len(keys) == 64


@pytest.mark.parametrize("page", [True, False], ids=["page", "no page"])
@pytest.mark.parametrize("checkout", [True, False], ids=["checkout", "archive"])
def test_it_says_where_it_is_in_a_browser(monkeypatch, tmp_path, page, checkout) -> None:
    """A checkout makes the page, an archive has it; one that has lost it says nothing of it."""
    for module in (lab0, machine):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    if page:
        (tmp_path / "build/web").mkdir(parents=True)
        (tmp_path / lab0.PAGE).touch()
    if checkout:
        (tmp_path / "build.sc").touch()
    said = lab0.browser(Seed("Anna Müller", 0))
    named = "build/web/lab0.html#name=Anna%20M%C3%BCller" in said
    assert named is ("in a browser" in said) is (page or checkout)
    assert ("`make web`" in said) is (checkout and not page)
