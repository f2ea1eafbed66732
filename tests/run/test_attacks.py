"""`toolyard check --attack`: answers that guess at the scorer earn no more than the data give away."""

import json

import pytest
from typer.testing import CliRunner

from toolyard.cli.app import app
from toolyard.run.grade.attacks import Attacked, AttackResult


def test_no_attack_on_the_toolbehonest_starter_set_earns_more_than_its_floor() -> None:
    found = CliRunner().invoke(app, ["check", "toolbehonest", "--attack", "--json"])
    assert found.exit_code == 0, found.output
    (result,) = json.loads(found.output)
    floors = {each["name"]: each["floor"] for each in result["attacks"]}
    assert {
        "do-nothing",
        "paste",
        "longest",
        "injected-verdict",
        "call-everything",
        "list-all",
        "refuse-all",
    } == set(floors)
    assert floors["do-nothing"] == floors["list-all"] == 0.0
    assert 0 < floors["refuse-all"] < 0.5
    assert result["held"]
    assert result["prompts_that_change_with_gold"] == 0


@pytest.mark.parametrize(("earned", "held"), [(0.1, False), (0.05, True), (None, True)])
def test_a_result_above_the_floor_is_no_pass(earned: float | None, held: bool) -> None:
    result = AttackResult("b", "d", "outcome", (Attacked("a", "says a", {}, earned, 0.05),), 0)
    assert result.held is held


def test_a_prompt_that_depends_on_gold_is_no_pass() -> None:
    assert not AttackResult("b", "d", "outcome", (), 1).held
