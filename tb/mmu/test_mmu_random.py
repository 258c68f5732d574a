"""Random traffic against the golden model (cocotb_mmu_random); SEED and COUNT from the environment
repeat or lengthen a run."""

import os

from support.run import run_unit


def test_random():
    keep = {name: os.environ[name] for name in ("SEED", "COUNT") if name in os.environ}
    run_unit("mmu", "mmu.cocotb_mmu_random", "vmsa48_nocache", extra_env=keep)
