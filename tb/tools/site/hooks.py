"""MkDocs reads pages where the repository has them; what they point to becomes a page too."""

import re
from fnmatch import filter as matching
from html import escape
from os.path import normpath
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

PAGES = ("*.md", "sw/README.md", "docs/**/*.md", "tb/data/**/README.md")
PAGES += ("tb/tools/dist/blocks/README.md",)
PICTURES = {".svg", ".gif"}
NOT_SOURCES = {"build", "out", ".venv", ".git", "..", "."}
LINK = re.compile(r"\]\(([^)#:\s]+)")
LISTING = re.compile(r"<pre.*?</pre>", re.S)
NO_ITEM = re.compile(r"^(?:[-*]|1\.) .*", re.M)


class Source(File):
    """A page that is no Markdown; it keeps its name, so that links find it."""

    def is_documentation_page(self) -> bool:
        return True


def on_files(files: Files, config: MkDocsConfig) -> Files:
    here = Path(config.config_file_path).parent
    root, built = ((here / config.extra[name]).resolve() for name in ("root", "built"))
    for path in (path for pattern in PAGES for path in sorted(root.glob(pattern))):
        add(files, File, config, path.relative_to(root), abs_src_path=str(path))
    for page in files.documentation_pages():
        for target in LINK.findall(page.content_string):
            add_source(files, config, root, Path(page.src_uri).parent / target)
    for path, command in ((built / "web", "web"), (built / "include", "includes")):
        if not list(path.glob("*.html")):
            raise PluginError(f"{path} has no pages; make {command} writes them")
    for path in (built / "web").glob("*"):
        add(files, File, config, Path("web") / path.name, abs_src_path=str(path))
    for path in sorted((built / "include").glob("granule_*.html")):
        name = path.stem.removeprefix("granule_")
        text = registers(name, path.read_text())
        add(files, File, config, Path("registers") / f"{name}.md", content=text)
    config.nav = listed(config.nav, list(files.src_uris))
    config.theme.static_templates.clear()  # they have addresses of a host
    return files


def on_page_content(html: str, page: Page, **_) -> None:
    """GitHub sees a list right after a line of text, MkDocs does not."""
    for line in NO_ITEM.findall(LISTING.sub("", html)):
        message = f"{page.file.src_uri}: a list needs an empty line before it: {line}"
        get_plugin_logger("site").warning(message)


def add(files: Files, kind: type[File], config: MkDocsConfig, path: Path, **of) -> None:
    files.append(kind.generated(config, path.as_posix(), **of))


def add_source(files: Files, config: MkDocsConfig, root: Path, link: Path) -> None:
    """A picture as it is, a source with numbered lines, a folder as a list of its files.

    MkDocs names a link that leads to none of them.
    """
    path = Path(normpath(link))
    source = root / path
    known = str(path) in files.src_uris or path.suffix == ".md"
    if known or str(path).split("/")[0] in NOT_SOURCES or not source.exists():
        return
    if path.suffix in PICTURES:
        return add(files, File, config, path, abs_src_path=str(source))
    if source.is_dir():
        inside = sorted(file.name for file in source.iterdir() if file.is_file())
        text = "\n".join(f"- [{name}]({path.name}/{name})" for name in inside)
        for name in inside:
            add_source(files, config, root, path / name)
    else:
        text = listing(source.read_text())
    text = f"---\nsearch: {{exclude: true}}\n---\n# `{path}`\n\n{text}\n"
    add(files, Source, config, path, content=text, inclusion=InclusionLevel.NOT_IN_NAV)
    # Hosts leave out folders whose names begin with a dot.
    files.src_uris[str(path)].dest_uri = "source/" + f"{path}.html".lstrip(".")


def listing(text: str) -> str:
    """Line 12 is #L12, as on GitHub."""
    lines = enumerate(escape(text).splitlines(), start=1)
    numbered = "\n".join(f'<span id="L{n}">{line}</span>' for n, line in lines)
    return f'<pre class="source">{numbered}</pre>'


def registers(name: str, page: str) -> str:
    """The table of a page that regif wrote; its style, head and foot stay behind."""
    found = re.search(r"<body>.*?(<table.*</table>).*</body>", page, re.S)
    if not found:
        raise PluginError(f"{name}: no table in its <body>; make includes writes it again")
    return f'# Registers: {escape(name)}\n\n<div class="registers">\n{found[1]}\n</div>'


def listed(nav: list, uris: list[str]) -> list:
    """With pages in place of patterns, README first and lab10 after lab9."""
    found = []
    for entry in nav:
        if isinstance(entry, str):
            found += sorted(matching(uris, entry), key=natural) or [entry]
        else:
            ((title, inside),) = entry.items()
            found.append({title: listed(inside, uris) if isinstance(inside, list) else inside})
    return found


def natural(uri: str) -> list:
    words = [int(word) if word.isdigit() else word for word in re.split(r"(\d+)", uri)]
    return [not uri.endswith("README.md"), words]
