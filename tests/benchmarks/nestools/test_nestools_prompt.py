"""Prompts: what they show, what they must not, and the two robustness variants."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cases import each_case
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.benchmarks.nestools.task.conjunctions import (
    accept_rewrite,
    literals_in_query,
    rewrite_prompt,
    without_conjunctions,
)
from toolyard.benchmarks.nestools.task.prompt import prompt_tools
from toolyard.core.errors import UsageError
from toolyard.core.types import Failure, Options, Sample

VARIANTS = ("base", "no-types", "no-conjunctions")


def text_of(sample: Sample, variant: str = "base", seed: int = 0) -> str:
    (message,) = BENCHMARK.task.prompt(sample, Options(seed=seed, values={"variant": variant}))
    assert message.role == "user"
    return message.content


def test_the_prompt_states_the_contract_and_shows_every_tool_with_its_id_and_the_query(ferry: Sample) -> None:
    text = text_of(ferry)
    for word in ("api_name", "api_id", "parameters", "responses", "API_call_0", "UNK", "required"):
        assert word in text
    head, _, tail = text.partition("\nTools:\n")
    listed, _, query = tail.partition("\n\nTask:\n")
    assert json.loads(listed) == prompt_tools(ferry, Options())
    assert {tool["api_name"] for tool in json.loads(listed)} == {
        "find_ferry",
        "book_seats",
        "split_costs",
        "ask_weather",
    }
    assert query == ferry.input["query"] + "\n\nCalls:\n"
    assert "ferry" not in head
    assert all(list(tool)[:2] == ["api_name", "api_id"] for tool in prompt_tools(ferry, Options()))


@pytest.mark.parametrize("variant", VARIANTS)
def test_prompts_do_not_depend_on_gold(ferry: Sample, variant: str) -> None:
    blind = replace(ferry, gold=None, groups={})
    assert text_of(ferry, variant) == text_of(blind, variant)


def test_the_order_of_tools_depends_on_seed_and_sample(ferry: Sample) -> None:
    assert text_of(ferry, seed=1) == text_of(ferry, seed=1)
    orders = {tuple(tool["api_id"] for tool in prompt_tools(ferry, Options(seed=seed))) for seed in range(20)}
    assert len(orders) > 3


def test_types_of_return_values_are_masked_for_every_tool_and_nothing_else(ferry: Sample) -> None:
    masked = prompt_tools(ferry, Options(values={"variant": "no-types"}))
    whole = prompt_tools(ferry, Options())
    for tool, original in zip(masked, whole, strict=True):
        assert all(set(entry) == {"description"} for entry in tool["responses"].values())
        assert {**tool, "responses": original["responses"]} == original
    assert "type" in ferry.input["tools"][0]["responses"]["price"]


def test_the_users_template_is_taken_and_an_unknown_variant_is_not(ferry: Sample) -> None:
    options = Options(templates={"default": "Q: {{query}}"})
    assert BENCHMARK.task.prompt(ferry, options)[0].content == "Q: " + ferry.input["query"]
    with pytest.raises(UsageError, match="--robustness loud does not exist; choose base"):
        text_of(ferry, "loud")


@each_case("query, plain")
def test_linking_words_go_and_their_parts_become_sentences(query: str, plain: str) -> None:
    assert without_conjunctions(query) == plain


def test_every_literal_value_of_the_official_queries_survives(shared: Path) -> None:
    samples = BENCHMARK.data.load(shared / "data" / "nestools", Options())
    changed = 0
    for sample in samples:
        rewritten = without_conjunctions(sample.input["query"])
        changed += rewritten != sample.input["query"]
        lost = [value for value in literals_in_query(sample) if value.lower() not in rewritten.lower()]
        assert lost == [], sample.id
    assert sum(len(literals_in_query(sample)) for sample in samples) == 4928
    assert changed == 941


def test_a_models_rewriting_is_taken_only_when_it_keeps_every_value(ferry: Sample) -> None:
    assert ferry.input["query"] in rewrite_prompt(ferry)[0].content
    kept = "Ferry from Turku to Mariehamn and from Mariehamn to Turku on May 3, 2025. Book 2 seats. Split by 3 friends."
    assert accept_rewrite(ferry, f" {kept}\n") == {"rewritten_query": kept}
    assert accept_rewrite(ferry, "Ferry to Mariehamn. 2 seats, 3 friends.") == Failure("lost_value", "Turku")
    assert accept_rewrite(ferry, " ") == Failure("empty")
    rewritten = ferry.with_input({"rewritten_query": kept})
    assert kept in text_of(rewritten, "no-conjunctions")
    assert kept not in text_of(rewritten)
