"""Scores of trivial baselines on the samples of a run.

Those on a whole starter, hard or official set in its first style ship with the benchmark: `python
recipes/starter_baselines.py` makes them.
"""

import hashlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from toolyard import __version__
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.cache_by_object import PerObject
from toolyard.core.errors import DataError, MissingAsset, MissingExtra
from toolyard.core.metrics import SIMILAR
from toolyard.core.types import PROFILES, Profile, Record, Sample, Transcript
from toolyard.core.untrusted.typed_fields import typed_field, typed_values
from toolyard.lines import encode, read_json_object, write_whole
from toolyard.models.assets import cache_folder
from toolyard.run.grade.evidence import Instruments, offline_book
from toolyard.run.grade.forked_work import fork_copy, is_fork_possible
from toolyard.run.grade.grading import grade_all
from toolyard.run.play.offline import empty_answer, play_offline, prompted_once
from toolyard.run.run import Run
from toolyard.run.store.run_directory import BASELINES
from toolyard.stats.summary import Summary, figure_values, summarise

# Beside the sets, not in them: their hash is that of the data.
SHIPPED = "{}_baselines.json"
# Parts of a run's identity that no trivial answer depends on, and those that its samples already show.
OF_THE_MODEL = ("model", "decoding", "trials", "rewriter", "embedder")
OF_THE_SAMPLES = (
    "data_sha256", "documents_sha256", "limit", "shortest", "budget", "ids", "allocation",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Baseline:
    """The figures of one trivial answerer under one profile."""

    name: str
    figures: Mapping[str, float | None]
    # breakdown -> key -> figures, where the benchmark has breakdowns
    groups: Mapping[str, Mapping[str, Mapping[str, float | None]]] = field(default_factory=dict)


def run_baselines(run: Run, instruments: Instruments) -> dict[Profile, tuple[Baseline, ...]]:
    """The trivial baselines on the run's samples: those that ship, else played once for these data and cached.

    The run directory keeps its own copy, under the key of the cache.
    """
    key = baselines_key(run, instruments)
    cached, beside = kept_baselines_path(run, key), run.folder / BASELINES
    found = (
        read_baselines_file(key, beside)
        or read_baselines_file(key, cached)
        or shipped_baselines(run, instruments)
        or play_baselines(run.setup, run.samples, instruments)
    )
    content = encode(baselines_json(found, key), orjson.OPT_INDENT_2)
    cached.parent.mkdir(parents=True, exist_ok=True)
    for path in (cached, *([beside] if run.folder.is_dir() else [])):
        if (read_json_object(path) or {}).get("key") != key:
            write_whole(path, content)
    return found


def read_baselines_file(key: str, path: Path) -> dict[Profile, tuple[Baseline, ...]] | None:
    """The baselines that a file holds under this key; None where it has another one or cannot be read."""
    kept = read_json_object(path)
    return None if kept is None or kept.get("key") != key else read_baselines(kept)


def shipped_baselines(run: Run, instruments: Instruments) -> dict[Profile, tuple[Baseline, ...]] | None:
    """The baselines that ship with the benchmark, where they are about this data, version and style."""
    key = shipped_key(run, instruments)
    files = run.benchmark.data.starter.parent.glob(SHIPPED.format("*"))
    return next((found for path in files if (found := read_baselines_file(key, path)) is not None), None)


def kept_baselines_path(run: Run, key: str) -> Path:
    """Where the figures under a key are kept for all runs."""
    return cache_folder() / "baselines" / f"{run.benchmark.name}_{key[:24]}.json"


def prepare_baselines(run: Run) -> Callable[[], None]:
    """Plays baselines that are not kept yet beside whatever comes next, in a copy of this process.

    The function that is returned waits for it; what failed there is tried again, and told, by `baselines_of`.
    """
    # As planned: a manifest that is damaged is mended only by the work that follows.
    instruments = run.planned_instruments()
    kept = kept_baselines_path(run, baselines_key(run, instruments)).exists()
    if kept or not is_fork_possible() or shipped_baselines(run, instruments) is not None:
        return lambda: None
    return fork_copy(lambda: run_baselines(run, instruments)).join


def baselines_key(run: Run, instruments: Instruments) -> str:
    """The digest of all that the baselines' figures depend on: what is measured, and the code that measures."""
    return _parts_digest([shipped_key(run, instruments), __version__, code_sha256(run.benchmark)])


def shipped_key(run: Run, instruments: Instruments) -> str:
    """The digest of what is measured: version, style, options, embedder, samples."""
    apart = {*OF_THE_MODEL, *OF_THE_SAMPLES}
    identity = {name: value for name, value in run.config.identity().items() if name not in apart}
    embedder = instruments.embedder if has_embedder(run.benchmark, instruments) else "none"
    return _parts_digest([identity, embedder, _samples_sha256(run.samples)])


def _hash_samples(samples: tuple[Sample, ...]) -> str:
    digest = hashlib.sha256()
    for sample in samples:
        digest.update(encode(sample))
    return digest.hexdigest()


_samples_sha256 = PerObject(_hash_samples, most_kept=4)


def _parts_digest(parts: object) -> str:
    return hashlib.sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()


def has_embedder(benchmark: Benchmark, instruments: Instruments) -> bool:
    """Whether figures rest on similarities, and there is something to compute them with."""
    if not benchmark.scoring.metrics_tagged(SIMILAR):
        return False
    try:
        return instruments.embed() is not None
    except (MissingAsset, MissingExtra):
        return False


def code_sha256(benchmark: Benchmark) -> str:
    """The hash of the module or package that holds the benchmark's answerers."""
    digest = hashlib.sha256()
    spec = importlib.util.find_spec(benchmark.checks.oracle_of("").__module__)
    origin = Path(spec.origin) if spec is not None and spec.origin is not None else None
    if origin is None or not origin.is_file():
        return ""
    whole = (origin.parent / "__init__.py").exists()
    for path in sorted(origin.parent.glob("*.py")) if whole else [origin]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def play_baselines(
    setup: RunSetup, samples: tuple[Sample, ...], instruments: Instruments
) -> dict[Profile, tuple[Baseline, ...]]:
    """Every trivial baseline of the benchmark, each played once; the empty answer is always among them."""
    setup = prompted_once(setup)
    answerers = {"empty": empty_answer, **setup.benchmark.checks.baselines}
    found: dict[Profile, list[Baseline]] = {profile: [] for profile in setup.benchmark.profiles}
    for name, answerer in answerers.items():
        transcripts = play_offline(setup, samples, answerer)
        for profile, summary in offline_summaries(setup, samples, transcripts, instruments).items():
            found[profile].append(summary_to_baseline(f"scripted/{name}", summary))
    return {profile: tuple(baselines) for profile, baselines in found.items()}


def summary_to_baseline(name: str, summary: Summary) -> Baseline:
    """A summary's figures without their intervals, in total and by group."""
    groups = {
        grouping: {key: figure_values(figures) for key, figures in members.items()}
        for grouping, members in summary.groups.items()
    }
    return Baseline(name, figure_values(summary.figures), groups)


def offline_summaries(
    setup: RunSetup, samples: tuple[Sample, ...], transcripts: Sequence[Transcript], instruments: Instruments
) -> dict[Profile, Summary]:
    """The figures of offline transcripts, without intervals; judged ones are left out, similarities computed."""
    book = offline_book(setup, samples, transcripts, instruments)
    return {
        profile: summarise(
            setup.benchmark, grade_all(setup, samples, transcripts, book, profile), profile, resamples=0
        )
        for profile in setup.benchmark.profiles
    }


def baselines_json(found: Mapping[Profile, Sequence[Baseline]], key: str) -> dict[str, object]:
    """What baselines.json holds."""
    return {
        "key": key,
        **{profile: {item.name: item.figures for item in items} for profile, items in found.items()},
        "groups": {profile: {item.name: item.groups for item in items} for profile, items in found.items()},
    }


def read_baselines(kept: Record) -> dict[Profile, tuple[Baseline, ...]] | None:
    """The baselines that a stored object stands for, by profile; None where it stands for none."""
    try:
        groups = typed_values(kept, "groups", dict)
        return {
            profile: tuple(
                _read_baseline(
                    name, typed_values(kept[profile], name, float, None), typed_field(members, name, dict, {})
                )
                for name in typed_field(kept, profile, dict)
            )
            for profile in PROFILES
            if (members := groups.get(profile)) is not None
        }
    except DataError:
        return None


def _read_baseline(name: str, figures: Mapping[str, float | None], groups: Record) -> Baseline:
    for members in groups:
        for key in typed_values(groups, members, dict):
            typed_values(groups[members], key, float, None)
    return Baseline(name, figures, groups)


def chance_level(baselines: tuple[Baseline, ...], figure: str) -> float | None:
    """What the best trivial baseline scores on a figure."""
    known = [value for baseline in baselines if (value := baseline.figures.get(figure)) is not None]
    return max(known, default=None)
