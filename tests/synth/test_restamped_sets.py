"""Rows of an older world under a new version: renewed where nothing rests on what moved, named otherwise."""

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from toolyard.run.store.packs import read_pack
from toolyard.synth.chains.execution import executed_call, execution_line
from toolyard.world import VERSION, World, call

RECIPES = Path(__file__).parents[2] / "recipes"
WEATHER, ZONE = "Weather/weatherapi/current_weather", "Weather/weatherapi/time_zone"


def line_of(*calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """The line of a row that today's world executed."""
    world = World.fresh(0)
    done = [executed_call(tool, given, call(world, tool, given).value) for tool, given in calls]
    return execution_line("1", 0, done)


def older(line: dict[str, Any], shown: str) -> dict[str, Any]:
    """The line of a world in which the first call showed another city."""
    first, *rest = line["calls"]
    moved = {**first, "result": {**first["result"], "city": shown}, "output": "0" * 16}
    return {**line, "calls": [moved, *rest]}


@pytest.mark.parametrize(
    ("then", "data", "holds"),
    [
        ("Oslo", "the weather of my town", True),
        ("Bergen", "the weather of my town", False),
        ("Oslo", "the weather of Bergen", False),
    ],
    ids=["nothing rests on it", "a later call takes it", "the data show it"],
)
def test_a_row_is_renewed_where_nothing_rests_on_what_moved(
    monkeypatch: pytest.MonkeyPatch, then: str, data: str, holds: bool
) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from restamped_sets import renewed

    today = line_of((WEATHER, {"q": "Oslo"}), (ZONE, {"q": then}))
    found = renewed(older(today, "Bergen"), data)
    assert found == today if holds else isinstance(found, str) and "moved" in found


@pytest.mark.parametrize(("shown", "holds"), [("New York", True), ("Bergen", False)])
def test_a_further_entry_holds_while_the_answer_has_it(
    monkeypatch: pytest.MonkeyPatch, shown: str, holds: bool
) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from restamped_sets import renewed

    today = line_of((WEATHER, {"q": "New York"}))
    first = today["calls"][0]
    then = {**first, "result": {**first["result"], "items_2_city": shown}, "output": "0" * 16}
    found = renewed({**today, "calls": [then]}, f"the weather of {shown}")
    assert isinstance(found, str) != holds


@pytest.mark.parametrize("holds", [True, False])
def test_a_set_is_stamped_when_all_its_rows_hold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, holds: bool
) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from restamped_sets import restamp

    line = older(line_of((WEATHER, {"q": "Oslo"})), "Bergen")
    (tmp_path / "synth.json").write_text('{"seed": 5, "world": "0"}')
    (tmp_path / "execution.jsonl").write_text(json.dumps(line) + "\n")
    (tmp_path / "rows.jsonl").write_text("Oslo" if holds else "Bergen")
    assert restamp(tmp_path) == (0 if holds else 1)
    manifest = json.loads((tmp_path / "synth.json").read_text())
    assert manifest == {"seed": 5, **({"world": VERSION, "made": "0"} if holds else {"world": "0"})}
    assert (json.loads((tmp_path / "execution.jsonl").read_text()) != line) == holds


@pytest.mark.parametrize("holds", [True, False])
def test_answers_are_stamped_when_every_episode_goes_on_as_it_did(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, holds: bool
) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    from restamped_sets import restamp_answers

    kept = next(
        (RECIPES.parent / "records" / "answers" / "results").glob(
            "tooleyes_smollm2-tuned_example_starter_*.xz"
        )
    )
    head, *lines = [json.loads(line) for line in lzma.decompress(kept.read_bytes()).splitlines()]
    called = next(line for line in lines if len(line["transcript"]["notes"]["conversation"]) > 2)
    seen = called["transcript"]["notes"]["conversation"][1]
    seen["value"] = seen["value"] if holds else "the answer of another world"
    head["manifest"]["identity"]["world"] = "0"
    path = tmp_path / "answers.jsonl.xz"
    path.write_bytes(lzma.compress("".join(f"{json.dumps(line)}\n" for line in (head, called)).encode()))
    assert restamp_answers(path) == (0 if holds else 1)
    assert read_pack(path).manifest["identity"]["world"] == (VERSION if holds else "0")
