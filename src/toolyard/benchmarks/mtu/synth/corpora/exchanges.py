"""Utterances of two speakers as turns, and the situation of a turn where the corpus does not annotate it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import Label

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
