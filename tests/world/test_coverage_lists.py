"""The lists of the coverage bench are complete, free of repetitions and fit the tools they are given to."""

import sys
from pathlib import Path

import pytest

from cases import cases
from toolyard.world import library

BENCH = Path(__file__).parents[2] / "bench"
sys.path.insert(0, str(BENCH))

import coverage_rules as rules  # noqa: E402

KINDS = rules.read_kinds()
REAL = rules.parse_line("Lyon")
NAMED = rules.Probe("any", {"q": "{}"}, fields=("name",))


def test_every_list_has_tools_and_every_kind_has_a_list() -> None:
    assert {path.stem for path in rules.FOLDER.glob("*.txt")} == set(KINDS)


def test_there_are_thousands_of_arguments_of_many_kinds() -> None:
    arguments = [argument for kind in KINDS for argument in rules.read_arguments(kind)]
    refused = sum(argument.refuse for argument in arguments)
    assert len(KINDS) >= 50
    assert len(arguments) >= 4000
    assert 0.10 <= refused / len(arguments) <= 0.15


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


@pytest.mark.parametrize(("line", "value", "error", "verdict"), cases(__file__, "verdict"))
def test_verdict(line: str, value: object, error: str | None, verdict: str) -> None:
    assert rules.judge(rules.parse_line(line), NAMED, value, error) == verdict


def test_a_number_may_differ_by_a_hundredth() -> None:
    probe = rules.Probe("any", {"q": "{}"}, rule="number")
    line = rules.parse_line("10 km in miles => 6.2")
    assert rules.judge(line, probe, {"result": "6.2137 mi"}, None) == "known"
    assert rules.judge(line, probe, {"result": "62 mi"}, None) == "unknown"
    assert rules.shows_number("22/7", "3.14")


def test_all_words_must_stand_in_one_row() -> None:
    probe = rules.Probe("any", {"q": "{}"}, rule="words")
    line = rules.parse_line("wireless headphones")
    assert rules.judge(line, probe, [{"title": "Headphone, black", "kind": "wireless"}], None) == "known"
    assert rules.judge(line, probe, [{"title": "wireless mouse"}, {"title": "headphones"}], None) == "unknown"


def test_an_object_with_only_empty_lists_is_empty() -> None:
    probe = rules.Probe("any", {"q": "{}"}, rule="answer")
    assert rules.judge(REAL, probe, {"total": 0, "items": []}, None) == "unknown"
    assert rules.judge(REAL, probe, {"total": 1, "items": [1]}, None) == "known"


def test_parts_and_numbers_are_filled_in() -> None:
    probe = rules.Probe("any", {"year": "{#2}", "country": "{1}", "names": ["{}"]})
    filled = probe.filled(rules.parse_line("DE / 2024"))
    assert filled == {"year": 2024, "country": "DE", "names": ["DE / 2024"]}
