"""Data sets on demand: which pipeline settings mean, and its run from the source to the written files."""

import importlib
import importlib.util
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from toolyard.benchmarks import benchmark_modules, load_benchmark
from toolyard.core.benchmark import Choice, Table
from toolyard.core.errors import DataError, UsageError, did_you_mean
from toolyard.core.options import resolve_options
from toolyard.core.types import JsonValue, Record
from toolyard.lines import lock_folder, move_folder, read_json_object
from toolyard.models.base import Model, Price, Respond
from toolyard.models.loading import model_price
from toolyard.models.request_costs import Budget, known_price
from toolyard.models.settings import refuse_unknown_embedder
from toolyard.synth.data_card import CARD, MANIFEST, write_card
from toolyard.synth.engines import load_engine
from toolyard.synth.pipeline import Finished, PipelineRun, StageProgress
from toolyard.synth.row_questions import Answering
from toolyard.synth.settings import SynthSettings
from toolyard.synth.stages import Ask, Context, Pipeline, RowSource

WORLD, MODEL, CORPORA = "world", "model", "corpora"
# Not a benchmark: training rows in the forms of all of them.
MIXTURE = "mixture"


@dataclass(frozen=True, slots=True)
class Made:
    """A data set that was written: where, how many rows of those wanted, and what its card says."""

    folder: Path
    rows: int
    wanted: int
    tables: tuple[Table, ...]
    manifest: Record

    def to_json(self) -> dict[str, JsonValue]:
        """What `synth --json` prints."""
        shown = [
            {"title": table.title, "rows": [dict(zip(table.columns, row, strict=True)) for row in table.rows]}
            for table in self.tables
        ]
        return {"out": str(self.folder), "wanted": self.wanted, **self.manifest, "tables": shown}


def benchmark_pipelines(benchmark: str) -> Mapping[str, Pipeline]:
    """The pipelines of a benchmark, or of the training mixture, by what they start from; empty where it has none."""
    if benchmark == MIXTURE:
        from toolyard.synth.mixture.pipeline import PIPELINES

        return PIPELINES
    if benchmark not in benchmark_modules():
        known = (*sorted(benchmark_modules()), MIXTURE)
        meant = did_you_mean(benchmark, known)
        raise UsageError(f"{benchmark!r} is nothing that can be made; {meant}choose {', '.join(known)}")
    load_benchmark(benchmark)
    module = benchmark_modules()[benchmark].removesuffix(":BENCHMARK")
    if importlib.util.find_spec(f"{module}.synth") is None:
        return {}
    found: Mapping[str, Pipeline] = importlib.import_module(f"{module}.synth").PIPELINES
    return found


def options_table(benchmark: str) -> Table:
    """Every pipeline of a benchmark with its own options."""
    rows = [
        (
            name,
            f"--{choice.name}" if choice else None,
            choice.default if choice else None,
            choice.help if choice else None,
        )
        for name, pipeline in benchmark_pipelines(benchmark).items()
        for choice in (pipeline.choices or (None,))
    ]
    note = "world+model is --from world -m MODEL."
    return Table(f"Pipelines of {benchmark}", ("--from", "option", "default", "meaning"), tuple(rows), note)


def choose_pipeline(settings: SynthSettings) -> Pipeline:
    """The pipeline that the settings mean: named by --from, or else by what was given to start from."""
    pipelines = benchmark_pipelines(settings.benchmark)
    if not pipelines:
        raise UsageError(f"{settings.benchmark} has no pipeline; its queries are written by hand")
    guessed = CORPORA if settings.sources is not None else MODEL if settings.model is not None else WORLD
    origin = settings.origin or guessed
    if settings.model is not None and f"{origin}+{MODEL}" in pipelines:
        origin = f"{origin}+{MODEL}"
    if origin not in pipelines:
        meant = did_you_mean(origin, pipelines)
        raise UsageError(
            f"{settings.benchmark} cannot be made from {origin!r}; {meant}--from {'|'.join(pipelines)}"
        )
    pipeline = pipelines[origin]
    if pipeline.needs_sources and settings.sources is None:
        raise UsageError(f"synth {settings.benchmark} --from {origin} reads dialogues; give --sources FOLDER")
    if pipeline.asks and settings.model is None:
        raise UsageError(f"synth {settings.benchmark} --from {origin} asks a model; name one with -m MODEL")
    return pipeline


def make_context(settings: SynthSettings, pipeline: Pipeline) -> Context:
    """Seed, size and options of the run; what cannot be is refused here."""
    if settings.rows is not None and settings.rows < 1:
        raise UsageError(f"--rows {settings.rows} leaves nothing to make; give a number from 1 up")
    if settings.sources is not None and not settings.sources.is_dir():
        raise DataError(
            f"--sources {settings.sources} is not a folder; it should hold the corpora, one folder each"
        )
    folders = {} if settings.sources is None else {"sources": settings.sources}
    owner = f"synth {pipeline.benchmark} --from {pipeline.name}"
    options = resolve_options(owner, pipeline.choices, settings.options)
    for choice in pipeline.choices:
        _refuse_no_number(choice, options[choice.name])
    rows = pipeline.rows if settings.rows is None else settings.rows
    return Context(settings.seed, rows, options, settings.embedder, folders)


def _refuse_no_number(choice: Choice, value: str) -> None:
    """An option whose default is a share or a count takes nothing else."""
    form = r"0(\.\d+)?|1(\.0+)?|\.\d+" if "." in choice.default else r"\d+"
    is_number = re.fullmatch(r"\d+(\.\d+)?", choice.default) is not None
    if is_number and not choice.choices and re.fullmatch(form, value) is None:
        wanted = "a share from 0 to 1" if "." in choice.default else "a number from 0 up"
        raise UsageError(f"--{choice.name} {value!r} is not {wanted}")


def out_folder(settings: SynthSettings, pipeline: Pipeline) -> Path:
    """Where the data go; a folder with other things in it is not touched."""
    out = settings.out or Path("data") / f"{settings.benchmark}-{pipeline.name}-{settings.seed}"
    out = out if out.name else out.resolve()
    before = _read_manifest(out)
    wanted = (pipeline.benchmark, pipeline.name, settings.seed)
    if before and (before["benchmark"], before["pipeline"], before["seed"]) != wanted:
        raise UsageError(
            f"{out} holds a set of {before['benchmark']} --from {before['pipeline']} --seed {before['seed']}; "
            "choose another --out"
        )
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not (out / MANIFEST).exists())):
        raise UsageError(f"{out} holds other things than data made by synth; choose another --out")
    return out


def _read_manifest(out: Path) -> Record | None:
    path = out / MANIFEST
    if not path.is_file():
        return None
    found = read_json_object(path) or {}
    files = found.get("files")
    if not {"benchmark", "pipeline", "seed"} <= set(found) or not isinstance(files, dict | list):
        raise DataError(f"{path} is damaged; remove it and the data beside it, or choose another --out")
    return found


def work_folder(out: Path) -> Path:
    """Where the stages keep what they did, beside the data: resuming and repeating read it."""
    return out.with_name(f"{out.name}.work")


def synthesise(settings: SynthSettings, show: Callable[[StageProgress], None] = lambda _: None) -> Made:
    """The data set of the settings, made or gone on with; the same settings always give the same bytes."""
    refuse_unknown_embedder(settings.embedder)
    pipeline = choose_pipeline(settings)
    context = make_context(settings, pipeline)
    out = out_folder(settings, pipeline)
    work = work_folder(out)
    engine = load_engine(settings.engine, workers=settings.workers, address=settings.ray_address)
    for stage in pipeline.stages:
        if isinstance(stage, RowSource) and stage.files is not None:
            tuple(stage.files(context))  # a missing file is named before a folder is made
    try:
        work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{out} cannot be written ({error.strerror}); choose another --out") from None
    model = settings.model if pipeline.asks else None
    cache = (settings.cache or work / "answers").absolute()
    answering = Answering(
        model,
        cache,
        settings.concurrency,
        settings.timeout,
        settings.rpm,
        settings.tpm,
        settings.retries,
        checker=_checking_model(settings, pipeline),
    )
    price = model_price(model) if isinstance(model, str) else None
    if settings.max_cost is not None and model is not None:
        answering = replace(answering, budget=_make_budget(settings, price))
    progress = StageProgress(show, len(pipeline.stages), price=price)
    with lock_folder(
        work, f"{work} is being written by another process; wait for it or choose another --out"
    ):
        finished = PipelineRun(pipeline, context, engine, answering, work, progress).finish()
        if not len(finished.rows):
            raise DataError(f"no row passed all stages; {_worst_stage(finished)} (see {work})")
        tables = _write_data(pipeline, context, finished, answering.identities, out, progress)
        manifest = orjson.loads((out / MANIFEST).read_bytes())
    return Made(out, len(finished.rows), context.rows, tables, manifest)


def _make_budget(settings: SynthSettings, price: Price | None) -> Budget:
    """What the questions may cost; a limit that could not be kept is refused."""
    known_price(price, "model")
    if settings.engine != "local":
        raise UsageError(f"--max-cost is kept by one process; leave out --engine {settings.engine}")
    return Budget(settings.max_cost)


def _checking_model(settings: SynthSettings, pipeline: Pipeline) -> str | Respond | Model | None:
    """The second model, refused where it would have nothing to check or its price could not be counted."""
    if settings.checker is None:
        return None
    if not any(isinstance(stage, Ask) and stage.role == "checker" for stage in pipeline.stages):
        raise UsageError(
            f"synth {pipeline.benchmark} --from {pipeline.name} has no checking stage; leave --checker out"
        )
    if settings.max_cost is not None and settings.checker != settings.model:
        raise UsageError("--max-cost counts one price; leave --checker out, or check with the writer")
    return settings.checker


def _write_data(
    pipeline: Pipeline, context: Context, finished: Finished, model: str, out: Path, progress: StageProgress
) -> tuple[Table, ...]:
    """Data files and card, made beside the old ones and then put in their place together."""
    scratch = out.with_name(f"{out.name}.part")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    pipeline.write(finished.rows, scratch, context)
    tables = write_card(pipeline, context, finished, model, progress.price, scratch)
    _move_files_into_place(scratch, out)
    return tables


def _move_files_into_place(made: Path, out: Path) -> None:
    """Moves the files of a set to where they belong, the manifest last; files that are not of the set stay.

    A set that is new comes at once: without its manifest, the next command would take the files for others'.
    """
    if not out.exists() or not any(out.iterdir()):
        move_folder(made, out.resolve())
        return
    names = [path.relative_to(made) for path in sorted(made.rglob("*")) if path.is_file()]
    for name in sorted(names, key=lambda name: name == Path(MANIFEST)):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        if name == Path(MANIFEST):
            _remove_stale(out, {each.as_posix() for each in names})
        (made / name).replace(out / name)
    shutil.rmtree(made)


def _remove_stale(out: Path, kept: set[str]) -> None:
    """Removes what an earlier set of other files left, as its manifest names them."""
    for name in map(str, (_read_manifest(out) or {}).get("files", ())):
        inside = (out / name).resolve().is_relative_to(out.resolve())
        if name not in kept and inside:
            (out / name).unlink(missing_ok=True)


def _worst_stage(finished: Finished) -> str:
    line = max(finished.funnel, key=lambda line: sum(line.rejected.values()))
    reasons = ", ".join(f"{reason} {count}" for reason, count in line.rejected.most_common(3))
    return f"stage {line.stage} kept {line.kept} of {line.entered} ({reasons or 'nothing came in'})"


__all__ = ["CARD", "Made", "SynthSettings", "benchmark_pipelines", "synthesise", "work_folder"]
