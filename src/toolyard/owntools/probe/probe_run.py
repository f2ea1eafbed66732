"""A probe from end to end: mirror, suites, runs of the ordinary machinery, profile."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.core.metrics import SIMILAR
from toolyard.core.processes.stopping import run_async
from toolyard.core.types import Record
from toolyard.lines import read_lines
from toolyard.models.base import Respond
from toolyard.models.embed.embedding import refuse_unready
from toolyard.owntools.mirror.kernel import ABOUT
from toolyard.owntools.mirror.mirror_files import load_mirror, read_plan, write_mirror
from toolyard.owntools.mirror.mirror_plan import plan_mirror
from toolyard.owntools.probe.probe_rows import Documents, write_suites
from toolyard.owntools.probe.probe_steps import WHOLE, Workshop
from toolyard.owntools.probe.probe_suites import Suites, draw_suites
from toolyard.owntools.probe.request_rewriting import write_requests
from toolyard.owntools.probe.requests_file import suites_from_file
from toolyard.owntools.sources.tool_source import SourceTool, ToolSource
from toolyard.run.api import answer_and_score, model_file_name
from toolyard.run.play.execute import RunResult
from toolyard.run.play.progress_counts import Tally, show_nothing
from toolyard.run.play.side_models import SPENDING
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.run.store.run_directory import MANIFEST, RunStore

STYLES = ("default", "native")
SUITES = ("nestools", "mtu", "toolbehonest", "tooleyes")
ROWS = 24


@dataclass(frozen=True, slots=True)
class ProbeSettings:
    """What a probe is asked to be; `cache` keeps answers, so that a rewriting pays only for requests that it changes."""

    model: str | Respond
    out: Path
    style: str = "default"
    rows: int = ROWS
    seed: int = 0
    concurrency: int | None = None
    max_tokens: int | None = None
    suites: tuple[str, ...] = SUITES
    cache: Path | None = None
    embedder: str = "minilm"
    max_cost: float | None = None
    trust: bool = False
    given: Record = field(default_factory=dict)
    requests: Path | None = None
    writer: str = ""


def spent_below(out: Path, besides: Path | None = None) -> float:
    """What all runs below a folder have cost, but for that of one folder."""
    found = (path.parent for path in out.glob(f"*/runs/*/{MANIFEST}"))
    manifests = (RunStore(folder).manifest() or {} for folder in found if folder != besides)
    spent: float = sum(float(manifest.get("cost") or 0.0) for manifest in manifests)
    spent += sum(float(line["cost"]) for line in read_lines(out / SPENDING))
    return spent


@dataclass(frozen=True, slots=True)
class ToolProbe:
    """A mirror's suites, and the runs of a model on them by benchmark."""

    shop: Workshop
    suites: Suites
    documents: Documents
    settings: ProbeSettings
    results: Mapping[str, RunResult]


def open_workshop(folder: Path, given: Record | None = None, *, trust: bool = False) -> Workshop:
    """The mirror of a folder, ready to draw calls in; `given` are real values of parameters by name."""
    mirror = load_mirror(folder, trust=trust)
    plan = read_plan(mirror.about, folder)
    tables = tuple(replace(table, rows=mirror.rows(table.name) or table.rows) for table in plan.tables)
    return Workshop(mirror, replace(plan, tables=tables), given)


def mirror_folder(source: ToolSource, text: str, out: Path, given: Record | None = None) -> Path:
    """The folder of the mirror: the source itself where it is one, else one that is made here once."""
    if (Path(text) / ABOUT).is_file():
        return Path(text)
    folder = out / "mirror"
    if not (folder / ABOUT).is_file():
        write_mirror(plan_mirror(source), folder, given=given)
    return folder


def all_documents(shop: Workshop, tools: Sequence[SourceTool], seed: int = 0) -> Documents:
    """The documents, with what each tool returns as its schema or an executed call shows it."""
    returns: dict[str, list[str]] = {}
    for name, plan in shop.plans.items():
        fields = (plan.tool.result or {}).get("properties")
        if isinstance(fields, Mapping) and fields:
            returns[name] = list(fields)
            continue
        step = shop.single_step(name, Random(seed))
        returns[name] = list(step.result) if step is not None else [WHOLE]
    return Documents(tools, returns, shop.mirror.group)


def run_suites(
    folders: Mapping[str, Path], settings: ProbeSettings, show: Callable[[str, Tally], None] | None = None
) -> dict[str, RunResult]:
    """Runs the model on every suite; the same call resumes where it stopped."""
    if settings.style not in STYLES:
        raise UsageError(f"--style {settings.style!r} is none of {', '.join(STYLES)}")
    wanted = {name: folder for name, folder in folders.items() if name in settings.suites}
    if any(load_benchmark(name).scoring.metrics_tagged(SIMILAR) for name in wanted):
        refuse_unready(settings.embedder)
    results = {}
    for name, folder in wanted.items():
        run = Run.plan(_suite_settings(name, folder, settings))
        if settings.max_cost is not None:
            run = replace(run, spent_beside=spent_below(settings.out, run.folder))
        watch = show_nothing if show is None else show_under_name(show, name)
        model = "" if isinstance(settings.model, str) else settings.model
        results[name] = run_async(answer_and_score(run, model=model, show=watch))
    return results


def show_under_name(show: Callable[[str, Tally], None], name: str) -> Callable[[Tally], None]:
    """Shows progress with the name of what is being done."""
    return lambda tally: show(name, tally)


def _suite_settings(name: str, folder: Path, settings: ProbeSettings) -> Settings:
    styles = load_benchmark(name).task.styles
    planned = Settings(
        benchmark=name,
        model=model_file_name(settings.model),
        data=str(folder),
        style="native" if settings.style == "native" else styles[0],
        seed=settings.seed,
        max_tokens=settings.max_tokens,
        embedder=settings.embedder,
        cache=settings.cache,
        runs=folder.parent / "runs",
        max_cost=settings.max_cost,
    )
    return planned if settings.concurrency is None else replace(planned, concurrency=settings.concurrency)


def probe_model(
    text: str, source: ToolSource, settings: ProbeSettings, show: Callable[[str, Tally], None] | None = None
) -> ToolProbe:
    """Suites out of the source's mirror, written once, and the model's runs on them."""
    settings.out.mkdir(parents=True, exist_ok=True)
    folder = mirror_folder(source, text, settings.out, settings.given)
    shop = open_workshop(folder, settings.given, trust=settings.trust)
    if settings.requests is not None:
        suites = suites_from_file(settings.requests, shop, settings.seed)
    else:
        suites = draw_suites(shop, settings.rows, settings.seed)
        if settings.writer:
            suites = write_requests(suites, list(shop.plans), settings.writer, settings.out)
    documents = all_documents(shop, shop.mirror.source.tools, settings.seed)
    folders = write_suites(suites, documents, settings.out / "suites")
    return ToolProbe(shop, suites, documents, settings, run_suites(folders, settings, show))
