"""Other arguments with which a call does exactly the same are found by calling."""

from __future__ import annotations

from collections.abc import Sequence

from toolyard.synth.chains.chain import Chain, ResultReference, execute
from toolyard.synth.chains.equal_ways import equal_ways
from toolyard.synth.goals.goal_plans import plan


def _chain(*calls: Sequence[object]) -> Chain:
    chain = execute(plan([list(call) for call in calls], "here"))
    assert isinstance(chain, Chain)
    return chain


def test_a_country_may_be_given_by_code_or_by_name() -> None:
    found = equal_ways(_chain(["Stock/get_open_info", {"region": "Germany"}]))
    assert (0, {"region": "DE"}) in found


def test_an_alias_does_where_the_tool_takes_either() -> None:
    calls = (
        ["Finance/Yelp/yelp_search", {"location": "Portland", "term": "bakery"}],
        ["yelp_reviews", {"business_id_or_alias": "$1.business_id", "limit": 3}],
    )
    assert (1, {"business_id_or_alias": ResultReference(0, "alias")}) in equal_ways(_chain(*calls))


def test_the_name_of_a_make_does_for_its_number() -> None:
    calls = (
        ["get_makes", {"manufacturer": "Honda"}],
        ["Vehicle/get_models", {"id": "$1.make_id", "year": 2020}],
    )
    assert (1, {"id": "", "name": ResultReference(0, "make_name")}) in equal_ways(_chain(*calls))


def test_a_parameter_that_changes_nothing_proves_nothing() -> None:
    # What is sent is not shown by the tool, so any text would return the same.
    calls = (
        ["recieve_list", {"subject": "Holiday plans"}],
        ["recieve_id", {"id": "$1.mail_id"}],
        ["Mail/send", {"to_email": "ann@example.org", "subject": "Plans", "content": "$2.content"}],
    )
    assert not [
        changed for place, changed in equal_ways(_chain(*calls)) if place == 2 and "content" in changed
    ]
