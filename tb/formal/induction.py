"""A proof by induction with one question for each claim: can it be violated in a cycle if all
claims hold in some cycles before it? Circuits are AIGER, as netlist.py has Yosys write them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Circuit:
    """A literal is twice the number of a node, and one more where that is inverted. Node 0 is low;
    then come inputs, registers (`following`: what they take on) and gates, which are AND.
    `violated`: claims; `assumed`: high in every cycle."""

    inputs: int
    following: list[int]
    violated: list[int]
    assumed: list[int]
    gates: list[tuple[int, int]]


def read(path: Path) -> Circuit:
    header, rest = path.read_bytes().split(b"\n", 1)
    sizes = [int(n) for n in header.split()[1:]] + [0, 0]
    _, inputs, registers, outputs, gates, claims, assumed, *_ = sizes
    *lines, code = rest.split(b"\n", registers + outputs + claims + assumed)
    literals = [int(line.split()[0]) for line in lines]
    numbers, found = decoded(code), []
    for own in range(inputs + registers + 1, inputs + registers + 1 + gates):
        one = 2 * own - next(numbers)
        found.append((one, one - next(numbers)))
    first = registers + outputs
    return Circuit(inputs, literals[:registers], literals[first : first + claims],
                   literals[first + claims :], found)  # fmt: skip


def decoded(code: bytes) -> Iterator[int]:
    """Numbers of seven bits a byte, the lowest first; all bytes but the last have their top bit."""
    number = shift = 0
    for byte in code:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0


def coded(number: int) -> bytes:
    code = []
    while number > 127:
        code.append(number & 127 | 128)
        number >>= 7
    return bytes([*code, number])


class Step:
    """Some cycles in which all claims hold, from any state on, and one more, without registers."""

    def __init__(self, circuit: Circuit, cycles: int):
        registers = len(circuit.following)
        self.inputs = circuit.inputs * (cycles + 1) + registers
        self.gates: list[tuple[int, int]] = []
        state = [2 * (circuit.inputs + 1 + n) for n in range(registers)]
        held = []
        for cycle in range(cycles + 1):
            number = circuit.inputs * cycle + (registers if cycle else 0)
            now = self._cycle(circuit, number, state)
            held += [now(literal) for literal in circuit.assumed]
            if cycle < cycles:
                held += [now(literal) ^ 1 for literal in circuit.violated]
            state = [now(literal) for literal in circuit.following]
        self.held = self._all(held)
        self.violated = [now(literal) for literal in circuit.violated]

    def _and(self, one: int, other: int) -> int:
        self.gates.append((max(one, other), min(one, other)))
        return 2 * (self.inputs + len(self.gates))

    def _all(self, literals: list[int]) -> int:
        while len(literals) > 1:
            pairs = zip(literals[::2], literals[1::2], strict=False)
            odd = literals[-1:] if len(literals) % 2 else []
            literals = [self._and(*pair) for pair in pairs] + odd
        return literals[0]

    def _cycle(self, circuit: Circuit, before: int, state: list[int]) -> Callable[[int], int]:
        """Where the circuit's literals are in a cycle of this state, whose inputs come behind
        `before` others."""
        inputs = [2 * (before + 1 + n) for n in range(circuit.inputs)]
        nodes = [0, *inputs, *state]

        def of(literal: int) -> int:
            return nodes[literal >> 1] ^ literal & 1

        for one, other in circuit.gates:
            nodes.append(self._and(of(one), of(other)))
        return of

    def question(self, claim: int) -> bytes:
        """A circuit whose output is high if the claim does not follow."""
        output = self._and(self.held, self.violated[claim])
        size = self.inputs + len(self.gates)
        text = b"aig %d %d 0 1 %d\n%d\n" % (size, self.inputs, len(self.gates), output)
        code = bytearray()
        for own, (one, other) in enumerate(self.gates, start=self.inputs + 1):
            code += coded(2 * own - one) + coded(one - other)
        self.gates.pop()
        return text + code
