"""What a judge's verdicts are worth: how far they move when it is asked again, and whether it favours itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from toolyard.core.table import Table

# A judge's value of each figure for each model: (judge, model) -> figure -> value.
Ratings = Mapping[tuple[str, str], Mapping[str, float | None]]


@dataclass(frozen=True, slots=True)
class Spread:
    """One figure over the judge trials in which it is defined; the deviation is the sample's, None for a single one."""

    figure: str
    trials: int
    mean: float
    deviation: float | None
    low: float
    high: float


def spreads_of_figures(by_trial: Sequence[Mapping[str, float | None]]) -> tuple[Spread, ...]:
    """The spread of each figure over judge trials, without figures that no trial defines."""
    names = dict.fromkeys(name for figures in by_trial for name in figures)
    found = []
    for name in names:
        values = [value for figures in by_trial if (value := figures.get(name)) is not None]
        if values:
            deviation = stdev(values) if len(values) > 1 else None
            found.append(Spread(name, len(values), fmean(values), deviation, min(values), max(values)))
    return tuple(found)


def spread_table(found: Sequence[Spread], note: str = "") -> Table:
    """The spreads, in fractions."""
    rows = tuple(
        (item.figure.replace("_", " "), item.trials, item.mean, item.deviation, item.low, item.high)
        for item in found
    )
    columns = ("metric", "judge trials", "mean", "standard deviation", "lowest", "highest")
    return Table("spread over judge trials", columns, rows, note)


@dataclass(frozen=True, slots=True)
class SelfPreference:
    """How a judge rates its own model, how the other judges do, and how far it differs from them elsewhere.

    `favour` is the difference on its own model less the mean difference on the others: a judge that is merely
    generous to everybody has none.
    """

    judge: str
    model: str
    figure: str
    own: float
    others: float
    elsewhere: float | None

    @property
    def difference(self) -> float:
        """Own rating minus the mean rating by the other judges."""
        return self.own - self.others

    @property
    def favour(self) -> float | None:
        """What is left of the difference after the judge's general generosity."""
        return None if self.elsewhere is None else self.difference - self.elsewhere


def self_preferences(ratings: Ratings, own_model: Mapping[str, str]) -> tuple[SelfPreference, ...]:
    """Each judge that has a model of its own among the rated ones, against all other judges, figure by figure."""
    models = dict.fromkeys(model for _, model in ratings)
    figures = dict.fromkeys(figure for values in ratings.values() for figure in values)
    found = []
    for judge, own in own_model.items():
        for figure in figures:
            gaps = {
                model: gap
                for model in models
                if (gap := _rating_gap(ratings, judge, model, figure)) is not None
            }
            if own not in gaps:
                continue
            elsewhere = [mine - theirs for model, (mine, theirs) in gaps.items() if model != own]
            mine, theirs = gaps[own]
            found.append(
                SelfPreference(judge, own, figure, mine, theirs, fmean(elsewhere) if elsewhere else None)
            )
    return tuple(found)


def _rating_gap(ratings: Ratings, judge: str, model: str, figure: str) -> tuple[float, float] | None:
    """The judge's rating of a model, and the mean of the other judges'."""
    mine = ratings.get((judge, model), {}).get(figure)
    theirs = [
        value
        for (other, rated), values in ratings.items()
        if other != judge and rated == model and (value := values.get(figure)) is not None
    ]
    return None if mine is None or not theirs else (mine, fmean(theirs))


def share_at_least(own: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    """The share of shared samples on which another model scores at least what the judge's own does (Table 9)."""
    shared = [sample for sample in own if sample in other]
    return sum(other[sample] >= own[sample] for sample in shared) / len(shared) if shared else None
