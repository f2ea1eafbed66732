"""The sizes that the deviations state are measured on the official records."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graded_answers import grade
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.core.metrics import Row
from toolyard.core.types import Options, Profile, Sample, Score
from toolyard.stats.bootstrap import estimate

Calls = list[dict[str, Any]]


@pytest.fixture(scope="module")
def samples(shared: Path) -> tuple[Sample, ...]:
    return BENCHMARK.data.load(shared / "data" / "nestools", Options())


def written(calls: Calls) -> str:
    return json.dumps(calls, ensure_ascii=False)


def over_values(calls: Calls, change: Callable[[Any], Any]) -> Calls:
    return [
        {**call, "parameters": {name: change(value) for name, value in call["parameters"].items()}}
        for call in calls
    ]


def is_plain_text(value: object) -> bool:
    return isinstance(value, str) and "API_call" not in value


def renumbered(calls: Calls) -> str:
    """Labels count from 20 instead of 0; numbers stay two digits wide, so that no label holds another."""
    text = written(calls)
    for number in reversed(range(12)):
        text = text.replace(f'"API_call_{number}"', f'"API_call_{number + 20}"')
    return text


def upper_case(calls: Calls) -> str:
    return written(over_values(calls, lambda value: value.upper() if is_plain_text(value) else value))


def one_word_more(calls: Calls) -> str:
    return written(over_values(calls, lambda value: value + " indeed" if is_plain_text(value) else value))


def ids_as_text(calls: Calls) -> str:
    return written([{**call, "api_id": str(call["api_id"])} for call in calls])


def invented_names(calls: Calls) -> str:
    return written([{**call, "api_name": "delete_all_my_files"} for call in calls])


def returns_reversed(calls: Calls) -> str:
    return written([{**call, "responses": dict(reversed(call["responses"].items()))} for call in calls])


def every_call_twice(calls: Calls) -> str:
    return written([call for call in calls for _ in range(2)])


def drafted(calls: Calls) -> str:
    return f"<think>first [draft]</think>\n```json\n{written(calls)}\n```"


def no_nested_parameters(calls: Calls) -> str:
    kept = [
        {
            **call,
            "parameters": {
                key: value for key, value in call["parameters"].items() if "API_call" not in str(value)
            },
        }
        for call in calls
    ]
    return written(kept)


CHANGES: dict[str, Callable[[Calls], str]] = {
    "labels renumbered": renumbered,
    "strings in upper case": upper_case,
    "one word more in each string": one_word_more,
    "ids as text": ids_as_text,
    "invented names": invented_names,
    "return values listed backwards": returns_reversed,
    "every call twice": every_call_twice,
    "draft in a thinking block": drafted,
    "nested parameters left out": no_nested_parameters,
}


def scores(samples: tuple[Sample, ...], change: Callable[[Calls], str], profile: Profile) -> list[Score]:
    right = [BENCHMARK.checks.oracle(sample, (), random.Random(0)) for sample in samples]
    return [
        grade(BENCHMARK, sample, change(json.loads(text)), profile)
        for sample, text in zip(samples, right, strict=True)
    ]


def measured(
    samples: tuple[Sample, ...], change: Callable[[Calls], str], figure: str, profile: Profile
) -> str:
    """A figure, or the number of errors where it names an error class."""
    graded = scores(samples, change, profile)
    if "/" in figure:
        name, label = figure.split("/")
        return str(sum(score.errors[name][label] for score in graded))
    rows = [Row(score, score.sample) for score in graded]
    value = estimate([BENCHMARK.scoring.metric(figure)], rows, resamples=1)[figure].value
    return f"{value:.4f}"


@pytest.mark.parametrize("deviation", BENCHMARK.deviations, ids=lambda deviation: deviation.size)
def test_sizes_are_what_the_official_records_give(deviation: Any, samples: tuple[Sample, ...]) -> None:
    condition, _, rest = deviation.size.partition(": ")
    figure = rest.split(" ")[0]
    official = measured(samples, CHANGES[condition], figure, "official")
    paper = measured(samples, CHANGES[condition], figure, "paper")
    assert rest == f"{figure} {official} official, {paper} paper"
