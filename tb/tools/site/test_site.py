"""The site of `make site`, without what needs Java: its pages, their links, what surrounds them."""

import re
from pathlib import Path

import pytest

from support.root import ROOT
from tools.site import frame
from tools.site.build import Site, read_pages, resolved
from tools.site.links import Broken, check_site

GOOD = "# Start\n\nSee [a](docs/a.md#two-words), [code](rtl/A.scala#L2), [data](data).\n"
REGISTERS = {"mmu": "<html><body><h1>mmu</h1><table></table></body></html>"}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    files = {
        "README.md": GOOD,
        "docs/a.md": "# A\n\n![picture](a.svg)\n\n## Two words\n\n[back](../README.md)\n",
        "docs/a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "rtl/A.scala": "class A\nval b = a < 1\n",
        "data/one.json": "{}",
        "web/index.html": "<a href='#made-by-a-script'>here</a>",
        "web/lab0.html": "",
        "web/machine.html": "",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def site(checkout: Path) -> Path:
    out = checkout / "build/site"
    Site(checkout, REGISTERS).write(checkout / "web", out)
    return out


def test_links_lead_to_pages_sources_and_folders(site: Path) -> None:
    start = (site / "index.html").read_text()
    for address in ("docs/a.html#two-words", "source/rtl/A.scala.html#L2", "source/data.html"):
        assert f'href="{address}"' in start
    assert 'href="../index.html"' in (site / "docs/a.html").read_text()
    assert '<span id="L2">val b = a &lt; 1</span>' in (site / "source/rtl/A.scala.html").read_text()
    assert 'href="data/one.json.html"' in (site / "source/data.html").read_text()
    assert (site / "docs/a.svg").exists() and (site / "registers/mmu.html").exists()


def test_every_page_is_in_the_menu_of_every_page(site: Path) -> None:
    for path in ("index.html", "docs/a.html", "registers/mmu.html"):
        text = (site / path).read_text()
        assert text.count('aria-current="page"') == 1
        for title in ("Start", "A", "Registers: mmu", "Step through the hardware"):
            assert f">{title}</a>" in text


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("docs/b.md", "no such file"),
        ("docs/a.md#three-words", "no such heading"),
        ("#nowhere", "no such heading"),
        ("rtl/A.scala#L3", "no such line"),
        ("docs/a.svg#L1", "no such line"),
        ("../elsewhere.md", "it leaves the repository"),
        ("build/made.h", "no such file"),
        ("docs/no%20picture.svg", "no such file"),
    ],
)
def test_a_broken_link_is_named_with_its_line(checkout: Path, target, reason) -> None:
    """On the second line of the third paragraph; and in a cell of a table."""
    (checkout / "build").mkdir()
    (checkout / "build/made.h").touch()
    text = f"{GOOD}\nA line\nand [one]({target}).\n\n| a |\n|---|\n| b |\n| [two]({target}) |\n"
    (checkout / "README.md").write_text(text)
    with pytest.raises(Broken) as caught:
        Site(checkout, REGISTERS)
    shown = target.replace("%20", " ")
    assert str(caught.value).splitlines() == [
        f"README.md:{line}: {shown}: {reason}" for line in (6, 11)
    ]


def test_links_of_the_finished_folder_are_checked_too(site: Path) -> None:
    """A register page may link; what scripts write into the page of the machine is theirs."""
    (site / "registers/mmu.html").write_text("<p id='a'>\n<a href='#a'></a><a href='#b'></a></p>")
    assert check_site(site, lambda path: path.parent.name == "web") == [
        "registers/mmu.html:2: #b: leads nowhere"
    ]


def test_headings_of_one_name_are_numbered_as_on_github(checkout: Path) -> None:
    (checkout / "README.md").write_text("# A\n\n## B, `c` & d\n\n## B, `c` & d\n\n[x](#b-c--d-1)\n")
    page = read_pages(checkout)[Path("README.md")]
    assert page.anchors == {"a", "b-c--d", "b-c--d-1"}
    resolved(checkout, {Path("README.md"): page})


def test_cells_of_a_table_say_how_much_text_they_have(checkout: Path) -> None:
    """So that a number may be narrow and a sentence wide; marks of a link do not count."""
    cells = ["1", "[a](docs/a.md#two-words-of-a-long-link)", "several words in one cell", "x " * 60]
    (checkout / "README.md").write_text(f"# A\n\n| {'|'.join('abcd')} |\n|---|---|--:|---|\n"
                                        f"| {' | '.join(cells)} |\n")  # fmt: skip
    text = read_pages(checkout)[Path("README.md")].html()
    kinds = re.findall(r'<td[^>]*?(?:class="(.*?)")?>', text)
    assert kinds == ["", "", "words", "sentences"]


def test_a_page_of_registers_without_a_table_is_refused(checkout: Path) -> None:
    with pytest.raises(ValueError, match="make includes writes it again"):
        frame.registers("mmu", "<html>")


def test_every_link_of_the_project_leads_somewhere() -> None:
    """And nothing is fetched from elsewhere."""
    pages = read_pages(ROOT)
    files = resolved(ROOT, pages)
    assert len(pages) > 30 and len(files) > 50
    for path, page in pages.items():
        for link in page.links:
            assert not (link.attribute == "src" and ":" in link.target), f"{path}:{link.line}"
