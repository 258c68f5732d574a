# SPDX-License-Identifier: Apache-2.0
"""A system with the bridge: its translation tables are in block RAM. Writes example.v."""

from granule_litex import CHANNELS, GranuleBridge
from migen import FSM, If, Memory, Module, NextState, NextValue, Signal
from migen.fhdl import verilog

TABLE_WORDS = 512  # one table of 4 KiB


class TablesInRam(Module):
    """What `walk` asks for: reads, and swaps, in a memory that nobody else writes meanwhile."""

    def __init__(self, walk):
        memory = Memory(64, TABLE_WORDS)
        port = memory.get_port(write_capable=True)
        self.specials += memory, port
        swap, expected, desired = Signal(), Signal(64), Signal(64)
        index = Signal(max=TABLE_WORDS)
        self.comb += port.adr.eq(index)
        self.submodules.fsm = fsm = FSM(reset_state="IDLE")
        fsm.act(
            "IDLE",
            walk.cmd_ready.eq(1),
            If(
                walk.cmd_valid,
                NextValue(index, walk.cmd_payload_address[3:]),
                NextValue(swap, walk.cmd_payload_swap),
                NextValue(expected, walk.cmd_payload_expected),
                NextValue(desired, walk.cmd_payload_desired),
                NextState("READ"),
            ),
        )
        fsm.act("READ", NextState("ANSWER"))
        fsm.act(
            "ANSWER",
            walk.rsp_valid.eq(1),
            walk.rsp_payload_data.eq(port.dat_r),
            port.dat_w.eq(desired),
            port.we.eq(swap & (port.dat_r == expected)),
            NextState("IDLE"),
        )


class Example(Module):
    def __init__(self):
        self.submodules.bridge = bridge = GranuleBridge()
        self.submodules.tables = TablesInRam(bridge.walk)
        ports = [bridge.apb, bridge.invalidate, bridge.context]
        ports += [getattr(axi, name) for axi in (bridge.client, bridge.bus) for name in CHANNELS]
        self.ios = {bridge.interrupt} | {s for port in ports for s in port.flatten()}


if __name__ == "__main__":
    example = Example()
    verilog.convert(example, ios=example.ios, name="example").write("example.v")
