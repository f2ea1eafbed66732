"""How a MODEL argument becomes a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolyard.core.errors import UsageError
from toolyard.core.types import Sample
from toolyard.models.base import RETRIES, TIMEOUT, CallableModel, Limits, Model, Price, Respond

if TYPE_CHECKING:
    from toolyard.core.benchmark import Benchmark

FORMS = (
    "local",
    "scripted/oracle|empty|random|replay:FILE",
    "openai/NAME[?base_url=...&key_env=VAR&price=IN,OUT]",
    "inspect/PROVIDER/NAME",
)


def load_model(
    spec: str | Respond | Model,
    *,
    benchmark: Benchmark | None = None,
    samples: Sequence[Sample] = (),
    seed: int = 0,
    timeout: float = TIMEOUT,
    retries: int = RETRIES,
    concurrency: int | None = None,
    cache: Path | None = None,
) -> Model:
    """The model that a MODEL argument or a Python callable stands for; `cache` keeps its completions."""
    limits = Limits(timeout, retries, concurrency)
    if not isinstance(spec, str):
        return _of_python(spec, limits)
    kind, _, rest = spec.partition("/")
    if kind == "scripted" and rest:
        from toolyard.models.scripted import load_scripted

        return load_scripted(rest, benchmark=benchmark, samples=samples, seed=seed)
    model, identity = _remote(spec, kind, rest, limits)
    if cache is None:
        return model
    from toolyard.models.cache import CachedModel

    return CachedModel(model, cache, identity=identity)


def _of_python(spec: Respond | Model, limits: Limits) -> Model:
    if isinstance(spec, Model):
        return spec
    if callable(spec):
        return CallableModel(spec, concurrency=limits.concurrency)
    raise UsageError(f"{type(spec).__name__} is not a model; {_forms()}, or a Python callable")


def _remote(spec: str, kind: str, rest: str, limits: Limits) -> tuple[Model, str]:
    """The model and what its completions are cached under."""
    if spec == "local":
        from toolyard.models.assets import MODEL
        from toolyard.models.local import LocalModel

        return LocalModel(limits=limits), f"local/{MODEL.files[0].sha256}"
    if kind == "openai" and rest:
        from toolyard.models.openai import load_openai

        served = load_openai(rest, limits)
        return served, served.identity
    if kind == "inspect" and "/" in rest:
        from toolyard.models.inspect import InspectModel

        return InspectModel(rest, limits=limits), spec
    raise UsageError(f"no model is called {spec!r}; {_forms()}")


def _forms() -> str:
    return f"a model is one of {', '.join(FORMS)}"


def price_of(spec: str) -> Price | None:
    """What a model costs, known without a key or a connection; a wrong form is refused here already."""
    kind, _, rest = spec.partition("/")
    if kind == "openai" and rest:
        from toolyard.models.openai import read_price

        return read_price(rest)
    if spec == "local" or (kind == "scripted" and rest):
        return Price(0.0, 0.0)
    if (kind == "inspect" and "/" in rest) or kind == "python":
        return None
    raise UsageError(f"no model is called {spec!r}; {_forms()}")


def load_judge(
    spec: str | Respond | Model,
    benchmark: Benchmark,
    *,
    samples: Sequence[Sample] = (),
    seed: int = 0,
    timeout: float = TIMEOUT,
) -> Model:
    """The judge that a `--judge` argument stands for: any model, or one of the benchmark's scripted judges."""
    script = spec.removeprefix("scripted/") if isinstance(spec, str) and spec.startswith("scripted/") else ""
    scripted = benchmark.judging.scripted if benchmark.judging is not None else {}
    if script in scripted:
        from toolyard.models.scripted import ScriptedModel

        return ScriptedModel(script, scripted[script], samples, seed)
    return load_model(spec, timeout=timeout)


def identity_of(model: str) -> str:
    """The MODEL argument without what does not change its answers: price and name of the key."""
    name, _, query = model.partition("?")
    kept = [part for part in query.split("&") if part and part.split("=")[0] not in ("price", "key_env")]
    return f"{name}?{'&'.join(kept)}" if kept else name
