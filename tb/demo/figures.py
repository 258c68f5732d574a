"""Reads the machine lines of the firmware: `RESULT id=H0.1 run=4k value=1.07 unit=ratio ...`."""

from dataclasses import asdict, dataclass

REQUIRED = ("id", "run", "value", "unit", "doc", "kind", "verdict")
KINDS = {
    "X": "exact",
    "R": "ratio: same direction, roughly the same size",
    "O": "order or sign only",
}
VERDICTS = ("PASS", "DIFF", "FAIL")
# A ratio that is further from the document's than this has the right direction and another size.
ROUGHLY = 2.0
# Which published document an id of the digest belongs to.
DOCUMENTS = {"H0": "document-000", "C": "document-000", "H2": "document-002", "A": "document-002",
             "W": "walks"}  # fmt: skip


class MalformedResult(ValueError):
    """A RESULT line that cannot be read; names the line and what is missing."""


@dataclass(frozen=True)
class Figure:
    """One measured figure beside the documented one."""

    id: str
    run: str
    value: float
    unit: str
    documented: str | None
    kind: str
    verdict: str
    configuration: str
    note: str = ""

    @property
    def document(self) -> str:
        prefix = self.id.split(".")[0].split("-")[0]
        return DOCUMENTS.get(prefix, "other")

    def row(self) -> dict:
        return asdict(self)


def parse(line: str, configuration: str) -> Figure:
    """One RESULT line. Raises MalformedResult when a key is missing or the value is no number."""
    tokens = dict(t.split("=", 1) for t in line.split()[1:] if "=" in t)
    missing = [key for key in REQUIRED if key not in tokens]
    if missing:
        raise MalformedResult(f"no {', '.join(missing)} in: {line}")
    if tokens["kind"] not in KINDS:
        raise MalformedResult(f"kind {tokens['kind']} is none of {', '.join(KINDS)} in: {line}")
    if tokens["verdict"] not in VERDICTS:
        raise MalformedResult(
            f"verdict {tokens['verdict']} is none of {', '.join(VERDICTS)}: {line}"
        )
    try:
        value = float(tokens["value"])
    except ValueError as error:
        raise MalformedResult(f"value {tokens['value']} is no number in: {line}") from error
    documented = None if tokens["doc"] == "-" else tokens["doc"]
    verdict = tokens["verdict"]
    if verdict == "PASS" and tokens["kind"] == "R" and documented:
        verdict = "PASS" if 1 / ROUGHLY <= value / float(documented) <= ROUGHLY else "DIFF"
    return Figure(
        id=tokens["id"],
        run=tokens["run"],
        value=value,
        unit=tokens["unit"],
        documented=documented,
        kind=tokens["kind"],
        verdict=verdict,
        configuration=configuration,
        note=tokens.get("note", "").replace("_", " "),
    )


def split(console: str, configuration: str) -> tuple[list[str], list[Figure]]:
    """Console text into what a person reads and what a program reads."""
    text, figures = [], []
    for line in console.splitlines():
        if line.startswith("RESULT "):
            figures.append(parse(line, configuration))
        else:
            text.append(line)
    return text, figures
