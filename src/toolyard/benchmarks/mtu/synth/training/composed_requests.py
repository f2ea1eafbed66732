"""Requests that no corpus has: of Seal-Tools, of the book of goals, and two single requests as one.

goal     calls that take each other's results, alone or after some talk that says nothing a call would need
linked   the second takes what the first finds: "book a table at the place that you find". A value that the second says
         word for word gives way to words for a result of the first of the same name; the call then refers to it
vague    both say too little for a call: nothing is called, both are asked about
"""

from __future__ import annotations

import functools
import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import DialogueCall, DialogueTurn
from toolyard.benchmarks.mtu.synth.instruct.completed_turns import write_thought
from toolyard.benchmarks.mtu.synth.instruct.composing import (
    compose_row,
    documents_of_parts,
    go_together,
    is_complete_request,
    join_requests,
)
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import StandardRow
from toolyard.benchmarks.mtu.synth.training.tool_lists import KnownTool, from_flat
from toolyard.benchmarks.mtu.synth.world.dialogue_rules import gold_arguments
from toolyard.benchmarks.nestools.synth.record_documents import document
from toolyard.benchmarks.nestools.synth.similar_tools import names, pool
from toolyard.core.types import JsonValue
from toolyard.synth.goals.goal_book import Filling
from toolyard.synth.mixture.goal_requests import all_goal_drafts, filling_of
from toolyard.synth.mixture.held_out import is_held_out
from toolyard.synth.mixture.seal_tools import SealRequest
from toolyard.text.names import join_with_and, name_in_words, name_words


def turn_of(request: SealRequest, rng: random.Random) -> DialogueTurn:
    """The request as a turn; what an earlier call returns is named `Tool.result`."""
    results = {
        label: f"{call['api']}.{result}"
        for call, tool in zip(request.calling, request.tools, strict=True)
        for label, result in zip(call["responses"], tool["responses"], strict=False)
    }
    calls = tuple(
        DialogueCall(
            call["api"],
            {
                key: results.get(value, value) if isinstance(value, str) else value
                for key, value in call["parameters"].items()
            },
        )
        for call in request.calling
    )
    turn = DialogueTurn(request.query, label="call", calls=calls)
    return replace(turn, thought=write_thought(turn, (), rng))


def known_tools(tools: Mapping[str, Mapping[str, JsonValue]]) -> dict[str, KnownTool]:
    """The distractor tools that a request may list."""
    return {
        name: KnownTool(
            from_flat(tool), frozenset({name.casefold()}), frozenset({str(tool["field"]).split("/")[0]})
        )
        for name, tool in tools.items()
    }


@functools.cache
def world_tools() -> Mapping[str, KnownTool]:
    """The distractor tools that a goal may list."""
    shown = {tool: from_flat(document(tool)) for tool in pool() if not is_held_out(tool)}
    return {
        str(each["name"]): KnownTool(each, frozenset({tool}), frozenset({tool.split("/")[0]}))
        for tool, each in shown.items()
    }


def requests() -> Iterator[tuple[dict[str, Any], Filling]]:
    """Every request whose tools are each called once: an answer is an object of tool names."""
    for draft in all_goal_drafts():
        filling = filling_of(draft)
        if len({step.tool for step in filling.plan}) == len(filling.plan):
            yield draft, filling


def own_tools(filling: Filling) -> tuple[dict[str, JsonValue], ...]:
    """The documents of the tools that a request is for."""
    return tuple(from_flat(document(step.tool)) for step in filling.plan)


def request_turn(filling: Filling, rng: random.Random) -> DialogueTurn:
    """The turn that asks for everything at once."""
    labels = [names()[step.tool] for step in filling.plan]
    calls = tuple(
        DialogueCall(names()[step.tool], gold_arguments(step.arguments, labels)) for step in filling.plan
    )
    turn = DialogueTurn(filling.text, "Here is what I found.", "call", calls=calls)
    return replace(turn, thought=write_thought(turn, (), rng))


def with_talk(turn: DialogueTurn, field: str, rng: random.Random) -> tuple[DialogueTurn, ...]:
    """The request after an opening and, more often than not, before a closing."""
    opening, reply = rng.choice(WORDS["openings"])
    turns = [
        DialogueTurn(opening.format(field=field), reply, "missing", thought=rng.choice(WORDS["no_wish"])),
        turn,
    ]
    if rng.random() < 0.6:
        turns.append(
            DialogueTurn(
                rng.choice(WORDS["closings"]), "You are welcome.", "chat", thought=rng.choice(WORDS["done"])
            )
        )
    return tuple(turns)


WORDS: Mapping[str, Sequence[Any]] = tomllib.loads(
    Path(__file__).with_name("phrases.toml").read_text("utf-8")
)
SHORTEST = 4
_BEFORE = re.compile(r"\b(?:in|at|to|from|on|for|of|called|named|near|by|with)$", re.IGNORECASE)
LINK_TRIES = 12
WHERE_AND_WHEN = frozenset({"city", "town", "location", "area", "address", "date", "day", "time"})


def linked_rows(rows: Sequence[StandardRow], count: int, rng: random.Random) -> Iterator[StandardRow]:
    """So many rows of two linked calls, out of single requests of one source."""
    givers: dict[str, list[StandardRow]] = {}
    for row in rows:
        for name in _results(row):
            givers.setdefault(name, []).append(row)
    takers = [(row, name) for row in rows for name in _replaceable(row) if name in givers]
    made: set[tuple[str, str]] = set()
    for _ in range(count * LINK_TRIES if takers else 0):
        if len(made) == count:
            return
        taker, name = rng.choice(takers)
        giver = rng.choice(givers[name])
        if (giver.id, taker.id) in made or not _can_link(giver, taker, name):
            continue
        made.add((giver.id, taker.id))
        yield _link_requests(giver, taker, name, rng)


def _results(row: StandardRow) -> list[str]:
    """What the one call of a row returns beyond what it was given."""
    call = row.turns[0].calls[0]
    document = next((each for each in row.documents if each["name"] == call.name), None)
    results = [] if document is None else [each["name"] for each in document["result_parameters"]]
    return [name for name in results if name not in call.arguments]


def _replaceable(row: StandardRow) -> list[str]:
    """The parameters whose value occurs once in the request."""
    turn = row.turns[0]
    if not is_complete_request(turn.user):
        return []
    return [
        name
        for name, value in turn.calls[0].arguments.items()
        if isinstance(value, str) and len(value) >= SHORTEST and len(_place(value, turn.user)) == 1
    ]


def _place(value: str, text: str) -> list[re.Match[str]]:
    """Where the value stands after a word that a name can follow: "in Oslo", not "an expensive place"."""
    found = re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE)
    places = list(found)
    return places if all(_BEFORE.search(text[: place.start()].rstrip()) for place in places) else []


def _can_link(giver: StandardRow, taker: StandardRow, name: str) -> bool:
    """Whether one request may take that result of the other: of another topic only where and when it is."""
    first, second = giver.turns[0].calls[0], taker.turns[0].calls[0]
    near = not set(giver.topics).isdisjoint(taker.topics)
    shared = not WHERE_AND_WHEN.isdisjoint(name_words(name)) and go_together([giver, taker])
    if first.name == second.name or not (near or shared):
        return False
    names = [*giver.originals.get(first.name, ()), *taker.originals.get(second.name, ())]
    return len(set(names)) == len(names)


def _link_requests(giver: StandardRow, taker: StandardRow, name: str, rng: random.Random) -> StandardRow:
    first, second = giver.turns[0], taker.turns[0]
    value = str(second.calls[0].arguments[name])
    found = _place(value, second.user)[0]
    words = rng.choice(WORDS["result_words"]).format(name=name_in_words(name))
    text = join_requests([first.user, second.user[: found.start()] + words + second.user[found.end() :]], rng)
    arguments = {**second.calls[0].arguments, name: f"{first.calls[0].name}.{name}"}
    calls = (first.calls[0], replace(second.calls[0], arguments=arguments))
    turn = DialogueTurn(text, label="call", calls=calls)
    turn = replace(turn, thought=write_thought(turn, (), rng))
    return compose_row([giver, taker], f"{giver.id}+{taker.id}/{name}", (turn,), "linked")


VAGUE_TRIES = 8


def two_vague_requests(rows: Sequence[StandardRow], count: int, rng: random.Random) -> Iterator[StandardRow]:
    """So many turns of two openings of one source that say too little."""
    openings = [opening for opening in map(_opening, rows) if opening.documents]
    made: set[tuple[str, str]] = set()
    for _ in range(count * VAGUE_TRIES if len(openings) > 1 else 0):
        if len(made) == count:
            return
        first, second = rng.sample(openings, 2)
        if (
            (first.id, second.id) in made
            or _tools(first) & _tools(second)
            or not go_together([first, second])
        ):
            continue
        made.add((first.id, second.id))
        yield _join_rows(first, second, rng)


def _opening(row: StandardRow) -> StandardRow:
    """The first turn with the tools that its thought names; what was answered is not looked at."""
    turn = replace(row.turns[0], assistant="")
    documents = [each for each in row.documents if each["name"] in turn.thought]
    return replace(row, turns=(turn,), documents=documents)


def _tools(row: StandardRow) -> set[str]:
    return {str(document["name"]) for document in row.documents}


def _join_rows(first: StandardRow, second: StandardRow, rng: random.Random) -> StandardRow:
    one, other = first.turns[0], second.turns[0]
    user = join_requests([one.user, other.user], rng)
    tools = join_with_and([*documents_of_parts([first, second])])
    turn = replace(one, user=user, thought=rng.choice(WORDS["vague_thoughts"]).format(tools=tools))
    row = compose_row([first, second], f"{first.id}+{second.id}#vague", (turn,), "vague")
    return replace(row, setting="M-M")
