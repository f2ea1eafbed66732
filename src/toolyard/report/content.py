"""What every report is made of: a run's figures, baselines and graded samples, read from its files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolyard.core.benchmark import Benchmark, RunSetup, Table
from toolyard.core.errors import CONTEXT_OVERFLOW
from toolyard.core.perturbations import NOTE as PERTURBED
from toolyard.core.types import Evidence, JsonValue, Profile, Record
from toolyard.report.compare.contamination import Contamination, find_contamination
from toolyard.report.resources import Resource, measure_resources, price_in, resources_to_json
from toolyard.run.grade.baselines import Baseline, chance_level, run_baselines
from toolyard.run.grade.judge_trials import read_spread
from toolyard.run.plan.run_config import shown_name
from toolyard.run.run import Run
from toolyard.stats.bootstrap import corrected_for_chance
from toolyard.stats.summary import Graded, Summary


@dataclass(frozen=True, slots=True)
class Report:
    """One run as its reports show it, under each profile."""

    folder: Path
    manifest: Record
    run: Run
    summaries: Mapping[Profile, Summary]
    graded: Mapping[Profile, Sequence[Graded]]
    baselines: Mapping[Profile, tuple[Baseline, ...]]
    evidence: Mapping[tuple[str, int, str], Evidence]
    contamination: Contamination | None = None

    @property
    def setup(self) -> RunSetup:
        """What the run chose of the benchmark."""
        return self.run.setup

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark that was run."""
        return self.run.benchmark

    @property
    def model(self) -> str:
        """The model that was run."""
        return shown_name(self.run.config)

    @property
    def overflows(self) -> int:
        """Answers that are empty because the prompt did not fit the model's context."""
        return sum(
            any(completion.finish_reason == CONTEXT_OVERFLOW for completion in item.transcript.completions)
            for item in self.graded["paper"]
        )

    @property
    def cut_answers(self) -> int:
        """Answers that ended at the token limit."""
        return sum(item.transcript.is_cut for item in self.graded["paper"])

    @property
    def dropped_calls(self) -> int:
        """Tool calls beyond those that are kept of a reply."""
        completions = (each for item in self.graded["paper"] for each in item.transcript.completions)
        return sum(completion.dropped_calls for completion in completions)

    @property
    def perturbed_samples(self) -> int:
        """Answers in which a perturbation changed what a call returned."""
        return sum(bool(item.transcript.notes.get(PERTURBED)) for item in self.graded["paper"])

    @property
    def resources(self) -> dict[str, Resource]:
        """What its samples took each."""
        return measure_resources([item.transcript for item in self.graded["paper"]], price_in(self.manifest))

    def official_value(self, figure: str) -> float | None:
        """The figure as the released scorer counts it; None where there is no released scorer."""
        official = self.summaries.get("official")
        return None if official is None else official.figures[figure].value

    @property
    def strongest_first(self) -> list[Baseline]:
        """The trivial baselines by their headline."""
        name = self.setup.headline
        return sorted(self.baselines["paper"], key=lambda item: -(item.figures.get(name) or 0.0))

    def chance(self, figure: str, profile: Profile = "paper") -> float | None:
        """What the best trivial baseline scores on a figure."""
        return chance_level(self.baselines[profile], figure)

    def chance_corrected(self, figure: str, profile: Profile = "paper") -> float | None:
        """The figure's share of the way from that baseline to perfect."""
        value = self.summaries[profile].figures[figure].value
        return corrected_for_chance(value, self.chance(figure, profile))

    def to_json(self) -> dict[str, JsonValue]:
        """What report.json holds."""
        return {
            "run": self.folder.name,
            "model": self.model,
            "headline": self.setup.headline,
            "withheld": self.summaries["paper"].withheld,
            "context_overflows": self.overflows,
            "cut_answers": self.cut_answers,
            "dropped_calls": self.dropped_calls,
            "perturbed_samples": self.perturbed_samples,
            "manifest": dict(self.manifest),
            # items asked of those there are, where `--minutes` ended the run
            "reached": self.manifest.get("reached"),
            "profiles": {profile: summary.to_json() for profile, summary in self.summaries.items()},
            "baselines": {
                profile: {baseline.name: dict(baseline.figures) for baseline in baselines}
                for profile, baselines in self.baselines.items()
            },
            "chance_corrected": {
                profile: {name: self.chance_corrected(name, profile) for name in summary.figures}
                for profile, summary in self.summaries.items()
            },
            "resources": resources_to_json(self.resources),
            "contamination": None if self.contamination is None else self.contamination.to_json(),
        }


def load_report(folder: Path) -> Report:
    """The report's content from the run's files; nothing is asked of any model."""
    return make_report(Run.open(folder))


def make_report(run: Run) -> Report:
    """What the reports of a run show, all of it views of the run."""
    manifest = run.store.manifest() or {}
    instruments = run.instruments()
    graded = run.graded(instruments)
    return Report(
        folder=run.folder,
        manifest=manifest,
        run=run,
        summaries=run.summaries(instruments),
        graded=graded,
        baselines=run_baselines(run, instruments),
        evidence=instruments.valid(run.store.evidence()),
        contamination=find_contamination(run.folder, run.benchmark, manifest, "paper"),
    )


def analysis_tables(report: Report) -> tuple[Table, ...]:
    """The benchmark's own analyses under the paper profile, and how far judge trials differ."""
    profile: Profile = "paper"
    graded = [item for item in report.graded[profile] if item.score.unscored is None]
    scored = [(item.sample, item.transcript, item.score) for item in graded]
    analysis, spread = report.benchmark.scoring.analysis, read_spread(report.folder)
    tables = () if analysis is None else analysis(scored, profile)
    return (*tables, *(() if spread is None or profile not in spread.spreads else (spread.table(profile),)))
