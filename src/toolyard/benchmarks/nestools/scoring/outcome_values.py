"""When a predicted argument does what gold's does: by the flow of return values, by meaning, by the query's words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from toolyard.benchmarks.nestools.data.rows import nested_calls
from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.benchmarks.nestools.scoring.value_equality import normal_text
from toolyard.core.cache_by_object import PerObject
from toolyard.core.nesting import LABEL, ReturnValue, is_label, label_producers, labels_in, texts_in
from toolyard.core.types import JsonValue
from toolyard.text.canonical_values import are_other_numbers, values_equal
from toolyard.text.counted_nouns import SMALL_NUMBERS, TENS
from toolyard.text.json_values import leaves
from toolyard.text.names import name_words
from toolyard.text.paraphrase import (
    STOP_WORDS,
    joined_items,
    said_instead,
    same_but_plural,
    says_more,
    stem_of_word,
    words_of,
)
from toolyard.text.synonyms import same_thing

LONGEST_LABEL = 80
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_ORDER = re.compile(r"\border\b|\bone after (?:the other|another)\b|\beach\b|\bfirst one\b", re.IGNORECASE)
# "NGC 6946" and "NGC6946"
_GAP = re.compile(r"(?<=[^\W\d_])[\s-]+(?=\d)")
_AROUND = " \t\n{}<>[]()$`\"'"
_TYPES = frozenset({"str", "int", "float", "list", "bool", "dict", "string", "integer", "number", "array"})


@dataclass(frozen=True)
class Query:
    """What a record asks, made ready once."""

    sample: NestoolsSample

    @cached_property
    def text(self) -> str:
        """The query."""
        return str(self.sample.input["query"])

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words."""
        return frozenset(words_of(self.text))

    @cached_property
    def tool_name_words(self) -> frozenset[str]:
        """The words that the wanted tools are called by: a search for airports may be given "Narita airport"."""
        return frozenset(
            word for call in self.sample.gold["calls"] for word in name_words(str(call["api_name"]))
        )

    @cached_property
    def producers(self) -> dict[str, ReturnValue]:
        """Where each gold label comes from."""
        return label_producers(nested_calls(self.sample.gold["calls"]))

    @cached_property
    def return_names(self) -> dict[ReturnValue, str]:
        """The declared names of gold's return values."""
        returns = {tool["api_name"]: list(tool["responses"]) for tool in self.sample.input["tools"]}
        return {
            ReturnValue(index, place): name
            for index, call in enumerate(self.sample.gold["calls"])
            for place, name in enumerate(returns.get(call["api_name"], ()))
        }

    @cached_property
    def _literals(self) -> list[tuple[str, str]]:
        """Every text that gold takes from the query, with its parameter."""
        return [
            (name, text)
            for call in self.sample.gold["calls"]
            for name, value in call["parameters"].items()
            if not labels_in(value)
            for text in (*texts_in(value), *_spoken_numbers(value))
        ]

    @cached_property
    def _documents(self) -> frozenset[str]:
        """The stems of what the wanted tools are called and say they do."""
        wanted = {call["api_name"] for call in self.sample.gold["calls"]}
        said = [
            f"{tool['api_name'].replace('_', ' ')} {tool['api_description']}"
            for tool in self.sample.input["tools"]
            if tool["api_name"] in wanted
        ]
        return frozenset(stem_of_word(word) for text in said for word in words_of(text))

    @cached_property
    def ordered_parameters(self) -> frozenset[str]:
        """The parameters of wanted tools whose documents say that the order of a list counts."""
        wanted = {call["api_name"] for call in self.sample.gold["calls"]}
        return frozenset(
            name
            for tool in self.sample.input["tools"]
            if tool["api_name"] in wanted
            for name, entry in tool["parameters"].items()
            if _ORDER.search(f"{tool['api_description']} {entry}")
        )

    def taken(self, gold: str) -> frozenset[str]:
        """The words of gold's other texts."""
        own = frozenset(words_of(gold))
        return frozenset(word for _, text in self._literals if text != gold for word in words_of(text)) - own

    def explained_stems(self, gold: str) -> frozenset[str]:
        """The stems that other values and the tools' documents account for."""
        return frozenset(map(stem_of_word, self.taken(gold))) | self._documents

    def is_label(self, text: str) -> bool:
        """Whether what an answer wrote under `responses` can name a return value: new, and no copied document."""
        if is_label(text):
            return True
        plain = text.strip()
        if not 1 < len(plain) <= LONGEST_LABEL or plain.casefold() in ("unk", "none", "null"):
            return False
        return plain.casefold() not in _TYPES and f" {plain.casefold()} " not in f" {self.text.casefold()} "


def _spoken_numbers(value: JsonValue) -> list[str]:
    """The numbers of a value, as people write and say them."""
    numbers = [leaf for leaf in leaves(value) if isinstance(leaf, int | float) and not isinstance(leaf, bool)]
    words = {float(number): word for word, number in {**SMALL_NUMBERS, **TENS}.items()}
    return [*map(str, numbers), *(words[number] for number in numbers if number in words)]


query_of: PerObject[NestoolsSample, Query] = PerObject(Query)


@dataclass(frozen=True, slots=True)
class Flow:
    """What a predicted call may refer to: the labels of the calls before it."""

    known: Mapping[str, tuple[int, frozenset[int]]]

    def source(self, value: str) -> tuple[int, frozenset[int]] | None:
        """The call and return values that a text names, None where it names none."""
        for text in (value, value.strip(_AROUND)):
            if text in self.known:
                return self.known[text]
        head, _, field = value.strip(_AROUND).partition(".")
        return self.known.get(head) if field else None


def same_value(
    gold: JsonValue, given: JsonValue, name: str, flow: Flow, matched: Mapping[int, int], query: Query
) -> bool:
    """Whether the argument does what gold's does; `matched` says which gold call an earlier one stands for."""
    if labels_in(gold):
        return _same_flow(gold, given, name, flow, matched, query)
    if isinstance(gold, str | int | float) and type(gold) is type(given) and gold == given:
        return True
    if isinstance(given, str) and flow.source(given) is not None and not isinstance(gold, dict):
        return isinstance(gold, str) and normal_text(gold) == normal_text(given)
    if isinstance(gold, list) and isinstance(given, str) and all(isinstance(item, str) for item in gold):
        given = joined_items(given, len(gold))
    if isinstance(gold, str) and isinstance(given, list | tuple) and len(given) == 1:
        given = given[0]
    if isinstance(gold, list) and isinstance(given, list | tuple):
        return _same_list(gold, list(given), name, flow, matched, query)
    if isinstance(gold, dict) or isinstance(given, dict | list | tuple):
        return values_equal(given, gold)
    return _means_the_same(gold, given, name, query)


def _same_flow(
    gold: JsonValue, given: JsonValue, name: str, flow: Flow, matched: Mapping[int, int], query: Query
) -> bool:
    if isinstance(gold, list):
        ours = list(given) if isinstance(given, list | tuple) else [given]
        return _same_list(gold, ours, name, flow, matched, query)
    if isinstance(given, list | tuple) and len(given) == 1:
        given = given[0]
    if not isinstance(gold, str) or not isinstance(given, str):
        return False
    if not is_label(gold):
        return _same_text_with_labels(gold, given, name, flow, matched, query)
    wanted, source = query.producers.get(gold), flow.source(given)
    if wanted is None or source is None:
        return False
    call, places = source
    if matched.get(call) != wanted.call or wanted.position not in places:
        return False
    # One label for all that a call returns means the value that has the parameter's own name.
    return len(places) == 1 or query.return_names.get(wanted) == name


def _same_text_with_labels(
    gold: str, given: str, name: str, flow: Flow, matched: Mapping[int, int], query: Query
) -> bool:
    """A text around labels: the same words, and every label the same flow."""
    wanted, made = LABEL.findall(gold), LABEL.findall(given)
    plain = [normal_text(LABEL.sub(" ", text)) for text in (gold, given)]
    return (
        plain[0] == plain[1]
        and len(wanted) == len(made)
        and all(
            _same_flow(want, ours, name, flow, matched, query)
            for want, ours in zip(wanted, made, strict=True)
        )
    )


def _same_list(
    gold: list[JsonValue],
    given: list[JsonValue],
    name: str,
    flow: Flow,
    matched: Mapping[int, int],
    query: Query,
) -> bool:
    """Item by item; texts in any order, unless documents speak of one, numbers in theirs."""
    if len(gold) != len(given):
        return False
    if name in query.ordered_parameters or not all(isinstance(item, str) for item in gold):
        pairs = zip(gold, given, strict=True)
        return all(same_value(want, made, name, flow, matched, query) for want, made in pairs)
    left = list(given)
    for want in gold:
        found = next((made for made in left if same_value(want, made, name, flow, matched, query)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _means_the_same(gold: JsonValue, given: JsonValue, name: str, query: Query) -> bool:
    if isinstance(gold, str) and isinstance(given, str) and normal_text(gold) == normal_text(given):
        return True
    if values_equal(given, gold):
        return True
    if isinstance(given, str) and isinstance(gold, int | float) and not isinstance(gold, bool):
        return _same_amount(gold, given, query)
    if isinstance(gold, str) and isinstance(given, int | float) and not isinstance(given, bool):
        return _same_amount(given, gold, query)
    if not isinstance(gold, str) or not isinstance(given, str) or are_other_numbers(gold, given):
        return False
    if _GAP.sub("", normal_text(given)) == _GAP.sub("", normal_text(gold)):
        return True
    if same_but_plural(given, gold) or same_thing(given, gold, name):
        return True
    idle = query.tool_name_words.union(name_words(name))
    return says_more(given, gold, query.words | idle, query.taken(gold), query.text, idle) or said_instead(
        given, gold, query.text, query.explained_stems(gold)
    )


def _same_amount(number: float, text: str, query: Query) -> bool:
    """A number and the same one with its unit, in words of the query: 1500 and "$1500 per month"."""
    found = _NUMBER.findall(text)
    if len(found) != 1:
        return False
    rest = [word for word in words_of(_NUMBER.sub(" ", text)) if word not in STOP_WORDS]
    return values_equal(found[0], number) and all(word in query.words for word in rest)
