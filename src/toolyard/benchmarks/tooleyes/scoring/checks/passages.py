"""An answer as passages: sentences, list items and table cells, each with what stands above and beside it.

    | city   | degrees |          Passage("13.8", context=("degrees", "Paris"), listed=True)
    |--------|---------|
    | Paris  | 13.8    |

Markdown, LaTeX and links lose their marks; what they said stays.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

from toolyard.text.repeated_characters import shorten_runs

# Cells of a row that are read; each is kept with all others beside it.
MOST_CELLS = 64
_SAME = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "\u00a0": " ",
     "\u202f": " ", "\u2009": " ", "⁄": "/", "×": "x", "：": ":", "，": ", "}
)  # fmt: skip
_LATEX = (
    (re.compile(r"\\(?:text|mathrm|mathbf|textbf|textit|operatorname)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\(?:d?frac)\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"\1/\2"),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\boxed\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\^\s*\{?\\circ\}?"), "°"),
    (re.compile(r"\\(?:times|cdot)\b"), "x"),
    (re.compile(r"\\approx\b"), "≈"),
    (re.compile(r"\\[,;:! ]"), ""),
    (re.compile(r"\\([%$&#_*])"), r"\1"),
    (re.compile(r"\\[()\[\]]|\$\$"), " "),
    (re.compile(r"\$(-?[\d.,]+\s*[^$\n\d]{0,12})\$"), r"\1"),
)
_LINK = re.compile(r"\[([^\]\n]{0,1000})\]\(([^)\s]{0,2000})\)")
_TAG = re.compile(
    r"</?(?:b|i|em|strong|u|p|br|li|ul|ol|td|tr|th|table|tbody|thead|div|span|sup|sub)\s*/?>", re.I
)
_FENCE = re.compile(r"^\s*```.*$", re.M)
_BULLET = re.compile(r"^\s*(?:[-*+•▪◦‣–]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+")
_HEADING = re.compile(r"^\s*#{1,6}\s+")
_RULE = re.compile(r"^\s*\|?[\s:|=+-]*-{2,}[\s:|=+-]*\|?\s*$")
_MARKS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3}|~~|`)(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_BOLD_LINE = re.compile(r"^\s*(?:[-*•]\s+)?(?:\*\*|__)([^*_]+)(?:\*\*|__)\s*:?\s*$")
_SHORT = (
    "st|dr|mr|mrs|ms|inc|ltd|co|corp|no|nr|vs|div|approx|ca|a\\.m|p\\.m|u\\.s|u\\.k|u\\.s\\.a|e\\.g|i\\.e|etc|mt|jr|sr|"
    "jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|min|max|avg|est|incl|vol|art|fig|z\\.b|d\\.c"
)
_SENTENCE = re.compile(
    r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9ÀÁÂÄÅÆÉÈÍÖØÜ\u3040-\u9fff+])|(?<=[。！？])|;\s+|\s*\n\s*"
)
_ABBREVIATED = re.compile(rf"(?:^|[\s(\"'])(?:{_SHORT}|[a-z])\.$", re.I)
# "932 min. The other" and "1.3 m. The other" end a sentence, "min. price" and "J. Smith" do not.
_UNIT = re.compile(r"\d\s?(?:min|max|[a-z])\.$", re.I)
_DAY_OF_MONTH = re.compile(r"(?:^|\s)\d{1,2}\.$")
_MONTH_AHEAD = re.compile(r"(?:jan|feb|mar|mär|apr|mai|may|jun|jul|aug|sep|oct|okt|nov|dec|dez)", re.I)


@dataclass(frozen=True, slots=True)
class Passage:
    """One statement's worth of text; `context` goes from the outermost heading to the nearest header."""

    text: str
    context: tuple[str, ...] = ()
    listed: bool = False
    block: int = 0
    strong: bool = False


@lru_cache(maxsize=8192)
def fold_letters(text: str) -> str:
    """Lower case without accents, character for character."""
    if text.isascii():
        return text.lower()
    return "".join(unicodedata.normalize("NFD", char)[0].lower()[:1] or char for char in text)


def strip_markup(text: str) -> str:
    """Text in one spelling of quotes, dashes and spaces, without LaTeX, links and tags; lines stay."""
    plain = unicodedata.normalize("NFKC", shorten_runs(text).replace("º", "°")).translate(_SAME)
    plain = _FENCE.sub("", plain)
    for pattern, put in _LATEX:
        plain = pattern.sub(put, plain)
    plain = _LINK.sub(lambda found: _link_text(found[1], found[2]), plain)
    return _TAG.sub("\n", plain)


def _link_text(label: str, address: str) -> str:
    return label if label == address else f"{label} {address}"


@lru_cache(maxsize=256)
def split_passages(answer: str) -> tuple[Passage, ...]:
    """The answer's passages in order."""
    reader = _Reader(strip_markup(answer).split("\n"))
    for number, line in enumerate(reader.lines):
        reader.read(number, line)
    return tuple(reader.found) or tuple(Passage(heading, strong=True) for heading in reader.headings)


@dataclass(slots=True)
class _Reader:
    """What was read so far, and what stands above the next line."""

    lines: list[str]
    found: list[Passage] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    header: list[str] | None = None
    parent: str = ""

    def read(self, number: int, line: str) -> None:
        """One more line: a row, a heading, an item or prose."""
        if not line.strip():
            self.parent = ""
        elif _RULE.match(line):
            return
        elif line.count("|") >= 2 or (self.header is not None and "|" in line):
            self._row(number, line)
        elif _HEADING.match(line) or _BOLD_LINE.match(line):
            self.header, self.parent = None, ""
            self.headings = [_strip_marks(_HEADING.sub("", line)).rstrip(": ")]
        else:
            self.header = None
            self._prose(number, line)

    def _row(self, number: int, line: str) -> None:
        cells = _cells_of_line(line)
        if self.header is None:
            is_head = number + 1 < len(self.lines) and _RULE.match(self.lines[number + 1]) is not None
            self.header = cells if is_head else [""] * len(cells)
            if is_head:
                return
        self.found += _passages_of_row(cells, self.header, self.headings, number)

    def _prose(self, number: int, line: str) -> None:
        item = _BULLET.match(line)
        body = line[item.end() :] if item else line
        deep = len(line) - len(line.lstrip()) >= 2
        context = (*self.headings, *([self.parent] if self.parent and (deep or item) else []))
        if _strip_marks(body).rstrip().endswith(":") and len(body) < 120:
            self.parent = _strip_marks(body).rstrip(": ")
            if not item or not bool(re.search(r"\d", body)):
                self.found += _passages_of_sentences(body, tuple(self.headings), item is not None, number)
                return
        self.found += _passages_of_sentences(body, context, item is not None, number)
        if item and not deep and len(body) < 60:
            self.parent = _strip_marks(body).rstrip(": ")


def _cells_of_line(line: str) -> list[str]:
    return [_strip_marks(cell).strip() for cell in line.strip().strip("|").split("|")[:MOST_CELLS]]


def _passages_of_row(cells: list[str], header: list[str], headings: list[str], number: int) -> list[Passage]:
    row = []
    for place, cell in enumerate(cells):
        if not cell:
            continue
        beside = [other for spot, other in enumerate(cells) if spot != place and other]
        above = header[place] if place < len(header) else ""
        row.append(Passage(cell, (*headings, *beside, above), listed=True, block=number))
    return row


def _passages_of_sentences(text: str, context: tuple[str, ...], listed: bool, number: int) -> list[Passage]:
    strong = "**" in text or "__" in text
    bare = _strip_marks(text).strip()
    parts: list[str] = []
    start = 0
    for cut in _SENTENCE.finditer(bare):
        piece = bare[start : cut.start()]
        if _DAY_OF_MONTH.search(piece) and _MONTH_AHEAD.match(bare[cut.end() :]):
            continue
        if (
            cut.group().strip() not in (";",)
            and _ABBREVIATED.search(piece)
            and not _UNIT.search(piece)
            and not piece.endswith(("!", "?"))
        ):
            continue
        parts.append(piece)
        start = cut.end()
    parts.append(bare[start:])
    return [Passage(part.strip(), context, listed, number, strong) for part in parts if part.strip()]


def _strip_marks(text: str) -> str:
    plain = text.replace("`", "")
    for _ in range(3):
        plain = _MARKS.sub(r"\2", plain)
    return plain
