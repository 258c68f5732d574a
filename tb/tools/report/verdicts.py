"""docs/verdicts.svg: the five verdicts as one picture for docs/figures.md."""

from textwrap import fill

from figures import plot
from tools.report.cards import CARD_RULE, LOOKS, Card
from tools.report.svg import FONT, VARIABLES

TITLE = "Five published measurements beside ours"
HEADS = ("What kernel developers published", "their figure and ours; bars: the effect",
         "how they compare")  # fmt: skip
CLAIM_LETTERS, RULE_LETTERS = 42, 120
LEFT, MIDDLE, RIGHT = -1.65, 0.0, 1.12  # of a row's words, where the bars are from 0 to 1
INK = plot.colours(VARIABLES)
MUTED = {"color": INK["--muted"]}
# Of a verdict, by its class in the page's style.
VERDICT = {"near": "--pass", "same": "--diff", "opposite": "--fail", "none": "--open"}


def write(axes, x: float, y: float, words: str, size: int = 12, **look) -> None:
    axes.text(x, y, words, transform=axes.transAxes, fontsize=size, **look)


def bars(axes, card: Card) -> None:
    """Theirs, and ours in the same scale: from the place where there is no effect, so that one of
    the other sign goes to the left."""
    times = card.row.times
    axes.barh(0.52, 1, 0.14, color="none", edgecolor=INK["--c2"], linewidth=2)
    write(axes, MIDDLE, 0.65, f"theirs: {card.theirs}")
    if times is not None:
        axes.barh(0.09, times, 0.15, color=INK["--c1"])
        write(axes, MIDDLE, 0.22, f"ours: {card.ours}")
    axes.set(ylim=(0, 1), xlim=(min(0, times or 0), max(1, times or 0)))
    axes.set_axis_off()


def row(axes, card: Card) -> None:
    verdict = card.row.verdict
    sign, style = LOOKS[verdict]
    write(axes, LEFT, 0.9, fill(card.claim.claim, CLAIM_LETTERS), 14, weight=700, va="top")
    write(axes, LEFT, 0.02, card.claim.who, **MUTED)
    bars(axes, card)
    write(axes, RIGHT, 0.65, f"{sign} {verdict}", 14, weight=700, color=INK[VERDICT[style]])
    write(axes, RIGHT, 0.4, card.words, **MUTED)


def verdicts(cards: list[Card]) -> str:
    figure, rows = plot.panels(len(cards), 1, None, figsize=(11.7, 6.9))
    figure.subplots_adjust(left=0.475, right=0.755, top=0.92, bottom=0.1, hspace=0.12)
    for x, head in zip((LEFT, MIDDLE, RIGHT), HEADS, strict=True):
        write(rows[0], x, 1.15, head, **MUTED)
    for axes, card in zip(rows, cards, strict=True):
        row(axes, card)
        axes.axhline(1, LEFT, 1.8, color=INK["--rule"], clip_on=False)
    write(rows[-1], LEFT, -0.6, fill(CARD_RULE, RULE_LETTERS), **MUTED)
    head = f"<title>{TITLE}</title><style>{VARIABLES}{FONT}</style>"
    return plot.themed(figure, VARIABLES).replace(">", f">{head}", 1)
