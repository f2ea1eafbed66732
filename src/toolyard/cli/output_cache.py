"""Output of finished runs: what was printed is cached under the hash of everything it depends on.

Nothing is loaded or graded where data, settings, code and every file of the run are what they were; anything else
goes the long way, which refuses what must be refused. Kept in the user's cache, not beside the run: a run directory
that comes from elsewhere says nothing here.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

import toolyard
from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import DataError
from toolyard.core.table import Cell, Links, Part, Table
from toolyard.core.types import JsonValue, Record
from toolyard.lines import encode, read_json_object, write_whole
from toolyard.models.assets import cache_folder
from toolyard.run.grade.baselines import code_sha256
from toolyard.run.grade.judge_trials import JUDGE_SPREAD
from toolyard.run.plan.fresh_sets import is_fresh
from toolyard.run.plan.minutes import REACHED
from toolyard.run.plan.run_config import path_sha256, refuse_mismatch, run_folder
from toolyard.run.run import Run, planned_config
from toolyard.run.settings import Settings
from toolyard.run.store.object_storage import is_remote
from toolyard.run.store.run_directory import BASELINES, EVIDENCE, MANIFEST, SCORES, TRANSCRIPTS, RunStore

REPORTS = ("report.html", "report.json", "report.md")
# What figures, tables and pages are made by, besides the benchmark itself.
CODE = ("cli", "core", "lines.py", "report", "run", "stats", "text")


@dataclass(frozen=True, slots=True)
class Showing:
    """What is printed and written of a run, and when the command fails: nothing that its results depend on."""

    published: bool = False
    full: bool = False
    reports: bool = True
    json: bool = False
    fail_under: float | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a command prints of one run: a line on stderr, then tables and lines, or JSON."""

    said: str
    tables: tuple[Table, ...]
    lines: tuple[str, ...]
    json: JsonValue
    code: int


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """Where a run lies that was finished before, and the key of what was printed of it."""

    folder: Path
    key: str

    @property
    def path(self) -> Path:
        """Where that is kept."""
        return cache_folder() / "finished" / f"{self.key[:32]}.json"

    def cached_output(self) -> Shown | None:
        """What was printed; None where nothing is kept."""
        kept = read_json_object(self.path)
        return None if kept is None or kept.get("key") != self.key else _read_shown(kept)

    def keep(self, shown: Shown) -> None:
        """Keeps what was printed, unless it would read back as something else."""
        content = encode({"key": self.key, **asdict(_with_printed_cells(shown))}, orjson.OPT_NON_STR_KEYS)
        if _read_shown(orjson.loads(content)) != _with_printed_cells(shown):
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, content)


def finished_run(settings: Settings, showing: Showing, played: Run | None = None) -> FinishedRun | None:
    """The finished run that settings lead to; None where it has to be looked at as a whole.

    `played` is that run, where it was played just now. Raises the user's mistakes, changed data among them, as the
    plan of a run does.
    """
    benchmark = load_benchmark(settings.benchmark)
    if not follows_from_files(settings, benchmark):
        return None
    config = planned_config(settings, benchmark) if played is None else played.config
    store = RunStore(run_folder(config)) if played is None else played.store
    try:
        manifest = store.manifest()
    except DataError:
        return None
    if manifest is None or not manifest["finished"] or manifest.get(REACHED):
        return None
    refuse_mismatch(store.folder, manifest["identity"], config)
    parts: list[object] = [
        config.digest(),
        asdict(showing),
        str(store.folder),
        toolyard.__version__,
        code_sha256(benchmark),
    ]
    parts += [
        list(_code_files()),
        list(_hashes_of_files(store, showing, read=played is not None)),
        list(_neighbouring_runs(store.folder)),
    ]
    return FinishedRun(store.folder, hashlib.sha256(orjson.dumps(parts)).hexdigest())


def follows_from_files(settings: Settings, benchmark: Benchmark) -> bool:
    """Whether all that such a run shows follows from its data and its own files: no judge, embedder, store or part."""
    elsewhere = settings.engine != "local" or is_remote(settings.runs) or is_remote(settings.data)
    asked = settings.judge or settings.rewriter or settings.max_cost is not None
    part = settings.budget is not None or settings.minutes is not None
    drawn = part or settings.variation or is_fresh(settings.data)
    judged = benchmark.judging is not None or benchmark.task.scene_in(settings.style or "") is not None
    return not (elsewhere or asked or drawn or judged)


def _code_files() -> Iterator[tuple[str, int, int]]:
    """Each input file of metrics and pages, with its size and time: a change invalidates the cache."""
    root = Path(toolyard.__file__).parent
    for name in CODE:
        for path in sorted((root / name).rglob("*")) if "." not in name else (root / name,):
            if path.suffix not in ("", ".pyc"):
                found = path.stat()
                yield str(path.relative_to(root)), found.st_size, found.st_mtime_ns


def _hashes_of_files(store: RunStore, showing: Showing, *, read: bool) -> Iterator[tuple[str, str]]:
    """The hash of each file of the run, the reports among them where they are wanted."""
    names = (MANIFEST, TRANSCRIPTS, EVIDENCE, SCORES, JUDGE_SPREAD, BASELINES)
    for name in (*names, *(REPORTS if showing.reports else ())):
        path = store.folder / name
        # Whoever has read the lines knows their hash; else the bytes are enough.
        yield name, store.sha256(name) if read else path_sha256(path) if path.is_file() else ""


def _neighbouring_runs(folder: Path) -> Iterator[tuple[str, int, int]]:
    """The neighbouring runs: one on fresh data would be compared with this one."""
    for path in sorted(folder.parent.glob(f"*/{MANIFEST}")):
        if path.parent != folder:
            found = path.stat()
            yield str(path), found.st_size, found.st_mtime_ns


def _with_printed_cells(shown: Shown) -> Shown:
    """The same with cells as a terminal prints them."""
    return Shown(shown.said, tuple(map(_printed_table, shown.tables)), shown.lines, shown.json, shown.code)


def _printed_table(table: Table) -> Table:
    rows = tuple(tuple(_cell_value(value) for value in row) for row in table.rows)
    return Table(
        table.title, table.columns, rows, table.note, table.heads, table.spans, table.parts, dict(table.kinds)
    )


def _cell_value(value: JsonValue) -> JsonValue:
    if isinstance(value, Cell):
        return _cell_value(value.value)
    return str(value) if isinstance(value, Links) else value


def _read_shown(kept: Record) -> Shown:
    tables = tuple(_restore_table(item) for item in kept["tables"])
    return Shown(kept["said"], tables, tuple(kept["lines"]), kept["json"], kept["code"])


def _restore_table(kept: Record) -> Table:
    return Table(
        title=kept["title"],
        columns=tuple(kept["columns"]),
        rows=_restore_rows(kept["rows"]),
        note=kept["note"],
        heads=kept["heads"],
        spans=tuple((text, width) for text, width in kept["spans"]),
        parts=tuple(Part(**part) for part in kept["parts"]),
        kinds={int(place): kind for place, kind in kept["kinds"].items()},
    )


def _restore_rows(rows: Sequence[Sequence[JsonValue]]) -> tuple[tuple[JsonValue, ...], ...]:
    return tuple(tuple(row) for row in rows)
