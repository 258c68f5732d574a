"""docs/verdicts.svg: the five verdicts as one picture for docs/figures.md."""

from tools.report.cards import CARD_RULE, Card
from tools.report.standalone import standalone
from tools.report.svg import element as el
from tools.report.svg import text

WIDTH, ROW, HEAD, FOOT, FOOT_LINE = 840, 64, 34, 16, 17
CLAIM_LINE, CLAIM_LINES = 18, 2  # height of a line, and how many fit into a row
CLAIM_X, BAR_X, BAR_END, VERDICT_X = 14, 400, 630, 664
CLAIM_LETTERS, WORDS_LETTERS, RULE_LETTERS = 42, 22, 120
STYLE = """
.paper { fill: var(--card) } .claim { font-size: 14px; font-weight: 600 }
.small { font-size: 12px; fill: var(--muted) } .figure { font-size: 12px }
.ours { fill: var(--c1) } .theirs { fill: none; stroke: var(--c2); stroke-width: 2 }
.rule { stroke: var(--rule) }
.verdict { font-size: 14px; font-weight: 700 }
.near { fill: var(--pass) } .same { fill: var(--diff) } .none { fill: var(--open) }
.opposite { fill: var(--fail) }
"""


def broken(content: str, letters: int) -> list[str]:
    """Lines of at most so many letters."""
    lines = [""]
    for word in content.split():
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= letters:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines


def bar(axis: tuple[float, float], y: float, share: float, class_: str, label: str) -> list[str]:
    """From the place where there is no effect: one of the other sign goes to the left."""
    zero, scale = axis
    left, right = sorted((zero, zero + share * scale))
    return [
        el("rect", x=left, y=y, width=max(2.0, right - left), height=9, rx=2, class_=class_),
        text(BAR_X, y - 4, label, class_="figure"),
    ]


def bars(card: Card, top: float) -> list[str]:
    """Theirs, and ours in the same scale."""
    ratio = card.ratio
    most, least = max(1.0, ratio or 0.0), min(0.0, ratio or 0.0)
    scale = (BAR_END - BAR_X) / (most - least)
    axis = BAR_X - least * scale, scale
    parts = bar(axis, top + 20, 1.0, "theirs", f"theirs: {card.theirs}")
    if ratio is not None:
        parts += bar(axis, top + 49, ratio, "ours", f"ours: {card.ours}")
    return parts


def claim(card: Card) -> list[str]:
    return broken(card.claim.claim, CLAIM_LETTERS)


def height(card: Card) -> int:
    """A claim of three lines needs a higher row."""
    return ROW + CLAIM_LINE * max(0, len(claim(card)) - CLAIM_LINES)


def row(card: Card, top: float) -> list[str]:
    parts = [
        text(CLAIM_X, top + 22 + CLAIM_LINE * i, line, class_="claim")
        for i, line in enumerate(claim(card))
    ]
    parts.append(text(CLAIM_X, top + height(card) - 7, card.claim.who, class_="small"))
    parts += bars(card, top)
    parts.append(
        text(VERDICT_X, top + 24, f"{card.symbol} {card.verdict}", class_=f"verdict {card.style}")
    )
    parts += [
        text(VERDICT_X, top + 42 + 15 * i, line, class_="small")
        for i, line in enumerate(broken(card.words, WORDS_LETTERS))
    ]
    return parts


def verdicts(cards: list[Card]) -> str:
    """A row a card."""
    rule = broken(CARD_RULE, RULE_LETTERS)
    below = HEAD + sum(map(height, cards)) + FOOT
    bottom = below + FOOT_LINE * len(rule)
    parts = [
        el("rect", x=0, y=0, width=WIDTH, height=bottom, rx=10, class_="paper"),
        text(CLAIM_X, 23, "What kernel developers published", class_="small"),
        text(BAR_X, 23, "their figure and ours; bars: the effect", class_="small"),
        text(VERDICT_X, 23, "how they compare", class_="small"),
    ]
    top = HEAD
    for card in cards:
        parts.append(el("line", x1=CLAIM_X, x2=WIDTH - CLAIM_X, y1=top, y2=top, class_="rule"))
        parts += row(card, top)
        top += height(card)
    parts.append(el("line", x1=CLAIM_X, x2=WIDTH - CLAIM_X, y1=below - FOOT, y2=below - FOOT,
                    class_="rule"))  # fmt: skip
    parts += [
        text(CLAIM_X, below + 4 + FOOT_LINE * i, line, class_="small")
        for i, line in enumerate(rule)
    ]
    return standalone(WIDTH, bottom, "Five published measurements beside ours", STYLE, *parts)
