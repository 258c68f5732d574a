"""Physical memory behind the caches, and the flat model of what a program sees of it."""

from cocotbext.axi import Region

LOWMEM = 0x8000_0000
HIGHMEM = 0x1_0000_0000
PERIPHERAL = 0x1000_0000
LINE = 64


class BusError(Exception):
    """The slave refuses the access; the bus model answers SLVERR."""


class Memory(Region):
    """Sparse memory of 32-bit words that remembers its traffic and can refuse addresses."""

    def __init__(self):
        super().__init__(1 << 36)
        self.words = {}
        self.refuse_read = set()  # line addresses
        self.refuse_write = set()
        self.refuse_beat = set()  # word addresses: reads and writes of this beat only
        self.reads = []
        self.writes = []

    @staticmethod
    def initial(address: int) -> int:
        """What a word holds that was never written: unlike any other one."""
        return (address * 0x9E3779B1 + (address >> 32)) & 0xFFFF_FFFF

    def word(self, address: int) -> int:
        address &= ~3
        return self.words.get(address, self.initial(address))

    def store(self, address: int, data: int, mask: int = 15) -> None:
        lanes = sum(0xFF << (8 * i) for i in range(4) if mask >> i & 1)
        address &= ~3
        self.words[address] = self.word(address) & ~lanes | data & lanes

    def held(self, address: int, words: int) -> int:
        """What an access of 2**words words reads."""
        return sum(self.word(address + 4 * i) << 32 * i for i in range(1 << words))

    def put(self, address: int, data: int, words: int) -> None:
        for i in range(1 << words):
            self.store(address + 4 * i, data >> 32 * i & 0xFFFF_FFFF)

    def double(self, address: int) -> int:
        return self.held(address, 1)

    async def _read(self, address, length, **_):
        self.reads.append(address)
        if address & -LINE in self.refuse_read or address & -4 in self.refuse_beat:
            raise BusError(f"read of {address:#x}")
        return self.word(address).to_bytes(4, "little")

    async def _write(self, address, data, **_):
        self.writes.append(address)
        if address & -LINE in self.refuse_write or address & -4 in self.refuse_beat:
            raise BusError(f"write of {address:#x}")
        offset = address & 3
        mask = ((1 << len(data)) - 1) << offset
        self.store(address, int.from_bytes(data, "little") << (8 * offset), mask)


def amo(funct: int, old: int, operand: int) -> int:
    """The word that an AMO leaves behind (RISC-V "A")."""

    def signed(x):
        return x - (1 << 32) if x >> 31 else x

    result = {
        0b00000: old + operand,
        0b00001: operand,
        0b00100: old ^ operand,
        0b01000: old | operand,
        0b01100: old & operand,
        0b10000: min(signed(old), signed(operand)),
        0b10100: max(signed(old), signed(operand)),
        0b11000: min(old, operand),
        0b11100: max(old, operand),
    }[funct]
    return result & 0xFFFF_FFFF


AMO_FUNCTS = (0b00000, 0b00001, 0b00100, 0b01000, 0b01100, 0b10000, 0b10100, 0b11000, 0b11100)
