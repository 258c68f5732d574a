"""Vector files: reading with errors that say where and what, and writing. Format: see
tb/data/vectors/README.md."""

import gzip
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .access import Access, Kind
from .faults import Fault
from .features import Features, from_names
from .registers import Registers
from .steps import Ask, Flush, Load, Step, Store, Trap, Trouble
from .tlbi import Invalidation
from .tlbi import Kind as Tlbi
from .walk import Translation

REGISTERS = ("tcr", "ttbr0", "ttbr1", "mair", "sctlr")
OPTIONAL_REGISTERS = ("tcr2", "pir", "pire0", "mair2", "satp")


class VectorError(Exception):
    """The file is not a vector file. The message names the file, the place and the problem."""


@dataclass(frozen=True)
class Check:
    """One access and what must come out: (pa, attr) or fsc, the others None.

    kind is READ or WRITE in published files; fetches and atomics are an extension that failing
    random runs use ("kind": "x" or "rw"), as is mxr. changed: the words that the access writes into
    descriptors; None: the file does not say.
    """

    va: int
    el: int
    kind: Kind
    pan: bool = False
    pa: int | None = None
    attr: int | None = None
    fsc: int | None = None
    mxr: bool = False
    changed: tuple[tuple[int, int], ...] | None = None

    @classmethod
    def of(cls, access: Access, outcome: Translation | Fault) -> "Check":
        """What the golden model says, changes included."""
        if isinstance(outcome, Fault):
            said = {"fsc": outcome.status, "changed": ()}
        else:
            said = {"pa": outcome.pa, "attr": outcome.attr, "changed": outcome.changed}
        return cls(access.va, access.el, access.kind, access.pan, mxr=access.mxr, **said)

    @property
    def access(self) -> Access:
        return Access(self.va, self.kind, self.el, self.pan, mxr=self.mxr)

    def __str__(self) -> str:
        flags = " pan=1" * self.pan + " mxr=1" * self.mxr
        return f"va={self.va:#018x} el={self.el} {self.kind.name.lower()}" + flags

    @property
    def expected(self) -> str:
        if self.fsc is None:
            return f"pa={self.pa:#x} attr={self.attr:#04x}"
        return f"fsc={self.fsc:#04x}"


@dataclass(frozen=True)
class Case:
    """One machine state and its checks; errors are addresses that answer with a bus error. With
    steps, the checks are made once, in their order, with what happens between them."""

    registers: Registers
    memory: Mapping[int, int]
    checks: tuple[Check, ...]
    errors: frozenset[int] = field(default_factory=frozenset)
    steps: tuple[Step, ...] = ()

    @property
    def beginning(self) -> list[Step]:
        """What leads to the machine state."""
        return [
            *(Store(address, value) for address, value in self.memory.items()),
            *(Trap(address, Trouble.ERROR) for address in self.errors),
            Load(self.registers),
        ]


@dataclass(frozen=True)
class VectorFile:
    source: str
    features: Features
    feature_names: tuple[str, ...]
    seed: int
    cases: tuple[Case, ...]
    config: str | None = None  # the configuration that gave other answers

    @property
    def checks(self) -> int:
        return sum(len(case.checks) for case in self.cases)


class _At:
    """A JSON value and the path to it, so that every complaint can say where."""

    def __init__(self, value, path: str):
        self.value, self.path = value, path

    def fail(self, problem: str):
        raise VectorError(f"{self.path}: {problem}")

    def expect(self, kind, name: str):
        if not isinstance(self.value, kind) or (kind is int and isinstance(self.value, bool)):
            self.fail(f"is {json.dumps(self.value)[:40]}; expected {name}")
        return self.value

    def get(self, key: str, default=None) -> "_At":
        self.expect(dict, "an object")
        if key not in self.value and default is None:
            self.fail(f"has no '{key}'")
        return _At(self.value.get(key, default), f"{self.path}.{key}")

    def has(self, key: str) -> bool:
        return key in self.expect(dict, "an object")

    def items(self) -> list["_At"]:
        return [_At(v, f"{self.path}[{i}]") for i, v in enumerate(self.expect(list, "a list"))]

    def number(self, bits: int) -> int:
        value = self.value
        if isinstance(value, str):
            try:
                value = int(value, 16)
            except ValueError:
                self.fail(f"is '{value[:40]}'; expected a hexadecimal number")
        elif not isinstance(value, int) or isinstance(value, bool):
            self.fail(f"is {json.dumps(value)[:40]}; expected a number")
        if not 0 <= value < 1 << bits:
            self.fail(f"is {value:#x}; it must fit in {bits} bits")
        return value

    def one_of(self, known: Iterable[str]) -> str:
        if self.value not in (known := list(known)):
            self.fail(f"is {json.dumps(self.value)}; expected one of {', '.join(known)}")
        return self.value

    def pair(self) -> tuple[int, int]:
        """Of an address and a value."""
        entry = self.items()
        if len(entry) != 2:
            self.fail(f"has {len(entry)} elements; expected [address, value]")
        return entry[0].number(64), entry[1].number(64)


def _load(path: Path):
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise VectorError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        if raw[:2] == b"\x1f\x8b":
            raw = gzip.decompress(raw)
        return json.loads(raw)
    except (EOFError, OSError, zlib.error) as error:
        raise VectorError(f"{path}: damaged gzip file: {error}") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise VectorError(f"{path}: neither gzip nor JSON: {error}") from None


def _memory(at: _At) -> dict[int, int]:
    """Pairs of an address and the word there."""
    words = {}
    for pair in at.items():
        address, value = pair.pair()
        if address % 8:
            pair.fail(f"has {address:#x}; a descriptor's address is a multiple of 8")
        if words.setdefault(address, value) != value:
            pair.fail(f"gives {address:#x} a second value")
    return words


def _check(at: _At) -> Check:
    kind = Kind.WRITE if at.get("write", 0).number(1) else Kind.READ
    if at.has("kind"):
        kind = Kind(at.get("kind").one_of(k.value for k in Kind))
    elif not at.has("write"):
        at.fail("has no 'write'")
    given = {key for key in ("pa", "attr", "fsc") if at.has(key)}
    if given not in ({"pa", "attr"}, {"fsc"}):
        at.fail("must have either 'pa' and 'attr', or 'fsc'")
    widths = {"pa": 56, "attr": 8, "fsc": 6}
    return Check(
        va=at.get("va").number(64),
        el=at.get("el").number(1),
        kind=kind,
        pan=bool(at.get("pan", 0).number(1)),
        mxr=bool(at.get("mxr", 0).number(1)),
        changed=tuple(_memory(at.get("changed")).items()) if at.has("changed") else None,
        **{key: at.get(key).number(widths[key]) for key in given},
    )


def _registers(at: _At) -> Registers:
    """The TTBRs may have 128 bits; those of later formats may be missing."""
    widths = {"ttbr0": 128, "ttbr1": 128}
    names = [*REGISTERS, *(name for name in OPTIONAL_REGISTERS if at.has(name))]
    return Registers(**{name: at.get(name).number(widths.get(name, 64)) for name in names})


def _flush(at: _At) -> Flush:
    kind = Tlbi[at.get("kind").one_of(Tlbi.__members__)]
    last_level, ds = (bool(at.get(name, 0).number(1)) for name in ("last_level", "ds"))
    return Flush(Invalidation(kind, at.get("operand").number(64), last_level, ds))


def _trap(at: _At) -> Trap:
    trouble = Trouble(at.get("trouble").one_of(t.value for t in Trouble))
    return Trap(at.get("address").number(64), trouble)


def _steps(at: _At, checks) -> tuple[Step, ...]:
    """`checks`, in their order, are what the `check` steps ask."""
    steps, asked = [], 0
    for step in at.items():
        if step.has("store"):
            steps.append(Store(*step.get("store").pair()))
        elif step.has("trouble"):
            steps.append(_trap(step))
        elif step.has("registers"):
            steps.append(Load(_registers(step.get("registers"))))
        elif step.has("invalidate"):
            steps.append(_flush(step.get("invalidate")))
        elif step.has("check"):
            if step.get("check").value != asked or asked >= len(checks):
                step.fail(f"must ask check {asked}; the file has {len(checks)}, in order")
            race = step.get("race").pair() if step.has("race") else None
            steps.append(Ask(checks[asked].access, race))
            asked += 1
        else:
            step.fail("has none of: store, trouble, registers, invalidate, check")
    if steps and asked != len(checks):
        at.fail(f"ask {asked} of {len(checks)} checks")
    return tuple(steps)


def _case(at: _At) -> Case:
    checks = tuple(_check(check) for check in at.get("checks").items())
    return Case(
        registers=_registers(at),
        memory=_memory(at.get("memory")),
        checks=checks,
        errors=frozenset(word.number(64) for word in at.get("errors", []).items()),
        steps=_steps(at.get("steps"), checks) if at.has("steps") else (),
    )


def read(path: Path | str) -> VectorFile:
    """Reads a vector file, gzipped or plain. Raises VectorError."""
    path = Path(path)
    top = _At(_load(path), path.name)
    names = top.get("features")
    try:
        features = from_names(name.expect(str, "a name") for name in names.items())
    except ValueError as error:
        names.fail(str(error))
    return VectorFile(
        source=str(top.get("source", "not given").value),
        features=features,
        feature_names=tuple(names.value),
        seed=top.get("seed", 0).number(64),
        cases=tuple(_case(case) for case in top.get("cases").items()),
        config=str(top.get("config").value) if top.has("config") else None,
    )


def _registers_json(registers: Registers) -> dict[str, str]:
    names = [*REGISTERS, *(name for name in OPTIONAL_REGISTERS if getattr(registers, name))]
    return {name: hex(getattr(registers, name)) for name in names}


def _steps_json(steps) -> list[dict]:
    out, asked = [], 0
    for step in steps:
        match step:
            case Store(address, value):
                out.append({"store": [hex(address), hex(value)]})
            case Trap(address, trouble):
                out.append({"trouble": trouble.value, "address": hex(address)})
            case Load(registers):
                out.append({"registers": _registers_json(registers)})
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


def _case_json(case: Case) -> dict:
    checks = []
    for check in case.checks:
        out = {"va": hex(check.va), "el": check.el, "write": int(check.kind is Kind.WRITE)}
        if check.kind not in (Kind.READ, Kind.WRITE):
            out["kind"] = check.kind.value
        out |= {name: 1 for name in ("pan", "mxr") if getattr(check, name)}
        if check.changed is not None:
            out["changed"] = [[hex(a), hex(v)] for a, v in check.changed]
        if check.fsc is None:
            out |= {"pa": hex(check.pa), "attr": check.attr}
        else:
            out["fsc"] = check.fsc
        checks.append(out)
    out = _registers_json(case.registers)
    out["memory"] = [[hex(a), hex(v)] for a, v in sorted(case.memory.items())]
    if case.errors:
        out["errors"] = [hex(address) for address in sorted(case.errors)]
    if case.steps:
        out["steps"] = _steps_json(case.steps)
    return out | {"checks": checks}


def write(
    path: Path | str,
    cases: Iterable[Case],
    *,
    source: str,
    features=("base",),
    seed=0,
    config: str | None = None,
):
    """Writes a gzipped file that `read` and the conformance run accept."""
    document = {
        "source": source,
        "features": list(features),
        "seed": seed,
        "cases": [_case_json(case) for case in cases],
    } | ({"config": config} if config else {})
    data = json.dumps(document).encode()
    Path(path).write_bytes(gzip.compress(data, mtime=0))
