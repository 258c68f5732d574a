"""The campaign over places of code and data: what it boots, what it records, how it links."""

import pytest

from demo import campaign, placement
from demo.campaign import BadCampaign, Boot, Outcome, boots, merged
from demo.figures import parse
from support.run import ROOT, built

LINE = "RESULT id=H0.1 run=4k class=figure value={} unit=ratio what=kernel"


def outcome(number: int, value: float, experiment: str = "e000") -> Outcome:
    boot = Boot(experiment, f"run={experiment}", "teaching", "4k", ("sw",), number)
    return Outcome(boot, [parse(LINE.format(value), "teaching")], [{"name": f"{experiment}.curve"}])


def test_a_plan_is_booted_at_its_places():
    plans = {"e000": {"run": "run=e000"}, "e002": {"run": "run=e002", "granules": ["4k"]}}
    todo = list(boots(plans, ()))
    assert len([b for b in todo if b.experiment == "e000"]) == 2 * (16 + 4 + 4)
    assert len([b for b in todo if b.experiment == "e002"]) == 2 * 16
    assert {b.experiment for b in boots(plans, ("e002",))} == {"e002"}
    assert [b.placement for b in todo] == sorted(b.placement for b in todo)


def test_images_are_those_of_the_granule():
    plans = {"e003": {"run": "run=e003", "images": ["sw", "sw-fixed-{granule}"], "placements": 1}}
    assert {(b.granule, b.images[1]) for b in boots(plans, ())} == {
        (g, f"sw-fixed-{g}") for g in ("4k", "16k", "64k")
    }


def test_what_cannot_be_run_says_why():
    with pytest.raises(BadCampaign, match="no experiment e009; there are: e000"):
        list(boots({"e000": {"run": ""}}, ("e009",)))
    with pytest.raises(BadCampaign, match="e000 has no field colour"):
        list(boots({"e000": {"run": "", "colour": 1}}, ()))


def test_the_campaign_in_the_repository_can_be_read():
    assert list(boots(campaign.tomllib.loads(campaign.PLANS.read_text()), ()))


def test_least_median_and_most_are_recorded_with_their_commit():
    outcomes = [outcome(n, v) for n, v in ((2, 1.3), (0, 1.1), (1, 1.2), (3, 1.4))]
    record = merged(outcomes, {}, "abc")
    (row,) = record["figures"]
    assert (row["least"], row["median"], row["most"], row["placements"]) == (1.1, 1.2, 1.4, 4)
    assert row["values"] == [1.1, 1.2, 1.3, 1.4]
    assert (row["id"], row["granule"], row["commit"]) == ("H0.1", "4k", "abc")
    assert len(record["series"]) == 1, "curves of place 0 only"


def test_what_was_not_run_keeps_its_record():
    old = merged([outcome(0, 9.0, "e002"), outcome(0, 8.0)], {}, "old")
    new = merged([outcome(0, 1.1)], old, "new")
    kept = {row["experiment"]: (row["median"], row["commit"]) for row in new["figures"]}
    assert kept == {"e002": (9.0, "old"), "e000": (1.1, "new")}
    assert {c["commit"] for c in new["series"]} == {"old", "new"}


def test_every_place_is_the_same_program_elsewhere(tmp_path):
    """All symbols of the image are there; most lie at other addresses, data too."""
    image = built("build/sw/granule.elf").parent
    assert placement.link(image, 0, tmp_path) == ROOT / "build" / "sw" / "granule.elf"
    tables = [symbols(placement.link(image, n, tmp_path)) for n in (0, 1, 2)]
    assert tables[0].keys() == tables[1].keys() == tables[2].keys()
    for name in ("kernel_main", "handle_mm_fault", "mem_map", "task_report"):
        assert len({table[name] for table in tables}) == 3, name
    assert symbols(placement.link(image, 1, tmp_path)) == tables[1], "a place is repeatable"


def symbols(elf) -> dict[str, str]:
    """Addresses by name, of symbols that the linker script or a place does not make."""
    command = [f"{placement.CROSS}nm", elf]
    done = campaign.subprocess.run(command, capture_output=True, text=True, check=True)
    found = (line.split() for line in done.stdout.splitlines() if len(line.split()) == 3)
    return {name: address for address, _, name in found if not name.startswith("__place")}
