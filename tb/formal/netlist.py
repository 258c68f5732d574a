"""From the SystemVerilog of a proof to AIGER files: circuits of AND gates with one output, which is
high when something goes wrong. Run as a program, because Yosys ends the process when it fails."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

# A cover point is looked for as the counterexample of "it is never reached".
NEVER = r"""(* techmap_celltype = "$cover" *) module never(input A, EN);
  \$assert _TECHMAP_REPLACE_ (.A(!A), .EN(EN));
endmodule
"""
OTHERS = {"claim": "chformal -cover -remove", "reach": "chformal -assert -remove"}
# Inputs, what a cut leaves open and registers that a reset does not set are anything.
SCRIPT = """read_verilog -sv -formal {source}
hierarchy -check -top {top}
{cut}
proc
flatten
opt_clean
async2sync
chformal -lower
{others}
{early}
techmap -map {never}
setundef -undriven -anyseq
setattr -unset keep
delete -output
opt -full
memory_collect
memory_map -formal
formalff -clk2ff -ff2anyinit
opt -full
techmap
opt -fast
dffunmap
setundef -undriven -anyseq
aigmap
opt_clean
write_aiger -I -B -zinit -no-startoffset -ywmap {stem}.json {stem}.aig
"""


class Broken(RuntimeError):
    """Yosys made no circuit of the source; carries the end of its log."""


@dataclass(frozen=True)
class Output:
    """`sentence`: what its name says; `number`: which one it is of the circuit of all; `aiger`: the
    circuit that has this output alone."""

    sentence: str
    number: int
    aiger: Path


def chosen(aiger: bytes, numbers: list[int], outputs: int) -> bytes:
    """The circuit with some outputs alone. A line each, behind the registers, names their nodes."""
    header, rest = aiger.split(b"\n", 1)
    sizes = [int(n) for n in header.split()[1:]]
    latches, plain = sizes[2], sizes[3]
    lines = rest.split(b"\n", latches + plain + outputs)
    first = latches + plain
    sizes[5] = len(numbers)
    kept = [*lines[:first], *(lines[first + number] for number in numbers), lines[-1]]
    return b"\n".join([b"aig " + b" ".join(b"%d" % n for n in sizes), *kept])


def sentence(source: list[str], cell: str) -> str:
    """`assert(claim_a_walk_ends)` stands in the line that the name of the cell gives."""
    line = source[int(re.search(r"\.sv:(\d+)", cell)[1]) - 1]
    return re.search(r"\((?:claim|reach)_(\w+)\)", line)[1].replace("_", " ").strip()


def without(cut: tuple[str, ...]) -> str:
    """What comes out of a module that is left out is anything."""
    return "\n".join(f"cutpoint {module}" for module in cut)


def outputs(source: Path, top: str, cut: tuple[str, ...], kind: str, stem: Path,
            *, early: bool = False) -> list[Output]:  # fmt: skip
    """The claims or what is to be reached (`kind`) of `top`, without the modules `cut`.

    A claim about registers is in the circuit a cycle later, in a register of its own; not so if it
    is `early`, which an induction needs: that register would be anything."""
    never = stem.with_suffix(".never.v")
    never.write_text(NEVER)
    script = SCRIPT.format(source=source, top=top, stem=stem, never=never, others=OTHERS[kind],
                           cut=without(cut), early="chformal -early" if early else "")  # fmt: skip
    run = subprocess.run([sys.executable, __file__], input=script, capture_output=True, text=True,
                         check=False)  # fmt: skip
    stem.with_suffix(".log").write_text(run.stdout + run.stderr)
    if run.returncode:
        raise Broken(f"{source.name}: {(run.stdout + run.stderr)[-1000:]}")
    lines = source.read_text().splitlines()
    cells = [path[-1] for path in json.loads(stem.with_suffix(".json").read_text())["asserts"]]
    circuit = stem.with_suffix(".aig").read_bytes()
    found = []
    for number, cell in enumerate(cells):
        alone = stem.with_suffix(f".{number}.aig")
        alone.write_bytes(chosen(circuit, [number], len(cells)))
        found.append(Output(sentence(lines, cell), number, alone))
    return sorted(found, key=lambda output: output.sentence)


def main() -> None:
    from pyosys import libyosys  # noqa: PLC0415

    design = libyosys.Design()
    for command in filter(None, sys.stdin.read().splitlines()):
        libyosys.run_pass(command, design)


if __name__ == "__main__":
    main()
