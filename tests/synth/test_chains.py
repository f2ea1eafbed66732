"""Chains: what is stored is what execution gives, references and fields resolve, and nothing in a chain is idle."""

import json
import re
import subprocess
import sys

import pytest
from example_values import executed_values

from cases import each_case
from toolyard.core.declared_world import VERSION
from toolyard.core.types import Failure
from toolyard.lines import read_lines
from toolyard.synth.chains.chain import (
    Chain,
    PlannedStep,
    ResultReference,
    chain_from_json,
    execute,
    idle_reference,
    says_nothing,
    takes_list,
    to_json,
)
from toolyard.synth.chains.example_values import RETURNED, other_values, values_of_meaning
from toolyard.synth.chains.projection import (
    MOST_FIELDS,
    field,
    output_fields,
    project_result,
    returned_fields,
    telling_fields,
    value_at_path,
)
from toolyard.synth.chains.sampling import SHAPES, Scope, draw
from toolyard.text.names import name_in_words
from toolyard.world.kernel.executor import call
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.state import World

ADVICE = PlannedStep("Advice/Advice_slip/advice_by_id", {"slip_id": 234})


@pytest.fixture(scope="module")
def chains() -> list[Chain]:
    """Chains of all shapes."""
    drawn = (draw(3, n, structure) for structure in SHAPES for n in range(6))
    return [each for each in drawn if isinstance(each, Chain)]


def kind(result: Chain | Failure | None) -> str | None:
    """The kind of a failure, None where there is none."""
    return result.kind if isinstance(result, Failure) else None


def test_sampled_chains_execute_again_from_json_with_references_that_matter(chains: list[Chain]) -> None:
    assert len(chains) >= 40
    assert [execute(chain.plan, chain.seed) for chain in chains] == chains
    for chain in chains:
        for index, step in enumerate(chain.steps):
            for reference in step.references.values():
                assert reference.step < index
                assert reference.field in chain.steps[reference.step].result
    assert [idle_reference(chain) for chain in chains] == [None] * len(chains)
    for chain in chains:
        assert chain_from_json(json.loads(json.dumps(to_json(chain)))) == chain


@pytest.mark.parametrize("structure", SHAPES)
def test_a_drawn_chain_has_the_shape_that_was_asked_for(structure: str) -> None:
    drawn = [draw(5, n, structure) for n in range(25)]
    good = [chain for chain in drawn if isinstance(chain, Chain)]
    assert good
    for chain in good:
        assert chain.edges == SHAPES[structure].links
        assert len(chain.steps) == SHAPES[structure].calls


def test_a_draw_depends_on_its_number_alone() -> None:
    alone = draw(9, 4, "1->2,2->3")
    for n in range(4):
        draw(9, n, "1->2,2->3")
    assert draw(9, 4, "1->2,2->3") == alone


def test_another_process_draws_the_same_bytes() -> None:
    code = (
        "import json\nfrom toolyard.synth.chains.chain import Chain, to_json\n"
        "from toolyard.synth.chains.sampling import draw\n"
        "rows = [draw(2, n, '1->2,1->3') for n in range(6)]\n"
        "print(json.dumps([to_json(row) if isinstance(row, Chain) else row.kind for row in rows]))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert b"Traceback" not in runs[0]


def test_sampling_keeps_to_the_tools_it_may_use_and_ends_where_none_link() -> None:
    drawn = [draw(1, n, "1->2", Scope(domains=("Food", "Health"))) for n in range(8)]
    tools = {step.tool for chain in drawn if isinstance(chain, Chain) for step in chain.steps}
    assert tools and {library()[tool].category for tool in tools} <= {"Food", "Health"}
    again = [draw(1, n, "1->2", Scope(frozenset(tools), ("Food", "Health"))) for n in range(8)]
    assert not {s.tool for chain in again if isinstance(chain, Chain) for s in chain.steps} & tools
    assert kind(draw(1, 0, "1->2", Scope(domains=("Random",)))) == "no_tools"


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ([PlannedStep("No/Such/tool", {})], "unknown_tool"),
        ([PlannedStep("Advice/Advice_slip/advice_by_id", {"slip_id": -1})], "tool_error"),
        ([PlannedStep("Advice/Advice_slip/advice_by_id", {})], "tool_error"),
        ([ADVICE, ADVICE], "repeated_call"),
        ([PlannedStep("NLP/NLP/summarization", {"txt": ResultReference(0, "advice")})], "unknown_reference"),
        (
            [ADVICE, PlannedStep("NLP/NLP/summarization", {"txt": ResultReference(0, "no")})],
            "unknown_reference",
        ),
    ],
)
def test_a_plan_that_does_not_stand_says_why(plan: list[PlannedStep], expected: str) -> None:
    assert kind(execute(plan)) == expected


def test_a_field_without_a_value_cannot_be_referred_to() -> None:
    breeds = PlannedStep("Animal/Animal/dog_breed", {})
    pictures = PlannedStep(
        "Animal/Animal/all_dog_image_by_sub_breed",
        {"breed": ResultReference(0, "breed"), "sub_breed": ResultReference(0, "sub_breed")},
    )
    assert kind(execute([breeds, pictures])) == "empty_reference"


def test_a_list_parameter_gets_a_list_of_the_one_value() -> None:
    quotes = PlannedStep("Finance/Yahoo_Finance_market/get_spark", {"symbols": ResultReference(0, "ticker")})
    chain = execute([PlannedStep("Finance/Yahoo_Finance_market/get_popular_watchlists", {}), quotes])
    assert isinstance(chain, Chain)
    assert takes_list(quotes.tool, "symbols")
    assert chain.resolved(1) == {"symbols": [chain.steps[0].result["ticker"]]}


def test_a_reference_whose_value_is_already_said_is_not_needed() -> None:
    facts = PlannedStep("Calendar/Calendar/country_info", {"countryCode": "DE"})
    chain = execute(
        [
            facts,
            PlannedStep(
                "Calendar/Calendar/long_weekend",
                {"year": 2024, "countryCode": ResultReference(0, "countryCode")},
            ),
        ]
    )
    assert isinstance(chain, Chain)
    assert kind(idle_reference(chain)) == "known_value"


def test_a_reference_that_changes_nothing_makes_an_idle_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolyard.synth.chains.chain._call_effect", lambda *_: "whatever is asked for")
    address = PlannedStep("IP/IP/ip_details", {"ip": "81.2.69.160"})
    chain = execute([address, PlannedStep("Weather/weatherapi/sports", {"q": ResultReference(0, "city")})])
    assert isinstance(chain, Chain)
    assert kind(idle_reference(chain)) == "idle_step"


def test_chains_know_their_shape() -> None:
    chain = next(c for n in range(30) if isinstance(c := draw(5, n, "1->2,2->3,1->3"), Chain))
    assert (chain.structure, chain.depth) == ("1->2,2->3,1->3", 3)


@each_case("value, empty")
def test_a_result_of_empty_lists_and_counts_says_nothing(value: object, empty: bool) -> None:
    assert says_nothing(value) is empty


PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    "str": str,
    "int": int,
    "float": (int, float),
    "bool": bool,
    "list": list,
    "dict": dict,
}


def test_every_tool_has_a_few_fields_with_names_of_their_own() -> None:
    for tool in library():
        known = output_fields(tool)
        assert 1 <= len(known) <= MOST_FIELDS
        assert len({item.name for item in known}) == len(known)
        assert all(item.description.strip() and item.type in PYTHON_TYPES for item in known)


def test_results_of_examples_fill_most_fields_with_values_of_the_stated_type() -> None:
    poor = []
    for tool in list(library().values())[::4]:
        for example in tool.examples:
            found = project_result(tool.id, call(World.fresh(0), tool.id, example).value)
            if 2 * len(found) < len(output_fields(tool.id)):
                poor.append(tool.id)
            for item in output_fields(tool.id):
                assert item.name not in found or isinstance(found[item.name], PYTHON_TYPES[item.type])
    assert len(poor) <= 3, poor


@pytest.mark.parametrize(
    ("path", "expected"),
    [("items[0].city", "Rome"), ("items[0].no", None), ("total", 2), ("total[0]", None), ("", {"total": 2})],
)
def test_a_path_takes_the_first_entry_of_a_list(path: str, expected: object) -> None:
    value = {"total": 2, "items": [{"city": "Rome"}, {"city": "Oslo"}]} if path else {"total": 2}
    assert value_at_path(value, path) == expected


@each_case("name, words")
def test_names_are_spoken_as_words(name: str, words: str) -> None:
    assert name_in_words(name) == words


def test_fields_come_with_names_meanings_and_descriptions_of_their_own() -> None:
    for tool in library():
        meanings = {meaning for item in output_fields(tool) for meaning in item.meanings}
        assert ("latitude" in meanings) == ("longitude" in meanings), tool
    for tool in library():
        for item in output_fields(tool):
            known = {*re.findall(r"[a-z]+", name_in_words(item.name).lower()), *FILLERS}
            assert set(re.findall(r"[a-z]+", item.description.lower())) - known, (tool, item)
    names = [item.name for item in output_fields("Food/spoonacular_products/autocomplete_product_search")]
    assert names == ["grocery_product_id", "product"]
    assert field("Advice/Advice_slip/advice_by_id", "nothing") is None


FILLERS = frozenset(
    {"the", "a", "an", "of", "that", "it", "its", "as", "by", "in", "is", "are", "which", "to", "and", "or"}
    | {"for", "part", "first", "entry", "one", "listed"}
)


def test_everything_returned_has_its_own_name_and_what_is_asked_for_comes_first() -> None:
    for tool in list(library())[::7]:
        names = [item.name for item in returned_fields(tool)]
        assert len(set(names)) == len(names), tool
        assert {item.name for item in output_fields(tool)} <= set(names)
        assert {item.name for item in telling_fields(tool)} == set(names)
    first = [item.name for item in telling_fields("Finance/USStockRealTime/get_stock_quote_endpoint")][:4]
    assert "price" in first


def test_values_of_a_meaning_are_distinct_and_can_be_said() -> None:
    cities = values_of_meaning("city")
    assert len(cities) == len({*cities}) > 5
    assert all(any(sign.isalnum() for sign in str(code)) for code in values_of_meaning("city_code"))
    assert "Berlin" not in other_values(("city",), "Berlin")


def test_stored_example_values_are_those_that_tools_return_now() -> None:
    """Where this fails, `python recipes/example_values.py` writes them anew."""
    head, *stored = read_lines(RETURNED)
    assert head == {"world": VERSION}
    assert {line["meaning"]: line["values"] for line in stored} == executed_values()
