"""Walks of the package: the golden model's own answers, on tables that are given or made up."""

import pytest

import granule
from granule import MAIR, TCR, Registers
from granule.tables import GRANULES
from model import Features
from model import translate as by_the_model
from model.examples import EXAMPLES, access_of, memory_of, registers_of

REGISTERS = Registers(tcr=TCR(T0SZ=25), ttbr0=0x40000000, mair=MAIR(Attr0="write-back"))
BLOCK = 0x00600000802008C1  # read-only, its access flag is 0
TABLES = {0x40000000: 0x40001003, 0x40001008: BLOCK}


@pytest.mark.parametrize("granule_name", GRANULES)
@pytest.mark.parametrize("va", [0, 0x7F1234567ABC, 0xFFFF_8000_0000_0123])
@pytest.mark.parametrize("options", [{}, {"block": True}, {"access": "execute"}])
def test_what_is_made_up_maps_the_address(granule_name, va, options):
    made = granule.made_up(va, granule=granule_name, **options)
    result = granule.translate(
        va, made.registers, made.memory, access=options.get("access", "read")
    )
    assert result.fault is None
    assert result.pa & ((1 << 30) - 1) == va & ((1 << 30) - 1)
    assert (result.size > 1 << GRANULES[granule_name]) == options.get("block", False)


def test_it_is_the_answer_of_the_model():
    """However it is asked: as in the worked examples that are for this machine."""
    asked = [e for e in EXAMPLES if e["feat"] == EXAMPLES[0]["feat"]]
    for example in (e for e in asked if not access_of(e).kind.address_translation):
        access, registers = access_of(example), registers_of(example)
        result = granule.translate(
            access.va, registers, memory_of(example), access=access.kind.name.lower(),
            el=access.el, pan=access.pan, aligned=access.aligned,
        )  # fmt: skip
        assert result.outcome == by_the_model(registers, Features(), memory_of(example), access)
    assert len(asked) > 52
    result = granule.translate(0x201234, REGISTERS, TABLES)
    assert result.level == 2 and result.text == granule.explain(0x201234, REGISTERS, TABLES)


def test_updates_are_seen_in_a_memory_and_not_in_a_mapping():
    updating = Registers(tcr=TCR(T0SZ=25, HA=1), ttbr0=0x40000000, mair=0xFF)
    tables = dict(TABLES)
    result = granule.translate(0x201234, updating, tables)
    assert result.changed == {0x40001008: BLOCK | 1 << 10} and tables == TABLES
    memory = granule.Memory(TABLES)
    granule.translate(0x201234, updating, memory)
    assert memory.words[0x40001008] == BLOCK | 1 << 10


def test_a_table_that_is_its_own_table_is_no_second_walk():
    """The last entry of the first table names the first table, as kernels do to see their own."""
    va = (1 << 39) - (1 << 12)
    result = granule.translate(va, REGISTERS, {0x40000FF8: 0x40000003})
    assert [step.address for step in result.steps] == 3 * [0x40000FF8]
    assert not any(step.again for step in result.steps)


def test_a_result_for_json():
    said = granule.translate(0x201234, REGISTERS, TABLES).as_dict()
    assert said["fault"] == {"kind": "AccessFlag", "level": 2, "status": 10, "esr": 0x9200000A}
    assert [step["descriptor"] for step in said["steps"]] == list(TABLES.values())


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: granule.translate(-1, REGISTERS, {}), "it must fit in 64 bits"),
        (lambda: granule.translate(0, REGISTERS, {}, access="reed"), "use read, write, execute"),
        (lambda: granule.translate(0, REGISTERS, {}, el=2), "EL0 and EL1 only"),
        (lambda: granule.translate(0, REGISTERS, {}, features=["lpa3"]), "'lpa3' is not known"),
        (lambda: granule.translate(0, Registers(tcr=25, tcr2=2), {}), "tcr2 is 0x2.*add d128"),
        (lambda: granule.translate(0, Registers(tcr=25, satp=1 << 31), {}), "add sv32 or rv64"),
        (lambda: granule.registers_for("8k"), "granule is '8k'; use 4k, 16k, 64k"),
        (lambda: granule.registers_for("4k", 52), "va_bits is 52; use 25 to 48"),
        (
            lambda: granule.made_up(0, Registers(tcr=TCR(T0SZ=16, DS=1)), features=["lpa2"]),
            "give the descriptors",
        ),
    ],
)
def test_what_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@pytest.mark.parametrize("va", ["0x1234", 1.5, None, True])
def test_an_address_is_an_int(va):
    with pytest.raises(TypeError, match=f"va is {va!r}, which is no int"):
        granule.translate(va, REGISTERS, {})


def test_addresses_outside_are_a_fault_and_no_error():
    made = granule.made_up(0x1234567ABCDE, granule="4k", va_bits=39)
    result = granule.translate(0x1234567ABCDE, made.registers, made.memory)
    assert result.fault.level == 0 and not result.steps


def test_a_file_of_descriptors():
    text = "# tables\n0x40000000: 0x40001003  # one\n\n0x40001008 = 0x1\n0x40001010 0x2\n"
    assert granule.memory_from(text) == {0x40000000: 0x40001003, 0x40001008: 1, 0x40001010: 2}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("0x40000000", "t.txt, line 2: '0x40000000' is no descriptor; write 0x40000ff0: 0x4"),
        ("0x40000004: 0x1", "an address is a multiple of 8 below"),
        ("0x4000000000000000: 0x1", "an address is a multiple of 8 below"),
        ("0x40000008: 0x10000000000000000", "write 128-bit entries as two words"),
        ("0x40000000: 0x2", "0x40000000 has another value already"),
    ],
)
def test_a_line_that_is_no_descriptor(line, says):
    with pytest.raises(ValueError, match=says):
        granule.memory_from(f"0x40000000: 0x1\n{line}\n", "t.txt")
