"""Arguments beyond any use are refused before a tool sees them."""

from typing import Any

import pytest

from toolyard.world import World, call


@pytest.mark.parametrize(
    ("value", "kind", "said"),
    [
        (16**5000, "out_of_range", "1100 bits"),
        (-(10**400), "out_of_range", "1100 bits"),
        ("a" * 110_001, "out_of_range", "110000 characters"),
        (["a"] * 1001, "out_of_range", "1000 entries"),
        ([["a"] * 900] * 6, "out_of_range", "5000 values"),
        ([["a" * 100_000]] * 3, "out_of_range", "200000 characters"),
        ({"a", "b"}, "wrong_type", "JSON values, got set"),
        (b"bytes", "wrong_type", "JSON values, got bytes"),
        (object(), "wrong_type", "JSON values, got object"),
    ],
    ids=["hex", "digits", "text", "list", "values", "characters", "set", "bytes", "object"],
)
@pytest.mark.parametrize("compatibility", [False, True])
def test_arguments_beyond_any_use_are_refused_before_a_tool_sees_them(
    value: Any, kind: str, said: str, compatibility: bool
) -> None:
    for each in ("Advice/Bored/get_activity_by_key", "News/news_search/get_news_everything", "IP/IP/get_ip"):
        seen = call(World.fresh(), each, {"q": value}, compatibility=compatibility)
        assert (seen.error, said in seen.text) == (kind, True)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("9" * 5000, "wrong_type"),
        ("0x" + "f" * 5000, "wrong_type"),
        ("[" * 5000, "wrong_type"),
        ("[" + "1," * 3000 + "1]", "out_of_range"),
        ("1," * 3000, "out_of_range"),
        ("[[" * 20 + "]]" * 20, "out_of_range"),
        ('{"a":' * 40 + "1" + "}" * 40, "out_of_range"),
        ("1e400", "wrong_type"),
        ("nan", "wrong_type"),
        ("[1e400]", "wrong_type"),
        ("[NaN]", "wrong_type"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_texts_that_stand_for_huge_values_are_refused_in_compatibility_mode(text: str, kind: str) -> None:
    seen = call(
        World.fresh(), "Competition/balldontlie/get_all_stats", {"game_ids": text}, compatibility=True
    )
    assert seen.error == kind


def test_lists_that_hold_themselves_are_refused_and_whole_floats_are_integers() -> None:
    endless: list[Any] = []
    endless.append(endless)
    doubled: list[Any] = []
    for _ in range(40):
        doubled = [doubled, doubled]
    for value in (endless, doubled):
        assert call(World.fresh(), "IP/IP/get_ip", {"q": value}).error == "out_of_range"
    stats = "Competition/balldontlie/get_all_stats"
    whole = call(World.fresh(), stats, {"game_ids": [15000.0]})
    assert whole.error is None
    assert whole.text == call(World.fresh(), stats, {"game_ids": [15000]}).text
