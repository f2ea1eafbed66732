"""Toolyard measures how well language models use tools.

import toolyard
result = toolyard.evaluate("nestools", my_function, limit=20)
print(result.summaries["paper"].figures["average"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolyard.benchmarks import load_benchmark
    from toolyard.core.benchmark import (
        About,
        Benchmark,
        Checks,
        Data,
        Grouping,
        Judging,
        Reference,
        RunSetup,
        Scoring,
        Task,
    )
    from toolyard.core.errors import DataError, ProviderError
    from toolyard.core.metrics import Metric, mean
    from toolyard.core.types import (
        Completion,
        Decoding,
        Failure,
        Message,
        Options,
        Request,
        Sample,
        Score,
        Transcript,
    )
    from toolyard.models.loading import load_model
    from toolyard.models.provider import Provider
    from toolyard.run.api import evaluate, score

__version__ = "0.1.0"
__all__ = [
    "About",
    "Benchmark",
    "Checks",
    "Completion",
    "Data",
    "DataError",
    "Decoding",
    "Failure",
    "Grouping",
    "Judging",
    "Message",
    "Metric",
    "Options",
    "Provider",
    "ProviderError",
    "Reference",
    "Request",
    "RunSetup",
    "Sample",
    "Score",
    "Scoring",
    "Task",
    "Transcript",
    "evaluate",
    "load_benchmark",
    "load_model",
    "mean",
    "score",
]

_HOMES = {
    "About": "toolyard.core.benchmark",
    "Benchmark": "toolyard.core.benchmark",
    "Checks": "toolyard.core.benchmark",
    "Completion": "toolyard.core.types",
    "Data": "toolyard.core.benchmark",
    "DataError": "toolyard.core.errors",
    "Decoding": "toolyard.core.types",
    "Failure": "toolyard.core.types",
    "Grouping": "toolyard.core.benchmark",
    "Judging": "toolyard.core.benchmark",
    "Message": "toolyard.core.types",
    "Metric": "toolyard.core.metrics",
    "Options": "toolyard.core.types",
    "Provider": "toolyard.models.provider",
    "ProviderError": "toolyard.core.errors",
    "Reference": "toolyard.core.benchmark",
    "Request": "toolyard.core.types",
    "RunSetup": "toolyard.core.benchmark",
    "Sample": "toolyard.core.types",
    "Score": "toolyard.core.types",
    "Scoring": "toolyard.core.benchmark",
    "Task": "toolyard.core.benchmark",
    "Transcript": "toolyard.core.types",
    "evaluate": "toolyard.run.api",
    "load_benchmark": "toolyard.benchmarks",
    "load_model": "toolyard.models.loading",
    "mean": "toolyard.core.metrics",
    "score": "toolyard.run.api",
}


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]


def __getattr__(name: str) -> Any:
    """Public names, imported at first use so that the command line starts fast."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'toolyard' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
