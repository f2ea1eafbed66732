"""Where a value comes from: the user's turn, the history, an observation, the tool list, or nowhere."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cached_property, lru_cache

from toolyard.benchmarks.mtu.scoring.value_equality import reference_day
from toolyard.core.cache_by_object import PerObject
from toolyard.core.nesting import texts_in
from toolyard.core.types import JsonValue, Record
from toolyard.text.canonical_values import to_canonical
from toolyard.text.counted_nouns import SMALL_NUMBERS, TENS
from toolyard.text.json_values import leaves
from toolyard.text.ordinals import MONTHS, WEEKDAYS, ordinal_day

REFERENCE = re.compile(r"[\w ]+\.\w+(\.\w+)*")
_WORD = re.compile(r"[^\W_]+")
_WORDS = {number: word for word, number in (SMALL_NUMBERS | TENS).items()}


class PromptValues:
    """All that a prompt says, ready for the question whether a value occurs in it."""

    def __init__(self, prompt: Record) -> None:
        self.prompt = prompt

    @cached_property
    def today(self) -> date | None:
        """The day that the prompt calls today."""
        return reference_day(self.prompt["instructions"])

    @cached_property
    def turn(self) -> str:
        """The user's current turn."""
        return _normalise_text(self.prompt["user"], self.today)

    @cached_property
    def past(self) -> str:
        """Everything said, called and observed before."""
        return "".join(_normalise_text(text, self.today) for text in texts_in(self.prompt["history"]))

    @cached_property
    def documents(self) -> str:
        """The tool documents, whose choices and defaults are also known values."""
        parts = texts_in([self.prompt["tools"], self.prompt["shared_parameters"]])
        return "".join(_normalise_text(text, self.today) for text in parts)

    def called_before(self, name: str) -> bool:
        """Whether the history holds a call of that tool."""
        return any(call["name"] == name for turn in self.prompt["history"] for call in turn["calls"])

    def is_in_turn(self, value: JsonValue) -> bool:
        """Whether the current turn says the value, in any of its spellings."""
        return all(self._occurs(leaf, self.turn) for leaf in _nonempty_leaves(value))

    def is_only_in_history(self, value: JsonValue) -> bool:
        """Whether the value comes from an earlier turn or an observation and not from the current turn."""
        if not self.prompt["history"]:
            return False
        return not self.is_in_turn(value) and all(
            self._occurs(leaf, self.past) for leaf in _nonempty_leaves(value)
        )

    def holds(self, value: JsonValue) -> bool:
        """Whether the dialogue or the tool documents hold the value, or it refers to another call."""
        return all(self._holds(leaf) for leaf in _nonempty_leaves(value))

    def _holds(self, leaf: JsonValue) -> bool:
        if leaf is None or to_canonical(leaf)[0] == "truth":
            return True  # yes and no are concluded from a sentence, not quoted from it
        if isinstance(leaf, str) and REFERENCE.fullmatch(leaf.strip()):
            return True
        # One after the other: the documents are long, and few values are looked for there.
        return (
            self._occurs(leaf, self.turn)
            or self._occurs(leaf, self.past)
            or self._occurs(leaf, self.documents)
        )

    def _occurs(self, leaf: JsonValue, text: str) -> bool:
        return any(spelling in text for spelling in value_spellings(leaf, self.today))


# Several rules ask about the same turn, one after the other.
prompt_values: PerObject[Record, PromptValues] = PerObject(PromptValues, most_kept=64)


@lru_cache(maxsize=8192)
def _normalise_text(text: str, today: date | None) -> str:
    """A text as it stands and with its dates, times and numbers in one spelling; the turns of a dialogue share many."""
    words = _plain_words(text)
    # Without its punctuation as well: the full stop after "for four." would hide the number.
    return words + "".join(_plain_words(str(to_canonical(form, today)[-1])) for form in (text, words.strip()))


def value_spellings(leaf: JsonValue, today: date | None) -> Iterator[str]:
    """The ways in which a dialogue may say a value, each plain and between blanks."""
    form = to_canonical(leaf, today)
    yield _plain_words(str(form[-1])[:2000])
    if isinstance(leaf, str):
        yield _plain_words(leaf[:2000])
    if form[0] == "text" and re.fullmatch(r"\d{4}-\d{2}-\d{2}", form[1]):
        yield from _date_spellings(form[1], today)
    if form[0] == "text" and re.fullmatch(r"\d{2}:\d{2}", form[1]):
        yield from _time_spellings(form[1])


def _date_spellings(iso: str, today: date | None) -> Iterator[str]:
    try:
        day = date.fromisoformat(iso)
    except ValueError:
        return
    yield f" {ordinal_day(day.day)} "
    yield f" {MONTHS[day.month - 1]} {day.day} "
    if today is not None and abs((day - today).days) <= 14:
        # Weekdays, "tomorrow", "next week": any day near the prompt's own may be meant by some word.
        for word in ("today", "tomorrow", "tonight", "day", "week", "weekend"):
            yield f" {word} "
        for weekday in WEEKDAYS:
            yield f" {weekday} "


def _time_spellings(clock: str) -> Iterator[str]:
    hour, minute = int(clock[:2]), clock[3:]
    twelve = hour % 12 or 12
    half = "am" if hour < 12 else "pm"
    minutes = "" if minute == "00" else f" {minute}"
    for text in (
        f"{twelve}{minutes}{half}",
        f"{twelve}{minutes} {half}",
        f"{twelve} {minute}",
        f"{twelve} o clock",
    ):
        yield f" {text} "
    yield f" {twelve}{minutes} {half[0]} m "
    if minute != "00":
        yield f" {_number_word(twelve)} {_number_word(int(minute))} "
    yield {12: " noon ", 0: " midnight "}.get(hour, f" {twelve} in the ")


def _number_word(number: int) -> str:
    """`thirty five` for 35, up to 59."""
    if number in _WORDS:
        return _WORDS[number]
    return f"{_WORDS[number // 10 * 10]} {_WORDS[number % 10]}"


def _nonempty_leaves(value: JsonValue) -> Iterator[JsonValue]:
    return (leaf for leaf in leaves(value) if leaf != "")


def _plain_words(text: str) -> str:
    """The text as lower-case words between single blanks."""
    return " " + " ".join(_WORD.findall(text.casefold())) + " "
