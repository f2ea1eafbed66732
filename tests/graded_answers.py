"""Episodes that are answered, and what answers score."""

from collections.abc import Callable, Generator
from typing import Any, TypeVar

from toolyard.core.benchmark import Benchmark
from toolyard.core.types import Profile, Sample, Score, Transcript

Result = TypeVar("Result")


def grade(
    benchmark: Benchmark, sample: Sample, answer: str | Transcript, profile: Profile = "paper"
) -> Score:
    """What a text or a transcript scores under a profile."""
    transcript = Transcript.answered(sample.id, answer) if isinstance(answer, str) else answer
    prediction = benchmark.scoring.parse(sample, transcript, profile)
    return benchmark.scoring.score(sample, prediction, {}, profile)


def drive(work: Generator[Any, Any, Result], answer: Callable[[Any], Any]) -> Result:
    """What an episode returns in the end, where each of its effects gets an answer."""
    reply = None
    while True:
        try:
            effect = work.send(reply)
        except StopIteration as stop:
            result: Result = stop.value
            return result
        reply = answer(effect)
