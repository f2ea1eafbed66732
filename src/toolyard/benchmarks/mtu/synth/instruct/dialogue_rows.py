"""Rows of the pipelines with types; only the logs of the stages have them as JSON.

    Turn           as the corpus has it: its own tools, intents and slots (`corpora.corpus_schema`)
    StandardTurn   in the terms of the library: which tools are wanted, and what is known of their parameters
    FinalTurn      as the files have it: a thought, calls with what they returned, a reply

    {"id": "sgd/train/9_00000", "source": "sgd", "licence": "CC BY-SA 4.0", "topics": ["Restaurant"], ...,
     "turns": [{"user": "Thai food in Oslo.", "assistant": "How about The Blue Spoon?", "label": "call",
        "wants": ["FindRestaurants"], "known": {"FindRestaurants": {"city": "Oslo"}},
        "calls": [{"name": "FindRestaurants", "arguments": {"city": "Oslo"},
                   "results": [{"restaurant_name": "The Blue Spoon"}], "found": 7, "failed": false}]}]}

A search may find more than the dialogue ever speaks of: `results` are kept up to the last that it names, and
`found` says how many there were. Fields that are None stand for what only some rows have; JSON is without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias, TypeVar

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import Call, Turn
from toolyard.core.types import Json
from toolyard.synth.stages import Row

Values: TypeAlias = Mapping[str, Json]
Document: TypeAlias = Mapping[str, Json]
FAILED = {"error": "The request could not be carried out."}
# Written even where they are None: "not annotated", "not recorded".
_ALWAYS = frozenset({"label", "results"})


@dataclass(frozen=True, slots=True)
class StandardCall:
    """A call in standard terms; `resolved` are the values where arguments refer to what an earlier call returned."""

    name: str
    arguments: Values
    results: Sequence[Values] | None = None
    found: int = 0
    failed: bool = False
    resolved: Values | None = None
    returned: Json = None

    @property
    def observation(self) -> Json:
        """What it returned: an error where it failed, `{}` where nothing was found or nothing is recorded."""
        if self.returned is not None:
            return self.returned
        if self.failed:
            return FAILED
        if not self.results:
            return {}
        if self.found > len(self.results):
            return {"results": self.results, "more": True}
        return self.results[0] if len(self.results) == 1 else self.results


@dataclass(frozen=True, slots=True)
class StandardTurn:
    """A turn in standard terms; `known` has by tool and parameter the words in which the user gave a value."""

    user: str
    assistant: str
    label: str | None
    wants: Sequence[str] = ()
    known: Mapping[str, Values] = field(default_factory=dict)
    calls: tuple[StandardCall, ...] = ()
    thought: str | None = None


@dataclass(frozen=True, slots=True)
class FinalCall:
    """A call as the files have it."""

    name: str
    arguments: Values
    resolved: Values | None = None
    returned: Json = None

    @property
    def observation(self) -> Json:
        """What it returned."""
        return self.returned


@dataclass(frozen=True, slots=True)
class FinalTurn:
    """A turn as the files have it; without a recorded reply `assistant` is empty."""

    user: str
    label: str | None
    thought: str
    calls: tuple[FinalCall, ...] = ()
    assistant: str = ""


@dataclass(frozen=True, slots=True)
class StandardRow:
    """A dialogue in standard terms; `originals` are the names that the corpus has for its tools and the others."""

    id: str
    source: str
    licence: str
    topics: Sequence[str]
    schema: str
    split: str
    origins: Sequence[str]
    turns: tuple[StandardTurn, ...]
    documents: Sequence[Document]
    others: Sequence[str]
    originals: Mapping[str, Sequence[str]]
    composed: str = ""
    setting: str | None = None


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A dialogue as the files have it; `hard` are the hard types of each turn."""

    id: str
    source: str
    setting: str
    split: str
    topics: Sequence[str]
    composed: str
    turns: tuple[FinalTurn, ...]
    documents: Sequence[Document]
    others: Sequence[str]
    made_hard: str
    hard: Sequence[Sequence[str]]


AnyTurn = TypeVar("AnyTurn")
AnyRow = TypeVar("AnyRow", StandardRow, FinalRow)


def read_turns(row: Row) -> tuple[Turn, ...]:
    """The turns of a row as it was read."""
    return _turns(row, Turn, Call)


def standard_turns(row: Row) -> tuple[StandardTurn, ...]:
    """The turns of a row in standard terms."""
    return _turns(row, StandardTurn, StandardCall)


def final_turns(row: Row) -> tuple[FinalTurn, ...]:
    """The turns of a finished row."""
    return _turns(row, FinalTurn, FinalCall)


def standard_row(row: Row) -> StandardRow:
    """A row in standard terms."""
    return _whole(row, StandardRow, standard_turns(row))


def final_row(row: Row) -> FinalRow:
    """A finished row."""
    return _whole(row, FinalRow, final_turns(row))


def written(item: Any) -> dict[str, Json]:
    """A call, a turn or a whole row as JSON."""
    found = {each.name: getattr(item, each.name) for each in fields(item)}
    made = {name: value for name, value in found.items() if value is not None or name in _ALWAYS}
    for name in ("turns", "calls"):
        if name in made:
            made[name] = all_written(made[name])
    return made


def all_written(items: Iterable[Any]) -> list[dict[str, Json]]:
    """Calls or turns as JSON."""
    return [written(item) for item in items]


def _turns(row: Row, turn: type[AnyTurn], call: type[Any]) -> tuple[AnyTurn, ...]:
    return tuple(
        turn(**{**each, "calls": tuple(call(**one) for one in each["calls"])}) for each in row["turns"]
    )


def _whole(row: Row, kind: type[AnyRow], turns: tuple[Any, ...]) -> AnyRow:
    held = {each.name: row[each.name] for each in fields(kind) if each.name in row}
    return kind(**{**held, "turns": turns})
