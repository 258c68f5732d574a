"""What is drawn below each card: from the rows and the curves of a document, or from other result
files. Each function returns pictures as (caption, SVG); none where its figures are missing."""

from collections.abc import Callable

from figures import view
from figures.catalogue import entry
from figures.rows import Row
from tools.report.charts import Curve, Series, columns, curves
from tools.report.facts import DESIGNS, misses

Picture = tuple[str, str]


def values(rows: list[Row], identity: str, configuration: str) -> list[float | None]:
    """A figure on one cache, granule by granule."""
    found = {r.granule: r.judged_value for r in rows
             if r.id == identity and r.configuration == configuration}  # fmt: skip
    return [found.get(g) for g in view.GRANULES]


def by_cache(rows: list[Row], identity: str, size: Callable[[float], float]) -> list[Series]:
    """A series a cache, over the granules; the published figure once."""
    mine = [r for r in rows if r.id == identity and r.value is not None]
    published = size(entry(identity).published)
    series = []
    for cache in dict.fromkeys(r.configuration for r in mine):
        sizes = [None if v is None else size(v) for v in values(mine, identity, cache)]
        series.append(Series(cache, sizes, None if series else published))
    return series


def excess(ratio: float) -> float:
    return 100 * (ratio - 1)


def ratio_columns(identity: str, caption: str, unit: str) -> Callable[[list[Row]], list[Picture]]:
    """A published ratio at each granule: what is above 1, in percent."""

    def draw(rows: list[Row]) -> list[Picture]:
        series = by_cache(rows, identity, excess)
        if not series:
            return []
        text = f"{caption} Dashed: published ({excess(entry(identity).published):+.1f} %)."
        return [(text, columns(view.GRANULES, series, caption, unit))]

    return draw


def zero_pages(_rows: list[Row]) -> list[Picture]:
    """Misses with one zero page and with one a colour, on three designs of the cache."""
    series = [
        Series(text, [misses(machine, identity) for machine in DESIGNS])
        for identity, text in (("A-5.single", "one zero page"),
                               ("A-5.coloured", "one zero page a colour"))
    ]  # fmt: skip
    caption = "Misses of 8,000 reads of untouched memory, on three designs of a cache."
    names = ["one copy", "copies", "physical"]
    return [(caption, columns(names, series, caption, "misses"))]


DRAWN = {
    "000": [ratio_columns("H0.1", "Kernel time with page tables in high memory.", "% more")],
    "001": [],
    "002": [zero_pages],
    "003": [ratio_columns("H3.5", "Time of a fork, page size chosen at boot.", "% more"),
            ratio_columns("H3.6", "Time of an munmap, page size chosen at boot.", "% more")],
    "004": [ratio_columns("H4.1", "Time to answer a read of a hole, old way over new.", "% more")],
}  # fmt: skip

# Curves: what the part of their name before the last point shows, and the names of the axes.
CURVES = {
    "e000.writes.ratio": ("Kernel time, tables in high memory over low memory.", "pages written",
                          "ratio"),
    "e000.writes.rate": ("Mappings of page tables.", "pages written", "in 1000 kernel cycles"),
    "e000.writes.cost": ("Cost of one mapping of a page table.", "pages written", "cycles"),
    "e001.cost": ("Cost of a flush, by page, range or of everything.", "pages", "cycles"),
    "e001.operation.range": ("The operation on a range alone.", "pages", "cycles"),
    "e001.fraction.page": ("Cost of a page if only some were accessed.", "percent accessed",
                           "cycles a page"),
    "e001.price": ("Cost of a flush with what others must translate again.", "live pages",
                   "cycles"),
    "e001.misses": ("What others must translate again after a flush.", "live pages", "misses"),
    "e001.crossover": ("Pages for which a flush of everything is cheaper.", "live pages", "pages"),
    "e001.kmap": ("Cost of a kmap, by flush policy.", "slots of the pool", "cycles"),
    "e004.memory": ("Memory taken while a hole is read.", "pages read", "pages"),
    "e002.lines": ("Misses a read, by the number of lines that share a set.", "lines", "misses"),
    "e002.work": ("A read with other work beside it: as many lines as ways (fit), and one more "
                  "(over).", "instructions beside each read", "cycles"),
}  # fmt: skip
MOST_CURVES = 6


def series(found: list[dict]) -> list[Picture]:
    """The curves that the firmware printed: one picture for each family, of the first cache."""
    families: dict[tuple[str, str], list[dict]] = {}
    for curve in found:
        if curve["configuration"] != found[0]["configuration"]:
            continue
        name = curve["name"]
        family = name if name in CURVES else name.rpartition(".")[0]
        if name.count(".") < 2:
            family = name
        families.setdefault((family, curve["configuration"]), []).append(curve)
    pictures = []
    for (family, cache), members in families.items():
        chosen = members
        if len(members) > MOST_CURVES:
            chosen = [c for c in members if c["granule"] == members[0]["granule"]][:MOST_CURVES]
        granules = list(dict.fromkeys(c["granule"] for c in chosen))
        text, x_name, y_name = CURVES.get(family, (f"{family}.", "", ""))
        drawn = [Curve(label(c, family, granules), c["x"], c["y"]) for c in chosen]
        where = f", {granules[0]} pages" if len(granules) == 1 else ""
        caption = f"{text} Configuration {cache}{where}."
        pictures.append((caption, curves(drawn, caption, x_name, y_name)))
    return pictures


def label(curve: dict, family: str, granules: list[str]) -> str:
    """The last part of the name, and the granule where there are several."""
    name = curve["name"].removeprefix(family).lstrip(".")
    granule = curve["granule"] if len(granules) > 1 or not name else ""
    return " ".join(part for part in (name, granule) if part)


def walk(figures: list[dict]) -> list[Picture]:
    """Cycles of a walk over the latency of a read, a curve for each number of levels."""
    drawn = []
    for levels in sorted({f["levels"] for f in figures}):
        points = sorted({(f["latency"], f["cycles"]) for f in figures if f["levels"] == levels})
        drawn.append(Curve(f"{levels} levels", *zip(*points, strict=True)))
    warm = sorted({(f["latency"], f["warm_cycles"]) for f in figures if "warm_cycles" in f})
    if warm:
        drawn.append(Curve("last table known", *zip(*warm, strict=True)))
    caption = "Cycles of a walk: k levels take k * (N + 1) + 4, with a known last table N + 5."
    return [(caption, curves(drawn, caption, "N, cycles of one descriptor read", "cycles"))]
