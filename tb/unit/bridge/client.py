"""A client of the bridge that says each transaction itself, channel by channel. (AxiMaster of
cocotbext-axi makes transactions of its own, which are always legal.)"""

from dataclasses import dataclass, field

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiBus
from cocotbext.axi.axi_channels import AxiARSource, AxiAWSource, AxiBSink, AxiRSink, AxiWSource

from unit.bridge.bus import INCR

OKAY, EXOKAY, SLVERR, DECERR = range(4)


@dataclass
class Transfer:
    """A transaction; `resps` and `data` are what was answered, beat by beat, and `done` is the
    cycle of the last one."""

    va: int
    id: int
    write: bool
    length: int
    resps: list[int] = field(default_factory=list)
    data: list[int] = field(default_factory=list)
    done: int = 0

    @property
    def resp(self) -> int:
        """That of all beats."""
        assert len(set(self.resps)) == 1, f"{self}: different answers"
        return self.resps[0]


class Client:
    def __init__(self, dut):
        axi = AxiBus.from_prefix(dut, "client")
        clock = dut.clk, dut.reset
        self.dut = dut
        self.ar, self.r = AxiARSource(axi.read.ar, *clock), AxiRSink(axi.read.r, *clock)
        self.aw, self.w = AxiAWSource(axi.write.aw, *clock), AxiWSource(axi.write.w, *clock)
        self.b = AxiBSink(axi.write.b, *clock)
        for channel in (self.ar, self.r, self.aw, self.w, self.b):
            channel.log.setLevel("ERROR")
        self.open = {}, {}  # reads, writes: by ID those without an answer, oldest first
        self.finished: list[Transfer] = []
        self.cycle = 0
        cocotb.start_soon(self._run())

    def _address(self, kind, transfer, options) -> Transfer:
        """`options`: fields of AR or AW by their names without these two letters."""
        channel = getattr(self, kind)
        ax = channel._transaction_obj()
        fields = {"addr": transfer.va, "id": transfer.id, "len": transfer.length - 1}
        for name, value in (fields | {"size": 2, "burst": INCR} | options).items():
            setattr(ax, f"{kind}{name}", value)
        channel.send_nowait(ax)
        self.open[transfer.write].setdefault(transfer.id, []).append(transfer)
        return transfer

    def read(self, va, *, id=0, stream=0, length=1, **options) -> Transfer:
        transfer = Transfer(va, id, False, length)
        return self._address("ar", transfer, options | {"user": stream})

    def write(self, va, data, *, id=0, stream=0, strobes=15, send=True, **options) -> Transfer:
        """`data`: a word for each beat, sent at once unless `send` is False."""
        transfer = Transfer(va, id, True, len(data))
        if send:
            self.send_data(data, strobes)
        return self._address("aw", transfer, options | {"user": stream})

    def access(self, write: bool, va, data=(0,), **options) -> Transfer:
        """A write of `data`, or a read of as many beats."""
        if write:
            return self.write(va, data, **options)
        return self.read(va, length=len(data), **options)

    def send_data(self, data, strobes=15) -> None:
        for n, value in enumerate(data):
            beat = self.w._transaction_obj()
            beat.wdata, beat.wstrb, beat.wlast = value, strobes, int(n == len(data) - 1)
            self.w.send_nowait(beat)

    async def _run(self) -> None:
        edge = RisingEdge(self.dut.clk)
        while True:
            await edge
            self.cycle += 1
            while not self.r.empty():
                beat = self.r.recv_nowait()
                transfer = self._oldest(False, int(beat.rid))
                transfer.resps.append(int(beat.rresp))
                transfer.data.append(int(beat.rdata))
                last = len(transfer.resps) == transfer.length
                assert int(beat.rlast) == last, f"RLAST of {transfer}"
                if last:
                    self._finish(transfer)
            while not self.b.empty():
                beat = self.b.recv_nowait()
                transfer = self._oldest(True, int(beat.bid))
                transfer.resps.append(int(beat.bresp))
                self._finish(transfer)

    def _oldest(self, write: bool, identity: int) -> Transfer:
        assert self.open[write].get(identity), f"an answer of ID {identity} that is not owed"
        return self.open[write][identity][0]

    def _finish(self, transfer: Transfer) -> None:
        self.open[transfer.write][transfer.id].pop(0)
        transfer.done = self.cycle
        self.finished.append(transfer)

    @property
    def busy(self) -> bool:
        return any(waiting for side in self.open for waiting in side.values())
