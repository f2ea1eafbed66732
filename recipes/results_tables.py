"""The tables of docs/results.md about one data set, and the README's: models by figures, trials, paired differences.

Read by recipes/results.py, which brings the runs; what stands across data sets is in results_across.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from statistics import fmean, stdev
from typing import TypeAlias

from results_runs import USUAL, Scored

from toolyard import __version__
from toolyard.core.metrics import Row
from toolyard.core.table import Table
from toolyard.lines import read_lines
from toolyard.models.spec import ModelSpec
from toolyard.report.abilities import ability_figures
from toolyard.report.compare.compared_runs import ComparedRun, ItemSet, item_sets, load_compared
from toolyard.report.compare.comparison import PairedDifference, paired_differences
from toolyard.report.compare.model_facts import ModelFacts, read_model_facts
from toolyard.report.tables.formats import p_text, percent, with_interval, words
from toolyard.report.tables.statistics_tables import sample_scores
from toolyard.run.grade.baselines import Baseline
from toolyard.run.plan.run_config import is_own_data
from toolyard.run.store.prediction_runs import PREDICTIONS
from toolyard.run.store.records import read_score
from toolyard.run.store.run_directory import SCORES
from toolyard.stats.bootstrap import Estimate, estimate, metric_values
from toolyard.stats.summary import rows_of

MODELS = Path(__file__).resolve().parents[1] / "records" / "answers" / "models.toml"
MOST_FIGURES = 7
# The model of the learning curve, tuned on so many rows (smollm2-tuned-2000rows), by its own name or that of models.toml.
TRAINED_ON = re.compile(r"smollm2.*?(\d+)(k?)[-_ ]?rows", re.IGNORECASE)
# Where that learning curve begins and ends.
ENDS = {"SmolLM2-135M": 0, "SmolLM2-135M, tuned": 61_677}


@dataclass(frozen=True, slots=True)
class Result:
    """One run as the tables show it, under both profiles."""

    paper: ComparedRun
    official: Estimate
    data: str
    packed: int

    @property
    def model(self) -> str:
        """The model's name."""
        return self.paper.label

    @property
    def rows(self) -> int | None:
        """The rows that it was tuned on, where the model is one of a learning curve."""
        found = TRAINED_ON.search(self.paper.model) or TRAINED_ON.search(self.paper.label)
        return int(found.group(1)) * (1000 if found.group(2) else 1) if found else None

    @property
    def setup(self) -> str:
        """Style, options that were chosen, and how it was served."""
        identity = self.paper.manifest["identity"]
        if self.paper.model.startswith(f"{PREDICTIONS}/"):
            return "saved answers"
        surface = (self.paper.manifest.get("serving") or {}).get("surface")
        decoding = identity["decoding"]
        warm = [f"temperature {decoding['temperature']:g}"] if decoding["temperature"] else []
        return ", ".join([str(identity["style"]), *self.chosen, *([str(surface)] if surface else []), *warm])

    @property
    def chosen(self) -> list[str]:
        """The options that are not the usual ones, e.g. a variant of the prompt."""
        defaults = {choice.name: choice.default for choice in self.paper.benchmark.task.choices}
        options = self.paper.manifest["identity"]["options"].items()
        return [f"{name} {value}" for name, value in options if value != defaults.get(name)]

    @property
    def instruments(self) -> str:
        """Judge and embedder, where they are not the usual ones: the same answers, looked at another way."""
        used = {"judge": self.paper.manifest["judge"], "embedder": self.paper.manifest["similarity"]}
        return ", ".join(
            f"{what} {ModelSpec.parse(name).display}" for what, name in used.items() if name not in USUAL
        )

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


def result_of(scored: Scored) -> Result:
    """A run directory that has been scored."""
    paper = load_compared(scored.folder, "paper", facts())
    paper = replace(paper, setup=replace(paper.setup, own_data=is_own_data(scored.data)))
    return Result(paper, official_headline(paper), scored.data, scored.packed)


def official_headline(run: ComparedRun) -> Estimate:
    """The headline as the released scorer prints it, with its interval; empty where there is none."""
    if run.benchmark.reference is None:
        return Estimate(None, None, None)
    rows = []
    for line in read_lines(run.folder / SCORES):
        score = read_score(line["sample"], line["trial"], line["profiles"]["official"])
        if score.unscored is None:
            rows.append(Row(score, line["cluster"], line["groups"]))
    name = run.setup.headline
    return estimate([run.benchmark.scoring.metric(name)], rows, seed=run.manifest["identity"]["seed"])[name]


@dataclass(frozen=True, slots=True)
class ResultSet:
    """The results on one data set, best headline first, with every pair's test; `items`: who answered the same samples."""

    benchmark: str
    data: str
    results: tuple[Result, ...]
    tests: tuple[tuple[Result, Result, PairedDifference], ...]
    items: tuple[ItemSet, ...]

    @property
    def title(self) -> str:
        """What a heading calls it."""
        return f"{self.results[0].paper.benchmark.about.title}: {self.data}"

    @property
    def headline(self) -> str:
        """The figure that stands for a run."""
        return self.results[0].headline

    @property
    def alike(self) -> list[tuple[list[Result], tuple[Baseline, ...]]]:
        """The results that answered the same samples, most samples first, with the trivial baselines on those."""
        return [
            ([result for result in self.results if result.paper.items == some.runs[0].items], some.baselines)
            for some in self.items
        ]

    def baselines_of(self, result: Result) -> tuple[Baseline, ...]:
        """The trivial baselines on the samples of one result."""
        return next(found for some, found in self.alike if result in some)


def result_sets(results: Sequence[Result], jobs: int = 1) -> list[ResultSet]:
    """The results of each benchmark and data set, the sets side by side."""
    members: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        members.setdefault((result.paper.benchmark.name, result.data), []).append(result)
    ordered = {
        key: sorted(some, key=lambda item: -(item.paper.headline or 0.0))
        for key, some in sorted(members.items())
    }
    found = tests_and_baselines(list(ordered.values()), jobs)
    return [
        ResultSet(
            *key,
            tuple(some),
            tuple((*pair, item) for pair, item in zip(pairs(some), tests, strict=True)),
            tuple(ItemSet(tuple(some[at].paper for at in places), found) for places, found in items),
        )
        for (key, some), (tests, items) in zip(ordered.items(), found, strict=True)
    ]


def pairs(some: Sequence[Result]) -> list[tuple[Result, Result]]:
    """What is tested: the points of a learning curve stand in no pairs, and a withheld run neither."""
    return list(
        combinations([item for item in some if item.rows is None and not item.paper.summary.withheld], 2)
    )


# The tests of a set, and for runs on the same samples their places in the set and the baselines there.
Tested: TypeAlias = tuple[Sequence[PairedDifference], list[tuple[list[int], tuple[Baseline, ...]]]]
# What copies of this process find: runs hold functions, which no other way would bring there.
_SETS: list[Sequence[Result]] = []


def tests_and_baselines(sets: Sequence[Sequence[Result]], jobs: int) -> list[Tested]:
    """The paired tests and the trivial baselines of each set, several at a time."""
    _SETS[:] = sets
    if jobs == 1 or "fork" not in get_all_start_methods():
        return [tested(place) for place in range(len(sets))]
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        # The longest first.
        order = sorted(
            range(len(sets)), key=lambda place: -sum(len(item.paper.graded) for item in sets[place])
        )
        under_way = {place: pool.submit(tested, place) for place in order}
        return [under_way[place].result() for place in range(len(sets))]


def tested(place: int) -> Tested:
    """The tests and baselines of one set."""
    some = _SETS[place]
    found = paired_differences(
        [(first.paper, second.paper) for first, second in pairs(some)], [some[0].headline]
    )
    runs = [result.paper for result in some]
    items = item_sets(runs, "paper")
    places = {id(run): at for at, run in enumerate(runs)}
    return found, [([places[id(run)] for run in each.runs], each.baselines) for each in items]


def set_tables(some: ResultSet) -> list[Table]:
    """What stands under the heading of one data set."""
    tables = [figures_table(some), trials_table(some), differences_table(some)]
    return [table for table in tables if table.rows]


def page_head(answers: str) -> list[str]:
    """What a reader must know before the tables; `answers` is the hash of the index of those they are built from."""
    return [
        "# Results",
        "",
        "What real models score. `python recipes/results.py` rebuilds this page from the stored answers in",
        f"`records/answers/results` (index `{answers}`), scored with Toolyard {__version__}. All metrics are in",
        "percent with 95 % intervals (seeded cluster bootstrap) on `n` answers. Trivial baselines are scripts that answer",
        "the same samples; they have no interval.",
        "",
        "Data: `official` is what the papers released. `starter` comes with Toolyard. `fresh` has rows from goals that no",
        "training row came from (`records/answers/fresh`). `api-bank` and `tooltalk` are the corpora of MTU-Bench's",
        "Table 5. The tuned models were trained on rows of Toolyard's own generators, with tools that `starter` and",
        "`fresh` also use, so their scores on the other data say more. Samples that have changed since they were",
        "answered are left out, and counted. GPT-4's answers are those that the authors of MTU-Bench released.",
        "",
        "The headline metric of the best configuration of each model, under the profile `paper`. Bold: the whole interval",
        "is above the best trivial baseline. Cells based on fewer answers show their n; cells with answers to fewer than",
        "nine in ten rows are left out.",
        "",
    ]


def figures_table(some: ResultSet) -> Table:
    """Models and configurations by metrics, then the trivial baselines; those on other samples below, with their own."""
    names = shown_figures(some.results)
    rows = [
        line
        for place, (results, baselines) in enumerate(some.alike)
        for line in figure_lines(results, baselines, names, apart=place > 0)
    ]
    columns = (
        "model",
        "configuration",
        "n",
        words(some.headline),
        f"{words(some.headline)}, official profile",
        *map(words, names),
    )
    return Table("Models and metrics", columns, tuple(rows), figures_note(some.results))


def figure_lines(
    results: Sequence[Result], baselines: Sequence[Baseline], names: Sequence[str], *, apart: bool
) -> list[tuple[object, ...]]:
    """Results on the same samples and the trivial baselines there; `apart`: others of the table have more samples."""
    headline = results[0].headline
    # Each sample once: a script says the same in every trial.
    size = len(results[0].paper.items)
    alone = f", on {size} samples" if apart else ""
    lines: list[tuple[object, ...]] = [
        (
            result.model,
            f"{result.setup}{alone}",
            result.paper.answers,
            "withheld"
            if result.paper.summary.withheld
            else with_interval(result.paper.summary.figures[headline]),
            with_interval(result.official),
            *(with_interval(result.paper.summary.figures[name]) for name in names),
        )
        for result in results
    ]
    answers = min(size, results[0].paper.answers)
    return lines + [
        (
            item.name,
            f"trivial baseline{alone}",
            answers,
            percent(item.figures.get(headline)),
            "–",
            *(percent(item.figures.get(name)) for name in names),
        )
        for item in baselines
    ]


def figures_note(some: Sequence[Result]) -> str:
    """Trials, unscored answers, and samples that have changed since they were answered."""
    parts = []
    if trials := sorted({result.trials for result in some} - {1}):
        parts.append(f"n counts answers; up to {trials[-1]} trials of a sample, which are one cluster")
    if len({frozenset(item.sample.id for item in result.paper.graded) for result in some}) > 1:
        parts.append(
            "the runs answered different samples: those on fewer rank apart, with the baselines there; the differences "
            "below use what both answered"
        )
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
        for name in ("outcome", *ability_figures(result.paper.setup, result.paper.summary.figures))
        if name in result.paper.summary.figures and name != result.headline
    )
    return list(known)[:MOST_FIGURES]


def trials_table(some: ResultSet) -> Table:
    """Runs that answered each sample several times: the headline of each trial, and how far they lie apart."""
    metric = some.results[0].paper.benchmark.scoring.metric(some.headline)
    rows = []
    for result in some.results:
        if result.trials > 1:
            values = trial_values(result)
            rows.append(
                (
                    result.model, result.setup, result.trials, result.paper.answers,
                    with_interval(result.paper.summary.figures[metric.name]),
                    ", ".join(map(percent, values)),
                    percent(stdev(values)) if len(values) > 1 else "–",
                    percent(max(values) - min(values)) if values else "–",
                    percent(flipped(result)),
                )
            )  # fmt: skip
    columns = (
        "model", "configuration", "trials", "n", words(some.headline), "each trial", "standard deviation", "largest gap",
        "samples that flip",
    )  # fmt: skip
    note = "a sample flips if its own headline score differs between trials"
    return Table("Trials with sampling", columns, tuple(rows), note)


def trial_values(result: Result) -> list[float]:
    """The headline of each trial alone."""
    metric = result.paper.benchmark.scoring.metric(result.headline)
    found = []
    for trial in range(result.trials):
        rows = rows_of(item for item in result.paper.graded if item.score.trial == trial)
        value = metric_values([metric], rows)[metric.name]
        if value is not None:
            found.append(value)
    return found


def flipped(result: Result) -> float | None:
    """The share of samples whose headline score differs between trials."""
    scores: dict[str, set[float | None]] = {}
    for item, score in zip(
        result.paper.graded, sample_scores(result.paper.setup, result.paper.graded), strict=True
    ):
        scores.setdefault(item.sample.id, set()).add(score)
    return fmean(len(values) > 1 for values in scores.values()) if scores else None


def differences_table(some: ResultSet) -> Table:
    """Every pair on the samples that both answered, corrected together."""
    rows = tuple(
        (
            f"{first.model} ({first.setup})", f"{second.model} ({second.setup})",
            with_interval(item.test.difference), p_text(item.test.p_value), p_text(item.p_holm),
            percent(item.test.detectable), item.test.clusters,
        )
        for first, second, item in some.tests
    )  # fmt: skip
    columns = ("first", "second", "difference", "p", "p (Holm)", "smallest detectable", "clusters")
    note = (
        "first minus second in points on shared clusters; p by permutation, Holm over all lines of this table"
    )
    return Table("Paired differences", columns, rows, note)
