"""Dialogues made of several: what the corpora lack in the multi-tool settings.

    joined     two to four single turns of one corpus that call different tools, as one turn (S-M)
    appended   a single turn of another topic, asked along in the last turn of a dialogue that calls (M-M)

Only rows of the same corpus and of the same side of the out-of-domain split come together.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from toolyard.benchmarks.mtu.synth.instruct.settings import setting_of
from toolyard.benchmarks.mtu.synth.instruct.wording import answered, joined
from toolyard.core.types import Json, derived_seed
from toolyard.synth.stages import Context, Rejected, Row, Rows

SIZES = (2, 2, 2, 3, 3, 4)
MOST_WORDS = 60
TRIES = 4
MOST_OTHERS = 4
# What a donor is kept as, out of its row.
DONATED = ("id", "source", "licence", "split", "topics", "origins", "turns", "documents", "others", "schema")

Pools = dict[tuple[str, str], dict[str, list[Row]]]


def composed(rows: Rows, context: Context) -> Iterator[Row | Rejected]:
    """All rows, then those made of several of them."""
    pools: Pools = {}
    documents: dict[tuple[str, str], Json] = {}
    for row in rows:
        yield row
        if row["setting"] == "S-S" and len(row["turns"][0]["calls"]) == 1:
            pool = pools.setdefault((row["source"], row["split"]), {})
            pool.setdefault(row["turns"][0]["calls"][0]["name"], []).append(_donor(row, documents))
    yield from joined_rows(pools, float(context.options["joined"]), context.seed)
    yield from appended_rows(rows, pools, float(context.options["appended"]), context.seed)


def _donor(row: Row, documents: dict[tuple[str, str], Json]) -> Row:
    """What is needed of a row; equal documents are held once."""
    held = [documents.setdefault((row["source"], each["name"]), each) for each in row["documents"]]
    return {**{name: row[name] for name in DONATED}, "documents": held}


def joined_rows(pools: Pools, share: float, seed: int) -> Iterator[Row]:
    """For every corpus this share of its single turns as often a new turn of several of them."""
    for (source, split), pool in pools.items():
        count = round(share * sum(map(len, pool.values())))
        made: set[tuple[str, ...]] = set()
        for number in range(count if len(pool) > 1 else 0):
            rng = random.Random(derived_seed(seed, f"join/{source}/{split}", number))
            parts = _drawn(pool, rng)
            origins = tuple(part["id"] for part in parts)
            if parts and origins not in made:
                made.add(origins)
                yield join(parts, f"{source}/{split}/joined/{number}", rng)


def _drawn(pool: Mapping[str, Sequence[Row]], rng: random.Random) -> list[Row]:
    """Single turns of different tools, tools drawn by how often they are called; not too many words."""
    tools = list(pool)
    size = min(rng.choice(SIZES), len(tools))
    for _ in range(TRIES):
        names: dict[str, None] = {}
        while len(names) < size:
            names[rng.choice(tools)] = None
        parts = [rng.choice(pool[name]) for name in names]
        if sum(len(part["turns"][0]["user"].split()) for part in parts) <= MOST_WORDS:
            return parts
    return []


def join(parts: Sequence[Row], name: str, rng: random.Random) -> Row:
    """One row of one turn that asks for everything that the parts ask for."""
    turns = [part["turns"][0] for part in parts]
    reply = turns[0]["assistant"]
    for turn in turns[1:]:
        reply = answered(reply, turn["assistant"])
    turn = {
        "user": joined([turn["user"] for turn in turns], rng),
        "assistant": reply,
        "label": "call",
        "wants": list(dict.fromkeys(name for turn in turns for name in turn["wants"])),
        "known": {},
        "calls": [call for turn in turns for call in turn["calls"]],
    }
    return _composed(parts, name, [turn], "joined")


def appended_rows(rows: Rows, pools: Pools, share: float, seed: int) -> Iterator[Row]:
    """For this share of the dialogues of several turns a second one, with another request asked along."""
    for row in rows:
        rng = random.Random(derived_seed(seed, f"append/{row['id']}", 0))
        if row["setting"] != "M-S" or rng.random() >= share:
            continue
        place = last_call(row["turns"])
        donor = _other_topic(row, pools.get((row["source"], row["split"]), {}), rng)
        if place is not None and donor is not None:
            yield append(row, place, donor, rng)


def last_call(turns: Sequence[Json]) -> int | None:
    """The last turn that calls, if all that follows is chat: nothing then depends on how it was answered."""
    place = max(place for place, turn in enumerate(turns) if turn["calls"])
    return place if all(turn["label"] == "chat" for turn in turns[place + 1 :]) else None


def _other_topic(row: Row, pool: Mapping[str, Sequence[Row]], rng: random.Random) -> Row | None:
    used = {document["name"] for document in row["documents"]}
    free = [name for name in pool if name not in used]
    for _ in range(TRIES if free else 0):
        donor = rng.choice(pool[rng.choice(free)])
        if not set(donor["topics"]) & set(row["topics"]):
            return donor
    return None


def append(row: Row, place: int, donor: Row, rng: random.Random) -> Row:
    """The dialogue with the donor's request asked along in one turn."""
    turn, other = row["turns"][place], donor["turns"][0]
    both = {
        **turn,
        "user": joined([turn["user"], other["user"]], rng),
        "assistant": answered(turn["assistant"], other["assistant"]),
        "wants": [*turn["wants"], *(name for name in other["wants"] if name not in turn["wants"])],
        "calls": [*turn["calls"], *other["calls"]],
    }
    turns = [*row["turns"][:place], both, *row["turns"][place + 1 :]]
    return _composed([row, donor], f"{row['id']}#appended", turns, "appended")


def _composed(parts: Sequence[Row], name: str, turns: list[Json], kind: str) -> Row:
    documents = {document["name"]: document for part in parts for document in part["documents"]}
    others = sorted({other for part in parts for other in part["others"]} - documents.keys())[:MOST_OTHERS]
    return {
        **{field: parts[0][field] for field in ("source", "licence", "split", "schema")},
        "id": name,
        "composed": kind,
        "setting": setting_of(turns),
        "topics": sorted({topic for part in parts for topic in part["topics"]}),
        "origins": [origin for part in parts for origin in part["origins"]],
        "turns": turns,
        "documents": [*documents.values()],
        "others": others,
    }
