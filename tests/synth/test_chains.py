"""Chains: what is stored is what execution gives, references resolve, and nothing in a chain is idle."""

import json
import subprocess
import sys

import pytest

from cases import cases
from toolyard.core.types import Failure
from toolyard.synth.chains.chain import (
    Chain,
    PlannedStep,
    ResultReference,
    execute,
    from_json,
    idle_reference,
    says_nothing,
    takes_list,
    to_json,
)
from toolyard.synth.chains.sampling import SHAPES, Scope, draw
from toolyard.world.kernel.registry import library

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
        assert from_json(json.loads(json.dumps(to_json(chain)))) == chain


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
    monkeypatch.setattr("toolyard.synth.chains.chain._effect", lambda *_: "whatever is asked for")
    address = PlannedStep("IP/IP/ip_details", {"ip": "81.2.69.160"})
    chain = execute([address, PlannedStep("Weather/weatherapi/sports", {"q": ResultReference(0, "city")})])
    assert isinstance(chain, Chain)
    assert kind(idle_reference(chain)) == "idle_step"


def test_chains_know_their_shape() -> None:
    chain = next(c for n in range(30) if isinstance(c := draw(5, n, "1->2,2->3,1->3"), Chain))
    assert (chain.structure, chain.depth) == ("1->2,2->3,1->3", 3)


@pytest.mark.parametrize(
    ("value", "empty"), cases(__file__, "a_result_of_empty_lists_and_counts_says_nothing")
)
def test_a_result_of_empty_lists_and_counts_says_nothing(value: object, empty: bool) -> None:
    assert says_nothing(value) is empty
