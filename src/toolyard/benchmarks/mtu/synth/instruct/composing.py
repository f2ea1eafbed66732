"""Dialogues made of several: what the corpora lack in the multi-tool settings.

    joined     two to six single turns of one corpus that call different tools, as one turn (S-M)
    appended   a single turn of another topic, asked along in the last turn of a dialogue that calls (M-M)

All are about one subject: a name that every call is given and every user says ("Seattle"). Only rows of the same corpus come
together, of the same side of the out-of-domain split, all for training or all for evaluation.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

import orjson

from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import (
    Document,
    StandardRow,
    StandardTurn,
    standard_row,
    written,
)
from toolyard.benchmarks.mtu.synth.instruct.request_words import joined, stands
from toolyard.benchmarks.mtu.synth.instruct.settings import SETTINGS, in_test, setting_of
from toolyard.benchmarks.mtu.synth.instruct.variants import with_another
from toolyard.core.types import derived_seed
from toolyard.synth.stages import Context, Rejected, Row, Rows

# How many single turns are joined, as often as a number stands here; five and six are the type `interaction`.
SIZES = (2,) * 9 + (3,) * 6 + (4,) * 3 + (5, 6)
MOST_WORDS = 60
TRIES = 8
MOST_OTHERS = 4
_NAME = re.compile(r"[^\W\d_a-z][^\d]{2,}")

# Single turns with one call that name a subject: by the subject, then by tool.
Pool = Mapping[str, Mapping[str, Sequence[StandardRow]]]
# By source, split and side.
Side = tuple[str, str, bool]
Pools = Mapping[Side, Pool]


def composed(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """All rows, then those made of several of them."""
    pools: dict[Side, dict[str, dict[str, list[StandardRow]]]] = {}
    documents: dict[bytes, Document] = {}
    for row in rows:
        yield row
        if len(row["turns"]) == 1 and len(calls := row["turns"][0]["calls"]) == 1:
            donor = _donor(row, documents)
            for subject in subjects_of(donor):
                pool = pools.setdefault(_side(donor), {}).setdefault(subject, {})
                pool.setdefault(calls[0]["name"], []).append(donor)
    yield from map(written, joined_rows(pools, float(context.options["joined"]), context.seed))
    yield from map(written, appended_rows(rows, pools, float(context.options["appended"]), context.seed))


def _side(row: StandardRow) -> Side:
    return row.source, row.split, in_test(row.origins)


def subjects_of(row: StandardRow) -> set[str]:
    """The names that the calls of a row are given and its user says, with their capital."""
    said = " ".join(turn.user for turn in row.turns)
    values = (value for turn in row.turns for call in turn.calls for value in call.arguments.values())
    return {value for value in values if isinstance(value, str) and _NAME.fullmatch(value) and value in said}


def _donor(row: Row, documents: dict[bytes, Document]) -> StandardRow:
    """A row that is held; equal documents are held once."""
    held = [documents.setdefault(orjson.dumps(each), each) for each in row["documents"]]
    return replace(standard_row(row), documents=held)


def joined_rows(pools: Pools, share: float, seed: int) -> Iterator[StandardRow]:
    """For every corpus this share of its single turns as often a new turn of several of them, on one subject."""
    for (source, split, test), pool in pools.items():
        shared = {subject: tools for subject, tools in pool.items() if len(tools) > 1}
        count = round(share * sum(len(rows) for tools in shared.values() for rows in tools.values()))
        subjects = sorted(shared)
        made: set[tuple[str, ...]] = set()
        for number in range(count):
            rng = random.Random(derived_seed(seed, f"join/{source}/{split}/{test}", number))
            parts = _drawn(shared[rng.choice(subjects)], rng)
            origins = tuple(sorted(part.id for part in parts))
            if parts and origins not in made:
                made.add(origins)
                yield join(parts, f"{source}/{split}/joined/{'test/' if test else ''}{number}", rng)


def _drawn(pool: Mapping[str, Sequence[StandardRow]], rng: random.Random) -> list[StandardRow]:
    """Single turns of different tools that go together, not of too many words; none where none were found."""
    tools = list(pool)
    size = min(rng.choice(SIZES), len(tools))
    for _ in range(TRIES):
        parts = [rng.choice(pool[name]) for name in rng.sample(tools, size)]
        # Only the first can do without a verb.
        parts.sort(key=lambda part: stands(part.turns[0].user))
        if sum(len(part.turns[0].user.split()) for part in parts) <= MOST_WORDS and go_together(parts):
            return parts
    return []


def go_together(parts: Sequence[StandardRow]) -> bool:
    """Whether the parts can be asked for in one turn.

    All but the first can follow another request; no two tools have the same name in the corpus; and where there
    are replies, each is about another topic: two on one topic may say the opposite ("no mocha", "latte, mocha").
    """
    originals = {name: words for part in parts for name, words in part.originals.items()}
    words = [word for name in documents_of_parts(parts) for word in originals[name]]
    if not all(stands(part.turns[0].user) for part in parts[1:]) or len(set(words)) < len(words):
        return False
    topics = [topic for part in parts for topic in part.topics]
    return len(set(topics)) == len(topics) or not any(part.turns[0].assistant for part in parts)


def join(parts: Sequence[StandardRow], name: str, rng: random.Random) -> StandardRow:
    """One row of one turn that asks for everything that the parts ask for."""
    turns = [part.turns[0] for part in parts]
    text = joined([turn.user for turn in turns], rng)
    whole = reduce(lambda turn, other: with_another(turn, other, text), turns)
    return _composed(parts, name, (replace(whole, label="call"),), "joined")


def appended_rows(rows: Rows, pools: Pools, share: float, seed: int) -> Iterator[StandardRow]:
    """For this share of the dialogues of several turns a second one, with another request asked along."""
    for row in rows:
        rng = random.Random(derived_seed(seed, f"append/{row['id']}", 0))
        setting = SETTINGS[row["setting"]]
        if not setting.several_turns or setting.several_calls or rng.random() >= share:
            continue
        whole = standard_row(row)
        place = last_call(whole.turns)
        donor = _other_topic(whole, pools.get(_side(whole), {}), rng)
        if place is not None and donor is not None:
            yield append(whole, place, donor, rng)


def last_call(turns: Sequence[StandardTurn]) -> int | None:
    """The last turn that calls, if all that follows is chat: nothing then depends on how it was answered."""
    place = max(place for place, turn in enumerate(turns) if turn.calls)
    return place if all(turn.label == "chat" for turn in turns[place + 1 :]) else None


def _other_topic(row: StandardRow, pool: Pool, rng: random.Random) -> StandardRow | None:
    """A single turn on a subject of the dialogue that calls a tool which the dialogue does not list."""
    used = {document["name"] for document in row.documents}
    free = [
        donors
        for subject in sorted(subjects_of(row))
        for tool, donors in pool.get(subject, {}).items()
        if tool not in used
    ]
    for _ in range(TRIES if free else 0):
        donor = rng.choice(rng.choice(free))
        if go_together([row, donor]):
            return donor
    return None


def append(row: StandardRow, place: int, donor: StandardRow, rng: random.Random) -> StandardRow:
    """The dialogue with the donor's request asked along in one turn."""
    turn, other = row.turns[place], donor.turns[0]
    both = with_another(turn, other, joined([turn.user, other.user], rng))
    turns = (*row.turns[:place], both, *row.turns[place + 1 :])
    return _composed([row, donor], f"{row.id}#appended", turns, "appended")


def _composed(
    parts: Sequence[StandardRow], name: str, turns: tuple[StandardTurn, ...], kind: str
) -> StandardRow:
    documents = documents_of_parts(parts)
    originals = {tool: words for part in parts for tool, words in part.originals.items()}
    own = {word for tool in documents for word in originals[tool]}
    others = sorted({other for part in parts for other in part.others} - documents.keys())
    others = [other for other in others if own.isdisjoint(originals[other])][:MOST_OTHERS]
    return replace(
        parts[0],
        id=name,
        composed=kind,
        setting=setting_of(turns).name,
        topics=sorted({topic for part in parts for topic in part.topics}),
        origins=[origin for part in parts for origin in part.origins],
        turns=turns,
        documents=[*documents.values()],
        others=others,
        originals={tool: originals[tool] for tool in (*documents, *others)},
    )


def documents_of_parts(parts: Sequence[StandardRow]) -> dict[str, Document]:
    """The documents of all parts by name: where two have one of a tool, that of the part that calls it."""
    called: dict[str, Document] = {}
    documents: dict[str, Document] = {}
    for part in parts:
        names = {call.name for turn in part.turns for call in turn.calls}
        for document in part.documents:
            documents.setdefault(document["name"], document)
            if document["name"] in names:
                called.setdefault(document["name"], document)
    return documents | called
