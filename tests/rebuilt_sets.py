"""Starter sets of an older world: what executes their rows again is skipped until they are made again."""

import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.synth.chains.execution import world_version_of
from toolyard.world import VERSION


def needs_todays_world(benchmark: str) -> pytest.MarkDecorator:
    """Skips a test that executes rows of a shipped set, with the reason, while the set is of another version."""
    made = world_version_of(load_benchmark(benchmark).data.starter)
    why = (
        f"{benchmark} was made in world {made}, this is {VERSION}: python recipes/starter_sets.py {benchmark}"
    )
    return pytest.mark.skipif(made != VERSION, reason=why)
