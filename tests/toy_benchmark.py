"""A benchmark small enough to read at a glance: name the tool that a request needs."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from toolyard.core.benchmark import (
    About,
    Benchmark,
    Checks,
    Data,
    Grouping,
    Judging,
    Paper,
    SavedResults,
    Scoring,
    Task,
    one_shot,
)
from toolyard.core.metrics import mean
from toolyard.core.types import (
    Decoding,
    Evidence,
    Message,
    Options,
    Profile,
    Question,
    Sample,
    Score,
    Transcript,
)

TOOLS = ("alpha", "beta", "gamma", "delta")


def toy_samples(count: int) -> tuple[Sample, ...]:
    """`count` samples whose right tool cycles through four."""
    return tuple(
        Sample(str(n), {"request": f"request {n}"}, gold=TOOLS[n % 4], groups={"tool": TOOLS[n % 4]})
        for n in range(count)
    )


def load(path: Path, options: Options) -> tuple[Sample, ...]:
    return toy_samples(int(path.read_text()))


def prompt(sample: Sample, options: Options) -> tuple[Message, ...]:
    return (Message("user", f"{sample.input['request']}: {', '.join(TOOLS)}?"),)


def parse(sample: Sample, transcript: Transcript, profile: Profile) -> str:
    return transcript.text.strip()


def score(sample: Sample, prediction: str, evidence: Mapping[str, Evidence], profile: Profile) -> Score:
    right = prediction == sample.gold
    errors = {} if right else {"answer": {"wrong_tool": 1}}
    return Score(sample.id, values={"accuracy": float(right)}, errors=errors, graded=prediction)


def oracle(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:
    return str(sample.gold)


def always_alpha(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:
    return "alpha"


def guess(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:
    return rng.choice(TOOLS)


def toy_benchmark(starter: Path) -> Benchmark:
    """The toy with `starter` as its data file: a number of samples."""
    return Benchmark(
        about=About(name="toy", version="1.0.0", title="Toy", paper=Paper("Toys", "none", "")),
        data=Data(load=load, starter=starter),
        task=Task(prompt=prompt, episode=one_shot, decoding=Decoding(max_tokens=8)),
        scoring=Scoring(
            parse=parse,
            score=score,
            metrics=(mean("accuracy"),),
            headline="accuracy",
            breakdowns=(Grouping("tool", TOOLS, ("accuracy",)),),
            errors={"answer": ("wrong_tool",)},
            saved=SavedResults(lambda path, samples: ()),
        ),
        checks=Checks(oracle=oracle, baselines={"first-tool": always_alpha, "random": guess}),
    )


def judged_toy(starter: Path, asked: str = "Is this good?", most: int = 10) -> Benchmark:
    """The toy with one question to a judge, who may say so many tokens."""
    question = Question("good", "judge", (Message("user", asked),))
    judging = Judging(lambda *_: (question,), decoding=Decoding(max_tokens=most))
    return replace(toy_benchmark(starter), judging=judging)
