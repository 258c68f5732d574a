"""The folder of `make site`: pages, the sources that they point to, registers, the page of the RTL.

Every address is relative, so the folder works from a file and at any place of a host.
"""

import shutil
from pathlib import Path

from tools.site import frame, links, markdown
from tools.site.links import PICTURES, Broken, Resolver, place
from tools.site.markdown import Page
from tools.site.navigation import Entry, Group, groups

PAGES = ("*.md", "sw/README.md", "docs/**/*.md", "tb/data/**/README.md")
PAGES += ("tb/tools/dist/blocks/README.md",)
REGISTERS, MACHINE = Path("registers"), Path("web")
STEPS = {  # pages of `make web`
    "index.html": "Step through the hardware",
    "lab0.html": "Lab 0: a walk by hand",
    "machine.html": "The whole machine",
}


def read_pages(root: Path) -> dict[Path, Page]:
    found = (path for pattern in PAGES for path in sorted(root.glob(pattern)))
    return {path.relative_to(root): markdown.read(path) for path in found}


def resolved(root: Path, pages: dict[Path, Page]) -> set[Path]:
    """Every link of the pages points into the site; the files that they name besides pages.

    Raises Broken with all links that lead nowhere.
    """
    resolver = Resolver(root, pages)
    for path, page in pages.items():
        for link in page.links:
            resolver.resolve(path, link)
    if resolver.broken:
        raise Broken("\n".join(resolver.broken))
    return resolver.files


def block(path: Path) -> str:
    return f"Registers: {path.stem}"


class Site:
    def __init__(self, root: Path, registers: dict[str, str]):
        """`registers`: the pages that `make includes` wrote, by name."""
        self.root = root
        self.pages = read_pages(root)
        self.groups = groups(self.pages)  # reads links as they are written
        self.files = resolved(root, self.pages)
        self.registers = {REGISTERS / f"{name}.html": text for name, text in registers.items()}
        steps = [Entry(title, MACHINE / name) for name, title in STEPS.items()]
        self.groups.insert(1, Group("In the browser", steps))
        described = [Entry(block(path), path) for path in self.registers]
        self.groups.append(Group("The hardware", described))

    def write(self, machine: Path, out: Path) -> int:
        """The number of pages; `machine` is the folder of `make web`."""
        if out.exists():
            shutil.rmtree(out)
        shutil.copytree(machine, out / MACHINE)
        shutil.copy(Path(__file__).parent / frame.STYLE, out)
        for path, page in self.pages.items():
            self._put(out, place(path), page.title, frame.scrolling(page.html()))
        for path, text in self.registers.items():
            title = block(path)
            self._put(out, path, title, frame.scrolling(frame.registers(title, text)))
        for path in sorted(self.files):
            self._file(out, path)
        broken = links.check_site(out, lambda path: path.parent == (out / MACHINE).resolve())
        if broken:
            raise Broken("\n".join(broken))
        return sum(1 for _ in out.rglob("*.html"))

    def _put(self, out: Path, path: Path, title: str, text: str) -> None:
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_text(frame.framed(path, title, text, self.groups))

    def _file(self, out: Path, path: Path) -> None:
        """A picture as it is, a source with numbered lines, a folder as a list of its files."""
        source = self.root / path
        if path.suffix in PICTURES:
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, out / path)
        elif source.is_dir():
            inside = sorted(p.relative_to(self.root) for p in source.iterdir() if p.is_file())
            for file in inside:
                self._file(out, file)
            entries = [Entry(file.name, place(file)) for file in inside]
            self._put(out, place(path), str(path), frame.folder(str(path), entries, place(path)))
        else:
            self._put(out, place(path), str(path), frame.listing(str(path), source.read_text()))
