"""Keys taken out of everything that an endpoint sends, in whichever spelling it sends them back."""

import base64
import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote

from toolyard.core.types import JsonValue

MARK = "[key]"
# Shorter ones are placeholders such as EMPTY or none: taking them out would change honest answers.
SHORTEST_KEY = 8
# From this many letters and digits on, half a key is already too much of it.
SHORTEST_HALF = 10
DEEPEST = 100
# A secret in pieces is looked for so far below the list that holds them; answers nest half as deep.
LONGEST_WAY = 16
Way: TypeAlias = tuple[str | int, ...]
# Steps of ways that end in a mark, all of them at once.
Marks: TypeAlias = "dict[str | int, Marks]"

# Looked for at the start of a run alone, and never given back: a run of n would cost n * n.
BACKSLASH = r"(?<!\\)(?<!%5[Cc])(?<!%255[Cc])(?<!%25255[Cc])(?:\\|%(?:25)*+5[Cc])++"
# The last form is an escape that stands for no letter: JSON within JSON writes lines and invisible signs so.
ESCAPES = re.compile(
    rf"{BACKSLASH}u\{{?00([0-9A-Fa-f]{{2}})\}}?|{BACKSLASH}x([0-9A-Fa-f]{{2}})|%(?:25)*([0-9A-Fa-f]{{2}})"
    r"|&(?:amp;)?#(?:x0*([0-9A-Fa-f]{2})|0*([0-9]{2,3}));?"
    rf"|{BACKSLASH}(?:u[0-9A-Fa-f]{{4}}|[bfnrtv])"
)
ESCAPED = re.compile(f"{ESCAPES.pattern}|([A-Za-z0-9])")
LETTER = re.compile(r"[A-Za-z0-9]")
LOWER = bytes.maketrans(bytes(range(65, 91)), bytes(range(97, 123)))
NO_LETTERS = bytes(code for code in range(256) if not chr(code).isalnum() or code > 127)


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters and digits of a text in lower case, and where in the text each one stands."""

    text: str
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to write a key, in letters and digits; `cores` are the parts that already give it away."""

    text: str
    cores: tuple[tuple[int, str], ...]

    def spans(self, letters: Letters) -> Iterator[tuple[int, int]]:
        """Where the text holds the key or a large part of it."""
        for offset, core in self.cores:
            at = letters.text.find(core)
            while at >= 0:
                first, last = self._widen_match(letters.text, at, offset, len(core))
                yield letters.places[first][0], letters.places[last - 1][1]
                at = letters.text.find(core, last)

    def _widen_match(self, text: str, at: int, offset: int, size: int) -> tuple[int, int]:
        first, last, before, after = at, at + size, offset, offset + size
        while first and before and text[first - 1] == self.text[before - 1]:
            first, before = first - 1, before - 1
        while last < len(text) and after < len(self.text) and text[last] == self.text[after]:
            last, after = last + 1, after + 1
        return first, last


class Scrubber:
    """Takes secrets out of texts and JSON values.

    A secret of many letters and digits is found in any case, split by blanks or signs, escaped for JSON,
    HTML or an address, in base64 or hexadecimal, and backwards; a word-like one only as it is written
    in these spellings, because answers may well contain words.
    """

    def __init__(self, *secrets: str) -> None:
        kept = [secret for secret in secrets if len(secret) >= SHORTEST_KEY]
        self._spellings = [form for secret in kept if _is_random(secret) for form in _key_spellings(secret)]
        self._cores = {core.encode() for form in self._spellings for _, core in form.cores}
        self._literals = [form for secret in kept for form in _literal_spellings(secret)]
        lengths = [len(core) for core in self._cores] + [len(form) for form in self._literals]
        self._shortest = min(lengths, default=0)

    def text(self, text: str) -> str:
        """The text with a mark where a secret was."""
        if not self._shortest or len(text) < self._shortest:
            return text
        for literal in self._literals:
            text = text.replace(literal, MARK)
        pieces, done = [], 0
        for start, end in _merge_spans(self._spans(text)):
            pieces += [text[done:start], MARK]
            done = end
        return "".join((*pieces, text[done:]))

    def value(self, value: JsonValue, depth: int = 0) -> JsonValue:
        """The JSON value with every string scrubbed, names of fields too; what is nested without end is cut."""
        if isinstance(value, str):
            return self.text(value)
        if not isinstance(value, dict | list | tuple):
            return value
        if depth >= DEEPEST:
            return "<too deep>"
        if isinstance(value, dict):
            return {self.text(key): self.value(item, depth + 1) for key, item in value.items()}
        return [self.value(item, depth + 1) for item in self._unsplit(value)]

    def body(self, text: str) -> str:
        """A whole body as it came, without a secret: in JSON also one in pieces, streamed or not."""
        found = json_or_none(text)
        if isinstance(found, dict | list):
            cleaned = self.value(found)
            return text if cleaned == found else json.dumps(cleaned)
        return self._event_stream(text)

    def _event_stream(self, text: str) -> str:
        lines = self.text(text).split("\n")
        places = [place for place, line in enumerate(lines) if line.startswith("data:")]
        events = [json_or_none(lines[place][5:]) for place in places]
        for place, before, after in zip(places, events, self._unsplit(events), strict=True):
            if after is not before:
                lines[place] = f"data: {json.dumps(after)}"
        return "\n".join(lines)

    def _spans(self, text: str) -> list[tuple[int, int]]:
        patterns = [LETTER] if self._is_hinted(text) else []
        if self._spellings and ESCAPES.search(text) and self._is_hinted(ESCAPES.sub(_decode_letter, text)):
            patterns.append(ESCAPED)
        read = [_letters_with_places(text, pattern) for pattern in patterns]
        return [span for letters in read for form in self._spellings for span in form.spans(letters)]

    def _is_hinted(self, text: str) -> bool:
        """Whether a closer look is needed; most texts end here, and fast."""
        squeezed = text.encode("utf-8", "surrogatepass").translate(LOWER, NO_LETTERS)
        return any(core in squeezed for core in self._cores)

    def _unsplit(self, items: Sequence[JsonValue]) -> Sequence[JsonValue]:
        """The items of a list, without a secret that is split over several of them."""
        if not self._shortest or len(items) < 2:
            return items
        pieces: dict[Way, list[tuple[int, str]]] = {}
        for place, item in enumerate(items):
            for way, text in _texts_with_ways(item):
                pieces.setdefault(way, []).append((place, text))
        marks: dict[int, Marks] = {}
        for way, found in pieces.items():
            for place in self._places_with_secrets(found):
                _note_mark(marks.setdefault(place, {}), way)
        if not marks:
            return items
        return [
            _insert_marks(item, marks[place]) if place in marks else item for place, item in enumerate(items)
        ]

    def _places_with_secrets(self, found: Sequence[tuple[int, str]]) -> Iterator[int]:
        """The places whose texts hold a part of a secret when all are read as one text."""
        joined = "".join(text for _, text in found)
        if self.text(joined) == joined:
            return
        spans = _merge_spans([*self._spans(joined), *self._literal_spans(joined)])
        ends = [last for _, last in spans]
        end = 0
        for place, text in found:
            start, end = end, end + len(text)
            nearest = bisect_right(ends, start)
            if nearest < len(spans) and spans[nearest][0] < end:
                yield place

    def _literal_spans(self, text: str) -> Iterator[tuple[int, int]]:
        for literal in self._literals:
            yield from (match.span() for match in re.finditer(re.escape(literal), text))


def json_or_none(text: str) -> JsonValue:
    """The value that a JSON text holds; None where it is none."""
    try:
        found: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def _texts_with_ways(value: JsonValue, path: Way = ()) -> Iterator[tuple[Way, str]]:
    """The texts of a value, each with the way to it."""
    if isinstance(value, str):
        yield path, value
    elif len(path) < LONGEST_WAY and isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in parts:
            yield from _texts_with_ways(item, (*path, key))


def _note_mark(marks: Marks, way: Way) -> None:
    for step in way:
        marks = marks.setdefault(step, {})


def _insert_marks(value: JsonValue, marks: Marks) -> JsonValue:
    """The value with a mark at the end of every way."""
    if not marks:
        return MARK
    if isinstance(value, list):
        return [
            _insert_marks(item, marks[place]) if place in marks else item for place, item in enumerate(value)
        ]
    assert isinstance(value, dict)
    return {key: _insert_marks(item, marks[key]) if key in marks else item for key, item in value.items()}


def _is_random(secret: str) -> bool:
    """Whether no honest text would hold the letters and digits of this secret."""
    letters = _letters_only(secret)
    mixed = re.search("[0-9]", letters) is not None and re.search("[a-z]", letters) is not None
    return len(letters) >= (SHORTEST_HALF if mixed else 2 * SHORTEST_HALF)


def _letters_only(text: str) -> str:
    return "".join(LETTER.findall(text)).lower()


def _key_spellings(secret: str) -> Iterator[Spelling]:
    plain = _letters_only(secret)
    raw = secret.encode()
    for form in (plain, plain[::-1], raw.hex(), *map(_letters_only, _base64_forms(raw))):
        half = len(form) // 2
        if half < SHORTEST_HALF:
            yield Spelling(form, ((0, form),))
        else:
            yield Spelling(form, ((0, form[:half]), (half, form[half:])))


def _base64_forms(raw: bytes) -> Iterator[str]:
    """What is the same in the base64 of every text that holds the bytes, for each of the three places."""
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + raw).decode()
        first, last = -(-shift * 8 // 6), (shift + len(raw)) * 8 // 6
        yield coded[first:last]


def _literal_spellings(secret: str) -> tuple[str, ...]:
    raw = secret.encode()
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in secret)
    coded = [form for form in _base64_forms(raw) if len(form) >= SHORTEST_KEY]
    return (secret, quote(secret, safe=""), secret[::-1], raw.hex(), escaped, *coded)


def _letters_with_places(text: str, pattern: re.Pattern[str]) -> Letters:
    letters, places = [], []
    for match in pattern.finditer(text):
        letter = _decode_letter(match)
        if letter.isascii() and letter.isalnum():
            letters.append(letter.lower())
            places.append(match.span())
    return Letters("".join(letters), tuple(places))


def _decode_letter(match: re.Match[str]) -> str:
    if match.lastindex is None:
        return match.group() if match.group().isalnum() else " "
    if match.group().isalnum():
        return match.group()
    digits = match.group(match.lastindex)
    code = int(digits, 10 if match.lastindex == 5 else 16)
    return chr(code)


def _merge_spans(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
