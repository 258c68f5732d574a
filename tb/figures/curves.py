"""Curves of the firmware, beside the figures of their documents (granule/series.py reads them)."""

from support import results


def attach(curves: list[dict]) -> None:
    """Adds the curves of all boots to the result files of their documents, under "series"."""
    for document in dict.fromkeys(curve["document"] for curve in curves):
        results.attach(document, "series", [c for c in curves if c["document"] == document])
