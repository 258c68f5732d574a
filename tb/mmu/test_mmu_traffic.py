"""Commands without a pause on both ports beside everything else (cocotb_mmu_traffic), on an MMU
that has a walk cache; SEED and COUNT from the environment give another run."""

import os

from support.run import run_unit


def test_traffic():
    keep = {name: os.environ[name] for name in ("SEED", "COUNT") if name in os.environ}
    run_unit("mmu", "mmu.cocotb_mmu_traffic", "vmsa48", extra_env=keep)
