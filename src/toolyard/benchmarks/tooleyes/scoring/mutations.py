"""Answers of both kinds made out of every gold: wrong ones that must fail, right ones in other words that must pass.

    wrong   swapped, negated, runner_up, one_wrong, one_missing, no_call, skipped_question, pasted, everything_listed,
            hedged, extra_write, nothing_done, claimed_failure
    right   other_spelling, rounded, list, table, other_order, longer_plan, tied

`tied` is the answer about another item of the same rank: the second of two hotels that are rated best.

Each is the gold episode with one thing changed, so that the class of a failure is known.
"""

from collections.abc import Callable, Iterator, Mapping

from toolyard.benchmarks.tooleyes.data.references import fill_text
from toolyard.benchmarks.tooleyes.data.sample import ASK, QueryGold, ToolEyesSample
from toolyard.benchmarks.tooleyes.scoring.gold_episodes import GoldEpisode
from toolyard.benchmarks.tooleyes.scoring.mutated_answers import ANSWERS, plain_list, tied_templates
from toolyard.benchmarks.tooleyes.scoring.outcome import statements
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.benchmarks.tooleyes.task.rounds import read_round
from toolyard.core.benchmark import Mutant
from toolyard.core.types import Failure, JsonValue, Record, Transcript

RIGHT = frozenset({"other_spelling", "rounded", "list", "table", "other_order", "longer_plan", "tied"})


def mutants(sample: ToolEyesSample, transcript: Transcript) -> Iterator[Mutant]:
    """All mutants of one gold episode; none for queries without gold."""
    if not isinstance(sample.gold, QueryGold):
        return
    trajectory = parse(sample, transcript, "paper")
    stated = statements(sample.gold, trajectory)
    wanted = sample.gold.fill_decisions((trajectory.reference or {}).get("observations", ()))
    if isinstance(stated, Failure) or isinstance(wanted, Failure):
        return
    gold = GoldEpisode(transcript, trajectory, wanted, stated)
    same = {trajectory.answer, plain_list(gold)}
    for name, answers in ANSWERS.items():
        right = name in RIGHT
        for answer in dict.fromkeys(answers(gold)):
            if right or answer not in same:
                yield Mutant(name, right, gold.with_answer(answer))
    request = f"{sample.input['query']} {sample.input.get('change', {}).get('text', '')}"
    for template in dict.fromkeys(tied_templates(gold.wanted, request, gold.reference)):
        told = fill_text(template, gold.reference)
        if isinstance(told, str) and told != trajectory.answer:
            yield Mutant("tied", True, gold.with_answer(told))
    for name, episodes in EPISODES.items():
        for episode in episodes(gold):
            yield Mutant(name, name in RIGHT, episode)


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
