"""Toolyard measures how well language models use tools.

import toolyard
result = toolyard.evaluate("nestools", my_function, limit=20)
print(result.summaries["paper"].figures["average"])
"""

# Nothing is imported here, not even typing: `python -m toolyard` comes through here before it can take signals over.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolyard.benchmarks import load_benchmark
    from toolyard.core.benchmark import About, Benchmark, Checks, Data, Paper, Scoring, Task
    from toolyard.core.episodes import one_shot
    from toolyard.core.errors import DataError, ProviderError
    from toolyard.core.metrics import mean
    from toolyard.core.types import Decoding, Failure, Message, Options, Sample, Score, Transcript
    from toolyard.models.base import CallableModel
    from toolyard.models.provider import Provider
    from toolyard.run.api import evaluate, score
    from toolyard.run.checking import check_benchmark
    from toolyard.text.parsing import strip_thinking
    from toolyard.text.templates import render

__version__ = "1.0.0"
__all__ = [
    "About",
    "Benchmark",
    "CallableModel",
    "Checks",
    "Data",
    "DataError",
    "Decoding",
    "Failure",
    "Message",
    "Options",
    "Paper",
    "Provider",
    "ProviderError",
    "Sample",
    "Score",
    "Scoring",
    "Task",
    "Transcript",
    "check_benchmark",
    "evaluate",
    "load_benchmark",
    "mean",
    "one_shot",
    "render",
    "score",
    "strip_thinking",
]

_HOMES = {
    "About": "toolyard.core.benchmark",
    "Benchmark": "toolyard.core.benchmark",
    "CallableModel": "toolyard.models.base",
    "Checks": "toolyard.core.benchmark",
    "Data": "toolyard.core.benchmark",
    "DataError": "toolyard.core.errors",
    "Decoding": "toolyard.core.types",
    "Failure": "toolyard.core.types",
    "Message": "toolyard.core.types",
    "Options": "toolyard.core.types",
    "Paper": "toolyard.core.benchmark",
    "Provider": "toolyard.models.provider",
    "ProviderError": "toolyard.core.errors",
    "Sample": "toolyard.core.types",
    "Score": "toolyard.core.types",
    "Scoring": "toolyard.core.benchmark",
    "Task": "toolyard.core.benchmark",
    "Transcript": "toolyard.core.types",
    "check_benchmark": "toolyard.run.checking",
    "evaluate": "toolyard.run.api",
    "load_benchmark": "toolyard.benchmarks",
    "mean": "toolyard.core.metrics",
    "one_shot": "toolyard.core.episodes",
    "render": "toolyard.text.templates",
    "score": "toolyard.run.api",
    "strip_thinking": "toolyard.text.parsing",
}


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]


def __getattr__(name: str) -> object:
    """Public names, imported at first use so that the command line starts fast."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'toolyard' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
