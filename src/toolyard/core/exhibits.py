"""A paper's tables and figures over models, as data: terminal, page, JSON and LaTeX each show the same marks.

A benchmark says what its paper shows (`Reference.exhibits`); how a kind of exhibit is drawn is the report's business.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Literal, Protocol

from toolyard.core.ordered_sums import group_items
from toolyard.core.types import AnySample, Score, Transcript

Kind = Literal["table", "lines", "bars", "stack", "box", "radar", "scatter", "heat"]
# Whose a mark is: a run's, a published row's, or a line fitted through others.
Source = Literal["run", "published", "fit"]
_SIZE_IN_NAME = re.compile(r"[-_ ]?\d+(?:\.\d+)?\s*[bBM]\b(.*)$")
LONGEST_NAME = 500
BOX_PARTS = ("lowest", "lower quartile", "median", "upper quartile", "highest")


class Figure(Protocol):
    """A figure with its interval, as the statistics layer gives it."""

    @property
    def value(self) -> float | None:
        """The figure; None where it is undefined."""

    @property
    def low(self) -> float | None:
        """Where its interval begins."""

    @property
    def high(self) -> float | None:
        """Where its interval ends."""

    @property
    def count(self) -> int | None:
        """The answers that it is based on; None where that is not known."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One value of an exhibit: whose, in which panel, where along the axis, and of which part of a stack.

    `at` is its place on a numeric axis; `count` the samples it stands on.
    """

    model: str
    value: float | None
    x: str = ""
    panel: str = ""
    part: str = ""
    low: float | None = None
    high: float | None = None
    count: int | None = None
    at: float | None = None
    source: Source = "run"
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """The counterpart of one table or figure of a paper; values are fractions unless `unit` says otherwise."""

    paper: str
    title: str
    kind: Kind
    marks: tuple[Mark, ...]
    x_title: str = ""
    y_title: str = ""
    unit: Literal["percent", "count", "number"] = "percent"
    note: str = ""
    # Whether it shows the samples themselves, which need the data beside the scores.
    from_data: bool = False


@dataclass(frozen=True, slots=True)
class ModelRun:
    """One run as a figure over models sees it; `setup` tells the runs of one model apart."""

    model: str
    setup: str
    kind: str
    size: float | None
    figures: Mapping[str, Figure]
    groups: Mapping[str, Mapping[str, Mapping[str, Figure]]]
    group_sizes: Mapping[str, Mapping[str, int]]
    scored: Sequence[tuple[AnySample, Transcript, Score]]
    derived: Mapping[tuple[str, str], float | None] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    embedder: str = ""
    headline: str = ""
    # Whether too much is unscored for the headline; then it is in none of the fields above.
    withheld: bool = False

    @property
    def label(self) -> str:
        """What the run is called in a table."""
        return f"{self.model} ({self.setup})" if self.setup else self.model

    def figure(self, part: str, name: str) -> Figure | None:
        """The figure over all samples, or for the key of whichever breakdown has that key."""
        if not part:
            return self.figures.get(name)
        found = (keys[part].get(name) for keys in self.groups.values() if part in keys)
        return next((figure for figure in found if figure is not None), None)

    def count(self, part: str) -> int | None:
        """The samples of a part of the data; None where that is not known."""
        if not part:
            return len(self.scored)
        return next((sizes[part] for sizes in self.group_sizes.values() if part in sizes), None)

    def mark(self, part: str, name: str, *, x: str = "", panel: str = "") -> Mark:
        """The run's mark for a figure on a part of the data; empty where it has none."""
        # What a benchmark derives is about all of a published part, of which a breakdown may have a piece.
        found = None if (part, name) in self.derived else self.figure(part, name)
        plain = Mark(self.label, self.derived.get((part, name)), x, panel, kind=self.kind)
        if found is None or found.value is None:
            return plain
        return replace(
            plain, value=found.value, low=found.low, high=found.high, count=found.count or self.count(part)
        )


Exhibits = Callable[[Sequence[ModelRun]], tuple[Exhibit, ...]]


def family(model: str) -> str:
    """The name without its size: `Qwen2-7B` and `Qwen2-72B` are one family."""
    return _SIZE_IN_NAME.sub(r"\1", model[:LONGEST_NAME]).strip(" -_") or model


def runs_by_model(runs: Iterable[ModelRun]) -> dict[str, list[ModelRun]]:
    """The runs of each model: under several set-ups it is still one model."""
    return group_items(runs, lambda run: run.model)


def model_mean(runs: Sequence[ModelRun], part: str, name: str) -> float | None:
    """A model's figure: the mean over its set-ups that have it."""
    known = [value for run in runs if (value := run.mark(part, name).value) is not None]
    return fmean(known) if known else None


def marks_by_size(runs: Sequence[ModelRun]) -> list[Mark]:
    """The average of each model whose size is known."""
    return [
        Mark(model, model_mean(some, "", "average"), part=family(model), at=some[0].size, kind=some[0].kind)
        for model, some in runs_by_model(runs).items()
        if some[0].size is not None
    ]


def over_keys(runs: Sequence[ModelRun], keys: Iterable[str], name: str) -> tuple[Mark, ...]:
    """A figure of each run along the keys of a breakdown."""
    marks = (run.mark(key, name, x=key) for run in runs for key in keys)
    return tuple(mark for mark in marks if mark.value is not None)


def share_marks(
    runs: Sequence[ModelRun],
    counts: Callable[[ModelRun], Mapping[str, int]],
    *,
    panel: str = "",
    absolute: bool = False,
) -> tuple[Mark, ...]:
    """Counts per label as a stack for each run, in shares of their sum; absolute: the mean count of a trial."""
    marks = []
    for run in runs:
        found = counts(run)
        total = sum(found.values())
        trials = len({score.trial for _, _, score in run.scored}) or 1
        if total:
            marks += [
                Mark(
                    run.label, count / trials if absolute else count / total, x=run.label, panel=panel, part=label,
                    count=count, kind=run.kind,
                )
                for label, count in found.items()
            ]  # fmt: skip
    return tuple(marks)


def drop_empty_exhibits(exhibits: Iterable[Exhibit]) -> tuple[Exhibit, ...]:
    """The exhibits that have something to show, and those that would have with the data at hand."""
    return tuple(item for item in exhibits if item.from_data or has_values(item))


def has_values(exhibit: Exhibit) -> bool:
    """Whether any mark of the exhibit has a value."""
    return any(mark.value is not None for mark in exhibit.marks)
