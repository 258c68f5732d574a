"""Where random tests begin: SEED in the environment repeats a run, of pytest and of cocotb."""

import os
import random

DRAWN = "random"  # SEED of the long runs: another number in each


def drawn() -> int:
    return random.SystemRandom().randrange(1 << 30)


def run_seed(usual: int = 1) -> int:
    """SEED; else `usual`. The test's output names it."""
    asked = os.environ.get("SEED")
    number = drawn() if asked == DRAWN else int(asked or usual)
    print(f"repeat with SEED={number}", flush=True)
    return number
