"""What a mixture asks of every row."""

from __future__ import annotations

from dataclasses import dataclass

from toolyard.core.errors import UsageError
from toolyard.synth.stages import Context

FEWEST_TOKENS = 500


@dataclass(frozen=True, slots=True)
class Wishes:
    """How long a row may be, how often names are nonsense or other sensible words, and the seed of all draws."""

    most_tokens: int
    renamed: float
    seed: int
    reworded: float = 0.0


def wishes_of(context: Context) -> Wishes:
    """The wishes of a run; the instructions alone take several hundred tokens."""
    most = int(context.options["max-tokens"])
    if most < FEWEST_TOKENS:
        raise UsageError(f"--max-tokens {most} leaves no room for a prompt; wanted {FEWEST_TOKENS} or more")
    return Wishes(most, float(context.options["rename"]), context.seed, float(context.options["reword"]))
