"""`--limit N --shortest`: the items with the shortest prompts of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.run.config import command_line
from toolyard.run.run import Run
from toolyard.run.selection import prompt_length
from toolyard.run.settings import Settings


def planned(tmp_path: Path, **more: object) -> Run:
    return Run.plan(Settings("mtu", "scripted/oracle", runs=tmp_path, **more))  # type: ignore[arg-type]


def test_the_dialogue_with_the_shortest_prompts_of_every_kind(tmp_path: Path) -> None:
    run = planned(tmp_path, limit=5, shortest=True)
    every = planned(tmp_path)
    length = prompt_length(load_benchmark("mtu"), every.config.prompt_options())
    totals: dict[str, dict[str, int]] = {}
    for sample in every.samples:
        of_kind = totals.setdefault(sample.groups["setting"], {})
        of_kind[sample.cluster] = of_kind.get(sample.cluster, 0) + length(sample)
    assert {sample.cluster for sample in run.samples} == {min(kind, key=kind.get) for kind in totals.values()}  # type: ignore[arg-type]
    assert len(totals) == 5


def test_it_is_part_of_the_run_and_of_its_command_line(tmp_path: Path) -> None:
    run = planned(tmp_path, limit=2, shortest=True)
    assert "--limit 2 --shortest" in command_line(run.config, run.benchmark)
    assert run.config.digest() != planned(tmp_path, limit=2).config.digest()
    assert "shortest" not in planned(tmp_path, limit=2).config.identity()


def test_without_a_limit_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give --limit N, too"):
        planned(tmp_path, shortest=True)
