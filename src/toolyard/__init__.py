"""Toolyard measures how well language models use tools.

import toolyard
result = toolyard.evaluate("nestools", my_function, limit=20)
print(result.summaries["paper"].figures["average"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolyard.benchmarks import load_benchmark
    from toolyard.core.benchmark import Benchmark
    from toolyard.core.types import Sample, Score
    from toolyard.models.loading import load_model
    from toolyard.run.api import evaluate, score

__version__ = "0.1.0"
__all__ = ["Benchmark", "Sample", "Score", "evaluate", "load_benchmark", "load_model", "score"]

_HOMES = {
    "Benchmark": "toolyard.core.benchmark",
    "Sample": "toolyard.core.types",
    "Score": "toolyard.core.types",
    "evaluate": "toolyard.run.api",
    "load_benchmark": "toolyard.benchmarks",
    "load_model": "toolyard.models.loading",
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
