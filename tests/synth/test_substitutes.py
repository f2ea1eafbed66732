"""Tools that can stand in for each other, and ways to one result that are equal."""

from collections.abc import Sequence
from typing import Any

import pytest

from cases import cases
from toolyard.synth.chains.chain import Chain, ResultReference, execute
from toolyard.synth.chains.equal_ways import equal_ways
from toolyard.synth.chains.projection import returned_fields
from toolyard.synth.chains.rivals import are_near, replaces, rivals
from toolyard.synth.chains.substitutes import can_replace, jobs
from toolyard.synth.goals.goal_plans import plan
from toolyard.world.kernel.facts import THE_WEB
from toolyard.world.kernel.registry import library


def chain(*calls: Any) -> Chain:
    done = execute(plan([list(call) for call in calls], "here"), 0, returned_fields)
    assert isinstance(done, Chain), done
    return done


@pytest.mark.parametrize(("other", "step", "can"), cases(__file__, "a_tool_does_the_job_of_a_step_or_not"))
def test_a_tool_does_the_job_of_a_step_or_not(other: str, step: int, can: bool) -> None:
    two = chain(
        ("weatherapi/search", {"q": "Lisbon"}), ("weatherapi/current_weather", {"q": "$1.coordinates"})
    )
    assert can_replace(other, jobs(two)[step]) is can


def test_a_general_tool_reaches_what_it_says_it_stands_in_for() -> None:
    one = chain(("wiki_search", {"entity": "Jupiter"}), ("get_definition", {"word": "happy"}))
    assert can_replace("Search/EngineSearch/google_search", jobs(one)[0])


def test_calling_others_leaves_the_world_of_a_job_as_it_was() -> None:
    two = chain(
        ("read_file", {"file_path": "notes.txt"}),
        ("write_file", {"text": "$1.text", "file_path": "copy.txt"}),
    )
    job = jobs(two)[1]
    before = job.world.snapshot()
    can_replace("Mail/Mail/send", job)
    assert job.world.diff(before) == {}


JOBS = sorted({job for tool in library().values() for job in tool.facts.jobs})


@pytest.mark.parametrize("job", JOBS)
def test_tools_of_one_job_replace_each_other(job: str) -> None:
    able = [tool.id for tool in library().values() if job in tool.facts.jobs]
    assert len(able) > 1
    assert all(replaces(one, other) for one in able for other in able)


def test_what_a_tool_stands_in_for_exists() -> None:
    known = {
        part for tool in library().values() for part in (tool.id, tool.id.rsplit("/", 1)[0], tool.category)
    }
    named = {part for tool in library().values() for part in tool.facts.stands_in_for}
    assert named - known == {THE_WEB}


@pytest.mark.parametrize(("one", "other", "able"), cases(__file__, "rivals_count_in_both_directions"))
def test_rivals_count_in_both_directions(one: str, other: str, able: bool) -> None:
    assert rivals(one, other) is rivals(other, one) is able


def test_tools_are_near_by_what_they_are_about_not_by_their_category() -> None:
    assert are_near("Finance/Yelp/yelp_search", "Location/Geodatabase/find_places")
    assert not are_near("Finance/Yelp/yelp_search", "Stock/Stock/get_daily_prices")


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
