"""From a reply to calls; a reply that holds none in the wanted form is a `Failure`.

official  the text from the first "[" to the last "]", as a Python literal or else as JSON; every element
          must be an object with api_name, api_id and an object of parameters.
paper     thinking removed, code fence opened, then the whole text or else the first list of calls in it, as
          JSON or Python; bare calls count as a list, a list that breaks off does not; every element needs
          api_name or api_id, and an object of parameters (which may be absent for a call without any).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.core.episodes import WRITTEN
from toolyard.core.nesting import plain_values
from toolyard.core.types import Failure, JsonValue, Profile, Transcript
from toolyard.core.untrusted.json_safe import DECIMAL_BITS
from toolyard.text.parsing import (
    answer_text,
    excerpt,
    json_values,
    read_literal,
    read_plain_json,
    read_python_literal,
)

# A hexadecimal digit is the shortest way to write large numbers.
BITS_OF_A_CHARACTER = 4
# What many chat templates begin a call with; it stands in an answer where the model was not asked natively, or where
# the server did not read it.
TAG = "<tool_call>"
TAGGED = (
    "calls in the tags of a chat template; with --style native the server left them in the text, see certify"
)
NAME, IDENTITY, PARAMETERS, RESPONSES = "api_name", "api_id", "parameters", "responses"


class ParsedCall(NamedTuple):
    """One predicted call, as the reply has it."""

    name: JsonValue
    tool_id: JsonValue
    parameters: Mapping[JsonValue, JsonValue]
    responses: JsonValue = None


Calls: TypeAlias = tuple[ParsedCall, ...]


def parse(sample: NestoolsSample, transcript: Transcript, profile: Profile) -> Calls | Failure:  # noqa: ARG001
    """The calls of a reply under the profile, or why there are none."""
    text = str(transcript.notes.get(WRITTEN) or transcript.text)
    calls = parse_official(text) if profile == "official" else parse_paper(text)
    return Failure("tagged_calls", TAGGED) if isinstance(calls, Failure) and TAG in text else calls


def parse_official(text: str) -> Calls | Failure:
    """What the released evaluator reads."""
    start, stop = text.find("["), text.rfind("]") + 1
    if start < 0 or stop <= start:
        return Failure("not_found", "no bracketed list")
    value = _official_value(text[start:stop])
    if isinstance(value, Failure):
        return value
    if not isinstance(value, list):
        return Failure("not_a_list", type(value).__name__)
    return _each_call(value, _official_call)


def _each_call(
    elements: Iterable[JsonValue], read: Callable[[JsonValue, int], ParsedCall | Failure]
) -> Calls | Failure:
    """The calls in their order, or the failure of the first that cannot be read."""
    calls = []
    for index, element in enumerate(elements):
        call = read(element, index)
        if isinstance(call, Failure):
            return call
        calls.append(call)
    return tuple(calls)


def _official_value(span: str) -> JsonValue | Failure:
    literal = read_plain_json(span)
    if isinstance(literal, Failure):
        literal = read_python_literal(span)
    if not isinstance(literal, Failure):
        return (
            literal
            if _has_decimal_form(literal, span)
            else Failure("too_long", "an integer of thousands of digits")
        )
    if literal.kind in ("too_deep", "too_long"):
        return literal
    try:
        # Not the tolerant reader: the release refuses raw line breaks inside JSON strings.
        found: JsonValue = json.loads(span)
        return found
    except (ValueError, RecursionError) as error:
        return Failure("not_json", excerpt(str(error)))


def _official_call(element: JsonValue, index: int) -> ParsedCall | Failure:
    if not isinstance(element, dict):
        return Failure("not_an_object", f"element {index}")
    missing = [field for field in (NAME, IDENTITY, PARAMETERS) if field not in element]
    if missing:
        return Failure("missing_field", f"element {index} has no {missing[0]}")
    if not isinstance(element[PARAMETERS], dict):
        return Failure("parameters_not_an_object", f"element {index}")
    return ParsedCall(element[NAME], element[IDENTITY], element[PARAMETERS], element.get(RESPONSES))


def parse_paper(text: str) -> Calls | Failure:
    """What a reader of the paper's output contract understands."""
    answer = answer_text(text)
    if isinstance(answer, Failure):
        return answer
    whole = read_literal(answer, lenient=True)
    if not isinstance(whole, Failure):
        return _paper_calls(whole, answer)
    listed = _first_list_of_calls(answer)
    if listed is not None:
        return listed
    # An object after a bracket may be part of a list that breaks off: that is no answer.
    loose = () if "[" in answer.split("{", 1)[0] else _loose_calls(answer)
    return loose or whole


def _first_list_of_calls(answer: str) -> Calls | None:
    """The first list of calls that stands in prose, an empty one only where there is no other."""
    empty: Calls | None = None
    for found in json_values(answer, "[", lenient=True):
        calls = _paper_calls(found.value, answer)
        if isinstance(calls, Failure):
            continue
        if calls:
            return calls
        empty = ()
    return empty


def _loose_calls(answer: str) -> Calls:
    """The calls that stand in prose one by one."""
    found = (_paper_calls(item.value, answer) for item in json_values(answer, "{", lenient=True))
    return tuple(call for calls in found if not isinstance(calls, Failure) for call in calls)


def _paper_calls(value: JsonValue, text: str) -> Calls | Failure:
    elements = [value] if isinstance(value, dict) else value
    if not isinstance(elements, list | tuple):
        return Failure("not_a_list", type(value).__name__)
    if not _has_decimal_form(elements, text):
        return Failure("too_long", "an integer of thousands of digits")
    return _each_call(elements, _paper_call)


def _paper_call(element: JsonValue, index: int) -> ParsedCall | Failure:
    if not isinstance(element, dict):
        return Failure("not_an_object", f"element {index}")
    if NAME not in element and IDENTITY not in element:
        return Failure("missing_field", f"element {index} has neither {NAME} nor {IDENTITY}")
    parameters = element.get(PARAMETERS, {})
    if not isinstance(parameters, dict):
        return Failure("parameters_not_an_object", f"element {index}")
    return ParsedCall(element.get(NAME), element.get(IDENTITY), parameters, element.get(RESPONSES))


def _has_decimal_form(value: JsonValue, text: str) -> bool:
    """Whether every integer of the text has a decimal form; Python refuses those of more than 4,300 digits."""
    if len(text) * BITS_OF_A_CHARACTER < DECIMAL_BITS:
        return True
    numbers = (item for item in plain_values(value) if isinstance(item, int))
    return all(number.bit_length() <= DECIMAL_BITS for number in numbers)
