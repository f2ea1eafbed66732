"""A process that has imported everything and runs a benchmark of three rounds in batches, in copies of itself.

python batch_killing.py BASE_URL RUNS     reads one line for each copy, writes its process id and then its exit code
"""

import os
import sys
from pathlib import Path

import aiohttp  # noqa: F401 - all that a run imports on its way, so that no copy has to
import tenacity  # noqa: F401

import toolyard
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.types import Completion, Conversation, Episode, Generate, Message, Request, Sample
from toolyard.models.batch import batches
from toy_benchmark import toy_benchmark

ROUNDS = 3


def three_rounds(samples: tuple[Sample, ...], setup: RunSetup) -> Episode:
    """Asks three times, each time with what was answered before."""
    [sample] = samples
    messages, completions = setup.benchmark.task.prompt(sample, setup.options), ()
    for _ in range(ROUNDS):
        completion: Completion = yield Generate(Request(messages, setup.decoding, sample=sample.id))
        completions = (*completions, completion)
        messages = (*messages, completion.message, Message("user", f"and then? {completion.text}"))
    return (Conversation(messages, completions),)


def benchmark(count: Path) -> Benchmark:
    """The toy with three rounds."""
    toy = toy_benchmark(count)
    return Benchmark(
        toy.about, toy.data, type(toy.task)(**{**fields(toy.task), "episode": three_rounds}),
        toy.scoring, checks=toy.checks,
    )  # fmt: skip


def fields(record: object) -> dict[str, object]:
    """The fields of a record."""
    return {name: getattr(record, name) for name in record.__dataclass_fields__}  # type: ignore[attr-defined]


def evaluate(url: str, runs: Path) -> None:
    """One run, or the rest of it."""
    batches.FIRST_WAIT = batches.LONGEST_WAIT = 0.01
    toolyard.evaluate(benchmark(runs.parent / "count"), f"openai/m?base_url={url}", runs=runs, batch=True)


if __name__ == "__main__":
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            evaluate(sys.argv[1], Path(sys.argv[2]))
            os._exit(0)
        print(pid, flush=True)
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
