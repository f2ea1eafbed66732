"""Two requests in one turn that both say too little for a call: nothing is called, both are asked about.

"I'd like to eat out tonight. Also, I need a ride."     no call
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from toolyard.benchmarks.mtu.synth.instruct.composing import documents_of_parts, go_together
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import StandardRow
from toolyard.benchmarks.mtu.synth.instruct.request_words import joined
from toolyard.benchmarks.mtu.synth.instruct.written_thoughts import listed

THOUGHTS = (
    "The user wants what {tools} do, but has not said enough for either. I ask before I call anything.",
    "Two things are asked for, and both {tools} still lack what they need. No call now; I ask for it.",
    "{tools} would fit, but the details are still open, so I ask instead of calling them.",
)
TRIES = 8


def two_vague_requests(rows: Sequence[StandardRow], count: int, rng: random.Random) -> Iterator[StandardRow]:
    """So many turns of two openings of one source that say too little."""
    openings = [opening for opening in map(_opening, rows) if opening.documents]
    made: set[tuple[str, str]] = set()
    for _ in range(count * TRIES if len(openings) > 1 else 0):
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
        yield _both(first, second, rng)


def _opening(row: StandardRow) -> StandardRow:
    """The first turn with the tools that its thought names; what was answered is not looked at."""
    turn = replace(row.turns[0], assistant="")
    documents = [each for each in row.documents if each["name"] in turn.thought]
    return replace(row, turns=(turn,), documents=documents)


def _tools(row: StandardRow) -> set[str]:
    return {str(document["name"]) for document in row.documents}


def _both(first: StandardRow, second: StandardRow, rng: random.Random) -> StandardRow:
    one, other = first.turns[0], second.turns[0]
    documents = documents_of_parts([first, second])
    turn = replace(
        one,
        user=joined([one.user, other.user], rng),
        thought=rng.choice(THOUGHTS).format(tools=listed([*documents])),
    )
    return replace(
        first,
        id=f"{first.id}+{second.id}#vague",
        topics=sorted({*first.topics, *second.topics}),
        origins=[*first.origins, *second.origins],
        turns=(turn,),
        documents=list(documents.values()),
        originals={**first.originals, **second.originals},
        composed="vague",
        setting="M-M",
    )
