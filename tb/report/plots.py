"""The plots of the report: each takes the figures of one result file and returns SVG text."""

import io
import re

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


def bars_by_run(figures, ids: list[str], title: str, unit: str) -> str:
    """Grouped bars: one group a run, one bar an id; the documented value as a line."""
    chosen = [f for f in figures if f["id"] in ids]
    labels = list(dict.fromkeys(f"{f['configuration']} {f['run']}" for f in chosen))
    figure, axes = plt.subplots(figsize=(8, 3.2))
    width = 0.8 / len(ids)
    for i, name in enumerate(ids):
        rows = {f"{f['configuration']} {f['run']}": f for f in chosen if f["id"] == name}
        x = [labels.index(label) + i * width for label in rows]
        axes.bar(x, [f["value"] for f in rows.values()], width, label=name)
        documented = next((f["documented"] for f in rows.values() if f["documented"]), None)
        if documented and re.fullmatch(r"[0-9.]+", documented):
            axes.axhline(float(documented), ls="--", lw=1, color=f"C{i}")
    axes.set_xticks([i + 0.4 - width / 2 for i in range(len(labels))], labels, fontsize=8)
    axes.set_title(title + " (dashed: the document)", fontsize=10)
    axes.set_ylabel(unit)
    values = [f["value"] for f in chosen]
    axes.set_ylim(min(values) * 0.98, max(values) * 1.02)
    axes.legend(fontsize=8)
    return svg(figure)


def highpte(figures) -> str:
    return bars_by_run(figures, ["H0.1", "H0.2", "H0.3"], "PTE pages high / nohigh", "cycle ratio")


def walk(figures) -> str:
    """Cycles over the latency N, one line a number of levels, whatever the format."""
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


PLOTS = {"document-000": [highpte], "walk": [walk]}
