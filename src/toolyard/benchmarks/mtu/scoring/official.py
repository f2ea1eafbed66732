"""The released scorer, figure for figure: its two parsers, its parameter comparison, its row figures.

Kept as it is, defects included, with only the five repairs that let it run (specification 2.1, P1-P5):
an unparsable single call is no call, a repeated tool keeps its last arguments at its first place, the
predicted order is lost, calls outside the gold ones cost nothing, values match as substrings.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import cos, pi

from toolyard.benchmarks.mtu.scoring.calls import Call
from toolyard.core.types import JsonValue
from toolyard.text.counted_nouns import ONES

NO_CALL: tuple[Call, ...] = ()
_DIGIT_WORDS = str.maketrans(dict(zip("0123456789", ONES, strict=True)))
_QUOTES = re.compile(r"\\?'")


@dataclass(frozen=True, slots=True)
class ToolFigures:
    """TN and TO of one row."""

    number: float
    order: float


def parse_single(text: str) -> tuple[Call, ...]:
    """The one call of a single-tool answer; no call where anything about it cannot be read."""
    text = _broken_at_actions(text)
    if "\nAction:" not in text or "\nAction Input:" not in text:
        return NO_CALL
    name = text.split("\nAction:")[1].split("\nAction Input:")[0].strip()
    arguments = _single_arguments(text.split("\nAction Input:")[1])
    if arguments is None or "None" in name:
        return NO_CALL
    return (Call(name.split(",")[0].strip(), arguments),)


def begins_call(text: str) -> bool:
    """Whether a single-tool answer names an Action other than None, readable or not."""
    _, marker, rest = _broken_at_actions(text).partition("\nAction:")
    return bool(marker) and "None" not in rest.split("\nAction Input:")[0]


def _broken_at_actions(text: str) -> str:
    text = text.replace("Action", "\nAction")
    return text.replace("Action Input", "\nAction Input").replace("\n\n", "\n")


def _single_arguments(text: str) -> dict[str, JsonValue] | None:
    # One closing brace is always put back, so that an object broken off before its own is still read.
    text = _lowered_booleans(text.rsplit("}", 1)[0].replace("\n", "") + "}")
    start = text.find("{")
    # Up to the first closing brace, so that a nested object is cut in two and cannot be read.
    end = text.find("}", start)
    if start < 0:
        return None
    text = text[start : end + 1]
    arguments = _json_object(text)
    if arguments is None:
        arguments = _json_object(_QUOTES.sub(lambda quote: '"' if quote.group() == "'" else "\\\\'", text))
    return arguments


def _lowered_booleans(text: str) -> str:
    return text.replace("True", "true").replace("False", "false")


def _json_object(text: str) -> dict[str, JsonValue] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def parse_multi(text: str) -> tuple[Call, ...]:
    """The calls of a multi-tool answer; arguments that cannot be read are empty."""
    text = _broken_at_actions(text)
    # Where the answer opens with an empty thought, this takes the word out of every later place too.
    thought = "Thought: " + text.split("\nAction")[0].replace("Thought: ", "")
    calls: dict[str, dict[str, JsonValue]] = {}
    for block in text.replace(thought, "").split("\nAction: ")[1:]:
        if "The name of the API to be called." in block:
            continue
        block = block.split("Please provide your")[0]
        name = block.split("\nAction Input")[0].strip().replace('"', "")
        calls[name] = _multi_arguments(block)
    return tuple(Call(name, arguments) for name, arguments in calls.items())


def _multi_arguments(block: str) -> dict[str, JsonValue]:
    _, found, text = block.partition("\nAction Input:")
    if not found:
        return {}
    text = text.split("\nAction Input:")[0].strip().replace("\n  ", "")
    return _json_object(_lowered_booleans(text.split("}")[0] + "}")) or {}


def are_same_arguments(inner: Mapping[str, JsonValue], outer: Mapping[str, JsonValue]) -> bool:
    """Whether both have the same keys and each inner value is a part of the outer one."""
    inner, outer = _comparable_texts(inner), _comparable_texts(outer)
    if len(inner) != len(outer):
        return False
    return all(
        key in outer and _normalise_text(value) in _normalise_text(outer[key]) for key, value in inner.items()
    )


def _comparable_texts(arguments: Mapping[str, JsonValue]) -> dict[str, str]:
    texts = {key: _text_of_value(value).lower() for key, value in arguments.items()}
    return {key: text for key, text in texts.items() if text != "hotel"}


def _text_of_value(value: JsonValue) -> str:
    try:
        return str(value)
    except ValueError:
        # Python refuses to print integers of more than 4300 digits; hexadecimal has no such limit.
        return hex(value) if isinstance(value, int) else ""


def _normalise_text(text: str) -> str:
    text = text.replace("my ", "").translate(_DIGIT_WORDS)
    return text.replace("findprovider.", "bookappointment.").replace("today", "monday")


def is_tool_right(predicted: Sequence[Call], gold: Sequence[Call]) -> bool:
    """TS of a single-tool row: the first predicted tool is the gold one, or there is neither."""
    return _first_call(predicted).name == _first_call(gold).name


def is_call_right(predicted: Sequence[Call], gold: Sequence[Call]) -> bool:
    """PS of a single-tool row; the prediction may say more than the gold value."""
    return is_tool_right(predicted, gold) and are_same_arguments(
        _first_call(gold).arguments, _first_call(predicted).arguments
    )


def _first_call(calls: Sequence[Call]) -> Call:
    return calls[0] if calls else Call("")


def tool_figures(predicted: Sequence[Call], gold: Sequence[Call]) -> ToolFigures:
    """TN and TO of a multi-tool row; here the gold value may say more than the prediction."""
    called = {call.name.strip(): call.arguments for call in predicted}
    wanted = {call.name.strip(): call.arguments for call in gold}
    if not called or not wanted:
        both = float(not called and not wanted)
        return ToolFigures(both, both)
    # In gold order and without foreign calls: this is where the predicted order is lost.
    sequence = [
        name if are_same_arguments(called[name], arguments) else name + "wrong"
        for name, arguments in wanted.items()
        if name in called
    ]
    names = list(wanted)
    union = set(sequence) | set(names)
    return ToolFigures(len(set(sequence) & set(names)) / len(union), block_order(sequence, names))


def block_order(sequence: Sequence[str], gold: Sequence[str]) -> float:
    """TO by the longest contiguous block that both share, decayed by where it starts in `sequence`."""
    if list(sequence) == list(gold):
        return 1.0
    if not sequence:
        return 0.0
    block = SequenceMatcher(None, gold, sequence).find_longest_match(0, len(gold), 0, len(sequence))
    return cos(pi / 2 * block.b / len(sequence)) * block.size / len(gold)
