"""Pipelines that make ToolBeHonest pairs, by what they start from."""

from collections.abc import Mapping

from toolyard.benchmarks.toolbehonest.synth.hard.pipeline import HARD
from toolyard.benchmarks.toolbehonest.synth.model import MODEL
from toolyard.benchmarks.toolbehonest.synth.world.pipeline import WORLD
from toolyard.benchmarks.toolbehonest.synth.written_pairs import BY_HAND
from toolyard.synth.stages import Pipeline

PIPELINES: Mapping[str, Pipeline] = {"world": WORLD, "written": BY_HAND, "hard": HARD, "model": MODEL}
