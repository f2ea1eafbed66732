"""Elements of a drawing, how wide words are, and how numbers are written."""

import math
from bisect import bisect_right
from collections.abc import Collection, Mapping
from decimal import ROUND_HALF_UP, Decimal
from html import escape
from itertools import accumulate
from typing import Any, TypeAlias

Spec: TypeAlias = Mapping[str, Any]
# The first is what the engine brings along and measures with; the others have its widths. Any other font that the
# machine may have takes twice as long to measure, and words would not be as wide as they were laid out.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
# Thousandths of the font's size, for the characters from space to tilde; Liberation Sans has the widths of Helvetica.
WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
FIRST, OTHER, WIDE, FROM_WIDE = 32, 600, 1000, 0x1100
BOLDER = 1.07
PREFIXES = {-2: "µ", -1: "m", 0: "", 1: "k", 2: "M", 3: "G", 4: "T"}


class NotDrawn(Exception):
    """A specification asks for something that is not known here."""


def refuse_unknown(spec: Spec, known: Collection[str], where: str) -> None:
    """Stops at a key that would change the drawing in a way that is not known here."""
    unknown = [key for key in spec if key not in known]
    if unknown:
        raise NotDrawn(f"{where}: {', '.join(unknown)}")


def format_coordinate(value: float) -> str:
    """A coordinate, to a hundredth of a pixel."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def element(name: str, content: str = "", /, **attributes: object) -> str:
    """One element; attributes that are None are left out, underscores in names are dashes."""
    words = [
        f'{key.replace("_", "-")}="{format_coordinate(value) if isinstance(value, float) else escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    ]
    opened = " ".join([name, *words])
    return f"<{opened}>{content}</{name}>" if content else f"<{opened}/>"


def translate(content: str, x: float, y: float) -> str:
    """The content at another place."""
    return (
        f'<g transform="translate({format_coordinate(x)},{format_coordinate(y)})">{content}</g>'
        if content
        else ""
    )


def words_at(
    text: str,
    x: float,
    y: float,
    *,
    size: float,
    color: str,
    anchor: str = "start",
    angle: float = 0,
    **more: object,
) -> str:
    """Text whose base line begins, ends or has its middle there."""
    turned = (
        f"rotate({format_coordinate(angle)} {format_coordinate(x)} {format_coordinate(y)})" if angle else None
    )
    given = None if anchor == "start" else anchor
    return element(
        "text", escape(text, quote=False), x=float(x), y=float(y), text_anchor=given,
        font_size=f"{format_coordinate(size)}px", fill=color, transform=turned, **more,
    )  # fmt: skip


# The reader's own font may be wider than the one that was measured: DejaVu Sans, the widest of the usual ones, by so much.
ROOM = 1.17


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide the text may be, in pixels."""
    return ROOM * sum(map(_letter_width, text)) * size / 1000 * (BOLDER if bold else 1)


def _letter_width(letter: str) -> int:
    """Thousandths of the font's size."""
    code = ord(letter)
    if 0 <= code - FIRST < len(WIDTHS):
        return WIDTHS[code - FIRST]
    return WIDE if code >= FROM_WIDE and not 0x2000 <= code < 0x2E80 else OTHER


def cut_to(text: str, size: float, limit: float) -> str:
    """The text with its end left out where it is wider than the limit."""
    widths = list(accumulate(map(_letter_width, text), initial=0))
    scale = ROOM * size / 1000
    if scale * widths[-1] <= limit:
        return text
    kept = bisect_right(widths, limit / scale - _letter_width("…")) - 1
    return f"{text[: max(0, kept)]}…"


def format_value(value: object, form: str | None) -> str:
    """A value as a text mark or an axis writes it."""
    if isinstance(value, str) or value is None:
        return "" if value is None else value
    if not isinstance(value, (int, float)):
        raise NotDrawn(f"a text of {type(value).__name__}")
    if form is None:
        return f"{value:.12g}"
    if form == "~s":
        return _number_with_prefix(value)
    if form == "d" or (form.startswith(".") and form.endswith("f") and form[1:-1].isdigit()):
        return format_fixed(value, 0 if form == "d" else int(form[1:-1]))
    raise NotDrawn(f"format {form}")


def format_fixed(value: float, digits: int) -> str:
    """The number with so many digits, a half rounded up as people do, and no minus before a zero."""
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{rounded if rounded else abs(rounded)}".replace("-", "−")


def _number_with_prefix(value: float) -> str:
    if value == 0:
        return "0"
    power = min(4, max(-2, math.floor(math.log10(abs(value)) / 3)))
    return f"{value / 1000**power:.6g}{PREFIXES[power]}"
