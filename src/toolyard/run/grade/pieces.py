"""Large sets of saved predictions, scored piece by piece: memory does not grow with the rows."""

import multiprocessing
import pickle
import shutil
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.cache_by_object import clear_object_caches
from toolyard.core.errors import DataError, UsageError, refuse_unknown
from toolyard.core.types import Options, Profile
from toolyard.run.grade.evidence import executed_book
from toolyard.run.grade.grading import grade_all, keep_printed_metrics
from toolyard.run.plan.data_sources import load_samples
from toolyard.stats.cluster_tally import ClusterTally, tally_clusters

DATA, PREDICTIONS = "data", "predictions"
# A piece of so many bytes takes some tens of megabytes once it is read.
BYTES_OF_A_PIECE = 8 * 2**20
# Data of more bytes are scored in pieces, wherever they can be.
LARGEST_WHOLE = 16 * 2**20
MOST_PIECES = 4096
LARGEST_BUFFER = 32 * 2**20

Found = TypeVar("Found")


class PieceFolders:
    """Pieces as folders `0`, `1`, ... with `data` and `predictions` each; lines are written in blocks."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder = folder
        self._number = number
        self._lines: dict[Path, list[bytes]] = defaultdict(list)
        self._waiting = 0

    def piece_of(self, key: str) -> int:
        """The piece that everything about the key belongs to."""
        return zlib.crc32(key.encode("utf-8", "surrogatepass")) % self._number

    def add(self, piece: int, file: str, line: bytes) -> None:
        """One more line of a file of the piece's data."""
        self._write(self._folder / str(piece) / DATA / file, line)

    def predict(self, piece: int, file: str, line: bytes) -> None:
        """One more line of a file of the piece's predictions."""
        self._write(self._folder / str(piece) / PREDICTIONS / file, line)

    def in_all(self, file: str, source: Path | None = None) -> None:
        """The file of data in every piece; without a source an empty file of predictions."""
        for piece in range(self._number):
            place = self._folder / str(piece) / (PREDICTIONS if source is None else DATA) / file
            place.parent.mkdir(parents=True, exist_ok=True)
            if source is None:
                place.touch()
            else:
                place.symlink_to(source.resolve())

    def _write(self, place: Path, line: bytes) -> None:
        self._lines[place].append(line)
        self._waiting += len(line)
        if self._waiting > LARGEST_BUFFER:
            self.flush()

    def flush(self) -> None:
        """Writes down all that waits."""
        for place, lines in self._lines.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("ab") as file:
                file.writelines(lines)
        self._lines.clear()
        self._waiting = 0

    def pieces(self) -> list[Path]:
        """The folders that hold data."""
        found = (self._folder / str(piece) for piece in range(self._number))
        return [folder for folder in found if (folder / DATA).is_dir()]


@contextmanager
def split_into_pieces(
    benchmark: Benchmark, data: Path, predictions: Path | None, number: int = 0
) -> Iterator[list[Path]]:
    """The data set as pieces on the disk, by default of a handy size, which are gone afterwards."""
    if benchmark.data.divide is None:
        raise UsageError(f"{benchmark.name} is scored as a whole; leave out --workers")
    number = number or min(MOST_PIECES, 1 + size_on_disk(data) // BYTES_OF_A_PIECE)
    folder = Path(tempfile.mkdtemp(prefix="toolyard-pieces-"))
    try:
        writer = PieceFolders(folder, number)
        benchmark.data.divide(data, predictions, writer)
        writer.flush()
        yield writer.pieces()
    finally:
        shutil.rmtree(folder)


def size_on_disk(path: Path) -> int:
    """Bytes of a file, or of all files of a folder."""
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


@dataclass(frozen=True, slots=True)
class PieceScoring:
    """How every piece is scored."""

    benchmark: str
    options: Options
    profile: Profile
    printed_only: bool = False

    def __call__(self, piece: Path) -> ClusterTally:
        """What the samples of one piece add up to."""
        benchmark = load_benchmark(self.benchmark)
        benchmark = keep_printed_metrics(benchmark) if self.printed_only else benchmark
        samples = load_samples(benchmark, str(piece / DATA), self.options)
        assert benchmark.scoring.read_predictions is not None
        transcripts = benchmark.scoring.read_predictions(piece / PREDICTIONS, samples)
        setup = RunSetup.default(benchmark, self.options)
        book = executed_book(setup, samples, transcripts)
        return tally_clusters(benchmark, grade_all(setup, samples, transcripts, book, self.profile))


@dataclass(frozen=True, slots=True)
class PieceEngine:
    """Where pieces are worked on: in processes here, or on a Ray cluster."""

    name: str = "local"
    workers: int = 1
    address: str = ""

    def map(self, work: Callable[[Path], Found], pieces: list[Path]) -> Iterator[Found]:
        """What becomes of each piece, in the order of the pieces."""
        if self.name == "ray":
            return work_on_ray(work, pieces, self.address)
        refuse_unknown("--engine", self.name, ("local", "ray"))
        return work_in_processes(work, pieces, self.workers)


def tally_in_pieces(scoring: PieceScoring, data: Path, predictions: Path, where: PieceEngine) -> ClusterTally:
    """What all predictions add up to."""
    benchmark = load_benchmark(scoring.benchmark)
    total = ClusterTally()
    with split_into_pieces(benchmark, data, predictions) as pieces:
        for tally in where.map(scoring, pieces):
            total.add(tally)
    return total


def work_in_processes(work: Callable[[Path], Found], pieces: list[Path], workers: int) -> Iterator[Found]:
    """What becomes of each piece, in the order of the pieces, with so many processes at work."""
    named_work = partial(_work_on_piece, work)
    if workers == 1:
        yield from map(named_work, pieces)
        return
    # Fresh processes: a copy of this one would share its threads' locks.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(pieces)), mp_context=context) as pool:
        try:
            yield from pool.map(named_work, pieces)
        except BrokenProcessPool:
            raise UsageError(
                "a process that scored a piece was ended, e.g. for memory; give fewer --workers"
            ) from None


def work_on_ray(work: Callable[[Path], Found], pieces: list[Path], address: str) -> Iterator[Found]:
    """The same as a Ray Data pipeline; every node must see the folder of the pieces (see TMPDIR)."""
    from toolyard.synth.engines.cluster import connected_data

    data = connected_data(address)

    def batch(rows: dict[str, list[str]]) -> dict[str, list[bytes]]:
        return {"found": [pickle.dumps(_work_on_piece(work, Path(piece))) for piece in rows["piece"]]}

    items = [{"piece": str(piece)} for piece in pieces]
    made = data.from_items(items, override_num_blocks=len(items)).map_batches(batch, batch_size=1)
    for row in made.iter_rows():
        yield pickle.loads(row["found"])  # noqa: S301 - written by our own tasks


def _work_on_piece(work: Callable[[Path], Found], piece: Path) -> Found:
    try:
        return work(piece)
    except DataError as error:
        raise DataError(
            f"{error} (in a piece of the data: the same command without --workers names file and line)"
        ) from None
    finally:
        # Otherwise a process would hold the samples of all pieces that it has seen.
        clear_object_caches()
