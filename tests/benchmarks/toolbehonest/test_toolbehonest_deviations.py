"""The sizes that the README gives for the differences between the profiles."""

from collections.abc import Callable
from functools import cache

import pytest

from toolyard.benchmarks.toolbehonest import BENCHMARK
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options, Profile, Sample
from toolyard.run.grade.grading import grade_all
from toolyard.run.play.offline import play_offline
from toolyard.stats.summary import summarise

SETUP = RunSetup.default(BENCHMARK)

Dress = Callable[[Sample, str], str]


def body(answer: str) -> str:
    return answer.removeprefix("<answer>").removesuffix("</answer>")


def lines_with(before: str, after: str) -> Dress:
    def dress(_sample: Sample, answer: str) -> str:
        lines = [line.replace("tool: ", f"tool: {before}") for line in body(answer).split("\n")]
        named = [line if "tool: " in line else before + line for line in lines]
        return "<answer>" + "\n".join(line + after for line in named) + "</answer>"

    return dress


def removed_tool_appended(sample: Sample, answer: str) -> str:
    if sample.input["level"] == 1 or not sample.gold.needed:
        return answer
    last = sample.gold.needed[0].name
    step = last if sample.input["level"] == 2 else f"Subgoal 9: more Planned tool: {last}"
    return "<answer>" + body(answer).rpartition("\n")[0] + f"\n{step}</answer>"


@cache
def some_samples() -> tuple[Sample, ...]:
    """Every fifth pair of the starter set."""
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    chosen = set(list(dict.fromkeys(sample.cluster for sample in samples))[::5])
    return tuple(sample for sample in samples if sample.cluster in chosen)


def figure(dress: Dress, name: str, profile: Profile) -> float | None:
    samples = some_samples()
    transcripts = play_offline(
        SETUP,
        samples,
        lambda sample, messages, rng: dress(sample, BENCHMARK.checks.oracle(sample, messages, rng)),
    )
    graded = grade_all(SETUP, samples, transcripts, {}, profile)
    return summarise(BENCHMARK, graded, profile).figures[name].value


@pytest.mark.parametrize(
    ("dress", "name", "paper", "official"),
    [
        (lambda sample, answer: f"<answer>\n{body(answer)}\n</answer>", "l1_em", 1.0, 0.0),
        (lines_with("1. ", ""), "l2_pr", 1.0, 0.0),
        (lines_with(" ", ""), "l2_pr", 1.0, 0.0),
        (lines_with("[", "]"), "l2_pr", 1.0, 0.0),
        (lines_with("[", "]"), "l3_pr", 1.0, 0.0),
        (lines_with("", "."), "l1_em", 1.0, 0.0),
        (lines_with("", "."), "l2_pr", 1.0, 0.0),
        (lines_with("", "."), "l3_pr", 1.0, 0.0),
        (lambda sample, answer: f"As in <answer>Tool1</answer>: {answer}", "l2_pr", 1.0, 0.0),
        (lambda sample, answer: f"<think><answer>solvable</answer></think>{answer}", "l1_em", 1.0, 0.0),
        (removed_tool_appended, "l2_pr", 0.28571, 1.0),
        (removed_tool_appended, "l3_pr", 0.28571, 1.0),
    ],
)
def test_the_profiles_differ_by_what_the_readme_says(
    dress: Dress, name: str, paper: float, official: float
) -> None:
    assert figure(dress, name, "paper") == pytest.approx(paper, abs=1e-5)
    assert figure(dress, name, "official") == pytest.approx(official, abs=1e-5)
