"""The registers of a translation, field by field (spec 1.1 to 1.5; RISC-V's satp), by the names of
the Arm ARM: `TCR(T0SZ=16, TG0="16k")` makes a number, `TCR.decode(number)` takes it apart."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .bits import field as bits
from .bits import mask

IPS_BITS = (32, 36, 40, 42, 44, 48, 52, 56)
TG0, TG1 = {12: 0b00, 14: 0b10, 16: 0b01}, {12: 0b10, 14: 0b01, 16: 0b11}  # by log2 of a granule


@dataclass(frozen=True)
class Field:
    """Bits high to low. `names` has names for values. An address is given as a whole: the register
    holds its bits in their own places."""

    high: int
    low: int
    names: Mapping[str, int] = field(default_factory=dict)
    address: bool = False

    @property
    def width(self) -> int:
        return self.high - self.low + 1

    def get(self, register: int) -> int:
        value = bits(register, self.high, self.low)
        return value << self.low if self.address else value

    def name_of(self, value: int) -> str:
        """What a value is called; empty if it has no name."""
        return next((name for name, known in self.names.items() if known == value), "")

    def put(self, value: int | str, what: str) -> int:
        """The register with this value in the field, and zero elsewhere. Raises ValueError."""
        if isinstance(value, str):
            if value not in self.names:
                known = f"use {', '.join(self.names)} or a number" if self.names else "use a number"
                raise ValueError(f"{what} is '{value}', which has no meaning; {known}")
            value = self.names[value]
        if self.address:
            if value & ~(mask(self.width) << self.low):
                raise ValueError(
                    f"{what} is 0x{value:x}; an address there has bits {self.high} to {self.low}, "
                    f"so it is a multiple of {1 << self.low} below 0x{1 << self.high + 1:x}"
                )
            return value
        if not 0 <= value <= mask(self.width):
            most = mask(self.width)
            raise ValueError(f"{what} is {value}; use 0 to {most} ({self.width} bits)")
        return value << self.low


@dataclass(frozen=True)
class Layout:
    """A register: its name, its bits, and its fields from the lowest on."""

    name: str
    fields: Mapping[str, Field]
    width: int = 64

    def field(self, name: str) -> Field:
        if name not in self.fields:
            known = ", ".join(self.fields)
            raise ValueError(f"{self.name} has no field '{name}'; it has {known}")
        return self.fields[name]

    def __call__(self, **values: int | str) -> int:
        """The register with these values; fields that are not named are 0."""
        register = 0
        for name, value in values.items():
            register |= self.field(name).put(value, f"{self.name}.{name}")
        return register

    def get(self, register: int, name: str) -> int:
        return self.field(name).get(register)

    def parse(self, text: str) -> int:
        """A number, or fields as in `T0SZ=16,TG0=16k`. Raises ValueError."""
        if "=" not in text:
            value = number(text)
            if value is None or value >> self.width:
                raise ValueError(
                    f"'{text}' is no value of {self.name}; give 0 to 2^{self.width} - 1, "
                    f"or fields as in {next(iter(self.fields))}=1"
                )
            return value
        values: dict[str, int | str] = {}
        for part in text.split(","):
            name, _, value = (word.strip() for word in part.partition("="))
            if name in values:
                raise ValueError(f"{self.name}.{name} is given twice in '{text}'")
            values[name] = value if number(value) is None else number(value)
        return self(**values)

    def decode(self, register: int) -> dict[str, int]:
        """Every field with its value."""
        if not 0 <= register <= mask(self.width):
            raise ValueError(
                f"{self.name} is {register:#x}; it has {self.width} bits, so use 0 to "
                f"0x{mask(self.width):x}"
            )
        return {name: place.get(register) for name, place in self.fields.items()}


def number(text: str) -> int | None:
    """A number of zero or more, None for another text."""
    try:
        value = int(text, 0)
    except ValueError:
        return None
    return value if value >= 0 else None


def places(**rows: tuple) -> dict[str, Field]:
    return {name: Field(*row) for name, row in rows.items()}


def granules(codes: Mapping[int, int]) -> dict[str, int]:
    """ "4k", "16k", "64k" and their codes."""
    return {f"{1 << granule - 10}k": code for granule, code in codes.items()}


OUTPUT_SIZES = {f"{size}bit": code for code, size in enumerate(IPS_BITS)}

SCTLR = Layout("SCTLR", places(M=(0, 0), C=(2, 2), I=(12, 12), WXN=(19, 19), EPAN=(57, 57)))
TCR = Layout(
    "TCR",
    places(
        T0SZ=(5, 0), EPD0=(7, 7), IRGN0=(9, 8), ORGN0=(11, 10), SH0=(13, 12),
        TG0=(15, 14, granules(TG0)),
        T1SZ=(21, 16), A1=(22, 22), EPD1=(23, 23), IRGN1=(25, 24), ORGN1=(27, 26), SH1=(29, 28),
        TG1=(31, 30, granules(TG1)),
        IPS=(34, 32, OUTPUT_SIZES), AS=(36, 36), TBI0=(37, 37), TBI1=(38, 38), HA=(39, 39),
        HD=(40, 40), HPD0=(41, 41), HPD1=(42, 42), TBID0=(51, 51), TBID1=(52, 52),
        E0PD0=(55, 55), E0PD1=(56, 56), DS=(59, 59),
    ),
)  # fmt: skip
TCR2 = Layout(
    "TCR2",
    places(
        PIE=(1, 1), D128=(5, 5), DisCH0=(14, 14), DisCH1=(15, 15), FNG0=(17, 17), FNG1=(18, 18),
    ),
)  # fmt: skip
# With 48-bit addresses; the longer ones have bits in other places (spec 1.2).
BASE = places(CnP=(0, 0), BADDR=(47, 1, {}, True), ASID=(63, 48))
TTBR0, TTBR1 = Layout("TTBR0", BASE, 128), Layout("TTBR1", BASE, 128)
BYTES = {"device": 0x00, "non-cacheable": 0x44, "write-through": 0xAA, "write-back": 0xFF}
MAIR = Layout("MAIR", {f"Attr{i}": Field(8 * i + 7, 8 * i, BYTES) for i in range(8)})
MAIR2 = Layout("MAIR2", MAIR.fields)
PIR = Layout("PIR", {f"Perm{i}": Field(4 * i + 3, 4 * i) for i in range(16)})
PIRE0 = Layout("PIRE0", PIR.fields)
# Of RV32. What RV64 has there is longer, and a number to `Registers`.
SATP = Layout("SATP", places(PPN=(21, 0), ASID=(30, 22), MODE=(31, 31)))
LAYOUTS = {
    layout.name.lower(): layout
    for layout in (TCR, TTBR0, TTBR1, MAIR, SCTLR, TCR2, PIR, PIRE0, SATP, MAIR2)
}
