"""Dialogues of requests and goals: turns that people would say, reasons for turns without a call, gold that executes."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import pytest

from finished_pipelines import finish
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.synth import PIPELINES
from toolyard.benchmarks.mtu.synth.world import subject_book
from toolyard.benchmarks.mtu.synth.world.request_dialogues import (
    FORMS,
    _is_proportion,
    fill_reply,
    named_fields,
)
from toolyard.benchmarks.mtu.synth.world.subject_book import TECHNICAL, is_out_of_domain, subjects, technical
from toolyard.core.errors import DataError
from toolyard.core.types import Failure
from toolyard.run.grade.checking import check_benchmark
from toolyard.synth.chains.chain import PlannedStep
from toolyard.synth.goals.goal_book import fill_slots
from toolyard.synth.pipeline import Finished
from toolyard.synth.requests.request_book import UserRequest, Values, drawn_values
from toolyard.synth.stages import Context
from toolyard.world import VERSION
from toolyard.world.kernel.registry import library

REQUESTS = PIPELINES["world"]
CONTEXT = Context(seed=11, rows=25)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return finish(REQUESTS, tmp_path_factory.mktemp("requests"), CONTEXT)


@pytest.fixture(scope="module")
def dialogues(finished: Finished) -> list[dict[str, Any]]:
    return [dict(row) for row in finished.rows]


def test_scripts_are_as_long_as_the_released_dialogues() -> None:
    lengths = {name: mean(len(script.moves.split()) for script in scripts) for name, scripts in FORMS.items()}
    assert 5.0 <= lengths["M-S"] <= 6.2
    assert 3.0 <= lengths["M-M"] <= 4.0


def test_as_many_as_wanted_with_several_reasons_for_no_call(dialogues: list[dict[str, Any]]) -> None:
    counts = Counter(row["setting"] for row in dialogues)
    assert counts == dict.fromkeys(("S-S", "S-M", "M-S", "M-M", "OOD"), 5)
    idle = Counter(turn["situation"] for row in dialogues for turn in row["turns"] if not turn["calls"])
    assert set(idle) >= {"missing", "exists", "confirmed", "inability", "chat"}


def test_nobody_speaks_in_names_of_fields(dialogues: list[dict[str, Any]]) -> None:
    for row in dialogues:
        for turn in row["turns"]:
            assert " set to " not in turn["user"]
            for call in turn["calls"]:
                snake = [name for name in call["arguments"] if "_" in name]
                assert not any(name in turn["user"] for name in snake)


def slot_names(slots: Iterable[str]) -> set[str]:
    return {name for slot in slots for name in slot.split("+")}


def test_every_request_goes_on_from_an_opening() -> None:
    assert sum(len(subject.requests) for subject in subjects()) >= 100
    for subject in subjects():
        for request in subject.requests:
            own = slot_names(request.slots)
            varied = slot_names(slot for slot, values in request.slots.items() if len(values) > 1)
            taken = set(re.findall(r"\{(\w+)\}", str([*request.step.arguments.values()])))
            for text in request.ask:
                assert all(f"{{{slot}}}" in text for slot in taken & varied), (subject.name, text)
            assert taken <= own | slot_names(subject.slots)
            assert subject.openings_for([request]), (subject.name, request.tool)
            assert not any(f"{{{request.lacks}}}" in text for text in request.open)
        assert subject.openings_for(subject.requests), subject.name


def said_values(request: UserRequest) -> Iterable[tuple[str, Any, str]]:
    """Every value that a request may give a parameter, with the words for it."""
    for name, given in request.step.arguments.items():
        for key, options in request.slots.items():
            for option in options:
                values: dict[str, Any] = {}
                words: dict[str, str] = {}
                fill_slots(key.split("+"), option, values, words)
                yield from (
                    (name, values[slot], words[slot]) for slot in values if f"{{{slot}}}" in str(given)
                )


def test_every_value_can_be_known_from_what_is_said_and_the_document() -> None:
    for subject in subjects():
        for request in subject.requests:
            schemas = {item.name: item.schema for item in library()[request.tool].document.parameters}
            for name, value, words in said_values(request):
                where, schema = (subject.name, request.tool, name, words), schemas[name]
                assert "x-unit" not in schema or str(value) == words, where
                scale = value in schema.get("enum", ()) and re.search(r"\d", str(value))
                assert not scale or str(value) in schema["description"], where


def test_a_change_leaves_no_doubt_about_what_stays() -> None:
    for subject in subjects():
        for request in subject.requests:
            for given in request.step.arguments.values():
                slots = re.findall(r"\{(\w+)\}", str(given))
                if isinstance(given, list) and request.lacks in slots:
                    assert all(f"{{{slot}}}" in text for slot in slots for text in request.change)
            days = re.search(r"\d{4}-\d\d-\d\d", str(subject.slots))
            assert not days or "tonight" not in str((request.ask, request.change)).casefold(), subject.name


@pytest.mark.parametrize(
    ("call", "lacks", "options", "said"),
    [
        (
            ["get_news_headlines", {"country": "FR", "category": "{topic}"}],
            "topic",
            ["sports", "health"],
            True,
        ),
        (["problem_set_problems", {"tags": "{tag}"}], "tag", ["dp", "math"], True),
        (["Calendar/public_holidays", {"year": "{year}", "countryCode": "FR"}], "year", [2024, 2025], True),
        (["list_of_kontests", {"contest_name": "{site}"}], "site", [["codeforces", "Codeforces"]], True),
        (["list_of_kontests", {"contest_name": "{site}"}], "site", [["leet_code", "LeetCode"]], False),
    ],
)
def test_nothing_is_asked_back_for_that_can_be_left_out(
    call: list[Any], lacks: str, options: list[Any], said: bool
) -> None:
    entry = {
        "call": call, "slots": {lacks: options}, "lacks": lacks, "also": ["One.", "Two.", "Three."],
        "open": ["What is there?"], "which": ["Which?"], "reply": "{name}.",
    }  # fmt: skip
    subject = {"name": "a test", "opening": ["We train on Codeforces.", "Hello."]}
    if said:
        with pytest.raises(DataError, match="need not be asked back for"):
            subject_book._read_request(entry, subject)
    else:
        assert subject_book._read_request(entry, subject).open


@pytest.mark.parametrize(
    ("subject", "tool", "slot", "proportion"),
    [
        ("dinner party", "convert_amounts", "amount", True),
        ("money for a country", "currency_converter", "amount", True),
        ("dinner party", "search_grocery_products", "carbs", False),
    ],
)
def test_a_change_that_is_plain_proportion_is_known(
    subject: str, tool: str, slot: str, proportion: bool
) -> None:
    found = next(each for each in subjects() if each.name == subject)
    request = next(each for each in found.requests if each.tool.endswith(tool))
    drawn = request.draw_values(Random(1), drawn_values(found.slots, Random(1)))
    asked = [Values({**drawn.values, slot: value}, drawn.words) for value in (20, 40)]
    assert _is_proportion(request, *asked) == proportion


def test_nobody_asks_for_what_is_known_at_sight() -> None:
    assert technical([PlannedStep("Stock/Stock/add_date", {})]) == ["Stock/Stock/add_date"]


def test_only_the_last_of_several_requests_is_tied_on(dialogues: list[dict[str, Any]]) -> None:
    for row in dialogues:
        for turn in row["turns"]:
            assert len(re.findall(r"[.?!] And ", turn["user"])) <= 1, turn["user"]


def test_a_dialogue_opens_with_what_its_requests_need_and_no_more() -> None:
    subject = next(subject for subject in subjects() if subject.name == "city trip")
    sights = [each for each in subject.requests if each.tool.endswith("landscapeProducts")]
    flights = [each for each in subject.requests if each.tool.endswith("flightProducts")]
    assert all("{town}" in text and "{start}" not in text for text in subject.openings_for(sights))
    assert all("{home}" in text and "{people}" in text for text in subject.openings_for([*sights, *flights]))


def test_nobody_wishes_for_a_technical_parameter(dialogues: list[dict[str, Any]]) -> None:
    wished = [
        (call["name"], name)
        for row in dialogues
        for turn in row["turns"]
        for call in turn["calls"]
        for name, given in call["arguments"].items()
        if name in TECHNICAL
        and not str(given).startswith(tuple(f"{each['name']}." for each in turn["calls"]))
    ]
    assert wished == []


def test_every_reply_tells_a_value_that_was_returned(dialogues: list[dict[str, Any]]) -> None:
    for row in dialogues:
        for turn in row["turns"]:
            returned = [str(value) for call in turn["executed"] for value in call["result"].values()]
            numbers = [str(round(float(each), 2)) for each in returned if re.fullmatch(r"-?\d+\.\d+", each)]
            told = [each for each in returned + numbers if each.rstrip(".")[:10] in turn["assistant"]]
            assert told or not turn["calls"], turn["assistant"]


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{result} {to}", "5771.75 SEK"),
        ("One is {rate} {to}.", "One is 0.7925 SEK."),
        ("{items[1].title} and {items[0].price.amount}.", "Two and 7."),
    ],
)
def test_a_reply_names_returned_values_by_their_paths(template: str, said: str) -> None:
    items = [{"title": "One", "price": {"amount": 7.0}}, {"title": "Two"}]
    output = {"result": 5771.7514, "to": "SEK", "rate": 0.792467, "items": items}
    assert fill_reply(template, named_fields(template, 1, output)) == said


def test_a_reply_without_its_value_is_a_failure() -> None:
    assert isinstance(
        fill_reply("{items[2].title}", named_fields("{items[2].title}", 1, {"items": []})), Failure
    )


def test_tools_of_ood_are_called_nowhere_else(dialogues: list[dict[str, Any]]) -> None:
    for row in dialogues:
        outside = [is_out_of_domain(call["tool"]) for turn in row["turns"] for call in turn["executed"]]
        assert any(outside) == (row["setting"] == "OOD" and bool(outside))


def test_the_set_passes_every_check_and_comes_out_again(finished: Finished, tmp_path: Path) -> None:
    folders = []
    for number, one in enumerate((finished, finish(REQUESTS, tmp_path / "again", CONTEXT))):
        folder = tmp_path / str(number)
        folder.mkdir()
        REQUESTS.write(one.rows, folder, CONTEXT)
        folders.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert folders[0] == folders[1]
    (tmp_path / "0" / "synth.json").write_text(f'{{"world": "{VERSION}"}}')
    result = check_benchmark(BENCHMARK, str(tmp_path / "0"), {})
    assert [check for check in result.checks if not check.passed] == []
    assert [finding for finding in result.findings if finding.severity != "note"] == []
