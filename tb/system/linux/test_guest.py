"""What is read from a guest's console, and what is refused."""

import sys

import pytest

from system.linux import guest


def shell(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_checksums_and_status_are_taken_from_the_console():
    text = "print('test cow  seed 3 rounds 9 checksum 0x0123abcd\\r\\ninit: exit status 7')"
    run = guest.run(shell(text), 60)
    assert run.checksums == {("cow", 3, 9): "0x0123abcd"}
    assert run.status == 7


def test_a_guest_that_dies_has_no_status():
    run = guest.run(shell("print('Kernel panic - not syncing')"), 60)
    assert run.status is None and run.console == ["Kernel panic - not syncing"]


def test_a_guest_that_does_not_end_is_an_error():
    with pytest.raises(TimeoutError, match="still ran"):
        guest.run(shell("import time; time.sleep(60)"), 0.5)


def test_a_double_quote_in_a_command_is_refused():
    with pytest.raises(ValueError, match='double|"'):
        guest.with_command("panic=-1", 'echo "a"')
