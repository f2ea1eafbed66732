"""What a mixture is made of: one part for every benchmark that has training rows, and plain chat.

    mtu=0.6,nestools=0.15,toolbehonest=0.1,tooleyes=0.05,chat=0.1

A benchmark offers its part as `TRAINING` in `<its module>.synth.training`. A part first drafts: cheap records, each
with an `origin` (the dialogue, the goal) that the split goes by. Drafts become rows one by one, in any process.
"""

import functools
import importlib
import importlib.util
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from toolyard.benchmarks import benchmark_modules
from toolyard.core.errors import UsageError
from toolyard.core.types import Failure, JsonValue, Record
from toolyard.synth.mixture import small_talk as chat
from toolyard.synth.mixture.mixture_settings import MixtureSettings
from toolyard.synth.mixture.rows import TrainingRow
from toolyard.synth.stages import Context, Rows

DEFAULT_SHARES = "mtu=0.6,nestools=0.15,toolbehonest=0.1,tooleyes=0.05,chat=0.1"


@dataclass(frozen=True, slots=True)
class TrainingPart:
    """How a part drafts so many rows out of corpus dialogues and whatever else it knows, and writes a draft's rows."""

    drafts: Callable[[Rows, int, Context], Iterator[Mapping[str, JsonValue]]]
    rows: Callable[[Record, MixtureSettings], Iterator[TrainingRow | Failure]]


@functools.cache
def training_parts() -> Mapping[str, TrainingPart]:
    """The parts by name."""
    found: dict[str, TrainingPart] = {}
    for name, module in benchmark_modules().items():
        place = f"{module.removesuffix(':BENCHMARK')}.synth"
        if importlib.util.find_spec(place) and importlib.util.find_spec(f"{place}.training"):
            training = importlib.import_module(f"{place}.training")
            found[name] = TrainingPart(training.drafts, training.rows)
    return {**found, chat.CHAT: TrainingPart(chat.drafts, chat.rows)}


def parse_shares(text: str) -> dict[str, float]:
    """The shares that the option names, summing to one."""
    shares: dict[str, float] = {}
    for entry in text.split(","):
        name, _, number = entry.strip().partition("=")
        if name not in training_parts():
            raise UsageError(f"--share: unknown part {name!r}; parts: {', '.join(training_parts())}")
        try:
            shares[name] = float(number)
        except ValueError:
            raise UsageError(f"--share {entry.strip()!r} has no number; wanted {name}=0.5") from None
    if min(shares.values()) < 0 or not sum(shares.values()):
        raise UsageError(f"--share {text} leaves nothing; wanted numbers above 0")
    return {name: share / sum(shares.values()) for name, share in shares.items()}


def rows_per_part(text: str, rows: int) -> dict[str, int]:
    """How many rows each part gives."""
    return {name: round(share * rows) for name, share in parse_shares(text).items()}
