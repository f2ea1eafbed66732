"""A run whose tools behave as real ones do: `--perturb noise=2`."""

from collections.abc import Mapping
from dataclasses import replace

from toolyard.benchmarks import benchmark_names, load_benchmark
from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import UsageError, did_you_mean
from toolyard.core.perturbations import DRIFT, LEVELS, NAMES, Perturbation, draw_drifted_names, perturb_sample
from toolyard.core.types import Options, Sample, derived_seed
from toolyard.run.plan.run_config import require_style
from toolyard.run.settings import Settings

NUMBERS = ("int", "float")


def read_perturbation(wanted: str) -> Perturbation:
    """What `--perturb` asks for."""
    name, _, level = wanted.partition("=")
    if name not in NAMES or level not in map(str, LEVELS):
        raise UsageError(
            f"--perturb {wanted[:40]!r} has no such name or level: {did_you_mean(name[:40], NAMES)}"
            f"wanted one of {', '.join(NAMES)} and a level from 0 to {LEVELS[-1]}, e.g. --perturb noise=2"
        )
    return Perturbation(name, int(level))


def apply_perturbation(settings: Settings, benchmark: Benchmark) -> Settings:
    """The settings; level 0 is the run without it, and a style that shows no results is refused."""
    if not settings.perturb:
        return settings
    if not read_perturbation(settings.perturb).level:
        return replace(settings, perturb="")
    styles = benchmark.task.preparation.results.styles
    style = require_style(benchmark, settings.style)
    if style not in styles:
        works = f"it works with --style {', '.join(styles)}" if styles else f"it works for {_shown_results()}"
        raise UsageError(
            f"--perturb {settings.perturb}: {benchmark.name} --style {style} shows no results of calls; {works}"
        )
    return settings


def _shown_results() -> str:
    """The benchmarks and styles that show what calls return."""
    found = {name: load_benchmark(name).task.preparation.results.styles for name in benchmark_names()}
    return "; ".join(f"{name} --style {', '.join(styles)}" for name, styles in found.items() if styles)


def perturb_samples(
    benchmark: Benchmark, samples: tuple[Sample, ...], wanted: str, options: Options
) -> tuple[Sample, ...]:
    """The samples with what their tools do to results."""
    if not wanted:
        return samples
    given = replace(read_perturbation(wanted), entries=benchmark.task.preparation.results.entries)
    return tuple(
        perturb_sample(sample, _perturbation_of_sample(given, benchmark, sample, options))
        for sample in samples
    )


def _perturbation_of_sample(
    given: Perturbation, benchmark: Benchmark, sample: Sample, options: Options
) -> Perturbation:
    own = replace(given, seed=derived_seed(options.seed, sample.id, 0))
    if given.name != DRIFT:
        return own
    fields = _result_fields(benchmark, sample, options)
    return replace(
        own, renames={tool: draw_drifted_names(own, tool, names) for tool, names in fields.items() if names}
    )


def _result_fields(
    benchmark: Benchmark, sample: Sample, options: Options
) -> Mapping[str, Mapping[str, bool]]:
    """What each tool of a sample returns, by name, and whether that is a number."""
    own, scene = benchmark.task.preparation.results.fields, benchmark.task.scene_in(options.style)
    if own is not None or scene is None:
        return {tool: dict.fromkeys(names, False) for tool, names in (own(sample) if own else {}).items()}
    from toolyard.synth.chains.projection import returned_fields
    from toolyard.world.kernel.naming import short_names
    from toolyard.world.kernel.registry import select

    ids = tuple(dict.fromkeys(tool.id for part in scene(sample, options).part for tool in select(part)))
    return {
        name: {
            key: item.type in NUMBERS
            for item in returned_fields(tool_id)
            if (key := item.path.replace("[0]", "").rpartition(".")[2]).isidentifier()
        }
        for name, tool_id in short_names(ids).items()
    }
