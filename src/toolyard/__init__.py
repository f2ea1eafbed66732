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

_NAMES = {
    "toolyard.benchmarks": ("load_benchmark",),
    "toolyard.benchmarks.user_files": ("json_lines",),
    "toolyard.core.benchmark": (
        "About", "Benchmark", "Checks", "Choice", "Data", "Finding", "Grouping", "Paper", "RunSetup",
        "SavedResults", "Scoring", "Task", "Trivial", "one_shot",
    ),
    "toolyard.core.errors": ("DataError", "ProviderError"),
    "toolyard.core.metrics": ("average_of_defined", "mean", "within"),
    "toolyard.core.types": (
        "Completion", "Conversation", "Decoding", "Failure", "Generate", "Message", "Options", "Request",
        "Sample", "Score", "Transcript",
    ),
    "toolyard.models.base": ("CallableModel",),
    "toolyard.models.provider": ("Provider",),
    "toolyard.run.api": ("evaluate", "score"),
    "toolyard.run.grade.checking": ("check_benchmark",),
    "toolyard.text.parsing": ("strip_thinking",),
    "toolyard.text.templates": ("render",),
}  # fmt: skip
_HOMES = {name: module for module, names in _NAMES.items() for name in names}


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]


def __getattr__(name: str) -> object:
    """Public names, imported at first use so that the command line starts fast."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'toolyard' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
