"""What random tables must hold for the architecture to say what an access to them does."""

import random
from dataclasses import replace

import pytest

from cases.generate import case
from cases.shapes import SHAPES
from cases.world import Made, World
from model import Access, Features, Kind
from model.check import Found, check
from model.faults import TranslationFault
from model.permissions import Hierarchy
from model.walk import implemented
from support.configurations import CONFIGURATIONS

CASES = 40
EVERY = [
    Access(0, kind, el, pan, mxr=False)
    for kind in (Kind.READ, Kind.WRITE, Kind.EXECUTE, Kind.ATOMIC)
    for el, pan in ((0, False), (1, False), (1, True))
]


def verdict(found: Found, made: Made, registers, features: Features, access: Access):
    """The rights that this member gives to the access, or its fault."""
    try:
        return check(registers, features, access, found, made.place.regime)[0]
    except TranslationFault as fault:
        return fault.kind, fault.wnr, fault.dirty


def members(world: World, made: Made) -> list[Found]:
    """One of each kind that the group has, with its access flag set and of no address."""
    place, regime = made.place, made.place.regime
    leaves = set()
    for slot in made.slots:
        leaf = regime.format.leaf(world.fetch(slot, place.size), place.level, regime.geometry)
        leaves.add(replace(leaf, address=0, af=True))
    return [Found(leaf, 0, 0, place.level, Hierarchy(), disch=False) for leaf in leaves]


def groups(monkeypatch, shape, features: Features):
    """The contiguous groups of some cases, as they were written."""
    write, found = World.write_leaf, []

    def spy(world, made, *arguments, **named):
        write(world, made, *arguments, **named)
        if len(made.slots) > 1:
            found.append((world, made, members(world, made)))

    monkeypatch.setattr(World, "write_leaf", spy)
    for number in range(CASES):
        case(random.Random(f"{shape.name}/{number}"), shape, features)
    return found


@pytest.mark.parametrize("config", ["teaching", "wide"])
@pytest.mark.parametrize(
    "shape", [s for s in SHAPES.values() if s.format == "vmsa64"], ids=lambda s: s.name
)
def test_members_of_a_group_allow_the_same(config, shape, monkeypatch):
    """Members that differ in more than access flag and dirty state are a mistake of software after
    which either answer is right: a run with such a group judges nothing."""
    features = CONFIGURATIONS[config].features
    found = groups(monkeypatch, shape, features)
    assert len(found) > 5  # else nothing is seen
    for world, made, kinds in found:
        registers = implemented(world.spaces[made.place.space], features)
        for access in EVERY:
            verdicts = {verdict(kind, made, registers, features, access) for kind in kinds}
            assert len(verdicts) == 1, f"{access}: {verdicts}"
