"""How a MODEL argument becomes a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from toolyard.core.errors import UsageError
from toolyard.core.types import Sample
from toolyard.models.agents import is_agent, load_agent
from toolyard.models.base import RETRIES, TIMEOUT, CallableModel, Limits, Model, Price, RequestLimits, Respond
from toolyard.models.provider import PACKAGE, LoadContext, Provider, model_forms, provider_of
from toolyard.models.spec import ModelSpec

if TYPE_CHECKING:
    from toolyard.core.benchmark import Benchmark

# Kinds of models whose endpoints may have batch files.
BATCHED = ("openai", "responses")


def load_model(
    spec: str | Respond | Model,
    *,
    benchmark: Benchmark | None = None,
    samples: Sequence[Sample] = (),
    seed: int = 0,
    style: str = "",
    timeout: float = TIMEOUT,
    retries: int = RETRIES,
    concurrency: int | None = None,
    rpm: float | None = None,
    tpm: float | None = None,
    cache: Path | None = None,
    batches: Path | None = None,
    batch: bool = False,
) -> Model:
    """The model that a MODEL argument or a Python callable stands for; `cache` keeps its completions.

    `batch` sends requests as batch files, whose state `batches` holds; what is there is used in any case.
    """
    limits = Limits(timeout, retries, concurrency, rpm, tpm)
    if not isinstance(spec, str):
        return _model_of_object(spec, limits)
    if is_agent(spec):
        return load_agent(spec, limits)
    parsed = ModelSpec.parse(spec)
    provider = provider_of(parsed, benchmark)
    model = _load_with_provider(provider, parsed, LoadContext(limits, benchmark, samples, seed, style))
    if batch or (batches is not None and batches.exists()):
        model = _batch_model(model, batches, sends=batch)
    if cache is None or not provider.kept:
        return model
    from toolyard.models.cache.completion_cache import CachedModel

    return CachedModel(model, cache, identity=getattr(model, "identity", parsed.identity))


def _load_with_provider(provider: Provider, spec: ModelSpec, context: LoadContext) -> Model:
    """What the provider makes of the argument; where one of another package trips over it, that is one line."""
    try:
        return provider.load(spec, context)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        if str(getattr(provider.load, "__module__", "")).partition(".")[0] == PACKAGE:
            raise
        why = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise UsageError(
            f"{spec.printable} cannot be loaded ({why}); the form that is wanted is {provider.form}"
        ) from error


def _batch_model(model: Model, folder: Path | None, *, sends: bool) -> Model:
    from toolyard.models.batch.batches import NEEDS, BatchModel
    from toolyard.models.http.openai import OpenAIModel

    if not isinstance(model, OpenAIModel) or folder is None:
        raise UsageError(f"{NEEDS}, not {model.name}")
    return BatchModel(model, folder, sends=sends)


def takes_batches(spec: str) -> bool:
    """Whether the kind of model has batch files."""
    return ModelSpec.parse(spec).kind in BATCHED


def _model_of_object(spec: Respond | Model, limits: Limits) -> Model:
    if isinstance(spec, Model):
        return spec
    if callable(spec):
        return CallableModel(spec, concurrency=limits.concurrency)
    raise UsageError(f"{type(spec).__name__} is not a model; {model_forms()}, or a Python callable")


def model_price(spec: str, benchmark: Benchmark | None = None) -> Price | None:
    """What a model costs, known without a key or a connection; a wrong form is refused here already."""
    parsed = ModelSpec.parse(spec)
    # A callable or an agent of the user's: it goes by a name of this form and has no provider.
    return None if parsed.kind == "python" or is_agent(spec) else provider_of(parsed, benchmark).price(parsed)


def load_judge(
    spec: str | Respond | Model,
    benchmark: Benchmark,
    *,
    samples: Sequence[Sample] = (),
    seed: int = 0,
    batches: Path | None = None,
    batch: bool = False,
    **limits: Unpack[RequestLimits],
) -> Model:
    """The judge that a `--judge` argument stands for: any model, or one of the benchmark's scripted judges.

    `batch` is for endpoints with batch files; every other judge is asked directly.
    """
    parsed = ModelSpec.parse(spec) if isinstance(spec, str) else None
    scripted = benchmark.judging.scripted if benchmark.judging is not None else {}
    if parsed is not None and parsed.kind == "scripted" and parsed.rest in scripted:
        from toolyard.models.scripted import ScriptedModel

        return ScriptedModel(parsed.rest, scripted[parsed.rest], samples, seed)
    if parsed is None or parsed.kind not in BATCHED:
        return load_model(spec, **limits)
    return load_model(spec, batches=batches, batch=batch, **limits)


def model_identity(model: str) -> str:
    """The MODEL argument without what does not change its answers: price and name of the key."""
    return ModelSpec.parse(model).identity
