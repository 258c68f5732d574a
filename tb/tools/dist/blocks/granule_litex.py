# SPDX-License-Identifier: Apache-2.0
"""The bridge of Granule as a module of LiteX.

`client`: where a device's AXI4 master goes; its addresses are virtual, AxUSER names its stream.
`bus`: AXI4 to memory, physical. `apb`: registers (granule_bridge.h). `walk`: to the tables.
`context`: TCR, MAIR and the like, as the CPU's MMU has them. `interrupt`: a fault, if so chosen.
"""

from pathlib import Path

from litex.soc.interconnect import axi
from migen import ClockSignal, Instance, Module, Record, ResetSignal, Signal

VIRTUAL, PHYSICAL, DATA, ID, STREAM = 64, 48, 32, 4, 3
ADDRESS = ("addr", "id", "len", "size", "burst", "lock", "cache", "qos", "prot")
CHANNELS = {  # to the slave: what each channel has beside valid and ready
    "aw": (True, ADDRESS),
    "w": (True, ("data", "strb", "last")),
    "b": (False, ("id", "resp")),
    "ar": (True, ADDRESS),
    "r": (False, ("data", "id", "resp", "last")),
}
WALK = [
    ("cmd_valid", 1), ("cmd_ready", 1), ("cmd_payload_address", PHYSICAL), ("cmd_payload_size", 2),
    ("cmd_payload_cacheable", 1), ("cmd_payload_swap", 1), ("cmd_payload_expected", 64),
    ("cmd_payload_desired", 64), ("rsp_valid", 1), ("rsp_payload_data", 64),
    ("rsp_payload_error", 1), ("rsp_payload_unsupported", 1),
]  # fmt: skip
WALK_INPUTS = {"cmd_ready"} | {name for name, _ in WALK if name.startswith("rsp")}
APB = [
    ("PADDR", 8), ("PSEL", 1), ("PENABLE", 1), ("PREADY", 1), ("PWRITE", 1), ("PWDATA", 32),
    ("PRDATA", 32), ("PSLVERROR", 1),
]  # fmt: skip
APB_OUTPUTS = {"PREADY", "PRDATA", "PSLVERROR"}
CONTEXT = (
    "tcr", "ttbr0", "ttbr1", "mair", "sctlr", "tcr2", "ttbr0High", "ttbr1High", "mair2", "pir",
    "pire0", "satp",
)  # fmt: skip
INVALIDATE = [
    ("cmd_valid", 1), ("cmd_ready", 1), ("cmd_payload_kind", 3),
    ("cmd_payload_lastLevelOnly", 1), ("cmd_payload_operand", 64), ("cmd_payload_ds", 1),
    ("done", 1),
]  # fmt: skip
INVALIDATE_OUTPUTS = {"cmd_ready", "done"}


def _channels(prefix, bus, slave):
    """Ports of an AXI4 interface of the Verilog; `slave`: the Verilog is asked."""
    ports = {}
    for name, (asks, fields) in CHANNELS.items():
        channel = getattr(bus, name)
        inward = "i" if asks == slave else "o"
        back = "o" if inward == "i" else "i"
        ports[f"{inward}_{prefix}_{name}valid"] = channel.valid
        ports[f"{back}_{prefix}_{name}ready"] = channel.ready
        for field in fields:
            ports[f"{inward}_{prefix}_{name}{field}"] = getattr(channel, field)
    return ports


def _record(prefix, record, layout, outputs):
    return {
        f"{'o' if name in outputs else 'i'}_{prefix}_{name}": getattr(record, name)
        for name, _ in layout
    }


class GranuleBridge(Module):
    def __init__(self, platform=None):
        self.client = axi.AXIInterface(
            data_width=DATA, address_width=VIRTUAL, id_width=ID,
            aw_user_width=STREAM, ar_user_width=STREAM,
        )  # fmt: skip
        self.bus = axi.AXIInterface(data_width=DATA, address_width=PHYSICAL, id_width=ID)
        self.apb, self.walk, self.invalidate = Record(APB), Record(WALK), Record(INVALIDATE)
        self.context = Record([(name, 64) for name in CONTEXT])
        self.interrupt = Signal()
        walk_outputs = {name for name, _ in WALK} - WALK_INPUTS
        self.specials += Instance(
            "granule_bridge",
            i_clk=ClockSignal(),
            i_reset=ResetSignal(),
            **_channels("client", self.client, slave=True),
            i_client_awuser=self.client.aw.user,
            i_client_aruser=self.client.ar.user,
            **_channels("bus", self.bus, slave=False),
            **_record("io_apb", self.apb, APB, APB_OUTPUTS),
            **_record("io_walk", self.walk, WALK, walk_outputs),
            **_record("io_invalidate", self.invalidate, INVALIDATE, INVALIDATE_OUTPUTS),
            **_record("io_context", self.context, self.context.layout, set()),
            o_io_interrupt=self.interrupt,
        )
        if platform is not None:
            platform.add_source(str(Path(__file__).parent / "bridge" / "granule_bridge.v"))
