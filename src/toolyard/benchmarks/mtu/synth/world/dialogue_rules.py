"""Rows of a finished dialogue, what they must hold, and the tables of their card.

    question("M-S", documents, [{"user": "A bus to Bergen.", "thought": "...", "calls": [...], ...}], "On Friday.")

Tool lists are Python literals in S-S and M-S and JSON in S-M and M-M, as in the released files; histories come in
the two forms that `prompt.history_text` writes. A dialogue holds where it loads, its gold can be known, and its calls
return what is stored.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

from toolyard.benchmarks.alternatives import FIELD as ALTERNATIVES
from toolyard.benchmarks.mtu.data.audit import CHECKS
from toolyard.benchmarks.mtu.data.rows import SETTINGS, RawRow, build_samples
from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.data.statistics import sample_tables
from toolyard.benchmarks.mtu.synth.world.dialogue_sentences import said_value
from toolyard.benchmarks.mtu.synth.world.tool_documents import parameter_schema
from toolyard.benchmarks.mtu.task.prompt import history_text
from toolyard.core.benchmark import Table
from toolyard.core.types import Failure, JsonValue, Record
from toolyard.synth.chains.chain import Argument, PlannedStep, ResultReference, execute
from toolyard.synth.chains.execution import execution_holds, execution_line
from toolyard.synth.goals.accepts import Accepts, accepted_alternatives
from toolyard.synth.stages import Context, Rows
from toolyard.text.templates import render
from toolyard.world.kernel.schema import Schema
from toolyard.world.kernel.state import EPOCH, World

_TEMPLATES = Path(__file__).parents[1] / "templates"
INSTRUCTIONS = {
    calls: (_TEMPLATES / f"row_{name}.txt").read_text(encoding="utf-8")
    for calls, name in (("S", "single"), ("M", "multiple"))
}


def prompt_head(setting: str, documents: Sequence[Any], today: date) -> str:
    """What stands before the dialogue in every prompt of S-S, S-M, M-S or M-M."""
    instructions = render(INSTRUCTIONS[setting[2]], {"today": f"{today:%A}, {today.isoformat()}"}).strip()
    listed = repr([*documents]) if setting[2] == "S" else json.dumps([*documents], ensure_ascii=False)
    return f"\n{instructions}\nTools with their parameters:\n{listed}\n"


def question(setting: str, documents: Sequence[Any], history: Sequence[Any], user: str, today: date) -> str:
    """The whole prompt of one turn."""
    before = prompt_head(setting, documents, today)
    if setting[0] == "S":
        return f"{before}User: {user}"
    past = history_text([*history], "observed" if setting[2] == "S" else "actions")
    label = "User: " if setting[2] == "S" else "User:  "
    return f"{before}History Dialog: \n" + (f"{past}\n" if past else "") + label + user


def gold_answer(setting: str, calls: Mapping[str, Record]) -> dict[str, Any]:
    """The gold answer in the spelling of the setting: M-M says "no call" as `{}`, the others as `{"": {}}`."""
    if calls:
        return {name: dict(arguments) for name, arguments in calls.items()}
    return {} if setting == "M-M" else {"": {}}


TODAY = EPOCH.date()
# The longest of the released M-S dialogues has more; ours stay readable.
LONGEST = 9
# As many as the released S-M turns have.
MOST_CALLS = 8
_HISTORY = ("user", "thought", "calls", "observation", "assistant")


def dialogue_rows(dialogue: Record, number: int) -> list[dict[str, JsonValue]]:
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
                "answer": gold_answer(form, calls),
                "difficulty": "hard" if dialogue["hard"] else "normal",
                "hard_type": dialogue["hard"],
                "situation": turn["situation"],
                **({"reply": turn["assistant"]} if turn["situation"] == "exists" else {}),
                **({"kind": turn["kind"]} if turn.get("kind") else {}),
                **({"inferred": dialogue["inferred"]} if dialogue.get("inferred") else {}),
                **({ALTERNATIVES: turn[ALTERNATIVES]} if turn.get(ALTERNATIVES) else {}),
            }
        )
    return found


@dataclass(slots=True, kw_only=True)
class Talk:
    """The turns of a dialogue so far, in one world; `called` are the names of its tools."""

    called: Mapping[str, str]
    observed: bool
    rng: Random
    world: World
    turns: list[dict[str, Any]] = field(default_factory=list)

    def say(
        self, situation: str, user: str, thought: str, assistant: str, calls: Any = (), executed: Any = ()
    ) -> None:
        """One more turn; the history shows what its first call returned where the setting does so."""
        shown = executed and self.observed
        observation = json.dumps(executed[0]["result"], ensure_ascii=False) if shown else ""
        self.turns.append({
            "user": user, "thought": thought, "calls": [*calls], "observation": observation, "assistant": assistant,
            "situation": situation, "executed": [*executed],
        })  # fmt: skip


def small_talk(
    situation: str, thought: str, exchanges: Sequence[tuple[str, str]]
) -> Callable[[Talk, object], None]:
    """A move in which nothing is called: one of the exchanges."""

    def move(talk: Talk, part: object) -> None:  # noqa: ARG001 - the signature of every move
        user, assistant = talk.rng.choice(exchanges)
        talk.say(situation, user, thought, assistant)

    return move


def gold_arguments(arguments: Mapping[str, Argument], called: Sequence[str]) -> dict[str, Any]:
    """The arguments as an answer writes them: results of an earlier call of the turn as `tool.field`."""

    def write_value(given: Argument) -> object:
        if isinstance(given, list):
            return [write_value(each) for each in given]
        return f"{called[given.step]}.{given.field}" if isinstance(given, ResultReference) else given

    return {name: write_value(given) for name, given in arguments.items()}


def alternative_answers(
    plan: Sequence[PlannedStep], called: Sequence[str], accepts: Accepts = ()
) -> list[Any] | Failure:
    """What else is right about the calls of a turn."""
    chain = execute(plan)
    if isinstance(chain, Failure):
        return chain

    def whole(place: int, arguments: Mapping[str, Argument]) -> Any:
        return {"tool": called[place], "parameters": gold_arguments(arguments, called)}

    return accepted_alternatives(chain, accepts, whole)


def rows_to_samples(rows: Sequence[Record], setting: str) -> list[MtuSample]:
    """The rows as the benchmark loads them."""
    raw = [
        RawRow(
            row["id"], row["question"], row["answer"], row["difficulty"], row["id"],
            inferred=tuple(row.get("inferred", ())), alternatives=row.get(ALTERNATIVES),
        )
        for row in rows
    ]  # fmt: skip
    return build_samples(raw, setting)


def fault(dialogue: Record) -> Failure | None:
    """The first thing that does not hold in a dialogue; its `inferred` values need not be said word for word."""
    rows = dialogue_rows(dialogue, 0)
    if not obeys_setting(
        dialogue.get("form", dialogue["setting"]), [len(turn["calls"]) for turn in dialogue["turns"]]
    ):
        return Failure("wrong_setting", dialogue["setting"])
    samples = rows_to_samples(rows, dialogue["setting"])
    return next(_dialogue_faults(dialogue, samples), None) or (
        None if execution_holds(execution_of(dialogue, "")) else Failure("not_reproducible", dialogue["id"])
    )


def obeys_setting(setting: str, calls: Sequence[int]) -> bool:
    """Whether the numbers of calls per turn are those of the setting (specification 6)."""
    if setting == "S-S":
        return len(calls) == 1 and calls[0] <= 1
    if setting == "S-M":
        return len(calls) == 1 and 2 <= calls[0] <= MOST_CALLS
    most = max(calls)
    return 2 <= len(calls) <= LONGEST and (most == 1 if setting == "M-S" else most >= 2)


def _dialogue_faults(dialogue: Record, samples: Sequence[MtuSample]) -> Iterator[Failure]:
    for place, (sample, turn) in enumerate(zip(samples, dialogue["turns"], strict=True)):
        if sample.input["user"] != turn["user"] or len(sample.input["history"]) != place:
            yield Failure("unreadable_question", turn["user"][:80])
        for past, mentioned in zip(sample.input["history"], dialogue["turns"], strict=False):
            if past["calls"] != mentioned["calls"] or past["assistant"] != mentioned["assistant"]:
                yield Failure("unreadable_history", past["assistant"][:80])
        unknown = next(underivable_values(dialogue, place), None)
        if unknown is not None:
            yield Failure("underivable_value", unknown)
        for check in CHECKS:
            for finding in check(sample):
                yield Failure("audit", finding.what[:120])


def underivable_values(dialogue: Record, place: int) -> Iterator[str]:
    """The gold values of a turn that were not said, neither literally nor by a rule of `world_words`.

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
                said = _is_earlier_result(leaf, called, documents) or _is_said_before(leaf, schema, known)
                if not said and str(leaf) not in dialogue.get("inferred", ()):
                    yield f"{entry['name']}.{name} = {leaf!r}"
        called.add(entry["name"])


def _is_earlier_result(leaf: JsonValue, called: Collection[str], documents: Record) -> bool:
    """Whether the value is a result of an earlier call of the turn, by a name that its document lists."""
    tool, dot, field = str(leaf).partition(".")
    return (
        bool(dot)
        and tool in called
        and any(result["name"] == field for result in documents[tool]["result_parameters"])
    )


def _is_said_before(leaf: JsonValue, schema: Schema, known: str) -> bool:
    if isinstance(leaf, bool):
        return str(leaf).lower() in known
    forms = (str(leaf), str(said_value(schema, leaf)), json.dumps(leaf, ensure_ascii=False).strip('"'))
    return any(form.casefold() in known for form in forms)


def execution_of(dialogue: Record, name: str) -> dict[str, JsonValue]:
    """All calls of a dialogue, executed in order in one world."""
    seed = dialogue["chain"]["seed"] if "chain" in dialogue else 0
    return execution_line(name, seed, (entry for turn in dialogue["turns"] for entry in turn["executed"]))


def tables(rows: Rows, context: Context) -> tuple[Table, ...]:  # noqa: ARG001 - the signature of every pipeline
    """The tables of the card."""
    counts: dict[str, Counter[str]] = {setting: Counter() for setting in SETTINGS}
    samples = []
    for number, row in enumerate(rows):
        samples += rows_to_samples(dialogue_rows(row, number), row["setting"])
        counts[row["setting"]].update(turn["situation"] for turn in row["turns"])
    known = sorted({situation for count in counts.values() for situation in count})
    lines = tuple((name, *(count[name] for count in counts.values())) for name in known)
    return (*sample_tables(samples), Table("Turns by situation", ("situation", *SETTINGS), lines))
