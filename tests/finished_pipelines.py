"""Pipelines of `synth`, walked from the source to the last stage."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from toolyard.synth.engines.local_engine import LocalEngine
from toolyard.synth.pipeline import Finished, PipelineRun, StageEngine, StageProgress
from toolyard.synth.row_questions import Answering
from toolyard.synth.stages import Context, Pipeline


def finish(
    pipeline: Pipeline,
    work: Path,
    context: Context,
    model: Any = None,
    *,
    engine: StageEngine | None = None,
    show: Callable[[StageProgress], None] = lambda _: None,
    **answering: Any,
) -> Finished:
    """The rows that a pipeline kept, and its funnel."""
    progress = StageProgress(show, len(pipeline.stages))
    asked = Answering(model, **{"concurrency": 4, **answering})
    return PipelineRun(pipeline, context, engine or LocalEngine(1), asked, work, progress).finish()
