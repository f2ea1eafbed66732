"""How far a run's figures move when the judge is asked again (`--judge-trials`).

The scores of a run are those of judge trial 0; the others serve the spread alone, which judge_spread.json keeps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from toolyard.core.benchmark import Benchmark, Table
from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Profile, Record
from toolyard.core.untrusted.typed_fields import typed_field, typed_items, typed_values
from toolyard.lines import encode_readable, path_exists, read_json_object, write_whole
from toolyard.stats.bootstrap import estimate
from toolyard.stats.judge_spread import Spread, spread_table, spreads_of_figures
from toolyard.stats.summary import Graded, rows_of

JUDGE_SPREAD = "judge_spread.json"


@dataclass(frozen=True, slots=True)
class JudgeSpread:
    """The spread of every judged figure over the askings of one judge, and how many samples each left unscored."""

    judge: str
    temperature: float
    unscored: Mapping[Profile, tuple[int, ...]]
    spreads: Mapping[Profile, tuple[Spread, ...]]

    def to_json(self, profile: Profile) -> dict[str, JsonValue]:
        """One profile as plain JSON."""
        return {
            "judge": self.judge,
            "temperature": self.temperature,
            "unscored": list(self.unscored[profile]),
            "figures": {item.figure: _spread_numbers(item) for item in self.spreads[profile]},
        }

    def table(self, profile: Profile) -> Table:
        """The table for people."""
        unscored = ", ".join(map(str, self.unscored[profile]))
        note = (
            f"{self.judge} at temperature {self.temperature:g}; the run's scores are those of judge trial 0; "
            f"unscored samples by trial: {unscored}"
        )
        return spread_table(self.spreads[profile], note)


def _spread_numbers(item: Spread) -> dict[str, JsonValue]:
    numbers = asdict(item)
    numbers.pop("figure")
    return numbers


def all_figures(benchmark: Benchmark, graded: Sequence[Graded]) -> dict[str, float | None]:
    """Every figure's value, without intervals."""
    found = estimate(benchmark.scoring.metrics, rows_of(graded), resamples=0)
    return {name: figure.value for name, figure in found.items()}


def figures_by_judge(
    figures: Mapping[str, float | None], unjudged: Mapping[str, float | None]
) -> dict[str, float | None]:
    """The figures that are undefined without any judge."""
    return {name: value for name, value in figures.items() if unjudged.get(name) is None}


def judge_spread(
    benchmark: Benchmark,
    by_trial: Sequence[Mapping[Profile, Sequence[Graded]]],
    unjudged: Mapping[Profile, Sequence[Graded]],
    *,
    judge: str,
    temperature: float,
) -> JudgeSpread | None:
    """The spread over judge trials, None where nothing is judged; `unjudged` is the same run without its judge."""
    profiles = benchmark.profiles
    plain = {profile: all_figures(benchmark, unjudged[profile]) for profile in profiles}
    found = JudgeSpread(
        judge=judge,
        temperature=temperature,
        unscored={
            profile: tuple(
                sum(item.score.unscored is not None for item in each[profile]) for each in by_trial
            )
            for profile in profiles
        },
        spreads={
            profile: spreads_of_figures(
                [figures_by_judge(all_figures(benchmark, each[profile]), plain[profile]) for each in by_trial]
            )
            for profile in profiles
        },
    )
    return found if any(found.spreads.values()) else None


def write_spread(folder: Path, found: JudgeSpread | None) -> None:
    """Keeps the spread beside the run; without one, removes that of an earlier judging."""
    path = folder / JUDGE_SPREAD
    if found is None:
        path.unlink(missing_ok=True)
        return
    content = {profile: found.to_json(profile) for profile in found.spreads}
    write_whole(path, encode_readable(content))


def read_spread(folder: Path) -> JudgeSpread | None:
    """The spread that the run directory keeps; None where there is none."""
    path = folder / JUDGE_SPREAD
    if not path_exists(path):
        return None
    try:
        content: Mapping[Any, Record] = read_json_object(path) or {}
        paper = typed_field(content, "paper", dict)
        return JudgeSpread(
            judge=typed_field(paper, "judge", str),
            temperature=typed_field(paper, "temperature", float),
            unscored={
                profile: tuple(typed_items(each, "unscored", int)) for profile, each in content.items()
            },
            spreads={profile: _read_spreads(each) for profile, each in content.items()},
        )
    except DataError as error:
        raise DataError(
            f"{path} is damaged ({error}); remove it, or make it again with: toolyard score {folder} --judge-trials N"
        ) from None


def _read_spreads(content: Record) -> tuple[Spread, ...]:
    figures = typed_values(content, "figures", dict)
    return tuple(
        Spread(
            figure,
            typed_field(numbers, "trials", int),
            typed_field(numbers, "mean", float),
            typed_field(numbers, "deviation", float, None),
            typed_field(numbers, "low", float),
            typed_field(numbers, "high", float),
        )
        for figure, numbers in figures.items()
    )
