"""One run: planned from settings or opened from its directory, checked alike, loaded and graded once.

    run = Run.plan(Settings("nestools", "local", limit=3))
    run = Run.open(Path("runs/nestools_local_1a2b3c4d"))

Everything that is said about a run - result, report, export, comparison of judges - is a view of this object.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.errors import DataError, RunBusy, ToolyardError, UsageError
from toolyard.core.options import options_in
from toolyard.core.types import Decoding, Failure, Options, Profile, Record, Sample, Transcript
from toolyard.run.cost.budget import drawn_part
from toolyard.run.grade.evidence import Instruments, InstrumentsKey
from toolyard.run.grade.grading import grade_all
from toolyard.run.plan.catalogues import fill_catalogues
from toolyard.run.plan.data_sources import (
    data_path,
    load_samples,
    prepare_samples,
    refuse_repeated_ids,
    refuse_strange_address,
)
from toolyard.run.plan.library_documents import documents_sha256
from toolyard.run.plan.minutes import REACHED, reached_in, reached_samples
from toolyard.run.plan.official_texts import official_texts
from toolyard.run.plan.perturbed_samples import apply_perturbation, perturb_samples
from toolyard.run.plan.run_config import (
    RunConfig,
    path_sha256,
    refuse_mismatch,
    resolve,
    run_folder,
    system_text,
    user_templates,
    variation_templates,
    way_template,
)
from toolyard.run.plan.selection import prompt_length, select_samples
from toolyard.run.plan.variations import apply_variation, vary_samples
from toolyard.run.play.episodes import Unit, plan_units
from toolyard.run.settings import Settings, refuse_unusable
from toolyard.run.store.rewrites import stored_rewrites
from toolyard.run.store.run_directory import RunStore
from toolyard.stats.summary import Graded, Summary, summarise

GradedRun: TypeAlias = Mapping[Profile, Sequence[Graded]]


@dataclass(frozen=True, slots=True)
class Run:
    """Settings, samples and episodes of a run, and the files that hold what came of them."""

    settings: Settings
    config: RunConfig
    setup: RunSetup
    samples: tuple[Sample, ...]
    units: tuple[Unit, ...]
    store: RunStore
    # Whether its settings are those of a directory, which may come from a stranger.
    opened: bool = False
    # Dollars that other runs under the same limit have cost.
    spent_beside: float = 0.0
    _graded: dict[InstrumentsKey, GradedRun] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _summaries: dict[InstrumentsKey, Mapping[Profile, Summary]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def plan(cls, settings: Settings, benchmark: Benchmark | None = None) -> "Run":
        """The run that settings lead to; raises the user's mistakes before any request is sent.

        A benchmark that is not installed can be given as a record instead of a name.
        """
        benchmark = benchmark or load_benchmark(settings.benchmark)
        settings = apply_perturbation(apply_variation(settings, benchmark), benchmark)
        return _load_run(settings, planned_config(settings, benchmark), benchmark, None)

    @classmethod
    def open(cls, folder: Path, benchmark: Benchmark | None = None) -> "Run":
        """The run that a directory's manifest describes; changed data or another version is refused."""
        store = RunStore(folder)
        manifest = store.required_manifest()
        settings = stored_settings(manifest, folder)
        benchmark = benchmark or load_benchmark(settings.benchmark)
        refuse_strange_address(benchmark.name, settings.data)
        data = data_path(benchmark, settings.data)
        config = resolve(settings, benchmark, path_sha256(data), manifest["templates"])
        refuse_mismatch(folder, manifest["identity"], config)
        config = replace(config, allocation=manifest["identity"].get("allocation", {}))
        return _load_run(settings, config, benchmark, store)

    @property
    def folder(self) -> Path:
        """The run directory."""
        return self.store.folder

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark, which no run changes."""
        return self.setup.benchmark

    @property
    def options(self) -> Options:
        """What prompts and episodes may depend on."""
        return self.setup.options

    @property
    def wanted(self) -> list[tuple[str, int]]:
        """Every (sample, trial) of the run, sorted."""
        return sorted((sample.id, unit.trial) for unit in self.units for sample in unit.samples)

    def is_played(self) -> bool:
        """Whether every (sample, trial) has its transcript, be it a failure."""
        return set(self.wanted) <= set(self.store.transcripts())

    def is_answered(self) -> bool:
        """Whether every (sample, trial) has an answer."""
        found = self.store.transcripts()
        return all(key in found and found[key].error is None for key in self.wanted)

    def instruments(self) -> Instruments:
        """What its questions were answered with last; no judge is loaded."""
        manifest = self.store.manifest()
        if manifest is None:
            return self.planned_instruments()
        decoding = manifest["judge_decoding"]
        return Instruments(
            judge_name=manifest["judge"],
            embedder=manifest["similarity"],
            decoding=Decoding(**{**decoding, "stop": tuple(decoding["stop"])}),
            named=not self.opened,
        )

    def planned_instruments(self) -> Instruments:
        """What its questions are to be answered with; no judge is loaded."""
        config = self.config
        return Instruments(judge_name=config.judge, embedder=config.embedder, decoding=config.judge_decoding)

    def take_back_end(self) -> None:
        """Takes the date of its end from the manifest of a run that is to have more answers, or has lost some."""
        manifest = self.store.manifest()
        if manifest is None:
            return
        changed = dict(manifest)
        if manifest["finished"] and not self.is_played():
            changed["finished"] = None
        if self.settings.minutes is None and not self.opened:
            # It began with --minutes, and now everything is asked.
            changed.pop(REACHED, None)
        if changed == manifest:
            return
        # Whoever writes to the run at the moment has seen to it.
        with suppress(RunBusy), self.store.locked():
            self.store.write_manifest(changed)

    def transcripts(self) -> list[Transcript]:
        """One transcript for every (sample, trial), from the files; what is not there yet is a failure."""
        found = self.store.transcripts()
        return [
            found.get(key) or Transcript(*key, error=Failure("not_run", "the run has not come to it yet"))
            for key in self.wanted
        ]

    def graded(self, instruments: Instruments, judge_trial: int = 0) -> GradedRun:
        """All scores under each profile, from the files alone; computed once for each way of judging."""
        key = instruments.key(judge_trial)
        if key not in self._graded:
            book = instruments.valid(self.store.evidence(), judge_trial)
            transcripts = self.transcripts()
            self._graded[key] = {
                profile: grade_all(self.setup, self.samples, transcripts, book, profile)
                for profile in self.benchmark.profiles
            }
        return self._graded[key]

    def summaries(self, instruments: Instruments) -> Mapping[Profile, Summary]:
        """All figures with their intervals under each profile, computed once."""
        key = instruments.key()
        if key not in self._summaries:
            self._summaries[key] = {
                profile: summarise(self.benchmark, items, profile, seed=self.config.seed)
                for profile, items in self.graded(instruments).items()
            }
        return self._summaries[key]

    def forget_grades(self) -> None:
        """Called when the files have got more: what was graded before is no longer all."""
        self._graded.clear()
        self._summaries.clear()

    def with_rewrites(self) -> "Run":
        """The run whose samples carry what a model made of them; refused ones stay as they are."""
        known = stored_rewrites(self.store.folder)
        if not known:
            return self
        changed = {
            sample.id: sample.with_input(known[sample.id]["input"]) if sample.id in known else sample
            for sample in self.samples
        }
        units = tuple(
            Unit(tuple(changed[each.id] for each in unit.samples), unit.trial) for unit in self.units
        )
        return replace(self, samples=tuple(changed.values()), units=units)


def planned_config(settings: Settings, benchmark: Benchmark) -> RunConfig:
    """The settings made definite, with the hash of the data as they are now; no sample is read."""
    refuse_unusable(settings)
    texts = {
        **way_template(benchmark, settings.style),
        **variation_templates(benchmark, settings.variation),
        **official_texts(benchmark, settings.style),
        **user_templates(benchmark, settings.templates),
        **system_text(settings.system),
    }
    config = resolve(settings, benchmark, path_sha256(data_path(benchmark, settings.data)), texts)
    refuse_idle_rewriter(config, benchmark)
    return config


def _load_run(settings: Settings, config: RunConfig, benchmark: Benchmark, store: RunStore | None) -> Run:
    """The run with its samples; where its directory exists, that must hold this very run."""
    everything = load_samples(benchmark, config.data, config.prompt_options())
    if path_sha256(data_path(benchmark, config.data)) != config.data_sha256:
        raise DataError(f"{config.data} changed while it was read; run again when it no longer does")
    refuse_repeated_ids(config.data, everything)
    if config.budget is None:
        chosen = select_samples(
            everything,
            limit=config.limit,
            ids=config.ids,
            main_group=benchmark.scoring.main_group,
            length=prompt_length(benchmark, config.prompt_options()) if config.shortest else None,
        )
    else:
        part = drawn_part(benchmark, everything, config)
        config, chosen = replace(config, allocation=part.allocation), part.samples
    if benchmark.task.scene_in(config.style or "") is not None:
        config = replace(config, documents_sha256=documents_sha256(chosen))
    samples = prepare_samples(
        benchmark, config.data, chosen, config.embedder, config.seed, config.data_sha256, named=store is None
    )
    samples = vary_samples(benchmark, samples, config.variation, config.seed)
    samples = fill_catalogues(
        benchmark, samples, config.catalogue, data_path(benchmark, config.data), config.prompt_options()
    )
    samples = perturb_samples(benchmark, samples, config.perturb, config.prompt_options())
    setup = config.setup(benchmark)
    units = tuple(plan_units(setup, samples, config.trials))
    place = store or RunStore(run_folder(config))
    run = Run(settings, config, setup, samples, units, place, opened=store is not None)
    check_directory(run)
    run = run.with_rewrites()
    return asked_part(run) if run.opened else run


def asked_part(run: Run) -> Run:
    """The run over the items that were asked; the run itself where that is everything."""
    if run.settings.minutes is None:
        return run
    reached = reached_in(run.store.manifest())
    if reached is None or reached.items >= reached.of:
        config = replace(run.config, minutes=None)
        return replace(run, settings=replace(run.settings, minutes=None), config=config)
    samples = reached_samples(run.benchmark, run.samples, run.config.seed, reached.items)
    names = {sample.id: sample for sample in samples}
    units = tuple(
        Unit(tuple(names[sample.id] for sample in unit.samples), unit.trial)
        for unit in run.units
        if unit.samples[0].id in names
    )
    return replace(run, samples=samples, units=units)


def clusters_in_set(folder: Path, benchmark: Benchmark) -> int | None:
    """How many clusters the data set of a run has, of which it may have taken a part; None where the data are gone."""
    manifest = RunStore(folder).required_manifest()
    settings = stored_settings(manifest, folder)
    try:
        refuse_strange_address(benchmark.name, settings.data)
        hashed = path_sha256(data_path(benchmark, settings.data))
        config = resolve(settings, benchmark, hashed, manifest["templates"])
        samples = load_samples(benchmark, settings.data, config.prompt_options())
    except ToolyardError:
        return None
    same = hashed == manifest["identity"]["data_sha256"]
    return len({sample.cluster for sample in samples}) if same else None


def check_directory(run: Run) -> None:
    """Stops where the directory holds another run than this, before anything is read from it or written to it."""
    try:
        manifest = run.store.manifest()
    except DataError:
        refuse_strange_answers(run)
        return
    if manifest is not None:
        refuse_mismatch(run.folder, manifest["identity"], run.config)


def refuse_strange_answers(run: Run) -> None:
    """A manifest that is damaged can be written again where the answers beside it are of this run."""
    strange = set(run.store.transcripts()) - set(run.wanted)
    if strange:
        name, _ = min(strange)
        raise DataError(
            f"{run.folder}/manifest.json is damaged, and the answers beside it are of another run (sample {name!r}); "
            "choose another --name, or give the command that started that run"
        )


def stored_settings(manifest: Record, folder: Path) -> Settings:
    """The settings that a manifest records."""
    identity, reached = manifest["identity"], reached_in(manifest)
    given = {
        item.name: identity[item.name]
        for item in options_in(Settings)
        if item.identity and item.name in identity
    }
    return Settings(
        **{**given, "ids": tuple(identity["ids"])},
        options=identity["options"],
        data=manifest["data"],
        minutes=None if reached is None else reached.minutes,
        max_tokens=identity["decoding"]["max_tokens"],
        temperature=identity["decoding"]["temperature"],
        label=manifest.get("label", ""),
        judge=manifest["judge"],
        judge_trials=manifest.get("judge_trials", 1),
        judge_temperature=manifest["judge_decoding"]["temperature"],
        runs=folder.parent,
        name=folder.name,
    )


def refuse_idle_rewriter(config: RunConfig, benchmark: Benchmark) -> None:
    """A rewriter that would have nothing to do is the user's mistake."""
    rewriting = benchmark.task.preparation.rewriting
    if config.rewriter and (rewriting is None or not rewriting.applies(config.prompt_options())):
        raise UsageError(
            f"--rewriter has nothing to rewrite for {benchmark.name} with these options; "
            "it serves e.g. nestools --robustness no-conjunctions"
        )
