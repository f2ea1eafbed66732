"""Which predicted call stands for which gold call."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeAlias

from toolyard.benchmarks.nestools.scoring.graded_calls import GradedCall, Key, Same
from toolyard.core.nesting import ReturnValue
from toolyard.core.types import JsonValue
from toolyard.text.matching import maximum_weight_matching

SEARCH_STEPS = 20_000
ROUNDS = 3
IN_ORDER = 1e-6

Matching: TypeAlias = dict[int, int]


def same_if_paired(matched: Mapping[int, int]) -> Same:
    """When two return values are one: their calls are paired, and they stand in the same place."""
    return partial(_same_return, matched)


def _same_return(matched: Mapping[int, int], gold: ReturnValue, predicted: ReturnValue) -> bool:
    return matched.get(predicted.call) == gold.call and predicted.position == gold.position


def agreeing_arguments(gold: GradedCall, predicted: GradedCall, same: Same) -> list[JsonValue]:
    """The arguments of gold that the predicted call has rightly."""
    wanted = gold.arguments
    return [
        name
        for name, value in predicted.arguments.items()
        if name in wanted and gold.accepts(name, value, same)
    ]


def find_equivalence(gold: Sequence[GradedCall], predicted: Sequence[GradedCall]) -> Matching | None:
    """A pairing under which both are the same call graph, or None; call order and label numbers are free.

    A predicted call refers to earlier ones only, so each can be decided when its turn comes. The search
    gives up after `SEARCH_STEPS`, which only many equal calls of one tool can reach.
    """
    if len(gold) != len(predicted):
        return None
    matched: Matching = {}
    untried: list[list[int]] = []
    for _ in range(SEARCH_STEPS):
        if len(untried) == len(matched):
            if len(matched) == len(gold):
                return matched
            untried.append(_fitting_gold_calls(gold, predicted[len(matched)], matched))
        if untried[-1]:
            matched[len(untried) - 1] = untried[-1].pop(0)
            continue
        untried.pop()
        if not untried:
            return None
        del matched[len(untried) - 1]
    return None


def _fitting_gold_calls(gold: Sequence[GradedCall], step: GradedCall, matched: Matching) -> list[int]:
    """The free gold calls that the predicted one equals, given what is paired so far."""
    same, key = same_if_paired(matched), step.key
    taken = matched.values()
    return [
        index
        for index, wanted in enumerate(gold)
        if wanted.key == key and index not in taken and wanted.fits(step, same)
    ]


def best_matching(gold: Sequence[GradedCall], predicted: Sequence[GradedCall]) -> Matching:
    """Calls of the same tool paired so that most arguments agree, earlier with earlier on ties.

    Whether a placeholder agrees depends on the pairing itself. The first round takes placeholders for right
    when tool and position agree; the next ones follow the pairing found so far while that helps.
    """
    groups = _groups_of_same_tool(gold, predicted)
    if not groups:
        return {}

    def same_tool(wanted: ReturnValue, made: ReturnValue) -> bool:
        return gold[wanted.call].key == predicted[made.call].key and wanted.position == made.position

    best = _pair_calls(gold, predicted, groups, same_tool)
    if all(len(rows) == len(columns) == 1 for rows, columns in groups):
        return best
    score = _count_agreeing(gold, predicted, best)
    for _ in range(ROUNDS):
        candidate = _pair_calls(gold, predicted, groups, same_if_paired(best))
        reached = _count_agreeing(gold, predicted, candidate)
        if reached <= score:
            break
        best, score = candidate, reached
    return best


def _groups_of_same_tool(
    gold: Sequence[GradedCall], predicted: Sequence[GradedCall]
) -> list[tuple[list[int], list[int]]]:
    rows: dict[Key, list[int]] = {}
    columns: dict[Key, list[int]] = {}
    for index, step in enumerate(gold):
        columns.setdefault(step.key, []).append(index)
    for index, step in enumerate(predicted):
        if step.key in columns:
            rows.setdefault(step.key, []).append(index)
    return [(found, columns[key]) for key, found in rows.items()]


def _pair_calls(
    gold: Sequence[GradedCall],
    predicted: Sequence[GradedCall],
    groups: Sequence[tuple[list[int], list[int]]],
    same: Same,
) -> Matching:
    matched: Matching = {}
    for rows, columns in groups:
        if len(rows) == len(columns) == 1:
            matched[rows[0]] = columns[0]
            continue
        weights = [
            [
                len(agreeing_arguments(gold[column], predicted[row], same)) - IN_ORDER * abs(i - j)
                for j, column in enumerate(columns)
            ]
            for i, row in enumerate(rows)
        ]
        matched.update((rows[i], columns[j]) for i, j in maximum_weight_matching(weights).items())
    return dict(sorted(matched.items())) if len(matched) > 1 else matched


def _count_agreeing(gold: Sequence[GradedCall], predicted: Sequence[GradedCall], matched: Matching) -> int:
    same = same_if_paired(matched)
    return sum(len(agreeing_arguments(gold[column], predicted[row], same)) for row, column in matched.items())
