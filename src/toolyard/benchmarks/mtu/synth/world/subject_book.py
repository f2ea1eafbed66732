"""Subjects: what a dialogue is about, with values that all its requests share, and the requests that go with it.

[[subject]]
name = "city trip"
slots = {town = ["Lisbon", "Rome"], people = [[2, "two"], [3, "three"]]}      shared by all requests of the dialogue
opening = ["{people} of us go to {town}.", ...]                               says all of them, before the first request
[[subject.request]]
call = ["BMTool_Travel/carProducts", {pickup_location = "{town}", exhibit_maxnum = "{count}"}]
slots = {count = [3, 4]}                                                      the request's own
also = ["And {count} rental cars there.", ...]                                goes on from the opening
lacks, open, which, change, reply, known                                      as in `synth.requests.request_book`

Only `MTU-Bench` rows are made of them, no training rows.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolyard.core.errors import DataError
from toolyard.core.types import Record
from toolyard.synth.goals.goal_plans import plan
from toolyard.synth.requests.request_book import Known, UserRequest
from toolyard.world.kernel.registry import library

FOLDER = Path(__file__).parent / "subjects"
# Categories of which a tool is called in OOD only.
OUT_OF_DOMAIN = frozenset({"Competition", "Vehicle", "Animal", "Art", "Social"})
LEAST_OPENINGS, LEAST_PHRASINGS = 2, 3


@dataclass(frozen=True, slots=True)
class Subject:
    """One subject of the book."""

    name: str
    slots: Mapping[str, tuple[Any, ...]]
    opening: tuple[str, ...]
    requests: tuple[UserRequest, ...]

    @property
    def out_of_domain(self) -> bool:
        """Whether it is one of OOD."""
        return any(is_out_of_domain(request.tool) for request in self.requests)


def is_out_of_domain(tool: str) -> bool:
    """Whether the tool is called in OOD only."""
    return library()[tool].category in OUT_OF_DOMAIN


@functools.cache
def subjects() -> tuple[Subject, ...]:
    """All subjects, in the order of the files and of the subjects in them."""
    return tuple(
        _subject(entry)
        for path in sorted(FOLDER.glob("*.toml"))
        for entry in tomllib.loads(path.read_text("utf-8"))["subject"]
    )


def _subject(entry: Record) -> Subject:
    if len(entry["opening"]) < LEAST_OPENINGS:
        raise DataError(f"{entry['name']}: wanted at least {LEAST_OPENINGS} openings")
    requests = tuple(_request(each, entry["name"]) for each in entry["request"])
    return Subject(entry["name"], _slots(entry), tuple(entry["opening"]), requests)


def _slots(entry: Record) -> dict[str, tuple[Any, ...]]:
    return {name: tuple(values) for name, values in entry["slots"].items()}


def _request(entry: Record, subject: str) -> UserRequest:
    where = f"{subject}: {entry['call'][0]}"
    if len(entry["also"]) < LEAST_PHRASINGS:
        raise DataError(f"{where}: {len(entry['also'])} phrasings; wanted at least {LEAST_PHRASINGS}")
    return UserRequest(
        theme=subject,
        step=plan([entry["call"]], where)[0],
        slots=_slots(entry),
        lacks=entry["lacks"],
        ask=tuple(entry["also"]),
        open=tuple(entry.get("open", ())),
        which=tuple(entry.get("which", ())),
        change=tuple(entry.get("change", ())),
        reply=entry["reply"],
        known=tuple(Known(*each) for each in entry.get("known", ())),
    )
