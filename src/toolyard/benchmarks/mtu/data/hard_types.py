"""Hard types of turns by decidable rules: the six of Table 8, and the four that only the text names.

extensive_parameters  a gold call with more than six parameters
nonsensical_names     a listed tool whose name means nothing (`eee`, `xyz`)
specific_values       a gold value that the document restricts and the user did not say in those words
inability             a single turn in which nothing is to be called
interaction           more than four calls in one turn
inheritance           a gold value that only the history holds
confusable            a gold tool beside one that differs in its verb or in a few letters
noisy                 at least half of the listed tools have nothing to do with the request
many_tools            ten tools or more
updated_parameters    a gold tool called before with the same parameter at another value
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from toolyard.benchmarks.mtu.data.sample import MtuSample
from toolyard.benchmarks.mtu.scoring.baselines import tool_names
from toolyard.benchmarks.mtu.scoring.calls import Call, calls_of
from toolyard.benchmarks.mtu.scoring.value_sources import REFERENCE, prompt_values
from toolyard.core.cache_by_object import PerObject
from toolyard.core.types import JsonValue, Record
from toolyard.text.canonical_values import values_equal
from toolyard.text.names import name_words

MANY_PARAMETERS = 6
MANY_CALLS = 4
MANY_TOOLS = 10
CONFUSABLE = 80.0
_RESTRICTED = re.compile(r"format|choose|one of|must be|YYYY|HH:MM|options|either|\benum\b", re.IGNORECASE)
_COMMON = frozenset([
    "this", "that", "with", "from", "your", "have", "what", "will", "would", "could", "please", "want", "need",
    "like", "some", "there", "about", "them", "they", "tool", "used", "user", "given", "information", "based",
    "specific", "such", "which", "other", "more", "than", "also", "then", "when", "where",
])  # fmt: skip


def hard_types(sample: MtuSample) -> tuple[str, ...]:
    """The hard types of one turn, in the order above."""
    calls = calls_of(sample.gold["calls"])
    return tuple(name for name, rule in RULES.items() if rule(sample, calls))


def _has_many_parameters(sample: MtuSample, calls: tuple[Call, ...]) -> bool:  # noqa: ARG001
    return any(len(call.arguments) > MANY_PARAMETERS for call in calls)


def _has_nonsense_tool(sample: MtuSample, calls: tuple[Call, ...]) -> bool:  # noqa: ARG001
    return any(map(_is_nonsense, sample.input["tools"]))


def is_nonsense(document: Record) -> bool:
    """Whether a tool's name is no word, and no word of its description either."""
    if not isinstance(document, Mapping):
        return False
    words = name_words(str(document.get("name", "")))
    described = set(re.findall(r"[a-z]+", str(document.get("description", "")).lower()))
    return bool(words) and all(_is_no_word(word) and word not in described for word in words)


# The turns of a dialogue share their documents.
_is_nonsense: PerObject[Record, bool] = PerObject(is_nonsense)


@lru_cache(maxsize=4096)
def _words_of_name(name: str) -> tuple[str, ...]:
    return tuple(name_words(name))


def _is_no_word(word: str) -> bool:
    letters = set(word)
    run = all(ord(second) - ord(first) == 1 for first, second in pairwise(word))
    return len(word) <= 5 and (len(letters) == 1 or run or not letters & set("aeiouy"))


def _is_specific(sample: MtuSample, calls: tuple[Call, ...]) -> bool:
    ground = prompt_values(sample.input)
    user = sample.input["user"].lower()
    for call in calls:
        restricted = set(_restricted_parameters(sample.input["tools"], call.name))
        for key, value in call.arguments.items():
            texts = value if isinstance(value, list) else [value]
            unsaid = any(isinstance(text, str) and text.lower() not in user for text in texts)
            if key in restricted and unsaid and not ground.is_only_in_history(value):
                return True
    return False


def _restricted_parameters(documents: Sequence[Record], name: str) -> Iterator[str]:
    """The parameters of a tool whose values the document limits."""
    for parameter in tool_inputs(documents, name):
        limits = ("choices", "enum", "options", "format", "pattern")
        limited = any(parameter.get(key) for key in limits)
        if limited or _RESTRICTED.search(str(parameter.get("description", ""))):
            yield str(parameter.get("name"))


def tool_inputs(documents: Sequence[Record], name: str) -> Iterator[Record]:
    """The parameters of a tool as objects, in whichever of the three ways they are written."""
    for document in documents:
        if not isinstance(document, Mapping) or document.get("name") != name:
            continue
        for section in ("required_parameters", "optional_parameters"):
            written = document.get(section) or []
            if isinstance(written, Mapping):
                written = [{"name": key, "default": value} for key, value in written.items()]
            for entry in written:
                yield entry if isinstance(entry, Mapping) else {"name": entry}


def _needs_no_call(sample: MtuSample, calls: tuple[Call, ...]) -> bool:
    return not calls and sample.input["kind"][0] == "S"


def _word_overlap_flags(sample: MtuSample) -> Iterator[bool]:
    """For each listed tool, whether its name shares a word with the request."""
    said = {_stem_of(word) for word in re.findall(r"[a-z]+", sample.input["user"].lower()) if len(word) > 3}
    for name in tool_names(sample.input["tools"]):
        words = {_stem_of(word) for word in _words_of_name(name) if len(word) > 3}
        yield bool((words & said) - _COMMON)


def _stem_of(word: str) -> str:
    return word[:5] if len(word) > 5 else word.removesuffix("s")


def _has_many_calls(sample: MtuSample, calls: tuple[Call, ...]) -> bool:  # noqa: ARG001
    return len(calls) > MANY_CALLS


def _inherits_value(sample: MtuSample, calls: tuple[Call, ...]) -> bool:
    ground = prompt_values(sample.input)
    values = [value for call in calls for value in call.arguments.values()]
    return any(
        not isinstance(value, bool)
        and not (isinstance(value, str) and REFERENCE.fullmatch(value))
        and ground.is_only_in_history(value)
        for value in values
    )


def _has_confusable_tool(sample: MtuSample, calls: tuple[Call, ...]) -> bool:
    listed = tool_names(sample.input["tools"])
    return any(_are_alike(call.name, other) for call in calls for other in listed if other != call.name)


@lru_cache(maxsize=4096)
def _are_alike(first: str, second: str) -> bool:
    from rapidfuzz.fuzz import ratio

    a, b = _words_of_name(first), _words_of_name(second)
    same_object = (
        len(a) > 1 and len(b) > 1 and [_stem_of(word) for word in a[1:]] == [_stem_of(word) for word in b[1:]]
    )
    return same_object or ratio(first.lower(), second.lower()) >= CONFUSABLE


def _has_foreign_tools(sample: MtuSample, calls: tuple[Call, ...]) -> bool:
    wanted = {call.name for call in calls}
    names = tool_names(sample.input["tools"])
    before = {call["name"] for turn in sample.input["history"] for call in turn["calls"]}
    foreign = [
        name
        for name, related in zip(names, _word_overlap_flags(sample), strict=True)
        if not related and name not in wanted | before
    ]
    return bool(wanted) and len(foreign) * 2 >= len(names)


def _has_many_tools(sample: MtuSample, calls: tuple[Call, ...]) -> bool:  # noqa: ARG001
    return len(sample.input["tools"]) >= MANY_TOOLS


def _has_updated_parameters(sample: MtuSample, calls: tuple[Call, ...]) -> bool:
    for call in calls:
        for turn in sample.input["history"]:
            for past in turn["calls"]:
                if past["name"] == call.name and _changes_value(past["arguments"] or {}, call.arguments):
                    return True
    return False


def _changes_value(past: Mapping[str, JsonValue], now: Mapping[str, JsonValue]) -> bool:
    return any(key in past and not values_equal(past[key], value) for key, value in now.items())


TABLE_8 = (
    "extensive_parameters", "nonsensical_names", "specific_values", "inability", "interaction", "inheritance",
)  # fmt: skip
RULES: Mapping[str, Callable[[MtuSample, tuple[Call, ...]], bool]] = {
    "extensive_parameters": _has_many_parameters,
    "nonsensical_names": _has_nonsense_tool,
    "specific_values": _is_specific,
    "inability": _needs_no_call,
    "interaction": _has_many_calls,
    "inheritance": _inherits_value,
    "confusable": _has_confusable_tool,
    "noisy": _has_foreign_tools,
    "many_tools": _has_many_tools,
    "updated_parameters": _has_updated_parameters,
}
