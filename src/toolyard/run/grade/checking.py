"""Offline proof of an install and audit of data: what `toolyard check` and `toolyard stats` say."""

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from toolyard.benchmarks import benchmark_and_data, benchmark_names, load_benchmark
from toolyard.core.benchmark import Benchmark, Finding, RunSetup, Table
from toolyard.core.declared_world import VERSION
from toolyard.core.errors import MissingExtra, UsageError
from toolyard.core.metrics import BELOW_ONE
from toolyard.core.types import JsonValue, Options, Profile, Sample, Transcript
from toolyard.run.grade.baselines import offline_summaries
from toolyard.run.grade.evidence import Instruments, executed_book
from toolyard.run.grade.grading import grade_all
from toolyard.run.plan.data_sources import data_path, load_samples, prepare_samples
from toolyard.run.plan.official_texts import own_styles
from toolyard.run.plan.run_config import require_options
from toolyard.run.play.offline import empty_answer, play_offline
from toolyard.stats.summary import figure_values
from toolyard.text.counted_nouns import how_many

# What hears the stage that is reached, how many of it are done, and how many there are.
Progress: TypeAlias = Callable[[str, int, int], None]
UNREADABLE = "official_unreadable"
SHOWN_REASONS = 8
# Samples whose changed answers one process grades at a time.
SAMPLES_A_PART = 25


@dataclass(frozen=True, slots=True)
class Check:
    """One statement about a benchmark and whether it holds."""

    name: str
    passed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class MutationClass:
    """Gold episodes with one kind of change: how many there are, and how many a figure judged as it should."""

    kind: str
    right: bool
    number: int
    caught: int
    unseen: int

    @property
    def share(self) -> float:
        """The share that was told rightly; what no rule can see is not."""
        return self.caught / self.number

    def reaches(self, wanted: float) -> bool:
        """Whether enough was told; one miss is allowed, since a small set has few of a kind."""
        return self.share >= wanted or self.number - self.caught <= 1


@dataclass(frozen=True, slots=True)
class CheckResult:
    """All checks and audit findings of one benchmark on one data set."""

    benchmark: str
    data: str
    checks: tuple[Check, ...]
    findings: tuple[Finding, ...]
    mutations: tuple[MutationClass, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every check holds; findings alone do not fail."""
        return all(check.passed for check in self.checks)


def _show_nothing(what: str, done: int, total: int) -> None:
    """Nobody watches."""


def check_benchmarks(
    name: str, data: str, options: Mapping[str, str], progress: Progress = _show_nothing, jobs: int = 1
) -> tuple[CheckResult, ...]:
    """The checks of one benchmark, or of all on their starter sets; `progress` hears how far the long parts are.

    With several `jobs`, changed gold answers are graded in other processes while the rest is checked in this one.
    """
    name, data = benchmark_and_data(name, data)
    if name == "all" and data != "starter":
        raise UsageError("--data needs the name of one benchmark, e.g.: toolyard check nestools --data PATH")
    names = benchmark_names() if name == "all" else (name,)
    with grading_pool(jobs) as pool:
        started = [start_check(load_benchmark(each), data, options, progress, pool=pool) for each in names]
        return tuple(finish_check(each, progress) for each in started)


@contextmanager
def grading_pool(jobs: int) -> Iterator[Executor | None]:
    """All processes but this one; None where there is none."""
    if jobs < 2:
        yield None
        return
    # Fresh processes: a copy of this one would share its threads' locks.
    with ProcessPoolExecutor(jobs - 1, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            yield pool
        except BrokenProcessPool:
            raise UsageError(
                "a process that graded changed answers was ended, e.g. for memory; check one benchmark at a time"
            ) from None


class GradedPart(NamedTuple):
    """Some samples with their gold episodes, and the grades of changed ones that another process works on."""

    classes: Future[tuple[MutationClass, ...]]
    samples: tuple[Sample, ...]
    golden: list[Transcript]


@dataclass(frozen=True, slots=True)
class StartedCheck:
    """A data set with its gold episodes, and the grades of changed ones that other processes work on."""

    setup: RunSetup
    data: str
    samples: tuple[Sample, ...]
    golden: list[Transcript]
    mutate: bool
    graded: tuple[GradedPart, ...] = ()

    def mutations(self, progress: Progress) -> tuple[MutationClass, ...]:
        """How the changed gold episodes were judged."""
        if not self.mutate:
            return ()
        if not self.graded:
            return mutation_classes(self.setup, self.samples, self.golden, progress)
        found: list[MutationClass] = []
        # From the end: this process grades the parts that no other one has begun, and waits for none of them.
        for done, (part, samples, golden) in enumerate(reversed(self.graded), start=1):
            taken = part.cancel()
            found += mutation_classes(self.setup, samples, golden) if taken else part.result()
            progress(f"{self.setup.benchmark.name}: changed answers", done, len(self.graded))
        return add_classes(found)


def check_benchmark(
    benchmark: Benchmark,
    data: str,
    given: Mapping[str, str],
    *,
    mutate: bool = True,
    prepare: bool = True,
    progress: Progress = _show_nothing,
) -> CheckResult:
    """Ids, oracle, floor and prompts of one data set, and its audit.

    With `mutate` also changed gold answers; without `prepare` prompts lack what an embedding would add.
    """
    started = start_check(benchmark, data, given, progress, mutate=mutate, prepare=prepare)
    return finish_check(started, progress)


def start_check(
    benchmark: Benchmark,
    data: str,
    given: Mapping[str, str],
    progress: Progress,
    *,
    mutate: bool = True,
    prepare: bool = True,
    pool: Executor | None = None,
) -> StartedCheck:
    """Plays the gold answers, and lets a pool grade the changed ones."""
    options = Options(benchmark.task.styles[0], values=require_options(benchmark, given))
    setup = RunSetup.default(benchmark, options)
    raw = load_samples(benchmark, data, options)
    samples = prepare_samples(benchmark, data, raw, "minilm", options.seed) if prepare else raw
    progress(f"{benchmark.name}: gold answers", 0, len(samples))
    golden = play_offline(setup, samples, benchmark.checks.oracle)
    progress(f"{benchmark.name}: gold answers", len(samples), len(samples))
    graded: tuple[GradedPart, ...] = ()
    if pool is not None and mutate and benchmark.checks.mutations is not None:
        parts = [slice(first, first + SAMPLES_A_PART) for first in range(0, len(samples), SAMPLES_A_PART)]
        graded = tuple(
            GradedPart(
                pool.submit(grade_mutants, benchmark.name, options, samples[part], golden[part]),
                samples[part],
                golden[part],
            )
            for part in parts
        )
    return StartedCheck(setup, data, samples, golden, mutate, graded)


def finish_check(started: StartedCheck, progress: Progress = _show_nothing) -> CheckResult:
    """All checks of a data set."""
    setup, samples, options = started.setup, started.samples, started.setup.options
    benchmark, path = setup.benchmark, data_path(setup.benchmark, started.data)
    findings = benchmark.data.audit(path, samples) if benchmark.data.audit else ()
    checks = (
        check_ids(samples),
        *check_documents(benchmark, samples, options),
        *check_oracle(setup, samples, started.golden, findings),
        *check_empty(setup, samples),
        check_prompts(benchmark, samples, options),
        *check_execution(benchmark, path),
    )
    mutations = started.mutations(progress)
    checks += tuple(check_mutations(benchmark, mutations))
    return CheckResult(benchmark.name, started.data, checks, findings, mutations)


def check_ids(samples: tuple[Sample, ...]) -> Check:
    """Ids are unique."""
    distinct = len({sample.id for sample in samples})
    return Check(
        "ids are unique",
        distinct == len(samples),
        f"{how_many(distinct, 'id')}, {how_many(len(samples), 'sample')}",
    )


def check_oracle(
    setup: RunSetup, samples: tuple[Sample, ...], golden: list[Transcript], findings: tuple[Finding, ...]
) -> Iterator[Check]:
    """Gold answers score 1.0 on every figure, less the rows that the official scorer itself cannot read."""
    unreadable = {finding.where for finding in findings if finding.kind == UNREADABLE}
    below_one = setup.benchmark.scoring.metrics_tagged(BELOW_ONE)
    for profile in setup.benchmark.profiles:
        kept = samples
        # Where there is one profile, its scorer is the official one.
        if profile == setup.benchmark.profiles[-1]:
            kept = tuple(sample for sample in samples if sample.id not in unreadable)
        names = {sample.id for sample in kept}
        transcripts = [transcript for transcript in golden if transcript.sample in names]
        figures = offline_figures(setup, kept, transcripts, profile)
        wrong = {
            name: value
            for name, value in figures.items()
            if value is not None and abs(value - 1) > 1e-9 and name not in below_one
        }
        known = sum(value is not None for value in figures.values())
        detail = f"{how_many(known, 'metric')} on {how_many(len(kept), 'sample')}"
        if wrong:
            detail = ", ".join(f"{name} {value:.6f}" for name, value in wrong.items())
            detail += why_below_one(setup, kept, transcripts, profile)
        if len(kept) < len(samples):
            detail += (
                f", {how_many(len(samples) - len(kept), 'row')} that the official parser cannot read left out"
            )
        yield Check(f"oracle scores 1.0 ({profile})", not wrong, detail)


def offline_figures(
    setup: RunSetup, samples: tuple[Sample, ...], transcripts: list[Transcript], profile: Profile
) -> dict[str, float | None]:
    """The figures of offline transcripts under one profile."""
    return figure_values(offline_summaries(setup, samples, transcripts, Instruments())[profile].figures)


def why_below_one(
    setup: RunSetup, samples: tuple[Sample, ...], transcripts: list[Transcript], profile: Profile
) -> str:
    """The first samples that lost points and the reasons they give, so that data can be mended."""
    graded = grade_all(setup, samples, transcripts, {}, profile)
    found = [
        f"{item.sample.id}: {'; '.join(item.score.reasons[:2])}" for item in graded if item.score.reasons
    ]
    return "".join(f"\n  {line}" for line in found[:SHOWN_REASONS])


def check_documents(benchmark: Benchmark, samples: tuple[Sample, ...], options: Options) -> Iterator[Check]:
    """Every official tool document of the data resolves to a tool of the library that takes such calls."""
    scene_of = benchmark.task.scene_in(options.style)
    if scene_of is None:
        return
    groups = {
        scene.part[0]: sample.input["documents"]
        for sample in samples
        if (scene := scene_of(sample, options)).compatibility
    }
    if not groups:
        return
    from toolyard.world.kernel.compat import resolve_subcategory

    resolved = [item for group, documents in groups.items() for item in resolve_subcategory(group, documents)]
    problems = [f"{item.id}: {item.problem}" for item in resolved if item.problem]
    detail = f"{len(resolved)} documents in {len(groups)} subcategories"
    if problems:
        detail = f"{len(problems)} of {len(resolved)} do not: {', '.join(problems[:3])}"
    yield Check("every document resolves to a tool", not problems, detail)


def check_empty(setup: RunSetup, samples: tuple[Sample, ...]) -> Iterator[Check]:
    """The empty answer scores the declared floor."""
    transcripts = play_offline(setup, samples, empty_answer)
    figures = offline_figures(setup, samples, transcripts, "paper")
    floor = setup.benchmark.checks.trivial.floor_on(samples)
    wrong = {
        name: value
        for name, value in figures.items()
        if value is not None and abs(value - floor.get(name, 0.0)) > 1e-9
    }
    detail = ", ".join(f"{name} {value:.6f}" for name, value in wrong.items()) or "as declared"
    yield Check("the empty answer scores the floor", not wrong, detail)


def check_prompts(benchmark: Benchmark, samples: tuple[Sample, ...], options: Options) -> Check:
    """Changing the gold leaves every prompt byte-identical, in every style."""
    leaks = [
        f"{sample.id} ({style})"
        for style in own_styles(benchmark)
        for sample in samples
        if not prompt_without_gold(benchmark, sample, replace(options, style=style))
    ]
    detail = f"{len(samples)} prompts, styles {', '.join(own_styles(benchmark))}"
    if leaks:
        detail = f"differs for {', '.join(leaks[:3])}"
    return Check("no gold in prompts", not leaks, detail)


def prompt_without_gold(benchmark: Benchmark, sample: Sample, options: Options) -> bool:
    """Whether the prompt stays the same when gold and groups are taken away."""
    blind = replace(sample, gold=None, groups={}, cluster=sample.id)
    return benchmark.task.prompt(sample, options) == benchmark.task.prompt(blind, options)


def check_execution(benchmark: Benchmark, path: Path) -> Iterator[Check]:
    """Gold that was executed in the world returns again what is stored beside the data.

    A set of another version of the world cannot; only a shipped one is let pass, until it is made again.
    """
    from toolyard.synth.chains.execution import EXECUTION, re_execution, rebuild_command, stored_world_version

    folder = path if path.is_dir() else path.parent
    if not (folder / EXECUTION).exists():
        return
    name, version = "gold executes to its stored results", stored_world_version(folder)
    if version != VERSION:
        shipped = folder.resolve() in {place.resolve() for place in benchmark.data.shipped_folders}
        command = (
            f"python recipes/starter_sets.py {benchmark.name}"
            if shipped
            else rebuild_command(benchmark.name, folder)
        )
        detail = f"the set was made in world {version}, this is world {VERSION}; make it again: {command}"
        yield Check(name, shipped, f"left out: {detail}" if shipped else detail)
        return
    try:
        found = re_execution(folder)
    except MissingExtra as missing:
        yield Check(name, True, f"left out: {missing}")
        return
    detail = f"{how_many(found.lines, 'row')}, {how_many(found.calls, 'call')}"
    if found.wrong:
        detail = (
            f"{len(found.wrong)} of {found.lines} rows return something else: {', '.join(found.wrong[:3])}"
        )
    yield Check(name, not found.wrong, detail)


def mutation_classes(
    setup: RunSetup, samples: tuple[Sample, ...], golden: list[Transcript], progress: Progress = _show_nothing
) -> tuple[MutationClass, ...]:
    """Every gold episode changed in every way the benchmark knows, judged by the figure that must tell."""
    mutations = setup.benchmark.checks.mutations
    if mutations is None:
        return ()
    counts: dict[tuple[str, bool], Counter[str]] = {}
    for done, (sample, transcript) in enumerate(zip(samples, golden, strict=True), start=1):
        progress(f"{setup.benchmark.name}: changed answers", done, len(samples))
        for mutant in mutations.mutants(sample, transcript):
            book = executed_book(setup, (sample,), [mutant.transcript])
            (graded,) = grade_all(setup, (sample,), [mutant.transcript], book, "paper")
            value = graded.score.values.get(mutations.figure)
            count = counts.setdefault((mutant.kind, mutant.right), Counter())
            count["number"] += 1
            count["caught"] += value is not None and (value == 1.0) == mutant.right
            count["unseen"] += value is None
    return _sorted_classes(counts)


def _sorted_classes(counts: Mapping[tuple[str, bool], Counter[str]]) -> tuple[MutationClass, ...]:
    return tuple(
        MutationClass(kind, right, count["number"], count["caught"], count["unseen"])
        for (kind, right), count in sorted(counts.items(), key=lambda item: (item[0][1], item[0][0]))
    )


def grade_mutants(
    benchmark: str, options: Options, samples: tuple[Sample, ...], golden: list[Transcript]
) -> tuple[MutationClass, ...]:
    """The mutation classes of some samples; what another process is asked for."""
    return mutation_classes(RunSetup.default(load_benchmark(benchmark), options), samples, golden)


def add_classes(classes: Iterable[MutationClass]) -> tuple[MutationClass, ...]:
    """The classes of several parts of a data set as those of the whole."""
    counts: dict[tuple[str, bool], Counter[str]] = {}
    for each in classes:
        count = counts.setdefault((each.kind, each.right), Counter())
        count.update(number=each.number, caught=each.caught, unseen=each.unseen)
    return _sorted_classes(counts)


def check_mutations(benchmark: Benchmark, classes: tuple[MutationClass, ...]) -> Iterator[Check]:
    """The figure tells the wrong from the right, class by class."""
    mutations = benchmark.checks.mutations
    if mutations is None or not classes:
        return
    for right, name in ((False, "wrong answers fail"), (True, "right answers in other words pass")):
        mine = [each for each in classes if each.right is right]
        weak = [f"{each.kind} {each.share:.1%}" for each in mine if not each.reaches(mutations.wanted)]
        detail = (
            f"{sum(each.number for each in mine)} of {len(mine)} kinds, each at least {mutations.wanted:.0%}"
        )
        yield Check(f"{name} ({mutations.figure})", not weak, f"below: {', '.join(weak)}" if weak else detail)


def data_statistics(name: str, data: str, given: Mapping[str, str]) -> tuple[Table, ...]:
    """The paper's own statistics for a data set."""
    benchmark = load_benchmark(name)
    if benchmark.data.statistics is None:
        raise UsageError(f"{name} prints no statistics; see: toolyard list")
    options = Options(benchmark.task.styles[0], values=require_options(benchmark, given))
    samples = load_samples(benchmark, data, options)
    return benchmark.data.statistics(data_path(benchmark, data), samples)


def checks_to_json(results: tuple[CheckResult, ...]) -> list[JsonValue]:
    """The results as plain JSON."""
    return [
        {
            "benchmark": result.benchmark,
            "data": result.data,
            "passed": result.passed,
            "checks": [asdict(check) for check in result.checks],
            "findings": [asdict(item) for item in result.findings],
            "mutations": [
                {
                    "kind": each.kind,
                    "right": each.right,
                    "number": each.number,
                    "share": each.share,
                    "unseen": each.unseen,
                }
                for each in result.mutations
            ],
        }
        for result in results
    ]
