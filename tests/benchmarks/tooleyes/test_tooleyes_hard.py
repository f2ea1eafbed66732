"""The hard set: long plans among many tools, whose gold holds in several worlds."""

from collections import Counter
from typing import Any

import pytest

from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.data.audit import audit
from toolyard.benchmarks.tooleyes.data.documents import tools_of
from toolyard.benchmarks.tooleyes.data.rows import SCENARIOS
from toolyard.benchmarks.tooleyes.scoring.baselines import oracle
from toolyard.benchmarks.tooleyes.scoring.outcome import outcome
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Options
from toolyard.run.plan.data_sources import load_samples
from toolyard.run.play.offline import play_offline

EVERY = 14


def test_the_hard_set_has_long_plans_and_long_lists_in_every_scenario() -> None:
    samples: Any = load_samples(BENCHMARK, "hard", Options("zero-shot"))
    assert len(samples) >= 110
    assert {sample.groups["scenario"] for sample in samples} == set(SCENARIOS)
    assert all(5 <= len(sample.gold.plan) <= 8 for sample in samples)
    sizes = [len(tools_of(sample)) for sample in samples]
    assert min(sizes) >= 50 and max(sizes) == 568
    assert Counter(size >= 200 for size in sizes)[True] >= len(samples) / 5
    found = audit(BENCHMARK.data.starter, samples)
    assert [finding for finding in found if finding.severity == "defect"] == []


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_gold_of_hard_rows_passes_in_several_worlds(seed: int) -> None:
    options = Options("zero-shot", world_seed=seed)
    samples: Any = load_samples(BENCHMARK, "hard", options)[seed::EVERY]
    by_id = {sample.id: sample for sample in samples}
    for played in play_offline(RunSetup.default(BENCHMARK, options), samples, oracle):
        sample = by_id[played.sample]
        result = outcome(sample.gold, parse(sample, played, "paper"))
        assert result.value == 1.0, (sample.id, result.reasons)
