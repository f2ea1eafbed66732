"""User requests by grammar: one phrase per tool, joined into the request for a whole chain.

    tool<TAB>request<TAB>noun
    Weather/x/forecast<TAB>look up the forecast for {q}[ over the next {days} days]<TAB>the weather forecast

A group in brackets is written only where its parameter is used. Literal values are written as they are;
references as `the city from the country facts`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from random import Random

from toolyard.core.errors import DataError
from toolyard.core.types import Json
from toolyard.synth.chains.chain import Chain, Reference, Step
from toolyard.synth.chains.projection import field, spoken
from toolyard.world.graph import consumed
from toolyard.world.registry import library
from toolyard.world.types import GENERIC

HEADER = ("tool", "request", "noun")
_SLOT = re.compile(r"\{([^{}\[\]]+)\}")
_GROUP = re.compile(r"\[([^\[\]]*)\]|([^\[\]]+)")
_NEEDS_QUOTES = re.compile(r"[.!?;:,](\s|$)|\n|^\s|\s$")
_LONG_WORDS = 6
_SHORT = 0.4


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a request: fixed text around at most one slot; `optional` pieces need their parameter."""

    before: str
    parameter: str | None = None
    after: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """How a person asks for a tool, and what to call what it returns."""

    tool: str
    pieces: tuple[Piece, ...]
    noun: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that the request can say."""
        return tuple(piece.parameter for piece in self.pieces if piece.parameter is not None)


@functools.cache
def phrases() -> Mapping[str, Phrase]:
    """The phrases of all tools, from the shipped tables."""
    folder = resources.files("toolyard.synth.wording") / "phrases"
    tables = sorted(
        (table for table in folder.iterdir() if table.name.endswith(".tsv")), key=lambda t: t.name
    )
    found = {
        phrase.tool: phrase for table in tables for phrase in _read(table.name, table.read_text("utf-8"))
    }
    missing = [tool for tool in library() if tool not in found]
    if missing:
        raise DataError(
            f"phrases/*.tsv have no line for {missing[0]} ({len(missing)} tools); add one per tool"
        )
    return found


def load(path: Path) -> dict[str, Phrase]:
    """The phrases of one table."""
    return {phrase.tool: phrase for phrase in _read(str(path), path.read_text("utf-8"))}


def _read(name: str, text: str) -> Iterator[Phrase]:
    lines = text.split("\n")
    if tuple(lines[0].split("\t")) != HEADER:
        raise DataError(f"{name} line 1: want the header {' '.join(HEADER)}, tab separated")
    for number, line in enumerate(lines[1:], start=2):
        if line:
            yield _phrase(f"{name} line {number}", line.split("\t"))


def _phrase(where: str, cells: Sequence[str]) -> Phrase:
    if len(cells) != len(HEADER) or not all(cell.strip() for cell in cells):
        raise DataError(f"{where}: want {len(HEADER)} filled cells, got {len(cells)}; see the other lines")
    tool, request, noun = cells
    if tool not in library():
        raise DataError(f"{where}: no tool is called {tool}; see `toolyard tools list`")
    phrase = Phrase(tool, tuple(_pieces(where, request)), noun)
    _check(where, phrase)
    return phrase


def _pieces(where: str, request: str) -> Iterator[Piece]:
    if "".join(match.group(0) for match in _GROUP.finditer(request)) != request:
        raise DataError(f"{where}: brackets of {request!r} do not pair; want [ text {{parameter}} ]")
    for match in _GROUP.finditer(request):
        group, plain = match.groups()
        if group is not None:
            slots = _SLOT.split(group)
            if len(slots) != 3:
                raise DataError(f"{where}: [{group}] holds {len(slots) // 2} slots; want exactly one")
            yield Piece(slots[0], slots[1], slots[2], optional=True)
        else:
            slots = _SLOT.split(plain)
            yield from (Piece(slots[n], slots[n + 1]) for n in range(0, len(slots) - 1, 2))
            yield Piece(slots[-1])


def _check(where: str, phrase: Phrase) -> None:
    known = {parameter.name: parameter.required for parameter in library()[phrase.tool].document.parameters}
    named = phrase.parameters
    wrong = [name for name in named if name not in known or named.count(name) > 1]
    if wrong:
        raise DataError(f"{where}: slot {{{wrong[0]}}} is no parameter of {phrase.tool}, or is there twice")
    fixed = {piece.parameter for piece in phrase.pieces if not piece.optional}
    missing = [name for name, required in known.items() if required and name not in fixed]
    if missing:
        raise DataError(f"{where}: required parameter {missing[0]} needs a slot outside brackets")


def written(value: Json) -> str:
    """A literal value as it stands in a sentence; lists as `a, b and c`, objects as `name value`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return ", ".join(f"{spoken(name)} {written(item)}" for name, item in value.items())
    if isinstance(value, list):
        items = [written(item) for item in value]
        return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
    text = str(value)
    long = isinstance(value, str) and (len(text.split()) > _LONG_WORDS or _NEEDS_QUOTES.search(text))
    return f'"{text}"' if long and '"' not in text else text


def reference_words(reference: Reference, chain: Chain, *, short: bool = False) -> str:
    """A reference in words: `the city from the country facts`, or `that city` where `short`."""
    producer = chain.steps[reference.step]
    known = field(producer.tool, reference.field)
    words = known.words if known else spoken(reference.field)
    plural = is_plural(words)
    if short:
        return f"{'those' if plural else 'that'} {words}"
    if known and known.of_first and plural:
        return f"the {words} of the first entry in {noun(chain, reference.step)}"
    source = noun(chain, reference.step)
    if not (known and known.of_first):
        same = source.endswith(f" {words}") or source.startswith(f"the {words} of ")
        return source if same else f"the {words} from {source}"
    return f"the {'' if words.startswith('first') else 'first '}{words} from {source}"


def is_plural(words: str) -> bool:
    """Whether words look like a plural: `coordinates`, not `address` or `status`."""
    return words.endswith("s") and not words.endswith(("ss", "us", "is"))


def noun(chain: Chain, index: int) -> str:
    """What step `index` returns, told apart from equal nouns of the chain by its place."""
    known = phrases()
    own = known[chain.steps[index].tool].noun
    same = [n for n, step in enumerate(chain.steps) if known[step.tool].noun == own]
    return own if len(same) == 1 else f"{own} of step {index + 1}"


def unambiguous(reference: Reference, chain: Chain, index: int) -> bool:
    """Whether `that {field}` in step `index` can only mean the step just before it, and no literal said so far."""
    words = reference_words(reference, chain, short=True)
    rivals = [
        n
        for n, step in enumerate(chain.steps[:index])
        if any(words == reference_words(Reference(n, name), chain, short=True) for name in step.result)
    ]
    nearest = reference.step == index - 1 and rivals == [reference.step]
    return nearest and not any(says_such(step, reference, chain) for step in chain.steps[: index + 1])


def says_such(step: Step, reference: Reference, chain: Chain) -> bool:
    """Whether a literal of the step is of the kind that the reference is: a start date beside `that date`."""
    producer = chain.steps[reference.step].tool
    known = field(producer, reference.field)
    words = known.words if known else spoken(reference.field)
    meanings = {meaning for meaning in known.meanings if meaning not in GENERIC} if known else set()
    return any(_is_such(step.tool, name, words, meanings) for name in step.literals)


def _is_such(tool: str, parameter: str, words: str, meanings: Set[str]) -> bool:
    """Whether a parameter takes one of the meanings, or is called by the words."""
    taken = [meaning for name, meaning in consumed(library()[tool]) if name == parameter]
    around = [
        f"{piece.before}{piece.after}" for piece in phrases()[tool].pieces if piece.parameter == parameter
    ]
    called = (*map(spoken, (parameter, *taken)), *around)
    named = re.compile(rf"\b{re.escape(words)}\b", re.IGNORECASE)
    return not meanings.isdisjoint(taken) or any(named.search(text) for text in called)


def request(step: Step, chain: Chain, style_rng: Random, *, shortened: frozenset[str] = frozenset()) -> str:
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
            if isinstance(given, Reference):
                short = piece.parameter in shortened or (brief and unambiguous(given, chain, index))
                words = _referring(given, chain, short, named)
                named = given.step
                text = _joined(_without_echo(text, given, chain), words)
            else:
                text = _joined(text, written(given))
        text += piece.after
    return text.strip()


def _referring(given: Reference, chain: Chain, short: bool, named: int | None) -> str:
    if short or given.step != named:
        return reference_words(given, chain, short=short)
    words = reference_words(given, chain, short=True).split(" ", 1)[1]
    return f"the {words} from there"


def _without_echo(text: str, given: Reference, chain: Chain) -> str:
    """`at latitude ` before `the latitude from ...` loses its last words."""
    words = reference_words(given, chain, short=True).split(" ", 1)[1].lower()
    bare = text.rstrip()
    if not bare.lower().endswith(f" {words}"):
        return text
    kept = bare[: -len(words)]
    return re.sub(r"\b(the|a|an|its) $", "", kept)


def _joined(text: str, words: str) -> str:
    """Text and value with the right article between them."""
    article = re.search(r"\b(an?) $", text)
    if article is None:
        return text + words
    if words.startswith(("the ", "that ", "those ")):
        return text[: article.start(1)] + words
    right = "an" if words[:1].lower() in "aeiou" else "a"
    return f"{text[: article.start(1)]}{right} {words}"
