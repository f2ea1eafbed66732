"""Worlds: what tools change is kept, copied, compared and checked; nothing leaks into another world."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from toolyard.core.state_checks import StateCheck, matches_condition, verify
from toolyard.world.kernel import seeds
from toolyard.world.kernel.state import Store, World

MAIL = Store("test_mail", lambda seed: {"m1": {"to": "ann@example.org", "read": False, "seed": seed}})
FILES = Store("test_files")


def mail(to: str, subject: str) -> Mapping[str, Any]:
    return {"to": to, "subject": subject}


def test_values_read_are_private_copies_and_writing_them_back_is_no_change() -> None:
    world = World.fresh()
    world.store(MAIL)["m1"]["read"] = True
    assert world.store(MAIL)["m1"]["read"] is False
    assert World.fresh().diff() == {}
    world.store(MAIL)["m1"] = world.store(MAIL)["m1"]
    assert world.diff() == {}


def test_initial_content_depends_on_the_seed() -> None:
    assert World.fresh(5).store(MAIL)["m1"]["seed"] == 5


def test_a_diff_tells_the_time_and_the_size_of_bytes() -> None:
    world = World.fresh()
    world.store(FILES)["/a.bin"] = b"abc"
    world.advance(60)
    diff = world.diff()
    assert diff["test_files"]["added"]["/a.bin"]["bytes"] == 3
    assert diff["clock"] == {"advanced_seconds": 60.0}


def test_what_is_no_snapshot_of_this_world_is_refused() -> None:
    world = World.fresh(1)
    world.store(FILES)["/a.bin"] = b"abc"
    for wrong in ({}, "x", world):
        with pytest.raises(
            TypeError, match=r"wanted a snapshot of this world, got .*; make one with world.snapshot"
        ):
            world.diff(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="wanted a snapshot of this world"):
            world.restore(wrong)  # type: ignore[arg-type]
    other = World.fresh(0).snapshot()
    for compare in (world.diff, world.restore):
        with pytest.raises(ValueError, match="of a world with seed 0, this one has seed 1"):
            compare(other)
    with pytest.raises(TypeError, match="got None"):
        world.restore(None)  # type: ignore[arg-type]
    assert world.diff() == world.diff(None) == world.diff(World.fresh(1).snapshot()) != {}


@pytest.mark.parametrize("seed", ["x", None, 1.5, True])
def test_a_seed_that_is_no_whole_number_is_refused(seed: Any) -> None:
    with pytest.raises(TypeError, match="a world's seed is a whole number, got "):
        World.fresh(seed)


def test_whole_numbers_of_other_kinds_are_seeds() -> None:
    world = World.fresh(np.int64(3))  # type: ignore[arg-type]
    assert type(world.seed) is int
    assert world.draw("x").random() == World.fresh(3).draw("x").random()


def test_the_clock_stands_until_advanced_and_never_runs_back() -> None:
    world = World.fresh()
    assert world.now.isoformat() == "2024-05-15T09:00:00+00:00"
    with pytest.raises(ValueError, match="forward"):
        world.advance(-1)


def test_random_repeats_and_draw_does_not() -> None:
    world = World.fresh()
    assert world.random("x").random() == world.random("x").random()
    assert world.draw("x").random() != world.draw("x").random()
    assert World.fresh().draw("x").random() == World.fresh().draw("x").random()
    assert World.fresh(1).random("x").random() != World.fresh(2).random("x").random()


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        (StateCheck("test_mail", where={"to": "bob@example.org", "subject": "Hi"}), True),
        (StateCheck("test_mail", where={"subject": {"contains": "hi"}}), True),
        (StateCheck("test_mail", where={"to": {"any_of": ["eve@example.org", "bob@example.org"]}}), True),
        (StateCheck("test_mail", where={"to": "bob@example.org"}, count=2), False),
        (StateCheck("test_mail", where={"to": "eve@example.org"}), False),
        (StateCheck("test_mail", where={"to": "eve@example.org"}, count=0), True),
        (StateCheck("test_mail", change="removed"), False),
        (StateCheck("test_files", count=None), False),
    ],
)
def test_checks_count_matching_changes(check: StateCheck, holds: bool) -> None:
    world = World.fresh()
    world.store(MAIL)["m2"] = mail("bob@example.org", "Hi")
    diff = world.diff()
    assert verify(check, diff).holds is holds


def test_checks_look_into_lists_and_objects() -> None:
    assert matches_condition({"to": ["a", "b"]}, {"to": {"contains": "b"}})
    assert not matches_condition({"to": "a"}, {"cc": "a"})
    assert not matches_condition("text", {"to": "a"})


def test_what_was_remembered_of_seeds_is_forgotten_when_more_are_begun_than_are_kept() -> None:
    made: list[int] = []

    @seeds.cache_by_seed(10)
    def row(seed: int, name: str) -> str:
        made.append(seed)
        return f"{seed} {name}"

    for seed in range(100, 100 + seeds.SEEDS_KEPT):
        World.fresh(seed)
    assert (row(100, "a"), row(100, "a"), made) == ("100 a", "100 a", [100])
    World.fresh(100 + seeds.SEEDS_KEPT)
    assert (row(100, "a"), made) == ("100 a", [100, 100])
