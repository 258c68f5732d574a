"""`make formal`: proves what proofs.py lists, for states at any depth, and shows that the proofs
see defects.

A line for each claim (never violated, or the cycles of a counterexample), for each situation that
must come about, and for each mutant. Figures go to build/results/formal.json.

Exit status: 0 all as it must be, 1 a claim is violated or undecided, a situation is out of reach or
a mutant survives, 2 a row or a source does not fit, or a program of the proof fails.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from campaigns.mutants import schemata
from formal import abc, induction, netlist
from formal.proofs import PROOFS, ROWS, Proof
from labs.choices import Misfit
from support import results
from support.root import ROOT

WORK = ROOT / "build" / "formal"
RTL = ROOT / "build" / "rtl"
console = Console(highlight=False, soft_wrap=True)


def say(proof: str, what: str, sentence: str, seconds: float, good: bool) -> None:
    colour = "green" if good else "red"
    console.print(f"{proof:18s} [{colour}]{what:12s}[/] {seconds:6.1f} s  {sentence}")


def circuits(proof: Proof, kind: str, source: Path, stem: str) -> list[netlist.Output]:
    WORK.mkdir(parents=True, exist_ok=True)
    return netlist.outputs(source, proof.unit.split(":")[0], proof.cut, kind, WORK / stem,
                           early=proof.induction > 0)  # fmt: skip


def source_of(proof: Proof) -> Path:
    return RTL / f"{proof.unit.replace(':', '_')}.sv"


def verdict(kind: str, output: netlist.Output, answer: abc.Answer, proved: bool) -> dict:
    wanted = "never" if kind == "claim" else "high"
    return {"kind": kind, "sentence": output.sentence, "good": proved or answer.verdict == wanted,
            "cycles": answer.cycles, "seconds": round(answer.seconds, 1)}  # fmt: skip


def follow(proof: Proof, all_claims: list[netlist.Output], seconds: int) -> bool:
    """All claims hold in the first cycles, and each one in a cycle if all did just before."""
    whole = WORK / f"{proof.name}_claim.aig"
    begin = abc.ask(whole, abc.FIND.format(depth=proof.induction), seconds, abc.JOIN)
    if begin.verdict != "low":
        return False
    step = induction.Step(induction.read(whole), proof.induction)
    found = []
    for claim in all_claims:
        question = claim.aiger.with_suffix(".step.aig")
        question.write_bytes(step.question(claim.number))
        answer = abc.ask(question, abc.DECIDE, seconds, abc.READ)
        if answer.verdict != "never":
            found.append(claim.sentence)
            say(proof.name, "NO STEP", claim.sentence, answer.seconds, False)
    return not found


def prove(proof: Proof, all_claims: list[netlist.Output], seconds: int) -> abc.Answer:
    """All claims together."""
    if not proof.induction:
        return abc.ask(WORK / f"{proof.name}_claim.aig", abc.PROVE, seconds)
    begin = time.monotonic()
    verdict = "never" if follow(proof, all_claims, seconds) else "open"
    return abc.Answer(verdict, 0, time.monotonic() - begin)


def claims(proof: Proof, seconds: int) -> list[dict]:
    """All claims together, proved; or if they are not, which one is violated. And each situation,
    reached."""
    all_claims = circuits(proof, "claim", source_of(proof), f"{proof.name}_claim")
    reaches = circuits(proof, "reach", source_of(proof), f"{proof.name}_reach")
    find = abc.FIND.format(depth=proof.depth)
    bar, pool = Progress(console=console, transient=True), ThreadPoolExecutor(os.cpu_count())
    with bar, pool:
        track = bar.add_task(proof.name, total=1 + len(reaches))
        whole = pool.submit(prove, proof, all_claims, seconds)
        found = []
        for output, answer in zip(
            reaches, pool.map(lambda o: abc.ask(o.aiger, find, seconds), reaches), strict=True
        ):
            found.append(verdict("reach", output, answer, False))
            bar.advance(track)
        proved = whole.result().verdict == "never"
        for output in all_claims:
            answer = whole.result() if proved else abc.ask(output.aiger, find, seconds)
            found.append(verdict("claim", output, answer, proved))
        bar.advance(track)
    for row in sorted(found, key=lambda row: row["kind"]):
        if row["kind"] == "claim" and row["good"]:
            what = "proved"
        else:
            what = f"in {row['cycles']} cycles" if row["cycles"] else "NOT DECIDED"
        say(proof.name, what, row["sentence"], row["seconds"], row["good"])
    return found


class Seeded(dict):
    """The Verilog with a defect, by its row and a unit; made for all proofs at once that want it,
    as to compile takes longer than the rest."""

    def __init__(self, proofs: list[Proof]):
        super().__init__()
        self.proofs = proofs

    def __missing__(self, key: tuple[str, str]) -> Path:
        name, _ = key
        units = [proof.unit for proof in self.proofs if name in proof.rows]
        for unit, source in schemata.alone(ROWS[name], units, ".sv").items():
            self[name, unit] = source
        return self[key]


def mutants(proof: Proof, only: tuple[str, ...], seeded: Seeded) -> list[dict]:
    """Each defect breaks a claim with the text beside it, and each claim is broken by one."""
    found = []
    for name in sorted(name for name in proof.rows if name in only or not only):
        source = seeded[name, proof.unit]
        if source_of(proof).exists() and source.read_text() == source_of(proof).read_text():
            raise Misfit(f"{name}: the Verilog is the same without the defect")
        outputs = circuits(proof, "claim", source, f"{proof.name}_{name}")
        if alone := [o.sentence for o in outputs if not proof.texts_in(o.sentence)]:
            raise Misfit(f"{proof.name}: no mutant is to break: {'; '.join(alone)}")
        for text in proof.broken_by(name):
            broken = [output for output in outputs if text in output.sentence]
            if not broken:
                raise Misfit(f"{proof.name}: no claim has '{text}' in it")
            whole = WORK / f"{proof.name}_{name}.aig"
            some = whole.with_suffix(".some.aig")
            numbers = [output.number for output in broken]
            some.write_bytes(netlist.chosen(whole.read_bytes(), numbers, len(outputs)))
            answer = abc.ask(some, abc.FIND.format(depth=proof.depth), 300)
            cycles, late = answer.cycles, answer.verdict == "open"
            what = f"red in {cycles}" if cycles else "NOT DECIDED" if late else "SURVIVED"
            say(proof.name, what, f"{name}: {text}", answer.seconds, bool(cycles))
            found.append({"kind": "mutant", "sentence": text, "mutant": name, "cycles": cycles,
                          "good": bool(cycles), "seconds": round(answer.seconds, 1)})  # fmt: skip
    return found


def generate(chosen: list[Proof]) -> None:
    units = " ".join(p.unit for p in chosen)
    subprocess.run(["make", "-s", "-C", ROOT, "verilog", f"UNITS={units}"], check=True)


@click.command()
@click.option("--proof", "names", multiple=True, type=click.Choice([p.name for p in PROOFS]),
              help="One proof; may be given several times. Default: all.")  # fmt: skip
@click.option("--mutant", "only", multiple=True,
              type=click.Choice(sorted({name for p in PROOFS for name in p.rows})),
              help="Only this mutant, and no proof; may be given several times.")  # fmt: skip
@click.option("--no-mutants", is_flag=True, help="Only the proofs, which takes minutes.")
@click.option("--seconds", default=1800, show_default=True, help="For a claim, at most.")
@click.option("--list", "show", is_flag=True, help="Show the proofs with their mutants and stop.")
def main(names, only, no_mutants, seconds, show) -> None:
    """Prove what proofs.py claims, and see defects break it."""
    chosen = [p for p in PROOFS if not names or p.name in names]
    if show:
        for proof in chosen:
            console.print(f"{proof.name}: {proof.states} ({proof.unit})")
            for text, rows in proof.mutants.items():
                console.print(f"  {text}: {rows.replace(' ', ', ')}")
        return
    rows, seeded = {}, Seeded(chosen)
    try:
        if not only:
            generate(chosen)
        for proof in chosen:
            rows[proof.name] = [] if only else claims(proof, seconds)
            if only or not no_mutants:
                rows[proof.name] += mutants(proof, only, seeded)
    except (netlist.Broken, abc.Failed, Misfit) as error:
        console.print(str(error), style="red", markup=False)
        sys.exit(2)
    flat = [row for found in rows.values() for row in found]
    console.print(f"formal: {sum(row['good'] for row in flat)} of {len(flat)} as they must be")
    if not only and not no_mutants and len(chosen) == len(PROOFS):
        results.write("formal", "proof", rows, command="make formal")
    sys.exit(0 if all(row["good"] for row in flat) else 1)
