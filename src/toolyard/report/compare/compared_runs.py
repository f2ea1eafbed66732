"""Runs side by side: read from their own files, named apart, and kept apart where they do not compare."""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.errors import DataError, RunMismatch, UsageError
from toolyard.core.ordered_sums import group_items
from toolyard.core.types import JsonValue, Profile, Record, Sample, Transcript
from toolyard.core.untrusted.typed_fields import typed_field, typed_values
from toolyard.lines import read_json_object, read_records
from toolyard.models.shown_tools import unseen_tools_note
from toolyard.models.spec import ModelSpec
from toolyard.report.compare.model_facts import ModelFacts, find_model_facts
from toolyard.run.grade.baselines import Baseline, play_baselines, read_baselines, run_baselines
from toolyard.run.grade.evidence import Instruments
from toolyard.run.plan.minutes import reached_in
from toolyard.run.plan.run_config import setup_of_manifest
from toolyard.run.run import Run
from toolyard.run.store.records import read_score, read_transcript
from toolyard.run.store.run_directory import BASELINES, MANIFEST, SCORES, TRANSCRIPTS, RunStore
from toolyard.stats.summary import Graded, Summary, summarise
from toolyard.text.counted_nouns import how_many

# Settings that may differ between the runs of one table, as long as the reader is told.
REPORTED_SETTINGS = (
    "style", "variation", "catalogue", "perturb", "options", "templates_sha256", "decoding", "embedder", "seed",
    "trials", "limit", "shortest", "budget", "allocation", "ids",
)  # fmt: skip
# How the model was served, which may move a figure more than the model does.
REPORTED_SERVING = (
    "surface", "server", "template_sha256", "parser", "reasoning", "reasoning_tokens", "extra",
)  # fmt: skip
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
    # Whether it has answers to more samples than it is compared on.
    restricted: bool = False

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
    def price_date(self) -> str:
        """The date of the list that its prices come from, for the column of costs."""
        date = (self.manifest.get("prices") or {}).get("date")
        return f" (prices of {date})" if date else ""

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
        """Median seconds of a sample's requests; None where not measured."""
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

    @property
    def answers(self) -> int:
        """How many answers the headline is based on; all scored ones where it is undefined."""
        count = self.summary.figures[self.setup.headline].count
        return self.summary.samples if count is None else count

    @property
    def items(self) -> frozenset[str]:
        """The samples that it answered."""
        return frozenset(item.sample.id for item in self.graded)


def is_unfinished(folder: Path) -> bool:
    """Whether a run was started in this directory and has no scores yet."""
    return (folder / MANIFEST).exists() and not (folder / SCORES).exists()


def load_compared(folder: Path, profile: Profile, known: Mapping[str, ModelFacts]) -> ComparedRun:
    """The run in a directory; its label is the model's name."""
    manifest = RunStore(folder).required_manifest()
    if is_unfinished(folder):
        raise DataError(
            f"{folder} holds no {SCORES}: the run is not finished; repeat its `toolyard run` command, or leave it out"
        )
    benchmark = load_benchmark(manifest["identity"]["benchmark"])
    transcripts = _transcripts_without_messages(folder)
    graded = list(read_records(folder / SCORES, lambda line: _read_graded(line, profile, transcripts)))
    if missing := len(transcripts.keys() - {(item.score.sample, item.score.trial) for item in graded}):
        raise DataError(
            f"{folder} has no scores for {how_many(missing, 'answer')}: it is damaged; "
            "repeat its `toolyard run` command, or leave it out"
        )
    facts = find_model_facts(manifest["identity"]["model"], known)
    with refusing_other_forms(folder):
        _refuse_lost_samples(folder, manifest, graded)
        summary = _ungrouped_summary(benchmark, graded, profile, manifest)
    return ComparedRun(
        folder=folder,
        label=facts.name or manifest.get("label") or ModelSpec.parse(manifest["identity"]["model"]).display,
        facts=facts,
        manifest=manifest,
        setup=setup_of_manifest(benchmark, manifest),
        graded=graded,
        summary=summary,
        transcripts=transcripts,
    )


def _refuse_lost_samples(folder: Path, manifest: Record, graded: Sequence[Graded]) -> None:
    """Stops where answers and scores were cut alike, as far as the manifest says how many there were."""
    identity, reached = manifest["identity"], reached_in(manifest)
    samples = {item.sample.id for item in graded}
    found, planned, what = len(graded), len(samples) * int(identity.get("trials") or 1), "answer"
    if reached is not None or identity.get("allocation"):
        found, what = len({item.sample.cluster for item in graded}), "item"
        planned = sum(identity["allocation"].values()) if reached is None else reached.items
    elif identity["ids"]:
        found, planned, what = len(samples), len(set(identity["ids"])), "sample"
    if found < planned:
        raise DataError(
            f"{folder} has scores for {found:,} of {how_many(planned, f'planned {what}')}: it is damaged; "
            "repeat its `toolyard run` command, or leave it out"
        )


def _ungrouped_summary(
    benchmark: Benchmark, graded: Sequence[Graded], profile: Profile, manifest: Record
) -> Summary:
    """The figures over all samples; breakdowns are compared by wins, and their intervals would take most of the time."""
    whole = replace(benchmark, scoring=replace(benchmark.scoring, breakdowns=()))
    return summarise(whole, graded, profile, seed=manifest["identity"]["seed"])


def keep_shared_samples(runs: Sequence[ComparedRun], profile: Profile) -> tuple[ComparedRun, ...]:
    """The runs on the samples that all of them have; each sample stands for what it does in the smallest run."""
    sets = [run.items for run in runs]
    shared = frozenset.intersection(*sets)
    if not shared:
        folders = ", ".join(run.folder.name for run in runs)
        raise UsageError(
            f"the runs {folders} share no sample; leave out --shared, or give runs on the same data"
        )
    smallest = runs[min(range(len(runs)), key=lambda place: len(sets[place]))]
    standing = {item.sample.id: (item.sample.stratum, item.sample.weight) for item in smallest.graded}
    return tuple(_restrict_run(run, {name: standing[name] for name in shared}, profile) for run in runs)


def _restrict_run(
    run: ComparedRun, standing: Mapping[str, tuple[str, float]], profile: Profile
) -> ComparedRun:
    def restrict_sample(sample: Sample) -> Sample:
        stratum, weight = standing[sample.id]
        return replace(sample, stratum=stratum, weight=weight)

    graded = [
        replace(item, sample=restrict_sample(item.sample))
        for item in run.graded
        if item.sample.id in standing
    ]
    transcripts = {key: item for key, item in run.transcripts.items() if key[0] in standing}
    return replace(
        run,
        graded=graded,
        summary=_ungrouped_summary(run.benchmark, graded, profile, run.manifest),
        transcripts=transcripts,
        restricted=len(graded) < len(run.graded),
    )


@contextmanager
def refusing_other_forms(*folders: Path) -> Iterator[None]:
    """Calls scores damaged where the benchmark's own functions cannot read their groups or what was graded."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        names = ", ".join(f"{folder / SCORES}" for folder in folders)
        raise DataError(
            f"{names}: groups or graded are not as `toolyard run` writes them ({type(error).__name__}: "
            f"{str(error)[:100]}); write them again with: toolyard score RUN"
        ) from None


def _read_graded(line: Record, profile: Profile, transcripts: Mapping[tuple[str, int], Transcript]) -> Graded:
    key = typed_field(line, "sample", str), typed_field(line, "trial", int)
    sample: Sample = Sample(
        key[0],
        {},
        None,
        typed_field(line, "cluster", str),
        typed_values(line, "groups", str),
        typed_field(line, "stratum", str, ""),
        typed_field(line, "weight", float, 1.0),
    )
    score = read_score(*key, typed_field(typed_field(line, "profiles", dict), profile, dict))
    return Graded(sample, transcripts.get(key) or Transcript(*key), score)


def _transcripts_without_messages(folder: Path) -> dict[tuple[str, int], Transcript]:
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
    by_benchmark = group_items(loaded, lambda run: run.benchmark.name)
    for runs in by_benchmark.values():
        if not force:
            refuse_mixture(runs)
    return {name: label_distinctly(runs) for name, runs in by_benchmark.items()}


def mixture_reasons(runs: Sequence[ComparedRun]) -> list[str]:
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
    reasons = mixture_reasons(runs)
    if reasons:
        raise RunMismatch(
            f"{runs[0].benchmark.name}: {'; '.join(reasons)}; compare runs of one version and one data set, "
            "or add --force to put them side by side all the same"
        )


def differences_in_words(runs: Sequence[ComparedRun]) -> list[str]:
    """What the reader must know before reading a figure against another."""
    found = [f"{run.label}: {note}" for run in runs if (note := unseen_tools_note(run.manifest))]
    found += mixture_reasons(runs)
    for name in REPORTED_SETTINGS:
        values = [run.manifest["identity"].get(name) for run in runs]
        if any(value != values[0] for value in values):
            found.append(f"{name.removesuffix('_sha256')} differs between the runs")
    for name in REPORTED_SERVING:
        # Every model has a chat template of its own; two of one model are worth a word.
        groups = _group_by_model(runs) if name == "template_sha256" else [runs]
        for served in ([(run.manifest.get("serving") or {}).get(name) for run in group] for group in groups):
            if any(value != served[0] for value in served):
                found.append(
                    f"{SERVING_NAMES.get(name, name)} differs between the runs: {_join_settings(served)}"
                )
    if len({run.manifest["judge"] for run in runs}) > 1:
        found.append("judges differ, so judged metrics are not comparable")
    sets = [run.items for run in runs]
    if any(run.restricted for run in runs):
        found.append(f"all runs are scored on the {how_many(len(sets[0]), 'sample')} that they share")
    if any(names != sets[0] for names in sets):
        shared = len(frozenset.intersection(*sets))
        told = (
            f"the {shared} they share"
            if len(sets) == 2
            else f"what both runs of a pair have ({shared} in all)"
        )
        found.append(
            "the runs cover different samples, so that only those on the same ones rank with each other; "
            f"paired differences use {told}; --shared scores all on what they share"
        )
    return found


def _group_by_model(runs: Sequence[ComparedRun]) -> list[list[ComparedRun]]:
    models = dict.fromkeys(ModelSpec.parse(run.model).display for run in runs)
    return [[run for run in runs if ModelSpec.parse(run.model).display == model] for model in models]


def _join_settings(values: Sequence[JsonValue]) -> str:
    shown = dict.fromkeys(str(value)[:40] if value else "not known" for value in values)
    return ", ".join(shown)


def label_distinctly(runs: Sequence[ComparedRun]) -> tuple[ComparedRun, ...]:
    """The runs with distinct labels: the model's name, and what differs where two are of the same model."""
    labels = {}
    for label in dict.fromkeys(run.label for run in runs):
        same = [run for run in runs if run.label == label]
        for run, setup in zip(same, distinct_setups(same), strict=True):
            labels[id(run)] = f"{label} ({setup})" if setup else label
    return tuple(replace(run, label=labels[id(run)]) for run in runs)


def distinct_setups(runs: Sequence[ComparedRun]) -> list[str]:
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
        f"{identity['catalogue']} tools" if identity.get("catalogue") else "",
        str(identity.get("perturb") or ""),
        str(serving.get("surface") or ""),
        f"reasoning {serving['reasoning']}" if serving.get("reasoning") else "",
        f"parser {serving['parser']}" if serving.get("parser") else "",
        f"temperature {warmth:g}" if (warmth := identity["decoding"]["temperature"]) else "",
        f"{trials} trials" if trials > 1 else "",
        f"embedder {ModelSpec.parse(str(run.manifest['similarity'])).display}",
        f"judge {ModelSpec.parse(str(run.manifest['judge'])).display}" if run.manifest["judge"] else "",
        Path(str(run.manifest["data"])).name,
    )


@dataclass(frozen=True, slots=True)
class ItemSet:
    """Runs that answered the same samples, with the trivial baselines on those; only these rank with each other."""

    runs: tuple[ComparedRun, ...]
    baselines: tuple[Baseline, ...]

    @property
    def size(self) -> int:
        """How many samples."""
        return len(self.runs[0].items)


def item_sets(runs: Sequence[ComparedRun], profile: Profile) -> tuple[ItemSet, ...]:
    """The runs by the samples that they answered, most samples first."""
    alike = group_items(runs, lambda run: run.items)
    return tuple(
        ItemSet(tuple(alike[items]), set_baselines(alike[items], profile))
        for items in sorted(alike, key=lambda items: -len(items))
    )


def set_baselines(runs: Sequence[ComparedRun], profile: Profile) -> tuple[Baseline, ...]:
    """The trivial baselines on the samples of the largest run; none where its data are gone or changed."""
    # The files of a run are about all of its samples.
    unrestricted = [run for run in runs if not run.restricted]
    for run in sorted(unrestricted, key=lambda run: -len(run.graded)):
        kept = read_json_object(run.folder / BASELINES)
        found = None if kept is None else read_baselines(kept)
        if found is not None and profile in found:
            return found[profile]
    # An embedder behind an endpoint may not be there any more.
    largest = max(
        unrestricted or runs, key=lambda run: ("?" not in str(run.manifest["similarity"]), len(run.graded))
    )
    try:
        opened = Run.open(largest.folder)
    except (RunMismatch, DataError):
        return ()
    instruments = Instruments(embedder=largest.manifest["similarity"], named=False)
    if not largest.restricted:
        return run_baselines(opened, instruments)[profile]
    compared = {item.sample.id for item in largest.graded}
    samples = tuple(sample for sample in opened.samples if sample.id in compared)
    return play_baselines(opened.setup, samples, instruments)[profile]
