"""Single beats past the data cache: what each operation asks of the bus, in which order, and what
comes back."""

import itertools
import random

import cocotb
from cocotb.triggers import FallingEdge

from support.on import On
from support.parts import Pins, low, settle, start
from support.streams import StreamMonitor
from unit.cache.memory import HIGHMEM, LOWMEM, PERIPHERAL

RUNS = [On("cacheip:teaching", part="UncachedPort")]

LOAD, STORE, LR, SC, AMO = range(5)
READS, WRITES = {LOAD, LR, AMO}, {STORE, AMO}
OKAY, SLVERR, DECERR = 0, 2, 3
MAPPED = (LOWMEM, LOWMEM + 0x1234, HIGHMEM + 0x5678, PERIPHERAL)
NOWHERE = (0, 0x4000_0000, LOWMEM - 4, 0x8_0000_0000)


class Bus(Pins):
    """An AXI slave of one beat at a time, with a delay for each channel. `log` is what happened."""

    def __init__(self, dut, *, delays=None, word=0, resp=OKAY, read_resp=OKAY):
        super().__init__(dut, "io_axi")
        self.word, self.resp, self.read_resp = word, resp, read_resp
        self.waits = dict.fromkeys(("ar", "aw", "w", "r", "b"), 0) | (delays or {})
        self.log, self.got = [], set()
        self.monitor = StreamMonitor.of(dut)

    def _due(self, channel: str, active: bool) -> bool:
        """Counts the delay down while it could be done."""
        if not active:
            return False
        self.waits[channel] -= 1
        return self.waits[channel] < 0

    async def cycle(self) -> None:
        for channel in ("ar", "aw", "w"):
            ready = self._due(channel, bool(self.get(f"{channel}_valid")))
            self.put(**{f"{channel}_ready": ready})
        read = "ar" in self.got and "r" not in self.got
        written = {"aw", "w"} <= self.got and "b" not in self.got
        self.put(r_valid=self._due("r", read), r_payload_data=self.word,
                 r_payload_resp=self.read_resp, b_valid=self._due("b", written),
                 b_payload_resp=self.resp)  # fmt: skip
        await settle()
        self.monitor.look()
        for channel in ("ar", "aw", "w", "r", "b"):
            if self.get(f"{channel}_valid") and self.get(f"{channel}_ready"):
                assert channel not in self.got, f"a second beat of {channel}"
                self.got.add(channel)
                self.log.append((channel, *self._payload(channel)))

    def _payload(self, channel: str) -> tuple:
        if channel in ("ar", "aw"):
            assert self.get(f"{channel}_payload_len") == 0
            return self.get(f"{channel}_payload_addr"), self.get(f"{channel}_payload_size")
        if channel == "w":
            assert self.get("w_payload_last") == 1
            return self.get("w_payload_data"), self.get("w_payload_strb")
        return ()


async def access(dut, op, pa=LOWMEM, *, size=2, mask=15, to_store=0, reserved=0, **bus):
    """(data, error, wrote), and what the bus saw."""
    inputs = {"pa": pa, "reserved": reserved, "mask": mask, "toStore": to_store,
              "axi_r_payload_last": 1, "cmd_op": op, "cmd_size": size}  # fmt: skip
    await start(dut, **low(dut) | {f"io_{name}": value for name, value in inputs.items()})
    slave = Bus(dut, **bus)
    dut.io_start.value = 1
    for _ in range(60):
        await slave.cycle()
        if int(dut.io_done.value):
            break
        await FallingEdge(dut.clk)
        dut.io_start.value = 0
    else:
        raise AssertionError("it does not end")
    answer = tuple(int(getattr(dut, f"io_{n}").value) for n in ("data", "error", "wrote"))
    await FallingEdge(dut.clk)
    await slave.cycle()
    assert not int(dut.io_done.value), "done is one cycle long"
    return answer, slave.log


@cocotb.test()
async def what_each_operation_asks(dut):
    """LR is a load; an AMO reads, then writes; SC writes only if it is reserved."""
    for op, pa, size in itertools.product((LOAD, STORE, LR, AMO), MAPPED, (0, 1, 2)):
        (data, error, wrote), log = await access(
            dut, op, pa, size=size, mask=0b0110, to_store=0xCAFE_F00D, word=0x1234_5678
        )
        read = [("ar", pa, size), ("r",)] if op in READS else []
        write = [("aw", pa, size), ("w", 0xCAFE_F00D, 0b0110), ("b",)] if op in WRITES else []
        assert log == read + write, (op, pa)
        assert (error, wrote) == (0, int(op in WRITES))
        assert op not in READS or data == 0x1234_5678
    for reserved in (0, 1):
        (data, error, wrote), log = await access(dut, SC, reserved=reserved, to_store=7)
        assert (data, error, wrote) == (1 - reserved, 0, reserved)
        assert [name for name, *_ in log] == (["aw", "w", "b"] if reserved else [])


@cocotb.test()
async def address_and_data_of_a_write_go_in_any_order(dut):
    draw = random.Random(3)
    for op in (STORE, AMO):
        for aw, w in itertools.product(range(4), repeat=2):
            delays = {"aw": aw, "w": w, "b": draw.randrange(3), "ar": draw.randrange(3)}
            (_, error, wrote), log = await access(dut, op, to_store=aw, delays=delays)
            assert (error, wrote) == (0, 1)
            names = [name for name, *_ in log if name not in ("ar", "r")]
            assert sorted(names[:2]) == ["aw", "w"] and names[2] == "b"
            if aw != w:
                assert names[0] == ("aw" if aw < w else "w")


@cocotb.test()
async def an_error_of_the_bus(dut):
    """An AMO whose read failed writes nothing; a write that failed did not write."""
    for resp in (SLVERR, DECERR):
        for op in (LOAD, LR, AMO):
            (_, error, wrote), log = await access(dut, op, read_resp=resp)
            assert (error, wrote, len(log)) == (1, 0, 2), op
        for op in (STORE, AMO, SC):
            (_, error, wrote), _ = await access(dut, op, resp=resp, reserved=1)
            assert (error, wrote) == (1, 0), op
    answer, _ = await access(dut, LOAD, word=5)
    assert answer == (5, 0, 0), "the error stayed"


@cocotb.test()
async def an_address_without_memory_asks_nobody(dut):
    for op, pa in itertools.product((LOAD, STORE, LR, AMO, SC), NOWHERE):
        (_, error, wrote), log = await access(dut, op, pa, reserved=1)
        assert (error, wrote, log) == (1, 0, []), (op, hex(pa))
