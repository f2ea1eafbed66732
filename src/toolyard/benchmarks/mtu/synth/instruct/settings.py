"""Settings by the calls of a turn, and the dialogues that one dialogue gives besides itself.

S-S, S-M, M-S, M-M: one turn or several, at most one call in every turn or more in some. Besides itself a dialogue
gives, where the words allow it,
    cut      its first turn alone, if that is a call whose values all stand in the turn (S-S)
    merged   two turns that call, at most two apart, as one; what the second takes from the result of the first
             becomes a reference (M-M)
    pair     the same, if it begins the dialogue, alone (S-M)
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from toolyard.benchmarks.mtu.synth.instruct.filters import checked, ground_of, referring, ungrounded
from toolyard.benchmarks.mtu.synth.instruct.wording import answered, continued, joined, straight
from toolyard.core.types import Json, derived_seed
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row

FARTHEST = 2


def setting_of(turns: Sequence[Json]) -> str:
    """The setting of a dialogue (the rule that the official rows follow: calls per turn, not tools in all)."""
    most = max(len(turn["calls"]) for turn in turns)
    return f"{'S' if len(turns) == 1 else 'M'}-{'S' if most <= 1 else 'M'}"


def settled(row: Row, context: Context) -> Outcome:
    """The row with its setting, and the dialogues that it gives besides itself."""
    repairs: dict[str, None] = {}
    turns = [{**turn, "calls": _once_each(turn["calls"], repairs)} for turn in row["turns"]]
    # An answer holds one call of a tool: it is an object of tool names.
    outcome = checked(turns, lambda turn, _: "" if _distinct(turn["calls"]) else "repeated_tool_in_turn")
    if isinstance(outcome, Rejected) or not isinstance(outcome, Kept):
        return outcome
    repairs |= dict.fromkeys(outcome.repairs)
    turns = [*outcome.fields.get("turns", turns)]
    native = Kept({"turns": turns, "setting": setting_of(turns), "composed": ""}, tuple(repairs))
    whole = {**row, "turns": turns}
    return [native, *(Kept(fields) for fields in variants(whole, context.seed))]


def variants(row: Row, seed: int) -> Iterator[dict[str, Json]]:
    """The other dialogues that a dialogue of several turns gives."""
    turns = row["turns"]
    if len(turns) < 2:
        return
    if stands_alone(turns[0], row["documents"]):
        yield _variant(row, "cut", turns[:1])
    rng = random.Random(derived_seed(seed, f"merge/{row['id']}", 0))
    candidates = [merged for pair in _pairs(turns) if (merged := merge(row, *pair, rng))]
    if not candidates:
        return
    if len(candidates[0]) > 1:
        yield _variant(row, "merged", candidates[rng.randrange(len(candidates))])
    first = candidates[0][0]
    if len(first["calls"]) > 1 and first["user"].startswith(straight(turns[0]["user"])[:-1]):
        yield _variant(row, "pair", [first])


def stands_alone(turn: Json, documents: Sequence[Json]) -> bool:
    """Whether a turn is one call that nothing but its own words is needed for."""
    return len(turn["calls"]) == 1 and not any(ungrounded(turn, (), documents))


def merge(row: Row, first: int, second: int, rng: random.Random) -> list[Json]:
    """The turns with two of them as one, or none where words or values forbid it."""
    turns = row["turns"]
    text = _text(turns[first : second + 1], rng)
    if not text:
        return []
    merged = {
        **turns[second],
        "user": text,
        "assistant": answered(turns[first]["assistant"], turns[second]["assistant"]),
        "wants": list(dict.fromkeys([*turns[first]["wants"], *turns[second]["wants"]])),
        "known": both_known(turns[first]["known"], turns[second]["known"]),
    }
    ground = ground_of({**merged, "calls": []}, turns[:first])
    calls = [*turns[first]["calls"]]
    for call in turns[second]["calls"]:
        calls.append(referring(call, calls, ground, merged["known"].get(call["name"], {})))
    merged["calls"] = calls
    changed = [*turns[:first], merged, *turns[second + 1 :]]
    later = range(first, len(changed))
    if any(any(ungrounded(changed[place], changed[:place], row["documents"])) for place in later):
        return []
    return changed


def both_known(first: Mapping[str, Json], second: Mapping[str, Json]) -> dict[str, Json]:
    """What is known after both, tool by tool."""
    names = dict.fromkeys([*first, *second])
    return {name: {**first.get(name, {}), **second.get(name, {})} for name in names}


def _text(turns: Sequence[Json], rng: random.Random) -> str:
    """What the user says in all these turns in one breath, without answers to an assistant who never spoke."""
    first, *rest = turns
    learned = {
        value.lower()
        for call in first["calls"]
        for result in call["results"] or ()
        for value in result.values()
        if isinstance(value, str) and len(value) > 3 and value.lower() not in first["user"].lower()
    }
    pieces = []
    for turn in rest:
        piece = continued(turn["user"])
        if piece is None or any(value in piece.lower() for value in learned):
            return ""
        pieces += [piece] if piece else []
    return joined([first["user"], *pieces], rng) if pieces else ""


def _pairs(turns: Sequence[Json]) -> Iterator[tuple[int, int]]:
    """Neighbouring turns that call different tools with success, near enough to each other."""
    calling = [place for place, turn in enumerate(turns) if turn["calls"]]
    for first, second in pairwise(calling):
        names = {call["name"] for place in (first, second) for call in turns[place]["calls"]}
        count = len(turns[first]["calls"]) + len(turns[second]["calls"])
        found = all(call["results"] and not call["failed"] for call in turns[first]["calls"])
        if second - first <= FARTHEST and len(names) == count and found:
            yield first, second


def _variant(row: Row, kind: str, turns: Sequence[Json]) -> dict[str, Json]:
    return {"id": f"{row['id']}#{kind}", "turns": [*turns], "setting": setting_of(turns), "composed": kind}


def _distinct(calls: Sequence[Json]) -> bool:
    return len({call["name"] for call in calls}) == len(calls)


def _once_each(calls: Sequence[Json], repairs: dict[str, None]) -> list[Json]:
    kept: list[Json] = []
    for call in calls:
        same = [
            each for each in kept if each["name"] == call["name"] and each["arguments"] == call["arguments"]
        ]
        if same:
            repairs["same_call_dropped"] = None
        else:
            kept.append(call)
    return kept
