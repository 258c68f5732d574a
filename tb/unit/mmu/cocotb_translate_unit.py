"""The data port's translate unit alone: the bench announces, asks, and plays the walker. What it
answers at once, what it asks for, and what it makes of a walk's end."""

import os
import random
import re
from pathlib import Path

import cocotb
from cocotb.triggers import FallingEdge

from drivers.started import bench_test
from support.parts import Pins, settle, start
from support.run import run_unit, verilog
from support.streams import ports_of

READ, WRITE, EXECUTE, ATOMIC = range(4)
TRANSLATION, PERMISSION, ADDRESS_SIZE = 0b000100, 0b001100, 0b000000
CODE = {12: 0, 21: 0b111}  # sizes as `teaching` writes them
ACCESS = ("access", "el1", "pan", "mxr", "untranslated")
RIGHTS = ("el0Read", "el0Write", "el0Execute", "el1Write", "el1Execute", "el1ReadBit", "userBit")
ALL = dict.fromkeys(RIGHTS, 1)
COMMANDS = ("port_ahead_valid", "port_cmd_valid", "leaf_valid", "fault_valid", "clear", "selected",
            "request_ready", "port_ahead_payload", "port_cmd_payload_va")  # fmt: skip
ENTRIES = 8
UPPER = 0xFFFF_8000_0000_0000


class Bench(Pins):
    @classmethod
    async def start(cls, dut, **context):
        text = Path(os.environ["GRANULE_VERILOG"]).read_text()
        inputs = [name for name in ports_of(text, dut._name) if name.startswith("io_context_")]
        zero = dict.fromkeys(inputs, 0) | {f"io_{name}": 0 for name in COMMANDS}
        zero |= {f"io_port_cmd_payload_{name}": 0 for name in ACCESS}
        zero |= {"io_unchecked": 1, "io_machine": 0, "io_pmpChanges": 0}  # protection is away
        zero |= {f"io_leaf_payload_{name}Bit": 0 for name in ("once", "direct")}
        given = {"enabled": 1, "dataCached": 1} | context
        zero |= {f"io_context_{name}": value for name, value in given.items()}
        await start(dut, **zero)
        return cls(dut)

    def answer(self) -> dict[str, int]:
        names = ("pa", "fault", "status", "wnr", "dirty", "attributes_mair", "attributes_cacheable",
                 "attributes_device")  # fmt: skip
        return {name: self.get(f"port_rsp_{name}") for name in names}

    async def ask(self, va: int, access=READ, *, el1=0, pan=0, mxr=0, untranslated=0):
        """Announces the address, and asks in the next cycle: the answer, or None if it waits. A
        command that waits is held, and announced as long."""
        self.put(port_ahead_valid=1, port_ahead_payload=va)
        await FallingEdge(self.dut.clk)
        self.put(port_cmd_valid=1, port_cmd_payload_va=va, port_cmd_payload_access=access,
                 port_cmd_payload_el1=el1, port_cmd_payload_pan=pan, port_cmd_payload_mxr=mxr,
                 port_cmd_payload_untranslated=untranslated)  # fmt: skip
        await settle()
        return await self.end() if self.get("port_cmd_ready") else None

    async def end(self) -> dict[str, int]:
        """The answer of the command, which goes."""
        assert self.get("port_cmd_ready")
        answer = self.answer()
        await FallingEdge(self.dut.clk)
        self.put(port_cmd_valid=0)
        return answer

    async def take(self) -> dict[str, int]:
        """The walker takes the request of the command that is held."""
        for _ in range(4):
            await settle()
            if self.get("request_valid"):
                break
            await FallingEdge(self.dut.clk)
        names = ("va", "highCanonical", "access", "el1", "pan", "mxr", "translateOnly")
        request = {name: self.get(f"request_payload_{name}") for name in names}
        assert self.get("request_valid") and self.get("mayAsk")
        self.put(request_ready=1)
        await FallingEdge(self.dut.clk)
        self.put(request_ready=0)
        return request

    async def leaf(self, va: int, page: int, **fields) -> dict[str, int] | None:
        """The walk finds a page; the answer in the next cycle."""
        values = {
            "size": 12,
            "asid": 0,
            "tlbIdentity": 0,
            "global": 0,
            "writableClean": 0,
            "level": 3,
        }
        values |= ALL | {"mair": 0xFF, "cacheable": 1, "device": 0} | fields
        tag = (va >> 55 & 1) << 36 | va >> 12 & (1 << 36) - 1
        code = CODE[values.pop("size")]
        named = {name: values[name] for name in ("asid", "tlbIdentity", "global", "writableClean")}
        named |= {"tag": tag, "granule": 1, "span": code, "mapping_span": code,
                  "mapping_level": values["level"], "mapping_page": page >> 12}  # fmt: skip
        named |= {f"mapping_permissions_{name}": values[name] for name in RIGHTS}
        named |= {f"mapping_attributes_{name}": values[name]
                  for name in ("mair", "cacheable", "device")}  # fmt: skip
        self.put(**{f"leaf_payload_{name}": value for name, value in named.items()})
        await FallingEdge(self.dut.clk)  # it is there a cycle before it is valid
        self.put(leaf_valid=1)
        await settle()
        assert not self.get("port_cmd_ready"), "a leaf is answered a cycle later"
        await FallingEdge(self.dut.clk)
        self.put(leaf_valid=0)
        await settle()
        return await self.end() if self.get("port_cmd_ready") else None

    async def fill(self, va: int, page: int, **fields) -> dict[str, int]:
        """A miss and its walk."""
        assert await self.ask(va, el1=1) is None
        await self.take()
        answer = await self.leaf(va, page, **fields)
        assert answer is not None
        return answer


@bench_test(Bench)
async def a_miss_asks_and_the_leaf_answers(b):
    for va, page in ((0x1234_5678, 0x8_7654_3000), (UPPER | 0x1_2345_6789, 0xF_FFFF_F000)):
        assert await b.ask(va, ATOMIC, el1=1, pan=1, mxr=1) is None
        request = await b.take()
        assert request == {"va": va, "highCanonical": 1, "access": ATOMIC, "el1": 1, "pan": 1,
                           "mxr": 1, "translateOnly": 0}  # fmt: skip
        answer = await b.leaf(va, page, userBit=0)
        assert (answer["pa"], answer["fault"]) == (page | va & 0xFFF, 0)
        for offset in (0, 4, 0xFFF):
            answer = await b.ask(va & ~0xFFF | offset, READ, el1=1)
            assert answer and (answer["pa"], answer["fault"]) == (page | offset, 0)
        assert await b.ask(va ^ 0x1000, READ) is None, "another page"
        await b.take()
        await b.leaf(va ^ 0x1000, page)


@bench_test(Bench)
async def a_block_answers_for_all_of_it(b):
    base, block = 0x4020_0000, 0x9_8760_0000
    await b.fill(base, block, size=21, level=2)
    for offset in (0, 0xFFF, 0x1000, 0x12_3456, 0x1F_FFFF):
        answer = await b.ask(base + offset)
        assert answer and answer["pa"] == block + offset
    assert await b.ask(base + 0x20_0000) is None


@bench_test(Bench)
async def a_fault_is_answered_in_its_own_cycle(b):
    """And kept by nobody."""
    for status, wnr, dirty in ((0b000111, 0, 0), (0b001111, 1, 1), (0b010101, 1, 0)):
        assert await b.ask(0x5000, WRITE) is None
        await b.take()
        b.put(fault_valid=1, fault_payload_status=status, fault_payload_wnr=wnr,
              fault_payload_dirty=dirty)  # fmt: skip
        await settle()
        answer = await b.end()
        b.put(fault_valid=0)
        assert (answer["fault"], answer["status"]) == (1, status)
        assert (answer["wnr"], answer["dirty"]) == (wnr, dirty)


@cocotb.test()
async def permissions_are_checked_on_every_hit(dut):
    """Also the access's own: PAN, and what the context says of it."""
    level = 3
    for right, access, el1 in (("el0Read", READ, 0), ("el0Write", WRITE, 0), ("el1Write", WRITE, 1),
                               ("el1ReadBit", READ, 1)):  # fmt: skip
        b = await Bench.start(dut)
        await b.fill(0x7000, 0x8000_0000, **{right: 0})
        answer = await b.ask(0x7000, access, el1=el1)
        assert (answer["fault"], answer["status"]) == (1, PERMISSION | level), right
        assert answer["wnr"] == (access == WRITE)
        answer = await b.ask(0x7000, READ, el1=1 - el1)
        assert answer["fault"] == 0
    for user in (0, 1):
        b = await Bench.start(dut)
        await b.fill(0x7000, 0x8000_0000, userBit=user)
        assert (await b.ask(0x7000, READ, el1=1, pan=1))["fault"] == user
        assert (await b.ask(0x7000, READ, el1=1, pan=0))["fault"] == 0
        b.put(context_epan=1)
        assert (await b.ask(0x7000, READ, el1=1, pan=1))["fault"] == 1, "EL0 may execute it"


@bench_test(Bench)
async def a_write_to_a_clean_page_walks(b):
    await b.fill(0x9000, 0x8000_0000, writableClean=1)
    assert (await b.ask(0x9000, READ))["fault"] == 0
    for access in (WRITE, ATOMIC):
        assert await b.ask(0x9000, access) is None
        await b.take()
        assert (await b.leaf(0x9000, 0x8000_0000, writableClean=access == WRITE))["fault"] == 0
    assert (await b.ask(0x9000, WRITE))["fault"] == 0


@bench_test(Bench)
async def faults_without_a_walk(b):
    """E0PD; and a hit whose high bits are wrong, unless the top byte does not count."""
    await b.fill(0x3000, 0x8000_0000)
    bad = 1 << 60 | 0x3000
    assert (await b.ask(bad))["status"] == TRANSLATION
    b.put(context_halves_0_tbi=1)
    assert (await b.ask(bad))["fault"] == 0
    assert (await b.ask(1 << 50 | 0x3000))["status"] == TRANSLATION
    assert await b.ask(1 << 50 | 0xF000) is None, "a miss"
    assert (await b.take())["highCanonical"] == 0
    b.put(fault_valid=1, fault_payload_status=TRANSLATION)
    await settle()
    await b.end()
    b.put(fault_valid=0, context_halves_0_e0pd=1)
    answer = await b.ask(0x3000, el1=0)
    assert (answer["fault"], answer["status"]) == (1, TRANSLATION)
    assert (await b.ask(0x3000, el1=1))["fault"] == 0


@bench_test(Bench)
async def entries_belong_to_an_asid(b):
    """Of another ASID none answers, unless it is global; nor one that came for another."""
    await b.fill(0x1000, 0x8000_0000)
    await b.fill(0x2000, 0x8100_0000, **{"global": 1})
    b.put(context_asid=5)
    for _ in range(2):
        await FallingEdge(b.dut.clk)
    assert (await b.ask(0x2000))["pa"] == 0x8100_0000
    assert await b.ask(0x1000) is None
    await b.take()
    assert await b.leaf(0x1000, 0x8200_0000, asid=0) is None, "of another ASID"
    await b.take()
    assert (await b.leaf(0x1000, 0x8300_0000, asid=5))["pa"] == 0x8300_0000
    b.put(context_asid=0)
    for _ in range(2):
        await FallingEdge(b.dut.clk)
    assert (await b.ask(0x1000))["pa"] == 0x8000_0000


@cocotb.test()
async def a_change_of_asid_makes_a_command_wait(dut):
    """That is announced with the change: entries were compared with the ASID before."""
    b = await Bench.start(dut)
    await b.fill(0x1000, 0x8000_0000)
    b.put(context_asid=1, port_ahead_valid=1, port_ahead_payload=0x1000)
    await FallingEdge(dut.clk)
    b.put(port_cmd_valid=1, port_cmd_payload_va=0x1000)
    for _ in range(6):
        await settle()
        assert not b.get("port_cmd_ready")
        await FallingEdge(dut.clk)
    assert (await b.take())["va"] == 0x1000
    assert (await b.leaf(0x1000, 0x8700_0000, asid=1))["pa"] == 0x8700_0000
    # Back again: both entries are there, and the command waits for two cycles.
    b.put(context_asid=0)
    await FallingEdge(dut.clk)
    b.put(port_cmd_valid=1)
    for _ in range(2):
        await settle()
        assert not b.get("port_cmd_ready")
        await FallingEdge(dut.clk)
    await settle()
    assert (await b.end())["pa"] == 0x8000_0000


@cocotb.test()
async def clear_takes_the_entries_it_names(dut):
    for mask in (1, 0x80, 0xFF, 0x5A):
        b = await Bench.start(dut)
        numbers = []
        for n in range(ENTRIES):
            assert await b.ask(n << 12) is None
            await b.take()
            await b.leaf(n << 12, 0x8000_0000)
            numbers.append(n)
        b.put(suspects_valid=1, suspects_payload_everything=1)  # a sweep clears suspects only
        await FallingEdge(dut.clk)
        b.put(suspects_valid=0, clear=mask, compared=(1 << ENTRIES) - 1)
        await FallingEdge(dut.clk)
        b.put(clear=0, compared=0)
        for _ in range(2):
            await FallingEdge(dut.clk)
        missing = 0
        for n in numbers:
            if await b.ask(n << 12) is None:
                missing += 1
                await b.take()
                b.put(fault_valid=1, fault_payload_status=TRANSLATION)
                await settle()
                await b.end()
                b.put(fault_valid=0)
        assert missing == mask.bit_count()


@bench_test(Bench, enabled=0)
async def translation_off(b):
    """Device memory at the same address, which must fit; M-mode: the map's memory."""
    answer = await b.ask(0x8_1234_5678)
    assert (answer["pa"], answer["fault"], answer["attributes_device"]) == (0x8_1234_5678, 0, 1)
    answer = await b.ask(1 << 36 | 0x1234)
    assert (answer["fault"], answer["status"]) == (1, ADDRESS_SIZE)
    for enabled in (0, 1):
        b.put(context_enabled=enabled)
        answer = await b.ask(0xFFFF_FFFF_8123_4564, untranslated=1)
        assert (answer["pa"], answer["fault"], answer["attributes_cacheable"]) == (
            0x8123_4564,
            0,
            1,
        )


@cocotb.test()
async def cacheability_is_that_of_page_and_registers(dut):
    for page, registers in ((0, 0), (0, 1), (1, 0), (1, 1)):
        b = await Bench.start(dut, dataCached=registers)
        answer = await b.fill(0x1000, 0x8000_0000, cacheable=page, mair=0x44)
        assert answer["attributes_cacheable"] == (page and registers)
        assert answer["attributes_mair"] == 0x44


@bench_test(Bench)
async def random_hits_and_misses(b):
    """A page is answered by the frame of its last walk, in its first cycle or after one more."""
    draw = random.Random(9)
    frames: dict[int, int] = {}
    hits = 0
    for _ in range(600):
        page = draw.randrange(12)
        answer = await b.ask(page << 12 | 0x10, READ, el1=1)
        if answer is None:
            await b.take()
            frames[page] = draw.getrandbits(24) << 12
            answer = await b.leaf(page << 12, frames[page])
        else:
            hits += 1
        assert answer["pa"] == frames[page] | 0x10
    assert hits > 100


def test_data_port():
    """Both ports have a unit; of the modules that the generator made of them it is that of data."""
    unit = re.search(r"^  (TranslateUnit\w*) +data \(", verilog("mmu").read_text(), re.M)[1]
    run_unit(unit, __name__, inside="mmu")
