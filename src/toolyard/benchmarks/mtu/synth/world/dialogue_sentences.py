"""What user and assistant say, by grammar: requests, questions, replies, and the thoughts in between.

A value may be said in other words than the call wants, where a rule leads from one to the other: a day (`12 June
2024` for 2024-06-12) and a choice that the document lists (`German` for de).
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from typing import cast

from toolyard.benchmarks.mtu.synth.world.tool_documents import field_unit, is_of_first_entry, parameter_schema
from toolyard.core.types import JsonValue, Record
from toolyard.synth.chains.chain import Chain, ResultReference
from toolyard.synth.wording.phrasing import is_plural, is_unambiguous, literal_text, step_request
from toolyard.text.names import capitalise, join_with_and, name_in_words
from toolyard.world.kernel.phrase import phrases
from toolyard.world.kernel.schema import Schema
from toolyard.world.kernel.types import GENERIC
from toolyard.world.reference.days import MONTHS

PHRASES: Record = tomllib.loads(Path(__file__).with_name("grammar.toml").read_text("utf-8"))
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
# Fields that a person would not tell first: numbers of records, places on the globe, addresses of pages.
_MINOR_FIELDS = re.compile(
    r"\b(id|total|offset|count|latitude|longitude|coordinates|unix|URL|link|slug|token|currency|width|height|key|page)\b",
    re.IGNORECASE,
)
_MOST_MENTIONED = 3
_UNIX = 10**8
_HANGING = re.compile(r"\b(?:at|by|from|in|of|on|to)$|^(?:at|by|from|in|on|to)\b|\d$")
_LONGEST_MENTIONED = 90
_SHORT = 0.75
_HEAD = re.compile(r" (?:about|around|at|by|for|found|from|in|of|on|sent|that|to|with) ")


def said_value(schema: Schema, value: JsonValue) -> JsonValue:
    """The value in a person's words where a rule can invert them, else unchanged."""
    if isinstance(value, str) and _DAY.fullmatch(value) and schema.get("type") == "string":
        day = date.fromisoformat(value)
        return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    if isinstance(value, str) and value in schema.get("enum", ()):
        return str(PHRASES["choices"].get(value, value))
    return value


def chain_in_user_words(chain: Chain, plainly: bool) -> Chain:
    """The chain with its literals in a person's words; values stay as they are where `plainly`."""
    if plainly:
        return chain
    steps = []
    for step in chain.steps:
        arguments = {
            name: given
            if isinstance(given, ResultReference)
            else said_value(parameter_schema(step.tool, name), cast(JsonValue, given))
            for name, given in step.arguments.items()
        }
        steps.append(replace(step, arguments=arguments))
    return Chain(tuple(steps), chain.seed)


def asked_words(tool: str, parameter: str) -> str | None:
    """What to call a parameter when asking for it; None where neither name nor meaning says anything."""
    meaning = str(parameter_schema(tool, parameter).get("x-semantic", "text"))
    bare = len(parameter) < 4 or parameter.lower() in PHRASES["bare_names"]
    if not bare:
        return " ".join(
            PHRASES["abbreviations"].get(word, word) for word in name_in_words(parameter).split(" ")
        )
    return None if meaning in GENERIC else name_in_words(meaning)


def as_full_sentence(text: str) -> str:
    """The text with a capital and a full stop."""
    text = capitalise(text)
    return text if text.rstrip("\"'").endswith((".", "!", "?")) else f"{text}."


def as_request_sentence(text: str) -> str:
    """A request as a sentence; one that begins as a question ends as one."""
    polite = text.startswith(("Could you", "Can you", "Would you"))
    return f"{text}?" if polite else as_full_sentence(text)


def step_text(chain: Chain, index: int, rng: Random) -> str:
    """One step as an imperative; what can only mean the step before is mostly said shortly."""
    step = chain.steps[index]
    short = frozenset(
        name
        for name, reference in step.references.items()
        if is_unambiguous(reference, chain, index) and rng.random() < _SHORT
    )
    return step_request(step, chain, rng, shortened=short)


def request_text(chain: Chain, indices: Sequence[int], rng: Random, after: str) -> str:
    """The user's request for some steps of a chain, after a turn of that situation (empty for the first turn)."""
    parts = [step_text(chain, index, rng) for index in indices]
    kinds = {"": "openings", "chat": "openings", "inability": "after_refusal"}
    opening = rng.choice(PHRASES[kinds.get(after, "later_openings")])
    sentences = [as_request_sentence(opening + parts[0])]
    for index, part in zip(indices[1:], parts[1:], strict=True):
        linked = any(reference.step in indices for reference in chain.steps[index].references.values())
        sentences.append(as_full_sentence(rng.choice(PHRASES["then"] if linked else PHRASES["also"]) + part))
    return " ".join(sentences)


def say(kind: str, rng: Random, **words: str) -> str:
    """One of the phrases of a kind with these words in it."""
    return str(rng.choice(PHRASES[kind])).format(**words)


def incomplete_text(chain: Chain, index: int, parameter: str, rng: Random) -> str:
    """A request that omits one parameter, phrased by what the user wants."""
    step = chain.steps[index]
    others = [
        f"the {asked_words(step.tool, name) or name_in_words(name)} {literal_text(value)}"
        for name, value in step.literals.items()
        if name != parameter
    ]
    details = f", with {join_with_and(others)}" if others else ""
    return as_request_sentence(say("wanting", rng, noun=phrases()[step.tool].noun) + details)


def reply_text(tool: str, observation: Mapping[str, JsonValue], mentioned: Sequence[str], rng: Random) -> str:
    """What the assistant says about a result: these fields of it, entries of lists apart."""
    noun = phrases()[tool].noun
    told = {name: field_text(tool, name, observation[name]) for name in mentioned}
    first = [text for name, text in told.items() if is_of_first_entry(tool, name)]
    whole = [text for name, text in told.items() if not is_of_first_entry(tool, name)]
    head = _HEAD.split(noun)[0]
    several = is_plural(head) and not head.endswith(("news", "series"))
    opening = say("reply", rng, noun=noun, are="are" if several else "is")
    start = as_full_sentence(f"{opening}: {join_with_and(whole)}") if whole else f"{opening}."
    if not first:
        return start
    of_first = f"{say('first_entry', rng)} {join_with_and(first)}"
    return f"{start} {as_full_sentence(of_first)}"


def mentioned_fields(
    tool: str, observation: Mapping[str, JsonValue], given: Sequence[JsonValue], needed: Sequence[str]
) -> list[str]:
    """The fields that a reply mentions: those needed later, and a few short ones that say something new."""
    known = {str(value).casefold() for value in given}
    news = [
        name
        for name, value in observation.items()
        if name not in needed
        and not isinstance(value, Mapping | list)
        and len(str(value)) <= _LONGEST_MENTIONED
        and "\n" not in str(value)
        and str(value).casefold() not in known
        and not (field_unit(tool, name) == "s" and isinstance(value, int | float) and value > _UNIX)
    ]
    news.sort(
        key=lambda name: (_MINOR_FIELDS.search(name_in_words(name)) is not None, not field_unit(tool, name))
    )
    chosen = {*needed, *news[: max(1, _MOST_MENTIONED - len(needed))]}
    return [name for name in observation if name in chosen]


def can_be_asked(name: str) -> bool:
    """Whether a field's name makes a sentence with `what is the ...`, unlike `starts` and `sent at`."""
    return not is_plural(name_in_words(name)) and not _HANGING.search(name_in_words(name))


def field_text(tool: str, name: str, value: JsonValue) -> str:
    """A field and its value: `temperature 14.2 °C`."""
    unit = field_unit(tool, name)
    words = field_name(tool, name)
    text = ("yes" if value else "no") if isinstance(value, bool) else literal_text(value)
    return f"{words} {text}{f' {unit}' if unit and unit not in ('count', 'degree') else ''}"


def field_name(tool: str, name: str) -> str:
    """A field in words, without the unit that its name may repeat."""
    words = name_in_words(name).split(" ")
    if field_unit(tool, name) and len(words) > 1 and words[-1].lower() in PHRASES["unit_words"]:
        words = words[:-1]
    return " ".join(words)
