"""Headings and paragraphs of marked-up text, and a few pages that can be asked for by address."""

import html
import re
from collections.abc import Mapping
from typing import TypedDict

from toolyard.world.kernel.tables import values_of
from toolyard.world.kernel.types import Prose

_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]{0,200}>(.{0,400}?)</h\1>", re.IGNORECASE | re.DOTALL)
_BLOCK = re.compile(
    r"</?(?:p|div|li|ul|ol|table|tr|section|article|blockquote|body|br|hr)\b[^<>]{0,200}>", re.IGNORECASE
)
_TITLE = re.compile(r"<title>([^<>]{0,300})</title>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,500}>")
PAGES: Mapping[str, str] = values_of("sections.pages")


class Heading(TypedDict):
    level: int
    heading: str


class Structure(TypedDict):
    title: str
    abstract: Prose
    headings: list[Heading]
    paragraphs: int
    words: int


_UNDERLINED = re.compile(r"^(?![#>\s*+-]|\d+\.)([^\n]*\w[^\n]*)\n(=+|-{2,})[ \t]*$", re.MULTILINE)
_FENCED = re.compile(r"^(```+|~~~+)[^\n]*\n.*?(?:^\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)


def _simplify_markdown(text: str) -> str:
    """Markdown without fenced code, and with headings marked by signs instead of lines under them."""
    bare = _FENCED.sub("", text.replace("\r\n", "\n"))
    return _UNDERLINED.sub(lambda match: f"{'#' if match[2][0] == '=' else '##'} {match[1].strip()}\n", bare)


_RULE = re.compile(r"^ {0,3}(?:(?:\* ?){3,}|(?:- ?){3,}|(?:_ ?){3,})$", re.MULTILINE)


def _is_heading(line: str) -> bool:
    return bool(re.match(r"#{1,6}(?:\s|$)", line))


def _find_headings(text: str) -> list[Heading]:
    found: list[Heading] = [
        {"level": len(line) - len(line.lstrip("#")), "heading": line.lstrip("#").strip().rstrip("#").strip()}
        for line in text.splitlines()
        if _is_heading(line)
    ]
    found += [
        {"level": int(level), "heading": " ".join(html.unescape(_TAG.sub(" ", heading)).split())}
        for level, heading in _HTML_HEADING.findall(text)
    ]
    return [row for row in found if row["heading"]]


_ABSTRACT = re.compile(r"^abstract\s*[:.—-]\s*", re.IGNORECASE)


def text_structure(text: str) -> Structure:
    """Title, abstract (the first paragraph), headings, and how long the text is."""
    text = _simplify_markdown(text)
    headings = _find_headings(text)
    title = _TITLE.search(text)
    bare = html.unescape(_TAG.sub(" ", _BLOCK.sub("\n\n", _HTML_HEADING.sub("\n\n", _TITLE.sub(" ", text)))))
    lines = "\n".join("" if _is_heading(line) else line for line in bare.splitlines())
    paragraphs = [
        " ".join(part.split()) for part in re.split(r"\n\s{0,50}\n", _RULE.sub("\n", lines)) if part.strip()
    ]
    named = html.unescape(title[1]).strip() if title else headings[0]["heading"] if headings else ""
    return {
        "title": named,
        "abstract": _ABSTRACT.sub("", paragraphs[0])[:600] if paragraphs else "",
        "headings": [row for row in headings if row["heading"] != named][:60],
        "paragraphs": len(paragraphs),
        "words": len(lines.split()),
    }
