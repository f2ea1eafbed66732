"""How scores and orders of models change when tools misbehave: the same samples without and with every perturbation.

    python recipes/perturbation_study.py tooleyes MODEL MODEL... [--style native] [--limit 200] [--levels 1,3] [--out FILE]
    python recipes/perturbation_study.py mtu gold/careful gold/hasty gold/forgetful      (agents instead of models)

Writes two tables: the headline of each model without and under each perturbation, with the paired difference and its 95 %
interval; and for each pair of models its paired difference without and under each perturbation. An order is `reversed`
where both differences are clearly on opposite sides of 0, `kept` where both are clearly on the same side; where only one
of them is clear, that one is named. Runs resume: the same command again asks only for what is missing, and finds runs
that `toolyard run` has made in the same folder.

Three agents are made from gold, so that it is known what the study must find: `gold/careful` loses nothing, `gold/hasty`
makes gold's calls as if nothing were perturbed, and `gold/forgetful` is careful, but leaves out three answers in ten.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from toolyard import evaluate
from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.errors import ToolyardError
from toolyard.core.perturbations import LEVELS, NAMES
from toolyard.core.table import Table
from toolyard.core.types import Completion, Request, derived_seed
from toolyard.models.base import CONCURRENCY, Price, estimated_usage
from toolyard.models.scripted import ORACLE
from toolyard.report.compare.compared_runs import ComparedRun
from toolyard.report.compare.studies import StudyCell, study_cells
from toolyard.report.tables.formats import percent, with_interval
from toolyard.run.play.offline import gold_answers
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.stats.bootstrap import Estimate
from toolyard.stats.paired import paired_test
from toolyard.stats.summary import rows_of
from toolyard.text.markdown import markdown_tables

WITHOUT = "none"
REVERSED = "reversed"
# By whether the difference without, and the one with the perturbation, is clear.
ONE_SIDED = {
    (False, False): "not clear",
    (True, False): "clear only without",
    (False, True): "clear only with",
}
GOLD, CAREFUL, HASTY, FORGETFUL = "gold/", "careful", "hasty", "forgetful"
FORGOTTEN = 0.3
Cells = Mapping[str, Mapping[str, StudyCell]]


class GoldAgent:
    """Gold as an agent, with one weakness."""

    __slots__ = ("_answer", "_forgets", "_kind", "_seed")
    price: Price | None = Price(0.0, 0.0)

    def __init__(self, kind: str, settings: Settings) -> None:
        # What is hasty does not see that its samples are perturbed.
        run = Run.plan(replace(settings, perturb="") if kind == HASTY else settings)
        self._kind, self._seed = kind, settings.seed
        self._answer = gold_answers(run.setup, run.samples)

    @property
    def name(self) -> str:
        """What runs call it."""
        return f"gold_{self._kind}"

    __name__ = name

    async def generate(self, request: Request) -> Completion:
        """Gold's next step, or nothing where it is forgotten."""
        draw = random.Random(derived_seed(self._seed, f"forgotten/{request.sample}", 0)).random()
        forgotten = self._kind == FORGETFUL and draw < FORGOTTEN
        reply = Completion("") if forgotten else self._answer(request)
        return replace(reply, usage=estimated_usage(request, reply.text), model=self.name)

    async def close(self) -> None:
        """Nothing to end."""


def main() -> None:
    """Plays the runs, then writes both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    shown = {name: load_benchmark(name).task.preparation.results.styles for name in benchmark_names()}
    parser.add_argument("benchmark", choices=tuple(name for name, styles in shown.items() if styles))
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--style", default="", help="default: native calls one by one")
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--levels", default=",".join(map(str, LEVELS[1:])))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--concurrency", type=int, default=CONCURRENCY)
    parser.add_argument("--runs", type=Path, default=Path("runs/perturbed"))
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    settings = [WITHOUT, *(f"{name}={level}" for name in NAMES for level in given.levels.split(","))]
    style = given.style or next(each for each in shown[given.benchmark] if each.startswith("native"))
    base = Settings(
        given.benchmark,
        f"scripted/{ORACLE}",
        style=style,
        limit=given.limit,
        seed=given.seed,
        concurrency=given.concurrency,
        runs=given.runs,
    )
    cells = {model: play_settings(model, settings, base) for model in given.models}
    samples = cells[given.models[0]][WITHOUT].run.answers
    note = (
        f"{given.benchmark} --style {style} on starter, {samples} samples, seed {given.seed}; differences are paired; "
        "chance: the best trivial baseline on the same samples"
    )
    text = markdown_tables([level_table(cells, note), order_table(cells, note)])
    if given.out is not None:
        given.out.write_text(f"{text}\n", encoding="utf-8")
    print(text)


def play_settings(model: str, settings: Sequence[str], base: Settings) -> dict[str, StudyCell]:
    """The runs of one model, by perturbation."""
    wanted = {name: replace(base, perturb="" if name == WITHOUT else name) for name in settings}
    return {
        cell.label: cell for cell in study_cells([(name, play(model, each)) for name, each in wanted.items()])
    }


def play(model: str, wanted: Settings) -> Path:
    """The folder of one run, which goes on where it was stopped."""
    agent = model.removeprefix(GOLD)
    if agent != model and agent not in (CAREFUL, HASTY, FORGETFUL):
        raise SystemExit(
            f"there is no {model}; agents are {', '.join(GOLD + each for each in (CAREFUL, HASTY, FORGETFUL))}"
        )
    return evaluate(
        wanted.benchmark,
        model if agent == model else GoldAgent(agent, wanted),
        style=wanted.style, limit=wanted.limit, seed=wanted.seed, runs=wanted.runs, perturb=wanted.perturb,
        concurrency=wanted.concurrency,
    ).folder  # fmt: skip


def level_table(cells: Cells, note: str) -> Table:
    """The headline of each model under each perturbation."""
    rows = [
        (
            model,
            name,
            with_interval(cell.score),
            percent(cell.chance),
            cell.difference and with_interval(cell.difference),
            None if (asked := cell.mean_total("requests")) is None else f"{asked:.1f}",
            changed_results(cell.run),
        )
        for model, found in cells.items()
        for name, cell in found.items()
    ]
    columns = (
        "model",
        "perturbation",
        "score [95 %]",
        "chance",
        "against none [95 %]",
        "requests",
        "changed results",
    )
    return Table("Scores under perturbations", columns, tuple(rows), note)


def changed_results(run: ComparedRun) -> int:
    """How many results were changed in the run: a model that calls nothing meets no perturbation."""
    return sum(len(item.notes.get("perturbed", ())) for item in run.transcripts.values())


def order_table(cells: Cells, note: str) -> Table:
    """Each pair of models without and under each perturbation."""
    rows = [row for pair in combinations(cells, 2) for row in order_rows(*pair, cells)]
    columns = ("first - second", "perturbation", "without [95 %]", "with [95 %]", "order")
    reversed_rows = sum(row[-1] == REVERSED for row in rows)
    return Table("Order of models", columns, tuple(rows), f"{note}; reversed: {reversed_rows} of {len(rows)}")


def order_rows(first: str, second: str, cells: Cells) -> Iterator[tuple[str | None, ...]]:
    """One row for each perturbation of one pair."""
    without = difference(cells[first][WITHOUT], cells[second][WITHOUT])
    for name, cell in cells[first].items():
        if name == WITHOUT:
            continue
        found = difference(cell, cells[second][name])
        yield (
            f"{first} - {second}", name, with_interval(without), with_interval(found), order_verdict(without, found),
        )  # fmt: skip


def difference(one: StudyCell, other: StudyCell) -> Estimate:
    """The paired difference of two models in one setting."""
    metric = one.run.benchmark.scoring.metric(one.run.setup.headline)
    return paired_test(metric, rows_of(one.run.graded), rows_of(other.run.graded)).difference


def order_verdict(without: Estimate, found: Estimate) -> str:
    """What becomes of the order of two models; a difference is clear where its interval does not hold 0."""
    signs = (sign_of(without), sign_of(found))
    if 0 in signs:
        return ONE_SIDED[bool(signs[0]), bool(signs[1])]
    return "kept" if signs[0] == signs[1] else REVERSED


def sign_of(estimate: Estimate) -> int:
    """The side of 0 that the whole interval is on; 0 where it is on none."""
    if estimate.low is None or estimate.high is None:
        return 0
    return (estimate.low > 0) - (estimate.high < 0)


if __name__ == "__main__":
    try:
        main()
    except ToolyardError as error:
        raise SystemExit(str(error)) from None
