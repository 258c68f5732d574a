"""The optional `steps` of a case in a vector file, to and from JSON. Format: see
tb/data/vectors/README.md."""

from .registers import Registers
from .steps import Ask, Flush, Load, Step, Store, Trap, Trouble
from .tlbi import Invalidation, Kind

REGISTERS = ("tcr", "ttbr0", "ttbr1", "mair", "sctlr")
OPTIONAL_REGISTERS = ("tcr2", "pir", "pire0", "mair2", "satp")


def read_registers(at) -> Registers:
    """The TTBRs may have 128 bits; those of later formats may be missing."""
    widths = {"ttbr0": 128, "ttbr1": 128}
    names = [*REGISTERS, *(name for name in OPTIONAL_REGISTERS if at.has(name))]
    return Registers(**{name: at.get(name).number(widths.get(name, 64)) for name in names})


def registers_json(registers: Registers) -> dict[str, str]:
    names = [*REGISTERS, *(name for name in OPTIONAL_REGISTERS if getattr(registers, name))]
    return {name: hex(getattr(registers, name)) for name in names}


def _pair(at) -> tuple[int, int]:
    entry = at.items()
    if len(entry) != 2:
        at.fail(f"has {len(entry)} elements; expected [address, value]")
    return entry[0].number(64), entry[1].number(64)


def _flush(at) -> Flush:
    name = at.get("kind")
    if name.value not in Kind.__members__:
        name.fail(f"is '{name.value}'; expected one of {', '.join(Kind.__members__)}")
    return Flush(
        Invalidation(
            Kind[name.value],
            at.get("operand").number(64),
            bool(at.get("last_level", 0).number(1)),
            bool(at.get("ds", 0).number(1)),
        )
    )


def _trap(at) -> Trap:
    name = at.get("trouble")
    if name.value not in [t.value for t in Trouble]:
        name.fail(f"is '{name.value}'; expected one of {[t.value for t in Trouble]}")
    return Trap(at.get("address").number(64), Trouble(name.value))


def read_steps(at, checks) -> tuple[Step, ...]:
    """`checks`, in their order, are what the `check` steps ask."""
    steps, asked = [], 0
    for step in at.items():
        if step.has("store"):
            steps.append(Store(*_pair(step.get("store"))))
        elif step.has("trouble"):
            steps.append(_trap(step))
        elif step.has("registers"):
            steps.append(Load(read_registers(step.get("registers"))))
        elif step.has("invalidate"):
            steps.append(_flush(step.get("invalidate")))
        elif step.has("check"):
            if step.get("check").value != asked or asked >= len(checks):
                step.fail(f"must ask check {asked}; the file has {len(checks)}, in order")
            race = _pair(step.get("race")) if step.has("race") else None
            steps.append(Ask(checks[asked].access, race))
            asked += 1
        else:
            step.fail("has none of: store, trouble, registers, invalidate, check")
    if steps and asked != len(checks):
        at.fail(f"ask {asked} of {len(checks)} checks")
    return tuple(steps)


def steps_json(steps) -> list[dict]:
    out, asked = [], 0
    for step in steps:
        match step:
            case Store(address, value):
                out.append({"store": [hex(address), hex(value)]})
            case Trap(address, trouble):
                out.append({"trouble": trouble.value, "address": hex(address)})
            case Load(registers):
                out.append({"registers": registers_json(registers)})
            case Flush(op):
                flush = {"kind": op.kind.name, "operand": hex(op.operand)}
                out.append(
                    {"invalidate": flush | {"last_level": int(op.last_level), "ds": int(op.ds)}}
                )
            case Ask(_, race):
                out.append({"check": asked})
                if race:
                    out[-1]["race"] = [hex(word) for word in race]
                asked += 1
    return out
