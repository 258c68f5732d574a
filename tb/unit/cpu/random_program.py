"""Random programs that both the core and an instruction-set simulator run the same way.

Reserved registers: x2 middle of the data window, x3 loop counter, x31 the trap handler's. Traps
(ecall, ebreak, illegal instructions) go to a handler that skips the instruction.
"""

import random

from unit.cpu import encode as e

BASE = 0x8000_0000
DATA = 0x8002_0000
DATA_BYTES = 4096
TOHOST = 0xC000_0000
HANDLER_WORDS = 16

FREE = [r for r in range(1, 31) if r not in (2, 3)]
CSRS = (e.MSCRATCH, e.SSCRATCH, e.MTVAL, e.STVAL)
CORNERS = (0, 1, 0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, 0x8000_0001, 0xFFFF_8000, 2)
ILLEGAL = (0xFFFF_FFFF, 0x0000_007F, 0xC000_2073 | 0x7C0 << 20, 0x0000_3003, 0x4000_1013)


class RandomProgram:
    """`words` from BASE on; `data` is the initial data window."""

    def __init__(self, seed: int, length: int) -> None:
        self.random = random.Random(seed)
        self.words: list[int] = []
        self.data = self.random.randbytes(DATA_BYTES)
        self._prologue()
        while len(self.words) < length:
            self._piece()
        self.words += [*e.li(30, TOHOST), e.addi(29, 0, 1), e.store(2, 29, 30, 0)]

    def _register(self) -> int:
        """Mostly few registers, so that instructions depend on each other."""
        return self.random.choice(FREE[:6] if self.random.random() < 0.7 else FREE)

    def _source(self) -> int:
        return 0 if self.random.random() < 0.05 else self._register()

    def _target(self) -> int:
        return 0 if self.random.random() < 0.03 else self._register()

    def _prologue(self) -> None:
        handler = [
            e.csr(2, 31, e.MEPC, 0),
            e.addi(31, 31, 4),
            e.csr(1, 0, e.MEPC, 31),
            e.csr(2, 31, e.MCAUSE, 0),
            e.MRET,
        ]
        handler += [e.NOP] * (HANDLER_WORDS - len(handler) - 1)
        self.words = [e.jal(0, 4 * HANDLER_WORDS), *handler]
        self.words += [*e.li(31, BASE + 4), e.csr(1, 0, e.MTVEC, 31), *e.li(2, DATA + 2048)]
        for number in CSRS:
            self.words.append(e.csr(5, 0, number, self.random.randrange(32)))
        for r in FREE:
            corner = self.random.random() < 0.4
            value = self.random.choice(CORNERS) if corner else self.random.getrandbits(32)
            self.words += e.li(r, value)

    def _piece(self) -> None:
        kinds = {
            self._alu: 30,
            self._alu_immediate: 20,
            self._mul_div: 8,
            self._load: 15,
            self._store: 12,
            self._branch: 10,
            self._jump: 4,
            self._atomic: 5,
            self._reservation: 2,
            self._csr: 3,
            self._trap: 2,
            self._loop: 1,
        }
        self.random.choices(list(kinds), list(kinds.values()))[0]()

    def _emit(self, *words: int) -> None:
        self.words += words

    def _alu(self) -> None:
        funct3 = self.random.randrange(8)
        funct7 = self.random.choice((0, 0x20)) if funct3 in (0, 5) else 0
        self._emit(e.alu(funct3, self._target(), self._source(), self._source(), funct7))

    def _alu_immediate(self) -> None:
        choice = self.random.randrange(10)
        if choice == 8:
            self._emit(e.lui(self._target(), self.random.getrandbits(20)))
        elif choice == 9:
            self._emit(e.auipc(self._target(), self.random.getrandbits(20)))
        else:
            imm = self.random.getrandbits(12)
            if choice in (1, 5):
                imm &= 0x1F
                imm |= 0x400 * (choice == 5 and self.random.randrange(2))
            self._emit(e.alu_imm(choice, self._target(), self._source(), imm))

    def _mul_div(self) -> None:
        funct3 = self.random.choice((0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7))
        self._emit(e.alu(funct3, self._target(), self._source(), self._source(), 1))

    def _address(self, size: int) -> tuple[int, int]:
        """Base register and offset of an aligned access; sometimes through a computed pointer."""
        if self.random.random() < 0.6:
            return 2, self.random.randrange(-2048, 2048) & -size
        pointer = self._register()
        self._emit(e.alu_imm(7, pointer, self._register(), 0x7F8), e.alu(0, pointer, pointer, 2))
        return pointer, self.random.randrange(-2048, 8) & -size

    def _load(self) -> None:
        funct3 = self.random.choice((0, 1, 2, 2, 4, 5))
        base, offset = self._address(1 << (funct3 & 3))
        self._emit(e.load(funct3, self._target(), base, offset))

    def _store(self) -> None:
        funct3 = self.random.choice((0, 1, 2, 2))
        base, offset = self._address(1 << funct3)
        self._emit(e.store(funct3, self._source(), base, offset))

    def _branch(self) -> None:
        skipped = self.random.randrange(1, 6)
        funct3 = self.random.choice((0, 1, 4, 5, 6, 7))
        self._emit(e.branch(funct3, self._source(), self._source(), 4 * (skipped + 1)))
        for _ in range(skipped):
            self.random.choice((self._alu, self._plain_memory))()

    def _plain_memory(self) -> None:
        offset = self.random.randrange(-512, 512) * 4
        if self.random.randrange(2):
            self._emit(e.load(2, self._target(), 2, offset))
        else:
            self._emit(e.store(2, self._source(), 2, offset))

    def _jump(self) -> None:
        skipped = self.random.randrange(0, 4)
        if self.random.randrange(2):
            self._emit(e.jal(self._target(), 4 * (skipped + 1)))
        else:
            pointer = self._register()
            self._emit(e.auipc(pointer, 0), e.jalr(self._target(), pointer, 4 * (skipped + 2)))
        for _ in range(skipped):
            self._emit(self.random.choice((e.ECALL, e.NOP, e.addi(self._register(), 0, 1))))

    def _atomic_pointer(self) -> int:
        pointer = self._register()
        self._emit(e.alu_imm(7, pointer, self._register(), 0x7FC), e.alu(0, pointer, pointer, 2))
        return pointer

    def _atomic(self) -> None:
        pointer = self._atomic_pointer()
        order = self.random.randrange(4)
        operation = self.random.choice(e.AMOS)
        self._emit(e.atomic(operation, self._target(), pointer, self._source(), order))

    def _reservation(self) -> None:
        """lr and sc to the same word (wins), to another one or without lr (loses)."""
        pointer = self._atomic_pointer()
        result = self.random.choice([r for r in FREE if r != pointer])
        kind = self.random.randrange(4)
        if kind != 0:
            self._emit(e.atomic(e.LR, result, pointer, 0))
        if kind == 1:
            self._emit(e.alu_imm(4, pointer, pointer, 4))
        self._emit(e.atomic(e.SC, result, pointer, self._source()))
        self._emit(e.load(2, self._target(), pointer, 0))

    def _csr(self) -> None:
        funct3 = self.random.choice((1, 2, 3, 5, 6, 7))
        source = self.random.randrange(32) if funct3 & 4 else self._source()
        self._emit(e.csr(funct3, self._target(), self.random.choice(CSRS), source))

    def _trap(self) -> None:
        self._emit(self.random.choice((e.ECALL, e.EBREAK, *ILLEGAL)))

    def _loop(self) -> None:
        self._emit(e.addi(3, 0, self.random.randrange(2, 6)))
        start = len(self.words)
        for _ in range(self.random.randrange(1, 6)):
            self.random.choice((self._alu, self._load, self._store, self._mul_div))()
        self._emit(e.addi(3, 3, -1))
        self._emit(e.branch(1, 3, 0, 4 * (start - len(self.words))))
