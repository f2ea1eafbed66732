"""A model under variations of the same samples: how far its figure moves, and which conclusions stand all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from toolyard.core.errors import UsageError
from toolyard.core.table import Table
from toolyard.core.types import JsonValue, Profile
from toolyard.report.compare.compared_runs import ComparedRun, load_compared, refuse_mixture, set_baselines
from toolyard.report.tables.comparison_tables import undecidable_note
from toolyard.report.tables.formats import p_text, percent, with_interval, words
from toolyard.run.grade.baselines import chance_level
from toolyard.run.plan.run_config import display_name
from toolyard.stats.paired import PairedTest, paired_test
from toolyard.stats.significance import SIGNIFICANCE, adjust_holm
from toolyard.stats.summary import rows_of

BASE = "base"
STANDS, WEAKER, GONE, TURNED = "stands", "weaker", "gone", "turned"


@dataclass(frozen=True, slots=True)
class Varied:
    """One variation of one model against its base, in the headline."""

    model: str
    variation: str
    run: ComparedRun
    test: PairedTest | None
    p_holm: float | None

    def to_json(self) -> dict[str, JsonValue]:
        """One line of the sensitivity table."""
        figure = self.run.summary.figures[self.run.setup.headline]
        difference = None if self.test is None else self.test.difference
        return {
            "model": self.model,
            "variation": self.variation,
            "run": self.run.folder.name,
            "figure": self.run.setup.headline,
            "value": figure.value,
            "interval": [figure.low, figure.high],
            "difference": None if difference is None else difference.value,
            "difference_interval": None if difference is None else [difference.low, difference.high],
            "p_holm": self.p_holm,
            "samples": self.run.summary.samples,
        }


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Something that the base runs show, and what becomes of it under each variation."""

    text: str
    under: Mapping[str, str]

    @property
    def survives(self) -> bool:
        """Whether it stands under every variation."""
        return all(verdict == STANDS for verdict in self.under.values())


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """All variations of all models on one benchmark."""

    title: str
    varied: tuple[Varied, ...]
    conclusions: tuple[Conclusion, ...]

    def to_json(self) -> dict[str, JsonValue]:
        """What --json prints."""
        return {
            "variations": [item.to_json() for item in self.varied],
            "spread": self.spread(),
            "conclusions": [
                {"conclusion": item.text, "survives": item.survives, "under": dict(item.under)}
                for item in self.conclusions
            ],
        }

    def spread(self) -> dict[str, float]:
        """For each model, its highest headline less its lowest."""
        values: dict[str, list[float]] = {}
        for item in self.varied:
            value = item.run.summary.figures[item.run.setup.headline].value
            if value is not None:
                values.setdefault(item.model, []).append(value)
        return {model: max(found) - min(found) for model, found in values.items()}


def run_variation(run: ComparedRun) -> str:
    """The run's variation and perturbation; `base` where it has none."""
    identity = run.manifest["identity"]
    return ", ".join(str(identity[name]) for name in ("variation", "perturb") if identity.get(name)) or BASE


def measure_sensitivity(folders: Sequence[Path], profile: Profile = "paper") -> Sensitivity:
    """The runs of one benchmark by model and variation, each variation against the model's base."""
    runs = [load_compared(folder, profile, {}) for folder in folders]
    if len({run.benchmark.name for run in runs}) != 1:
        raise UsageError("--sensitivity compares runs of one benchmark; name those of one alone")
    refuse_mixture(runs)
    by_model: dict[str, dict[str, ComparedRun]] = {}
    for run in runs:
        found = by_model.setdefault(display_name(run.model), {})
        if run_variation(run) in found:
            raise UsageError(
                f"{run.folder.name}: {display_name(run.model)} has two runs of {run_variation(run)}"
            )
        found[run_variation(run)] = run
    by_model = {
        model: dict(sorted(found.items(), key=lambda item: item[0] != BASE))
        for model, found in by_model.items()
    }
    for model, variations in by_model.items():
        if BASE not in variations or len(variations) < 2:
            raise UsageError(
                f"{model} has {', '.join(variations)}; wanted its base and at least one variation: "
                "toolyard run BENCH -m MODEL --sensitivity NAME,NAME makes them"
            )
    benchmark = runs[0].benchmark
    conclusions = (*_baseline_conclusions(by_model, profile), *_ranking_conclusions(by_model))
    return Sensitivity(f"{benchmark.about.title} {runs[0].version}", _test_variations(by_model), conclusions)


def _test_variations(by_model: Mapping[str, Mapping[str, ComparedRun]]) -> tuple[Varied, ...]:
    cases = [(model, name, run) for model, runs in by_model.items() for name, run in runs.items()]
    tests = [None if name == BASE else _test_pair(run, by_model[model][BASE]) for model, name, run in cases]
    known = [test.p_value for test in tests if test is not None and test.p_value is not None]
    corrected = iter(adjust_holm(known))
    return tuple(
        Varied(
            model, name, run, test, next(corrected) if test is not None and test.p_value is not None else None
        )
        for (model, name, run), test in zip(cases, tests, strict=True)
    )


def _test_pair(first: ComparedRun, second: ComparedRun) -> PairedTest:
    metric = first.benchmark.scoring.metric(first.setup.headline)
    return paired_test(metric, rows_of(first.graded), rows_of(second.graded))


def _baseline_conclusions(
    by_model: Mapping[str, Mapping[str, ComparedRun]], profile: Profile
) -> list[Conclusion]:
    """Whether a model is above the best trivial baseline, or below it, whatever the variation."""
    found = []
    for model, runs in by_model.items():
        sides = {name: _side_of_chance(run, profile) for name, run in runs.items()}
        base = sides.pop(BASE)
        if base:
            text = f"{model} is {base} the best trivial baseline"
            found.append(
                Conclusion(text, {name: _compare_sides(base, side) for name, side in sides.items()})
            )  # fmt: skip
    return found


def _side_of_chance(run: ComparedRun, profile: Profile) -> str:
    figure = run.summary.figures[run.setup.headline]
    chance = chance_level(set_baselines([run], profile), run.setup.headline)
    if figure.low is None or figure.high is None or chance is None:
        return ""
    return "above" if figure.low > chance else "below" if figure.high < chance else ""


def _compare_sides(base: str, side: str) -> str:
    if not side:
        return WEAKER
    return STANDS if side == base else TURNED


def _ranking_conclusions(by_model: Mapping[str, Mapping[str, ComparedRun]]) -> list[Conclusion]:
    """Whether the better one of two models stays the better one."""
    found = []
    for first, second in combinations(by_model, 2):
        shared = [name for name in by_model[first] if name in by_model[second]]
        tests = {name: _test_pair(by_model[first][name], by_model[second][name]) for name in shared}
        base = tests.pop(BASE)
        value = base.difference.value
        if base.p_value is None or base.p_value >= SIGNIFICANCE or not value:
            continue
        text = f"{first if value > 0 else second} is better than {second if value > 0 else first}"
        found.append(Conclusion(text, {name: _ranking_change(value, test) for name, test in tests.items()}))
    return found


def _ranking_change(base: float, test: PairedTest) -> str:
    value, clear = test.difference.value, test.p_value is not None and test.p_value < SIGNIFICANCE
    if not value:
        return GONE
    if (value > 0) == (base > 0):
        return STANDS if clear else WEAKER
    return TURNED if clear else GONE


def sensitivity_tables(found: Sensitivity) -> list[Table]:
    """The variations with their differences, then the conclusions."""
    rows = tuple(_table_row(item) for item in found.varied)
    spread = "; ".join(f"{model} {percent(value)}" for model, value in found.spread().items())
    note = (
        "points; the same samples, paired with the base; where no cluster differs, the interval is what may have stayed "
        "unseen; p: permutation test, Holm over the variations of this table; "
        f"spread, highest less lowest: {spread}"
    )
    few = undecidable_note([item.test.clusters for item in found.varied if item.test is not None])
    note = f"{note}; {few}" if few else note
    columns = (
        "model",
        "variation",
        "headline [95 %]",
        "against base [95 %]",
        "p (Holm)",
        "clusters",
        "samples",
    )
    tables = [Table(f"{found.title}: sensitivity", columns, rows, note)]
    if found.conclusions:
        names = list(dict.fromkeys(name for item in found.conclusions for name in item.under))
        explanation = (
            f"{STANDS}: shown again; {WEAKER}: same side, not beyond chance; {GONE}: not shown any more; "
            f"{TURNED}: the opposite is shown"
        )
        lines = tuple(
            (item.text, "yes" if item.survives else "no", *(item.under.get(name) for name in names))
            for item in found.conclusions
        )
        tables.append(
            Table(
                f"{found.title}: which conclusions survive",
                ("conclusion", "survives", *names),
                lines,
                explanation,
            )
        )
    return tables


def _table_row(item: Varied) -> tuple[object, ...]:
    figure = item.run.summary.figures[item.run.setup.headline]
    test = item.test
    return (
        item.model,
        item.variation,
        f"{words(item.run.setup.headline)} {with_interval(figure)}",
        None if test is None else with_interval(test.difference),
        p_text(item.p_holm),
        None if test is None else test.clusters,
        item.run.answers,
    )
