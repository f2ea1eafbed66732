"""From a transcript to what it says, strictly (official) or sanely (paper)."""

from dataclasses import replace

from toolyard.benchmarks.toolbehonest.data.rows import shown_names
from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.scoring import official, paper
from toolyard.benchmarks.toolbehonest.scoring.plan_progress import (
    PlanPrediction,
    PlanStep,
    without_finish_step,
)
from toolyard.core.episodes import WRITTEN
from toolyard.core.types import Failure, Profile, Transcript


def parse(sample: ToolBeHonestSample, transcript: Transcript, profile: Profile) -> PlanPrediction:
    """The verdict or the plan of the first answer; a second answer only gives the second verdict."""
    answers = [completion.text for completion in transcript.completions] or [""]
    if WRITTEN in transcript.notes:
        # Native calls of many rounds are one answer.
        answers = [str(transcript.notes[WRITTEN])]
    if profile == "official":
        return _parse_as_released(sample.input["level"], answers[0])
    prediction = replace(_parse_as_printed(sample, answers[0]), said=answers[0])
    if sample.input["level"] != 1 or len(answers) == 1:
        return prediction
    return replace(prediction, second_verdict=_parse_as_printed(sample, answers[-1]).verdict)


def first_verdict(text: str) -> str:
    """The level-1 verdict of an answer, read sanely; empty where there is none."""
    body = paper.answer_body(text)
    return "" if isinstance(body, Failure) else paper.paper_verdict(body)


def _parse_as_released(level: int, text: str) -> PlanPrediction:
    if level == 1:
        return PlanPrediction(verdict=official.official_verdict(text))
    if level == 2:
        steps = tuple(PlanStep("", name) for name in official.planned_names(text))
        return PlanPrediction(steps=without_finish_step(steps))
    return PlanPrediction(steps=official.planned_steps(text))


def _parse_as_printed(sample: ToolBeHonestSample, text: str) -> PlanPrediction:
    level = sample.input["level"]
    body = paper.answer_body(text)
    if isinstance(body, Failure):
        # An unreadable plan names a tool that does not exist at level 2, and no tool at all at level 3.
        return PlanPrediction(steps=(PlanStep("", ""),) if level == 2 else (), failure=body)
    if level == 1:
        return PlanPrediction(verdict=paper.paper_verdict(body))
    known = shown_names(sample)
    if level == 2:
        return PlanPrediction(steps=paper.planned_steps_of_names(body, known))
    return PlanPrediction(steps=paper.planned_steps(body, known))
