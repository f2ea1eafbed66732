"""User requests by grammar: the phrases of tools, joined into the request for a whole chain.

Literal values are written as they are; references as `the city from the country facts`.
"""

import re
from collections.abc import Mapping, Set
from random import Random
from typing import cast

from toolyard.core.types import JsonValue
from toolyard.synth.chains.chain import Chain, ChainStep, ResultReference
from toolyard.synth.chains.projection import field
from toolyard.text.names import name_in_words
from toolyard.world.kernel.graph import consumed_meanings
from toolyard.world.kernel.phrase import phrases
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.types import GENERIC

_NEEDS_QUOTES = re.compile(r"[.!?;:,](\s|$)|\n|^\s|\s$")
_LONG_WORDS = 6
_SHORT = 0.4


def literal_text(value: JsonValue) -> str:
    """A literal value as it stands in a sentence; lists as `a, b and c`, objects as `name value`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return ", ".join(f"{name_in_words(name)} {literal_text(item)}" for name, item in value.items())
    if isinstance(value, list):
        items = [literal_text(item) for item in value]
        return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
    text = str(value)
    long = isinstance(value, str) and (len(text.split()) > _LONG_WORDS or _NEEDS_QUOTES.search(text))
    return f'"{text}"' if long and '"' not in text else text


def reference_words(reference: ResultReference, chain: Chain, *, short: bool = False) -> str:
    """A reference in words: `the city from the country facts`, or `that city` where `short`."""
    producer = chain.steps[reference.step]
    known = field(producer.tool, reference.field)
    words = known.words if known else name_in_words(reference.field)
    plural = is_plural(words)
    if short:
        return f"{'those' if plural else 'that'} {words}"
    if known and known.of_first and plural:
        return f"the {words} of the first entry in {step_noun(chain, reference.step)}"
    source = step_noun(chain, reference.step)
    if not (known and known.of_first):
        same = source.endswith(f" {words}") or source.startswith(f"the {words} of ")
        return source if same else f"the {words} from {source}"
    return f"the {'' if words.startswith('first') else 'first '}{words} from {source}"


def is_plural(words: str) -> bool:
    """Whether words look like a plural: `coordinates`, not `address` or `status`."""
    return words.endswith("s") and not words.endswith(("ss", "us", "is"))


def step_noun(chain: Chain, index: int) -> str:
    """What step `index` returns, told apart from equal nouns of the chain by its place."""
    known = phrases()
    own = known[chain.steps[index].tool].noun
    same = [n for n, step in enumerate(chain.steps) if known[step.tool].noun == own]
    return own if len(same) == 1 else f"{own} of step {index + 1}"


def is_unambiguous(reference: ResultReference, chain: Chain, index: int) -> bool:
    """Whether `that {field}` in step `index` can only mean the step just before it, and no literal said so far."""
    words = reference_words(reference, chain, short=True)
    rivals = [
        n
        for n, step in enumerate(chain.steps[:index])
        if any(words == reference_words(ResultReference(n, name), chain, short=True) for name in step.result)
    ]
    nearest = reference.step == index - 1 and rivals == [reference.step]
    return nearest and not any(says_that_thing(step, reference, chain) for step in chain.steps[: index + 1])


def says_that_thing(step: ChainStep, reference: ResultReference, chain: Chain) -> bool:
    """Whether a literal of the step is of the kind that the reference is: a start date beside `that date`."""
    producer = chain.steps[reference.step].tool
    known = field(producer, reference.field)
    words = known.words if known else name_in_words(reference.field)
    meanings = {meaning for meaning in known.meanings if meaning not in GENERIC} if known else set()
    return any(_has_that_thing(step.tool, name, words, meanings) for name in step.literals)


def _has_that_thing(tool: str, parameter: str, words: str, meanings: Set[str]) -> bool:
    """Whether a parameter takes one of the meanings, or is called by the words."""
    taken = [meaning for name, meaning in consumed_meanings(library()[tool]) if name == parameter]
    around = [
        f"{piece.before}{piece.after}" for piece in phrases()[tool].pieces if piece.parameter == parameter
    ]
    called = (*map(name_in_words, (parameter, *taken)), *around)
    named = re.compile(rf"\b{re.escape(words)}\b", re.IGNORECASE)
    return not meanings.isdisjoint(taken) or any(named.search(text) for text in called)


def step_request(
    step: ChainStep, chain: Chain, style_rng: Random, *, shortened: frozenset[str] = frozenset()
) -> str:
    """One step as an imperative without final punctuation; references in `shortened` become `that {field}`.

    A further reference to the producer just named says `from there`.
    """
    index = next(n for n, other in enumerate(chain.steps) if other is step)
    text = ""
    brief = style_rng.random() < _SHORT
    named: int | None = None
    for piece in phrases()[step.tool].pieces:
        if piece.optional and piece.parameter not in step.arguments:
            continue
        text += piece.before
        if piece.parameter is not None:
            given = step.arguments[piece.parameter]
            if isinstance(given, ResultReference):
                short = piece.parameter in shortened or (brief and is_unambiguous(given, chain, index))
                words = _refer_to_result(given, chain, short, named)
                named = given.step
                text = _join_with_article(_drop_echo(text, given, chain), words)
            else:
                text = _join_with_article(text, literal_text(cast(JsonValue, given)))
        text += piece.after
    return text.strip()


def _refer_to_result(given: ResultReference, chain: Chain, short: bool, named: int | None) -> str:
    if short or given.step != named:
        return reference_words(given, chain, short=short)
    words = reference_words(given, chain, short=True).split(" ", 1)[1]
    return f"the {words} from there"


def _drop_echo(text: str, given: ResultReference, chain: Chain) -> str:
    """`at latitude ` before `the latitude from ...` loses its last words."""
    words = reference_words(given, chain, short=True).split(" ", 1)[1].lower()
    bare = text.rstrip()
    if not bare.lower().endswith(f" {words}"):
        return text
    kept = bare[: -len(words)]
    return re.sub(r"\b(the|a|an|its) $", "", kept)


def _join_with_article(text: str, words: str) -> str:
    """Text and value with the right article between them."""
    article = re.search(r"\b(an?) $", text)
    if article is None:
        return text + words
    if words.startswith(("the ", "that ", "those ")):
        return text[: article.start(1)] + words
    right = "an" if words[:1].lower() in "aeiou" else "a"
    return f"{text[: article.start(1)]}{right} {words}"
