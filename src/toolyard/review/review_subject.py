"""What is reviewed: the rows of a data set, or the answers of two runs or more; found from the words of a command."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import DataError, ToolyardError, UsageError
from toolyard.core.metrics import COMPARED
from toolyard.core.types import JsonValue, Options, Record
from toolyard.core.untrusted.typed_fields import typed_field, typed_values
from toolyard.lines import read_records
from toolyard.review.drawn_samples import draw_items
from toolyard.review.pairs import AnswerPair, answer_pairs
from toolyard.review.perspectives import Perspective, read_perspectives
from toolyard.review.review_rows import ReviewEntry, entries_of_samples
from toolyard.run.plan.data_sources import data_path, load_samples, refuse_special
from toolyard.run.plan.run_config import path_sha256, require_options
from toolyard.run.store.run_directory import SCORES, RunStore

DEFAULT_DIMENSIONS = ("overall",)


@dataclass(frozen=True, slots=True)
class DataSubject:
    """A data set under review: all its rows, or a seeded sample of them."""

    benchmark: Benchmark
    options: Options
    path: Path
    entries: tuple[ReviewEntry, ...]
    everything: tuple[ReviewEntry, ...]
    identity: Mapping[str, JsonValue]
    general_findings: tuple[str, ...] = ()
    perspectives: tuple[Perspective, ...] = ()

    def neighbours(self, entry: ReviewEntry) -> list[ReviewEntry]:
        """The rows of the same cluster, itself included, in order."""
        clusters = {sample.cluster for sample in entry.samples}
        return [each for each in self.everything if clusters & {sample.cluster for sample in each.samples}]


@dataclass(frozen=True, slots=True)
class PairSubject:
    """Two runs or more under review, pair by pair of runs and sample by sample, on these dimensions."""

    pairs: tuple[AnswerPair, ...]
    dimensions: tuple[str, ...]
    runs: tuple[str, ...]
    seed: int
    identity: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class ReviewTarget:
    """The words of the command that say what is to be reviewed."""

    what: str
    second: str = ""
    data: str = "starter"
    sample: int | None = None
    seed: int = 0
    dimensions: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    by: str = ""


def review_subject(target: ReviewTarget) -> DataSubject | PairSubject:
    """Two run directories make pairs; a benchmark's name or a path to data makes rows."""
    if target.second:
        return pair_subject(target)
    if RunStore(Path(target.what)).manifest() is not None:
        raise UsageError(
            f"{target.what} is a run directory; preference needs two: toolyard review {target.what} OTHER_RUN"
        )
    return data_subject(target)


def data_subject(target: ReviewTarget) -> DataSubject:
    """The rows of the data set, with the benchmark's own audit."""
    perspectives = read_perspectives(target.dimensions)
    benchmark, data = named_benchmark(target)
    options = Options(benchmark.task.styles[0], values=require_options(benchmark, target.options))
    path = data_path(benchmark, data)
    samples = load_samples(benchmark, data, options, drafts=True)
    findings = benchmark.data.audit(path, samples) if benchmark.data.audit else ()
    everything = entries_of_samples(path, samples, findings)
    located = {id(finding) for entry in everything for finding in entry.findings}
    general = tuple(f"{item.where}: {item.what}" for item in findings if id(item) not in located)
    entries = draw_items(
        everything, target.sample, target.seed, target.by, lambda entry: entry.samples[0].groups
    )
    return DataSubject(
        benchmark,
        options,
        path,
        entries,
        everything,
        _identity_of_rows(benchmark, target, path),
        general,
        perspectives,
    )


def _identity_of_rows(benchmark: Benchmark, target: ReviewTarget, path: Path) -> dict[str, JsonValue]:
    return {
        "kind": "rows",
        "benchmark": benchmark.name,
        "version": benchmark.version,
        "data_sha256": path_sha256(path),
        "options": require_options(benchmark, target.options),
        "sample": target.sample,
        "seed": target.seed if target.sample is not None else None,
        **({"by": target.by} if target.by else {}),
        **(
            {"dimensions": [item.words for item in read_perspectives(target.dimensions)]}
            if target.dimensions
            else {}
        ),
    }


def named_benchmark(target: ReviewTarget) -> tuple[Benchmark, str]:
    """The benchmark that was named, or the only one that can load the path."""
    if target.what in benchmark_names():
        return load_benchmark(target.what), target.data
    path = Path(target.what)
    if not path.exists():
        raise UsageError(
            f"{target.what} is neither a path nor a benchmark; give a data folder or one of "
            f"{', '.join(benchmark_names())}"
        )
    refuse_special(path)
    refusals = {
        name: loading_refusal(load_benchmark(name), path, target.options) for name in benchmark_names()
    }
    able = [name for name, why in refusals.items() if not why]
    if len(able) == 1:
        return load_benchmark(able[0]), target.what
    found = f"{' and '.join(able)} can read it" if able else "no benchmark can read it"
    example = able[0] if able else benchmark_names()[0]
    raise DataError(f"{path}: {found}; name the benchmark: toolyard review {example} --data {path}")


def loading_refusal(benchmark: Benchmark, path: Path, given: Mapping[str, str]) -> str:
    """Why the benchmark cannot load the path; empty where it can."""
    try:
        values = require_options(benchmark, given)
        return (
            ""
            if benchmark.data.load(path, Options(benchmark.task.styles[0], values=values))
            else "no samples"
        )
    except ToolyardError as error:
        return str(error)


def pair_subject(target: ReviewTarget) -> PairSubject:
    """The samples that two runs answered, pooled over all pairs of runs; runs on different data are refused."""
    words = (target.what, target.second, *target.others)
    stores = [RunStore(Path(name)) for name in words]
    manifests = [_manifest_of_run(store) for store in stores]
    first = manifests[0]["identity"]
    for word, manifest in zip(words, manifests, strict=True):
        refuse_other_data(target.what, first, word, manifest["identity"])
    names = tuple(Path(word).resolve().name for word in words)
    answers = [tuple(store.transcripts().values()) for store in stores]
    pairs = tuple(
        replace(pair, id=pair.id if len(words) == 2 else f"{pair.id} · {one + 1}, {other + 1}",
                first=names[one], second=names[other])
        for one, other in combinations(range(len(words)), 2)
        for pair in answer_pairs(answers[one], answers[other])
    )  # fmt: skip
    if not pairs:
        raise DataError(f"{' and '.join(words)} have no answered sample in common; finish the runs")
    benchmark = load_benchmark(first["benchmark"])
    dimensions = target.dimensions or benchmark.scoring.metrics_tagged(COMPARED) or DEFAULT_DIMENSIONS
    identity = {
        "kind": "pairs", "benchmark": benchmark.name, "version": benchmark.version,
        "runs": [manifest["digest"] for manifest in manifests],
        "dimensions": list(dimensions), "sample": target.sample, "seed": target.seed,
        **({"by": target.by} if target.by else {}),
    }  # fmt: skip
    groups = groups_of_samples(stores[0]) if target.by else {}
    chosen = draw_items(
        pairs, target.sample, target.seed, target.by, lambda pair: groups.get(pair.sample, {})
    )
    return PairSubject(chosen, dimensions, names, target.seed, identity)


def refuse_other_data(
    named: str, first: Mapping[str, JsonValue], word: str, other: Mapping[str, JsonValue]
) -> None:
    """Answers to different questions cannot be preferred to one another."""
    for key in ("benchmark", "version", "data_sha256"):
        if first[key] != other[key]:
            raise DataError(
                f"{named} and {word} differ in {key} ({first[key]}, {other[key]}); "
                "preference needs runs on the same data"
            )


def groups_of_samples(store: RunStore) -> dict[str, Mapping[str, str]]:
    """The groups of each sample of a scored run."""
    found = read_records(
        store.folder / SCORES,
        lambda line: (typed_field(line, "sample", str), typed_values(line, "groups", str)),
    )
    return dict(found)


def _manifest_of_run(store: RunStore) -> Record:
    manifest = store.manifest()
    if manifest is None:
        raise DataError(
            f"{store.folder} holds no manifest.json; give two directories that `toolyard run` made"
        )
    return manifest
