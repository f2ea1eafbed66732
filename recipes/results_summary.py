"""Tables of the best configuration of each model: all data sets for docs/results.md, one a benchmark for the README."""

from __future__ import annotations

import re
from collections.abc import Sequence

from results_tables import Result, ResultSet

from toolyard.report.tables.formats import percent, with_interval, words
from toolyard.run.grade.baselines import Baseline
from toolyard.text.counted_nouns import how_many

# Other trainings of a model that has a column of its own ("tuned on 6859 rows") are in docs/results.md alone.
OTHER_TRAINING = re.compile(r"\btuned\b.* on ")
# The share of a line's samples below which a model has no cell: what is left of changed rows is no fair sample of them.
ENOUGH = 0.9


# The data of a benchmark that the README shows: the first of these that there are answers to.
SHOWN = ("official", "starter")


def readme_table(sets: Sequence[ResultSet], outdated: Sequence[tuple[str, str]] = ()) -> str:
    """The README's table: one line per benchmark, with dashes where all stored answers are out of date."""
    of_each: dict[str, list[ResultSet]] = {}
    for some in sets:
        of_each.setdefault(some.benchmark, []).append(some)
    rank = {data: place for place, data in enumerate(SHOWN)}
    missing = {benchmark: data for benchmark, data in reversed(outdated) if benchmark not in of_each}
    return summary_table(
        [min(own, key=lambda one: rank.get(one.data, len(rank))) for own in of_each.values()],
        list(missing.items()),
    )


def summary_table(sets: Sequence[ResultSet], outdated: Sequence[tuple[str, str]] = ()) -> str:
    """A line per data set, a column per model with its best configuration there.

    `outdated` are benchmarks and data whose stored answers are of another world: their lines have dashes.
    """
    names = {
        result.model: (
            result.paper.facts.kind != "closed",
            -(result.paper.facts.size or 0.0),
            result.rows or 0,
        )
        for some in sets
        for result in some.results
        if shown(result)
    }
    models = sorted(names, key=lambda name: names[name])
    head = ("benchmark, data", "metric", "n", "best trivial baseline", *models)
    lines = [" | ".join(head), "---|---|---:|---|" + "---:|" * (len(models) - 1) + "---:"]
    lines += [" | ".join(summary_row(some, models)) for some in sets]
    lines += [
        " | ".join([f"`{benchmark}`, {data}", *["–"] * (len(head) - 1)]) for benchmark, data in outdated
    ]
    table = "\n".join(f"| {line} |" if place != 1 else f"|{line}|" for place, line in enumerate(lines))
    notes = [*below_chance(sets), *changed_samples(sets), *out_of_date(outdated)]
    return "\n".join([table, *notes, ""])


def changed_samples(sets: Sequence[ResultSet]) -> list[str]:
    """How many samples of each data set are left out, as their question has changed since the models answered."""
    found = {
        (some.benchmark, some.data): max(
            (one.packed - samples_of(one) for one in best_setups(some).values()), default=0
        )
        for some in sets
    }
    return [
        f"\nWithout {how_many(count, 'sample')} of `{benchmark}`, {data}, that changed after the models had answered."
        for (benchmark, data), count in found.items()
        if count > 0
    ]


def out_of_date(outdated: Sequence[tuple[str, str]]) -> list[str]:
    """Why the lines with dashes have no scores."""
    names = ", ".join(f"`{name}`" for name in dict(outdated))
    return (
        [f"\nNo scores on {names}: the stored answers were given in an older version of the world."]
        if names
        else []
    )


def shown(result: Result) -> bool:
    """Whether the README has a column for the model."""
    return result.rows is None and not OTHER_TRAINING.search(result.model)


def best_setups(some: ResultSet) -> dict[str, Result]:
    """The best configuration of each model with a column; one on all of the data goes before one on a part."""
    results = [result for result in some.results if shown(result)]
    most = max(map(samples_of, results), default=0)
    best: dict[str, Result] = {}
    for result in sorted(results, key=lambda item: samples_of(item) < most):
        if samples_of(result) >= ENOUGH * most:
            best.setdefault(result.model, result)
    return best


def samples_of(result: Result) -> int:
    """How many samples were answered, each once however often it was asked."""
    return len(result.paper.items)


def best_baseline(some: ResultSet, result: Result | None = None) -> Baseline | None:
    """The trivial baseline with the highest headline on the samples of a result, or on those of most results."""
    known = some.alike[0][1] if result is None else some.baselines_of(result)
    return max(known, key=lambda item: item.figures.get(some.headline) or 0.0, default=None)


def summary_row(some: ResultSet, models: Sequence[str]) -> list[str]:
    """One line of the table."""
    best, baseline = best_setups(some), best_baseline(some)
    most = max(result.paper.answers for result in best.values())
    cells = [
        f"`{some.benchmark}`, {some.data}",
        words(some.headline),
        str(most),
        "–"
        if baseline is None
        else f"{percent(baseline.figures.get(some.headline))} `{baseline.name.rpartition('/')[2]}`",
    ]
    return [*cells, *(summary_cell(some, best.get(model), most) for model in models)]


def summary_cell(some: ResultSet, result: Result | None, most: int) -> str:
    """The headline of one model, bold where its whole interval lies above all baselines on its samples; n if smaller."""
    if result is None:
        return "–"
    if result.paper.summary.withheld:
        return "withheld"
    text = with_interval(result.paper.summary.figures[some.headline])
    count = result.paper.answers
    fewer = f", n {count}" if count != most else ""
    return (f"**{text}**" if above_chance(some, result) else text) + fewer


def above_chance(some: ResultSet, result: Result) -> bool:
    """Whether the whole interval of a result lies above the best trivial baseline; never where none is known."""
    baseline, low = best_baseline(some, result), result.paper.summary.figures[some.headline].low
    if baseline is None or low is None:
        return False
    return low > (baseline.figures.get(some.headline) or 0.0)


def below_chance(sets: Sequence[ResultSet]) -> list[str]:
    """Where no model lies above the best trivial baseline, and why that can be."""
    found: dict[tuple[str, str], list[ResultSet]] = {}
    for some in sets:
        if best_baseline(some) and not any(above_chance(some, one) for one in best_setups(some).values()):
            found.setdefault((some.benchmark, why_trivial(some)), []).append(some)
    return [
        f"\nNo model is above the best trivial baseline on `{name}`, {' and '.join(some.data for some in members)}: {why}."
        for (name, why), members in found.items()
    ]


def why_trivial(some: ResultSet) -> str:
    """Why the best trivial baseline earns that much."""
    baseline = best_baseline(some)
    name = "" if baseline is None else baseline.name
    if some.headline == "outcome":
        return "the models are too weak"
    return some.results[0].paper.benchmark.checks.trivial.why_much(name) or "the models are too weak"
