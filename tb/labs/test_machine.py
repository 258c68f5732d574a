"""Simulators that were built elsewhere, and messages of compilers and sanitizers."""

from pathlib import Path

import pytest

from labs import machine
from labs.lab import Trouble


def test_a_prebuilt_folder_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is built then."""
    monkeypatch.setenv("PREBUILT", str(tmp_path))
    (tmp_path / "include").mkdir()
    (tmp_path / "granule-sim").write_text("")
    assert machine.simulator() == tmp_path / "granule-sim"
    assert machine.include() == tmp_path / "include"


def test_a_prebuilt_folder_that_lacks_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREBUILT", str(tmp_path))
    with pytest.raises(Trouble, match="it has no granule-sim"):
        machine.simulator()


@pytest.mark.parametrize(
    "said, told",
    [
        ("/h/map.c:9:5: runtime error: load of null pointer of type 'int'\n",
         "your code crashed at map.c:9: load of null pointer of type 'int'"),
        ("==1==ERROR: AddressSanitizer: SEGV on unknown address 0x8 (pc 0x55)\n"
         "    #0 0x55 in map_page /h/map.c:12:3\n",
         "your code crashed at map.c:12: SEGV on unknown address 0x8"),
        ("harness: table_at(0x8), where no table is\n",
         "your code crashed: table_at(0x8), where no table is"),
        ("Killed\n", "your code crashed: it crashed"),
    ],
    ids=["undefined", "address", "harness", "other"],
)  # fmt: skip
def test_a_crash_in_one_line(said: str, told: str) -> None:
    assert machine.crash(said) == told


def test_a_long_message_is_cut() -> None:
    text = machine.first_lines("\n".join(f"/h/{i}" for i in range(9)), Path("/h"))
    assert text.splitlines() == ["0", "1", "2", "3", "4", "5", "(3 more lines)"]


def test_a_compiler_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="there is no no-such-compiler on this computer"):
        machine.compile_with(["no-such-compiler"], tmp_path / "map.c")
