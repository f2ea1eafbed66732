"""The lists of the coverage bench are complete, free of repetitions and fit the tools they are given to."""

import sys
from pathlib import Path

import pytest

from cases import each_case
from toolyard.world import library

BENCH = Path(__file__).parents[2] / "bench"
sys.path.insert(0, str(BENCH))

import coverage_rules as rules  # noqa: E402

KINDS = rules.read_kinds()
NAMED = rules.Probe("any", {"q": "{}"}, fields=("name",))


def test_every_list_has_tools_and_every_kind_has_a_list() -> None:
    assert {path.stem for path in rules.FOLDER.glob("*.txt")} == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_no_argument_stands_twice_in_a_list(kind: str) -> None:
    texts = [argument.text for argument in rules.read_arguments(kind)]
    assert len(texts) >= 40
    assert sorted(texts) == sorted(set(texts))


@pytest.mark.parametrize("kind", KINDS)
def test_probes_name_tools_and_parameters_of_the_library(kind: str) -> None:
    for probe in KINDS[kind]:
        assert probe.tool in library()
        parameters = library()[probe.tool].to_json()["parameters"]
        assert set(probe.arguments) <= set(parameters["properties"])
        assert set(parameters.get("required", ())) <= set(probe.arguments)
        assert probe.rule in {"name", "words", "number", "answer"}


@each_case("line, value, error, verdict")
def test_verdict(line: str, value: object, error: str | None, verdict: str) -> None:
    assert rules.judge(rules.parse_line(line), NAMED, value, error) == verdict
