"""Queries of ToolEyes that a model or a person writes after a guideline, and rounds for training."""

from collections.abc import Mapping

from toolyard.benchmarks.tooleyes.synth.query_construction import MODEL, WRITTEN
from toolyard.synth.stages import Pipeline

PIPELINES: Mapping[str, Pipeline] = {"model": MODEL, "written": WRITTEN}
