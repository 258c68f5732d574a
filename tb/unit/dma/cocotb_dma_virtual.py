"""DMA by virtual address, behind a DeviceMmu: faults, and unmapping under a running transfer."""

import cocotb

from support.on import On
from unit.bridge.bench import STALLS_ON_FAULT, TRANSLATION, Mode
from unit.bridge.bench import Bench as BridgeBench
from unit.dma.bench import (
    BUSY,
    DESTINATION_STREAM,
    DONE,
    FAILED,
    LIST_STREAM,
    SOURCE_STREAM,
    Engine,
)
from unit.dma.model import LAST, PAGE, Cause, Entry

RUNS = [On("virtualdma:vmsa48_nocache")]

FROM, TO, FRAMES = 0x1000_0000, 0x2000_0000, 32


class Machine(Engine):
    """The page of the list is frame 0. `source` and `destination` are address spaces: pages 0 to 3
    of FROM are frames 5, 3, 9 and 7, those of TO are 12, 11, 20 and 17."""

    READ, WRITTEN = (5, 3, 9, 7), (12, 11, 20, 17)

    @classmethod
    async def start(cls, dut, flags: int = 0):
        bench = await BridgeBench.start(dut, client=False, bus=False)
        self = cls(dut, 1, FRAMES * PAGE, axi="bus", apb="io_dma")
        self.bench = bench
        await bench.stream(LIST_STREAM, Mode.BYPASS, 0)
        self.source = await bench.space(SOURCE_STREAM, flags=flags)
        self.destination = await bench.space(DESTINATION_STREAM, flags=flags)
        for n, (read, written) in enumerate(zip(self.READ, self.WRITTEN, strict=True)):
            self.source.map(FROM + n * PAGE, read * PAGE)
            self.destination.map(TO + n * PAGE, written * PAGE)
        await self.streams(SOURCE_STREAM, DESTINATION_STREAM)
        return self

    def side(self, write: bool):
        """Space, first address and frames."""
        if write:
            return self.destination, TO, self.WRITTEN
        return self.source, FROM, self.READ

    async def copy(self, offset: int, size: int) -> None:
        """From an offset of FROM to the same one of TO."""
        await self.begin([Entry(TO + offset, size, source=FROM + offset, flags=LAST)])

    async def written(self) -> int:
        done, size = await self.progress()
        assert done in (0, 1)
        return size

    def copied(self, offset: int, size: int) -> bool:
        """Whether frames hold, byte by byte, what was to be copied."""
        places = ((a // PAGE, a % PAGE) for a in range(offset, offset + size))
        held = self.memory.bytes
        return all(held[self.READ[n] * PAGE + at] == held[self.WRITTEN[n] * PAGE + at]
                   for n, at in places)  # fmt: skip

    def frame(self, number: int) -> bytes:
        return bytes(self.memory.bytes[number * PAGE : (number + 1) * PAGE])

    async def fault(self):
        for _ in range(1000):
            fault = await self.bench.fault()
            if fault:
                return fault
        raise AssertionError("no fault")


@cocotb.test()
async def a_fault_that_ends_the_list(dut):
    """The queue has the page; software maps it, and goes on from BYTES."""
    for write in (False, True):
        machine = await Machine.start(dut)
        space, base, frames = machine.side(write)
        space.unmap(base + PAGE)
        await machine.copy(0x100, 2 * PAGE)
        assert await machine.ended() == FAILED
        cause, _, va = await machine.error()
        assert (cause, va) == (Cause.WRITE if write else Cause.READ, base + PAGE)
        fault = await machine.fault()
        stream = DESTINATION_STREAM if write else SOURCE_STREAM
        assert (fault.va, fault.write, fault.stream) == (base + PAGE, write, stream)
        assert fault.status == TRANSLATION | 3 and not fault.stalls
        done = await machine.written()
        assert done == PAGE - 0x100 and machine.copied(0x100, done)
        assert not machine.copied(PAGE, 64)
        space.map(base + PAGE, frames[1] * PAGE)
        await machine.copy(0x100 + done, 2 * PAGE - done)
        assert await machine.ended() == DONE and machine.copied(0x100, 2 * PAGE)


@cocotb.test()
async def a_fault_that_software_serves(dut):
    """The engine waits, and sees nothing of it."""
    for write in (False, True):
        machine = await Machine.start(dut, STALLS_ON_FAULT)
        space, base, frames = machine.side(write)
        space.unmap(base + PAGE)
        await machine.copy(0x100, 2 * PAGE)
        fault = await machine.fault()
        assert (fault.va, fault.write, fault.stalls) == (base + PAGE, write, True)
        await machine.bench.cycles(300)
        assert await machine.status() == BUSY
        space.map(base + PAGE, frames[1] * PAGE)
        await machine.bench.resume(fault, retry=True)
        # What waited behind it is looked up again, and may have reported itself meanwhile.
        while await machine.status() & BUSY:
            other = await machine.bench.fault()
            if other:
                await machine.bench.resume(other, retry=True)
        assert await machine.status() == DONE and machine.copied(0x100, 2 * PAGE)


@cocotb.test()
async def an_invalidation_ends_while_a_read_stalls(dut):
    """No write waits for the data of that read at the bus, or this would never end."""
    machine = await Machine.start(dut, STALLS_ON_FAULT)
    machine.source.unmap(FROM + PAGE)
    await machine.copy(0x100, 2 * PAGE)
    fault = await machine.fault()
    cycles = await machine.bench.invalidate(machine.destination.invalidation(TO + 2 * PAGE))
    print(f"an invalidation while a read stalls: {cycles} cycles")
    assert cycles < 200
    # The reads that wait behind it fault in their turn.
    while fault or await machine.status() & BUSY:
        if fault:
            await machine.bench.resume(fault, retry=False)
        fault = await machine.bench.fault()
    assert await machine.status() == FAILED
    assert (await machine.error())[2] == FROM + PAGE


@cocotb.test()
async def unmapping_under_a_running_transfer(dut):
    """After the invalidation nothing is written to the frame any more, nor read from it: software
    may give it to somebody else. The error says which byte is the first that lacks."""
    refused = 0
    for write in (False, True):
        for delay in range(0, 2400, 400):
            machine = await Machine.start(dut)
            space, base, frames = machine.side(write)
            frame = frames[1]
            before = machine.frame(machine.READ[1])
            await machine.copy(0, 2 * PAGE)
            await machine.bench.cycles(delay)
            space.unmap(base + PAGE)
            await machine.bench.invalidate(space.invalidation(base + PAGE))
            new = bytes(PAGE)
            machine.memory.bytes[frame * PAGE : (frame + 1) * PAGE] = new
            status = await machine.ended()
            if write:
                assert machine.frame(frame) == new, f"written after {delay} cycles"
            done = await machine.written()
            refused += status == FAILED
            if status == DONE:
                continue
            _, _, va = await machine.error()
            assert base + PAGE <= va < base + 2 * PAGE
            if write:
                assert va == TO + done
            else:
                got = machine.frame(machine.WRITTEN[1])[: done - PAGE]
                assert got == before[: done - PAGE], "read after the invalidation"
    assert refused > 4
