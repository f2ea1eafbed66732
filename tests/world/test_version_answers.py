"""Answers of this version of the world: what every tool's examples return under a seed, held by digest.

python tests/world/test_version_answers.py    writes the digests again, after VERSION was raised
"""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from toolyard.core.declared_world import VERSION
from toolyard.world import Tool, World, call, library

SEED = 7
DIGESTS = Path(__file__).with_suffix(".json")
HELD = json.loads(DIGESTS.read_text("utf-8")) if DIGESTS.exists() else {}


def digest(tool: Tool) -> str:
    """The digest of what a tool's examples return; none of them is refused."""
    seen = [call(World.fresh(SEED), tool.id, example) for example in tool.examples]
    assert [each.error for each in seen] == [None] * len(seen)
    return sha256("\n".join(each.text for each in seen).encode()).hexdigest()[:12]


@pytest.mark.parametrize("tool", library().values(), ids=library())
def test_answers_move_with_a_new_version_only(tool: Tool) -> None:
    again = "a new tool: run this file as a script; other answers: before that, raise VERSION and restamp the sets"
    assert digest(tool) == HELD["answers"].get(tool.id), again


def test_digests_are_those_of_this_version_and_of_no_tool_that_is_gone() -> None:
    assert HELD["version"] == VERSION
    assert set(HELD["answers"]) == set(library())


if __name__ == "__main__":
    held = {"version": VERSION, "answers": {name: digest(tool) for name, tool in library().items()}}
    DIGESTS.write_text(json.dumps(held, indent=1) + "\n", "utf-8")
