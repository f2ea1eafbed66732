"""Taskmaster: the releases TM-1-2019, TM-2-2020, TM-3-2020 and TM-4-2024 beside one another.

    TM-1, TM-2  {"conversation_id": "dlg-3", "utterances": [{"speaker": "USER", "text": "A large one", "segments": [
                   {"start_index": 2, "end_index": 7, "text": "large",
                    "annotations": [{"name": "pizza_ordering.size.pizza.accept"}]}]}]}
    TM-4        {"conversation_id": "dlg-1", "utterances": [{"speaker": "user", "text": "one latte", "annotations": [
                   {"name": "api_call", "value": "get_menu_items", "context": "api_call_0"},
                   {"name": "request", "value": "{\\"query\\": \\"latte\\"}", "context": "api_call_0"},
                   {"name": "response", "value": "{\\"menu_items\\": []}", "context": "api_response_0"}]}]}
    TM-3        {"conversation_id": "dlg-2", "utterances": [{"speaker": "user", "text": "what is on?", "apis": [
                   {"name": "find_movies", "args": {"location": "Oslo"}, "response": {"name.movie": ["Cold Tea"]}}]}]}
    TM-3, linearised (newest first, then <C> and what came before; TAB the next step; TAB the conversation)
                <U>in Oslo<C><U>what is on?<A>where?    [PN]find_movies[PAN]location[PAV]Oslo    dlg-2

A tool's service is its release ("TM-1"): two releases use the same names for other parameters. `sample.json` of TM-1 is
read only where the dialogues themselves are not there; so are the linearised rows of TM-3.

TM-1 and TM-2 annotate spans. Of a span's name the part before the first dot is the tool, the rest without `.accept` and
`.reject` the parameter. One call is made per tool at the final accept (TM-1), or where the user last says something of it
(TM-2, which marks no accepts; its `..._detail` spans describe results). Parameters are the accepted values, or what was
said where only the tool as a whole is accepted. A rejected value is never a parameter, nor one that is rejected later.
Two annotators marked each dialogue: of overlapping spans of one parameter the one that both chose counts, then the
longest; if one of them rejects, it is rejected.

TM-4: what has the same number belongs together; a call without a request has no parameters; requests and responses
with doubled quotes or bare tabs are mended. TM-3, linearised: one row is one step, the longest row of a conversation
stands for it; its last turn is left out, since more may follow.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import (
    CorpusEntry,
    convert_entries,
    json_entries,
    json_value,
    read_text,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    TABLES,
    TASKMASTER,
    CorpusTool,
    DialogueCall,
    DialogueTurn,
    Item,
    Skipped,
    calls_of_items,
    group_values,
    label_turn,
    one_line,
    one_or_all,
    pair_utterances,
    public_dialogue,
    sort_topics,
    tools_of_calls,
)
from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record
from toolyard.text.names import name_in_words

NAME = "taskmaster"
TM1, TM2, TM3, TM4 = "TM-1", "TM-2", "TM-3", "TM-4"
TOPIC = {TM3: TASKMASTER["movie"], TM4: TASKMASTER["coffee"]}
NOTHING = "_empty_"
REFUSED = frozenset({"failure", "unavailable"})
# Left in by templates that nobody filled in.
UNFILLED = "{}"
_NUMBER = re.compile(r"\d+$")
_DOUBLED = re.compile(r'""([^"]*)""')
_MARK = re.compile(r"<(U|A|S|PN|PAN|PAV|PR|PRAN|PRAV)>")


# An utterance with the calls that stand on it.
Step: TypeAlias = tuple[Record, Sequence[DialogueCall]]


def convert_tm4(entry: CorpusEntry, release: str) -> Iterator[Item]:
    """The dialogue of a TM-4 conversation, with what was mended in it."""
    remarks: list[str] = []
    steps = []
    for utterance in entry.value["utterances"]:
        calls = _tm4_calls(utterance.get("annotations") or (), remarks)
        if calls is None:
            yield Skipped("request_not_json", f"{entry.where} ({entry.value['conversation_id']})")
            return
        steps.append((utterance, calls))
    yield _make_dialogue(entry, release, steps, remarks=remarks)


def convert_tm3(
    entry: CorpusEntry, release: str, split: str = "train", remarks: Iterable[str] = ()
) -> Iterator[Item]:
    """The dialogue of a TM-3 conversation."""
    steps = [
        (utterance, [_tm3_call(api) for api in utterance.get("apis") or ()])
        for utterance in entry.value["utterances"]
    ]
    yield _make_dialogue(entry, release, steps, split, remarks)


def read_linearised(path: Path) -> Iterator[Item]:
    """The conversations of a linearised file, each by its longest row and without its last turn."""
    where = f"taskmaster/{TM3}/{path.name}"
    longest: dict[str, tuple[str, str]] = {}
    shorter: Counter[str] = Counter()
    csv.field_size_limit(1 << 24)
    rows = csv.reader(io.StringIO(read_text(path), newline=""), delimiter="\t")
    for number, row in enumerate(rows, start=1):
        place = f"{where} row {number}"
        if len(row) != 3:
            raise DataError(f"{place} has {len(row)} fields; wanted context, target, conversation")
        context, _, name = row
        shorter[name] += name in longest
        if name not in longest or len(context) > len(longest[name][0]):
            longest[name] = context, place
    for name, (context, place) in longest.items():
        said = _utterances_in_order(context)
        begins = [index for index, one in enumerate(said) if one["speaker"] == "user"]
        if len(begins) == 1:
            yield Skipped("only_turn_goes_on", place)
            continue
        remarks = ["beginning_of_a_longer_row"] * shorter[name] + ["turn_left_out_last_turn_goes_on"]
        whole = {"conversation_id": name, "utterances": said[: begins[-1]] if begins else []}
        yield from convert_tm3(CorpusEntry(name, whole, place), TM3, path.parent.name, remarks)


def _utterances_in_order(context: str) -> list[Record]:
    """The conversation in order, in the form of the released files: what came before, then the newest."""
    newest, _, before = context.partition("<C>")
    pieces = _MARK.split(before + newest)
    said: list[Record] = []
    call: dict[str, Any] = {}
    key = ""
    for mark, content in zip(pieces[1::2], map(str.strip, pieces[2::2]), strict=True):
        if mark in ("U", "A"):
            said.append({"speaker": "user" if mark == "U" else "assistant", "text": content, "apis": []})
        elif mark == "PN" and said:
            call = {"name": content, "args": []}
            said[-1]["apis"].append(call)
        elif mark == "PR":
            call["response"] = []
        elif mark in ("PAN", "PRAN"):
            key = content
        elif mark == "PAV":
            call.setdefault("args", []).append({"arg_name": key, "arg_value": content})
        elif mark == "PRAV":
            call.setdefault("response", []).append({"response_name": key, "response_value": content})
    return said


def _tm4_calls(annotations: Iterable[Record], remarks: list[str]) -> list[DialogueCall] | None:
    """The calls of an utterance; none at all where a request is no JSON: it costs the dialogue."""
    groups: dict[int, dict[str, str]] = {}
    for annotation in annotations:
        number = _NUMBER.search(annotation["context"])
        groups.setdefault(int(number.group()) if number else -1, {})[annotation["name"]] = annotation["value"]
    calls = []
    for _, group in sorted(groups.items()):
        if "api_call" not in group:
            remarks.append("call_left_out_response_without_a_call")
            continue
        if "request" not in group:
            remarks.append("call_without_a_request")
        parameters = _parse_object(group.get("request", "{}"), "request", remarks)
        response = _parse_object(group["response"], "response", remarks) if "response" in group else None
        if parameters is None:
            return None
        failed = response is not None and response.get("success") is False
        results = None if response is None else (response,)
        calls.append(DialogueCall(group["api_call"], parameters, results, service=TM4, failed=failed))
    return calls


def _parse_object(text: str, kind: str, remarks: list[str]) -> dict[str, JsonValue] | None:
    """The object that a text is, mended where quotes are doubled or tabs are bare."""
    for written, strict, repair in (
        (text, True, []),
        (_DOUBLED.sub(r'"\1"', text), False, [f"{kind}_mended"]),
    ):
        try:
            value = json.loads(written, strict=strict)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            remarks += repair
            return value
    remarks.append(f"call_left_out_{kind}_not_json")
    return None


def _tm3_call(api: Record) -> DialogueCall:
    name, parameters = str(api["name"]), _key_value_pairs(api.get("args"), "arg") or {}
    response = _key_value_pairs(api.get("response"), "response")
    if response is None:
        return DialogueCall(name, parameters, service=TM3)
    given = {key: value for key, value in response.items() if value not in (NOTHING, [NOTHING], [], "")}
    failed = name.startswith("book_") and given.get("status") in REFUSED
    return DialogueCall(name, parameters, (given,) if given else (), service=TM3, failed=failed)


def _key_value_pairs(content: Any, kind: str) -> dict[str, JsonValue] | None:
    """Key-value pairs, as one object or as a list of `{arg_name, arg_value}`."""
    if content is None:
        return None
    if isinstance(content, Mapping):
        return dict(content)
    return one_or_all(group_values((str(pair[f"{kind}_name"]), pair[f"{kind}_value"]) for pair in content))


def _make_dialogue(
    entry: CorpusEntry, release: str, steps: Sequence[Step], split: str = "train", remarks: Iterable[str] = ()
) -> Item:
    if any(value == UNFILLED for _, calls in steps for call in calls for value in call.arguments.values()):
        return Skipped("unfilled_template", entry.where)
    turns = []
    for exchange in pair_utterances(steps, lambda step: _is_user(step[0])):
        calls = tuple(call for _, made in (*exchange.user, *exchange.assistant) for call in made)
        tools = dict.fromkeys(call.name for call in calls)
        said, reply = ([each for each, _ in part] for part in (exchange.user, exchange.assistant))
        turns.append(_make_turn(said, reply, release, tools, {}, calls))
    if not turns:
        return Skipped("no_user_turn", entry.where)
    name = f"{NAME}/{release}/{entry.value['conversation_id']}"
    return public_dialogue(name, split, turns, [release], [TOPIC[release]], remarks)


def _make_turn(
    user: Iterable[Record],
    assistant: Iterable[Record],
    release: str,
    tools: Iterable[str],
    slots: Record,
    calls: tuple[DialogueCall, ...],
) -> DialogueTurn:
    """The turn of these utterances, which speak of these tools."""
    said, reply = (one_line(each["text"] for each in part) for part in (user, assistant))
    intents = tuple((release, tool) for tool in tools)
    return DialogueTurn(said, reply, label_turn(said, reply, bool(calls)), intents, slots, calls)


DETAIL = re.compile(r"\d*_detail$")
ACCEPT, REJECT = "accept", "reject"


@dataclass(frozen=True, slots=True)
class Mention:
    """One value in one utterance, as both annotators together see it; no parameter where the whole tool is meant."""

    tool: str
    parameter: str
    value: str
    status: str
    index: int
    by_user: bool


class _Span(NamedTuple):
    start: int
    end: int
    text: str
    status: str


def spans(entry: CorpusEntry, release: str) -> Iterator[Item]:
    """The dialogue of a TM-1 or TM-2 conversation."""
    row = entry.value
    utterances = list(enumerate(row["utterances"]))
    mentions = [mention for index, one in utterances for mention in _value_mentions(one, index)]
    names = sorted({mention.tool for mention in mentions if not DETAIL.search(mention.tool)})
    made = (_agreed_call([each for each in mentions if each.tool == tool], release) for tool in names)
    # By the utterance that they follow.
    calls = group_values(filter(None, made))
    turns = []
    for exchange in pair_utterances(utterances, lambda pair: _is_user(pair[1])):
        indices = [index for index, _ in (*exchange.user, *exchange.assistant)]
        mine = tuple(call for index in indices for call in calls.get(index, ()))
        slots = {
            f"{mention.tool}.{mention.parameter}": mention.value
            for mention in mentions
            if mention.index in indices and mention.by_user and mention.parameter and mention.status != REJECT
        }
        tools = dict.fromkeys(name.partition(".")[0] for name in slots)
        said, reply = ([each for _, each in part] for part in (exchange.user, exchange.assistant))
        turns.append(_make_turn(said, reply, release, tools, slots, mine))
    if not turns:
        yield Skipped("no_user_turn", entry.where)
        return
    name = row["conversation_id"] if "conversation_id" in row else row["conversationId"]
    identity = f"{NAME}/{release}/{name}"
    topics = (TASKMASTER.get(mention.tool) for mention in mentions)
    yield public_dialogue(identity, "train", turns, [release], topics)


def _agreed_call(mentions: list[Mention], release: str) -> tuple[int, DialogueCall] | None:
    """The call of one tool and the utterance that it follows, if it is made at all."""
    if release == TM1:
        final = [mention.index for mention in mentions if mention.status == ACCEPT]
    else:
        final = [mention.index for mention in mentions if mention.by_user]
    if not final:
        return None
    made_at = max(final)
    heard = [mention for mention in mentions if mention.index <= made_at and mention.parameter]
    # Where values are marked as accepted the others were only talked about.
    if any(mention.status == ACCEPT for mention in heard):
        heard = [mention for mention in heard if mention.status]
    said = group_values((mention.parameter, mention) for mention in heard)
    values = {name: _accepted_values(own, release) for name, own in said.items()}
    parameters = one_or_all({name: found for name, found in values.items() if found})
    return (made_at, DialogueCall(mentions[0].tool, parameters, service=release)) if parameters else None


def _accepted_values(mentions: list[Mention], release: str) -> list[str]:
    """The values of one parameter: those last accepted, else those last said, and never a rejected one."""
    refused = {mention.value.lower(): mention.index for mention in mentions if mention.status == REJECT}
    standing = [
        mention
        for mention in mentions
        if mention.status != REJECT and refused.get(mention.value.lower(), -1) < mention.index
    ]
    if release == TM2:
        standing = [mention for mention in standing if mention.by_user] or standing
    chosen = [mention for mention in standing if mention.status == ACCEPT] or standing
    if not chosen:
        return []
    last = max(mention.index for mention in chosen)
    return list(dict.fromkeys(mention.value for mention in chosen if mention.index == last))


def _value_mentions(utterance: Record, index: int) -> Iterator[Mention]:
    marked: dict[tuple[str, str], list[_Span]] = {}
    for segment in utterance.get("segments") or ():
        start = segment["start_index"] if "start_index" in segment else segment["startIndex"]
        end = segment["end_index"] if "end_index" in segment else segment["endIndex"]
        for annotation in segment["annotations"]:
            parts = annotation["name"].split(".")
            status = parts.pop() if parts[-1] in (ACCEPT, REJECT) else ""
            tool, parameter = parts[0] if parts else "", ".".join(parts[1:])
            marked.setdefault((tool, parameter), []).append(
                _Span(start, end, segment["text"].strip(), status)
            )
    for (tool, parameter), found in marked.items():
        for group in _overlapping_groups(found):
            votes = Counter((span.start, span.end) for span in group)
            best = max(
                group, key=lambda span: (votes[span.start, span.end], span.end - span.start, -span.start)
            )
            statuses = {span.status for span in group}
            status = next((one for one in (REJECT, ACCEPT) if one in statuses), "")
            yield Mention(tool, parameter, best.text, status, index, _is_user(utterance))


def _overlapping_groups(found: list[_Span]) -> list[list[_Span]]:
    groups: list[list[_Span]] = []
    for span in sorted(found, key=lambda span: (span.start, span.end)):
        if groups and span.start < max(each.end for each in groups[-1]):
            groups[-1].append(span)
        else:
            groups.append([span])
    return groups


def _is_user(utterance: Record) -> bool:
    return str(utterance["speaker"]).upper() == "USER"


FOLDERS = {TM1: "TM-1-2019", TM2: "TM-2-2020", TM3: "TM-3-2020", TM4: "TM-4-2024"}


def is_here(folder: Path) -> bool:
    """Whether the folder holds a release of Taskmaster."""
    return any((folder / name).is_dir() for name in FOLDERS.values())


def load(folder: Path) -> Iterator[Item]:
    """Every dialogue of the releases that are there, in order."""
    for release, convert in ((TM1, spans), (TM2, spans), (TM3, convert_tm3), (TM4, convert_tm4)):
        files = _release_files(folder, release)
        for path in files:
            yield from _convert_file(path, release, convert)
        if release == TM3 and not files:
            for path in sorted((folder / FOLDERS[TM3]).glob("splits/*/*.tsv")):
                yield from read_linearised(path)


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """The tools that are called; ontologies name no more of them than their parameters."""

    def describe(name: str) -> str:
        sport = f"Answers questions about {name_in_words(name).upper()} matches and players."
        return TABLES["taskmaster_descriptions"].get(name, sport)

    return tools_of_calls(
        calls_of_items(load(folder)),
        describe,
        lambda call: sort_topics([TOPIC.get(call.service) or TASKMASTER.get(call.name)]),
    )


def _release_files(folder: Path, release: str) -> list[Path]:
    base = folder / FOLDERS[release]
    if release != TM1:
        return sorted((base / "data").glob("*.json"))
    found = [base / name for name in ("self-dialogs.json", "woz-dialogs.json") if (base / name).is_file()]
    sample = base / "sample.json"
    return found or ([sample] if sample.is_file() else [])


def _convert_file(
    path: Path, release: str, convert: Callable[[CorpusEntry, str], Iterator[Item]]
) -> Iterator[Item]:
    where = f"{NAME}/{release}/{path.name}"
    text = read_text(path)
    # The sample of TM-1 is one conversation, the other files are lists of them.
    single = text.lstrip()[:1] == "{"
    entries = [CorpusEntry("0", json_value(text, where), where)] if single else json_entries(text, where)
    yield from convert_entries(entries, lambda entry: convert(entry, release))
