"""Episodes played without a model: the oracle, the empty answer and the trivial baselines."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from toolyard.core.benchmark import Answerer, RunSetup
from toolyard.core.checks import scripted_reply
from toolyard.core.processes.stopping import Work
from toolyard.core.types import Completion, Message, Options, Request, Sample, Transcript, derived_seed
from toolyard.run.play.environment import make_environment
from toolyard.run.play.episodes import plan_units, play_unit

Result = TypeVar("Result")


def empty_answer(sample: Sample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The answer that says nothing."""
    return ""


def run_without_waiting(work: Work[Result]) -> Result:
    """The result of a coroutine that never waits, also inside a running event loop."""
    try:
        work.send(None)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    work.close()
    raise RuntimeError("an offline answer must not wait")


def prompted_once(setup: RunSetup) -> RunSetup:
    """The same setup, for several answerers on the same samples: the prompt of each sample is made once."""
    task = setup.benchmark.task
    made: dict[str, tuple[Message, ...]] = {}

    def prompt(sample: Sample, options: Options) -> tuple[Message, ...]:
        if options is not setup.options:
            return task.prompt(sample, options)
        if sample.id not in made:
            made[sample.id] = task.prompt(sample, options)
        return made[sample.id]

    return replace(setup, benchmark=replace(setup.benchmark, task=replace(task, prompt=prompt)))


def play_offline(setup: RunSetup, samples: tuple[Sample, ...], answerer: Answerer) -> list[Transcript]:
    """One transcript per sample, answered by a function of the sample."""
    by_id = {sample.id: sample for sample in samples}

    def answer(request: Request) -> Completion:
        seed = derived_seed(setup.options.seed, request.sample, request.trial)
        return scripted_reply(answerer(by_id[request.sample], request.messages, random.Random(seed)))

    return play_with(setup, samples, answer)


def play_with(
    setup: RunSetup, samples: tuple[Sample, ...], answer: Callable[[Request], Completion]
) -> list[Transcript]:
    """One transcript per sample, answered by a function of the request."""

    async def generate(request: Request) -> Completion:
        return answer(request)

    return [
        transcript
        for unit in plan_units(setup, samples, trials=1)
        for transcript in run_without_waiting(
            play_unit(unit, setup, generate, make_environment(setup, unit, rehearsed=True))
        )
    ]


def gold_answers(setup: RunSetup, samples: tuple[Sample, ...]) -> Callable[[Request], Completion]:
    """What the oracle says to a request: natively where tools are offered and it knows how, else in words."""
    by_id = {sample.id: sample for sample in samples}
    checks, style = setup.benchmark.checks, setup.options.style
    oracle, native = checks.oracle_of(style), checks.native_oracle(style)

    def answer(request: Request) -> Completion:
        sample = by_id[request.sample]
        if request.tools and native is not None:
            return native(sample, request.messages)
        seed = derived_seed(setup.options.seed, request.sample, request.trial)
        return scripted_reply(oracle(sample, request.messages, random.Random(seed)))

    return answer
