"""Inputs that a reader may trip over, at the function that reads them."""

import json

import pytest

from toolyard.benchmarks.mtu import BENCHMARK as MTU
from toolyard.benchmarks.mtu.scoring.parse import parse
from toolyard.benchmarks.mtu.scoring.score import score
from toolyard.benchmarks.tooleyes.data.references import look_up
from toolyard.benchmarks.tooleyes.data.rows import key_of
from toolyard.core.errors import DataError, UsageError
from toolyard.core.types import Failure, Options, Transcript
from toolyard.models.cache.stored_completions import read_completion
from toolyard.text.documents.toolbehonest import from_toolbehonest
from toolyard.text.templates import MOST_CHARACTERS, render
from toolyard.world import World
from toolyard.world import call as call_tool


def test_odd_references_names_and_messages_are_harmless() -> None:
    assert isinstance(look_up("9" * 5001, [{"id": 7}]), Failure)
    assert isinstance(look_up(f"0[{'9' * 5001}]", [[7]]), Failure)
    assert look_up("0.id", [{"id": 7}]) == 7
    assert len(key_of("Random", "a \ud800 b")) == 20
    assert str(DataError("x/Ran\r\ndom is no folder")) == "x/Ran dom is no folder"


def test_a_template_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(UsageError, match="characters; wanted"):
        render("{{tools}}" * 1000, {"tools": "x" * (MOST_CHARACTERS // 1000 + 1)})


def test_a_value_without_a_word_is_wrong() -> None:
    samples = [
        sample for sample in MTU.data.load(MTU.data.starter, Options("default")) if sample.gold["calls"]
    ]
    for sample in samples[:60]:
        lines = ["Thought: I call it."]
        for call in sample.gold["calls"]:
            lines += [
                f"Action: {call['name']}",
                f"Action Input: {json.dumps(dict.fromkeys(call['arguments'], '?!'))}",
            ]
        transcript = Transcript.answered(sample.id, "\n".join(lines))
        values = score(sample, parse(sample, transcript, "paper"), {}, "paper").values
        assert values["outcome"] == (0 if any(call["arguments"] for call in sample.gold["calls"]) else 1), (
            sample.id
        )


@pytest.mark.parametrize("query", ["a@b@c", "\U0002d9bb\U0007978e\ude12", "..."])
def test_a_query_without_a_word_finds_little_and_breaks_nothing(query: str) -> None:
    found = call_tool(World.fresh(0), "Search/EngineSearch/yahoo_search", {"query": query})
    assert found.error in (None, "invalid_value", "not_found")


@pytest.mark.parametrize(
    ("tool", "arguments", "ends"),
    [
        ("Trend/Google_Trends/google_trends_autocomplete_search", {"query": "U.S."}, None),
        ("Trend/Google_Trends/google_trends_autocomplete_search", {"query": "Visa Inc."}, None),
        ("Stock/Stock/get_exchange_rate", {"from_currency": "FTC", "to_currency": "USD"}, "not_found"),
        ("Stock/Stock/get_exchange_rate", {"from_currency": "USD", "to_currency": "NOVA"}, "not_found"),
    ],
    ids=["name that ends with a full stop", "company", "coin without a price", "another"],
)
def test_names_with_full_stops_and_coins_without_a_price(
    tool: str, arguments: dict[str, str], ends: str | None
) -> None:
    assert call_tool(World.fresh(0), tool, arguments).error == ends


def test_a_stored_answer_that_took_longer_than_a_number_can_say_is_none() -> None:
    for name in ("latency", "first_token"):
        assert read_completion({"text": "y", name: 10**400}) is None
    assert read_completion({"text": "y", "logprobs": [{"token": "a", "logprob": -(10**400)}]}) is None


def test_a_list_of_one_tool_and_hundreds_of_thousands_of_lines_is_read_line_by_line() -> None:
    lines = 300_000
    (tool,) = from_toolbehonest("1. Tide: High water.\n" + "s\n" * lines)
    assert tool.description == "High water." + "\ns" * lines
