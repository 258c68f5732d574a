"""Random invalidations on one MMU, whose main TLB is full of pages. Nothing takes the place of
another page, so whatever goes was invalidated or lost. The program of the soak plays them."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from campaigns.invalidation.world import HOME, PAGE, Pages
from campaigns.soak.judge import describe
from campaigns.soak.player import SETTLED, Answer, line, play, script
from model import Access, Translation
from model.steps import Ask, Delays, Flush, Load, Store
from model.tlbi import Invalidation, Kind, range_length, range_operand, va_operand
from support.configurations import features_of
from support.run import SIM

LOOKUPS = 3  # after each command
RUN = 10_000  # commands that one run of the program plays
PASSES = 3  # over all pages, before the first: after a reset places are cleared for a while
Page = tuple[int, int]  # ASID and number
FEATURES = features_of("vmsa48_main")  # so have all that are played
# taken: entries that a command took; looked: lookups of entries that are there; lost: of those, in
# how many it was gone; kept: lookups that found what an invalidation had taken.
COUNTED = ("commands", "taken", "looked", "lost", "kept")
# How often a command is of a kind.
WEIGHTS = {
    Kind.VA: 100,
    Kind.VA_ALL_ASIDS: 30,
    Kind.RANGE: 30,
    Kind.RANGE_ALL_ASIDS: 10,
    Kind.ASID: 2,
    Kind.ALL: 1,
}


def command(rng: random.Random, each: int) -> tuple[Invalidation, list[Page]]:
    """One at random, and the pages that it covers."""
    kind = rng.choices(list(WEIGHTS), WEIGHTS.values())[0]
    home, asid = rng.choice(list(HOME.values())), rng.choice((*HOME, *HOME, 3))
    asids = [a for a in HOME if (kind.any_asid or a == asid) and HOME[a] == home]
    first = rng.randrange(-each // 4, each + each // 4)  # some are not mapped
    operand, count = va_operand(home + first * PAGE, asid), 1
    if kind.is_range:
        num, scale = rng.choice(((0, 0), (1, 0), (7, 0), (rng.randrange(32), 0), (0, 1)))
        operand = range_operand(home + first * PAGE, 12, num, scale, asid=asid)
        count = range_length(num, scale)
    if kind in (Kind.ASID, Kind.ALL):
        first, count = 0, each
        asids = [a for a in HOME if kind is Kind.ALL or a == asid]
    numbers = range(max(0, first), min(each, first + count))
    return Invalidation(kind, operand, rng.random() < 0.5), [(a, n) for a in asids for n in numbers]


def ask(page: Page) -> str:
    return line(Ask(Access(HOME[page[0]] + page[1] * PAGE)))


def filled(pages: Pages) -> list[str]:
    """Everything is asked for so often that what the TLB can hold is there the last time."""
    lines = script([Store(*word) for word in pages.memory.words.items()], Delays())
    lines += [line(Flush(Invalidation(Kind.ALL, 0))), SETTLED]
    for _ in range(PASSES):
        for asid in HOME:
            lines.append(line(Load(pages.registers[asid])))
            lines += [ask((asid, n)) for n in range(pages.each)]
    return lines


def expect(answer: Answer, want: Translation, page: Page) -> None:
    right = not answer.fault and (answer.pa, answer.attr) == (want.pa, want.attr)
    if not right or answer.writes:
        raise AssertionError(f"page {page}: expected {describe(want)}, no update; got {answer}")


def run(harness: Path, entries: int, commands: int, seed: int) -> Counter[str]:
    """Plays `commands` from a full TLB on."""
    rng, pages = random.Random(seed), Pages(entries)
    everything = [(asid, n) for asid in HOME for n in range(pages.each)]
    want = {page: pages.translation(FEATURES, *page) for page in everything}
    lines, asked, there = filled(pages), [], set(everything)
    tally = Counter(dict.fromkeys(COUNTED, 0), commands=commands)
    for _ in range(commands):
        op, covered = command(rng, pages.each)
        tally["taken"] += len(there.intersection(covered))
        there.difference_update(covered)
        asid = rng.choice(list(HOME))
        lines += [line(Flush(op)), SETTLED, line(Load(pages.registers[asid]))]
        for n in rng.choices(range(pages.each), k=LOOKUPS):
            page = asid, n
            lines.append(ask(page))
            asked.append((page, page in there))
            there.add(page)
    work = SIM / "commands" / f"{harness.parent.name}-{seed}"
    work.parent.mkdir(parents=True, exist_ok=True)
    answers = iter(play(harness, lines, work))
    for asks in range(PASSES):
        for page in everything:
            answer = next(answers)
            expect(answer, want[page], page)
            last = asks == PASSES - 1
            assert not last or not answer.reads, f"page {page} does not stay, seed {seed}"
    for (page, stays), answer in zip(asked, answers, strict=True):
        expect(answer, want[page], page)
        tally["looked"] += stays
        tally["lost"] += stays and bool(answer.reads)
        tally["kept"] += not stays and not answer.reads
    assert tally["kept"] == 0, f"{tally['kept']} pages answer that were invalidated, seed {seed}"
    for suffix in (".script", ".answers"):
        work.with_name(work.name + suffix).unlink()
    return tally


def runs(commands: int, seed: int) -> Iterator[tuple[int, int]]:
    """Commands and seed of each run."""
    for first in range(0, commands, RUN):
        yield min(RUN, commands - first), seed + first // RUN
