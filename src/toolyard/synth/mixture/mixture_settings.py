"""What a mixture asks of every row."""

import random
from dataclasses import dataclass

from toolyard.core.errors import UsageError
from toolyard.core.types import Options, derived_seed
from toolyard.synth.stages import Context

FEWEST_TOKENS = 500
# The usual share of rows without a worked example, where the default prompt has one.
ZERO_SHOT_SHARE = 0.33


@dataclass(frozen=True, slots=True)
class MixtureSettings:
    """How long a row may be, how often names are nonsense or other sensible words, and the seed of all draws.

    `zero_shot` is how often a prompt goes without the worked example that the benchmark shows by default.
    """

    most_tokens: int
    renamed: float
    seed: int
    reworded: float = 0.0
    zero_shot: float = ZERO_SHOT_SHARE

    def asked(self, name: str, default: str, zero_shot: str) -> Options:
        """How the draft of that name is asked: in the benchmark's default style, or without an example."""
        drawn = random.Random(derived_seed(self.seed, f"zero-shot/{name}", 0)).random()
        return Options(zero_shot if drawn < self.zero_shot else default)


def mixture_settings(context: Context) -> MixtureSettings:
    """What a run chose; the instructions alone take several hundred tokens."""
    most = int(context.options["max-tokens"])
    if most < FEWEST_TOKENS:
        raise UsageError(f"--max-tokens {most} leaves no room for a prompt; wanted {FEWEST_TOKENS} or more")
    renamed, reworded, zero_shot = (
        float(context.options[name]) for name in ("rename", "reword", "zero-shot")
    )
    return MixtureSettings(most, renamed, context.seed, reworded, zero_shot)
