"""Dialogues of the pipelines in standard terms, with types; only the logs of the stages have them as JSON.

    {"id": "sgd/train/9_00000", "source": "sgd", "licence": "CC BY-SA 4.0", "topics": ["Restaurant"], ...,
     "turns": [{"user": "Thai food in Oslo.", "assistant": "How about The Blue Spoon?", "label": "call",
        "wants": ["FindRestaurants"], "known": {"FindRestaurants": {"city": "Oslo"}},
        "calls": [{"name": "FindRestaurants", "arguments": {"city": "Oslo"},
                   "results": [{"restaurant_name": "The Blue Spoon"}], "found": 7}]}]}

Before that a row has the turns of its corpus (`corpora.corpus_schema`). JSON is without fields that have nothing to
say, such as the thought of a turn that has none yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias, TypeVar

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusCall, CorpusTurn
from toolyard.core.types import JsonValue, Record
from toolyard.synth.stages import Row

Values: TypeAlias = Record
Document: TypeAlias = Record
AnyTurn = TypeVar("AnyTurn")
FAILED = {"error": "The request could not be carried out."}
# Written also where they say nothing: stages look at them in the row itself.
_ALWAYS = frozenset({"assistant", "calls", "composed"})


@dataclass(frozen=True, slots=True)
class StandardCall:
    """A call in standard terms, with its results until `returned` says what a turn shows of them.

    A search may find more than the dialogue ever speaks of: `results` go up to the last that it names, `found` is
    their number. `resolved` are the values where arguments refer to what an earlier call of the turn returns.
    """

    name: str
    arguments: Values
    results: Sequence[Values] | None = None
    found: int = 0
    failed: bool = False
    resolved: Values | None = None
    returned: Any = None

    @property
    def observation(self) -> Any:
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
    """A turn: the tools that are wanted, by tool and parameter the words in which the user gave a value, the calls."""

    user: str
    assistant: str = ""
    label: str | None = None
    wants: Sequence[str] = ()
    known: Mapping[str, Values] = field(default_factory=dict)
    calls: tuple[StandardCall, ...] = ()
    thought: str = ""


@dataclass(frozen=True, slots=True)
class StandardRow:
    """A dialogue; `originals` are what the corpus calls the tools that it lists, `hard` the hard types by turn."""

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
    setting: str = ""
    made_hard: str = ""
    hard: Sequence[Sequence[str]] = ()


def read_turns(row: Row) -> tuple[CorpusTurn, ...]:
    """The turns of a row as the corpus has them."""
    return _turns(row, CorpusTurn, CorpusCall)


def standard_turns(row: Row) -> tuple[StandardTurn, ...]:
    """The turns of a row in standard terms."""
    return _turns(row, StandardTurn, StandardCall)


def standard_row(row: Row) -> StandardRow:
    """A whole row in standard terms."""
    return StandardRow(**{**row, "turns": standard_turns(row)})


def written(item: Any) -> dict[str, JsonValue]:
    """A call, a turn or a whole row as JSON."""
    made = {each.name: getattr(item, each.name) for each in fields(item)}
    silent = {each.name for each in fields(item) if made[each.name] == each.default} - _ALWAYS
    made = {name: value for name, value in made.items() if name not in silent}
    for name in made.keys() & {"turns", "calls"}:
        made[name] = all_written(made[name])
    return made


def all_written(items: Iterable[Any]) -> list[dict[str, JsonValue]]:
    """Calls or turns as JSON."""
    return [written(item) for item in items]


def _turns(row: Row, turn: type[AnyTurn], call: type[Any]) -> tuple[AnyTurn, ...]:
    return tuple(
        turn(**{**each, "calls": tuple(call(**one) for one in each["calls"])}) for each in row["turns"]
    )
