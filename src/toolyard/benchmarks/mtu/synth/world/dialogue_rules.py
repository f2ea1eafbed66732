"""What a finished dialogue must hold: it loads, its gold can be known, and its calls return what is stored."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence

from toolyard.benchmarks.alternatives import FIELD as ALTERNATIVES
from toolyard.benchmarks.mtu.audit import CHECKS
from toolyard.benchmarks.mtu.data import RawRow, build
from toolyard.benchmarks.mtu.sample import MtuSample
from toolyard.benchmarks.mtu.synth.world.rows_text import answer, question
from toolyard.benchmarks.mtu.synth.world.tool_documents import parameter_schema
from toolyard.benchmarks.mtu.synth.world.words import said_value
from toolyard.core.types import Failure, JsonValue, Record
from toolyard.synth.chains.execution import execution_line, holds
from toolyard.world.kernel.schema import Schema
from toolyard.world.kernel.state import EPOCH

TODAY = EPOCH.date()
# The longest of the released M-S dialogues has more; ours stay readable.
LONGEST = 9
# As many as the released S-M turns have.
MOST_CALLS = 8
_HISTORY = ("user", "thought", "calls", "observation", "assistant")


def rows_of(dialogue: Record, number: int) -> list[dict[str, JsonValue]]:
    """The benchmark rows of one dialogue, a row per turn."""
    setting, turns = dialogue["setting"], dialogue["turns"]
    form = dialogue.get("form", setting)
    past = [{key: turn[key] for key in _HISTORY} for turn in turns]
    found = []
    for place, turn in enumerate(turns):
        calls = {entry["name"]: entry["arguments"] for entry in turn["calls"]}
        found.append(
            {
                "id": f"{setting}_{number}" + ("" if setting[0] == "S" else f"_{place}"),
                "question": question(form, dialogue["tools"], past[:place], turn["user"], TODAY),
                "answer": answer(form, calls),
                "difficulty": "hard" if dialogue["hard"] else "normal",
                "hard_type": dialogue["hard"],
                "situation": turn["situation"],
                **({"kind": turn["kind"]} if turn.get("kind") else {}),
                **({"inferred": dialogue["inferred"]} if dialogue.get("inferred") else {}),
                **({ALTERNATIVES: turn[ALTERNATIVES]} if turn.get(ALTERNATIVES) else {}),
            }
        )
    return found


def samples_of(rows: Sequence[Record], setting: str) -> list[MtuSample]:
    """The rows as the benchmark loads them."""
    raw = [
        RawRow(
            row["id"], row["question"], row["answer"], row["difficulty"], row["id"],
            inferred=tuple(row.get("inferred", ())), alternatives=row.get(ALTERNATIVES),
        )
        for row in rows
    ]  # fmt: skip
    return build(raw, setting)


def fault(dialogue: Record) -> Failure | None:
    """The first thing that does not hold in a dialogue; its `inferred` values need not be said word for word."""
    rows = rows_of(dialogue, 0)
    if not obeys(
        dialogue.get("form", dialogue["setting"]), [len(turn["calls"]) for turn in dialogue["turns"]]
    ):
        return Failure("wrong_setting", dialogue["setting"])
    samples = samples_of(rows, dialogue["setting"])
    return next(_faults(dialogue, samples), None) or (
        None if holds(execution_of(dialogue, "")) else Failure("not_reproducible", dialogue["id"])
    )


def obeys(setting: str, calls: Sequence[int]) -> bool:
    """Whether the numbers of calls per turn are those of the setting (specification 6)."""
    if setting == "S-S":
        return len(calls) == 1 and calls[0] <= 1
    if setting == "S-M":
        return len(calls) == 1 and 2 <= calls[0] <= MOST_CALLS
    most = max(calls)
    return 2 <= len(calls) <= LONGEST and (most == 1 if setting == "M-S" else most >= 2)


def _faults(dialogue: Record, samples: Sequence[MtuSample]) -> Iterator[Failure]:
    for place, (sample, turn) in enumerate(zip(samples, dialogue["turns"], strict=True)):
        if sample.input["user"] != turn["user"] or len(sample.input["history"]) != place:
            yield Failure("unreadable_question", turn["user"][:80])
        for past, mentioned in zip(sample.input["history"], dialogue["turns"], strict=False):
            if past["calls"] != mentioned["calls"] or past["assistant"] != mentioned["assistant"]:
                yield Failure("unreadable_history", past["assistant"][:80])
        unknown = next(underivable(dialogue, place), None)
        if unknown is not None:
            yield Failure("underivable_value", unknown)
        for check in CHECKS:
            for finding in check(sample):
                yield Failure("audit", finding.what[:120])


def underivable(dialogue: Record, place: int) -> Iterator[str]:
    """The gold values of a turn that nobody has said: neither as they are nor by a rule of `world_words`.

    Documents do not count: a choice that is only listed there is a guess.
    """
    turns = dialogue["turns"]
    heard = [
        text for turn in turns[:place] for text in (turn["user"], turn["assistant"], turn["observation"])
    ]
    known = "\n".join([*heard, turns[place]["user"]]).casefold()
    documents = {document["name"]: document for document in dialogue["tools"]}
    called: set[str] = set()
    for entry, executed in zip(turns[place]["calls"], turns[place]["executed"], strict=True):
        for name, value in entry["arguments"].items():
            schema = parameter_schema(executed["tool"], name)
            for leaf in value if isinstance(value, list) else [value]:
                said = _referred(leaf, called, documents) or _heard(leaf, schema, known)
                if not said and str(leaf) not in dialogue.get("inferred", ()):
                    yield f"{entry['name']}.{name} = {leaf!r}"
        called.add(entry["name"])


def _referred(leaf: JsonValue, called: Collection[str], documents: Record) -> bool:
    """Whether the value is a result of an earlier call of the turn, by a name that its document lists."""
    tool, dot, field = str(leaf).partition(".")
    return (
        bool(dot)
        and tool in called
        and any(result["name"] == field for result in documents[tool]["result_parameters"])
    )


def _heard(leaf: JsonValue, schema: Schema, known: str) -> bool:
    if isinstance(leaf, bool):
        return str(leaf).lower() in known
    forms = (str(leaf), str(said_value(schema, leaf)), json.dumps(leaf, ensure_ascii=False).strip('"'))
    return any(form.casefold() in known for form in forms)


def execution_of(dialogue: Record, name: str) -> dict[str, JsonValue]:
    """All calls of a dialogue as they ran, one after the other in one world."""
    seed = dialogue["chain"]["seed"] if "chain" in dialogue else 0
    return execution_line(name, seed, (entry for turn in dialogue["turns"] for entry in turn["executed"]))
