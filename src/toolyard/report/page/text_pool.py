"""Texts stored once and compressed, in blocks that a page inflates when it needs them.

Prompts of one benchmark share instructions and tool documents, far apart: a tool of sample 3 comes back in sample
900, out of reach of deflate's 32 kB window. So a text is cut where documents begin, every piece is kept once, and a
text becomes the list of its pieces.
"""

import base64
import re
import zlib
from itertools import pairwise

from toolyard.core.types import JsonValue
from toolyard.lines import encode

SHORT = 64
BLOCK = 200_000
CUT = "\0"
SEAMS = {"\n": f"\n{CUT}", "}, {": f"}}, {CUT}{{", "},{": f"}},{CUT}{{"}
_SEAM = re.compile(r"\n|\}, ?(?=\{)")


def pack_json(value: JsonValue) -> str:
    """The value as JSON, raw-deflated, in base64: safe to stand in a page, read by DecompressionStream."""
    deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
    return base64.b64encode(deflate.compress(encode(value)) + deflate.flush()).decode("ascii")


def split_into_pieces(text: str) -> list[str]:
    """The text in order, cut at seams; short neighbours are joined, long pieces always stand alone."""
    pieces: list[str] = []
    waiting = ""
    for part in _cut_text(text):
        if len(part) < SHORT:
            waiting += part
            if len(waiting) < SHORT:
                continue
            part = ""
        if waiting:
            pieces.append(waiting)
            waiting = ""
        if part:
            pieces.append(part)
    return [*pieces, waiting] if waiting else pieces


def _cut_text(text: str) -> list[str]:
    """The text cut behind each line, and between the dictionaries of a list that stands on one line."""
    if CUT in text:
        ends = [0, *(seam.end() for seam in _SEAM.finditer(text)), len(text)]
        return [text[start:end] for start, end in pairwise(ends)]
    # Marked by plain replacements, which take a tenth of the time of a pattern.
    for seam, marked in SEAMS.items():
        text = text.replace(seam, marked)
    return text.split(CUT)


class TextPool:
    """Pieces of text by number; add texts, then take the blocks."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def add(self, text: str) -> list[int]:
        """The numbers of the pieces that make up the text, in order."""
        numbers = self._numbers
        return [numbers.setdefault(piece, len(numbers)) for piece in split_into_pieces(text)]

    def blocks(self) -> list[list[str]]:
        """All pieces in order of their numbers, in blocks of about the same size."""
        blocks: list[list[str]] = []
        size = BLOCK
        for piece in self._numbers:
            if size >= BLOCK:
                blocks.append([])
                size = 0
            blocks[-1].append(piece)
            size += len(piece)
        return blocks
