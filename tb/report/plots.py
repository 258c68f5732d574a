"""The plots of the report: each takes one result file and returns SVG text, or nothing
when it holds no such figures."""

import io
import re
from collections.abc import Iterable
from dataclasses import dataclass

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "granule"
import matplotlib.pyplot as plt  # noqa: E402


def svg(figure) -> str:
    """The figure as an SVG element that can stand inside HTML."""
    out = io.StringIO()
    figure.tight_layout()
    figure.savefig(out, format="svg", metadata={"Date": None})
    plt.close(figure)
    return re.sub(r"^.*?(?=<svg)", "", out.getvalue(), flags=re.DOTALL)


@dataclass(frozen=True)
class Series:
    """Bars of one colour: a value, or none, for each group, with a text on top; and what was
    published, as a dashed line."""

    name: str
    values: list[float | None]
    texts: list[str]
    published: float | None = None


def bars(axes, groups: list[str], series: list[Series], unit: str) -> None:
    """Grouped bars from zero up."""
    width = 0.8 / len(series)
    for i, s in enumerate(series):
        drawn = [(x, v, t) for x, (v, t) in enumerate(zip(s.values, s.texts, strict=True))
                 if v is not None]  # fmt: skip
        places = [x + (i + 0.5) * width - 0.4 for x, _, _ in drawn]
        made = axes.bar(places, [v for _, v, _ in drawn], width, label=s.name, color=f"C{i}")
        axes.bar_label(made, [text for _, _, text in drawn], fontsize=7, padding=1)
        if s.published is not None:
            axes.axhline(s.published, ls="--", lw=1, color=f"C{i}")
    axes.set_xticks(range(len(groups)), groups, fontsize=8)
    axes.axhline(0, color="black", lw=0.8)
    axes.margins(y=0.2)
    axes.set_ylabel(unit)


def by_cache(boots: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each boot once, those of one cache side by side."""
    return sorted(dict.fromkeys(boots), key=lambda boot: boot[0])


def highpte(document: dict) -> str:
    """What PTE pages in highmem cost more: the excess over 1 of each ratio, in percent."""
    ratios = [f for f in document["figures"] if f["id"] in ("H0.1", "H0.2", "H0.3")]
    boots = by_cache((f["configuration"], f["granule"]) for f in ratios)
    if not boots:
        return ""
    series = []
    for identity in dict.fromkeys(f["id"] for f in ratios):
        rows = {(f["configuration"], f["granule"]): f for f in ratios if f["id"] == identity}
        one = next(iter(rows.values()))
        more = [100 * (rows[boot]["value"] - 1) for boot in boots]
        name = f"{one['what'].split(',')[0]} ({identity})"
        texts = [f"{value:+.1f}".replace("-0.0", "+0.0") for value in more]
        series.append(Series(name, more, texts, 100 * (one["published"] - 1)))
    figure, axes = plt.subplots(figsize=(10, 3.4))
    bars(axes, [" ".join(boot) for boot in boots], series, "% more")
    axes.set_title(
        "Cycles with PTE pages in highmem, over those in lowmem (dashed: published)", fontsize=10
    )
    axes.legend(fontsize=8)
    return svg(figure)


def loops_of(document: dict, *runs: str) -> list[dict]:
    """The loops of document 002's experiment that belong to these runs."""
    loops = document.get("attached", {}).get("probes", {}).get("value", [])
    return [loop for loop in loops if loop["run"] in runs]


def by_policy(loops: list[dict], boots: list[tuple], what: str) -> list[Series]:
    """`what` of each boot, one series a policy; on each bar also the number of zero pages."""
    series = []
    for policy in dict.fromkeys(loop["what"] for loop in loops):
        rows = {(p["configuration"], p["granule"]): p for p in loops if p["what"] == policy}
        texts = [
            f"{rows[boot][what]:,g}\nN = {rows[boot]['zero_pages']}" if boot in rows else ""
            for boot in boots
        ]
        values = [rows[boot][what] if boot in rows else None for boot in boots]
        series.append(Series(policy, values, texts))
    return series


def zero_pages(document: dict) -> str:
    """Reads of untouched memory, with as many zero pages as each policy gives."""
    loops = loops_of(document, "A-4", "A-5")
    boots = by_cache((p["configuration"], p["granule"]) for p in loops)
    if not boots:
        return ""
    names = [" ".join(boot) for boot in boots]
    figure, (misses, cycles) = plt.subplots(2, 1, figsize=(10, 6))
    bars(misses, names, by_policy(loops, boots, "misses"), "misses of the whole loop")
    bars(cycles, names, by_policy(loops, boots, "cycles"), "cycles of a read")
    misses.set_title("Untouched memory read again and again; N: number of zero pages", fontsize=10)
    misses.legend(fontsize=8, loc="upper left")
    return svg(figure)


def one_line_more(document: dict) -> str:
    """Misses of a read when as many lines share a set as there are ways, and one more."""
    loops = [p for p in loops_of(document, "A-1") if p["granule"] == "4k"]
    published = {f["id"]: f["published"] for f in document["figures"]}
    if not loops:
        return ""
    caches: dict[str, list[dict]] = {}
    for loop in loops:
        caches.setdefault(loop["configuration"], []).append(loop)
    names = [
        f"{name}: {' and '.join(str(p['reads']) for p in rows)} lines"
        for name, rows in caches.items()
    ]
    series = []
    for i, identity in enumerate(("H2.1", "H2.2")):
        rates = [*(rows[i]["rate"] for rows in caches.values()), published[identity]]
        series.append(Series(loops[i]["what"], rates, [f"{rate:.3f}" for rate in rates]))
    figure, axes = plt.subplots(figsize=(10, 2.8))
    bars(axes, [*names, "document 002"], series, "misses a read")
    axes.set_title("Lines of one set, read in turn", fontsize=10)
    axes.legend(fontsize=8, loc="upper right")
    return svg(figure)


def walk(document: dict) -> str:
    """Cycles over the latency N, one line a number of levels, whatever the format."""
    figures = document["figures"]
    figure, axes = plt.subplots(figsize=(8, 3.2))
    for levels in sorted({f["levels"] for f in figures}):
        rows = sorted({(f["latency"], f["cycles"]) for f in figures if f["levels"] == levels})
        axes.plot(*zip(*rows, strict=True), marker="o", label=f"{levels} levels")
    warm = sorted({(f["latency"], f["warm_cycles"]) for f in figures if "warm_cycles" in f})
    if warm:
        axes.plot(*zip(*warm, strict=True), ls="--", color="black", label="last table known")
    axes.set_xlabel("N, cycles of one descriptor read")
    axes.set_ylabel("cycles of the walk")
    axes.set_title(
        "k levels: k * (N + 1) + 4 cycles; last table in the walk cache: N + 5", fontsize=10
    )
    axes.legend(fontsize=8)
    return svg(figure)


PLOTS = {
    "document-002": [zero_pages, one_line_more],
    "document-000": [highpte],
    "walk": [walk],
}
