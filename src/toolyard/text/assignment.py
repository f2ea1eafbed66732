"""The assignment of rows to columns that costs the least in all.

The shortest augmenting path algorithm of Crouse (2016), with the same choice among equal costs as
`scipy.optimize.linear_sum_assignment`, so that scores do not depend on whether that package is installed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
