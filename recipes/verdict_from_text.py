"""Does the text give ToolBeHonest's verdict away? Level 1, by solvers that do not read what tools can do.

    python recipes/verdict_from_text.py [--data starter|hard|PATH]

`words` is a classifier of words and `shape` one of counts (tools, lines, names that end in another listed name, words that
lines share with tools); both are trained on half of the pairs and asked about the others. `word-overlap` is the baseline of
the benchmark. Chance is 50; the interval is over pairs.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.toolbehonest.data.audit import numbered_lines
from toolyard.benchmarks.toolbehonest.data.rows import SUBTASKS
from toolyard.benchmarks.toolbehonest.data.sample import ToolBeHonestSample
from toolyard.benchmarks.toolbehonest.data.tool_list import working_tools
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options
from toolyard.run.grade.grading import grade
from toolyard.run.plan.data_sources import data_path
from toolyard.run.play.offline import play_offline
from toolyard.text.word_overlap import telling_stems

Features = NDArray[np.float64]
Samples = Sequence[ToolBeHonestSample]
STEPS, RATE, DECAY = 200, 0.5, 0.001
BENCHMARK = load_benchmark("toolbehonest")


def first_level(data: str) -> list[ToolBeHonestSample]:
    """The samples of level 1."""
    samples = BENCHMARK.data.load(data_path(BENCHMARK, data), Options())
    return [sample for sample in samples if sample.input["level"] == 1]


def word_overlap(samples: Samples) -> dict[str, bool]:
    """Which verdicts the baseline that matches words gets right."""
    setup = RunSetup.default(BENCHMARK)
    answers = play_offline(setup, tuple(samples), BENCHMARK.checks.baselines["word-overlap"])
    return {
        sample.id: grade(setup, sample, answer, {}, "paper").score.values["outcome"] == 1.0
        for sample, answer in zip(samples, answers, strict=True)
    }


def words_alone(samples: Samples) -> dict[str, bool]:
    """Which verdicts a classifier of words gets right."""

    def features(training: Samples, test: Samples) -> tuple[Features, Features]:
        known = {word: n for n, word in enumerate(sorted({w for s in training for w in words_in(s)}))}
        return counted(training, known), counted(test, known)

    return _trained_on_half(samples, features)


def shape_alone(samples: Samples) -> dict[str, bool]:
    """Which verdicts a classifier of counts gets right."""

    def features(training: Samples, test: Samples) -> tuple[Features, Features]:
        own, others = (np.array([shape_of(each) for each in part]) for part in (training, test))
        mean, spread = own.mean(axis=0), own.std(axis=0) + 1e-9
        return (own - mean) / spread, (others - mean) / spread

    return _trained_on_half(samples, features)


def _trained_on_half(
    samples: Samples, features: Callable[[Samples, Samples], tuple[Features, Features]]
) -> dict[str, bool]:
    pairs: dict[str, list[str]] = defaultdict(list)
    for cluster in sorted({sample.cluster for sample in samples}):
        pairs[cluster.split("/")[0]].append(cluster)
    half = {name for own in pairs.values() for name in random.Random(1).sample(own, len(own) // 2)}
    halves = [[each for each in samples if (each.cluster in half) == chosen] for chosen in (True, False)]
    right: dict[str, bool] = {}
    for training, test in (halves, halves[::-1]):
        known, asked = features(training, test)
        predicted = asked @ fitted(known, verdicts(training)) > 0
        right |= {
            sample.id: bool(found == wanted)
            for sample, found, wanted in zip(test, predicted, verdicts(test), strict=True)
        }
    return right


def words_in(sample: ToolBeHonestSample) -> list[str]:
    """The words of a task and its tools."""
    return re.findall(r"[a-z]+|\d+", f"{sample.input['task']} {sample.input['tools']}".lower())


def counted(samples: Samples, vocabulary: Mapping[str, int]) -> Features:
    """How often each sample has each word, as logarithms."""
    found = np.zeros((len(samples), len(vocabulary) + 1))
    for row, sample in enumerate(samples):
        for word in words_in(sample):
            if word in vocabulary:
                found[row, vocabulary[word]] += 1
    found[:, -1] = 1
    return np.log1p(found)


def shape_of(sample: ToolBeHonestSample) -> list[float]:
    """Counts that need no understanding."""
    tools = working_tools(sample.input["tools"])
    lines = numbered_lines(sample.input["task"]) or [sample.input["task"]]
    names = [tool.name for tool in tools]
    stems = [telling_stems(f"{tool.name} {tool.description}") for tool in tools]
    best = [sorted((len(telling_stems(line) & each) for each in stems), reverse=True) for line in lines]
    limited = [name for name in names if any(name != other and name.endswith(other) for other in names)]
    said = [len(tool.description.split()) for tool in tools]
    return [
        1.0,
        len(tools),
        len(lines),
        len(limited),
        sum(" only" in tool.description for tool in tools) - len(limited),
        float(np.mean(said)),
        float(np.min([each[0] for each in best])),
        float(np.mean([each[0] for each in best])),
        float(np.mean([sum(each[:2]) for each in best])),
    ]


def verdicts(samples: Samples) -> NDArray[np.bool_]:
    """Whether each sample is unsolvable."""
    return np.array([sample.gold.verdict == "unsolvable" for sample in samples])


def fitted(features: Features, wanted: NDArray[np.bool_]) -> Features:
    """Weights of a logistic regression, by gradient descent."""
    weights = np.zeros(features.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-features @ weights))
        weights -= RATE * (features.T @ (likely - wanted) / len(wanted) + DECAY * weights)
    return weights


SOLVERS: Mapping[str, Callable[[Samples], dict[str, bool]]] = {
    "words": words_alone,
    "shape": shape_alone,
    "word-overlap": word_overlap,
}


def rates_by_pair(samples: Samples, right: Mapping[str, bool]) -> dict[str, float]:
    """The share of right verdicts of each pair."""
    pairs: dict[str, list[float]] = defaultdict(list)
    for sample in samples:
        pairs[sample.cluster].append(right[sample.id])
    return {name: float(np.mean(each)) for name, each in pairs.items()}


def pooled(rates: Mapping[str, float]) -> tuple[float, float]:
    """The mean over pairs, and half the width of its 95 % interval."""
    values = np.array(list(rates.values()))
    return float(values.mean()), float(1.96 * values.std(ddof=1) / np.sqrt(len(values)))


def by_subtask(rates: Mapping[str, float]) -> dict[str, float]:
    """The mean over the pairs of each subtask that there is."""
    found = {
        subtask: [rate for name, rate in rates.items() if name.startswith(f"{subtask}/")]
        for subtask in SUBTASKS
    }
    return {subtask: float(np.mean(own)) for subtask, own in found.items() if own}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="starter")
    samples = first_level(parser.parse_args().data)
    for name, solver in SOLVERS.items():
        rates = rates_by_pair(samples, solver(samples))
        mean, half = pooled(rates)
        parts = ", ".join(f"{subtask} {100 * rate:.1f}" for subtask, rate in by_subtask(rates).items())
        print(f"{name}: {100 * mean:.1f} [{100 * (mean - half):.1f}, {100 * (mean + half):.1f}]; {parts}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
