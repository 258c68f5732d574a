"""Figures reach the page, and only their place in it."""

from figures.measure import merged
from tools.area import boards, table
from tools.area.measure import configuration


def row(unit: str, config: str, lut4: int = 10) -> dict:
    return {
        **dict(unit=unit, config=config, lut4=lut4, carry=2, ram=6, ff=5, dp16kd=1, mult=0),
        "fmax": {"median": 61.0, "by_seed": {"1": 60.0, "2": 61.0, "3": 62.0}},
        "critical": {"start": "a", "end": "b", "nanoseconds": 10.0, "routing": 7.0, "levels": 9},
        **dict(flow="flow", tools=["t 1"], commit="abc"),
    }


def test_a_row_of_another_mapping_or_placing_is_of_the_same_configuration():
    labels = ("ulx3s_main", "ulx3s_main-plain", "ulx3s_main-timing")
    assert {configuration(label) for label in labels} == {"ulx3s_main"}


def test_peers_stand_beside_ours():
    text = table.section({"figures": [row("mmu", "ulx3s")]})
    assert "| `mmu` | `ulx3s` | 10 | 2 | 6 | 5 | 1 | 0 | 60.0 / **61.0** / 62.0 (3) |" in text
    assert "CVA6 MMU alone, Sv39" in text and "58.0 / **61.5** / 62.2" in text
    assert "| 10.0 | 9 | 70 % |" in text


def test_rows_of_another_flow_are_named():
    rows = [row("mmu", "ulx3s"), row("mmu", "wide")]
    assert "Flow: `flow`; t 1;" in table.section({"figures": rows})
    rows[1]["flow"] = "another"
    assert "Flows: `flow` (mmu:ulx3s); `another` (mmu:wide); t 1;" in table.section(
        {"figures": rows}
    )


def test_cost_of_the_granule_is_a_ratio_of_rows():
    rows = [row("mmu", "fixed4k", 95), row("mmu", "runtime", 100), row("cpu", "x", 1)]
    rows += [row("mmu", "fixed4k-plain", 160), row("mmu", "runtime-plain", 200)]
    text = table.granule_cost({"figures": rows})
    assert "| of `make area` | `fixed4k` | 95 | 100 | 5.0 % | 61.0 | 61.0 (+0.0 %) |" in text
    assert "| of Yosys | `fixed4k` | 160 | 200 | 20.0 % |" in text
    assert table.granule_cost({"figures": rows[1:3]}) == "Not measured yet."


def test_a_new_build_of_a_board_replaces_its_row_and_leaves_the_others():
    def build(board: str, reached: float) -> dict:
        figures = {
            **dict(board=board, met=reached >= 60, worst=["a -> b: 16 ns"]),
            **dict(mhz={"pll": [reached, 60.0]}, used={"TRELLIS_COMB": [5, 10]}),
        }
        return dict(name=f"fpga-{board}", configuration="c", seed=1, commit="abc", figures=figures)

    rows = [build("x-85", 57.5), build("y-25", 60.1)]
    text = boards.section(merged(rows, [build("x-85", 61.02)], "name"))
    assert "| `x-85` | `c` | 5 of 10 | 60 | **61.0** | yes | 1 | a -> b: 16 ns | abc |" in text
    assert "57.5" not in text and "`y-25`" in text


def test_the_plot_compares_lut4_and_tells_mappings_apart(tmp_path):
    rows = [row("mmu", "ulx3s"), row("mmu", "small")]
    rows[0]["flow"], rows[1]["flow"] = "synth_ecp5, --freq 100", "scratchpad -set a b; synth_ecp5"
    bars = table.bars(rows)
    assert [bar.lut4 for bar in bars[:2]] == [10, 10]  # without carry and RAM
    assert [bar.colour for bar in bars[:3]] == [table.SAME, table.OWN, table.THEIRS]
    table.draw({"figures": rows}, tmp_path / "plot.svg")
    assert "<svg" in (tmp_path / "plot.svg").read_text()
