"""Rounds of ToolEyes for training; its queries themselves are written by hand, so there is no pipeline."""

from __future__ import annotations

from collections.abc import Mapping

from toolyard.synth.stages import Pipeline

PIPELINES: Mapping[str, Pipeline] = {}
