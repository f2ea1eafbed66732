"""Dialogues of the pipelines in standard terms, with types, their settings, and which of them stay under which ids.

    {"id": "sgd/train/9_00000", "source": "sgd", "licence": "CC BY-SA 4.0", "topics": ["Restaurant"], ...,
     "turns": [{"user": "Thai food in Oslo.", "assistant": "How about The Blue Spoon?", "label": "call",
        "wants": ["FindRestaurants"], "known": {"FindRestaurants": {"city": "Oslo"}},
        "calls": [{"name": "FindRestaurants", "arguments": {"city": "Oslo"},
                   "results": [{"restaurant_name": "The Blue Spoon"}], "found": 7}]}]}

Before that a row has the turns of its corpus (`corpora.corpus_schema`). Only the logs of the stages have rows as JSON,
without fields that have nothing to say, such as the thought of a turn that has none yet.

Settings count calls in a turn, as the official rows do, not tools in the dialogue. Dialogues of held-out topics go by a
name of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import MISSING, dataclass, fields
from typing import Any, Protocol, TypeAlias

from toolyard.benchmarks.mtu.data.rows import SETTINGS
from toolyard.benchmarks.mtu.data.sample import MtuTurn
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.task.prompt import history_text
from toolyard.core.types import JsonValue, Record, derived_seed
from toolyard.synth.stages import Context, Rejected, Row, Rows

TRAIN, HELD_OUT = "train", "ood"
ONE_TEST_ROW_OF = 10


class Calling(Protocol):
    """A turn, as far as settings go."""

    @property
    def calls(self) -> Sized: ...


def setting_of(turns: Sequence[Calling]) -> str:
    """The setting of a dialogue: one turn or several, at most one call in every turn or more in some."""
    return "-".join("SM"[several] for several in (len(turns) > 1, any(len(turn.calls) > 1 for turn in turns)))


def template_of(setting: str) -> str:
    """The name of the instructions for a turn of the setting."""
    return "instructions_single" if setting[2] == "S" else "instructions_multiple"


def past_text(setting: str, past: Iterable[MtuTurn]) -> str:
    """The past turns as prompts of the setting show them."""
    return history_text([*past], "observed" if setting[2] == "S" else "actions")


def shown_name(setting: str, split: str) -> str:
    """The name that ids and tables have: the setting's, or the one of the held-out topics."""
    return setting if split == TRAIN else SETTINGS[-1]


def split_of(topics: Iterable[str], held_out: Iterable[str]) -> str:
    """The side of a dialogue: it is held out whole where any of its topics is."""
    return TRAIN if set(topics).isdisjoint(held_out) else HELD_OUT


def in_test(origins: Sequence[str]) -> bool:
    """Whether a row is for evaluation and not for training: the first dialogue that it is made of decides, always alike."""
    return derived_seed(0, f"test/{origins[0]}", 0) % ONE_TEST_ROW_OF == 0


Values: TypeAlias = Record
Document: TypeAlias = Record
# Written also where they say nothing: stages look at them in the row itself.
_ALWAYS = frozenset({"assistant", "calls", "composed"})


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
    turns: tuple[DialogueTurn, ...]
    documents: Sequence[Document]
    others: Sequence[str]
    originals: Mapping[str, Sequence[str]]
    composed: str = ""
    setting: str = ""
    made_hard: str = ""
    hard: Sequence[Sequence[str]] = ()


def read_turns(row: Row) -> tuple[DialogueTurn, ...]:
    """The turns of a row."""
    return tuple(
        DialogueTurn(**{**turn, "calls": tuple(DialogueCall(**call) for call in turn["calls"])})
        for turn in row["turns"]
    )


def standard_row(row: Row) -> StandardRow:
    """A whole row in standard terms."""
    return StandardRow(**{**row, "turns": read_turns(row)})


def as_json(item: Any) -> dict[str, JsonValue]:
    """A call, a turn or a whole row as JSON."""
    made = {each.name: getattr(item, each.name) for each in fields(item)}
    empty = {
        each.name for each in fields(item) if each.default_factory is not MISSING and not made[each.name]
    }
    silent = {each.name for each in fields(item) if made[each.name] == each.default} | empty
    made = {name: value for name, value in made.items() if name not in silent - _ALWAYS}
    for name in made.keys() & {"turns", "calls"}:
        made[name] = all_as_json(made[name])
    return made


def all_as_json(items: Iterable[Any]) -> list[dict[str, JsonValue]]:
    """Calls or turns as JSON."""
    return [as_json(item) for item in items]


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
