"""The dialogues that one dialogue gives besides itself, where the words allow it.

cut      its first turn alone, if that is a call whose values all stand in the turn (S-S)
merged   two turns that call, at most two apart, as one; what the second takes from the result of the first
         becomes a reference (M-M)
pair     the same, if it begins the dialogue, alone (S-M)
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import Turns, sound_part
from toolyard.benchmarks.mtu.synth.instruct.dialogue_rows import (
    Document,
    StandardCall,
    StandardTurn,
    Values,
    all_written,
    standard_turns,
)
from toolyard.benchmarks.mtu.synth.instruct.request_words import answered, continued, joined, straight
from toolyard.benchmarks.mtu.synth.instruct.said_before import ground_of, referring, ungrounded
from toolyard.benchmarks.mtu.synth.instruct.settings import setting_of
from toolyard.core.types import derived_seed
from toolyard.synth.stages import Context, Kept, Outcome, Rejected, Row

FARTHEST = 2


def settled(row: Row, context: Context) -> Outcome:
    """The row with its setting, and the dialogues that it gives besides itself."""
    given = standard_turns(row)
    turns = tuple(replace(turn, calls=_once_each(turn.calls)) for turn in given)
    # An answer holds one call of a tool: it is an object of tool names.
    found = sound_part(turns, lambda turn, _: "" if _distinct(turn.calls) else "repeated_tool_in_turn")
    if isinstance(found, Rejected):
        return found
    sound, repairs = found
    if turns != given:
        repairs = ("same_call_dropped", *repairs)
    rng = random.Random(derived_seed(context.seed, f"merge/{row['id']}", 0))
    others = variants(sound, row["documents"], rng)
    return [
        Kept(_fields("", sound), repairs),
        *(Kept({"id": f"{row['id']}#{kind}", **_fields(kind, made)}) for kind, made in others),
    ]


def variants(turns: Turns, documents: Sequence[Document], rng: random.Random) -> Iterator[tuple[str, Turns]]:
    """The other dialogues that a dialogue of several turns gives, each with its kind."""
    if len(turns) < 2:
        return
    if stands_alone(turns[0], documents):
        yield "cut", turns[:1]
    candidates = [merged for pair in _pairs(turns) if (merged := merge(turns, *pair, documents, rng))]
    if not candidates:
        return
    if len(candidates[0]) > 1:
        yield "merged", candidates[rng.randrange(len(candidates))]
    first = candidates[0][0]
    if len(first.calls) > 1 and first.user.startswith(straight(turns[0].user)[:-1]):
        yield "pair", (first,)


def stands_alone(turn: StandardTurn, documents: Sequence[Document]) -> bool:
    """Whether a turn is one call that nothing but its own words is needed for."""
    return len(turn.calls) == 1 and not any(ungrounded(turn, (), documents))


def merge(turns: Turns, first: int, second: int, documents: Sequence[Document], rng: random.Random) -> Turns:
    """The turns with two of them as one, or none where words or values forbid it."""
    text = _text(turns[first : second + 1], rng)
    if not text:
        return ()
    merged = with_another(turns[first], turns[second], text)
    ground = ground_of(merged, turns[:first])
    calls = referring(turns[first].calls, turns[second].calls, ground, merged.known)
    merged = replace(merged, label=turns[second].label, calls=calls)
    changed = (*turns[:first], merged, *turns[second + 1 :])
    later = range(first, len(changed))
    if any(any(ungrounded(changed[place], changed[:place], documents)) for place in later):
        return ()
    return changed


def with_another(turn: StandardTurn, other: StandardTurn, text: str) -> StandardTurn:
    """A turn in which the user also asks for what another asks for, in these words; calls and replies of both."""
    return replace(
        turn,
        user=text,
        assistant=answered(turn.assistant, other.assistant),
        wants=list(dict.fromkeys([*turn.wants, *other.wants])),
        known=both_known(turn.known, other.known),
        calls=(*turn.calls, *other.calls),
    )


def both_known(first: Mapping[str, Values], second: Mapping[str, Values]) -> dict[str, Values]:
    """What is known after both, tool by tool."""
    names = dict.fromkeys([*first, *second])
    return {name: {**first.get(name, {}), **second.get(name, {})} for name in names}


def _text(turns: Turns, rng: random.Random) -> str:
    """What the user says in all these turns in one breath, without answers to an assistant who never spoke."""
    first, *rest = turns
    values = (value for call in first.calls for result in call.results or () for value in result.values())
    texts = {value.lower() for value in values if isinstance(value, str) and len(value) > 3}
    learned = {text for text in texts if text not in first.user.lower()}
    pieces = []
    for turn in rest:
        piece = continued(turn.user)
        if piece is None or any(value in piece.lower() for value in learned):
            return ""
        pieces += [piece] if piece else []
    return joined([first.user, *pieces], rng) if pieces else ""


def _pairs(turns: Turns) -> Iterator[tuple[int, int]]:
    """Neighbouring turns that call different tools with success, near enough to each other."""
    calling = [place for place, turn in enumerate(turns) if turn.calls]
    for first, second in pairwise(calling):
        found = all(call.results and not call.failed for call in turns[first].calls)
        near = second - first <= FARTHEST
        if near and found and _distinct([*turns[first].calls, *turns[second].calls]):
            yield first, second


def _fields(kind: str, turns: Turns) -> dict[str, object]:
    return {"turns": all_written(turns), "setting": setting_of(turns).name, "composed": kind}


def _distinct(calls: Sequence[StandardCall]) -> bool:
    return len({call.name for call in calls}) == len(calls)


def _once_each(calls: Sequence[StandardCall]) -> tuple[StandardCall, ...]:
    kept: list[StandardCall] = []
    for call in calls:
        if (call.name, call.arguments) not in [(each.name, each.arguments) for each in kept]:
            kept.append(call)
    return tuple(kept)
