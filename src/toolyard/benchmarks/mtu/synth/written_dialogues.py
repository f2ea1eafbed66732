"""Dialogues whose words were written by hand: their calls are executed, and replies quote what was returned.

    {"setting": "M-S", "spare": ["Category/Package/tool"], "turns": [
        {"user": "Is it warm in Oslo?", "calls": [{"Weather/...": {"q": "Oslo"}}], "reply": "{0.temperature_c} degrees."},
        {"user": "Thanks!", "why": "chat", "reply": "Any time."}]}

In arguments `@0.city` is a field of call 0 of the same turn, `#2.city` one of the first call of turn 2 and `#2:1.city` one
of its second; `#2/items[1].name` is a place in the whole result, `items[<price]` the entry with the lowest price and
`items[>price]` that with the highest. In replies `{0.city}` is a field of call 0 of the same turn, `{2:0.city}` one of call
0 of turn 2, `{0/items[1].name}` a place in the whole result, and a format may follow: `{0/result:,.2f}`, `{0.date:%B}`.
`alternatives` of a turn are those that rows may carry (`benchmarks.alternatives`); what they name is executed as well, and
what does the same is added.

`written/hard.yaml` has the dialogues of the hard set. They list many tools (`world.tool_documents`), their history shows
results as the tools return them, a call may fail (`fails: not_found`), and every call is needed: the reply or a later
call takes something from it.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any, cast

from toolyard.benchmarks.alternatives import FIELD as ALTERNATIVES
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import alternative_answers, fault
from toolyard.benchmarks.mtu.synth.world.pipeline import GRAMMAR, provenance
from toolyard.benchmarks.mtu.synth.world.subject_book import is_out_of_domain
from toolyard.benchmarks.mtu.synth.world.tool_documents import (
    called_tools,
    find_look_alikes,
    list_length,
    names,
    nearest_distractors,
    observed_result,
    tool_list,
)
from toolyard.core.errors import DataError
from toolyard.core.types import Failure, JsonValue, Record, derived_seed
from toolyard.synth.chains.chain import Argument, PlannedStep, ResultReference
from toolyard.synth.chains.execution import executed_call
from toolyard.synth.stages import Context, Each, Kept, Outcome, Pipeline, Rejected, Row, RowSource
from toolyard.synth.written_yaml import read_written
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.state import World

WRITTEN = Path(__file__).parent / "written" / "dialogues.yaml"
HARD = WRITTEN.with_name("hard.yaml")
_SEED = 0
_REPLY = re.compile(r"\{(?:(\d+):)?(\d+)(?:\.(\w+)|/([\w.\[\]<>]+))(?::([^{}]+))?\}")
_EARLIER = re.compile(r"#(\d+)(?::(\d+))?(?:\.(\w+)|/([\w.\[\]<>]+))")
_SAME_TURN = re.compile(r"@(\d+)\.(\w+)")
_PLACE = re.compile(r"[<>][\w.]+|\w+")
# The entries of a list that the history of a hard dialogue shows, as many as there is room for.
_ENTRIES = (12, 8, 5, 3)
_LONGEST_RESULT = 3000
_MANY_CALLS = 4
_THOUGHTS: Mapping[str, str] = {
    "missing": "Something that the tool requires has not been said yet, so I ask for it.",
    "exists": "The answer already stands in the conversation.",
    "chat": "Nothing is asked for that a tool could do.",
    "unable": "None of the tools can do this.",
    "undecided": "There is nothing to look up before the user has decided.",
    "confirm": "I should make sure that I understood before I call anything.",
}
# What a turn without a call is called in the hard set.
_KINDS: Mapping[str, str] = {"missing": "ask_back", "exists": "known_already", "unable": "missing_tool"}


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a call returned: the fields that observations show, and all of it."""

    shown: Record
    output: JsonValue


Seen = list[list[CallResult]]


def rows_by_hand(path: Path) -> Iterator[Row]:
    """The dialogues of a file as they were written."""
    for number, written in enumerate(read_written(path)):
        if "withdrawn" not in written:
            name = f"{written['setting']}/{number:03}"
            rng = Random(derived_seed(_SEED, f"length/{name}", 0))
            listed = list_length(number, rng) if path == HARD else 0
            yield {"id": name, "written": {**written, "listed": listed}}


def execute_row(row: Row, _context: Context) -> Outcome:
    """The dialogue with its calls executed and its replies filled in."""
    written = row["written"]
    hard = bool(written.get("listed"))
    outside = any(is_out_of_domain(tool) for turn in written["turns"] for tool in called_tools(turn))
    world = World.fresh(_SEED)
    seen: Seen = []
    try:
        if hard:
            _refuse_unneeded(written["turns"])
        made = {
            "setting": "OOD" if outside else written["setting"],
            "form": written["setting"],
            "hard": written.get("hard", "many_tools" if hard else ""),
            "turns": [_execute_turn(turn, world, seen, hard=hard) for turn in written["turns"]],
            "tools": _offered_tool_list(written, row["id"]),
            "inferred": [str(value) for value in written.get("inferred", ())],
        }
    except DataError as error:
        return Rejected("does_not_stand", str(error))
    found = fault({"id": row["id"], **made})
    return Kept(made) if found is None else Rejected(found.kind, found.detail)


def _execute_turn(turn: Record, world: World, seen: Seen, *, hard: bool) -> Record:
    """One turn with its calls executed; what they showed is added to `seen`."""
    here: list[CallResult] = []
    seen.append(here)
    calls, executed = [], []
    for entry in turn.get("calls", ()):
        tool, given = next(iter(entry.items()))
        arguments = {key: _resolve_value(value, seen) for key, value in given.items()}
        observation = call(world, tool, arguments)
        if observation.error != turn.get("fails"):
            raise DataError(f"{tool}: {observation.error or 'does not fail'}")
        failure = {"error": observation.error} if observation.error else {}
        output = json.loads(observation.text) if failure else observation.value
        here.append(CallResult(observed_result(tool, observation.value), output))
        executed.append({**executed_call(tool, arguments, observation.value, here[-1].shown), **failure})
        _run_otherwise(turn, arguments, seen)
        gold = {key: _gold_value(value, seen, turn) for key, value in given.items()}
        calls.append({"name": names()[tool], "arguments": gold})
    called = [names()[tool] for tool in called_tools(turn)]
    return {
        "user": turn["user"],
        "thought": f"What is needed for {' and '.join(called)} has been said."
        if called
        else _THOUGHTS[turn["why"]],
        "calls": calls,
        "observation": _observation_text(here, called if hard else ()),
        **({"kind": kind} if hard and (kind := _hard_type(turn, len(seen) - 1)) else {}),
        "assistant": _fill_reply(turn.get("reply", ""), seen),
        "situation": turn.get("why", "asked"),
        "executed": executed,
        **({ALTERNATIVES: accepted} if (accepted := _turn_alternatives(turn, seen)) else {}),
    }


def _observation_text(results: Sequence[CallResult], called: Sequence[str]) -> str:
    """What the history shows: of one call its fields; with the names of tools, all that they returned, lists cut."""
    if not called:
        return json.dumps(results[0].shown, ensure_ascii=False) if len(results) == 1 else ""
    shown = [_longest_text(result) for result in results]
    if len(shown) == 1:
        return shown[0]
    return "{" + ", ".join(f'"{name}": {text}' for name, text in zip(called, shown, strict=True)) + "}"


def _longest_text(result: CallResult) -> str:
    """The result as text, as full as there is room for; what the document promises where there is too little."""
    texts = (json.dumps(_shorten_lists(result.output, most), ensure_ascii=False) for most in _ENTRIES)
    fitting = (text for text in texts if len(text) <= _LONGEST_RESULT)
    return next(fitting, json.dumps(result.shown, ensure_ascii=False))


def _shorten_lists(output: JsonValue, most: int) -> JsonValue:
    if isinstance(output, list):
        return [_shorten_lists(item, most) for item in output[:most]]
    if isinstance(output, Mapping):
        return {key: _shorten_lists(value, most) for key, value in output.items()}
    return output


def _hard_type(turn: Record, place: int) -> str:
    """What makes a turn of the hard set hard, as it says itself or as its calls show; empty where nothing does."""
    if "kind" in turn or turn.get("why") in _KINDS:
        return str(turn.get("kind") or _KINDS[turn["why"]])
    arguments = json.dumps(turn.get("calls", ()))
    if len(turn.get("calls", ())) >= _MANY_CALLS:
        return "many_calls"
    if "[<" in arguments or "[>" in arguments:
        return "comparison"
    distances = [place - int(found[1]) for found in _EARLIER.finditer(arguments)]
    if max(distances, default=0) > 1:
        return "earlier_value"
    chained = "chained" if distances or _SAME_TURN.search(arguments) else ""
    return "failing_result" if "fails" in turn else chained


def _refuse_unneeded(turns: Sequence[Record]) -> None:
    """Refuses a call from which no reply and no later call takes anything: without it the dialogue would be the same."""
    taken = set()
    for place, turn in enumerate(turns):
        said, arguments = turn.get("reply", ""), json.dumps(turn.get("calls", ()))
        taken |= {(int(found[1] or place), int(found[2])) for found in _REPLY.finditer(said)}
        taken |= {(int(found[1]), int(found[2] or 0)) for found in _EARLIER.finditer(arguments)}
        taken |= {(place, int(number)) for number in re.findall(r"@(\d+)\.", arguments)}
        if "fails" in turn or "empty" in turn:
            taken.add((place, 0))
    for place, turn in enumerate(turns):
        for number, tool in enumerate(called_tools(turn)):
            if (place, number) not in taken:
                raise DataError(f"nothing is taken from {tool} in turn {place}")


def _run_otherwise(turn: Record, arguments: Record, seen: Seen) -> None:
    """Runs the latest call of the turn with every other value that is accepted for one of its parameters."""
    place = len(seen[-1]) - 1
    tool = called_tools(turn)[place]
    for other in turn.get(ALTERNATIVES, ()):
        for value in other.get("values", ()) if other.get("call") == place else ():
            varied = {**arguments, other["parameter"]: _resolve_value(value, seen)}
            observation = call(World.fresh(_SEED), tool, varied)
            if observation.error is not None:
                raise DataError(f"{tool} with {other['parameter']} {value!r}: {observation.error}")


def _turn_alternatives(turn: Record, seen: Seen) -> list[object]:
    """The alternatives as the row writes them: results of the same turn as `tool.field`, then all that does the same."""
    named = [
        {**other, "values": [_gold_value(value, seen, turn) for value in other["values"]]}
        if "values" in other
        else other
        for other in turn.get(ALTERNATIVES, ())
    ]
    return [*named, *(other for other in _equal_ways(turn, seen) if other not in named)]


def _equal_ways(turn: Record, seen: Seen) -> list[object]:
    """What does the same as the turn's calls; nothing is proved where they need what earlier turns changed."""
    steps = [
        PlannedStep(
            tool, {key: cast(Argument, _read(value, seen, ResultReference)) for key, value in given.items()}
        )
        for entry in turn.get("calls", ())
        for tool, given in entry.items()
    ]
    found = alternative_answers(steps, [names()[step.tool] for step in steps]) if steps else []
    return [] if isinstance(found, Failure) else found


def _resolve_value(given: JsonValue, seen: Seen) -> JsonValue:
    """The value that an argument stands for."""
    return cast(JsonValue, _read(given, seen, lambda place, field: _field(seen[-1][place].shown, field)))


def _gold_value(given: JsonValue, seen: Seen, turn: Record) -> JsonValue:
    """The value as an answer writes it: a result of the same turn as `tool.field`."""
    called = [names()[tool] for tool in called_tools(turn)]
    return cast(JsonValue, _read(given, seen, lambda place, field: f"{called[place]}.{field}"))


def _read(given: JsonValue, seen: Seen, same_turn: Callable[[int, str], object]) -> object:
    """An argument with the values of earlier turns in it, and what is made of a result of the same turn."""
    if isinstance(given, list):
        return [_read(item, seen, same_turn) for item in given]
    if isinstance(given, str) and (found := _SAME_TURN.fullmatch(given)):
        return same_turn(int(found[1]), found[2])
    if isinstance(given, str) and (found := _EARLIER.fullmatch(given)):
        return _value_in_result(seen[int(found[1])][int(found[2] or 0)], found[3], found[4])
    return given


def _value_in_result(result: CallResult, field: str | None, path: str) -> JsonValue:
    return _field(result.shown, field) if field else _value_at_path(result.output, path)


def _field(entry: Record, field: str) -> JsonValue:
    if field not in entry:
        raise DataError(f"nothing called {field!r} was shown, only {sorted(entry)}")
    found: JsonValue = entry[field]
    return found


def _fill_reply(reply: str, seen: Seen) -> str:
    def quote_match(found: re.Match[str]) -> str:
        turn = seen[int(found[1])] if found[1] else seen[-1]
        value: Any = _value_in_result(turn[int(found[2])], found[3], found[4])
        if not found[5]:
            return str(value)
        # A format can be applied to a moment, not to its text.
        return format(datetime.fromisoformat(value) if isinstance(value, str) else value, found[5])

    return _REPLY.sub(quote_match, reply)


def _value_at_path(output: JsonValue, path: str) -> JsonValue:
    """The value at a place such as `items[1].name`, or `items[<price].name` of the entry with the lowest price."""
    value: Any = output
    for part in _PLACE.findall(path):
        try:
            if part[0] in "<>":
                place = part[1:]
                value = (min if part[0] == "<" else max)(
                    value, key=lambda entry: cast(Any, _value_at_path(entry, place))
                )
            else:
                value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise DataError(f"nothing was returned at {path!r}") from error
    return cast(JsonValue, value)


def _offered_tool_list(written: Record, name: str) -> list[dict[str, object]]:
    """The documents of all tools that are called, of the spare ones and of look-alikes, in an order of chance."""
    used: dict[str, set[str]] = {}
    for entry in (entry for turn in written["turns"] for entry in turn.get("calls", ())):
        for tool, given in entry.items():
            used.setdefault(tool, set()).update(given)
    for tool in (*used, *written.get("spare", ()), *written.get("lacks", ())):
        if tool not in names():
            raise DataError(f"{tool} cannot be listed")
    rng = Random(derived_seed(_SEED, f"written/{name}", 0))
    if written.get("listed"):
        said = " ".join(turn["user"] for turn in written["turns"])
        spare = nearest_distractors(list(used), written.get("lacks", ()), said, written.get("listed", 0), rng)
    else:
        spare = [*written["spare"], *find_look_alikes(written["turns"], [*used, *written["spare"]])]
    return tool_list(used, used, names(), spare, rng)


def _make_pipeline(name: str, path: Path) -> Pipeline:
    gives = ("setting", "form", "hard", "turns", "tools", "inferred")
    stages = (
        RowSource("rows", 2, ("written",), lambda _: rows_by_hand(path), files=lambda _: [path]),
        Each("execute", 5, ("written",), gives, execute_row),
    )
    words = provenance("User turns and replies were written by hand; what replies quote was returned.")
    return replace(GRAMMAR, name=name, stages=stages, provenance=words, rows=0)


BY_HAND = _make_pipeline("written", WRITTEN)
HARD_BY_HAND = _make_pipeline("hard", HARD)
