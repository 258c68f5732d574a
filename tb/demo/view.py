"""The figures as rows of text, for the terminal and for README.md: one row a figure and cache, the
granules side by side."""

from collections.abc import Callable

from demo.figures import KINDS, ROUGHLY, Figure

TITLES = {
    "document-002": "Document 002: coloured zero pages",
    "document-000": "Document 000: PTE pages in highmem, and userpte=nohigh",
    "walks": "Walks of the tasks of document 000",
}
GRANULES = ("4k", "16k", "64k")
COLUMNS = (
    *("id", "what", "cache", *GRANULES),
    *("document", "model", "times", "unit", "kind", "verdict"),
)
# Units of figures that count what must not happen.
COUNTS = ("failures", "violations", "depth", "differences")
SEVERITY = ("PASS", "DIFF", "FAIL")


def number(value: float) -> str:
    """As many digits as a person compares."""
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.4f}" if abs(value) < 100 else f"{value:,.1f}"


def is_invariant(figure: Figure) -> bool:
    """A count of what must not happen; people need to see it only when it happened."""
    return figure.unit in COUNTS and figure.expected == "0" and figure.verdict == "PASS"


def by_granule(figures: list[Figure], cell: Callable[[Figure], str]) -> str:
    """What all granules have in common; where they differ, one after the other."""
    cells = {f.run: cell(f) for f in figures}
    if len(set(cells.values())) == 1:
        return next(iter(cells.values()))
    return " / ".join(cells.get(granule) or "-" for granule in GRANULES)


def times(figure: Figure) -> str:
    """How many times the expected size; nothing where that is the same by its kind."""
    if figure.times is None or figure.kind == "X":
        return ""
    return f"{figure.times:.1f}".replace("-0.0", "0.0")


def row(figures: list[Figure]) -> dict[str, str]:
    """One figure on one cache: the text of each of COLUMNS."""
    first = figures[0]
    return {
        **{"id": first.id, "what": first.note, "cache": first.configuration},
        **dict.fromkeys(GRANULES, ""),
        **{f.run: number(f.value) for f in figures},
        "document": by_granule(figures, lambda f: f.documented or ""),
        "model": by_granule(figures, lambda f: f.model or ""),
        "times": by_granule(figures, times),
        "unit": first.unit,
        "kind": by_granule(figures, lambda f: f.kind),
        "verdict": max((f.verdict for f in figures), key=SEVERITY.index),
    }


def grouped(figures: list[Figure]) -> dict[tuple[str, str], list[Figure]]:
    """The granules of each figure and cache, by both."""
    groups: dict[tuple[str, str], list[Figure]] = {}
    for f in figures:
        groups.setdefault((f.id, f.configuration), []).append(f)
    return dict(sorted(groups.items()))


def rows(figures: list[Figure]) -> list[dict[str, str]]:
    """All but the invariants that were kept, sorted by id and cache."""
    shown = [f for f in figures if not is_invariant(f)]
    return [row(group) for group in grouped(shown).values()]


def plural(count: int, singular: str) -> str:
    return f"{count:,} {singular}" + ("" if count == 1 else "s")


def legend(*, times: bool = True) -> str:
    """What the columns say that do not explain themselves."""
    kinds = "; ".join(f"{kind} {meaning}" for kind, meaning in KINDS.items())
    granules = " / ".join(GRANULES)
    sizes = "times: how many times the expected size (of a ratio, its excess over 1). "
    return (
        f"kind: {kinds}; a / b / c where it is another one at {granules}. "
        "document: what was published; model: what a model of the cache or plain arithmetic says. "
        f"{sizes if times else ''}R is DIFF when its size (of a ratio, its excess over 1) is "
        f"more than {ROUGHLY:g} times larger or smaller than expected."
    )


def kept(figures: list[Figure]) -> str:
    """How many invariants are not in the table, because they held."""
    count = sum(map(is_invariant, figures))
    return (
        f"Not shown: {plural(count, 'invariant')} checked while it ran, all kept." if count else ""
    )


def summary(figures: list[Figure]) -> str:
    """The last line of the demo."""
    failed = sum(f.verdict not in ("PASS", "DIFF") for f in figures)
    different = sum(f.verdict == "DIFF" for f in figures)
    return (
        f"{plural(len(figures), 'figure')}, {failed} failed, {different} DIFF: right direction, "
        f"more than {ROUGHLY:g}x from the expected figure"
    )
