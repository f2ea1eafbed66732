"""Toolyard measures how well language models use tools.

import toolyard
result = toolyard.evaluate("nestools", my_function, limit=20)
print(result.summaries["paper"].figures["average"])
"""

# Nothing is imported here, not even typing: `python -m toolyard` comes through here before it can take signals over.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolyard.benchmarks import load_benchmark
    from toolyard.benchmarks.user_files import json_lines
    from toolyard.core.benchmark import (
        About,
        Benchmark,
        Checks,
        Choice,
        Data,
        Finding,
        Grouping,
        Paper,
        RunSetup,
        SavedResults,
        Scoring,
        Task,
        Trivial,
        one_shot,
    )
    from toolyard.core.errors import DataError, ProviderError
    from toolyard.core.metrics import average_of_defined, mean, within
    from toolyard.core.types import (
        Completion,
        Conversation,
        Decoding,
        Failure,
        Generate,
        Message,
        Options,
        Request,
        Sample,
        Score,
        Transcript,
    )
    from toolyard.models.base import CallableModel
    from toolyard.models.provider import Provider
    from toolyard.run.api import evaluate, score
    from toolyard.run.grade.checking import check_benchmark
    from toolyard.text.parsing import strip_thinking
    from toolyard.text.templates import render

__version__ = "1.0.0"
__all__ = [
    "About",
    "Benchmark",
    "CallableModel",
    "Checks",
    "Choice",
    "Completion",
    "Conversation",
    "Data",
    "DataError",
    "Decoding",
    "Failure",
    "Finding",
    "Generate",
    "Grouping",
    "Message",
    "Options",
    "Paper",
    "Provider",
    "ProviderError",
    "Request",
    "RunSetup",
    "Sample",
    "SavedResults",
    "Score",
    "Scoring",
    "Task",
    "Transcript",
    "Trivial",
    "average_of_defined",
    "check_benchmark",
    "evaluate",
    "json_lines",
    "load_benchmark",
    "mean",
    "one_shot",
    "render",
    "score",
    "strip_thinking",
    "within",
]

_HOMES = {
    "About": "toolyard.core.benchmark",
    "Benchmark": "toolyard.core.benchmark",
    "CallableModel": "toolyard.models.base",
    "Checks": "toolyard.core.benchmark",
    "Choice": "toolyard.core.benchmark",
    "Completion": "toolyard.core.types",
    "Conversation": "toolyard.core.types",
    "Data": "toolyard.core.benchmark",
    "DataError": "toolyard.core.errors",
    "Decoding": "toolyard.core.types",
    "Failure": "toolyard.core.types",
    "Finding": "toolyard.core.benchmark",
    "Generate": "toolyard.core.types",
    "Grouping": "toolyard.core.benchmark",
    "Message": "toolyard.core.types",
    "Options": "toolyard.core.types",
    "Paper": "toolyard.core.benchmark",
    "Provider": "toolyard.models.provider",
    "ProviderError": "toolyard.core.errors",
    "Request": "toolyard.core.types",
    "RunSetup": "toolyard.core.benchmark",
    "Sample": "toolyard.core.types",
    "SavedResults": "toolyard.core.benchmark",
    "Score": "toolyard.core.types",
    "Scoring": "toolyard.core.benchmark",
    "Task": "toolyard.core.benchmark",
    "Transcript": "toolyard.core.types",
    "Trivial": "toolyard.core.benchmark",
    "average_of_defined": "toolyard.core.metrics",
    "check_benchmark": "toolyard.run.grade.checking",
    "evaluate": "toolyard.run.api",
    "json_lines": "toolyard.benchmarks.user_files",
    "load_benchmark": "toolyard.benchmarks",
    "mean": "toolyard.core.metrics",
    "one_shot": "toolyard.core.benchmark",
    "render": "toolyard.text.templates",
    "score": "toolyard.run.api",
    "strip_thinking": "toolyard.text.parsing",
    "within": "toolyard.core.metrics",
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
