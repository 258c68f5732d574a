"""Random cases as vector files, for formats whose descriptors no access changes: every check can
then be made cold, hot and resident. The tables are those of the random runs, the answers the golden
model's."""

import random
from collections.abc import Iterator
from pathlib import Path

from cases.generate import access_of, spaces_of
from cases.shapes import SHAPES, Shape
from cases.world import World
from model import Features, Memory, translate, vectors
from model.features import names_of
from model.steps import Trap
from support.configurations import features_of

CHECKS = 24  # of a case
FILE = 20_000  # checks of a file


def case_of(rng: random.Random, shape: Shape, features: Features) -> vectors.Case:
    """One machine state: tables grow for all accesses before the first one is made."""
    spaces, tables = spaces_of(rng, shape, features)
    space = spaces[0]
    world = World(rng, features, [space.registers], tables=tables.tables, grouped=shape.napot)
    accesses, used = [], []
    for _ in range(CHECKS):
        accesses.append(access_of(rng, space, used))
        world.grow(0, accesses[-1])
    errors = frozenset(step.address for step in world.steps if isinstance(step, Trap))
    memory = Memory(dict(world.words), errors)
    answers = [translate(space.registers, features, memory, access) for access in accesses]
    checks = tuple(map(vectors.Check.of, accesses, answers))
    return vectors.Case(space.registers, world.words, checks, errors)


def write(folder: Path, name: str, config: str, seed: int, count: int) -> Iterator[Path]:
    """Files with together at least `count` checks of the shape `name`, for a configuration."""
    shape, features = SHAPES[name], features_of(config)
    if not shape.present(features) or not (shape.riscv or shape.napot):
        raise ValueError(f"{config} has no shape '{name}' whose descriptors no access changes")
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, count, FILE):
        wanted = min(FILE, count - first)
        numbers = range(first, first + -(-wanted // CHECKS))
        cases = [case_of(random.Random(f"{seed}/{name}/{n}"), shape, features) for n in numbers]
        path = folder / f"{name}-{seed}-{first}.json.gz"
        vectors.write(
            path,
            cases,
            source=f"tb/tools/run.py conformance --random {name} --seed {seed}",
            features=names_of(features),
            seed=seed,
            config=config,
        )
        yield path
