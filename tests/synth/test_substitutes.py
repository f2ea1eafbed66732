"""Which tool can be called in place of a step is found out by calling it."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.synth.chains.chain import Chain, execute
from toolyard.synth.chains.projection import returned
from toolyard.synth.chains.substitutes import does, jobs
from toolyard.synth.goals.goal_plans import plan


def chain(*calls: Any) -> Chain:
    done = execute(plan([list(call) for call in calls], "here"), 0, returned)
    assert isinstance(done, Chain), done
    return done


@pytest.mark.parametrize(
    ("other", "step", "can"),
    [
        # returns the same coordinates
        ("Weather/weatherapi/search", 0, True),
        # another service that names the same job
        ("Weather/openweathermap/current_weather", 1, True),
        # a sibling that is about something else
        ("Weather/weatherapi/astronomy_info", 1, False),
        ("Weather/weatherapi/marine", 1, False),
        ("Weather/weatherapi/time_zone", 0, False),
    ],
)
def test_a_tool_does_the_job_of_a_step_or_not(other: str, step: int, can: bool) -> None:
    two = chain(
        ("weatherapi/search", {"q": "Lisbon"}), ("weatherapi/current_weather", {"q": "$1.coordinates"})
    )
    assert does(other, jobs(two)[step]) is can


def test_a_general_tool_reaches_what_it_says_it_stands_in_for() -> None:
    one = chain(("wiki_search", {"entity": "Jupiter"}), ("get_definition", {"word": "happy"}))
    assert does("Search/EngineSearch/google_search", jobs(one)[0])


def test_calling_others_leaves_the_world_of_a_job_as_it_was() -> None:
    two = chain(
        ("read_file", {"file_path": "notes.txt"}),
        ("write_file", {"text": "$1.text", "file_path": "copy.txt"}),
    )
    job = jobs(two)[1]
    before = job.world.snapshot()
    does("Mail/Mail/send", job)
    assert job.world.diff(before) == {}
