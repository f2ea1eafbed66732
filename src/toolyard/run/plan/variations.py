"""A run under a variation: its settings, its wording and its samples follow from the variation's name."""

from dataclasses import replace

from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import UsageError, did_you_mean
from toolyard.core.types import Sample
from toolyard.core.variations import Variation
from toolyard.models.spec import ModelSpec
from toolyard.run.plan.run_config import require_style
from toolyard.run.settings import Settings


def find_variation(benchmark: Benchmark, name: str) -> Variation:
    """The benchmark's variation of that name."""
    known = benchmark.task.variations
    if name not in known:
        there = ", ".join(f"{key} ({item.about})" for key, item in known.items()) or "none"
        raise UsageError(
            f"{benchmark.name} has no variation {name!r}; {did_you_mean(name, known)}it has {there}"
        )
    return known[name]


def apply_variation(settings: Settings, benchmark: Benchmark) -> Settings:
    """The settings with what the variation changes in them; one that would change nothing is refused."""
    if not settings.variation:
        return settings
    variation = find_variation(benchmark, settings.variation)
    style = require_style(benchmark, settings.style)
    if variation.styles and style not in variation.styles:
        raise UsageError(
            f"--variation {settings.variation} changes nothing under --style {style}; "
            f"it serves {', '.join(variation.styles)}"
        )
    options = {**settings.options, **variation.options}
    return replace(settings, options=options, model=_vary_model(settings.model, variation))


def _vary_model(model: str, variation: Variation) -> str:
    """The MODEL argument with the variation's settings instead of its own."""
    if not variation.model:
        return model
    head, _, query = model.partition("?")
    kept = [pair for pair in query.split("&") if pair and pair.partition("=")[0] not in variation.model]
    changed = f"{head}?{'&'.join([*kept, *(f'{name}={value}' for name, value in variation.model.items())])}"
    # Providers that do not know the setting refuse it when the model is loaded, before anything is sent.
    return ModelSpec.parse(changed).printable


def vary_samples(
    benchmark: Benchmark, samples: tuple[Sample, ...], name: str, seed: int
) -> tuple[Sample, ...]:
    """The samples as the variation shows them."""
    change = find_variation(benchmark, name).change if name else None
    return samples if change is None else change(samples, seed)
