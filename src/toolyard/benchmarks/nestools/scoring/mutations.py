"""Gold answers with one thing changed: wrong ones that `outcome` must refuse, right ones that it must grant."""

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, TypeGuard

from toolyard.benchmarks.nestools.data.rows import accepted_alternatives
from toolyard.benchmarks.nestools.data.sample import NestoolsSample
from toolyard.core.checks import Mutant, Mutations
from toolyard.core.nesting import is_label, labels_in
from toolyard.core.types import JsonValue, Transcript, derived_seed

Calls: TypeAlias = list[dict[str, Any]]
Change: TypeAlias = Callable[[Calls, NestoolsSample, random.Random], Calls | None]


def mutants(sample: NestoolsSample, transcript: Transcript) -> Iterator[Mutant]:
    """Every change that the record allows, each made once."""
    gold = json.loads(transcript.text)
    rng = random.Random(derived_seed(0, sample.id, 0))
    for right, changes in ((False, WRONG), (True, RIGHT)):
        for kind, change in changes.items():
            changed = change(copy.deepcopy(gold), sample, rng)
            if changed is not None and changed != gold:
                text = json.dumps(changed, ensure_ascii=False)
                yield Mutant(kind, right, Transcript.answered(sample.id, text))


def _argument_positions(calls: Calls, wanted: Callable[[JsonValue], bool]) -> list[tuple[int, str]]:
    return [
        (index, name)
        for index, call in enumerate(calls)
        for name, value in call["parameters"].items()
        if wanted(value)
    ]


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str) and not labels_in(value)


def _is_number(value: JsonValue) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _swap_texts(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    places = _argument_positions(calls, _is_text)
    if len(places) < 2:
        return None
    (first, one), (second, other) = rng.sample(places, 2)
    left, right = calls[first]["parameters"][one], calls[second]["parameters"][other]
    # A text that holds the other, or means the same, is no swap.
    if {*left.casefold().split()} & {*right.casefold().split()} or not left.strip() or not right.strip():
        return None
    # Nor is one between two calls that only change places.
    if calls[first]["api_name"] == calls[second]["api_name"] and one == other:
        return None
    calls[first]["parameters"][one], calls[second]["parameters"][other] = right, left
    return calls


def _give_wrong_label(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:
    """A label that is not the value's; one that the record accepts, or that stands for the same, is no change."""
    places = _argument_positions(calls, is_label)
    if not places:
        return None
    index, name = rng.choice(places)
    given = [label for call in calls[:index] for label in call["responses"].values()]
    accepted = accepted_alternatives(sample).of(index).values.get(name, ())
    right = (calls[index]["parameters"][name], *accepted)
    others = [label for label in given if label not in right and [label] not in right]
    if not others:
        return None
    calls[index]["parameters"][name] = rng.choice(others)
    return calls


def _omit_argument(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    places = _argument_positions(calls, lambda _: True)
    if not places:
        return None
    index, name = rng.choice(places)
    del calls[index]["parameters"][name]
    return calls


def _call_unknown_tool(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    return _change_one(calls, rng, lambda value: value != "UNK", lambda _: "UNK")


def _change_one(
    calls: Calls, rng: random.Random, fits: Callable[[JsonValue], bool], change: Callable[[Any], JsonValue]
) -> Calls | None:
    """The calls with one of the arguments that fit changed; None where none fits."""
    places = _argument_positions(calls, fits)
    if not places:
        return None
    index, name = rng.choice(places)
    calls[index]["parameters"][name] = change(calls[index]["parameters"][name])
    return calls


def _give_wrong_number(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    return _change_one(calls, rng, _is_number, lambda number: number + 1)


def _add_surplus_call(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    return [*calls, copy.deepcopy(calls[-1])]


def _drop_last_call(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    return calls[:-1]


def _invent_names(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    return [{**call, "api_name": "delete_all_my_files"} for call in calls]


def _paste_query(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:
    return _change_one(calls, rng, _is_text, lambda _: sample.input["query"])


def _change_everywhere(calls: Calls, change: Callable[[JsonValue], JsonValue]) -> Calls:
    for call in calls:
        call["parameters"] = {name: change(value) for name, value in call["parameters"].items()}
    return calls


def _small_number_as_text(value: JsonValue) -> JsonValue:
    return f"{value}" if _is_number(value) and abs(value) < 1e15 else value


def _write_numbers_as_text(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    return _change_everywhere(calls, _small_number_as_text)


def _upper_case(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    return _change_everywhere(
        calls, lambda value: value.upper() if isinstance(value, str) and _is_text(value) else value
    )


def _rename_all_labels(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    names = {
        label: f"call{index}_{name}"
        for index, call in enumerate(calls)
        for name, label in call["responses"].items()
    }
    for call in calls:
        call["responses"] = {name: names[label] for name, label in call["responses"].items()}
    return _change_everywhere(calls, lambda value: _rename_labels(value, names))


def _label_by_tool(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    tools = [call["api_name"] for call in calls]
    if len(set(tools)) < len(tools):
        return None
    names = {
        label: f"{call['api_name']}.{name}" for call in calls for name, label in call["responses"].items()
    }
    return _change_everywhere(calls, lambda value: _rename_labels(value, names))


def _renumber_labels(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    """Other label numbers, and the last call first of those that have what they need."""
    order: Calls = []
    while len(order) < len(calls):
        made = {label for call in order for label in call["responses"].values()}
        left = [call for call in calls if call not in order]
        ready = [call for call in left if made.issuperset(labels_in(call["parameters"]))]
        if not ready:
            return None
        order.append(ready[-1])
    labels = [label for call in order for label in call["responses"].values()]
    names = {label: f"API_call_{number + len(labels)}" for number, label in enumerate(labels)}
    for call in order:
        call["responses"] = {name: names[label] for name, label in call["responses"].items()}
    return _change_everywhere(order, lambda value: _rename_labels(value, names))


def _change_several(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:
    """Numbers as text, one text in lower case, other label numbers and another order at once."""
    texts = _write_numbers_as_text(calls, sample, rng) or calls
    places = _argument_positions(texts, _is_text)
    if places:
        index, name = rng.choice(places)
        texts[index]["parameters"][name] = f" {texts[index]['parameters'][name].lower()}"
    return _renumber_labels(texts, sample, rng)


def _join_two_values(calls: Calls, sample: NestoolsSample, rng: random.Random) -> Calls | None:  # noqa: ARG001
    """A text with the one behind it that another call has in the same place: two cities at once."""
    places = _argument_positions(calls, _is_text)
    pairs = [
        (place, other)
        for place in places
        for other in places
        if place[1] == other[1]
        # A code beside a name ("Dubai, DXB") may be one place.
        and _text_at(calls, place).isupper() == _text_at(calls, other).isupper()
        and not {*_text_at(calls, place).casefold().split()} & {*_text_at(calls, other).casefold().split()}
    ]
    if not pairs:
        return None
    (index, name), other = rng.choice(pairs)
    calls[index]["parameters"][name] += f", {_text_at(calls, other)}"
    return calls


def _text_at(calls: Calls, place: tuple[int, str]) -> str:
    return str(calls[place[0]]["parameters"][place[1]])


def _rename_labels(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    """The value under other labels, those in lists included."""
    if isinstance(value, list):
        return [_rename_labels(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


WRONG: Mapping[str, Change] = {
    "texts swapped": _swap_texts,
    "another label": _give_wrong_label,
    "argument left out": _omit_argument,
    "argument unknown": _call_unknown_tool,
    "another number": _give_wrong_number,
    "surplus call": _add_surplus_call,
    "missing call": _drop_last_call,
    "invented names, right ids": _invent_names,
    "query pasted": _paste_query,
    "two values joined": _join_two_values,
}
RIGHT: Mapping[str, Change] = {
    "numbers as text": _write_numbers_as_text,
    "upper case": _upper_case,
    "labels of its own": _rename_all_labels,
    "tool.value as label": _label_by_tool,
    "other label numbers and order": _renumber_labels,
    "several differences at once": _change_several,
}
MUTATIONS = Mutations(mutants, "outcome")
