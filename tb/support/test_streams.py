"""The monitor of streams: ports that break the rule in each way are found, by name."""

from types import SimpleNamespace

import pytest

from support.streams import StreamMonitor, ports_of, streams_of

PORTS = ("io_cmd_valid", "io_cmd_ready", "io_cmd_payload_va", "io_cmd_payload_op", "io_flow_valid",
         "io_flow_payload", "axi_awvalid", "axi_awready", "axi_awaddr", "axi_wvalid", "axi_wready",
         "axi_wdata", "axi_wlast", "clk")  # fmt: skip


def unit() -> dict:
    return {name: SimpleNamespace(value=0) for name in PORTS}


def play(cycles, **options) -> None:
    """Cycles as the values that differ from the cycle before."""
    signals = unit()
    watch = StreamMonitor(signals, **options)
    for cycle in cycles:
        for name, value in cycle.items():
            signals[name].value = value
        watch.look()


def test_which_ports_there_are():
    """A Flow has no ready and owes nothing; a payload belongs to its own port only. Signals inside
    of a module may have names like those of ports."""
    found = {stream.name: sorted(stream.payload) for stream in streams_of(unit())}
    assert found == {
        "io_cmd": ["io_cmd_payload_op", "io_cmd_payload_va"],
        "axi_aw": ["axi_awaddr"],
        "axi_w": ["axi_wdata", "axi_wlast"],
    }
    text = "module other (\n  input  wire clk\n);\nmodule unit (\n  output reg io_a_ready\n);\n"
    assert ports_of(text + "  wire io_b_valid;\n);\n", "unit") == ["io_a_ready"]


def test_what_is_allowed():
    """An offer waits, is taken, and another follows at once; without valid anything may change."""
    play([
        {"axi_awaddr": 1}, {"axi_awaddr": 2},
        {"axi_awvalid": 1}, {}, {"axi_awready": 1}, {"axi_awaddr": 3}, {"axi_awvalid": 0},
        {"axi_awaddr": 4, "axi_awready": 0},
    ])  # fmt: skip


@pytest.mark.parametrize("cycles, says", [
    ([{"axi_awvalid": 1}, {"axi_awvalid": 0}], "axi_aw: VALID was withdrawn"),
    ([{"io_cmd_valid": 1}, {"io_cmd_valid": 0}], "io_cmd: VALID was withdrawn"),
    ([{"axi_wvalid": 1}, {}, {"axi_wlast": 1}], "axi_w: axi_wlast changed from 0 to 1"),
    ([{"io_cmd_valid": 1}, {"io_cmd_payload_op": 1, "io_cmd_ready": 1}], "payload_op changed"),
])  # fmt: skip
def test_what_is_not(cycles, says):
    with pytest.raises(AssertionError, match=says):
        play(cycles)


def test_where_the_contract_lets_an_offer_go():
    faults = iter((True, False, False))
    may = {"io_cmd": lambda: next(faults)}
    with pytest.raises(AssertionError, match="withdrawn"):
        play([{"io_cmd_valid": 1}, {"io_cmd_valid": 0}] * 2, may_withdraw=may)
    assert next(faults) is False, "the first withdrawal was allowed, the second was not"
    with pytest.raises(AssertionError, match="no such ports"):
        play([], may_withdraw={"io_other": bool})
