"""A run that ends after so many minutes: which items it asks, that it goes on, and what its figures stand for."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from answering_model import AnsweringModel
from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import DataError, ProviderError, UsageError
from toolyard.core.types import Completion, Request
from toolyard.report.compare.compared_runs import load_compared
from toolyard.report.content import load_report
from toolyard.report.tables.run_tables import results_note
from toolyard.run.grade.evidence import Instruments
from toolyard.run.plan.minutes import reached_samples, seeded_order
from toolyard.run.play import timed_units
from toolyard.run.play.execute import RunResult, execute_run
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.stats.sample_strata import stratum_order
from toy_benchmark import TOOLS, toy_benchmark, toy_samples

SECONDS_AN_ITEM = 10


class Answering(AnsweringModel):
    """Says the right tool; the clock goes on by the seconds that each item takes."""

    def __init__(self, fails: Callable[[str], bool] = lambda _: False) -> None:
        super().__init__(self.right_tool)
        self.fails = fails

    def right_tool(self, request: Request) -> Completion:
        if self.fails(request.sample):
            raise ProviderError("timeout", "no answer in time")
        return Completion(TOOLS[int(request.sample) % 4])


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    path = tmp_path / "data.txt"
    path.write_text("40")
    return path


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each look at the clock is ten seconds after the one before: a minute has room for five starts."""
    seconds = count(0, SECONDS_AN_ITEM)
    units_in_time = timed_units.units_in_time
    monkeypatch.setattr(
        "toolyard.run.play.execute.units_in_time",
        lambda run, units: units_in_time(run, units, now=lambda: float(next(seconds))),
    )
    yield


def run_toy(toy: Path, model: AnsweringModel | None = None, **settings: object) -> RunResult:
    benchmark = toy_benchmark(toy)
    given = {"minutes": 1.0, "runs": toy.parent / "runs", "name": "toy", "data": str(toy), **settings}
    run = Run.plan(Settings("toy", "scripted/answering", **given), benchmark)  # type: ignore[arg-type]
    return asyncio.run(execute_run(run, model or Answering(), Instruments()))


def manifest_of(result: RunResult) -> dict[str, object]:
    found: dict[str, object] = json.loads((result.folder / "manifest.json").read_text())
    return found


def asked_of(result: RunResult) -> list[str]:
    return [sample.id for sample in result.run.samples]


def order_of(toy: Path, seed: int = 0) -> list[str]:
    return list(seeded_order(toy_benchmark(toy), toy_samples(40), seed))


@pytest.mark.parametrize("concurrency", [1, 4])
def test_what_was_started_in_time_is_finished_and_nothing_else_is_asked(toy: Path, concurrency: int) -> None:
    model = Answering()
    result = run_toy(toy, model, concurrency=concurrency)
    assert [name for name, _ in model.asked] == order_of(toy)[:5]
    assert sorted(asked_of(result)) == sorted(order_of(toy)[:5])
    assert manifest_of(result)["reached"] == {"items": 5, "of": 40, "minutes": 1.0}
    assert manifest_of(result)["finished"]


def test_the_same_command_again_asks_the_next_items_of_the_order(toy: Path) -> None:
    for minutes in (1, 2, 3):
        model = Answering()
        result = run_toy(toy, model)
        assert [name for name, _ in model.asked] == order_of(toy)[5 * (minutes - 1) : 5 * minutes]
        assert manifest_of(result)["reached"] == {"items": 5 * minutes, "of": 40, "minutes": float(minutes)}


def test_more_minutes_than_needed_or_none_end_in_a_whole_run(toy: Path) -> None:
    result = run_toy(toy, minutes=60.0)
    assert len(result.run.samples) == 40
    assert {(sample.stratum, sample.weight) for sample in result.run.samples} == {("", 1.0)}
    again = Run.open(result.folder, toy_benchmark(toy))
    assert again.is_answered() and again.config.minutes is None and len(again.samples) == 40


def test_without_minutes_the_same_run_is_asked_to_its_end(toy: Path) -> None:
    run_toy(toy)
    model = Answering()
    result = run_toy(toy, model, minutes=None)
    assert len(model.asked) == 35
    assert "reached" not in manifest_of(result)
    assert len(Run.open(result.folder, toy_benchmark(toy)).samples) == 40


def test_answers_beyond_what_was_reached_do_not_count_until_it_is(toy: Path) -> None:
    """A run that was begun without minutes has answers in the order of the data: those are no random part."""
    with pytest.raises(KeyboardInterrupt):
        run_toy(toy, Interrupting(after=3), minutes=None, concurrency=1)
    result = run_toy(toy)
    reached = manifest_of(result)["reached"]["items"]  # type: ignore[index]
    assert sorted(asked_of(result)) == sorted(order_of(toy)[:reached])


class Interrupting(Answering):
    """Is interrupted after so many answers."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    async def generate(self, request: Request) -> Completion:
        if len(self.asked) == self.after:
            raise KeyboardInterrupt
        return await super().generate(request)


def test_a_run_that_was_killed_finishes_first_what_it_had_started(toy: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_toy(toy, Interrupting(after=2), concurrency=1)
    folder = toy.parent / "runs" / "toy"
    assert json.loads((folder / "manifest.json").read_text())["reached"]["items"] == 3
    model = Answering()
    run_toy(toy, model)
    # the third had been started, and takes none of the five new places
    assert [name for name, _ in model.asked] == order_of(toy)[2:8]


def test_an_item_that_failed_is_tried_again_and_stays_in_the_part(toy: Path) -> None:
    third = order_of(toy)[2]
    result = run_toy(toy, Answering(fails=lambda name: name == third))
    assert result.summaries["paper"].unscored == 1
    model = Answering()
    assert run_toy(toy, model).summaries["paper"].unscored == 0
    assert model.asked[0][0] == third


def test_every_trial_of_a_started_item_is_asked(toy: Path) -> None:
    model = Answering()
    run_toy(toy, model, trials=3, concurrency=1)
    assert model.asked == [(name, trial) for name in order_of(toy)[:5] for trial in range(3)]


def test_the_order_is_fixed_by_the_seed_and_in_proportion_to_the_kinds_at_every_point(toy: Path) -> None:
    assert order_of(toy) == order_of(toy) != order_of(toy, seed=1)
    sizes = {"large": 30, "middle": 8, "small": 2}
    strata = list(stratum_order(sizes, sizes))
    assert Counter(strata) == sizes
    for taken in range(1, 41):
        for name, size in sizes.items():
            assert abs(strata[:taken].count(name) - taken * size / 40) <= 1


@pytest.mark.parametrize("items", [1, 7, 8, 39])
def test_the_part_is_weighted_to_stand_for_every_kind_that_was_reached(toy: Path, items: int) -> None:
    benchmark = toy_benchmark(toy)
    part = reached_samples(benchmark, toy_samples(40), 0, items)
    assert len(part) == items
    by_tool = Counter(sample.groups["tool"] for sample in part)
    for sample in part:
        assert sample.weight == 10 / by_tool[sample.groups["tool"]]
    # the spread of a kind is not known from one item of it
    assert {sample.stratum for sample in part} == (set(TOOLS) if items >= 8 else {"all"})


def test_tables_and_json_say_how_many_items_were_asked(toy: Path) -> None:
    benchmark = load_benchmark("mtu")
    run = Run.plan(Settings("mtu", "scripted/oracle", minutes=1.0, runs=toy.parent))
    result = asyncio.run(execute_run(run, oracle_model(run), Instruments()))
    clusters = len({sample.cluster for sample in result.run.samples})
    total = len({sample.cluster for sample in run.samples})
    report = load_report(result.folder)
    assert clusters == 5 < total
    assert re.search(rf"\b5 of {total} items \(\d+ samples\) asked in 1 min", results_note(report))
    assert report.to_json()["reached"] == {"items": 5, "of": total, "minutes": 1.0}
    assert report.summaries["paper"].figures["average"].value == 1.0
    assert benchmark.scoring.main_group == "setting"
    assert load_compared(result.folder, "paper", {}).summary.figures == report.summaries["paper"].figures


def oracle_model(run: Run) -> AnsweringModel:
    """Says the gold answer of a run's samples."""
    from toolyard.run.play.offline import gold_answers

    return AnsweringModel(gold_answers(run.setup, run.samples))


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"minutes": 0.0}, "leaves no time"),
        ({"minutes": 1.0, "limit": 3}, "leave out --limit"),
        ({"minutes": 1.0, "limit": 3, "shortest": True}, "leave out --limit"),
        ({"minutes": 1.0, "budget": 10}, "leave out --budget"),
        ({"minutes": 1.0, "ids": ("1",)}, "leave out --ids"),
        ({"minutes": 1.0, "batch": True}, "--batch all at once"),
        ({"minutes": 1.0, "engine": "ray"}, "--engine ray all at once"),
        ({"minutes": float("nan")}, "not a finite number"),
    ],
)
def test_senseless_minutes_are_one_line(settings: dict[str, object], complaint: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=complaint):
        Run.plan(Settings("mtu", "scripted/empty", runs=tmp_path, **settings))  # type: ignore[arg-type]


def test_minutes_are_no_part_of_what_a_run_is(tmp_path: Path) -> None:
    plain, timed = (
        Run.plan(Settings("mtu", "scripted/empty", minutes=minutes, runs=tmp_path)).folder
        for minutes in (None, 2.0)
    )
    assert plain == timed


@pytest.mark.parametrize(
    "reached", [{"items": 0, "of": 40, "minutes": 1}, {"items": 41, "of": 40, "minutes": 1}, {"items": 1}, 3]
)
def test_a_manifest_that_reached_nothing_possible_is_damaged(toy: Path, reached: object) -> None:
    result = run_toy(toy)
    path = result.folder / "manifest.json"
    path.write_text(json.dumps({**manifest_of(result), "reached": reached}))
    with pytest.raises(DataError, match="reached"):
        Run.open(result.folder, toy_benchmark(toy))


def test_a_packed_run_of_some_minutes_is_unpacked_with_what_it_answered(tmp_path: Path) -> None:
    from toolyard.run.store.packs import pack_folder, read_pack, unpack_run

    run = Run.plan(Settings("mtu", "scripted/oracle", minutes=1.0, runs=tmp_path))
    result = asyncio.run(execute_run(run, oracle_model(run), Instruments()))
    file = tmp_path / "pack.xz"
    file.write_bytes(pack_folder(result.folder, "starter"))
    again = unpack_run(read_pack(file), tmp_path / "again")
    assert asked_of(again) == asked_of(result)
