"""Horse racing: fields, finishes and histories agree under every seed; horses, courses and cards are the same under all."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.simulated.sports import horses as racing

SEEDS = (0, 1, 7)


def ask(tool: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), f"Competition/Horse_Racing/{tool}", arguments)
    assert observation.error is None, observation.text
    return observation.value


@pytest.mark.parametrize("seed", SEEDS)
def test_horses_run_once_a_race_and_finish_in_one_place(seed: int) -> None:
    for race in list(racing.races().values())[::211]:
        rows = racing.runs(seed, race)
        assert [run.position for run in rows] == list(range(1, len(rows) + 1))
        assert len({run.horse for run in rows}) == len({run.jockey for run in rows}) == len(rows)
        assert sorted(run.number for run in rows) == [*range(1, len(rows) + 1)]
        assert 6 <= len(rows) <= 12
        assert all(1.2 <= run.odds <= 101 and 45 <= run.rating <= 120 for run in rows)


@pytest.mark.parametrize("seed", SEEDS)
def test_results_cards_and_histories_tell_one_story(seed: int) -> None:
    for row in ask("results", seed, date="2024-05-10")[:4]:
        card = ask("race_detail_info", seed, id_race=row["id_race"])
        first = card["horses"][0]
        assert (first["id_horse"], first["odds"], first["position"]) == (
            row["winner_id"],
            row["starting_price"],
            1,
        )
        history = ask("horse_stats", seed, id_horse=row["winner_id"])
        assert {run["id_race"]: run["position"] for run in history["results"]}[row["id_race"]] == 1
        assert history["wins"] <= history["places"] <= history["runs"]
        listed = ask("query_races", seed, id_horse=row["winner_id"])
        assert row["id_race"] in [race["id_race"] for race in listed["items"]]


@pytest.mark.parametrize("seed", SEEDS)
def test_win_rates_are_counted(seed: int) -> None:
    rows = ask("jockeys_win_rate", seed, last_days=1)
    done = sum(len(ask("results", seed, date=day)) for day in ("2024-05-14", "2024-05-15"))
    assert sum(row["wins"] for row in rows) <= done
    assert all(0 <= row["wins"] <= row["runs"] for row in rows)


def test_no_result_is_told_before_the_race() -> None:
    card = ask("race_detail_info", id_race=ask("racecards", date="2024-05-18")[0]["id_race"])
    assert not card["finished"]
    assert {row["position"] for row in card["horses"]} == {None}


def test_ids_that_the_benchmark_queries_name_exist() -> None:
    for seed in SEEDS:
        assert ask("race_detail_info", seed, id_race=207660)["date"] == "2024-05-10"
        assert ask("horse_stats", seed, id_horse=56789)["runs"] > 0
        assert ask("query_horses", seed, name="Golden Dancer")["items"][0]["id_horse"] == 55512


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("horse_stats", {"id_horse": 1}), ("race_detail_info", {"id_race": 5}), ("racecards", {"date": "2022-05-01"}),
     ("query_races", {"course": "Nowhere Downs"}), ("results", {"date": "2024-05-17"})],
)  # fmt: skip
def test_what_does_not_exist_is_refused(tool: str, arguments: dict[str, Any]) -> None:
    assert call(World.fresh(), f"Competition/Horse_Racing/{tool}", arguments).error in (
        "not_found",
        "out_of_range",
    )
