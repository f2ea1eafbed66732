"""Two single requests as one, where the second takes what the first finds: "book a table at the place that you find".

A value that the second request says word for word gives way to words for a result of the first, if that has one
of the same name; the call then refers to it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from toolyard.benchmarks.mtu.synth.instruct.composing import documents_of_parts, go_together
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import StandardRow, StandardTurn
from toolyard.benchmarks.mtu.synth.instruct.request_words import joined, stands
from toolyard.benchmarks.mtu.synth.instruct.written_thoughts import thought
from toolyard.text.names import name_words, spoken

SHORTEST = 4
_BEFORE = re.compile(r"\b(?:in|at|to|from|on|for|of|called|named|near|by|with)$", re.IGNORECASE)
TRIES = 12
WHERE_AND_WHEN = frozenset({"city", "town", "location", "area", "address", "date", "day", "time"})
PHRASES = (
    "the {name} that you find",
    "the {name} you get from that",
    "that {name}",
    "the {name} of the first result",
)


def linked_rows(rows: Sequence[StandardRow], count: int, rng: random.Random) -> Iterator[StandardRow]:
    """So many rows of two linked calls, out of single requests of one source."""
    givers: dict[str, list[StandardRow]] = {}
    for row in rows:
        for name in _results(row):
            givers.setdefault(name, []).append(row)
    takers = [(row, name) for row in rows for name in _replaceable(row) if name in givers]
    made: set[tuple[str, str]] = set()
    for _ in range(count * TRIES if takers else 0):
        if len(made) == count:
            return
        taker, name = rng.choice(takers)
        giver = rng.choice(givers[name])
        if (giver.id, taker.id) in made or not _fit(giver, taker, name):
            continue
        made.add((giver.id, taker.id))
        yield _linked(giver, taker, name, rng)


def _results(row: StandardRow) -> list[str]:
    """What the one call of a row returns beyond what it was given."""
    call = row.turns[0].calls[0]
    document = next((each for each in row.documents if each["name"] == call.name), None)
    results = [] if document is None else [each["name"] for each in document["result_parameters"]]
    return [name for name in results if name not in call.arguments]


def _replaceable(row: StandardRow) -> list[str]:
    """The parameters whose value stands once in the words of the request."""
    turn = row.turns[0]
    if not stands(turn.user):
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


def _fit(giver: StandardRow, taker: StandardRow, name: str) -> bool:
    """Whether one request may take that result of the other: of another topic only where and when it is."""
    first, second = giver.turns[0].calls[0], taker.turns[0].calls[0]
    near = not set(giver.topics).isdisjoint(taker.topics)
    shared = not WHERE_AND_WHEN.isdisjoint(name_words(name)) and go_together([giver, taker])
    if first.name == second.name or not (near or shared):
        return False
    names = [*giver.originals.get(first.name, ()), *taker.originals.get(second.name, ())]
    return len(set(names)) == len(names)


def _linked(giver: StandardRow, taker: StandardRow, name: str, rng: random.Random) -> StandardRow:
    first, second = giver.turns[0], taker.turns[0]
    value = str(second.calls[0].arguments[name])
    found = _place(value, second.user)[0]
    words = rng.choice(PHRASES).format(name=spoken(name))
    text = joined([first.user, second.user[: found.start()] + words + second.user[found.end() :]], rng)
    arguments = {**second.calls[0].arguments, name: f"{first.calls[0].name}.{name}"}
    calls = (first.calls[0], replace(second.calls[0], arguments=arguments))
    turn = StandardTurn(text, label="call", calls=calls)
    turn = replace(turn, thought=thought(turn, (), rng))
    parts = [giver, taker]
    originals: Mapping[str, Sequence[str]] = {**taker.originals, **giver.originals}
    return replace(
        giver,
        id=f"{giver.id}+{taker.id}/{name}",
        composed="linked",
        setting="S-M",
        topics=sorted({*giver.topics, *taker.topics}),
        turns=(turn,),
        documents=list(documents_of_parts(parts).values()),
        originals=originals,
    )
