"""Dialogue rates, setting averages and clustered intervals."""

import pytest

from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.scoring.metrics import turn_flags
from toolyard.core.metrics import Row
from toolyard.core.types import Score
from toolyard.stats.bootstrap import clusters_of, estimate


def turn(right: float, place: int, turns: int | None, **more: float) -> Row:
    values = {"right": right, "turn": place, "turns": turns, "dialogue": 0, "row": place, **more}
    return Row(Score("s", values=values), "d", {"setting": "M-S"})


LATER = [turn(1, 0, 2, row=0), turn(1, 1, 2, row=1), turn(0, 0, 2, row=5)]


@pytest.mark.parametrize(
    ("rows", "flags"),
    [
        ([turn(0, 2, 3), turn(1, 0, 3), turn(1, 1, 3)], [[True, True, False]]),
        (LATER, [[False, True]]),
        (LATER[::-1], [[False, True]]),
        ([turn(1, 0, 1), turn(0, 0, 1, dialogue=1)], [[True], [False]]),
        ([turn(1, 0, 2)], []),
        ([turn(1, 0, None), turn(0, 1, None)], [[True, False]]),
        ([turn(1, 0, None), turn(0, 2, None)], []),
        ([turn(1, 1, None)], []),
    ],
    ids=["in order of turns", "the later row of a turn", "by its place in the file", "two dialogues of one cluster",
         "an unscored turn", "an early end of an unstated length", "a gap", "no first turn"],
)  # fmt: skip
def test_flags_of_dialogues(rows: list[Row], flags: list[list[bool]]) -> None:
    assert turn_flags(rows) == flags


def test_trials_are_dialogues_of_their_own() -> None:
    first = turn(1, 0, 1)
    second = Row(Score("s", 1, values={**first.score.values, "right": 0.0}), "d", {"setting": "M-S"})
    assert turn_flags([first, second]) == [[True], [False]]


def test_the_average_is_the_mean_over_the_settings_evaluated() -> None:
    def row(setting: str, name: str, values: dict[str, float]) -> Row:
        return Row(Score(name, values=values), name, {"setting": setting})

    rows = [
        row("S-S", "a", {"tool_selection": 1.0, "parameter_selection": 0.0}),
        row("S-M", "b", {"tool_number": 0.25, "tool_order": 0.75}),
        row("S-M", "c", {"tool_number": 0.75, "tool_order": 0.75}),
    ]
    found = estimate(BENCHMARK.scoring.metrics, rows)
    assert found["average"].value == pytest.approx((0.5 + 0.625) / 2)
    assert found["success_rate"].value is None


def test_intervals_are_drawn_over_dialogues_not_turns() -> None:
    rows = []
    for number in range(20):
        right = float(number % 2)
        for place in range(5):
            values = {"right": right, "parameter_selection": right, "tool_selection": right}
            position = {"turn": place, "turns": 5, "dialogue": 0, "row": number * 5 + place}
            rows.append(Row(Score("s", values={**values, **position}), f"d{number}", {"setting": "M-S"}))
    assert len(clusters_of(rows)) == 20
    found = estimate(BENCHMARK.scoring.metrics, rows, seed=1)["parameter_selection"]
    alone = [Row(row.score, str(place), row.groups) for place, row in enumerate(rows)]
    turnwise = estimate([BENCHMARK.scoring.metric("parameter_selection")], alone, seed=1)[
        "parameter_selection"
    ]
    assert found.low is not None and found.high is not None
    assert turnwise.low is not None and turnwise.high is not None
    # Turns of a dialogue stand and fall together here: five times as many draws must not narrow the interval.
    assert found.high - found.low > 1.8 * (turnwise.high - turnwise.low)
