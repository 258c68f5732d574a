"""A board whose clock is too slow gets no bitstream, and the command fails."""

import pytest
from click.testing import CliRunner

from tools.board import bitstream
from tools.pnr.verdict import judge

OPTIONS = {
    "--board": "ulx3s", "--size": "85", "--config": "ulx3s", "--mhz": "60", "--device": "85k",
}  # fmt: skip


def report(achieved: float) -> dict:
    return {
        "fmax": {"$glbnet$system_clk": {"achieved": achieved, "constraint": 60.0}},
        "utilization": {},
        "critical_paths": [],
    }


@pytest.mark.parametrize(("achieved", "status"), [(60.0, 0), (59.9, 1)])
def test_a_bitstream_only_if_timing_is_met(achieved, status, tmp_path, monkeypatch):
    packed = []

    def pack(build):
        packed.append(build)
        return bitstream.ROOT / "granule.bit"

    monkeypatch.setattr(bitstream.Build, "work", property(lambda build: tmp_path))
    for step in ("generate", "synthesize"):
        monkeypatch.setattr(bitstream, step, lambda build: None)
    monkeypatch.setattr(bitstream, "place", lambda build: judge(report(achieved), ""))
    monkeypatch.setattr(bitstream, "record", lambda build, verdict: None)
    monkeypatch.setattr(bitstream, "pack", pack)
    image = tmp_path / "loader.bin"
    image.write_bytes(b"")
    old = tmp_path / "granule.bit"
    old.write_bytes(b"of the last build")

    words = [word for option in OPTIONS.items() for word in option]
    run = CliRunner().invoke(bitstream.main, [*words, "--image", str(image)])
    assert run.exit_code == status, run.output
    assert len(packed) == 1 - status
    assert not old.exists()
    if status:
        assert "timing is not met, no bitstream is written" in run.output
