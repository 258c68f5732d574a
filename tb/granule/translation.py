"""One translation of the golden model: what comes out, and every step of the walk to it."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields

from granule.golden import model, part

KINDS = {name: model.Kind[name.upper()] for name in ("read", "write", "execute", "atomic")}
# What a machine must have beside the base for these registers to exist.
NEEDED = {"satp": "sv32 or rv64", **dict.fromkeys(("tcr2", "pir", "pire0", "mair2"), "d128")}


@dataclass(frozen=True)
class Result:
    """How an access came out. `outcome` is the model's own object, `changed` the entries that the
    walker wrote (access flag, dirty state), by address."""

    va: int
    steps: tuple[model.Step, ...]
    outcome: model.Translation | model.Fault

    @property
    def fault(self) -> model.Fault | None:
        """kind, level, status (the 6-bit code of DFSC) and esr; None if there is none."""
        return self.outcome if isinstance(self.outcome, model.Fault) else None

    @property
    def translation(self) -> model.Translation:
        if self.fault:
            raise ValueError(
                f"0x{self.va:x} has no translation: {self.fault.kind.value} fault, level "
                f"{self.fault.level}; ask .fault first"
            )
        return self.outcome

    @property
    def pa(self) -> int:
        """The output address. Raises ValueError after a fault, as all below do."""
        return self.translation.pa

    @property
    def size(self) -> int:
        """Bytes for which one TLB entry can answer now."""
        return 1 << self.translation.span

    @property
    def attributes(self) -> int:
        """The byte of MAIR that the entry chose."""
        return self.translation.attr

    @property
    def rights(self) -> str:
        """What who asked may do there: of "rwx", or "-" for what it may not."""
        r = self.translation.rights
        return "".join(c if may else "-" for c, may in (("r", r.r), ("w", r.w), ("x", r.x)))

    @property
    def level(self) -> int | None:
        """Of the entry that decided, also of a fault; None with translation off."""
        return self.outcome.level

    @property
    def changed(self) -> dict[int, int]:
        return dict(getattr(self.outcome, "changed", ()))

    @property
    def text(self) -> str:
        """The walk in words."""
        return "\n".join(model.told(self.steps, self.outcome))

    def as_dict(self) -> dict:
        """For JSON."""
        said = {"va": self.va, "steps": [asdict(step) for step in self.steps]}
        if self.fault:
            told = {name: getattr(self.fault, name) for name in ("level", "status", "esr")}
            return said | {"fault": {"kind": self.fault.kind.value} | told}
        names = ("pa", "size", "level", "attributes", "rights", "changed")
        return said | {name: getattr(self, name) for name in names}


def features_of(names: Iterable[str]) -> model.Features:
    """What the machine has beside 48-bit VMSAv8-64, by the names of the vector files."""
    return model.from_names(names)


def check_registers(registers: model.Registers, features: model.Features) -> None:
    """Raises ValueError for a register that this machine does not have: it would count as 0."""
    there = part("walk").implemented(registers, features)
    for name in (f.name for f in fields(registers)):
        value = getattr(registers, name)
        if value != getattr(there, name):
            raise ValueError(
                f"{name} is 0x{value:x}, but this machine has no such register or mode; "
                f"add {NEEDED[name]} to its features"
            )


def access_to(va: int, access: str, **how) -> model.Access:
    if access not in KINDS:
        raise ValueError(f"access is '{access}'; use {', '.join(KINDS)}")
    return model.Access(va, KINDS[access], **how)


def translate(
    va: int,
    registers: model.Registers,
    memory: Mapping[int, int] | model.Memory,
    *,
    access: str = "read",
    el: int = 0,
    features: Iterable[str] = (),
    **how: bool,
) -> Result:
    """One access by the golden model.

    memory    descriptors by address, as 64-bit words; what is not there reads 0. A mapping stays
              as it is; in a model.Memory the walker's updates can be seen.
    access    read, write, execute or atomic.
    el        0 a program, 1 the kernel.
    features  what the machine has beside the base, such as "lpa2", "d128" or "sv32".
    how       pan, aligned, mxr, as in model.Access.

    Raises ValueError for what no access or machine can be."""
    if not isinstance(va, int) or isinstance(va, bool):
        raise TypeError(f"va is {va!r}, which is no int; write it as 0x1234, or int(text, 0)")
    has = features_of(features)
    check_registers(registers, has)
    held = memory if isinstance(memory, model.Memory) else model.Memory(memory)
    steps, outcome = model.follow(registers, has, held, access_to(va, access, el=el, **how))
    return Result(va, tuple(steps), outcome)


def explain(*arguments, **options) -> str:
    """The walk in words, of an access as for `translate`."""
    return translate(*arguments, **options).text
