"""Gold episodes with other calls or another world: no call, no question, calls made twice, a write too much."""

from collections.abc import Callable, Iterator, Mapping

from toolyard.benchmarks.tooleyes.data.sample import ASK
from toolyard.benchmarks.tooleyes.scoring.gold_episodes import GoldEpisode
from toolyard.benchmarks.tooleyes.task.rounds import read_round
from toolyard.core.types import JsonValue, Record, Transcript

GIVEN_UP = "I am sorry, I cannot help with that."


def _turns_of_gold(gold: GoldEpisode) -> list[Mapping[str, JsonValue]]:
    return list(gold.transcript.notes["conversation"])


def _episodes_without_call(gold: GoldEpisode) -> Iterator[Transcript]:
    changes = [turn for turn in _turns_of_gold(gold) if turn.get("kind") == "change"]
    yield gold.with_notes(conversation=[*changes, _turns_of_gold(gold)[-1]], world={})


def _last_turn_episodes(gold: GoldEpisode) -> Iterator[Transcript]:
    turns = gold.with_answer(GIVEN_UP).notes["conversation"]
    changes = [turn for turn in turns if turn.get("kind") == "change"]
    yield gold.with_notes(conversation=[*changes, turns[-1]], world={})


def _call_positions(gold: GoldEpisode) -> Iterator[tuple[int, str]]:
    """(place in the conversation, tool) of every call."""
    for place, turn in enumerate(_turns_of_gold(gold)):
        if turn["from"] == "assistant":
            yield place, read_round(str(turn["value"])).action


def _episodes_without_question(gold: GoldEpisode) -> Iterator[Transcript]:
    asked = {place for place, tool in _call_positions(gold) if tool == ASK}
    if gold.wanted.asks and asked:
        kept = [
            turn
            for place, turn in enumerate(_turns_of_gold(gold))
            if place not in asked and place - 1 not in asked
        ]
        yield gold.with_notes(conversation=kept)


def _episodes_with_more_calls(gold: GoldEpisode) -> Iterator[Transcript]:
    """Every reading call made twice, and the first failing call on the way."""
    if gold.trajectory.diff:
        return
    turns = _turns_of_gold(gold)
    doubled: list[Mapping[str, JsonValue]] = []
    for place, turn in enumerate(turns):
        doubled.append(turn)
        if turn["from"] == "function" and place:
            doubled += [turns[place - 1], turn]
    yield gold.with_notes(conversation=doubled)


def _episodes_with_extra_write(gold: GoldEpisode) -> Iterator[Transcript]:
    world: Record = dict(gold.trajectory.diff or {})
    file = {"added": {"/workspace/extra.txt": "something"}, "removed": {}, "changed": {}}
    if "files" not in world:
        yield gold.with_notes(world={**world, "files": file})
    gone = {"added": {}, "removed": {"/workspace/notes.txt": "Buy milk."}, "changed": {}}
    for store, changes in world.items():
        if store == "clock" or not any(changes.values()):
            continue
        yield gold.with_notes(
            world={**world, store: {**changes, "removed": {**changes["removed"], **gone["removed"]}}}
        )
        for key, entry in changes["changed"].items():
            spoiled = {**entry, "after": _spoil_state(entry["after"])}
            yield gold.with_notes(world={**world, store: {**changes, "changed": {key: spoiled}}})
        for entry in list(changes["added"].values())[:1]:
            stranger = {"zz9": _other_value(entry), **changes["added"]}
            if store not in gold.wanted.scratch and store != "python_session":
                yield gold.with_notes(world={**world, store: {**changes, "added": stranger}})


def _spoil_state(after: object) -> JsonValue:
    """A table in which every other row changed as well; a text with something behind it."""
    if isinstance(after, Mapping) and isinstance(after.get("rows"), list):
        return {
            **after,
            "rows": [[*row[:3], 1, *row[4:]] if place else row for place, row in enumerate(after["rows"])],
        }
    return f"{after} and something else"


def _other_value(entry: JsonValue) -> JsonValue:
    if isinstance(entry, Mapping) and "to" in entry:
        return {**entry, "to": "stranger@elsewhere.example"}
    if isinstance(entry, Mapping):
        return {key: "something else" if isinstance(value, str) else value for key, value in entry.items()}
    return "something else"


EPISODES: Mapping[str, Callable[[GoldEpisode], Iterator[Transcript]]] = {
    "nothing_done": _last_turn_episodes,
    "no_call": _episodes_without_call,
    "skipped_question": _episodes_without_question,
    "extra_write": _episodes_with_extra_write,
    "longer_plan": _episodes_with_more_calls,
}
