"""Tasks that are answered at once, in the benchmark's own form: its prompt, one text, its own score.

    answers = Answers("nestools")
    messages = answers.prompt(7)
    reward = answers.rewards(7, text).total

For trainers that sample one completion per prompt, and for models too small for a dialogue with tools. Gold calls were
executed, as in the environment, and the splits are its own; the answer itself is scored by the benchmark, not executed.
"""

from __future__ import annotations

import functools
import importlib
import random

import orjson

from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import RunSetup
from toolyard.core.checks import scripted_reply
from toolyard.core.types import Sample, Transcript
from toolyard.env.gym_task import Split, TaskPlace
from toolyard.env.rewards import Rewards
from toolyard.env.task_pool import TaskPool
from toolyard.env.task_seeds import drawn_sample
from toolyard.lines import encode

KEPT = 4_096
_KIND = "answer"


class Answers:
    """The samples of one benchmark and one split by their seeds; a pool with a file keeps them on disk."""

    def __init__(
        self, benchmark: str, split: Split = "train", world_seed: int = 0, pool: TaskPool | None = None
    ) -> None:
        self.benchmark = benchmark
        self.split: Split = split
        self.world_seed = world_seed
        self._pool = pool
        self._setup = RunSetup.default(load_benchmark(benchmark))
        self._source = importlib.import_module(f"toolyard.env.sources.{benchmark}")
        self.sample = functools.lru_cache(KEPT)(self._sample)

    def _sample(self, seed: int) -> Sample:
        place = TaskPlace(self.benchmark, self.split, seed, self.world_seed)
        if self._pool is None:
            return drawn_sample(place)
        kept = self._pool.read_or_draw(place, _KIND, lambda: encode(drawn_sample(place)))
        found = orjson.loads(kept)
        # Where gold is no plain JSON, the source reads it.
        read_gold = getattr(self._source, "gold_from_json", lambda gold: gold)
        return Sample(**{**found, "gold": read_gold(found["gold"])})

    def prompt(self, seed: int) -> list[dict[str, str]]:
        """What the model is asked, as messages."""
        task = self._setup.benchmark.task
        return [
            {"role": message.role, "content": message.content}
            for message in task.prompt(self.sample(seed), self._setup.options)
        ]

    def right(self, seed: int) -> str:
        """A right answer."""
        return scripted_reply(
            self._setup.benchmark.checks.oracle(self.sample(seed), (), random.Random(seed))
        ).text

    def rewards(self, seed: int, text: str) -> Rewards:
        """What an answer earns."""
        sample, scoring = self.sample(seed), self._setup.benchmark.scoring
        prediction = scoring.parse(sample, Transcript.answered(sample.id, text), "paper")
        score = scoring.score(sample, prediction, {}, "paper")
        form, choice, arguments, outcome = self._source.families(sample, score)
        return Rewards(form, choice, arguments, outcome, score.reasons)
