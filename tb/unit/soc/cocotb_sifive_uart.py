"""The serial port from both sides: registers as Linux's driver uses them, and pins."""

import random
from itertools import groupby

import cocotb
from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.apb import Apb
from support.on import On
from support.parts import settle, start, until

RUNS = [On("simsoc:teaching", part="SifiveUart")]

TXDATA, RXDATA, TXCTRL, RXCTRL, IE, IP, DIV = range(0, 0x1C, 4)
FULL = EMPTY = 1 << 31
TXWM, RXWM = 1, 2
QUEUE = 16
LEAST = 8  # cycles of a bit


def mark(characters: int) -> int:
    return 1 | characters << 16


class Port:
    """The port, switched on, and its far end."""

    @classmethod
    async def start(cls, dut, cycles: int = LEAST, *, on: bool = True):
        port = cls()
        port.dut, port.apb = dut, Apb(dut)
        await start(dut, io_uart_rxd=1)
        await port.apb.write(DIV, cycles - 1)
        if on:
            await port.apb.write(TXCTRL, mark(1))
            await port.apb.write(RXCTRL, mark(0))
        return port

    async def wait(self, cycles: int) -> None:
        for _ in range(cycles):
            await FallingEdge(self.dut.clk)

    def interrupt(self) -> bool:
        return bool(int(self.dut.io_interrupt.value))

    def rts(self) -> int:
        return int(self.dut.io_uart_rts.value)

    def txd(self) -> int:
        return int(self.dut.io_uart_txd.value)

    async def runs(self, cycles: int) -> list[tuple[int, int]]:
        """Level and length of each run on txd, from the next start bit on, for some cycles."""
        await until(self.dut, lambda: not self.txd(), "a start bit", 100_000)
        levels = []
        for _ in range(cycles):
            levels.append(self.txd())
            await FallingEdge(self.dut.clk)
        return [(level, len([*run])) for level, run in groupby(levels)]

    async def hear(self, cycles: float) -> int:
        """The next character on txd, by the middles of its bits."""
        await until(self.dut, lambda: not self.txd(), "a start bit", 100_000)
        bits, now = [], 0
        for bit in range(10):
            await self.wait(round((bit + 0.5) * cycles) - now)
            now = round((bit + 0.5) * cycles)
            bits.append(self.txd())
        assert bits[0] == 0 and bits[9] == 1, bits
        return sum(level << n for n, level in enumerate(bits[1:9]))

    async def say(self, character: int, cycles: float, stop: int = 1) -> None:
        """A character on rxd."""
        now = 0
        for n, level in enumerate((0, *(character >> bit & 1 for bit in range(8)), stop)):
            self.dut.io_uart_rxd.value = level
            await self.wait(round((n + 1) * cycles) - now)
            now = round((n + 1) * cycles)
        self.dut.io_uart_rxd.value = 1

    async def get(self) -> int | None:
        word = await self.apb.read(RXDATA)
        return None if word & EMPTY else word & 0xFF


@bench_test(Port)
async def every_divisor_is_exact(port):
    """A bit takes div + 1 cycles, whether samples divide it or not; 0x55 has an edge at each."""
    for cycles in (8, 9, 13, 16, 17, 20, 31, 217, 521):
        await port.apb.write(DIV, cycles - 1)
        assert await port.apb.read(DIV) == cycles - 1
        assert int(port.dut.io_bitCycles.value) == cycles
        await port.apb.write(TXDATA, 0x55)
        runs = await port.runs(10 * cycles - cycles // 2)
        edges = [sum(length for _, length in runs[: n + 1]) for n in range(9)]
        assert all(abs(edge - (n + 1) * cycles) <= 1 for n, edge in enumerate(edges)), (
            cycles,
            runs,
        )
        await port.wait(2 * cycles)
    for div in range(7):
        await port.apb.write(DIV, div)
        assert await port.apb.read(DIV) == div and int(port.dut.io_bitCycles.value) == LEAST


@cocotb.test()
async def what_comes_is_read_in_order(dut):
    """Also from a far end that is two percent off."""
    draw = random.Random(3)
    for cycles in (8, 17, 20, 100):
        port = await Port.start(dut, cycles)
        for off in (0.98, 1, 1.02):
            text = [0, 0xFF, 0x55, 0xAA, *(draw.getrandbits(8) for _ in range(8))]
            for character in text:
                await port.say(character, cycles * off)
            await port.wait(cycles)
            assert [await port.get() for _ in (*text, 0)] == [*text, None], (cycles, off)


@bench_test(Port, on=False)
async def queues_hold_what_they_say(port):
    """The transmitter takes one at once, and what comes when its queue is full is lost."""
    for n in range(QUEUE):
        assert not await port.apb.read(TXDATA) & FULL
        await port.apb.write(TXDATA, n)
    assert await port.apb.read(TXDATA) == FULL
    await port.apb.write(TXDATA, 0xEE)
    await port.apb.write(TXCTRL, 1)
    assert [await port.hear(LEAST) for _ in range(QUEUE)] == list(range(QUEUE))
    await port.wait(20 * LEAST)
    assert port.txd() == 1, "the lost one was sent"

    await port.apb.write(RXCTRL, 1)
    for n in range(QUEUE):
        await port.wait(4)
        assert not port.rts(), n
        await port.say(n, LEAST)
    await port.wait(4)
    assert port.rts()
    assert [await port.get() for _ in range(QUEUE)] == list(range(QUEUE))
    await port.wait(2)
    assert not port.rts() and await port.get() is None


@bench_test(Port, on=False)
async def nothing_happens_before_it_is_switched_on(port):
    assert await port.apb.read(TXCTRL) == 0 and await port.apb.read(RXCTRL) == 0
    assert await port.apb.read(IE) == 0 and not port.interrupt()
    await port.apb.write(TXDATA, 0)
    for _ in range(20 * LEAST):
        await FallingEdge(port.dut.clk)
        assert port.txd() == 1 and port.rts() == 1
    await port.say(0x41, LEAST)
    await port.wait(LEAST)
    assert await port.get() is None


@bench_test(Port)
async def watermarks(port):
    """Interrupt and ip: fewer than txcnt wait, more than rxcnt have come; ie masks each."""
    for least in (0, 1, 3, 7):
        await port.apb.write(TXCTRL, least << 16)  # they stay
        for waiting in range(9):
            low = waiting < least
            assert await port.apb.read(IP) == low * TXWM
            for enabled in range(4):
                await port.apb.write(IE, enabled)
                await settle()
                assert port.interrupt() == (low and bool(enabled & TXWM))
            await port.apb.write(TXDATA, waiting)
        await port.apb.write(TXCTRL, 1)
        await port.wait(12 * 10 * LEAST)
    await port.apb.write(TXCTRL, 0)
    for most in (0, 1, 3, 7):
        await port.apb.write(RXCTRL, mark(most))
        for come in range(9):
            high = come > most
            assert await port.apb.read(IP) == high * RXWM
            for enabled in range(4):
                await port.apb.write(IE, enabled)
                await settle()
                assert port.interrupt() == (high and bool(enabled & RXWM))
            await port.say(come, LEAST)
            await port.wait(4)
        while await port.get() is not None:
            pass


@bench_test(Port)
async def two_stop_bits(port):
    """The second character's start bit comes a bit later."""
    for control, stops in ((1, 1), (3, 2)):
        await port.apb.write(TXCTRL, 0)
        await port.apb.write(TXDATA, 0xFF)
        await port.apb.write(TXDATA, 0xFF)
        await port.apb.write(TXCTRL, control)
        runs = await port.runs((9 + stops) * LEAST + LEAST // 2)
        assert abs(runs[1][1] - (8 + stops) * LEAST) <= 1, runs
        await port.wait(20 * LEAST)
