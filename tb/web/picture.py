"""docs/walk.gif: the page of the MMU while somebody steps through a walk, as a moving picture. Its
sentences stand in the file as a comment: a test compares them with those of the page."""

import io

import click
from PIL import Image

from support.browser import chromium
from support.root import ROOT
from web.browser import Student

OUT = ROOT / "docs" / "walk.gif"
LINK = "#granule=4k&steps=r0-7f1234567abc&cycle=2"
SIZE = (960, 764)
LAST = "The access is answered"  # how the sentence of the last frame begins
# Away: what nobody touches in a walk, and the fields of descriptors, so that four levels fit.
AWAY = """
header, footer, .ask, .levels details, .pane:is(.wide, :has(#invalidations, #compare)) {
  display: none !important;
}
main { padding-top: 12px }
"""
COLOURS = 64
LETTER, LEAST, REST = 22, 1400, 5000  # milliseconds: to read a letter, for a frame, for the last


class NoWalk(click.ClickException):
    """The page does not tell what the picture shows."""


def frames(student: Student) -> list[tuple[str, Image.Image]]:
    """Each step of the walk: what the page says, and what it shows."""
    student.page.add_style_tag(content=AWAY)
    found = []
    while True:
        shot = student.page.screenshot(clip={"x": 0, "y": 0, "width": SIZE[0], "height": SIZE[1]})
        found.append((student.sentence, Image.open(io.BytesIO(shot)).convert("RGB")))
        if student.sentence.startswith(LAST):
            return found
        if student.page.is_disabled("#next"):
            raise NoWalk(f"no sentence begins with '{LAST}'")
        student.click("#next")


def told() -> list[str]:
    with Image.open(OUT) as picture:
        return picture.info["comment"].decode().splitlines()


def write(found: list[tuple[str, Image.Image]]) -> None:
    """All frames have one palette, so that what stays is stored once."""
    sentences, pictures = zip(*found, strict=True)
    strip = Image.new("RGB", (SIZE[0], SIZE[1] * len(pictures)))
    for place, picture in enumerate(pictures):
        strip.paste(picture, (0, SIZE[1] * place))
    palette = strip.quantize(COLOURS, dither=Image.Dither.NONE)
    first, *others = (p.quantize(palette=palette, dither=Image.Dither.NONE) for p in pictures)
    times = [max(LEAST, LETTER * len(sentence)) for sentence in sentences[:-1]]
    first.save(OUT, save_all=True, append_images=others, duration=[*times, REST], loop=0,
               comment="\n".join(sentences), optimize=True)  # fmt: skip


@click.command(help=__doc__)
def main() -> None:
    with chromium() as browser:
        student = Student(browser, LINK, size=SIZE)
        write(frames(student))
        student.leave()
    click.echo(f"written: {OUT}, {OUT.stat().st_size // 1024} KiB")
