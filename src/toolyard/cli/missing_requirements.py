"""What benchmarks need that is not there: `run all` runs what it can, and names the rest with what brings it."""

from collections.abc import Sequence
from dataclasses import dataclass

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import MissingAsset, MissingExtra
from toolyard.core.metrics import SIMILAR
from toolyard.models.embed.embedding import refuse_unready
from toolyard.models.scripted import missing_script
from toolyard.models.spec import ModelSpec
from toolyard.run.settings import Settings
from toolyard.world.kernel.packages import refuse_missing_packages


@dataclass(frozen=True, slots=True)
class Lack:
    """Why a benchmark cannot run here, or, where `figures` names some, why it has to do without those."""

    benchmark: str
    why: str
    figures: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The line that a user reads."""
        if not self.figures:
            return f"{self.benchmark} is left out: {self.why}"
        return (
            f"{self.benchmark} has no {', '.join(self.figures)}: {self.why}; the same command then adds them, "
            "and asks the model nothing again"
        )


def missing_requirement(benchmark: Benchmark, embedder: str, style: str) -> Lack | None:
    """What the benchmark lacks: its tools' packages, or the embedder's packages or weights."""
    try:
        if benchmark.task.scene_in(style) is not None:
            refuse_missing_packages()
    except MissingExtra as error:
        return Lack(benchmark.name, str(error))
    similar = benchmark.scoring.metrics_tagged(SIMILAR)
    try:
        if similar:
            refuse_unready(embedder)
    except (MissingExtra, MissingAsset) as error:
        return Lack(benchmark.name, str(error), similar)
    return None


def missing_script_of_run(settings: Settings) -> Lack | None:
    """That the benchmark has no scripted model of the name that is asked for."""
    missing = missing_script(ModelSpec.parse(settings.model), load_benchmark(settings.benchmark))
    return Lack(settings.benchmark, f"it has {missing}") if missing else None


def refuse_lacking(settings: Settings) -> None:
    """Stops before anything is sent where the one benchmark that is asked for lacks something."""
    found = missing_requirement(load_benchmark(settings.benchmark), settings.embedder, settings.style or "")
    if found is not None:
        raise MissingExtra(found.why)


def split_runnable(wanted: Sequence[Settings]) -> tuple[list[Settings], list[Lack]]:
    """The runs that can be made here, and what the benchmarks among all of them lack; stops where none can."""
    scripts = {each.benchmark: missing_script_of_run(each) for each in wanted}
    if all(scripts.values()):
        # A name that no benchmark knows is a mistake, which the first one to load it tells.
        scripts = {}
    lacks = {
        each.benchmark: found
        for each in wanted
        if (
            found := scripts.get(each.benchmark)
            or missing_requirement(load_benchmark(each.benchmark), each.embedder, each.style or "")
        )
        is not None
    }
    left_out = {name for name, lack in lacks.items() if not lack.figures}
    able = [each for each in wanted if each.benchmark not in left_out]
    if not able:
        raise MissingExtra("; ".join(lack.line for lack in lacks.values()))
    return able, list(lacks.values())
