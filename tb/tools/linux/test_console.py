"""What is taken of a console for the page, and what is refused."""

import pytest

from tools.linux.console import WIDTH, NoConsole, excerpt

CONSOLE = "[ 0.1] Linux version\r\n[ 0.9] Run /init as init process\r\nLinux 6.1\r\r\n"


def test_from_init_on():
    assert excerpt(CONSOLE) == "[ 0.9] Run /init as init process\nLinux 6.1"


def test_no_line_is_too_long():
    assert excerpt(CONSOLE + "x" * 200).splitlines()[-1] == "x" * WIDTH


def test_a_boot_that_did_not_come_to_init_is_an_error():
    with pytest.raises(NoConsole, match="Run /init.*not on the console(.|\n)*no memory"):
        excerpt("Linux version\nno memory\n")
