"""A run with longer lists of tools: `--catalogue 64` (near distractors) or `--catalogue 64:far`."""

from collections.abc import Mapping
from pathlib import Path

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.benchmark import Benchmark, Catalogue
from toolyard.core.errors import UsageError, did_you_mean
from toolyard.core.types import Options, Sample
from toolyard.run.plan.library_documents import add_documents

MOST_TOOLS = 1_000
NEAR, FAR = "near", "far"


def read_catalogue(wanted: str, seed: int, data: Path) -> Catalogue:
    """What `--catalogue` asks for."""
    size, _, kind = wanted.partition(":")
    if not size.isdecimal() or not 1 <= int(size[:9]) <= MOST_TOOLS or kind not in ("", NEAR, FAR):
        raise UsageError(
            f"--catalogue {wanted[:40]!r} is not a number of tools; {did_you_mean(kind[:40], (NEAR, FAR))}"
            f"give e.g. --catalogue 64 or --catalogue 64:far (1 to {MOST_TOOLS:,})"
        )
    return Catalogue(int(size), kind == FAR, seed, data)


def fill_catalogues(
    benchmark: Benchmark, samples: tuple[Sample, ...], wanted: str, data: Path, options: Options
) -> tuple[Sample, ...]:
    """The samples with as many tools as asked for."""
    if not wanted:
        return samples
    catalogue, change = read_catalogue(wanted, options.seed, data), benchmark.task.preparation.catalogue
    if change is None:
        others = [name for name in benchmark_names() if load_benchmark(name).task.preparation.catalogue]
        raise UsageError(
            f"{benchmark.name} takes no longer lists (curve, --catalogue): its tool lists are part of the task; "
            f"{', '.join(others)} take them"
        )
    if benchmark.task.scene_in(options.style) is not None:
        catalogue = _world_catalogue(catalogue, benchmark, options)
    return add_documents(benchmark, tuple(change(sample, catalogue) for sample in samples), options)


def _world_catalogue(catalogue: Catalogue, benchmark: Benchmark, options: Options) -> Catalogue:
    from toolyard.world.kernel.naming import short_names
    from toolyard.world.kernel.registry import library, select

    def ids(sample: Sample) -> Mapping[str, str]:
        scene = benchmark.task.scene_in(options.style)
        parts = () if scene is None else scene(sample, options).part
        return short_names(tuple(dict.fromkeys(tool.id for part in parts for tool in select(part))))

    described = {
        key: f"{key.replace('/', ' ')} {tool.document.description}" for key, tool in library().items()
    }
    return Catalogue(catalogue.size, catalogue.far, catalogue.seed, catalogue.data, described, ids)
