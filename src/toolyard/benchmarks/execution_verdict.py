"""Verdict by execution: what the runner is asked about an answer that the value rules refuse, and what its evidence says.

A set made from the world has `execution.jsonl` beside its rows: one line per row or dialogue, with the tools of the gold
calls by their ids. Where an answer calls gold's tools and passes every value that gold passes, the question goes to the
runner, which executes both plans. Nothing here executes anything.

    {"seed": 0, "before": [...], "gold": [...], "calls": [{"tool": "Weather/weatherapi/forecast", "place": 1,
     "arguments": {"q": "API_call_0", "days": 3}, "labels": {"API_call_0": [0, "city"]}}]}

`before` are the calls of earlier turns, `place` is the gold call that a call stands for, and a label names the return
value of an earlier call (counted from the first of `before`).
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypedDict

import orjson

from toolyard.benchmarks.user_files import json_lines, read_json
from toolyard.core.declared_world import CLOCK, FIRST_VERSION, VERSION
from toolyard.core.errors import DataError
from toolyard.core.nesting import texts_in
from toolyard.core.types import Evidence, JsonValue, Question, Record
from toolyard.core.untrusted.json_safe import json_safe
from toolyard.text.canonical_values import are_other_numbers, to_canonical, values_equal
from toolyard.text.json_values import leaves
from toolyard.text.paraphrase import STOP_WORDS, words_of

EXECUTION = "execution"
EXECUTION_FILE = "execution.jsonl"
MANIFEST_FILE = "synth.json"
# A longer plan is not executed: the longest plan of gold has some 4,000 characters.
MOST_CHARACTERS = 20_000
MOST_MORE = 2
SHORT_TEXT = 200
TODAY = CLOCK.date()
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# "2024-04-01", "2024/4/1", "20240401T0930"
_DAY = re.compile(
    r"(?<!\d)(?=\d{8}(?!\d)|\d{4}[-/.])(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?!\d)(?:t(\d\d):?(\d\d))?"
)
_ANY_DAY = re.compile(r"\bany day of (?:the|that|a) month\b", re.IGNORECASE)
# What stands between these is a part of its own: a folder, a country after its city.
_BETWEEN_PARTS = re.compile(r"[/\\,()]")
# What an airport, a team or an alliance goes by: "NBO", "*A"
_CODE = re.compile(r"[*]?[A-Z][A-Z0-9]{0,4}")
# "10 unless told", "euros (EUR) if left out", "latest by default"; "default: en", "otherwise today"
_DEFAULT_BEFORE = re.compile(
    r"\bunless\b|\bby default\b|\((?:the )?default\)|\b(?:if|when|where) (?:it is )?(?:left out|omitted|not given|absent)\b",
    re.IGNORECASE,
)
_DEFAULT_AFTER = re.compile(
    r"\b(?:defaults? (?:to|value|is)|default|otherwise|without it)\b[\s:=]*", re.IGNORECASE
)


class WorldRow(TypedDict):
    """How a row's gold was executed: the seed of its world, the calls of earlier turns, and the ids of gold's tools."""

    seed: int
    before: Sequence[Record]
    tools: list[str]


@dataclass(frozen=True, slots=True)
class StatedCall:
    """A call as it may be executed: its tool, what it states, and the return values that its texts refer to.

    `used` names what of its result counts, where that is not all; with a `key`, where that is one of these values.
    """

    tool: Hashable
    arguments: Mapping[str, JsonValue]
    labels: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    used: tuple[str, ...] = ()
    key: str = ""


def is_executable(folder: Path) -> bool:
    """Whether the set keeps how its gold was executed, in the world of this version."""
    manifest = folder / MANIFEST_FILE
    if not (folder / EXECUTION_FILE).is_file() or not manifest.is_file():
        return False
    made = read_json(manifest, "wanted one JSON object")
    return isinstance(made, dict) and str(made.get("world", FIRST_VERSION)) == VERSION


def executed_lines(folder: Path) -> dict[str, Record]:
    """The lines of `execution.jsonl` by id; none where there is no such file, or the set is of another world."""
    found: dict[str, Record] = {}
    if not is_executable(folder):
        return found
    for where, line in json_lines(folder / EXECUTION_FILE, "wanted id, seed and calls"):
        if not isinstance(line, dict) or not _is_executed(line):
            raise DataError(f"{where}: wanted id, seed and calls with tool and arguments")
        found[str(line["id"])] = line
    return found


def _is_executed(line: Record) -> bool:
    calls = line.get("calls")
    return (
        "id" in line
        and type(line.get("seed")) is int
        and isinstance(calls, list)
        and all(
            isinstance(call, dict)
            and isinstance(call.get("tool"), str)
            and isinstance(call.get("arguments"), dict)
            for call in calls
        )
    )


def world_row(line: Record | None, before: int, number: int) -> WorldRow | None:
    """How so many gold calls were executed after the first so many of a line; None where the line does not hold them."""
    calls = [] if line is None else line["calls"]
    if line is None or len(calls) < before + number:
        return None
    earlier = [{"tool": call["tool"], "arguments": call["arguments"]} for call in calls[:before]]
    tools = [call["tool"] for call in islice(calls, before, before + number)]
    return WorldRow(seed=line["seed"], before=earlier, tools=tools)


def execution_question(
    row: WorldRow,
    gold: Sequence[StatedCall],
    given: Iterable[StatedCall],
    places: Sequence[int],
    unstated: Callable[[int, StatedCall], str],
) -> tuple[Question, ...]:
    """What is to be executed; nothing where a wish is not stated, or the plan is too long.

    `places` are the gold calls that the given ones stand for.
    """
    calls = []
    for place, call in zip(places, given, strict=True):
        if unstated(place, call):
            return ()
        instead = _literals_for_results(gold[place], call)
        calls.append({**_call_record(call, row, place), **({"instead": instead} if instead else {})})
    plan = {
        "seed": row["seed"],
        "before": row["before"],
        "gold": [_call_record(call, row, place) for place, call in enumerate(gold)],
        "calls": calls,
    }
    text = orjson.dumps(json_safe(plan)).decode()
    return (Question(EXECUTION, "execution", text=text),) if len(text) <= MOST_CHARACTERS else ()


def _call_record(call: StatedCall, row: WorldRow, place: int) -> dict[str, JsonValue]:
    return {
        "tool": row["tools"][place],
        "place": place,
        "arguments": dict(call.arguments),
        **({"labels": {name: list(source) for name, source in call.labels.items()}} if call.labels else {}),
        **({"used": call.used} if call.used else {}),
        **({"key": call.key} if call.used and call.key else {}),
    }


def _literals_for_results(gold: StatedCall, given: StatedCall) -> list[JsonValue]:
    """The texts that stand where gold takes a result, each with the call and the name of that result."""
    return [
        [value, *gold.labels[label]]
        for name, value in given.arguments.items()
        if isinstance(label := gold.arguments.get(name), str) and label in gold.labels
        if isinstance(value, str) and not _refers_to_label(value, given)
    ]


def used_names(plan: Sequence[StatedCall], place: int, before: int = 0) -> tuple[str, ...]:
    """The return values of the call in that place that other calls of the plan take."""
    sources = [source for call in plan for source in call.labels.values()]
    return tuple(sorted({name for index, name in sources if index == before + place}))


class OutcomeVerdict(NamedTuple):
    """Whether an answer does what was asked, None where nobody knows, and why not."""

    right: bool | None
    reason: str = ""


def executed_verdict(refusal: str, evidence: Evidence | None) -> OutcomeVerdict:
    """The verdict on an answer: right where the value rules refuse nothing, or where execution shows no difference."""
    if not refusal or evidence is None:
        return OutcomeVerdict(not refusal, refusal)
    if evidence.error is not None:
        return OutcomeVerdict(None, evidence.error.detail)
    differs = executed_reason(evidence)
    return OutcomeVerdict(not differs, f"{refusal}; {differs}" if differs else "")


def executed_reason(evidence: Evidence) -> str:
    """Why the executed calls do not do what gold's do; empty where they do."""
    try:
        found = orjson.loads(evidence.reply)
        for seed, seen in found["seeds"].items():
            for want, call in zip(seen["gold"], seen["calls"], strict=True):
                if call["error"]:
                    return f"executed, {call['tool']} fails: {call['error']}"
                for text, result in call.get("instead", ()):
                    if _is_only_part(text, result):
                        return f"executed, {text!r} is a part of the result {result!r} only"
                if call["output"] != want["output"]:
                    return f"executed with seed {seed}, {call['tool']} returns something else"
            if seen["state"]["gold"] != seen["state"]["calls"]:
                return f"executed with seed {seed}, the calls leave another state"
        return "" if found["seeds"] else "executed, gold returns nothing to compare with"
    except (KeyError, TypeError, ValueError, AttributeError):
        return "the evidence of the execution cannot be read"


def _is_only_part(text: str, result: JsonValue) -> bool:
    """Whether a text says less than the result that it stands for, such as the subject of a title."""
    parts = _BETWEEN_PARTS.split(result) if isinstance(result, str) else []
    return _loses_words(result, text, str(result)) and not any(
        values_equal(part, text) for part in parts if part
    )


def stated_values(plan: Sequence[StatedCall]) -> tuple[JsonValue, ...]:
    """What gold's calls state outright: the request says it, so it may also stand where gold takes it from a result."""
    return tuple(
        value
        for call in plan
        for value in call.arguments.values()
        if isinstance(value, str) and not _refers_to_label(value, call)
    )


def unstated_wish(
    gold: StatedCall,
    given: StatedCall,
    document: Mapping[str, Record],
    plan: Sequence[StatedCall] = (),
    request: str = "",
) -> str:
    """The argument of gold that the call does not state; empty where it states all, but for documented defaults.

    What `plan`, the gold calls, states in other places may stand for a result, such as the name of a file that an earlier
    call makes; but two calls' values of one parameter are two wishes. A word that gold and the `request` state is a part
    of the wish.
    """
    said = stated_values(plan) if gold.labels else ()
    spare = [name for name in given.arguments if name not in gold.arguments]
    for name, value in gold.arguments.items():
        entry = document.get(name, {})
        if name in given.arguments:
            ours = given.arguments[name]
            if not _may_state_wish(value, ours, entry, gold, given) and not (
                _refers_to_label(value, gold) and ours in said
            ):
                return name
            literal = (
                ours != value and not _refers_to_label(value, gold) and not _refers_to_label(ours, given)
            )
            others = [call.arguments.get(name) for call in plan] if literal else []
            if literal and _loses_words(value, ours, request):
                return name
            if any(_is_other_wish(value, other, ours) for other in others):
                return name
        elif is_documented_default(entry, value):
            continue
        else:
            stands = [each for each in spare if _states_elsewhere(value, each, gold, given, said)]
            if sum(value in call.arguments.values() for call in plan) > 1:
                # What is found by the same words in another call, such as the id of a name.
                stands += [each for each in spare if _refers_to_label(given.arguments[each], given)]
            if not stands:
                return name
            spare.remove(stands[0])
    return ""


def _is_other_wish(gold: JsonValue, other: JsonValue, given: JsonValue) -> bool:
    """Whether a text says what another call says in its place, instead of gold's or beside it."""
    if not (isinstance(gold, str) and isinstance(other, str) and isinstance(given, str)):
        return False
    wanted, more, found = _telling_words(gold), _telling_words(other), _telling_words(given)
    return bool(more) and not wanted & more and (found == more or wanted | more <= found)


def _loses_words(gold: JsonValue, given: JsonValue, request: str) -> bool:
    """Whether a part of a name stands for it, though the request states the other part as well."""
    if not (isinstance(gold, str) and isinstance(given, str)):
        return False
    wanted, found = _telling_words(gold), _telling_words(given)
    return bool(found) and found < wanted and bool((wanted - found) & _telling_words(request))


def _states_elsewhere(
    value: JsonValue, name: str, gold: StatedCall, given: StatedCall, said: Sequence[JsonValue]
) -> bool:
    """Whether another parameter states gold's wish: in its words, by its code, or as what is returned by that name."""
    ours = given.arguments[name]
    if _refers_to_label(value, gold) and not _refers_to_label(ours, given):
        returned = {source[1] for label, source in gold.labels.items() if label in texts_in(value)}
        return name in returned and ours in said
    if not _may_state_wish(value, ours, {}, gold, given):
        return False
    # Nothing else tells what it is for.
    return _shares_words(value, ours) or any(
        _is_name(name) and _is_code(code) and not _is_code(name)
        for name, code in ((value, ours), (ours, value))
    )


def _shares_words(gold: JsonValue, given: JsonValue) -> bool:
    return values_equal(given, gold, TODAY) or bool(_telling_words(gold) & _telling_words(given))


def _may_state_wish(
    gold: JsonValue, given: JsonValue, entry: Record, want: StatedCall, call: StatedCall
) -> bool:
    """Whether the value may state gold's wish: nothing is lost of it, and execution decides whether it means the same."""
    if _refers_to_label(gold, want):
        # What a call returns is not known without it.
        return _refers_to_label(given, call)
    if _refers_to_label(given, call) or values_equal(given, gold, TODAY):
        return True
    if (
        isinstance(gold, list | dict)
        and isinstance(given, list | tuple | dict)
        and not [*leaves([gold, given])]
    ):
        return True
    if isinstance(gold, list) and isinstance(given, list | tuple):
        return len(gold) == len(given) and all(
            any(_may_state_wish(item, each, entry, want, call) for each in given) for item in gold
        )
    if isinstance(given, list | tuple) and len(given) == 1:
        given = given[0]
    if not isinstance(gold, str) or not isinstance(given, str):
        return False
    if _ANY_DAY.search(str(entry.get("description", ""))):
        gold, given = (_DAY.sub(r"\1-\3", text) for text in (gold, given))
    return (
        _has_all_numbers(gold, given)
        and not are_other_numbers(gold, given)
        and _keeps_words(gold, given)
        and not _is_other_choice(gold, given, entry)
    )


def _refers_to_label(value: JsonValue, call: StatedCall) -> bool:
    if not call.labels:
        return False
    return any(label in text for text in texts_in(value) for label in call.labels)


def _has_all_numbers(gold: str, given: str) -> bool:
    """Whether every number of gold is in the value, where that has any: `2024-06-03` in `20240603T0900`."""
    days, ours = (
        [match.group(1, 3, 4) for match in _DAY.finditer(_canonical(text))] for text in (gold, given)
    )
    if days and ours and [[*map(int, day)] for day in days] != [[*map(int, day)] for day in ours]:
        return False
    wanted, found = (_count_numbers(value) for value in (gold, given))
    return not found or (bool(wanted) and wanted <= found)


def _canonical(text: str) -> str:
    return str(to_canonical(text, TODAY)[-1])


def _count_numbers(text: str) -> Counter[float]:
    """The numbers of a text but for zeros: a day begins at 00:00."""
    said = _DAY.sub(
        lambda found: " ".join(part for part in found.group(1, 3, 4, 5, 6) if part), _canonical(text)
    )
    return Counter(number for number in map(float, islice(_NUMBER.findall(said), 50)) if number)


def _telling_words(value: JsonValue) -> frozenset[str]:
    """The telling words of a value, singular and plural alike."""
    text = value if isinstance(value, str) else "\n".join(texts_in(value))
    return _short_text_words(text) if len(text) <= SHORT_TEXT else _text_words(text)


def _text_words(text: str) -> frozenset[str]:
    words = frozenset(words_of(text))
    return frozenset(word.removesuffix("s") for word in words - STOP_WORDS) or words


# Gold's values are compared with those of every answer.
_short_text_words = lru_cache(maxsize=8192)(_text_words)


def _keeps_words(gold: JsonValue, given: JsonValue) -> bool:
    """Whether no word of gold is lost, or all are said in other ones; what follows a comma only explains a name."""
    wanted, found = _telling_words(gold), _telling_words(given)
    # The entity of a name may be found by a part of it, or by its code.
    if _is_name(gold) and ((found and found < wanted) or _is_code(given)):
        return True
    # A whole request pasted into a search is no statement of what is searched for.
    if sum(len(words_of(text)) for text in texts_in(given)) > MOST_MORE * (1 + len(wanted)):
        return False
    if isinstance(gold, str) and "," in gold and _telling_words(gold.partition(",")[0]) <= found:
        return True
    return wanted <= found or not (wanted & found or found <= STOP_WORDS)


def _is_name(value: JsonValue) -> bool:
    """Whether every telling word begins with a capital: "Hungarian Grand Prix"."""
    words = str(value).split() if isinstance(value, str) else []
    return bool(words) and all(word[0].isupper() for word in words if word.casefold() not in STOP_WORDS)


def _is_code(value: JsonValue) -> bool:
    return isinstance(value, str) and _CODE.fullmatch(value) is not None


def _is_other_choice(gold: str, given: str, entry: Record) -> bool:
    """Whether the document knows both as choices of the parameter, in its list or in its words, and they differ."""
    listed = entry.get("choices") or entry.get("enum")
    choices = [*(listed if isinstance(listed, list) else ()), str(entry.get("description", ""))]
    known = "|".join(f" {' '.join(words_of(str(choice)))} " for choice in choices)
    ours, wanted = (" ".join(words_of(text)) for text in (given, gold))
    return ours != wanted and f" {ours} " in known and f" {wanted} " in known


def is_documented_default(entry: Record, value: JsonValue) -> bool:
    """Whether the document says that the value is taken anyway, in its field or in words such as "10 unless told"."""
    default = entry.get("default")
    if default is not None and values_equal(value, default, TODAY):
        return True
    description = str(entry.get("description", ""))
    # "latest (desc) first; latest by default"
    glossed = re.search(rf"(\w+) \({re.escape(str(value)[:40])}\)", description)
    spellings = [_canonical_words(str(value)), *([_canonical_words(glossed.group(1))] if glossed else [])]
    said = [_canonical_words(text) for text in _default_words(description)]
    return any(spelling and spelling <= terms for spelling in spellings for terms in said)


def _canonical_words(text: str) -> frozenset[str]:
    return _telling_words(str(to_canonical(text, TODAY)[-1]))


def _default_words(description: str) -> list[str]:
    """What a description says of the default, each in its own words."""
    found = []
    for clause in re.split(r"[;,]|\.(?!\d)", description):
        if before := _DEFAULT_BEFORE.search(clause):
            said = clause[: before.start()].strip()
            found.append(said.rpartition(" ")[2] if "(" in before.group() else said or clause[before.end() :])
        elif after := _DEFAULT_AFTER.search(clause):
            found.append(clause[after.end() :])
    return found
