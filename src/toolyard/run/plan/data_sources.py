"""Where samples come from: the starter set, the fetched official data, or a path of the user's."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from toolyard.benchmarks import CASES, benchmark_names, load_benchmark
from toolyard.core.benchmark import Benchmark, Embed
from toolyard.core.draft_rows import draft_refusal
from toolyard.core.errors import DataError, MissingAsset, UsageError, did_you_mean
from toolyard.core.types import Options, Record, Sample, Transcript
from toolyard.lines import encode
from toolyard.models.assets import cache_folder
from toolyard.models.cache.key_value_store import KeptStore
from toolyard.run.plan.fresh_sets import existing_fresh_folder, is_fresh
from toolyard.run.plan.library_documents import add_documents
from toolyard.run.plan.run_config import MOST_FILES, path_sha256
from toolyard.run.store.object_storage import has_copy, is_remote, local_copy


def data_path(benchmark: Benchmark, data: str) -> Path:
    """The folder or file that `--data` names."""
    if data == "starter":
        return benchmark.data.starter
    if data == "hard":
        if benchmark.data.hard is None:
            raise UsageError(f"{benchmark.name} has no hard set; give --data starter|official, or a path")
        return benchmark.data.hard
    if data == "official":
        path = official_folder(benchmark)
        if not path.is_dir() or not any(path.iterdir()):
            raise MissingAsset(
                f"the official data of {benchmark.name} are not here; get them with: "
                f"toolyard fetch {benchmark.name}"
            )
        return path
    if is_fresh(data):
        return existing_fresh_folder(benchmark, data)
    if is_remote(data):
        return remote_data(data)
    path = Path(data)
    if not path.exists() and benchmark.name == CASES:
        raise DataError(f"{path} does not exist, wanted a case file; make one with: toolyard new cases.yaml")
    if not path.exists():
        meant = did_you_mean(data, ("starter", "hard", "official"))
        raise DataError(
            f"{path} does not exist; {meant}give a file or folder, or --data starter|hard|official"
        )
    refuse_special(path)
    return path


@cache
def remote_data(address: str) -> Path:
    """The copy of data in object storage, as they were when this process first asked for them."""
    path = local_copy(address)
    if path.is_dir() and not any(path.iterdir()):
        raise DataError(f"{address} holds nothing; give a file or folder, or --data starter|hard|official")
    return path


def refuse_strange_address(benchmark: str, data: str) -> None:
    """An address that a run directory names, and no command of this user has yet, is not asked for anything."""
    if is_remote(data) and not has_copy(data):
        raise MissingAsset(
            f"the data of this run are at {data}, of which there is no copy here, and a run directory may "
            f"send nothing anywhere; get one with: toolyard stats {benchmark} --data '{data}'"
        )


def refuse_special(path: Path) -> None:
    """A pipe or a device has no end to wait for, and could not be read a second time; nor could one in a folder."""
    for place in (path, *islice(path.rglob("*"), MOST_FILES)):
        if place.exists() and not place.is_file() and not place.is_dir():
            raise DataError(f"{place} is neither a file nor a folder; write what it gives to a file first")


def official_folder(benchmark: Benchmark) -> Path:
    """Where `toolyard fetch` puts the official data."""
    return cache_folder() / "data" / benchmark.name


def load_samples(
    benchmark: Benchmark, data: str, options: Options, *, drafts: bool = False
) -> tuple[Sample, ...]:
    """All samples of a data set; an empty one is a mistake, and so are drafts where they are not asked for."""
    path = data_path(benchmark, data)
    try:
        samples = _read_samples(benchmark, path, options)
    except DataError as error:
        other = _looks_like(path, benchmark.name)
        if not other:
            raise
        raise DataError(
            f"{path} looks like data of {other}, not of {benchmark.name}: give the other benchmark or other data ({error})"
        ) from error
    refusal = "" if drafts else draft_refusal(path, samples)
    if refusal:
        raise DataError(refusal)
    return add_documents(benchmark, samples, options)


def _read_samples(benchmark: Benchmark, path: Path, options: Options) -> tuple[Sample, ...]:
    with _read_by_a_stranger(f"{path} cannot be read as data of {benchmark.name}", "that of its starter set"):
        samples = benchmark.data.load(path, options)
    if not samples:
        raise DataError(f"{path} holds no samples for {benchmark.name}")
    return samples


def _looks_like(path: Path, name: str) -> str:
    """The other benchmark whose files a folder has, by their names; empty where none has more of them than this one."""
    if not path.is_dir():
        return ""
    here = {file.name for file in path.iterdir()}
    alike = {
        each: len(here & {file.name for file in load_benchmark(each).data.starter.iterdir()})
        for each in benchmark_names()
        if load_benchmark(each).data.starter.is_dir()
    }
    best = max(alike, key=lambda each: alike[each], default=name)
    return best if alike.get(best, 0) > alike.get(name, 0) else ""


def refuse_repeated_ids(data: str, samples: tuple[Sample, ...]) -> None:
    """Two samples of one id would share their answers."""
    seen: set[str] = set()
    for sample in samples:
        if sample.id in seen:
            raise DataError(f"{data} has sample {sample.id!r} twice; give every sample an id of its own")
        seen.add(sample.id)


def load_predictions(benchmark: Benchmark, path: Path, samples: tuple[Sample, ...]) -> tuple[Transcript, ...]:
    """Saved answers as transcripts; raises the user's mistake in one line."""
    read = benchmark.scoring.read_predictions
    if read is None:
        raise UsageError(f"{benchmark.name} has no form of saved predictions; run it on a model instead")
    with _read_by_a_stranger(f"{path} cannot be read as predictions of {benchmark.name}", "in its README"):
        return read(path, samples)


@contextmanager
def _read_by_a_stranger(what: str, wanted: str) -> Iterator[None]:
    """A reader of another package may not name file and line itself: whatever it trips over is one line."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError) as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise DataError(f"{what} ({why}); the form that is wanted is {wanted}") from error


def prepare_samples(
    benchmark: Benchmark,
    data: str,
    samples: tuple[Sample, ...],
    embedder: str,
    seed: int,
    data_sha256: str = "",
    *,
    named: bool = True,
) -> tuple[Sample, ...]:
    """The samples with what needs an embedding before prompting; computed once and kept in the cache."""
    prepare = benchmark.task.preparation.embedded
    if prepare is None:
        return samples
    path = data_path(benchmark, data)
    names = "\n".join(sample.id for sample in samples)
    hashed = data_sha256 or path_sha256(path)
    parts = f"{benchmark.name}/{benchmark.version}/{hashed}/{embedder}/{seed}/{names}"
    key = hashlib.sha256(parts.encode("utf-8", "surrogatepass")).digest()
    store = KeptStore(cache_folder() / "prepared.sqlite", advice="set TOOLYARD_CACHE to another folder")
    kept = _read_prepared(store.read([key]).get(key))
    extra = prepare(path, samples, lazy_embed(embedder, named=named), seed) if kept is None else kept
    if extra and kept is None:
        store.write({key: encode(extra)})
    return tuple(sample.with_input(extra[sample.id]) if sample.id in extra else sample for sample in samples)


def _read_prepared(kept: bytes | None) -> dict[str, Record] | None:
    """What was prepared before; None where nothing was, or it is damaged."""
    try:
        found = orjson.loads(kept) if isinstance(kept, bytes) else None
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def lazy_embed(embedder: str, *, named: bool = True) -> Embed:
    """An embedding that loads its weights at the first text, so that data without need pay nothing."""

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        from toolyard.models.embed.embedding import load_embedder

        return load_embedder(embedder, named=named)(texts)

    return embed
