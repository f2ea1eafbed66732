"""The MTU part of a training mixture: turns in the prompt of a run, with the answer that scores 1 there."""

from toolyard.benchmarks.mtu.synth.training.dialogue_turns import rows
from toolyard.benchmarks.mtu.synth.training.drafts import drafts

__all__ = ["drafts", "rows"]
