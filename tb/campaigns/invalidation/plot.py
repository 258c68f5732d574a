"""The plot of docs/invalidation.md: how long a command takes, and what it takes with it."""

from pathlib import Path

from figures.plot import panels, plain, save

# A colour and a pattern each; the colours are told apart by everybody.
STYLES = {"exact": ("#0072B2", ""), "hashed": ("#E69F00", "//"), "blocking": ("#999999", "..")}
CASES = ("a page", "16 pages, one by one", "1,024 pages, one by one", "an ASID", "all")


def rows(costs: dict, policy: str, entries: int) -> list[dict]:
    """What a policy does for each case; ours has ranges, the others send page by page."""
    by_case = {cost["case"]: cost for cost in costs[f"{policy}{entries}"]}
    ranged = policy == "exact"
    return [by_case[case.replace("one by one", "a range") if ranged else case] for case in CASES]


def draw(costs: dict, sizes: tuple[int, ...], path: Path) -> None:
    figure, axes = panels(2, len(sizes), sharey="row", figsize=(11, 6))
    width = 0.8 / len(STYLES)
    for column, entries in enumerate(sizes):
        cycles, lost = axes[0][column], axes[1][column]
        for i, (policy, (colour, hatch)) in enumerate(STYLES.items()):
            found = rows(costs, policy, entries)
            places = [n + (i - 1) * width for n in range(len(CASES))]
            look = {"width": width, "color": colour, "hatch": hatch, "edgecolor": "white"}
            cycles.bar(places, [c["cycles"] for c in found], label=policy, **look)
            share = [100 * c["lost"] / max(1, c["lost"] + c["stayed"]) for c in found]
            lost.bar(places, share, **look)
        cycles.set_yscale("log")
        cycles.set_title(f"{entries:,} entries")
        labels = [case.replace(", one by one", "") for case in CASES]
        for axis in (cycles, lost):
            axis.set_xticks(range(len(CASES)), labels, rotation=25, ha="right")
            plain(axis, "y")
    axes[0][0].set_ylabel("cycles until complete")
    axes[1][0].set_ylabel("lost although not covered, %")
    handles, names = axes[0][0].get_legend_handles_labels()
    save(figure, path, handles, labels=names)
