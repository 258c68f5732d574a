"""The campaign over places of code and data: what it boots, what it records, how it links."""

import pytest
from click.testing import CliRunner

from figures import boots, scoreboard
from figures.boots import Boot, Outcome, Plan, all_places, plans, quotients
from figures.measure import Failed
from figures.rows import ANY, row_of
from figures.test_rows import figure
from granule.test_simulator import stand_in
from support.host import output
from support.run import ROOT, built
from tools.demo import campaign
from tools.demo.campaign import merged, wanted

TWO = Plan("e003", "run=e003", images=("sw", "sw-fixed-{granule}"), over=(("H3.5", "E-fork"),))


def outcome(number: int, value: float, experiment: str = "e000") -> Outcome:
    boot = Boot(Plan(experiment, f"run={experiment}"), "teaching", "4k", number)
    return Outcome(boot, [figure(value=value)], [{"name": f"{experiment}.curve", "granule": "4k"}])


def test_a_plan_is_booted_at_its_places():
    some = plans('[e000]\nrun = "run=e000"\n[e002]\nrun = "run=e002"\ngranules = ["4k"]')
    todo = list(all_places(wanted(some, ())))
    assert len([b for b in todo if b.plan.name == "e000"]) == 2 * (16 + 4 + 4)
    assert len([b for b in todo if b.plan.name == "e002"]) == 2 * 16
    assert [plan.name for plan in wanted(some, ("e002",))] == ["e002"]
    assert [b.placement for b in todo] == sorted(b.placement for b in todo)


@pytest.mark.parametrize(
    ("plan", "caches"),
    [
        ('images = ["a", "b"]', {"teaching", "ulx3s"}),
        ('images = ["a", "b"]\ndemo = ["teaching"]', {"teaching"}),
        ('images = ["a", "b"]\ndemo = false', set()),
        ("", set()),
    ],
)
def test_the_demo_boots_what_compares_images_on_the_caches_that_it_says(plan, caches):
    one = plans(f'[e003]\nrun = ""\n{plan}')["e003"]
    assert {cache for cache in one.caches if Boot(one, cache, "4k").in_demo} == caches


def test_figures_of_two_images_are_divided():
    boot = Boot(TWO, "teaching", "4k")
    (ratio,) = quotients(boot, [figure(id="E-fork", value=102)], [figure(id="E-fork", value=100)])
    assert (ratio.id, ratio.value, ratio.unit) == ("H3.5", 1.02, "ratio")
    with pytest.raises(Failed, match="no E-fork of both images for H3.5"):
        quotients(boot, [figure(id="E-fork", value=102)], [])


def test_what_cannot_be_run_says_why():
    with pytest.raises(Failed, match="no experiment e009; there are: e000"):
        wanted(plans('[e000]\nrun = ""'), ("e009",))
    with pytest.raises(Failed, match="e000: no field is called colour"):
        plans('[e000]\nrun = ""\ncolour = 1')
    with pytest.raises(Failed, match="e000: no run"):
        plans('[e000]\ngranules = ["4k"]')


def test_an_experiment_that_the_firmware_does_not_have_is_no_measurement(tmp_path, monkeypatch):
    """The firmware would keep run=all."""
    said = stand_in(tmp_path, "echo \"run='e009' is no experiment\"")
    monkeypatch.setitem(boots.SIMULATORS, "teaching", said)
    with pytest.raises(Failed, match="place 0, image sw: run='e009' is no exp"):
        boots.run(Boot(Plan("e009", "run=e009"), "teaching", "4k"), tmp_path)


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
    elsewhere = {**old["figures"][0], "granule": "64k"}
    again = merged([outcome(0, 9.5, "e002")], {"figures": [elsewhere]}, "new")
    assert {row["granule"] for row in again["figures"]} == {"4k", "64k"}


def test_every_place_is_the_same_program_elsewhere(tmp_path):
    """All symbols of the image are there; most lie at other addresses, data too."""
    image = built("build/sw/granule.elf").parent
    assert boots.link(image, 0, tmp_path) == ROOT / "build" / "sw" / "granule.elf"
    tables = [symbols(boots.link(image, n, tmp_path)) for n in (0, 1, 2)]
    assert tables[0].keys() == tables[1].keys() == tables[2].keys()
    for name in ("kernel_main", "handle_mm_fault", "mem_map", "task_report"):
        assert len({table[name] for table in tables}) == 3, name
    assert symbols(boots.link(image, 1, tmp_path)) == tables[1], "a place is repeatable"


def symbols(elf) -> dict[str, str]:
    """Addresses by name, of symbols that the linker script or a place does not make."""
    lines = map(str.split, output(f"{boots.CROSS}nm", elf).splitlines())
    found = (words for words in lines if len(words) == 3)
    return {name: address for address, _, name in found if not name.startswith("__place")}


def test_what_was_built_of_its_commit_is_noted(tmp_path, monkeypatch):
    noted, out = [], tmp_path / "figures.json"
    nothing = Outcome(Boot(Plan(campaign.IMAGES, run=""), "no cache", ANY), [], [])
    monkeypatch.setattr(campaign, "read_files", lambda: nothing)
    monkeypatch.setattr(campaign.commits, "note", noted.append)
    arguments = ["--only", campaign.IMAGES, "--out", str(out)]
    ended = CliRunner().invoke(campaign.main, arguments, catch_exceptions=False)
    assert ended.exit_code == 0 and out.exists() and noted == [campaign.results.commit()]


@pytest.mark.xdist_group("pairs")
def test_document_003_is_judged_as_published(tmp_path):
    """At one place: a verdict that differs is in docs/data/stale.toml with its reason.
    tb/system/sw/test_experiments.py asks the other documents."""
    built("build/granule-sim")
    boot = Boot(plans()["e003-plain"], "teaching", "4k")
    for image in boot.images:
        built(f"build/{image}/granule.elf")
    measured = scoreboard.lines(map(row_of, boots.run(boot, tmp_path).figures))
    mine = {row.entry.id for row in measured if row.found and row.found.source == "this run"}
    assert mine.issuperset(f"H3.{n}" for n in (5, 6, 7, 8, 12, 13))
    assert scoreboard.unlisted(scoreboard.lines(), measured) == []
