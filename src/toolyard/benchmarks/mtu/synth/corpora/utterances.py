"""Utterances of a corpus: detokenised text, numbers as digits, and pairs of utterances as turns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import Label
from toolyard.text.numbers import SMALL_NUMBERS, TENS

_SPACING_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\s+"), " "),
    (re.compile(r" (n't|'(?:s|m|d|re|ll|ve))\b", re.IGNORECASE), r"\1"),
    (re.compile(r" ([,.;:?!%)\]])"), r"\1"),
    (re.compile(r"([(\[$£#]) "), r"\1"),
    (re.compile(r"\b(can|Can) not\b"), r"\1not"),
    (re.compile(r"\b(gon|wan|got) (na|ta)\b", re.IGNORECASE), r"\1\2"),
)


def detokenise(text: str) -> str:
    """The text as a person would write it."""
    for pattern, replacement in _SPACING_RULES:
        text = pattern.sub(replacement, text)
    return text.strip()


_NUMBER_WORDS = SMALL_NUMBERS | TENS


def digits(text: str) -> str:
    """The number that the whole text names, up to 99, as digits; any other text as it is."""
    parts = text.lower().replace("-", " ").split()
    if len(parts) == 1 and parts[0] in _NUMBER_WORDS:
        return str(_NUMBER_WORDS[parts[0]])
    if len(parts) == 2 and parts[0] in TENS and 1 <= _NUMBER_WORDS.get(parts[1], 0) <= 9:
        return str(TENS[parts[0]] + _NUMBER_WORDS[parts[1]])
    return text


Utterance = TypeVar("Utterance")
_CONFIRMING = re.compile(
    r"\bis (?:that|this|it|everything|the order)\b[^?]{0,60}\b(?:right|correct|ok|okay|ready)\b"
    r"|\b(?:correct|right)\?|\b(?:confirm|shall i|should i|(?:would you like|do you want) me to)\b",
    re.IGNORECASE,
)
_OFFERING = re.compile(
    r"\b(?:anything else|what else|(?:how|what) (?:may|can|could) i (?:help|do|get))\b", re.IGNORECASE
)


@dataclass(slots=True)
class Exchange(Generic[Utterance]):
    """What the user says, in one utterance or several, and everything up to the next."""

    user: list[Utterance] = field(default_factory=list)
    assistant: list[Utterance] = field(default_factory=list)


def exchanges(
    utterances: Iterable[Utterance], is_user: Callable[[Utterance], bool]
) -> list[Exchange[Utterance]]:
    """The turns; a greeting of the assistant before the first user utterance belongs to none and is left out."""
    found: list[Exchange[Utterance]] = []
    for utterance in utterances:
        if is_user(utterance):
            if not found or found[-1].assistant:
                found.append(Exchange())
            found[-1].user.append(utterance)
        elif found:
            found[-1].assistant.append(utterance)
    return found


def one_line(texts: Iterable[str]) -> str:
    """Texts as one, with single spaces."""
    return " ".join(" ".join(texts).split())


def label_of(user: str, assistant: str, called: bool) -> Label:
    """The situation of a turn by its words (rules of ours, for corpora without system acts).

    A question that asks for agreement is a confirmation, any other but a general offer asks for what is missing;
    an answer to a user's question without a call was known before; the rest is chat.
    """
    if called:
        return "call"
    if _CONFIRMING.search(assistant):
        return "confirmed"
    if assistant.rstrip().endswith("?") and not _OFFERING.search(assistant):
        return "missing"
    if "?" in user and assistant:
        return "exists"
    return "chat"
