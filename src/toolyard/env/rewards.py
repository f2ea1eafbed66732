"""What a played task earns, from execution alone: four families between 0 and 1, and one reward made of them.

format        the share of actions that could be read
tool choice   right functions called, less those that nobody needed, of all that were needed
arguments     how far the calls of right functions were given the right values, times the tool choice
outcome       1 where every needed call was made with the right values, or with others that do the same, nothing else in
              the world changed, no more than twice the calls were made, and every turn ended with an answer (with its
              facts) or a right refusal

A turn that needs no call is right where none is made and something is said. Such turns let calls count and earn nothing
beside them: in a dialogue with both, the figures of calling turns are multiplied by the share of right silent ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolyard.benchmarks.tooleyes.scoring.checks.fact_verdicts import Fact, fact_verdict
from toolyard.benchmarks.tooleyes.scoring.checks.passages import split_passages
from toolyard.benchmarks.tooleyes.scoring.checks.stated_values import to_value
from toolyard.core.types import JsonValue, Record
from toolyard.env.call_effects import has_same_effect
from toolyard.env.gym_task import EnvironmentTask, Function, GoldCall, TaskTurn
from toolyard.env.playing import DoneCall, PlayedTurn, Playing
from toolyard.text.counted_nouns import how_many
from toolyard.text.word_overlap import describes_tool
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.result_text import encode
from toolyard.world.kernel.state import World

FAMILIES = ("format", "tool_choice", "arguments", "outcome")
TOOL_CHOICE, ARGUMENTS, OUTCOME = 0.2, 0.3, 0.5
# Who pastes a whole result has not answered.
LONGEST_ANSWER = 1_500


@dataclass(frozen=True, slots=True)
class Rewards:
    """The families of one task and why points were lost."""

    format: float
    tool_choice: float
    arguments: float
    outcome: float
    reasons: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        """The reward: weighted tool choice, arguments and outcome, times the format."""
        parts = TOOL_CHOICE * self.tool_choice + ARGUMENTS * self.arguments + OUTCOME * self.outcome
        return self.format * parts

    @property
    def families(self) -> dict[str, float]:
        """The families by name."""
        return {name: getattr(self, name) for name in FAMILIES}


@dataclass(frozen=True, slots=True)
class _Graded:
    """One turn: whether it needs calls, its figures, and what is wrong with it."""

    calls: bool
    tool_choice: float
    arguments: float
    wrong: tuple[str, ...]


def compute_rewards(playing: Playing) -> Rewards:
    """What the task has earned so far."""
    turns = playing.task.draft.turns
    played = [*playing.turns, *(PlayedTurn() for _ in turns[len(playing.turns) :])]
    graded = [_grade_turn(playing.task, want, done) for want, done in zip(turns, played, strict=True)]
    wrong = [reason for each in graded for reason in each.wrong]
    if not wrong:
        wrong += _other_changes(playing)
    return Rewards(
        format=_format_reward(playing),
        tool_choice=_mean_over_turns(graded, [each.tool_choice for each in graded]),
        arguments=_mean_over_turns(graded, [each.arguments for each in graded]),
        outcome=float(not wrong),
        reasons=tuple(wrong[:20]),
    )


def _format_reward(playing: Playing) -> float:
    return 1 - len(playing.faults) / playing.actions if playing.actions else 0.0


def _mean_over_turns(graded: Sequence[_Graded], values: Sequence[float]) -> float:
    calling = [value for each, value in zip(graded, values, strict=True) if each.calls]
    silent = [value for each, value in zip(graded, values, strict=True) if not each.calls]
    mean = sum(calling) / len(calling) if calling else 1.0
    return mean * sum(silent) / len(silent) if silent else mean


def _grade_turn(task: EnvironmentTask, want: TaskTurn, done: PlayedTurn) -> _Graded:
    if not want.gold:
        right = not done.calls and bool(done.said.strip())
        return _Graded(False, float(right), float(right), () if right else ("no call was wanted but words",))
    wanted = Counter(call.function for call in want.gold)
    called = Counter(call.function for call in done.calls)
    fine = Counter(call.function for call in done.calls if call.error is None)
    shares = _call_shares(task, want.gold, done.calls)
    # A refusal that does not say what is missing is a guess.
    guessed = sum(
        bool(call.about) and share == 0 and called[call.function] > 0
        for call, share in zip(want.gold, shares, strict=True)
    )
    found = sum((wanted & called).values()) - guessed
    # A call that failed may be tried again; one of a function that nobody needed may not.
    surplus = sum(count for name, count in called.items() if name not in wanted)
    surplus += sum((fine - wanted)[name] for name in wanted)
    choice = max(0.0, (found - surplus) / len(want.gold))
    wrong = [f"not done: {call.function}" for call, share in zip(want.gold, shares, strict=True) if share < 1]
    if surplus > len(want.gold):
        wrong.append(f"{how_many(surplus, 'call')} that nobody needed")
    wrong += _missing_from_answer(want, done)
    return _Graded(True, choice, choice * sum(shares) / len(shares), tuple(wrong))


def _missing_from_answer(want: TaskTurn, done: PlayedTurn) -> Iterator[str]:
    """What the answer of a turn lacks; a refusal needs no words beside it."""
    if any(call.about for call in want.gold):
        return
    if not done.said.strip():
        yield "no answer"
    elif want.facts and len(done.said) > LONGEST_ANSWER:
        yield "the answer is too long to be one"
    said = split_passages(done.said) if want.facts and len(done.said) <= LONGEST_ANSWER else ()
    facts = [
        Fact((meant,), shown=str(value)) for value in want.facts if (meant := to_value(value)) is not None
    ]
    for fact in facts:
        if not fact_verdict(fact, facts, said).holds:
            yield f"not said: {fact.shown}"


def _call_shares(task: EnvironmentTask, gold: Sequence[GoldCall], made: Sequence[DoneCall]) -> list[float]:
    """How right each needed call was made: every call stands for one need at most, the best first."""
    pairs = sorted(
        (-_call_share(task, want, done), row, place)
        for row, want in enumerate(gold)
        for place, done in enumerate(made)
        if want.function == done.function
    )
    shares = [0.0] * len(gold)
    taken: set[int] = set()
    filled: set[int] = set()
    for share, row, place in pairs:
        if row not in filled and place not in taken:
            shares[row] = -share
            filled.add(row)
            taken.add(place)
    return shares


def _call_share(task: EnvironmentTask, want: GoldCall, done: DoneCall) -> float:
    if want.about:
        said = " ".join(str(value) for value in done.arguments.values())
        beside = [*map(str, want.arguments.values()), *(turn.user for turn in task.draft.turns)]
        return float(describes_tool(said, frozenset(want.about), " ".join(beside)))
    function = task.function(want.function)
    given = _arguments_without_defaults(function, done.arguments)
    gold = _arguments_without_defaults(function, want.arguments)
    names = {*given, *gold}
    right = sum(name in given and name in gold and are_same_values(given[name], gold[name]) for name in names)
    share = right / len(names) if names else 1.0
    if done.error is None and done.output == want.output:
        return 1.0 if share == 1 or has_same_effect(task, want, done.arguments) else share
    # Right words to a call that failed are nearly right.
    return share if done.error is None or share < 1 else 0.9


def _arguments_without_defaults(function: Function | None, arguments: Record) -> dict[str, JsonValue]:
    """The arguments that say something: no documented defaults."""
    properties = function.parameters.get("properties", {}) if function else {}
    return {
        name: value
        for name, value in arguments.items()
        if not (name in properties and "default" in properties[name] and value == properties[name]["default"])
    }


def are_same_values(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are equal but for case, spaces and 5 against 5.0 or "5"."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(are_same_values(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(are_same_values, one, other))
    return _plain_text(one) == _plain_text(other)


def _plain_text(value: JsonValue) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return " ".join(str(value).casefold().split())


def _other_changes(playing: Playing) -> list[str]:
    """Whether the world is another than after the right calls alone; time that passed does not count."""
    changed = _changed_stores(playing.world)
    if not changed:
        return []
    right = World.fresh(playing.task.draft.world_seed)
    for gold in playing.task.gold:
        function = playing.task.function(gold.function)
        if function is not None and function.tool:
            call(right, function.tool, gold.arguments)
    if encode(changed) == encode(_changed_stores(right)):
        return []
    return ["something else was changed: " + ", ".join(sorted(changed))]


def _changed_stores(world: World) -> dict[str, JsonValue]:
    return {name: part for name, part in world.diff().items() if name != "clock"}
