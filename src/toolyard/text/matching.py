"""Ways to compare two sequences: multisets, assignments, common subsequences, edit distance and ROUGE-L."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

# The released ROUGE package recurses once per step of the walk through the table, and Python stops it
# near this depth; what it cannot walk counts as incomparable.
LONGEST_WALK = 980
LARGEST_TABLE = 4_000_000
FEW = 16

Weigh = Callable[[int, int, Mapping[int, int]], float | None]


def multiset_intersection(predicted: Sequence[Hashable], gold: Sequence[Hashable]) -> int:
    """How many items the two have in common, each counted as often as it occurs in both."""
    if len(predicted) > FEW or len(gold) > FEW:
        return (Counter(predicted) & Counter(gold)).total()
    # Counters cost more than the few comparisons of a usual answer.
    if predicted == gold:
        return len(gold)
    left = list(gold)
    for item in predicted:
        if item in left:
            left.remove(item)
    return len(gold) - len(left)


def bigrams(items: Sequence[Hashable]) -> list[tuple[Hashable, Hashable]]:
    """Adjacent pairs in order; none where there are fewer than two items."""
    return list(pairwise(items))


def greedy_matching(predicted: int, gold: int, weigh: Weigh) -> dict[int, int]:
    """Gold index by predicted index: each prediction in turn takes the heaviest gold item still free.

    `weigh(predicted, gold, matched)` may look at what is matched so far; None forbids the pair. The first
    of equally heavy items is taken.
    """
    matched: dict[int, int] = {}
    free = list(range(gold))
    for row in range(predicted):
        best: tuple[float, int] | None = None
        for column in free:
            weight = weigh(row, column, matched)
            if weight is not None and (best is None or weight > best[0]):
                best = (weight, column)
        if best is not None:
            matched[row] = best[1]
            free.remove(best[1])
    return matched


def maximum_weight_matching(weights: Sequence[Sequence[float]]) -> dict[int, int]:
    """Column by row of the assignment whose weights add up to the most; as many pairs as fit."""
    if not weights or not weights[0]:
        return {}
    if len(weights) == 1:
        return {0: max(range(len(weights[0])), key=weights[0].__getitem__)}
    return cheapest_assignment(-np.array(weights, dtype=np.float64))


def edit_ratio(candidate: str, reference: str) -> float:
    """Levenshtein distance over the length of the reference; 0 means equal, and it may exceed 1."""
    from rapidfuzz.distance import Levenshtein

    distance = Levenshtein.distance(reference, candidate)
    if not reference:
        return float(distance)
    return distance / len(reference)


def rouge_l_summary(predicted: str, gold: str) -> float | None:
    """ROUGE-L F of two texts at summary level, over distinct words; None where there is nothing to compare.

    Texts are cut at full stops. The words of one longest common subsequence of every pair of pieces are
    united; recall and precision divide their number by the distinct words of gold and of the prediction.
    Figures equal those of the released `rouge` 1.0.1, whose F of equal texts is 0.999999995.
    """
    hypothesis, reference = _sentence_words(predicted), _sentence_words(gold)
    if not hypothesis or not reference:
        return None
    common: set[str] = set()
    for gold_words in reference:
        for predicted_words in hypothesis:
            words = _common_words(gold_words, predicted_words)
            if words is None:
                return None
            common |= words
    recall = len(common) / len({word for words in reference for word in words})
    precision = len(common) / len({word for words in hypothesis for word in words})
    return 2 * precision * recall / (precision + recall + 1e-8)


def _sentence_words(text: str) -> list[list[str]]:
    # A piece of blanks is kept as one empty word: only pieces without any character are dropped upstream.
    return [" ".join(piece.split()).split(" ") for piece in text.split(".") if piece]


def _common_words(gold: Sequence[str], predicted: Sequence[str]) -> set[str] | None:
    """The words of the longest common subsequence that the released package walks to."""
    if min(len(gold), len(predicted)) > LONGEST_WALK or len(gold) * len(predicted) > LARGEST_TABLE:
        return None
    if not set(gold) & set(predicted):
        return set() if len(predicted) <= LONGEST_WALK else None
    table = _subsequence_lengths(gold, predicted)
    words: set[str] = set()
    row, column, steps = len(gold), len(predicted), 0
    while row and column:
        steps += 1
        if gold[row - 1] == predicted[column - 1]:
            words.add(gold[row - 1])
            row, column = row - 1, column - 1
        elif table[row - 1][column] > table[row][column - 1]:
            row -= 1
        else:
            column -= 1
    return words if steps <= LONGEST_WALK else None


def _subsequence_lengths(first: Sequence[str], second: Sequence[str]) -> list[list[int]]:
    table = [[0] * (len(second) + 1)]
    for item in first:
        above, current = table[-1], [0]
        for column, other in enumerate(second):
            best = above[column] + 1 if item == other else max(above[column + 1], current[column])
            current.append(best)
        table.append(current)
    return table


Floats = NDArray[np.float64]
Places = NDArray[np.int64]


def cheapest_assignment(costs: Floats) -> dict[int, int]:
    """Column by row, in the order of rows; as many pairs as the smaller side has."""
    rows, columns = costs.shape
    if columns < rows:
        flipped = cheapest_assignment(costs.T)
        return dict(sorted((row, column) for column, row in flipped.items()))
    search = _Search(
        costs,
        np.zeros(rows),
        np.zeros(columns),
        np.full(rows, -1),
        np.full(columns, -1),
        np.full(columns, -1),
    )
    for row in range(rows):
        search.assign(row)
    return {row: int(column) for row, column in enumerate(search.column_of)}


@dataclass(frozen=True, slots=True)
class _Search:
    """The pairs found so far and the dual prices that prove them cheapest; the arrays change in place."""

    costs: Floats
    row_prices: Floats
    column_prices: Floats
    column_of: Places
    row_of: Places
    came_from: Places

    def assign(self, row: int) -> None:
        """Gives the row a column, moving earlier rows along the cheapest path."""
        reached = np.full(self.costs.shape[1], np.inf)
        open_columns = np.arange(self.costs.shape[1])[::-1].copy()
        current, cheapest, visited_rows, visited_columns = row, 0.0, [row], []
        while True:
            step = cheapest + self.costs[current, open_columns]
            step = step - self.row_prices[current] - self.column_prices[open_columns]
            better = step < reached[open_columns]
            self.came_from[open_columns[better]] = current
            reached[open_columns[better]] = step[better]
            index = self._next(reached[open_columns], open_columns)
            column = int(open_columns[index])
            cheapest = float(reached[column])
            visited_columns.append(column)
            open_columns[index] = open_columns[-1]
            open_columns = open_columns[:-1]
            if self.row_of[column] < 0:
                break
            current = int(self.row_of[column])
            visited_rows.append(current)
        self._update_prices(row, visited_rows, visited_columns, reached, cheapest)
        self._move(row, column)

    def _next(self, reached: Floats, open_columns: Places) -> int:
        """The place of the nearest open column; among equals a free one ends the search."""
        nearest = np.flatnonzero(reached == reached.min())
        free = nearest[self.row_of[open_columns[nearest]] < 0]
        return int(free[-1] if free.size else nearest[0])

    def _update_prices(
        self, row: int, rows: list[int], columns: list[int], reached: Floats, cheapest: float
    ) -> None:
        self.row_prices[row] += cheapest
        others = np.array(rows[1:], dtype=np.int64)
        self.row_prices[others] += cheapest - reached[self.column_of[others]]
        visited = np.array(columns, dtype=np.int64)
        self.column_prices[visited] -= cheapest - reached[visited]

    def _move(self, row: int, column: int) -> None:
        while True:
            taker = int(self.came_from[column])
            self.row_of[column] = taker
            column, self.column_of[taker] = int(self.column_of[taker]), column
            if taker == row:
                return
