"""Specifications drawn as SVG by vl-convert, with room for a reader's wider font."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from toolyard.core.types import JsonValue

VEGA_LITE = "6.4"
# The first is what the engine brings along and measures with; the others have its widths. Any other font that the
# machine may have takes twice as long to measure, and words would not be as wide as they were laid out.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
# The reader's own font may be wider than the one that was measured: DejaVu Sans, the widest of the usual ones, by so much.
ROOM = 1.17
# What says in a specification how large words are, and how far they may reach.
_SIZES_OF_WORDS = ("fontSize", "labelFontSize", "titleFontSize", "labelLimit")
_FONT_SIZE = re.compile(r'(?<=font-size=")[\d.]+(?=px")')
_CLIP = re.compile(r"(?<=[\"#])clip(\d+)(?=[\")])")


def draw(spec: Mapping[str, Any]) -> str:
    """The drawing of a specification as an SVG document."""
    # The engine starts threads, after which a process is not copied any more (run/grade/forked_work.py).
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(enlarge_fonts(spec), vl_version=VEGA_LITE)
    return make_clip_names_unique(_FONT_SIZE.sub(_original_font_size, svg))


def enlarge_fonts(value: JsonValue) -> Any:
    """The specification with larger words: the engine leaves them the room that they take in the widest usual font."""
    if isinstance(value, dict):
        return {
            key: item * ROOM
            if key in _SIZES_OF_WORDS and isinstance(item, int | float)
            else enlarge_fonts(item)
            for key, item in value.items()
        }
    return [enlarge_fonts(item) for item in value] if isinstance(value, list) else value


def _original_font_size(found: re.Match[str]) -> str:
    """The size that words are written in, from the one that they were laid out in."""
    return f"{float(found.group()) / ROOM:.2f}".rstrip("0").rstrip(".")


def make_clip_names_unique(svg: str) -> str:
    """The drawing with clip names that no other one has: the engine numbers them over all that a process has drawn."""
    numbers: dict[str, int] = {}
    svg = _CLIP.sub(lambda found: f"clip{numbers.setdefault(found.group(1), len(numbers))}", svg)
    own = hashlib.sha256(svg.encode()).hexdigest()[:12]
    return _CLIP.sub(lambda found: f"{found.group()}-{own}", svg)
