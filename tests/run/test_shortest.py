"""`--limit N --shortest`: the items with the shortest prompts of every kind."""

from pathlib import Path

import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.core.types import Generate
from toolyard.lines import encode
from toolyard.run.plan.run_config import command_line
from toolyard.run.plan.selection import prompt_length
from toolyard.run.run import Run
from toolyard.run.settings import Settings


def planned(tmp_path: Path, name: str = "mtu", **more: object) -> Run:
    return Run.plan(Settings(name, "scripted/oracle", runs=tmp_path, **more))  # type: ignore[arg-type]


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


def test_a_limit_below_the_number_of_kinds_takes_the_kinds_with_the_shortest_prompts(tmp_path: Path) -> None:
    every = planned(tmp_path, limit=5, shortest=True)
    length = prompt_length(load_benchmark("mtu"), every.config.prompt_options())
    totals: dict[str, int] = {}
    for sample in every.samples:
        totals[sample.groups["setting"]] = totals.get(sample.groups["setting"], 0) + length(sample)
    chosen = {sample.groups["setting"] for sample in planned(tmp_path, limit=3, shortest=True).samples}
    assert chosen == set(sorted(totals, key=totals.__getitem__)[:3])
    # without it, kinds come in the order of the data
    first = list(dict.fromkeys(sample.groups["setting"] for sample in planned(tmp_path).samples))[:3]
    assert {sample.groups["setting"] for sample in planned(tmp_path, limit=3).samples} == set(first) != chosen


def test_functions_that_are_offered_natively_are_read_like_words(tmp_path: Path) -> None:
    """A short question beside long documents of functions is no short prompt."""
    every = planned(tmp_path, "nestools", style="native")
    read: dict[str, dict[str, int]] = {}
    for sample in every.samples:
        first = next(every.benchmark.task.episode((sample,), every.setup))
        assert isinstance(first, Generate)
        assert first.request.tools
        words = sum(len(message.content) for message in first.request.messages)
        functions = sum(len(encode(tool)) for tool in first.request.tools)
        read.setdefault(sample.groups["depth"], {})[sample.cluster] = words + functions
    chosen = planned(tmp_path, "nestools", style="native", limit=len(read), shortest=True).samples
    lengths = {sample.groups["depth"]: read[sample.groups["depth"]][sample.cluster] for sample in chosen}
    assert lengths == {kind: min(of_kind.values()) for kind, of_kind in read.items()}


def test_it_is_part_of_the_run_and_wants_a_limit(tmp_path: Path) -> None:
    run = planned(tmp_path, limit=2, shortest=True)
    assert "--limit 2 --shortest" in command_line(run.config, run.benchmark)
    assert run.config.digest() != planned(tmp_path, limit=2).config.digest()
    assert "shortest" not in planned(tmp_path, limit=2).config.identity()
    with pytest.raises(UsageError, match="give --limit N, too"):
        planned(tmp_path, shortest=True)
