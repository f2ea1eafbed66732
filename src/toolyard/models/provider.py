"""Who answers for a kind of MODEL: every `toolyard.models` entry point, ours and other packages' alike."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from toolyard.core.errors import UsageError, closest_word
from toolyard.core.types import Failure, Sample
from toolyard.models.agents import FORMS, LOADERS
from toolyard.models.base import Limits, Model, Price
from toolyard.models.spec import ModelSpec

if TYPE_CHECKING:
    from toolyard.core.benchmark import Benchmark

GROUP = "toolyard.models"
PACKAGE = "toolyard"
LOG = logging.getLogger(PACKAGE)
DEFAULT_LIMITS = Limits()
# Providers that are asked at an address of the OpenAI form, with their keys; None: through inspect-ai alone.
ELSEWHERE: Mapping[str, tuple[str, str] | None] = {
    "anthropic": ("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    "gemini": ("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "google": ("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "mistral": ("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "groq": ("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "deepseek": ("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "openrouter": ("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "together": ("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "xai": ("https://api.x.ai/v1", "XAI_API_KEY"),
    "grok": ("https://api.x.ai/v1", "XAI_API_KEY"),
    "ollama": ("http://localhost:11434/v1", ""),
    "bedrock": None,
    "vertex": None,
    "azureai": None,
    "azure": None,
    "cohere": None,
}
# How much a misspelt kind has in common with the one that was meant; names of models have less.
NEAR = 0.75


@dataclass(frozen=True, slots=True)
class LoadContext:
    """What a model may need besides its spec: request settings, and the benchmark that a scripted model answers."""

    limits: Limits = DEFAULT_LIMITS
    benchmark: Benchmark | None = None
    samples: Sequence[Sample] = ()
    seed: int = 0
    style: str = ""


def unknown_price(spec: ModelSpec) -> Price | None:  # noqa: ARG001 - the signature of a price
    """No price is known."""
    return None


def names_a_model(spec: ModelSpec) -> bool:
    """Whether something follows the kind's slash."""
    return bool(spec.name)


def unknown_names(benchmark: Benchmark | None) -> Collection[str]:  # noqa: ARG001 - the signature of names
    """No name is known beforehand."""
    return ()


@dataclass(frozen=True, slots=True)
class Provider:
    """One kind of model.

    `form` is shown to who typed something else; `fits` says whether a spec has that form, and `names` which names it is
    sure to have, where they are asked about a benchmark. `load` makes
    the model and `price` tells its price without a key or a connection. A model's completions are
    kept under its `identity`, where it has one, and not at all where `kept` is False.
    """

    form: str
    load: Callable[[ModelSpec, LoadContext], Model]
    price: Callable[[ModelSpec], Price | None] = unknown_price
    fits: Callable[[ModelSpec], bool] = names_a_model
    names: Callable[[Benchmark | None], Collection[str]] = unknown_names
    kept: bool = True


def provider_of(spec: ModelSpec, benchmark: Benchmark | None = None) -> Provider:
    """The provider of that kind of model; an unknown kind or form lists those there are, also for that benchmark."""
    point = _entry_points().get(spec.kind)
    provider = None if point is None else _load_entry_point(point)
    if point is not None and isinstance(provider, Failure):
        raise UsageError(
            f"the plug-in that answers for {spec.kind}/ is broken: {_package_of(point)} ({provider.detail}); "
            "mend or remove it"
        )
    if not isinstance(provider, Provider) or not provider.fits(spec):
        raise UsageError(
            f"no model is called {spec.printable!r}; {_likely_meaning(spec, benchmark)}{model_forms()}"
        )
    return provider


def _likely_meaning(spec: ModelSpec, benchmark: Benchmark | None) -> str:
    """What was most likely meant: a misspelt kind, or a bare name, which is a hosted model everywhere else."""
    if spec.kind in ELSEWHERE:
        return f"{other_provider_hint(spec)} "
    bare = bool(spec.printable) and not set("/:? ") & set(spec.printable) and spec.kind not in _entry_points()
    kinds = _kinds_with_model(spec.printable, benchmark) or ["openai"]
    meant = [*_corrected_argument(spec), *([f"{kind}/{spec.printable}" for kind in kinds] if bare else ())]
    return f"did you mean {', or '.join(meant)}? " if meant else ""


def _kinds_with_model(name: str, benchmark: Benchmark | None) -> list[str]:
    """The kinds that are sure to have a model of that name."""
    return [
        kind
        for kind, point in _entry_points().items()
        if isinstance(found := _load_entry_point(point), Provider) and name in found.names(benchmark)
    ]


def other_provider_hint(spec: ModelSpec) -> str:
    """How a provider is asked that has no kind of its own here."""
    name, place = spec.name or "NAME", ELSEWHERE[spec.kind]
    ways = [f"inspect/{spec.kind}/{name} (pip install 'toolyard[inspect]')"]
    if place is not None:
        key = f"&key_env={place[1]}" if place[1] else ""
        ways.insert(0, f'"openai/{name}?base_url={place[0]}{key}"')
    return f"ask {spec.kind} with {', or with '.join(ways)};"


def _corrected_argument(spec: ModelSpec) -> tuple[str, ...]:
    """The argument with the kind that its own one is a misspelling of, where there is such a kind."""
    word, colon, rest = spec.printable.partition(":")
    agent = closest_word(word, LOADERS, NEAR) if colon and "/" not in word else ""
    if agent and rest:
        return (f"{agent}:{rest}",)
    kind = closest_word(spec.kind, _entry_points(), NEAR)
    text = f"{kind}{spec.printable[len(spec.kind) :]}"
    provider = _load_entry_point(_entry_points()[kind]) if kind else None
    fits = isinstance(provider, Provider) and provider.fits(ModelSpec.parse(text))
    return (text,) if fits else ()


def model_forms() -> str:
    """Every form that a MODEL may have, in words; a plug-in that is broken is left out, with one line."""
    loaded = {point: _load_entry_point(point) for point in _entry_points().values()}
    for point, found in loaded.items():
        if isinstance(found, Failure):
            LOG.warning(
                "the model plug-in %s/ of %s is left out: %s", point.name, _package_of(point), found.detail
            )
    known = [provider.form for provider in loaded.values() if isinstance(provider, Provider)]
    if not known:
        return "no provider is registered; install toolyard again: pip install -e ."
    return f"a model is one of {', '.join(known)}, {FORMS}"


@cache
def _entry_points() -> dict[str, EntryPoint]:
    """The entry point of each kind, ours first; another package's name for one of ours is not taken."""
    found = sorted(entry_points(group=GROUP), key=lambda point: _package_of(point) != PACKAGE)
    points: dict[str, EntryPoint] = {}
    for point in found:
        first = points.setdefault(point.name, point)
        if _package_of(first) != _package_of(point):
            LOG.warning(
                "the model plug-in %s/ of %s is left out: %s has it",
                point.name,
                _package_of(point),
                _package_of(first),
            )
    return points


def _package_of(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value


@cache
def _load_entry_point(point: EntryPoint) -> Provider | Failure:
    """The provider behind an entry point, or why its package has none."""
    try:
        found = point.load()
        why = f"{point.value} is {type(found).__name__}, wanted toolyard.models.provider.Provider"
    except (Exception, SystemExit) as error:  # importing a stranger's package may raise anything
        found, why = None, f"{type(error).__name__}: {error}"
    if isinstance(found, Provider):
        return found
    return Failure("broken_plug_in", " ".join(why.split())[:300])
