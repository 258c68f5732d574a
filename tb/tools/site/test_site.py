"""The site of `make site`, without what needs Java: pages, links, and what stops MkDocs."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from support.root import ROOT

GOOD = "# Start\n\nSee [a](docs/a.md#b-c--d), [code](rtl/A.scala#L2), [data](data).\n"
REGISTERS = "<html><body><h1>mmu</h1><table></table></body></html>"
MADE = {"include/granule_mmu.html": REGISTERS} | {
    f"web/{name}.html": "" for name in ("index", "lab0", "machine")
}
NAV = ["README.md", "docs/*.md", "registers/*.md", {"The machine": "web/index.html"}]


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    files = {
        "README.md": GOOD,
        "docs/a.md": "# A\n\n![picture](a.svg)\n\n## B, `c` & d\n\n[back](../README.md)\n",
        "docs/a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "rtl/A.scala": "class A\nval b = a < 1\n",
        "data/one.json": "{}",
    }
    write(tmp_path / "checkout", files)
    write(tmp_path / "checkout/build", MADE)
    return tmp_path / "checkout"


def built(root: Path, made: Path, nav: list | None = None) -> Path:
    """The folder; Abort if MkDocs or a hook warns."""
    out = made / "site"
    config = load_config(str(ROOT / "tb/tools/site/mkdocs.yml"), strict=True, site_dir=str(out))
    config.extra.update(root=str(root), built=str(made))
    config.nav = nav or config.nav
    build(config)
    return out


def test_links_lead_to_pages_sources_and_folders(checkout: Path) -> None:
    site = built(checkout, checkout / "build", NAV)
    start = (site / "index.html").read_text()
    for address in ("docs/a.html#b-c--d", "source/rtl/A.scala.html#L2", "source/data.html"):
        assert f'href="{address}"' in start
    for title in ("Start", "A", "Registers: mmu", "The machine"):
        assert re.search(rf"{title}\s*</span>", start), title
    assert 'href="../index.html"' in (site / "docs/a.html").read_text()
    assert '<span id="L2">val b = a &lt; 1</span>' in (site / "source/rtl/A.scala.html").read_text()
    assert 'href="data/one.json.html"' in (site / "source/data.html").read_text()
    assert (site / "docs/a.svg").exists()


def test_what_is_wrong_stops_it_and_is_named(checkout: Path, caplog) -> None:
    broken = ("docs/b.md", "docs/a.md#e", "#nowhere", "rtl/A.scala#L3", "../elsewhere.md")
    broken += ("build/made.h", "docs/no%20picture.svg", "nowhere")
    links = "".join(f"\n| [x]({target}) |" for target in broken)
    files = {"build/made.h": "", "docs/c.md": f"# C\n\nA line:\n- item\n\n| a |\n|---|{links}\n"}
    write(checkout, files)
    with pytest.raises(Abort):
        built(checkout, checkout / "build", ["README.md", "docs/a.md", "docs/d.md"])
    told = [record.message for record in caplog.records if record.levelname == "WARNING"]
    for target in broken:
        assert sum("'docs/c.md' contains a" in line and f"'{target}'" in line for line in told) == 1
    assert sum("docs/c.md: a list needs an empty line before it" in line for line in told) == 1
    unlisted, missing = (next(t for t in told if words in t) for words in ("not incl", "docs/d.md"))
    assert "docs/c.md" in unlisted and "registers/mmu.md" in unlisted and "not found" in missing
    assert len(told) == len(broken) + 3


def test_a_page_of_registers_without_a_table_is_refused(checkout: Path, caplog) -> None:
    write(checkout, {"build/include/granule_mmu.html": "<html>"})
    with pytest.raises(Abort):
        built(checkout, checkout / "build", NAV)
    assert "make includes writes it again" in caplog.text


def test_the_project_has_every_page_in_its_menu_and_no_broken_link(tmp_path: Path) -> None:
    """In HTML too, which MkDocs does not read; and nothing is fetched from elsewhere."""
    write(tmp_path, MADE)
    site = built(ROOT, tmp_path)
    pages = [path for path in site.rglob("*.html") if path.parent.name != "web"]
    assert len(pages) > 150
    for path in pages:
        text = path.read_text()
        assert not re.search(r'<(?:script|img|link|iframe)[^>]* (?:src|href)="?[a-z]*:?//', text)
        for target in re.findall(r'(?:href|src)="?([^":#?> ]+)[#"> ]', text):
            there = path.parent / unquote(target)
            assert there.is_file(), f"{path.relative_to(site)}: {target}"
