"""Invalidation latency of both configurations; the figures go to build/results/invalidate.json."""

import json

import pytest

from support import results
from support.run import SIM, run_unit


@pytest.mark.parametrize("config", ["teaching", "vmsa48_nocache"])
def test_latency(config):
    path = SIM / "results" / f"invalidate.{config}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    run_unit("mmu", "unit.mmu.cocotb_mmu_latency", config, extra_env={"RESULT": str(path)})
    figures = {"unit": "cycles from the command to done", "kinds": json.loads(path.read_text())}
    name = "invalidate" if config == "teaching" else f"invalidate-{config}"
    command = ".venv/bin/pytest tb/unit/mmu/test_mmu_latency.py"
    results.write(name, config, figures, command=command)
