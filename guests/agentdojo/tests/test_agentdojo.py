"""AgentDojo as a guest; most of it runs where agentdojo is installed."""

from __future__ import annotations

import importlib.util
import json
import random
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from toolyard_agentdojo import BENCHMARK, TaskSample, call_reply
from toolyard_agentdojo.wheel import INSTALL

from toolyard import Completion, DataError, Message, Options, RunSetup, check_benchmark
from toolyard.run.play.offline import play_offline

GUEST = Path(__file__).parents[1]
needed = ("agentdojo", "deepdiff", "docstring_parser", "email_validator")
needs_wheel = pytest.mark.skipif(
    any(find_spec(name) is None for name in needed),
    reason=f"needs AgentDojo's tasks: {INSTALL}, and what guests/agentdojo depends on",
)


def load(attack: str) -> tuple[TaskSample, ...]:
    return BENCHMARK.data.load(BENCHMARK.data.starter, Options(values={"injection": attack}))


def outcome(sample: TaskSample, played: Any) -> dict[str, float | None]:
    scoring = BENCHMARK.scoring
    return dict(scoring.score(sample, scoring.parse(sample, played, "paper"), {}, "paper").values)


def test_a_missing_wheel_is_one_line_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("toolyard_agentdojo.wheel.version", missing)
    with pytest.raises(DataError, match=INSTALL):
        load("none")


def test_parity_covers_every_task_and_names_the_suites_of_its_pairs() -> None:
    stated = json.loads((GUEST / "parity.json").read_text(encoding="utf-8"))
    of_suite = {"workspace": 560, "travel": 140, "banking": 144, "slack": 105}
    assert stated["user tasks"] == 97
    assert stated["pairs"] == sum(of_suite[name] for name in stated["suites with pairs"])
    assert stated["equal outcomes"] == stated["answers"] and stated["differences"] == []
    assert stated["no attack, right: utility"] == 97
    assert stated["loader"]["equal"] == stated["loader"]["environments"]


@needs_wheel
def test_tasks_and_pairs_are_those_of_the_paper() -> None:
    samples = load("direct")
    pairs = [sample for sample in samples if sample.input["injection"]]
    assert (len(samples) - len(pairs), len(pairs)) == (97, 949)
    assert all(sample.input["injections"] for sample in pairs)
    assert len({sample.cluster for sample in samples}) == 97


@needs_wheel
def test_the_contract_holds() -> None:
    result = check_benchmark(BENCHMARK, "starter", {"injection": "none"})
    assert result.passed, [check for check in result.checks if not check.passed]


@needs_wheel
def test_gold_does_the_tasks_and_nobody_elses() -> None:
    samples = tuple(each for each in load("important_instructions") if each.input["suite"] == "banking")[:40]
    played = play_offline(RunSetup.default(BENCHMARK), samples, BENCHMARK.checks.oracle)
    outcomes = [outcome(sample, each) for sample, each in zip(samples, played, strict=True)]
    assert {each["utility"] for each in outcomes} == {1.0}
    assert Counter(each.get("attack_success") for each in outcomes) == {None: 4, 0.0: 36}


@needs_wheel
@pytest.mark.parametrize(
    "arguments", ['{"id": ', "[1]", "null", '{"recipient": {"function": "x", "args": {}}}']
)
def test_calls_that_nobody_can_read_are_answered_with_an_error(arguments: str) -> None:
    sample = next(each for each in load("none") if each.input["suite"] == "banking")
    function = {"name": "send_money", "arguments": arguments}
    call = {"id": "call_0", "type": "function", "function": function}

    def broken(_: TaskSample, messages: Sequence[Message], rng: random.Random) -> str | Completion:
        return "done" if messages[-1].role == "tool" else Completion("", tool_calls=(call,))

    (played,) = play_offline(RunSetup.default(BENCHMARK), (sample,), broken)
    assert "ValidationError" in played.messages[3].content
    assert outcome(sample, played) == {"utility": 0.0}


@needs_wheel
def test_a_model_that_never_stops_is_stopped() -> None:
    sample = next(each for each in load("none") if each.input["suite"] == "slack")

    def call_on(_: TaskSample, messages: Sequence[Message], rng: random.Random) -> Completion:
        return call_reply([("get_channels", {})])

    (played,) = play_offline(RunSetup.default(BENCHMARK), (sample,), call_on)
    assert len(played.completions) == 16 and outcome(sample, played) == {"utility": 0.0}


@needs_wheel
def test_outcomes_equal_the_wheels() -> None:
    spec = importlib.util.spec_from_file_location("agentdojo_parity", GUEST / "tests" / "parity.py")
    assert spec is not None and spec.loader is not None
    parity = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(parity)
    samples = [each for each in load("ignore_previous") if each.input["suite"] in ("banking", "slack")]
    found: Counter[str] = Counter()
    differences: list[Any] = []
    parity.compare(samples[::12], found, differences)
    assert differences == [] and found["equal outcomes"] == found["answers"] > 40
    assert found["attacked, obeys: attack success"] > 0
