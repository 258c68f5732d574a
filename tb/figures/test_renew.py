"""What is stale is found, and the command that renews it exists."""

import json
import re
import subprocess

from figures import renew
from support import commits
from support.root import ROOT


def test_every_record_has_a_command_and_sources():
    records = {path.stem for path in renew.DATA.glob("*.json")} - {commits.FILE.stem}
    assert records == set(renew.RECORDS)
    makefiles = [ROOT / "Makefile", *ROOT.glob("*/*.mk"), *ROOT.glob("*/*/*.mk")]
    makefiles += ROOT.glob("*/*/*/*.mk")
    targets = set(re.findall(r"^([\w-]+):", "\n".join(p.read_text() for p in makefiles), re.M))
    for command, sources in renew.RECORDS.values():
        assert targets.issuperset(re.findall(r"make ([\w-]+)", command)), command
        assert all((ROOT / source).is_dir() for source in sources.split()), sources


def test_invalidation_is_renewed_with_as_many_commands_as_it_has():
    recorded = json.loads((renew.DATA / "invalidation.json").read_text())["figures"]["random"]
    most = max(counts["commands"] for counts in recorded.values())
    assert renew.RECORDS["invalidation"][0].endswith(f"COMMANDS={most}")


def test_a_record_of_what_is_built_is_not_stale(monkeypatch):
    """Whatever was committed since then: RTL and firmware are the same."""
    records = {name: renew.RECORDS[name] for name in ("figures", "flush")}
    monkeypatch.setattr(renew, "RECORDS", records)
    monkeypatch.setattr(renew, "since", lambda *_: 3)
    monkeypatch.setattr(commits, "is_built", lambda commit: True)
    assert set(renew.stale()) == {"flush"}, "it is of machines that have no digest"
    monkeypatch.setattr(commits, "is_built", lambda commit: False)
    assert "3 commits to rtl sw since" in renew.stale()["figures"]


def test_a_record_is_stale_when_its_sources_changed(tmp_path):
    def commit(name: str, text: str) -> str:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        by = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
        subprocess.run(["git", *by, "commit", "-qm", name], cwd=tmp_path, check=True)
        return renew.git("rev-parse", "--short", "HEAD", root=tmp_path)

    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    first = commit("rtl/a", "1")
    record = commit("data.json", f'{{"commit": "{first}-dirty"}}')
    assert renew.commits(tmp_path / "data.json", tmp_path) == {f"{first}-dirty"}
    assert renew.since(first, "rtl sw", tmp_path) == 0
    assert renew.since(f"{first}-dirty", "rtl sw", tmp_path) == 0
    commit("rtl/a", "2")
    assert renew.since(first, "rtl sw", tmp_path) == renew.since(record, "rtl", tmp_path) == 1
    assert renew.since(first, "sw", tmp_path) == 0
    assert renew.since("0123456789", "rtl", tmp_path) is None
    last = commit("other.json", "{}")
    assert renew.commits(tmp_path / "other.json", tmp_path) == {last}
