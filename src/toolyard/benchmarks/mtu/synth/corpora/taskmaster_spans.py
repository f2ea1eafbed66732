"""Dialogues of TM-1 and TM-2, whose spans carry names such as `pizza_ordering.size.pizza.accept`.

    {"conversation_id": "dlg-3", "instruction_id": "pizza-1", "utterances": [
      {"index": 0, "speaker": "USER", "text": "A large one", "segments": [{"start_index": 2, "end_index": 7,
         "text": "large", "annotations": [{"name": "pizza_ordering.size.pizza.accept"}]}]}]}

The part before the first dot is the tool, the rest without `.accept` and `.reject` the parameter. There is no call:
one is made per tool at the final accept (TM-1), or where the user last says something of it (TM-2, which marks
no accepts; its `..._detail` spans describe results). Parameters are the accepted values, or what was said where
only the tool as a whole is accepted. A rejected value is never a parameter, nor one that is rejected later.
Two annotators marked each dialogue: of overlapping spans of one parameter the one that both chose counts, then the
longest; if one of them rejects, it is rejected.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from toolyard.benchmarks.mtu.synth.corpora.corpus_files import CorpusEntry
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusCall,
    CorpusDialogue,
    CorpusTurn,
    Item,
    Skipped,
)
from toolyard.benchmarks.mtu.synth.corpora.exchanges import Exchange, exchanges, label_of, one_line
from toolyard.benchmarks.mtu.synth.corpora.source_rows import SpanConversation, SpanUtterance
from toolyard.benchmarks.mtu.synth.corpora.topics import LICENCES, TASKMASTER, topics_of
from toolyard.core.types import JsonValue

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
    row = cast(SpanConversation, entry.value)
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
    topics = topics_of(TASKMASTER.get(mention.tool) for mention in mentions)
    yield CorpusDialogue(identity, "taskmaster", "train", turns, (release,), topics, LICENCES["taskmaster"])


def _calls(mentions: list[Mention], release: str) -> dict[int, list[CorpusCall]]:
    """The calls by the utterance that they follow."""
    calls: dict[int, list[CorpusCall]] = {}
    for tool in sorted({mention.tool for mention in mentions if not DETAIL.search(mention.tool)}):
        made = _call([mention for mention in mentions if mention.tool == tool], release)
        if made:
            calls.setdefault(made[0], []).append(made[1])
    return calls


def _turn(
    exchange: Exchange[tuple[int, SpanUtterance]],
    mentions: list[Mention],
    calls: dict[int, list[CorpusCall]],
    release: str,
) -> CorpusTurn:
    indices = [index for index, _ in (*exchange.user, *exchange.assistant)]
    said, reply = (one_line(one["text"] for _, one in part) for part in (exchange.user, exchange.assistant))
    mine = tuple(call for index in indices for call in calls.get(index, ()))
    slots = {
        f"{mention.tool}.{mention.parameter}": mention.value
        for mention in mentions
        if mention.index in indices and mention.by_user and mention.parameter and mention.status != REJECT
    }
    tools = dict.fromkeys((release, name.partition(".")[0]) for name in slots)
    return CorpusTurn(said, reply, label_of(said, reply, bool(mine)), tuple(tools), slots, mine)


def _call(mentions: list[Mention], release: str) -> tuple[int, CorpusCall] | None:
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
    return (made_at, CorpusCall(mentions[0].tool, release, parameters)) if parameters else None


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


def _mentions(utterance: SpanUtterance, index: int) -> Iterator[Mention]:
    marked: dict[tuple[str, str], list[_Span]] = {}
    for segment in utterance.get("segments") or ():
        start = segment["start_index"] if "start_index" in segment else segment["startIndex"]
        end = segment["end_index"] if "end_index" in segment else segment["endIndex"]
        for annotation in segment["annotations"]:
            tool, parameter, status = _named(annotation["name"])
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


def _named(name: str) -> tuple[str, str, str]:
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


def _is_user(utterance: SpanUtterance) -> bool:
    return str(utterance["speaker"]).upper() == "USER"
