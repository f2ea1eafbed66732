"""The tables of docs/results.md: models by figures, paired differences, ranks, what style and serving moved.

Read by recipes/results.py, which brings the runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean

from toolyard import __version__
from toolyard.core.table import Table
from toolyard.report.abilities import abilities
from toolyard.report.compare.compared_runs import ComparedRun, baselines_beside, load_compared
from toolyard.report.compare.comparison import PairedDifference, paired_differences
from toolyard.report.compare.model_facts import ModelFacts, read_model_facts
from toolyard.report.tables.formats import above, p_text, percent, with_interval, words
from toolyard.run.prediction_runs import PREDICTIONS
from toolyard.stats.bootstrap import corrected_for_chance
from toolyard.stats.ranks import kendall_tau
from toolyard.stats.summary import Summary
from toolyard.text.markdown import markdown

MODELS = Path(__file__).resolve().parent / "answers" / "models.toml"
MOST_FIGURES = 7


@dataclass(frozen=True, slots=True)
class Result:
    """One run as the tables show it, under both profiles."""

    paper: ComparedRun
    official: Summary | None
    data: str
    packed: int

    @property
    def model(self) -> str:
        """The model's name."""
        return self.paper.label

    @property
    def setup(self) -> str:
        """Style, options that were chosen, and how it was served."""
        identity = self.paper.manifest["identity"]
        if self.paper.model.startswith(f"{PREDICTIONS}/"):
            return "saved answers"
        defaults = {choice.name: choice.default for choice in self.paper.benchmark.task.choices}
        chosen = [
            f"{name} {value}" for name, value in identity["options"].items() if value != defaults.get(name)
        ]
        surface = (self.paper.manifest.get("serving") or {}).get("surface")
        decoding = identity["decoding"]
        warm = [f"temperature {decoding['temperature']:g}"] if decoding["temperature"] else []
        return ", ".join([str(identity["style"]), *chosen, *([str(surface)] if surface else []), *warm])

    @property
    def style(self) -> str:
        """The style alone."""
        return str(self.paper.manifest["identity"]["style"])

    @property
    def headline(self) -> str:
        """The figure that stands for the run."""
        return self.paper.setup.headline

    @property
    def trials(self) -> int:
        """Answers per sample."""
        return int(self.paper.manifest["identity"]["trials"])


def facts() -> dict[str, ModelFacts]:
    """What is known about the models."""
    return read_model_facts(MODELS) if MODELS.exists() else {}


def result_of(folder: Path, data: str, packed: int) -> Result:
    """A run directory that has been scored."""
    known = facts()
    paper = load_compared(folder, "paper", known)
    official = load_compared(folder, "official", known).summary if paper.benchmark.reference else None
    return Result(paper, official, data, packed)


def by_set(results: Sequence[Result]) -> dict[tuple[str, str], list[Result]]:
    """The results of each benchmark and data set, best headline first."""
    sets: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        sets.setdefault((result.paper.benchmark.name, result.data), []).append(result)
    return {
        key: sorted(some, key=lambda item: -(item.paper.headline or 0.0))
        for key, some in sorted(sets.items())
    }


def results_document(results: Sequence[Result], left_out: Sequence[str]) -> str:
    """The whole page."""
    lines = [
        "# Results",
        "",
        "What real models score, rebuilt from stored answers by `python recipes/results.py`; the answers lie,",
        f"compressed and hashed, in `recipes/answers/results`. Scored with Toolyard {__version__}; every figure is in",
        "percent with its 95 % interval (seeded cluster bootstrap) and stands on `n` answers. Trivial baselines see the",
        "same samples.",
        "",
    ]
    for (_, data), some in by_set(results).items():
        lines += [f"## {some[0].paper.benchmark.about.title}: {data}", ""]
        tables = [figures_table(some), *differences_tables(some)]
        lines += [markdown(tables), ""]
    lines += ["## Across benchmarks, data sets, styles and serving", ""]
    across = [*rank_tables(results), *moved_tables(results), detectable_table(results)]
    lines += [markdown([table for table in across if table.rows]), ""]
    if left_out:
        lines += ["## Left out here", "", *(f"- {line}" for line in left_out), ""]
    return "\n".join(lines)


def figures_table(some: Sequence[Result]) -> Table:
    """Models and set-ups by figures, then the trivial baselines."""
    headline = some[0].headline
    names = shown_figures(some)
    rows = [
        (
            result.model,
            result.setup,
            result.paper.summary.samples,
            "withheld"
            if result.paper.summary.withheld
            else with_interval(result.paper.summary.figures[headline]),
            "–" if result.official is None else percent(result.official.figures[headline].value),
            *(with_interval(result.paper.summary.figures[name]) for name in names),
        )
        for result in some
    ]
    baselines = baselines_beside([result.paper for result in some], "paper")
    count = max(result.paper.summary.samples for result in some)
    rows += [
        (
            item.name,
            "trivial baseline",
            count,
            percent(item.figures.get(headline)),
            "–",
            *(percent(item.figures.get(name)) for name in names),
        )
        for item in baselines
    ]
    columns = (
        "model",
        "set-up",
        "n",
        words(headline),
        f"{words(headline)}, official profile",
        *map(words, names),
    )
    return Table("Models by figures", columns, tuple(rows), figures_note(some))


def figures_note(some: Sequence[Result]) -> str:
    """Trials, unscored answers, and samples that have changed since they were answered."""
    parts = []
    if trials := sorted({result.trials for result in some} - {1}):
        parts.append(f"n counts answers; up to {trials[-1]} trials of a sample, which are one cluster")
    if len({frozenset(item.sample.id for item in result.paper.graded) for result in some}) > 1:
        parts.append("the runs stand on different samples; the differences below on those that both answered")
    parts += [
        f"{result.model}, {result.setup}: {result.paper.summary.unscored} unscored"
        for result in some
        if result.paper.summary.unscored
    ]
    parts += [
        f"{result.model}, {result.setup}: {result.packed - seen} of {result.packed} samples have changed since"
        for result in some
        if (seen := len({item.sample.id for item in result.paper.graded})) < result.packed
    ]
    return "; ".join(parts)


def shown_figures(some: Sequence[Result]) -> list[str]:
    """The figures beside the headline: outcome first, then the abilities that any run has."""
    known = dict.fromkeys(
        name
        for result in some
        for name in ("outcome", *abilities(result.paper.setup, result.paper.summary.figures))
        if name in result.paper.summary.figures and name != result.headline
    )
    return list(known)[:MOST_FIGURES]


def differences_tables(some: Sequence[Result]) -> list[Table]:
    """Every pair on the samples that both answered, corrected together."""
    pairs = [(first.paper, second.paper) for first, second in combinations(some, 2)]
    found = paired_differences(pairs, [some[0].headline])
    if not found:
        return []
    labels = {id(result.paper): f"{result.model} ({result.setup})" for result in some}
    names = [(labels[id(first)], labels[id(second)]) for first, second in untested_left_out(pairs)]
    rows = tuple(
        difference_row(first, second, item) for (first, second), item in zip(names, found, strict=True)
    )
    note = (
        "first minus second in points on shared clusters; p by permutation, Holm over all lines of this table"
    )
    return [Table("Paired differences", DIFFERENCE_COLUMNS, rows, note)]


DIFFERENCE_COLUMNS = ("first", "second", "difference", "p", "p (Holm)", "smallest detectable", "clusters")


def untested_left_out(
    pairs: Iterable[tuple[ComparedRun, ComparedRun]],
) -> list[tuple[ComparedRun, ComparedRun]]:
    """The pairs that are tested: a withheld run is not."""
    return [pair for pair in pairs if not any(run.summary.withheld for run in pair)]


def difference_row(first: str, second: str, item: PairedDifference) -> tuple[object, ...]:
    """One line of a table of differences."""
    test = item.test
    return (
        first, second, with_interval(test.difference), p_text(test.p_value), p_text(item.p_holm),
        percent(test.detectable), test.clusters,
    )  # fmt: skip


def headlines(results: Sequence[Result]) -> dict[tuple[str, str], float]:
    """The headline of each model and set-up."""
    return {
        (result.model, result.setup): result.paper.headline
        for result in results
        if result.paper.headline is not None
    }


def rank_tables(results: Sequence[Result]) -> list[Table]:
    """Whether benchmarks and data sets put models in the same order."""
    sets = by_set(results)
    by_model = {key: model_means(some) for key, some in sets.items()}
    between = [
        rank_row(f"{first[0]}, {first[1]}", f"{second[0]}, {second[1]}", by_model[first], by_model[second])
        for first, second in combinations(sets, 2)
        if first[0] != second[0] and data_kind(first[1]) == data_kind(second[1])
    ]
    within = [
        rank_row(
            f"{first[0]}, {first[1]}",
            f"{second[0]}, {second[1]}",
            headlines(sets[first]),
            headlines(sets[second]),
        )
        for first, second in combinations(sets, 2)
        if first[0] == second[0]
    ]
    columns = (
        "first",
        "second",
        "compared",
        "Kendall's tau-b",
        "pairs in the same order",
        "in the other",
        "tied",
    )
    return [
        Table(
            "Rank agreement between benchmarks", columns, tuple(row for row in between if row[2] >= 2),
            "models, each by the mean of its set-ups; two to four models say little, the pairs are counted for that",
        ),
        Table(
            "Rank agreement between data sets of one benchmark", columns,
            tuple(row for row in within if row[2] >= 2), "models and set-ups that were run on both",
        ),
    ]  # fmt: skip


def data_kind(data: str) -> str:
    """Starter, official or fresh: what compares across benchmarks."""
    return data.partition(":")[0]


def model_means(some: Sequence[Result]) -> dict[str, float]:
    """Each model by the mean headline of its set-ups: several set-ups are one model."""
    members: dict[str, list[float]] = {}
    for result in some:
        if result.paper.headline is not None:
            members.setdefault(result.model, []).append(result.paper.headline)
    return {model: fmean(values) for model, values in members.items()}


def rank_row(
    first: str, second: str, one: Mapping[object, float], other: Mapping[object, float]
) -> tuple[str, str, int, str, int, int, int]:
    """How far two sets of headlines agree on the order of what both hold."""
    shared = [name for name in one if name in other]
    found = kendall_tau([one[name] for name in shared], [other[name] for name in shared])
    tau = "–" if found.tau is None else f"{found.tau:.2f}"
    return (first, second, len(shared), tau, found.concordant, found.discordant, found.tied)


def moved_tables(results: Sequence[Result]) -> list[Table]:
    """What another style or way of serving did to one model on the same samples."""
    rows = []
    for (benchmark, data), some in by_set(results).items():
        members: dict[str, list[Result]] = {}
        for result in some:
            members.setdefault(result.model, []).append(result)
        pairs = [pair for several in members.values() for pair in combinations(several, 2)]
        found = paired_differences([(a.paper, b.paper) for a, b in pairs], [some[0].headline])
        tested = [(a, b) for a, b in pairs if not (a.paper.summary.withheld or b.paper.summary.withheld)]
        rows += [
            (f"{benchmark}, {data}", a.model, a.setup, b.setup, with_interval(item.test.difference),
             p_text(item.p_holm), item.test.clusters)
            for (a, b), item in zip(tested, found, strict=True)
        ]  # fmt: skip
    columns = ("data", "model", "first set-up", "second set-up", "difference", "p (Holm)", "clusters")
    note = "headline in points, first minus second; Holm over the lines of one data set"
    return [Table("What style and serving moved", columns, tuple(rows), note)]


def detectable_table(results: Sequence[Result]) -> Table:
    """The smallest difference that each data set can show between two of these runs."""
    rows = []
    for (benchmark, data), some in by_set(results).items():
        found = paired_differences([(a.paper, b.paper) for a, b in combinations(some, 2)], [some[0].headline])
        known = sorted(item.test.detectable for item in found if item.test.detectable)
        if known:
            clusters = sorted({item.test.clusters for item in found})
            rows.append(
                (benchmark, data, f"{clusters[0]} to {clusters[-1]}" if len(clusters) > 1 else clusters[0],
                 len(known), percent(known[0]), percent(known[len(known) // 2]), percent(known[-1]))
            )  # fmt: skip
    columns = ("benchmark", "data", "clusters", "pairs", "smallest", "median", "largest")
    note = "points of the headline between two paired runs, alpha 0.05 two-sided, power 0.8"
    return Table("Smallest detectable difference", columns, tuple(rows), note)


def summary_table(results: Sequence[Result]) -> str:
    """The README's table: one line per model and data set, the best set-up of each."""
    head = (
        "| model | benchmark, data | set-up | headline figure | n | `paper` | `official` | best trivial baseline "
        "| above chance |",
        "|---|---|---|---|---:|---:|---:|---:|---:|",
    )
    lines = []
    for (benchmark, data), some in by_set(results).items():
        best: dict[str, Result] = {}
        for result in some:
            best.setdefault(result.model, result)
        lines += [summary_row(benchmark, data, result) for result in best.values()]
    return "\n".join([*head, *lines, ""])


def summary_row(benchmark: str, data: str, result: Result) -> str:
    """One line of the README's table."""
    name, figures = result.headline, result.paper.summary.figures
    baselines = baselines_beside([result.paper], "paper")
    best = max(baselines, key=lambda item: item.figures.get(name) or 0.0, default=None)
    chance = None if best is None else best.figures.get(name)
    cells = (
        result.model, f"`{benchmark}` {result.paper.version}, {data}", result.setup, words(name),
        result.paper.summary.samples,
        "withheld" if result.paper.summary.withheld else with_interval(figures[name]),
        "–" if result.official is None else percent(result.official.figures[name].value),
        "–" if best is None else f"{percent(chance)} (`{best.name}`)",
        above(corrected_for_chance(figures[name].value, chance)),
    )  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"
