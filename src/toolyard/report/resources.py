"""What the samples of a run took each: requests, tokens, seconds, money; percentiles over samples."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from toolyard.core.episodes import REPEATED
from toolyard.core.types import JsonValue, Record, Transcript
from toolyard.models.base import Price

Measure = Callable[[Transcript], float]


@dataclass(frozen=True, slots=True)
class Resource:
    """One thing that samples take: its mean, percentiles by nearest rank, and what all took together."""

    mean: float
    p50: float
    p90: float
    p99: float
    most: float
    total: float


def measure_resources(transcripts: Sequence[Transcript], price: Price | None) -> dict[str, Resource]:
    """Resources of each answered (sample, trial); what was not measured is left out.

    Tokens are those of the answers, wherever they came from; the cost is what was paid for them.
    """
    answered = [item for item in transcripts if item.error is None]
    measures: dict[str, Measure] = {
        "requests": lambda item: len(item.completions),
        "tokens_read": lambda item: sum(each.usage.prompt_tokens for each in item.completions),
        "tokens_written": lambda item: sum(each.usage.completion_tokens for each in item.completions),
        "tokens_of_thoughts": lambda item: sum(each.usage.reasoning_tokens for each in item.completions),
        "seconds": lambda item: sum(each.latency for each in item.completions),
        "seconds_to_first_token": lambda item: next(
            (each.first_token for each in item.completions if each.first_token), 0.0
        ),
    }
    measures[REPEATED] = lambda item: float(item.notes.get(REPEATED, 0))
    if price is not None:
        measures["cost"] = lambda item: price.cost(item.usage)
    values = {name: [measure(item) for item in answered] for name, measure in measures.items()}
    return {name: resource_of(found) for name, found in values.items() if any(found)}


def resource_of(values: Sequence[float]) -> Resource:
    """Mean, percentiles and sum of what there is."""
    ordered = sorted(values)

    def rank(share: float) -> float:
        return ordered[math.ceil(share * len(ordered)) - 1]

    total = math.fsum(ordered)
    return Resource(total / len(ordered), rank(0.5), rank(0.9), rank(0.99), ordered[-1], total)


def price_in(manifest: Record) -> Price | None:
    """The price that a manifest records; None where it was not known."""
    price = manifest.get("price")
    return None if price is None else Price(**price)


def resources_to_json(resources: Mapping[str, Resource]) -> dict[str, JsonValue]:
    """Plain JSON."""
    return {name: asdict(found) for name, found in resources.items()}
