"""Dialogues of the pipelines in standard terms, with types, their settings, and which of them stay under which ids.

    {"id": "sgd/train/9_00000", "source": "sgd", "licence": "CC BY-SA 4.0", "topics": ["Restaurant"], ...,
     "turns": [{"user": "Thai food in Oslo.", "assistant": "How about The Blue Spoon?", "label": "call",
        "wants": ["FindRestaurants"], "known": {"FindRestaurants": {"city": "Oslo"}},
        "calls": [{"name": "FindRestaurants", "arguments": {"city": "Oslo"},
                   "results": [{"restaurant_name": "The Blue Spoon"}], "found": 7}]}]}

Before that a row has the turns of its corpus (`corpora.corpus_schema`). Only the logs of the stages have rows as JSON,
without fields that have nothing to say, such as the thought of a turn that has none yet.

A setting has one turn or several, and at most one call in every turn or more in some: the unit is calls in a turn, as
in the official rows, not tools in the dialogue. Dialogues of held-out topics go by a name of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, fields
from typing import Any, Protocol, TypeAlias, TypeVar

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusCall, CorpusTurn
from toolyard.core.types import JsonValue, Record, derived_seed
from toolyard.synth.stages import Context, Rejected, Row, Rows


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, and what follows from it for prompts: the template and how the history is written."""

    name: str
    several_turns: bool
    several_calls: bool

    @property
    def template(self) -> str:
        """The instructions for a turn."""
        return "instructions_multiple" if self.several_calls else "instructions_single"

    @property
    def history(self) -> str:
        """The form of the past turns."""
        return "actions" if self.several_calls else "observed"


SETTINGS = {
    each.name: each
    for each in (
        Setting("S-S", several_turns=False, several_calls=False),
        Setting("S-M", several_turns=False, several_calls=True),
        Setting("M-S", several_turns=True, several_calls=False),
        Setting("M-M", several_turns=True, several_calls=True),
    )
}

TRAIN, HELD_OUT = "train", "ood"
OUT_OF_DOMAIN = "OOD"
NAMES = (*SETTINGS, OUT_OF_DOMAIN)
ONE_TEST_ROW_OF = 10


class Calling(Protocol):
    """A turn, as far as settings go."""

    @property
    def calls(self) -> Sized: ...


def setting_of(turns: Sequence[Calling]) -> Setting:
    """The setting of a dialogue."""
    wanted = len(turns) > 1, any(len(turn.calls) > 1 for turn in turns)
    return next(each for each in SETTINGS.values() if (each.several_turns, each.several_calls) == wanted)


def shown_name(setting: str, split: str) -> str:
    """The name that ids and tables have: the setting's, or the one of the held-out topics."""
    return setting if split == TRAIN else OUT_OF_DOMAIN


def split_of(topics: Iterable[str], held_out: Iterable[str]) -> str:
    """The side of a dialogue: it is held out whole where any of its topics is."""
    return TRAIN if set(topics).isdisjoint(held_out) else HELD_OUT


def in_test(origins: Sequence[str]) -> bool:
    """Whether a row is for evaluation and not for training: the first dialogue that it is made of decides, always alike."""
    return derived_seed(0, f"test/{origins[0]}", 0) % ONE_TEST_ROW_OF == 0


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
    returned: object = None

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


def as_json(item: Any) -> dict[str, JsonValue]:
    """A call, a turn or a whole row as JSON."""
    made = {each.name: getattr(item, each.name) for each in fields(item)}
    silent = {each.name for each in fields(item) if made[each.name] == each.default} - _ALWAYS
    made = {name: value for name, value in made.items() if name not in silent}
    for name in made.keys() & {"turns", "calls"}:
        made[name] = all_as_json(made[name])
    return made


def all_as_json(items: Iterable[Any]) -> list[dict[str, JsonValue]]:
    """Calls or turns as JSON."""
    return [as_json(item) for item in items]


def _turns(row: Row, turn: type[AnyTurn], call: type[Any]) -> tuple[AnyTurn, ...]:
    return tuple(
        turn(**{**each, "calls": tuple(call(**one) for one in each["calls"])}) for each in row["turns"]
    )


def documents_of(rows: Rows) -> dict[tuple[str, str], Document]:
    """The document of every tool that a dialogue wants or calls, by source and name, as the first shows it."""
    found: dict[tuple[str, str], Document] = {}
    for row in rows:
        if not row["made_hard"]:
            for document in row["documents"]:
                found.setdefault((row["source"], document["name"]), document)
    return found


def number_rows(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """As many rows as were asked for, every setting with the same number where it has so many; all of them for 0.

    Of the other tools that a row lists those stay that some row documents.
    """
    documents = documents_of(rows)
    chosen = _choose_row_ids(rows, context.rows) if context.rows else None
    numbers: Counter[str] = Counter()
    for row in rows:
        if chosen is not None and row["id"] not in chosen:
            yield Rejected("surplus", row=row["id"])
            continue
        name = shown_name(row["setting"], row["split"])
        others = [other for other in row["others"] if (row["source"], other) in documents]
        yield {**row, "id": f"{name}_{numbers[name]}", "others": others}
        numbers[name] += 1


def _choose_row_ids(rows: Rows, wanted: int) -> set[str]:
    """The first of every setting in turn; sources take turns within a setting."""
    seen: Counter[tuple[str, ...]] = Counter()
    ranked = []
    for row in rows:
        key = (row["setting"], row["split"], row["source"])
        ranked.append((seen[key], key, row["id"]))
        seen[key] += 1
    ranked.sort()
    queues: dict[str, list[str]] = {}
    for _, key, name in ranked:
        queues.setdefault(key[0], []).append(name)
    order = sorted(
        (rank, setting, name) for setting, queue in queues.items() for rank, name in enumerate(queue)
    )
    return {name for _, _, name in order[:wanted]}
