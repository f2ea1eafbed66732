"""Our own world through MCP: what its mirror knows, it says as the world does."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toolyard.core.types import Observation
from toolyard.owntools.mirror.mirror_making import make_mirror
from toolyard.owntools.probe.probe_run import workshop_of
from toolyard.owntools.probe.probe_suites import draw_suites
from toolyard.owntools.sources import load_source
from toolyard.world import World, call
from toolyard.world.kernel.registry import select


def test_gold_that_schema_and_state_determine_is_the_same_in_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "recipes"))
    from own_tools import measure_agreement

    make_mirror(load_source(f"mcp:{sys.executable} -m toolyard serve Calendar"), tmp_path / "twin", number=3)
    shop = workshop_of(tmp_path / "twin")
    suites = draw_suites(shop, 12, 0)
    calls = [
        (step.tool, step.arguments) for row in (*suites.nested, *suites.twins) for step in row.chain.steps
    ]
    offered = [tool.id for tool in select("Calendar")]

    def real(tool: str, arguments: Mapping[str, Any]) -> Observation:
        return call(World.fresh(), tool, arguments, offered=offered, budget_tokens=100_000)

    found = measure_agreement(shop.mirror, real, calls)[True]
    assert found["calls"] >= 20
    assert set(found.values()) == {found["calls"]}
