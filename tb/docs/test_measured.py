"""Each page shows what docs/data has of its measurement: made again, it is the same."""

from campaigns.invalidation import run as invalidation
from support.root import ROOT
from tools.area import boards
from tools.area import run as area
from tools.measures import caches, dma, entries, flush, linux, linux_boots, sizes, stalls

MEASURED = [
    *(
        m.MEASURED
        for m in (
            area,
            boards,
            caches,
            entries,
            flush,
            invalidation,
            linux,
            linux_boots,
            sizes,
            stalls,
        )
    ),
    *(dma.PAGES, dma.DOCUMENTS, dma.TLB_MODES),
]


def test_pages_are_those_of_what_was_recorded() -> None:
    for measured in MEASURED:
        pages = measured.pages(measured.recorded())
        assert pages
        for page, text in pages.items():
            assert page.read_text() == text, f"{page.name}: {measured.command} writes it"


def test_pictures_are_those_of_what_was_recorded(tmp_path) -> None:
    drawn = {
        name: (measured, draw) for measured in MEASURED for name, draw in measured.draws.items()
    }
    assert drawn
    for name, (measured, draw) in drawn.items():
        draw(measured.recorded(), tmp_path / "picture.svg")
        made, there = (path.read_bytes() for path in (tmp_path / "picture.svg", ROOT / name))
        assert made == there, f"{name}: {measured.command} draws it"
