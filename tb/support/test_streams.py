"""The monitor of streams: ports that break the rule in each way are found, by name."""

from types import SimpleNamespace

import pytest

from support.streams import StreamMonitor, ports_of, streams_of

PORTS = ("io_cmd_valid", "io_cmd_ready", "io_cmd_payload_va", "io_cmd_payload_op", "io_flow_valid",
         "io_flow_payload", "axi_awvalid", "axi_awready", "axi_awaddr", "axi_wvalid", "axi_wready",
         "axi_wdata", "axi_wlast", "clk")  # fmt: skip


def monitor(**options):
    signals = {name: SimpleNamespace(value=0) for name in PORTS}
    return signals, StreamMonitor(signals, **options)


def play(cycles, **options):
    """Cycles as the values that differ from the cycle before."""
    signals, watch = monitor(**options)
    for cycle in cycles:
        for name, value in cycle.items():
            signals[name].value = value
        watch.look()


def test_which_ports_there_are():
    """A Flow has no ready and owes nothing; a payload belongs to its own port only."""
    signals, _ = monitor()
    found = {stream.name: sorted(stream.payload) for stream in streams_of(signals)}
    assert found == {
        "io_cmd": ["io_cmd_payload_op", "io_cmd_payload_va"],
        "axi_aw": ["axi_awaddr"],
        "axi_w": ["axi_wdata", "axi_wlast"],
    }


def test_ports_are_those_of_the_head_of_the_module():
    text = """module other (
  input  wire          clk
);
module unit (
  input  wire [7:0]    io_a_payload,
  output reg           io_a_ready
);
  wire io_b_valid;
);
"""
    assert ports_of(text, "unit") == ["io_a_payload", "io_a_ready"]


def test_what_is_allowed():
    """An offer waits, is taken, and another follows at once; without valid anything may change."""
    play([
        {"axi_awaddr": 1}, {"axi_awaddr": 2},
        {"axi_awvalid": 1}, {}, {"axi_awready": 1}, {"axi_awaddr": 3}, {"axi_awvalid": 0},
        {"axi_awaddr": 4, "axi_awready": 0},
    ])  # fmt: skip


@pytest.mark.parametrize(
    "port, field",
    [("axi_aw", "axi_awaddr"), ("axi_w", "axi_wlast"), ("io_cmd", "io_cmd_payload_op")],
)
def test_what_is_not(port, field):
    valid = f"{port}_valid" if port == "io_cmd" else f"{port}valid"
    with pytest.raises(AssertionError, match=f"{port}: VALID was withdrawn"):
        play([{valid: 1}, {valid: 0}])
    with pytest.raises(AssertionError, match=f"{port}: {field} changed from 0 to 1"):
        play([{valid: 1}, {}, {field: 1}])
    ready = valid.replace("valid", "ready")
    with pytest.raises(AssertionError, match="changed"):
        play([{valid: 1}, {field: 1, ready: 1}])


def test_where_the_contract_lets_an_offer_go():
    faults = iter((True, False, False))
    may = {"io_cmd": lambda: next(faults)}
    with pytest.raises(AssertionError, match="withdrawn"):
        play([{"io_cmd_valid": 1}, {"io_cmd_valid": 0}, {"io_cmd_valid": 1}, {"io_cmd_valid": 0}],
             may_withdraw=may)  # fmt: skip
    assert next(faults) is False, "the first withdrawal was allowed, the second was not"


def test_an_exception_for_a_port_that_is_not_there():
    with pytest.raises(AssertionError, match="no such ports"):
        monitor(may_withdraw={"io_other": bool})
