"""Subjects of dialogues: shared values, and the requests that belong together.

[[subject]]
name = "city trip"
slots = {town = ["Lisbon", "Rome"], people = [[2, "two"], [3, "three"]]}      shared by all requests of the dialogue
opening = ["{people} of us go to {town}.", ...]                               said before the first request
[[subject.request]]
call = ["BMTool_Travel/carProducts", {pickup_location = "{town}", exhibit_maxnum = "{count}"}]
slots = {count = [3, 4]}                                                      the request's own
also = ["And {count} rental cars there.", ...]                                goes on from the opening
lacks, open, which, change, reply, known                                      as in `synth.requests.request_book`

A dialogue opens with what its requests need and no more: some openings say one shared value, others all of them. A reply
or an answer may name any returned value by its path: `{items[0].price.amount}`. `together` is how many of its requests
somebody would make in one breath. Nothing may be asked back for that its tool's document does not require.

Only `MTU-Bench` rows are made of them, no training rows.
"""

import functools
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolyard.core.errors import DataError
from toolyard.core.types import JsonValue, Record
from toolyard.synth.chains.chain import PlannedStep, ResultReference
from toolyard.synth.requests.request_book import UserRequest, read_request, read_slots
from toolyard.text.json_values import leaves
from toolyard.world.kernel.registry import library

FOLDER = Path(__file__).parent / "subjects"
# Categories of which a tool is called in OOD only.
OUT_OF_DOMAIN = frozenset({"Competition", "Vehicle", "Animal", "Art", "Social"})
# Parameters that nobody talks about: a request or goal that gives one of them a value is not used in a dialogue.
TECHNICAL = frozenset(
    {
        *("page", "offset", "start", "from_", "lang", "locale", "device", "dataType", "format", "fields"),
        *("media", "entity", "attribute", "explicit", "memberType", "league", "sortorder", "max_length"),
        *("photo_size", "aqi", "addProductInformation", "includeVirtualCards", "show_unofficial"),
        *("fulldata", "series_type"),
    }
)
# Parameters that today's date fills, which every prompt shows; tools for what anybody sees without them.
DATED, BY_HEAD = frozenset({"year"}), frozenset({"Stock/Stock/add_date", "NLP/NLP/sentiment_analysis"})
LEAST_OPENINGS, LEAST_PHRASINGS, TOGETHER = 2, 3, 2


@dataclass(frozen=True, slots=True)
class Subject:
    """One subject of the book."""

    name: str
    slots: Mapping[str, tuple[JsonValue, ...]]
    opening: tuple[str, ...]
    requests: tuple[UserRequest, ...]
    together: int

    def openings_for(self, requests: Iterable[UserRequest]) -> list[str]:
        """The openings that say the shared values which these requests take and do not say, with the fewest others."""
        asked = list(requests)
        needed = {slot for slot in self.slots for request in asked if _is_needed(slot, request)}
        said = {text: {slot for slot in self.slots if _is_said(slot, text)} for text in self.opening}
        fitting = [text for text in self.opening if said[text] >= needed]
        fewest = min((len(said[text]) for text in fitting), default=0)
        return [text for text in fitting if len(said[text]) == fewest]

    @property
    def out_of_domain(self) -> bool:
        """Whether it is one of OOD."""
        return any(is_out_of_domain(request.tool) for request in self.requests)


def _is_said(slot: str, text: str) -> bool:
    return any(f"{{{name}}}" in text for name in slot.split("+"))


def _is_needed(slot: str, request: UserRequest) -> bool:
    """Whether a request takes a value of the slot, and one of its phrasings does not say it."""
    taken = _is_said(slot, str([*request.step.arguments.values()]))
    return taken and not all(_is_said(slot, text) for text in (*request.ask, *request.open))


def technical(steps: Sequence[PlannedStep]) -> list[str]:
    """What nobody asks for: tools for what is known at sight, and parameters that a user would have to state."""
    return [step.tool for step in steps if step.tool in BY_HEAD] + [
        name
        for step in steps
        for name, given in step.arguments.items()
        if name in TECHNICAL and not isinstance(given, ResultReference)
    ]


def is_out_of_domain(tool: str) -> bool:
    """Whether the tool is called in OOD only."""
    return library()[tool].category in OUT_OF_DOMAIN


@functools.cache
def subjects() -> tuple[Subject, ...]:
    """All subjects, in the order of the files and of the subjects in them."""
    return tuple(
        _read_subject(entry)
        for path in sorted(FOLDER.glob("*.toml"))
        for entry in tomllib.loads(path.read_text("utf-8"))["subject"]
    )


def _read_subject(entry: Record) -> Subject:
    if len(entry["opening"]) < LEAST_OPENINGS:
        raise DataError(f"{entry['name']}: wanted at least {LEAST_OPENINGS} openings")
    requests = tuple(_read_request(each, entry) for each in entry["request"])
    slots = read_slots(entry)
    shared = _slot_names(slots)
    for request in requests:
        if again := shared & _slot_names(request.slots):
            raise DataError(
                f"{entry['name']}: {request.tool} draws {min(again)} again, which all requests share"
            )
    return Subject(entry["name"], slots, tuple(entry["opening"]), requests, entry.get("together", TOGETHER))


def _slot_names(slots: Iterable[str]) -> set[str]:
    return {name for slot in slots for name in slot.split("+")}


def _read_request(entry: Record, subject: Record) -> UserRequest:
    where = f"{subject['name']}: {entry['call'][0]}"
    request = read_request(entry, subject["name"], entry["also"], LEAST_PHRASINGS, where)
    if unsaid := technical([request.step]):
        raise DataError(f"{where}: nobody talks about {unsaid[0]}; leave it out or drop the request")
    if needless := _needless_question(request, "\n".join(subject["opening"])):
        raise DataError(f"{where}: {needless} need not be asked back for; drop `open`")
    return request


def _needless_question(request: UserRequest, opening: str) -> str | None:
    """A parameter that is asked back for, though the call can do without it, or an opening or today's date tells it."""
    slots = [f"{{{slot}}}" for slot in request.lacks.split("+")]
    told = any(str(value) in opening for value in leaves(request.slots.get(request.lacks)))
    for item in library()[request.tool].document.parameters if request.open else ():
        needless = not item.required or "empty" in str(item.schema.get("description")) or item.name in DATED
        if (told or needless) and any(slot in str(request.step.arguments.get(item.name)) for slot in slots):
            return item.name
    return None
