"""Where random tests begin: SEED in the environment repeats a run, of pytest and of cocotb."""

import os
import random


def run_seed(usual: int | None = None) -> int:
    """SEED; else `usual`, or without one another number in each run. The test's output names it."""
    number = usual
    if os.environ.get("SEED"):
        number = int(os.environ["SEED"])
    elif usual is None:
        number = random.SystemRandom().randrange(1 << 32)
    print(f"repeat with SEED={number}", flush=True)
    return number
