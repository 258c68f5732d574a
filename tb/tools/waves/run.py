"""`make waves`: the timing diagrams of docs/mmu.md, from the RTL."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from support.run import ROOT, SIM, run_unit  # noqa: E402
from tools.waves.draw import diagram  # noqa: E402
from tools.waves.scenarios import SCENARIOS  # noqa: E402

CONFIG = "teaching"
RECORDED = ROOT / "docs" / "data" / "waves.json"
PICTURES = ROOT / "docs" / "waves"


def record() -> dict:
    """Of each scenario, its cycles and what the rows of its diagram say."""
    path = SIM / "results" / "waves.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    run_unit("mmu", "tools.waves.cocotb_waves", CONFIG, extra_env={"RESULT": str(path)})
    return json.loads(path.read_text())


def written(recorded: dict) -> str:
    """As the file has it: a line for each row."""
    scenarios = [
        f' "{name}": {{\n  "cycles": {scenario["cycles"]},\n  "changes": {{\n'
        + ",\n".join(f'   "{s}": {json.dumps(c)}' for s, c in scenario["changes"].items())
        + "\n  }\n }"
        for name, scenario in recorded.items()
    ]
    return "{\n" + ",\n".join(scenarios) + "\n}\n"


def pictures(recorded: dict) -> dict[Path, str]:
    return {
        PICTURES / f"{name}.svg": diagram(scenario.title, scenario.rows, recorded[name])
        for name, scenario in SCENARIOS.items()
    }


def main() -> None:
    recorded = record()
    RECORDED.write_text(written(recorded))
    PICTURES.mkdir(exist_ok=True)
    for path, svg in pictures(recorded).items():
        path.write_text(svg)
    print(f"waves: {len(SCENARIOS)} diagrams in {PICTURES.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
