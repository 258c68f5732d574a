"""Programs for this computer."""

import os
import subprocess
import sys

from support.run import ROOT

ONE = """
import subprocess
import sys
from pathlib import Path

from support import host

folder = Path(sys.argv[1])
for _ in range(20):
    program = host.link(folder / "program", "-O1", folder / "main.c")
    subprocess.run([program], check=True)
"""


def test_two_processes_compile_and_run_the_same_program(tmp_path):
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tb")}
    running = [
        subprocess.Popen([sys.executable, "-c", ONE, tmp_path], env=environment) for _ in range(3)
    ]
    assert [process.wait() for process in running] == [0, 0, 0]
