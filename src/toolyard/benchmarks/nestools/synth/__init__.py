"""Pipelines that make NesTools data, by what `toolyard synth nestools --from` names."""

from collections.abc import Mapping

from toolyard.benchmarks.nestools.synth.hard_set import HARD
from toolyard.benchmarks.nestools.synth.model import MODEL
from toolyard.benchmarks.nestools.synth.world import BY_HAND_ONLY, REPHRASED, WORLD
from toolyard.synth.stages import Pipeline

__all__ = ["PIPELINES"]

PIPELINES: Mapping[str, Pipeline] = {
    "world": WORLD,
    "written": BY_HAND_ONLY,
    "hard": HARD,
    "world+model": REPHRASED,
    "model": MODEL,
}
