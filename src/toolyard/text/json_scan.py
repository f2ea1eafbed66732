"""The lists and objects that stand in a text, read in one pass with an explicit stack: none is too deep."""

from __future__ import annotations

import json
import re
from enum import Enum
from typing import Final, NamedTuple

from toolyard.core.types import JsonValue

# orjson writes 254 levels; half of that leaves room for the records that values are wrapped in.
MAX_DEPTH = 128
MAX_DIGITS = 4300

_CLOSING = {"[": "]", "{": "}", "(": ")"}
_WORDS: dict[str, JsonValue] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
    "True": True,
    "False": False,
    "None": None,
}
_JSON_TOKEN = re.compile(
    r"""[ \t\n\r]*+(?:(?P<open>[\[{])|(?P<close>[\]}])|(?P<comma>,)|(?P<colon>:)
    |(?P<string>"[^"\\]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*+)*+")
    |(?P<word>true|false|null|NaN|-?Infinity)
    |(?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+))""",
    re.VERBOSE,
)
_LENIENT_TOKEN = re.compile(
    r"""\s*+(?:(?P<open>[\[{(])|(?P<close>[\]})])|(?P<comma>,)|(?P<colon>:)
    |(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+')
    |(?P<word>(?:true|false|null|NaN|-?Infinity|True|False|None)(?!\w))
    |(?P<number>[+-]?[0-9]++(?:\.[0-9]*+)?+(?:[eE][+-]?[0-9]++)?+))""",
    re.VERBOSE | re.DOTALL,
)
# The closing quote may be missing: looking for it again from every later quote would be quadratic.
_STRING_OR_BRACKET = re.compile(
    r"""(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?+)|(?P<open>[\[{(])|[\]})]""",
    re.DOTALL,
)
_ESCAPE = re.compile(
    r"\\(?:(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|U(00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}))|(.))", re.DOTALL
)
_ESCAPED = {
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "\n": "",
    "/": "/",
    "\\": "\\",
    "'": "'",
    '"': '"',
}
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class _Invalid(Enum):
    """A token that stands for no value."""

    INVALID = "invalid"


_INVALID: Final = _Invalid.INVALID
_DECODER = json.JSONDecoder(strict=False)


class FoundValue(NamedTuple):
    """A complete value and where it stands: text[start:end], nested `height` deep."""

    start: int
    end: int
    value: JsonValue
    height: int


class Attempt(NamedTuple):
    """What came of reading from one bracket: the value, or the complete ones inside and where it stopped."""

    found: FoundValue | None
    inner: tuple[FoundValue, ...]
    stop: int


def nesting_depth(text: str) -> int:
    """The deepest nesting of brackets outside quoted strings."""
    depth = deepest = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        if token.lastgroup == "open":
            depth += 1
            deepest = max(deepest, depth)
        elif token.lastgroup is None:
            depth = max(0, depth - 1)
    return deepest


def scan_value_at(text: str, start: int, *, lenient: bool, quick: bool = True) -> Attempt:
    """The list or object that begins at `text[start]`, as strict JSON or with Python's spellings allowed.

    `quick` tries Python's own decoder first, whose refusal costs as much as the text before it is long.
    """
    plain = plain_json(text, start) if quick else None
    if plain is not None:
        return Attempt(plain, (), plain.end)
    scan = _Scan(lenient)
    tokens = _LENIENT_TOKEN if lenient else _JSON_TOKEN
    position = start
    while True:
        token = tokens.match(text, position)
        kind = token.lastgroup if token is not None else None
        if token is None or kind is None:
            break
        if not scan.take(kind, token.group(kind), token.start(kind), token.end()):
            position = token.start(kind)
            break
        position = token.end()
        if not scan.stack:
            return Attempt(scan.complete[-1], (), position)
    return Attempt(None, tuple(scan.complete), position)


def plain_json(text: str, start: int) -> FoundValue | None:
    """The value where it is JSON without escapes, which Python's own decoder reads many times quicker."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    if text.find("\\", start, end) >= 0:
        return None
    # Its own bracket alone is what most arguments have.
    flat = text.count("{", start, end) + text.count("[", start, end) == 1
    height = 1 if flat else _bracket_height(value)
    return None if height is None else FoundValue(start, end, value, height)


def _bracket_height(value: JsonValue) -> int | None:
    """How many brackets are around the innermost part; None where they are very many."""
    height, layer = 0, [value]
    while True:
        holders = [part for part in layer if isinstance(part, (list, dict))]
        if not holders:
            return height
        height += 1
        if height > MAX_DEPTH:
            return None
        layer = [item for part in holders for item in (part.values() if isinstance(part, dict) else part)]


class _Frame:
    """A bracket that is open: what it holds so far and what may come next."""

    __slots__ = ("expected", "height", "items", "key", "members", "opening", "start")

    def __init__(self, opening: str, start: int) -> None:
        self.opening = opening
        self.start = start
        self.members: dict[str, JsonValue] = {}
        self.items: list[JsonValue] = []
        self.height = 1
        self.key = ""
        self.expected: frozenset[str] = frozenset({"key", "close"} if opening == "{" else {"value", "close"})

    def add(self, value: JsonValue, height: int) -> None:
        if self.opening == "{":
            self.members[self.key] = value
        else:
            self.items.append(value)
        self.height = max(self.height, height + 1)
        self.expected = frozenset({"comma", "close"})

    @property
    def value(self) -> JsonValue:
        """What it holds so far."""
        return self.members if self.opening == "{" else self.items


class _Scan:
    """The open brackets and the outermost values completed so far."""

    __slots__ = ("complete", "lenient", "stack")

    def __init__(self, lenient: bool) -> None:
        self.lenient = lenient
        self.stack: list[_Frame] = []
        self.complete: list[FoundValue] = []

    def take(self, kind: str, token: str, start: int, end: int) -> bool:
        """Whether the token may stand here; if so it is taken in."""
        if kind == "open":
            return self._open(token, start)
        frame = self.stack[-1]
        if kind == "close":
            return self._close(frame, token, end)
        if kind in ("comma", "colon"):
            return self._separate(frame, kind)
        value = _read_scalar(kind, token)
        if value is _INVALID:
            return False
        return self._place(frame, value)

    def _open(self, token: str, start: int) -> bool:
        if self.stack and "value" not in self.stack[-1].expected:
            return False
        self.stack.append(_Frame(token, start))
        return True

    def _close(self, frame: _Frame, token: str, end: int) -> bool:
        if "close" not in frame.expected or _CLOSING[frame.opening] != token:
            return False
        self.stack.pop()
        while self.complete and self.complete[-1].start > frame.start:
            self.complete.pop()
        self.complete.append(FoundValue(frame.start, end, frame.value, frame.height))
        if self.stack:
            self.stack[-1].add(frame.value, frame.height)
        return True

    def _separate(self, frame: _Frame, kind: str) -> bool:
        if kind not in frame.expected:
            return False
        if kind == "colon":
            frame.expected = frozenset({"value"})
            return True
        wanted = "key" if frame.opening == "{" else "value"
        frame.expected = frozenset({wanted, "close"} if self.lenient else {wanted})
        return True

    def _place(self, frame: _Frame, value: JsonValue) -> bool:
        if "value" in frame.expected:
            frame.add(value, 0)
            return True
        if "key" not in frame.expected or not (isinstance(value, str) or self.lenient):
            return False
        frame.key = value if isinstance(value, str) else json.dumps(value)
        frame.expected = frozenset({"colon"})
        return True


def _read_scalar(kind: str, token: str) -> JsonValue | _Invalid:
    if kind == "word":
        return _WORDS[token]
    if kind == "string":
        return _read_string(token)
    if any(mark in token for mark in ".eE"):
        return float(token)
    return int(token) if len(token) <= MAX_DIGITS else _INVALID


def _read_string(token: str) -> str:
    """The text of a quoted token; an escape that neither JSON nor Python knows stays as written."""
    if "\\" not in token:
        return token[1:-1]
    return _SURROGATE_PAIR.sub(_join_surrogates, _ESCAPE.sub(_read_escape, token[1:-1]))


def _read_escape(escape: re.Match[str]) -> str:
    code = escape.group(1) or escape.group(2) or escape.group(3)
    if code:
        return chr(int(code, 16))
    return _ESCAPED.get(escape.group(4), escape.group(0))


def _join_surrogates(pair: re.Match[str]) -> str:
    return pair.group(0).encode("utf-16", "surrogatepass").decode("utf-16")
