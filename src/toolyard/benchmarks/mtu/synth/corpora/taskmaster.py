"""Taskmaster: the releases TM-1-2019, TM-2-2020, TM-3-2020 and TM-4-2024 beside one another.

    {"conversation_id": "dlg-3", "instruction_id": "pizza-1", "utterances": [
      {"index": 0, "speaker": "USER", "text": "A large one", "segments": [{"start_index": 2, "end_index": 7,
         "text": "large", "annotations": [{"name": "pizza_ordering.size.pizza.accept"}]}]}]}

TM-1 and TM-2 annotate spans, TM-3 and TM-4 calls (see `taskmaster_calls`). A tool's service is its release ("TM-1"): two
releases use the same names for other parameters. `sample.json` of TM-1 is read only where the dialogues themselves are
not there; so are the linearised rows of TM-3.

Of a span's name the part before the first dot is the tool, the rest without `.accept` and `.reject` the parameter. There
is no call: one is made per tool at the final accept (TM-1), or where the user last says something of it (TM-2, which
marks no accepts; its `..._detail` spans describe results). Parameters are the accepted values, or what was said where
only the tool as a whole is accepted. A rejected value is never a parameter, nor one that is rejected later.
Two annotators marked each dialogue: of overlapping spans of one parameter the one that both chose counts, then the
longest; if one of them rejects, it is rejected.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import (
    CorpusEntry,
    entries_in,
    items_of,
    json_entries,
    json_value,
    read_text,
    tools_of_entries,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    Call,
    CorpusParameter,
    CorpusTool,
    Item,
    Skipped,
    Turn,
    Verb,
)
from toolyard.benchmarks.mtu.synth.corpora.taskmaster_calls import TM3, TM4, read_linearised, tm3, tm4
from toolyard.benchmarks.mtu.synth.corpora.tools_from_calls import calls_of, tools_of_calls, verb_of, words
from toolyard.benchmarks.mtu.synth.corpora.topics import TABLES, TASKMASTER, public_dialogue, topics_of
from toolyard.benchmarks.mtu.synth.corpora.utterances import Exchange, exchanges, label_of, one_line
from toolyard.core.types import JsonValue, Record

TM1, TM2 = "TM-1", "TM-2"
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


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    text: str
    status: str


def spans(entry: CorpusEntry, release: str) -> Iterator[Item]:
    """The dialogue of a TM-1 or TM-2 conversation."""
    row = entry.value
    utterances = list(enumerate(row["utterances"]))
    mentions = [mention for index, one in utterances for mention in _mentions(one, index)]
    calls = _calls(mentions, release)
    turns = tuple(
        _turn(exchange, mentions, calls, release)
        for exchange in exchanges(utterances, lambda pair: _is_user(pair[1]))
    )
    if not turns:
        yield Skipped("no_user_turn", entry.where)
        return
    name = row["conversation_id"] if "conversation_id" in row else row["conversationId"]
    identity = f"taskmaster/{release}/{name}"
    topics = (TASKMASTER.get(mention.tool) for mention in mentions)
    yield public_dialogue(identity, "train", turns, [release], topics)


def _calls(mentions: list[Mention], release: str) -> dict[int, list[Call]]:
    """The calls by the utterance that they follow."""
    calls: dict[int, list[Call]] = {}
    for tool in sorted({mention.tool for mention in mentions if not DETAIL.search(mention.tool)}):
        made = _call([mention for mention in mentions if mention.tool == tool], release)
        if made:
            calls.setdefault(made[0], []).append(made[1])
    return calls


def _turn(
    exchange: Exchange[tuple[int, Record]],
    mentions: list[Mention],
    calls: dict[int, list[Call]],
    release: str,
) -> Turn:
    indices = [index for index, _ in (*exchange.user, *exchange.assistant)]
    said, reply = (one_line(one["text"] for _, one in part) for part in (exchange.user, exchange.assistant))
    mine = tuple(call for index in indices for call in calls.get(index, ()))
    slots = {
        f"{mention.tool}.{mention.parameter}": mention.value
        for mention in mentions
        if mention.index in indices and mention.by_user and mention.parameter and mention.status != REJECT
    }
    tools = dict.fromkeys((release, name.partition(".")[0]) for name in slots)
    return Turn(said, reply, label_of(said, reply, bool(mine)), intents=tuple(tools), slots=slots, calls=mine)


def _call(mentions: list[Mention], release: str) -> tuple[int, Call] | None:
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
    parameters: dict[str, JsonValue] = {}
    for name in dict.fromkeys(mention.parameter for mention in heard):
        values = _values([mention for mention in heard if mention.parameter == name], release)
        if values:
            parameters[name] = values[0] if len(values) == 1 else values
    return (made_at, Call(mentions[0].tool, parameters, service=release)) if parameters else None


def _values(mentions: list[Mention], release: str) -> list[str]:
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


def _mentions(utterance: Record, index: int) -> Iterator[Mention]:
    marked: dict[tuple[str, str], list[_Span]] = {}
    for segment in utterance.get("segments") or ():
        start = segment["start_index"] if "start_index" in segment else segment["startIndex"]
        end = segment["end_index"] if "end_index" in segment else segment["endIndex"]
        for annotation in segment["annotations"]:
            tool, parameter, status = _split_span_name(annotation["name"])
            marked.setdefault((tool, parameter), []).append(
                _Span(start, end, segment["text"].strip(), status)
            )
    for (tool, parameter), found in marked.items():
        for group in _overlapping(found):
            votes = Counter((span.start, span.end) for span in group)
            best = max(
                group, key=lambda span: (votes[span.start, span.end], span.end - span.start, -span.start)
            )
            statuses = {span.status for span in group}
            status = next((one for one in (REJECT, ACCEPT) if one in statuses), "")
            yield Mention(tool, parameter, best.text, status, index, _is_user(utterance))


def _split_span_name(name: str) -> tuple[str, str, str]:
    parts = name.split(".")
    status = parts.pop() if parts[-1] in (ACCEPT, REJECT) else ""
    return parts[0] if parts else "", ".".join(parts[1:]), status


def _overlapping(found: list[_Span]) -> list[list[_Span]]:
    groups: list[list[_Span]] = []
    end = -1
    for span in sorted(found, key=lambda span: (span.start, span.end)):
        if groups and span.start < end:
            groups[-1].append(span)
        else:
            groups.append([span])
        end = max(end, span.end)
    return groups


def _is_user(utterance: Record) -> bool:
    return str(utterance["speaker"]).upper() == "USER"


NAME = "taskmaster"
FOLDERS = {TM1: "TM-1-2019", TM2: "TM-2-2020", TM3: "TM-3-2020", TM4: "TM-4-2024"}
CREATING = frozenset({
    "uber_lyft", "movie_ticket", "restaurant_reservation", "coffee_ordering", "pizza_ordering", "auto_repair",
})  # fmt: skip


def is_here(folder: Path) -> bool:
    """Whether the folder holds a release of Taskmaster."""
    return any((folder / name).is_dir() for name in FOLDERS.values())


def load(folder: Path) -> Iterator[Item]:
    """Every dialogue of the releases that are there, in order."""
    for release, convert in ((TM1, spans), (TM2, spans), (TM3, tm3), (TM4, tm4)):
        files = _files(folder, release)
        for path in files:
            yield from _convert_file(path, release, convert)
        if release == TM3 and not files:
            for path in sorted((folder / FOLDERS[TM3]).glob("splits/*/*.tsv")):
                yield from read_linearised(path)


def tools(folder: Path) -> tuple[CorpusTool, ...]:
    """Documents by ontology (TM-1, TM-2), by `apis.json` (TM-3), and by the calls themselves (TM-4)."""
    documented = (tool for release in ONTOLOGIES for tool in _ontology(folder, release))
    return (*documented, *_calls_4(folder))


def _files(folder: Path, release: str) -> list[Path]:
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
    yield from items_of(entries, lambda entry: convert(entry, release))


def _ontology(folder: Path, release: str) -> Iterator[CorpusTool]:
    files, convert = ONTOLOGIES[release]
    for path in sorted((folder / FOLDERS[release]).glob(files)):
        yield from tools_of_entries(
            entries_in(path), convert, "entry of Taskmaster's ontology", "fetch it again"
        )


def _ontology_1(entry: CorpusEntry) -> Iterator[CorpusTool]:
    row = entry.value
    yield _document(TM1, row.get("id", entry.key), row.get("required", ()), row.get("optional", ()))


def _ontology_2(entry: CorpusEntry) -> Iterator[CorpusTool]:
    for group in entry.value:
        if not DETAIL.search(group["prefix"]):
            yield _document(TM2, group["prefix"], (), group["annotations"])


def _apis_3(entry: CorpusEntry) -> Iterator[CorpusTool]:
    row = entry.value
    arguments = row["args"]
    results = [key for key in row["response"]["keys"] if key != "empty"]
    yield _document(TM3, entry.key, arguments.get("all_of", ()), arguments.get("any_of", ()), results)


ONTOLOGIES: Mapping[str, tuple[str, Callable[[CorpusEntry], Iterator[CorpusTool]]]] = {
    TM1: ("ontology.json", _ontology_1),
    TM2: ("ontology/*.json", _ontology_2),
    TM3: ("ontology/apis.json", _apis_3),
}


def _calls_4(folder: Path) -> tuple[CorpusTool, ...]:
    items = (item for path in _files(folder, TM4) for item in _convert_file(path, TM4, tm4))
    return tools_of_calls(calls_of(items), _description, lambda _: topics_of([TASKMASTER["coffee"]]))


def _document(
    release: str, name: str, required: Iterable[str], optional: Iterable[str], results: Iterable[str] = ()
) -> CorpusTool:
    verb: Verb = "create" if name in CREATING else verb_of(name)
    topic = TASKMASTER["movie"] if release == TM3 else TASKMASTER.get(name)
    return CorpusTool(
        name,
        release,
        _description(name),
        tuple(_parameter(one) for one in required),
        tuple(_parameter(one.strip(" .")) for one in optional),
        tuple(_parameter(one) for one in results),
        verb,
        topics_of([topic]),
    )


def _description(name: str) -> str:
    return TABLES["taskmaster_descriptions"].get(
        name, f"Answers questions about {words(name).upper()} matches and players."
    )


def _parameter(name: str) -> CorpusParameter:
    return CorpusParameter(name, "string", f"The {' of the '.join(words(part) for part in name.split('.'))}.")
