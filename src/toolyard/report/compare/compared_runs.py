"""Runs side by side: read from their own files, named apart, and kept apart where they do not compare."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.errors import DataError, RunMismatch, UsageError
from toolyard.core.types import JsonValue, Profile, Record, Sample, Transcript
from toolyard.lines import read_json_object, read_lines, read_records
from toolyard.models.spec import ModelSpec
from toolyard.report.compare.model_facts import ModelFacts, facts_about
from toolyard.run.baselines import BASELINES, Baseline, baselines_of, read_baselines
from toolyard.run.evidence import Instruments
from toolyard.run.records import read_score, read_transcript
from toolyard.run.run import Run
from toolyard.run.store import SCORES, TRANSCRIPTS, RunStore
from toolyard.stats.summary import Graded, Summary, summarise

# Settings that may differ between the runs of one table, as long as the reader is told.
REPORTED_SETTINGS = (
    "style",
    "variation",
    "options",
    "templates_sha256",
    "decoding",
    "embedder",
    "seed",
    "trials",
    "limit",
    "shortest",
    "budget",
    "allocation",
    "ids",
)
# How the model was served, which may move a figure more than the model does.
REPORTED_SERVING = (
    "surface",
    "server",
    "template_sha256",
    "parser",
    "reasoning",
    "reasoning_tokens",
    "extra",
)
SERVING_NAMES = {
    "template_sha256": "chat template",
    "reasoning_tokens": "reasoning budget",
    "extra": "extra parameters",
}


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One run as a comparison sees it; scores are those of its files, nothing is graded again.

    Its transcripts hold what was answered and not what was asked: many runs of long prompts fit into memory.
    """

    folder: Path
    label: str
    facts: ModelFacts
    manifest: Record
    setup: RunSetup
    graded: Sequence[Graded]
    summary: Summary
    transcripts: Mapping[tuple[str, int], Transcript]

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark that was run."""
        return self.setup.benchmark

    @property
    def model(self) -> str:
        """The model as it was called for."""
        return str(self.manifest["identity"]["model"])

    @property
    def version(self) -> str:
        """The benchmark's version at the time of the run."""
        return str(self.manifest["identity"]["version"])

    @property
    def data_sha256(self) -> str:
        """The hash of the data that were run."""
        return str(self.manifest["identity"]["data_sha256"])

    @property
    def cost(self) -> float | None:
        """What the run cost; None where the price is unknown."""
        cost = self.manifest["cost"]
        return None if cost is None else float(cost)

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        usage = self.manifest["usage"]
        return sum(int(usage.get(name, 0)) for name in ("prompt_tokens", "completion_tokens"))

    @property
    def latency(self) -> float | None:
        """Median seconds of a sample's requests; None where nobody measured."""
        latencies = [
            sum(completion.latency for completion in item.completions)
            for item in self.transcripts.values()
            if item.error is None
        ]
        return statistics.median(latencies) if any(latencies) else None

    @property
    def headline(self) -> float | None:
        """The headline figure; None where it is undefined or withheld."""
        return None if self.summary.withheld else self.summary.figures[self.setup.headline].value


def load_compared(folder: Path, profile: Profile, known: Mapping[str, ModelFacts]) -> ComparedRun:
    """The run in a directory; its label is the model's name."""
    manifest = RunStore(folder).required_manifest()
    if not (folder / SCORES).exists():
        raise DataError(f"{folder} holds no {SCORES}; finish the run, then: toolyard score {folder}")
    benchmark = load_benchmark(manifest["identity"]["benchmark"])
    transcripts = _transcripts(folder)
    graded = [_graded(line, profile, transcripts) for line in read_lines(folder / SCORES)]
    facts = facts_about(manifest["identity"]["model"], known)
    # Breakdowns are compared by wins; their intervals would take most of the time.
    whole = replace(benchmark, scoring=replace(benchmark.scoring, groupings=()))
    return ComparedRun(
        folder=folder,
        label=facts.name or ModelSpec.parse(manifest["identity"]["model"]).display,
        facts=facts,
        manifest=manifest,
        setup=replace(RunSetup.default(benchmark), judge=manifest["judge"]),
        graded=graded,
        summary=summarise(whole, graded, profile, seed=manifest["identity"]["seed"]),
        transcripts=transcripts,
    )


def _graded(line: Record, profile: Profile, transcripts: Mapping[tuple[str, int], Transcript]) -> Graded:
    key = line["sample"], line["trial"]
    standing = (line.get("stratum", ""), line.get("weight", 1.0))
    sample: Sample = Sample(line["sample"], {}, None, line["cluster"], line["groups"], *standing)
    score = read_score(*key, line["profiles"][profile])
    return Graded(sample, transcripts.get(key) or Transcript(*key), score)


def _transcripts(folder: Path) -> dict[tuple[str, int], Transcript]:
    """The last transcript of each (sample, trial), without its messages."""
    found = read_records(folder / TRANSCRIPTS, lambda line: replace(read_transcript(line), messages=()))
    return {(item.sample, item.trial): item for item in found}


def load_runs(
    folders: Sequence[Path], profile: Profile, known: Mapping[str, ModelFacts], *, force: bool
) -> dict[str, tuple[ComparedRun, ...]]:
    """The runs by benchmark, with labels that differ; a mixture that does not compare is refused."""
    if len(set(folders)) < len(folders):
        raise UsageError("a run is named twice; name each run directory once")
    loaded = [load_compared(folder, profile, known) for folder in folders]
    by_benchmark: dict[str, list[ComparedRun]] = {}
    for run in loaded:
        by_benchmark.setdefault(run.benchmark.name, []).append(run)
    for runs in by_benchmark.values():
        if not force:
            refuse_mixture(runs)
    return {name: named_apart(runs) for name, runs in by_benchmark.items()}


def mixtures(runs: Sequence[ComparedRun]) -> list[str]:
    """Why the runs do not belong in one table, one reason each."""
    reasons = []
    if len({run.version for run in runs}) > 1:
        versions = ", ".join(f"{run.folder.name}: {run.version}" for run in runs)
        reasons.append(f"benchmark versions differ ({versions}), so scores may have moved with the scorer")
    if len({run.data_sha256 for run in runs}) > 1:
        hashes = ", ".join(f"{run.folder.name}: {run.data_sha256[:8]}" for run in runs)
        reasons.append(f"data hashes differ ({hashes}), so the models saw other samples")
    return reasons


def refuse_mixture(runs: Sequence[ComparedRun]) -> None:
    """Stops where one table would hold figures of different scorers or data."""
    reasons = mixtures(runs)
    if reasons:
        raise RunMismatch(
            f"{runs[0].benchmark.name}: {'; '.join(reasons)}; compare runs of one version and one data set, "
            "or add --force to put them side by side all the same"
        )


def differences_in_words(runs: Sequence[ComparedRun]) -> list[str]:
    """What the reader must know before reading a figure against another."""
    found = mixtures(runs)
    for name in REPORTED_SETTINGS:
        values = [run.manifest["identity"].get(name) for run in runs]
        if any(value != values[0] for value in values):
            found.append(f"{name.removesuffix('_sha256')} differs between the runs")
    for name in REPORTED_SERVING:
        served = [(run.manifest.get("serving") or {}).get(name) for run in runs]
        if any(value != served[0] for value in served):
            found.append(f"{SERVING_NAMES.get(name, name)} differs between the runs: {_in_words(served)}")
    if len({run.manifest["judge"] for run in runs}) > 1:
        found.append("judges differ, so judged metrics are not comparable")
    sets = [{item.sample.id for item in run.graded} for run in runs]
    if any(names != sets[0] for names in sets):
        shared = len(set.intersection(*sets))
        told = (
            f"the {shared} they share"
            if len(sets) == 2
            else f"what both runs of a pair have ({shared} in all)"
        )
        found.append(f"the runs cover different samples; paired differences use {told}")
    return found


def _in_words(values: Sequence[JsonValue]) -> str:
    shown = dict.fromkeys(str(value)[:40] if value else "not told" for value in values)
    return ", ".join(shown)


def named_apart(runs: Sequence[ComparedRun]) -> tuple[ComparedRun, ...]:
    """The runs with distinct labels: the model's name, and what differs where two are of the same model."""
    labels = {}
    for label in dict.fromkeys(run.label for run in runs):
        same = [run for run in runs if run.label == label]
        for run, setup in zip(same, setups_apart(same), strict=True):
            labels[id(run)] = f"{label} ({setup})" if setup else label
    return tuple(replace(run, label=labels[id(run)]) for run in runs)


def setups_apart(runs: Sequence[ComparedRun]) -> list[str]:
    """What tells the runs of one model apart: nothing for a single one, the folder where nothing else does."""
    if len(runs) == 1:
        return [""]
    facts = [_setup_facts(run) for run in runs]
    differing = [place for place in range(len(facts[0])) if len({fact[place] for fact in facts}) > 1]
    labels = [", ".join(fact[place] for place in differing if fact[place]) or "default" for fact in facts]
    return [
        label if labels.count(label) == 1 else run.folder.name
        for label, run in zip(labels, runs, strict=True)
    ]


def _setup_facts(run: ComparedRun) -> tuple[str, ...]:
    identity = run.manifest["identity"]
    defaults = {choice.name: choice.default for choice in run.benchmark.task.choices}
    options = (
        f"{name} {value}" for name, value in identity["options"].items() if value != defaults.get(name)
    )
    trials = int(identity.get("trials") or 1)
    serving = run.manifest.get("serving") or {}
    return (
        str(identity["style"]),
        ", ".join(options),
        str(identity.get("variation") or ""),
        str(serving.get("surface") or ""),
        f"reasoning {serving['reasoning']}" if serving.get("reasoning") else "",
        f"parser {serving['parser']}" if serving.get("parser") else "",
        f"temperature {warmth:g}" if (warmth := identity["decoding"]["temperature"]) else "",
        f"{trials} trials" if trials > 1 else "",
        f"embedder {ModelSpec.parse(str(run.manifest['similarity'])).display}",
        f"judge {ModelSpec.parse(str(run.manifest['judge'])).display}" if run.manifest["judge"] else "",
        Path(str(run.manifest["data"])).name,
    )


def baselines_beside(runs: Sequence[ComparedRun], profile: Profile) -> tuple[Baseline, ...]:
    """The trivial baselines on the samples of the largest run; none where its data are gone or changed."""
    for run in sorted(runs, key=lambda run: -len(run.graded)):
        path = run.folder / BASELINES
        if path.exists():
            kept = read_json_object(path)
            if kept is not None:
                return read_baselines(kept)[profile]
    # An embedder behind an endpoint may not be there any more.
    largest = max(runs, key=lambda run: ("?" not in str(run.manifest["similarity"]), len(run.graded)))
    try:
        opened = Run.open(largest.folder)
    except (RunMismatch, DataError):
        return ()
    instruments = Instruments(embedder=largest.manifest["similarity"], named=False)
    return baselines_of(opened, instruments)[profile]
