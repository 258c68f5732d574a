"""What `make linux-documents` takes from consoles of documents 000, 001 and 004, or refuses."""

from copy import deepcopy
from itertools import product

import pytest

from figures.measure import Failed
from system.linux import guest
from tools.measures import linux_boots as boots
from tools.measures.linux_boots import HIGH, HOLES, KMAP, PAGE, ZERO

LAST = boots.boots("teaching")[-1]

TIMES = {"elapsed": 200, "user": 150, "system": 30, "switches": 7, "sleeps": 9, "faults": 1000}
COUNTS = {"maps": 1160, "sweeps": 1, "pages": 1023, "page": 14, "range": 20490, "all": 29,
          "sbi_page": 500, "sbi_range": 21000, "sbi_all": 500}  # fmt: skip
CONSOLE = """\
94728000-95728000 rw-s 00000000 01:00 12         /dax/data
Size:              16384 kB\r
RESULT id=L4.holes run=holes class=figure value=4096 unit=holes what=dax_load_hole
"""


def row(machine: str, boot: boots.Boot) -> dict:
    made = {"machine": machine, "boot": boot.name, "commit": "c0ffee", "smaps": {}}
    if boot.image != "dax":
        values = {}
        for command in boot.command.split(" && "):
            _, _, count, *words = command.split()
            choices = [word if word != "-" else boots.WITHOUT for word in words]
            for choice, n in product(choices, range(1, int(count) + 1)):
                values |= {f"{choice}.{n}.{k}": v for k, v in (TIMES | COUNTS).items()}
        values |= {k: 2 * v for k, v in values.items() if k.startswith(f"{HIGH}.")}
        return made | {"values": values}
    how, size = boot.name.split(" ", 1)
    kb = HOLES[size][0] // 1024
    values = {"holes": kb // 4, "ticks": kb // 4 * (8000 if how == PAGE else 1000), "page": 9000}
    smaps = {name: boots.printed(name, how, kb) for name in boots.PRINTED}
    return made | {"values": values, "smaps": smaps}


def recorded() -> dict:
    return {"figures": [row(m, boot) for m in boots.MACHINES for boot in boots.boots(m)]}


def test_a_console_becomes_values_and_smaps():
    found = boots.row(CONSOLE, "teaching", LAST)
    assert found["values"] == {"holes": 4096} and found["smaps"] == {"Size": 16384}
    with pytest.raises(Failed, match="it printed no figure"):
        boots.row("Killed\n", "teaching", boots.BUILD_BOOTS[0])


@pytest.mark.parametrize("status", [1, None])
def test_a_command_that_did_not_succeed_is_refused(monkeypatch, status: int | None):
    """None: the machine stopped before init told it."""
    monkeypatch.setattr(boots, "built", lambda name: name)
    monkeypatch.setattr(boots, "find_simulator", lambda name: name)
    monkeypatch.setattr(boots.guest, "run", lambda *_: guest.Run(CONSOLE.splitlines(), status))
    with pytest.raises(Failed, match=f"status {status}"):
        boots.console("teaching", LAST)


def test_tables_have_both_machines_and_the_documents_numbers():
    found = boots.places(recorded())
    assert boots.wrong(found) == []
    text = boots.section(found)
    assert "| Elapsed Time, s | 175.396 | 174.278 | 1.006 |" in text and "| 2.000 |" in text
    assert "1,023.0 on `teaching` (maps: 1,160, sweeps: 1)" in text
    assert "it takes 7.667 on `teaching` and 7.667 on `ulx3s` times the system time" in text
    assert "| teaching, 64 MiB | 8,000 | 1,000 | 8.00 |" in text
    assert "| ulx3s, 16 MiB | 8,000 | 1,000 | 8.00 |" in text
    assert "| Private_Clean | 1,048,576 | 65,536 | 0 | 0 |" in text
    assert "2.000 times as long by ticks (2010: 1.069), and 7.667 times" in boots.removal(found)
    told = boots.readme(found)
    assert "A build with tables in high memory: 2.000 times as long (000: 1.006)" in told
    assert "pages a sweep: 1,023.0 (001: 1,023.9)" in told
    assert "a hole's own page: 8.00 times (004: 4.25)" in told
    beside = boots.beside(recorded())
    assert beside["H0.1"] == 2.0 and beside["H1.7"] == 1023 and beside["H4.1"] == 8.0


def test_a_machine_that_did_not_boot_all_is_not_shown():
    half = {"figures": [r for r in recorded()["figures"] if r["machine"] != "teaching"]}
    found = boots.places(half)
    assert "Not measured yet" in boots.section(found) and "Not measured yet" in boots.removal(found)
    assert not boots.beside(half) and not boots.readme(found)


@pytest.mark.parametrize(
    ("boot", "part", "key", "value", "sentence"),
    [
        ("highmem", "values", f"{KMAP}.1.pages", 1100, "1100 pages in 1 sweeps of 1024 slots"),
        (f"{PAGE} 64 MiB", "values", "holes", 16383, "16383 holes"),
        (f"{PAGE} 64 MiB", "smaps", "Rss", 65532, "Rss is 65532 kB, the document prints 65536"),
        (f"{ZERO} 64 MiB", "smaps", "Referenced", 4, "Referenced is 4 kB, the document prints 0"),
    ],
)
def test_what_is_not_is_said(boot: str, part: str, key: str, value: int, sentence: str):
    found = deepcopy(boots.places(recorded()))
    found["teaching", boot][part][key] = value
    said = boots.wrong(found)
    assert any(sentence in one for one in said)
