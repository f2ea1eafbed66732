"""What counts as known: the argument lists, the tools that take them, and the verdict on one observation.

A line of a list: `München => Munich`, `US / CA => California`, or `! Xqzzburg` for what must be refused.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "records" / "coverage"
ECHOES = frozenset(
    {"query", "q", "input", "expression", "interpretation", "text", "term", "keyword", "search"}
)
TOLERANCE = 0.01
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})


class Verdict(StrEnum):
    """What one call came to."""

    KNOWN = "known"
    UNKNOWN = "unknown"
    WRONGLY_REFUSED = "wrongly_refused"
    RIGHTLY_REFUSED = "rightly_refused"
    WRONGLY_ACCEPTED = "wrongly_accepted"


@dataclass(frozen=True)
class Argument:
    """One line of a list; `expected` are the forms of which the answer must show one."""

    text: str
    expected: tuple[str, ...]
    refuse: bool

    @property
    def parts(self) -> list[str]:
        """The text cut at its slashes: `US / CA` is two arguments."""
        return self.text.split(" / ")


@dataclass(frozen=True)
class Probe:
    """How a tool is asked about an argument, and where its answer must show it.

    rule: name (an expected form occurs), words (all its words occur in one row), number (an expected figure
    occurs) or answer (anything comes back).
    fields: names of the fields that are searched, all but echoes of the question when empty.
    needs: a field that must hold something. refusals: whether it is asked what must be refused.
    """

    tool: str
    arguments: dict[str, Any]
    rule: str = "name"
    fields: tuple[str, ...] = ()
    needs: str | None = None
    refusals: bool = True

    def filled(self, argument: Argument) -> dict[str, Any]:
        """The arguments of the call."""
        return {name: fill(value, argument) for name, value in self.arguments.items()}


def read_kinds() -> dict[str, list[Probe]]:
    """Kind -> the probes of its tools, from kinds.json."""
    raw = json.loads((FOLDER / "kinds.json").read_text("utf-8"))
    return {
        kind: [Probe(**{**probe, "fields": tuple(probe.get("fields", ()))}) for probe in probes]
        for kind, probes in raw.items()
    }


def read_arguments(kind: str) -> list[Argument]:
    """The arguments of a kind in the order of its list."""
    lines = (FOLDER / f"{kind}.txt").read_text("utf-8").splitlines()
    return [parse_line(line) for line in lines if line.strip() and not line.startswith("# ")]


def parse_line(line: str) -> Argument:
    """One line as an argument; without an arrow the answer must show the argument (its last part) itself."""
    if line.startswith("! "):
        return Argument(line.removeprefix("! ").strip(), (), refuse=True)
    text, _, forms = (part.strip() for part in line.partition(" => "))
    expected = tuple(form.strip() for form in forms.split(" | ")) if forms else (text.split(" / ")[-1],)
    return Argument(text, expected, refuse=False)


def fill(template: Any, argument: Argument) -> Any:
    """A template with {} (the text), {1} and {2} (its parts) filled in; {#}, {#1}, {#2} become numbers."""
    if isinstance(template, dict):
        return {name: fill(value, argument) for name, value in template.items()}
    if isinstance(template, list):
        return [fill(value, argument) for value in template]
    if not isinstance(template, str):
        return template
    slot = re.fullmatch(r"\{#(\d?)\}", template)
    if slot:
        text = argument.parts[int(slot[1]) - 1] if slot[1] else argument.text
        return int(text) if re.fullmatch(r"-?\d+", text) else text
    for place, part in enumerate(argument.parts, start=1):
        template = template.replace(f"{{{place}}}", part)
    return template.replace("{}", argument.text)


def judge(argument: Argument, probe: Probe, value: Any, error: str | None) -> Verdict:
    """The verdict on the observation of one call."""
    answered = error is None and says_something(probe, value)
    if argument.refuse:
        return Verdict.WRONGLY_ACCEPTED if answered else Verdict.RIGHTLY_REFUSED
    if error is not None and error != "not_found":
        return Verdict.WRONGLY_REFUSED
    return Verdict.KNOWN if answered and fits(argument, probe, value) else Verdict.UNKNOWN


def says_something(probe: Probe, value: Any) -> bool:
    """Whether a result has what the probe is after, be it right or wrong."""
    wanted = (probe.needs,) if probe.needs else probe.fields
    return any(holds(value, field) for field in wanted) if wanted else not is_empty(value)


def is_empty(value: Any) -> bool:
    """Whether a result says nothing: nothing at all, or an object whose lists are all empty."""
    if not isinstance(value, dict):
        return value in (None, "", [])
    lists = [part for part in value.values() if isinstance(part, list)]
    return not value or (bool(lists) and not any(lists))


def holds(value: Any, field: str) -> bool:
    """Whether a field of this name holds something somewhere; zero is something, false is not."""
    return any(
        name == field and part is not False and part not in (None, "", [], {}) for name, part in parts(value)
    )


def parts(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """All values within a result with the names of their fields; the items of a list have the list's name."""
    yield name, value
    if isinstance(value, dict):
        for key, part in value.items():
            yield from parts(part, key)
    if isinstance(value, list):
        for part in value:
            yield from parts(part, name)


def fits(argument: Argument, probe: Probe, value: Any) -> bool:
    """Whether the searched fields show one of the expected forms."""
    if probe.rule == "answer":
        return True
    if probe.rule == "words":
        return any(shows_words(text, form) for text in row_texts(value) for form in argument.expected)
    texts = [
        str(part)
        for name, part in parts(value)
        if not isinstance(part, (dict, list))
        and (name in probe.fields if probe.fields else name not in ECHOES)
    ]
    if probe.rule == "number":
        return any(shows_number(text, form) for text in texts for form in argument.expected)
    return any(shows(text, form) for text in texts for form in argument.expected)


def shows(text: str, form: str) -> bool:
    """Whether a text has the form at the start of a word, whatever case and accents; one or two letters as a word."""
    if len(form) <= 2 and form.isalpha() and form.isascii():
        return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) is not None
    wanted = plain(form)
    return f" {wanted}" in f" {plain(text)}" if wanted else form in text


def row_texts(value: Any) -> Iterator[str]:
    """The text of each object within a result: its own plain values, and those in its lists."""
    for _, part in parts(value):
        if isinstance(part, dict):
            own = [item for item in part.values() if not isinstance(item, dict)]
            yield " ".join(str(item) for item in own)


def shows_words(text: str, form: str) -> bool:
    """Whether a text has every word of the form, in any order, one or several of each thing."""
    found = f" {plain(text)}"
    return all(f" {word.removesuffix('s')}" in found for word in plain(form).split())


def shows_number(text: str, form: str) -> bool:
    """Whether a text has a number that is the expected one within a hundredth; 22/7 is a number."""
    wanted = float(form)
    found = re.findall(r"(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?:/(\d+))?", text.replace(",", ""))
    numbers = [float(top) / float(bottom or 1) for top, bottom in found if float(bottom or 1)]
    return any(abs(number - wanted) <= TOLERANCE * abs(wanted) + 1e-30 for number in numbers)


def plain(text: str) -> str:
    """A text in lower case without accents and punctuation; signs and points of numbers stay."""
    folded = unicodedata.normalize("NFKD", text.casefold().translate(LETTERS))
    letters = (
        "".join(sign for sign in folded if not unicodedata.combining(sign)).replace("'", "").replace("’", "")
    )
    kept = re.sub(r"(?<!\d)\.|\.(?!\d)|(?<![\s(\[=])-|-(?!\d)|\+(?!\d)|[^\w.+\-]|_", " ", f" {letters}")
    return " ".join(kept.split())
