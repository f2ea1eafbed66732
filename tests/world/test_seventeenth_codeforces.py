"""A profile says of a person only what is known or needed."""

from __future__ import annotations

import json

from toolyard.world import World, call


def test_a_profile_is_short() -> None:
    answer = call(World.fresh(0), "Competition/Codeforces/user_info", {"handle": "tourist"})
    assert set(json.loads(answer.text)[0]) == {
        "handle", "name", "country", "rank", "rating", "max_rank", "max_rating", "last_online",
    }  # fmt: skip
