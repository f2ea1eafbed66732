"""Answers of both kinds made out of every gold: wrong ones that must fail, right ones in other words that must pass.

    wrong   swapped, negated, runner_up, one_wrong, one_missing, no_call, skipped_question, pasted, everything_listed,
            hedged, extra_write, nothing_done, claimed_failure
    right   other_spelling, rounded, list, table, other_order, longer_plan

Each is the gold episode with one thing changed, so that the class of a failure is known.
"""

from collections.abc import Iterator

from toolyard.benchmarks.tooleyes.data.sample import QueryGold, ToolEyesSample
from toolyard.benchmarks.tooleyes.scoring.gold_episodes import GoldEpisode
from toolyard.benchmarks.tooleyes.scoring.mutated_answers import ANSWERS, plain_list
from toolyard.benchmarks.tooleyes.scoring.mutated_episodes import EPISODES
from toolyard.benchmarks.tooleyes.scoring.outcome import statements
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.core.benchmark import Mutant
from toolyard.core.types import Failure, Transcript

RIGHT = frozenset({"other_spelling", "rounded", "list", "table", "other_order", "longer_plan"})


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
    for name, episodes in EPISODES.items():
        for episode in episodes(gold):
            yield Mutant(name, name in RIGHT, episode)
