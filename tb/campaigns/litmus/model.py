"""The promise of the MMU as a small machine: every interleaving of its steps is tried, and the
ends that can be reached are what the hardware may show.

A TLB may keep any leaf and any table that a walk has read, and may forget it: an access that could
hit may walk all the same. At first it may know what memory holds. An invalidation has two steps.
When it is accepted, all that it covers is marked, entries and walks; until it is done that may
still be used, and when it is done it is gone. A walk reads one descriptor a step. A fault is not
kept. An update is one atomic step and fails if the descriptor is no longer what was read; the walk
then starts again.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from campaigns.litmus import steps
from campaigns.litmus.shapes import DENIED, FAULT2, FAULT3, OK, SHAPES, Shape
from campaigns.litmus.steps import Pte, Table, Value

Marks = frozenset  # of invalidations that were accepted after something was read


class Entry(NamedTuple):
    """What a TLB keeps of page x: a leaf, or with `Table` what its pmd was."""

    of: Pte | Table
    marks: Marks = Marks()


class Walk(NamedTuple):
    """It has read `table`, then `leaf`."""

    table: Table | None = None
    leaf: Pte | int | None = None
    marks: Marks = Marks()


class Agent(NamedTuple):
    """`at`: its next step; `walk`: that of the access that it makes; `open`: its invalidations that
    are not done."""

    at: int = 0
    buffer: tuple[tuple[str, Value], ...] = ()
    walk: Walk | None = None
    open: tuple[tuple[int, steps.Flush], ...] = ()


class State(NamedTuple):
    cells: tuple[tuple[str, Value], ...]
    regs: tuple[tuple[str, Value | str], ...]
    tlb: frozenset[Entry]
    agents: tuple[Agent, ...]


def with_(pairs: tuple, key: str, value) -> tuple:
    return tuple(sorted({**dict(pairs), key: value}.items()))


def keepable(value: Value) -> bool:
    """What a TLB may hold: tables, and leaves whose access flag is set."""
    return isinstance(value, Table) or isinstance(value, Pte) and bool(value.valid and value.af)


def updated(leaf: Pte, access: steps.Access) -> Pte:
    dirty = access.write is not None and leaf.dbm
    return leaf._replace(af=1, db=1 if dirty else leaf.db)


def covers(flush: steps.Flush, of: Pte | Table | int | None) -> bool:
    return not (flush.last and isinstance(of, Table))


class Machine:
    def __init__(self, shape: Shape):
        self.programs = tuple(shape.agents.values())
        # A leaf below a pmd that is not there was never walked.
        walked = ("pmd_x", "pte_x") if isinstance(shape.memory["pmd_x"], Table) else ()
        tlb = frozenset(Entry(shape.memory[k]) for k in walked if keepable(shape.memory[k]))
        agents = tuple(Agent() for _ in self.programs)
        self.start = State(tuple(sorted(shape.memory.items())), (), tlb, agents)

    def ends(self) -> set[frozenset]:
        """What registers and cells are at the end, for every way to get there."""
        seen, todo, found = {self.start}, [self.start], set()
        while todo:
            state = todo.pop()
            following = list(self.next(state))
            if not following:
                for agent, program in zip(state.agents, self.programs, strict=True):
                    assert agent.at == len(program), f"an agent does not go on: {state}"
                found.add(frozenset((*state.cells, *state.regs)))
            for new in following:
                if new not in seen:
                    seen.add(new)
                    todo.append(new)
        return found

    def next(self, state: State) -> Iterator[State]:
        for i, agent in enumerate(state.agents):
            if agent.buffer:  # the oldest store reaches memory
                (cell, value), *rest = agent.buffer
                cells = with_(state.cells, cell, value)
                yield self._agent(state, i, agent._replace(buffer=tuple(rest)), cells=cells)
            for number, flush in agent.open:
                yield self._done(state, i, number, flush)
            if agent.at < len(self.programs[i]):
                yield from self._step(state, i, agent, self.programs[i][agent.at])

    @staticmethod
    def _agent(state: State, i: int, agent: Agent, **others) -> State:
        """The state with this agent in its place, and other fields."""
        agents = (*state.agents[:i], agent, *state.agents[i + 1 :])
        return state._replace(agents=agents, **others)

    def _step(self, state: State, i: int, agent: Agent, step) -> Iterator[State]:
        cells = dict(state.cells)
        on = agent._replace(at=agent.at + 1)
        match step:
            case steps.Store(cell, value):
                on = on._replace(buffer=(*agent.buffer, (cell, value)))
                yield self._agent(state, i, on)
            case steps.Load(cell, reg):
                value = dict(agent.buffer).get(cell, cells[cell])
                yield self._agent(state, i, on, regs=with_(state.regs, reg, value))
            case steps.Swap() | steps.Clear() if not agent.buffer:
                old = cells[step.cell]
                if isinstance(step, steps.Swap):
                    new = step.value
                    state = state._replace(regs=with_(state.regs, step.reg, old))
                else:
                    new = old._replace(valid=0)
                yield self._agent(state, i, on, cells=with_(state.cells, step.cell, new))
            case steps.Await(cell, value) if cells[cell] == value:
                yield self._agent(state, i, on)
            case steps.Barrier() if not agent.buffer and not agent.open:
                yield self._agent(state, i, on)
            case steps.Flush():
                yield self._accepted(state, i, on, step)
            case steps.Access():
                yield from self._access(state, i, agent, step)

    # ---- invalidation ------------------------------------------------------------------------

    def _accepted(self, state: State, i: int, agent: Agent, flush: steps.Flush) -> State:
        number = 100 * i + agent.at
        mark = Marks({number})
        state = self._agent(state, i, agent._replace(open=(*agent.open, (number, flush))))
        tlb = frozenset(
            e._replace(marks=e.marks | mark) if covers(flush, e.of) else e for e in state.tlb
        )
        agents = tuple(
            a._replace(walk=a.walk._replace(marks=a.walk.marks | mark)) if a.walk else a
            for a in state.agents
        )
        return state._replace(tlb=tlb, agents=agents)

    def _done(self, state: State, i: int, number: int, flush: steps.Flush) -> State:
        """What is marked is gone; an access whose walk is gone begins again."""
        agents = []
        for j, a in enumerate(state.agents):
            walk = None if a.walk and number in a.walk.marks else a.walk
            rest = tuple(o for o in a.open if o != (number, flush)) if i == j else a.open
            agents.append(a._replace(walk=walk, open=rest))
        tlb = frozenset(e for e in state.tlb if number not in e.marks)
        return state._replace(tlb=tlb, agents=tuple(agents))

    # ---- translation -------------------------------------------------------------------------

    def _access(self, state: State, i: int, agent: Agent, access: steps.Access) -> Iterator[State]:
        walk, cells = agent.walk, dict(state.cells)
        if walk is None:
            for entry in state.tlb:
                if isinstance(entry.of, Table):
                    walk = Walk(entry.of, marks=entry.marks)
                    yield self._agent(state, i, agent._replace(walk=walk))
                elif updated(entry.of, access) == entry.of:
                    yield self._answer(state, i, agent, access, entry.of)
            yield self._agent(state, i, agent._replace(walk=Walk()))
        elif walk.table is None:
            table = cells["pmd_x"]
            if isinstance(table, Table):
                tlb = state.tlb | {Entry(table, walk.marks)}
                walk = walk._replace(table=table)
                yield self._agent(state, i, agent._replace(walk=walk), tlb=tlb)
            else:
                walk = walk._replace(table=Table(""), leaf=FAULT2)
                yield self._agent(state, i, agent._replace(walk=walk))
        elif walk.leaf is None:
            walk = walk._replace(leaf=cells[walk.table.pte])
            yield self._agent(state, i, agent._replace(walk=walk))
        else:
            yield from self._leaf(state, i, agent, access)

    def _leaf(self, state: State, i: int, agent: Agent, access: steps.Access) -> Iterator[State]:
        walk = agent.walk
        leaf = walk.leaf
        if leaf == FAULT2:
            yield self._end(state, i, agent, access.reg, FAULT2)
        elif not (isinstance(leaf, Pte) and leaf.valid):
            yield self._end(state, i, agent, access.reg, FAULT3)
        elif access.write is not None and not updated(leaf, access).db:
            yield self._end(state, i, agent, access.reg, DENIED)
        elif updated(leaf, access) != leaf:
            if dict(state.cells)[walk.table.pte] == leaf:
                new = updated(leaf, access)
                cells = with_(state.cells, walk.table.pte, new)
                yield self._agent(
                    state, i, agent._replace(walk=walk._replace(leaf=new)), cells=cells
                )
            else:
                yield self._agent(state, i, agent._replace(walk=None))
        else:
            state = state._replace(tlb=state.tlb | {Entry(leaf, walk.marks)})
            yield self._answer(state, i, agent, access, leaf)

    def _answer(self, state: State, i: int, agent: Agent, access: steps.Access, leaf: Pte) -> State:
        """The access itself is made with its answer."""
        if access.write is None:
            return self._end(state, i, agent, access.reg, dict(state.cells)[leaf.oa])
        if not leaf.db:
            return self._end(state, i, agent, access.reg, DENIED)
        state = state._replace(cells=with_(state.cells, leaf.oa, access.write))
        return self._end(state, i, agent, access.reg, OK)

    def _end(self, state: State, i: int, agent: Agent, reg: str, value) -> State:
        agent = agent._replace(at=agent.at + 1, walk=None)
        return self._agent(state, i, agent, regs=with_(state.regs, reg, value))


@cache
def ends_of(name: str) -> frozenset[frozenset]:
    """All ends of a shape, each as pairs of name and value."""
    return frozenset(Machine(SHAPES[name]).ends())


def asked(shape: Shape, end: frozenset) -> bool:
    return any(set(row.items()) <= end for row in shape.ends)


def verdict(shape: Shape, ends) -> str:
    hits = [asked(shape, end) for end in ends]
    if shape.always:
        return "required" if all(hits) else "optional"
    return "allowed" if any(hits) else "forbidden"


def text(end: frozenset, shape: Shape) -> str:
    """Registers, and the cells that the shape changes."""
    changed = {k: v for k, v in end if k not in shape.memory or v != shape.memory[k]}
    return " ".join(f"{k}={v}" for k, v in sorted(changed.items(), key=lambda kv: (len(kv[0]), kv)))
