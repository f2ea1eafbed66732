"""Pages of a PDF drawn as pictures: each text at its place, slant, size and shade, the page turned as it is shown."""

from __future__ import annotations

import functools
import io
import math
import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image as Picture
    from PIL.ImageFont import FreeTypeFont
    from PIL.ImageFont import ImageFont as BitmapFont
    from pypdf import PageObject

_MAX_SIDE = 2000.0
_MAX_SLANTED = 100
_SHOWING = (b"Tj", b"TJ", b"'", b'"')
Colour = tuple[int, int, int]
BLACK: Colour = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Line:
    """A text that starts at a point of the picture (from the upper left), in degrees against the clock."""

    left: float
    top: float
    text: str
    size: float
    angle: float = 0.0
    colour: Colour = BLACK


@dataclass(slots=True)
class _Ink:
    """The colour of texts while the operators of a page go by."""

    now: Colour = BLACK
    shown: Colour = BLACK
    kept: list[Colour] = field(default_factory=list)

    def see(self, operator: bytes, operands: Iterable[float], *_: object) -> None:
        if operator == b"q":
            self.kept.append(self.now)
        elif operator == b"Q" and self.kept:
            self.now = self.kept.pop()
        elif operator in (b"g", b"rg", b"k"):
            self.now = _parse_colour([float(one) for one in operands])
        elif operator in _SHOWING:
            self.shown = self.now


def _parse_colour(parts: Sequence[float]) -> Colour:
    if len(parts) == 4:
        parts = [(1 - one) * (1 - parts[3]) for one in parts[:3]]
    found = [
        round(255 * min(max(one, 0.0), 1.0)) for one in (parts if len(parts) == 3 else [*parts, 0.0][:1] * 3)
    ]
    return found[0], found[1], found[2]


def page_to_image(page: PageObject, kind: str) -> bytes:
    """A page as a picture at 72 dots per inch: its text at its place. Drawings are left out."""
    found: list[Line] = []
    box = page.mediabox
    width, height = min(float(box.width), _MAX_SIDE), min(float(box.height), _MAX_SIDE)
    ink = _Ink()

    def visit(text: str, outer: Sequence[float], inner: Sequence[float], __: object, size: float) -> None:
        if not text.strip():
            return
        a, b, c, d, e, f = (float(one) for one in outer)
        along, up, left, bottom = (float(inner[n]) for n in (0, 1, 4, 5))
        x, y = a * left + c * bottom + e - float(box.left), b * left + d * bottom + f - float(box.bottom)
        right, rise = a * along + c * up, b * along + d * up
        scale = math.hypot(right, rise) or 1.0
        angle = math.degrees(math.atan2(rise, right))
        found.append(Line(x, height - y, text.strip(), (float(size) or 12.0) * scale, angle, ink.shown))

    page.extract_text(visitor_text=visit, visitor_operand_before=ink.see)
    return draw_picture(found, int(width), int(height), kind, page.rotation % 360)


def draw_picture(lines: Iterable[Line], width: int, height: int, kind: str, turned: int = 0) -> bytes:
    """A white picture with texts on it, turned by a quarter or more with the clock."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (max(width, 1), max(height, 1)), "white")
    draw = ImageDraw.Draw(image)
    slanted = 0
    for line in lines:
        font = _load_font(line.text.isascii(), min(max(line.size, 6.0), 72.0))
        if abs(line.angle) < 0.5:
            draw.text((line.left, line.top - line.size), line.text[:500], fill=line.colour, font=font)
        elif slanted < _MAX_SLANTED:
            slanted += 1
            _draw_slanted_text(image, line, font)
    ways = {
        90: Image.Transpose.ROTATE_270,
        180: Image.Transpose.ROTATE_180,
        270: Image.Transpose.ROTATE_90,
    }
    buffer = io.BytesIO()
    (image.transpose(ways[turned]) if turned in ways else image).save(buffer, kind)
    return buffer.getvalue()


@functools.lru_cache(maxsize=64)
def _load_font(plain: bool, size: float) -> FreeTypeFont | BitmapFont:
    """The letters of pictures; the plain ones lack dashes and signs of money."""
    import reportlab
    from PIL import ImageFont

    if plain:
        return ImageFont.load_default(size)
    return ImageFont.truetype(posixpath.join(reportlab.__path__[0], "fonts", "Vera.ttf"), size)


def _draw_slanted_text(image: Picture, line: Line, font: FreeTypeFont | BitmapFont) -> None:
    """Puts a text on a picture that rises or falls from its starting point."""
    from PIL import Image, ImageDraw

    text = line.text[:500].partition("\n")[0]
    reach = min(int(font.getlength(text) + 2 * line.size) + 2, 1500)
    mask = Image.new("L", (2 * reach, 2 * reach), 0)
    ImageDraw.Draw(mask).text((reach, reach - line.size), text, fill=255, font=font)
    mask = mask.rotate(line.angle, resample=Image.Resampling.BICUBIC)
    image.paste(line.colour, (round(line.left) - reach, round(line.top) - reach), mask)
