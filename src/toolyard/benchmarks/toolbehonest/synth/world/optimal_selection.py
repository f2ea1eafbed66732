"""Optimal selection: tools of nearly the same function, constraints that one of them meets, and as many that none meets.

Whether a tool meets a constraint is read off its document: a parameter that it takes, or a field that it returns.
A feature names besides the tools that `perhaps` have it: with these nothing is proven, so no choice rests on their
having it or not. `of` names the things of which one would ask it, where that is not all. What anybody can do with the
answers of all (count, sort, leave out) is no feature.
"""

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from random import Random

from toolyard.benchmarks.toolbehonest.synth.world.executed_plans import to_json
from toolyard.benchmarks.toolbehonest.synth.world.listed_tools import offered_tools
from toolyard.benchmarks.toolbehonest.synth.world.missing_tool_proof import distractors, field_names
from toolyard.benchmarks.toolbehonest.synth.world.tasks import join_with_and
from toolyard.core.types import Failure, JsonValue, Record, derived_seed
from toolyard.synth.chains.chain import Chain, PlannedStep, execute, takes_list
from toolyard.synth.chains.projection import is_empty
from toolyard.world.kernel.registry import library

TRIES = 24
_LISTED = 6
# Nobody numbers a single point.
_FEWEST = 2
Feature = Record
Family = Record


@functools.cache
def families_by_name() -> Mapping[str, Family]:
    """The families by name: tools with the parameters that a request fills, features, and what none of them has."""
    text = (
        resources.files("toolyard.benchmarks.toolbehonest.synth.world")
        .joinpath("best.json")
        .read_text("utf-8")
    )
    found: Mapping[str, Family] = json.loads(text)
    return found


def has_feature(tool: str, feature: Feature) -> bool:
    """Whether the tool takes a parameter or returns a field that the feature stands for."""
    return bool(_returned_names(tool, feature))


def may_have(tool: str, feature: Feature) -> bool:
    """Whether the tool has the feature, or something that may pass for it."""
    return has_feature(tool, feature) or tool in feature.get("perhaps", ())


def _returned_names(tool: str, feature: Feature) -> list[str]:
    document = library()[tool].document
    if "parameter" in feature:
        known = {parameter.name for parameter in document.parameters}
        return [name for name in feature["parameter"] if name in known]
    returned = set(field_names(document.result))
    return [name for name in feature["field"] if name in returned]


def describe_tool(tool: str, family: Family) -> str:
    """The tool's description with everything that it has of what matters in its family."""
    text: str = family.get("texts", {}).get(tool, offered_tools()[tool][1])
    own = [feature for feature in family["features"] if _returned_names(tool, feature)]
    held = [feature["list"] for feature in own if "field" in feature]
    taken = [feature["list"] for feature in own if "parameter" in feature]
    text += f" Its answer holds {join_with_and(held)}." if held else ""
    return f"{text} It allows {join_with_and(taken)}." if taken else text


def unmet_constraints(tool: str, family: Family, says: Sequence[str]) -> list[str]:
    """Those of the constraints that the tool certainly does not meet."""
    features = {feature["say"]: feature for feature in family["features"]}
    return [say for say in says if say not in features or not may_have(tool, features[say])]


def draw_choice(seed: int, n: int) -> dict[str, JsonValue] | Failure:
    """Choice n: the family, its tools and some others, the constraints with the executed call, and those of the twin."""
    rng = Random(derived_seed(seed, "toolbehonest/best", n))
    name = list(families_by_name())[n % len(families_by_name())]
    family = families_by_name()[name]
    failure = Failure("no_choice", name)
    for _ in range(TRIES):
        values = rng.choice(family["values"])
        gold = rng.choice(list(family["tools"]))
        features = _deciding_features(gold, _sensible_features(family, values), rng)
        if not features:
            failure = Failure("no_deciding_constraint", gold)
            continue
        chain = _execute_choice(gold, family, values, features)
        if isinstance(chain, Failure):
            failure = chain
            continue
        says = [feature["say"] for feature in features]
        return {
            "family": name,
            "tools": _shuffled_tools(family, rng),
            "ask": rng.choice(family["ask"]).format(**values),
            "says": says,
            "unmet": _unmet_constraints(_sensible_features(family, values), features, rng),
            "execution": to_json(chain),
        }
    return failure


def _sensible_features(family: Family, values: Record) -> Family:
    """The family with those features that one would ask of this thing: a feature may say of which things."""
    said = set(values.values())
    features = [feature for feature in family["features"] if "of" not in feature or said & set(feature["of"])]
    return {**family, "features": features}


def _deciding_features(gold: str, family: Family, rng: Random) -> list[Feature]:
    """Some features of the tool that no other of the family has together; none where a few tries find none."""
    own = [feature for feature in family["features"] if has_feature(gold, feature)]
    for _ in range(TRIES if len(own) >= _FEWEST else 0):
        count = rng.choices((_FEWEST, _FEWEST + 1), (3, 2))[0]
        chosen = rng.sample(own, min(count, len(own)))
        rivals = [tool for tool in family["tools"] if tool != gold and all(may_have(tool, f) for f in chosen)]
        if chosen and not rivals:
            return chosen
    return []


def _execute_choice(
    gold: str, family: Family, values: Record, features: Sequence[Feature]
) -> Chain | Failure:
    """The call that meets the constraints; every field that was asked for has a value."""
    arguments = dict(library()[gold].examples[0])
    required = {item.name for item in library()[gold].document.parameters if item.required}
    arguments = {name: value for name, value in arguments.items() if name in required}
    arguments |= family.get("with", {}).get(gold, {})
    arguments |= {
        name: _value_for_parameter(gold, name, values[slot]) for name, slot in family["tools"][gold].items()
    }
    named = [(feature, names) for feature in features if (names := _returned_names(gold, feature))]
    arguments |= {names[0]: feature["value"] for feature, names in named if "parameter" in feature}
    chain = execute((PlannedStep(gold, arguments),))
    if isinstance(chain, Failure):
        return chain
    for feature, names in named:
        if "field" in feature and not any(_holds_value(chain.steps[0].output, name) for name in names):
            return Failure("empty_field", f"{gold} {feature['field'][0]}")
    return chain


def _value_for_parameter(tool: str, parameter: str, value: JsonValue) -> JsonValue:
    return [value] if takes_list(tool, parameter) else value


def _holds_value(value: JsonValue, name: str) -> bool:
    """Whether a result has a value under that name anywhere."""
    if isinstance(value, Mapping):
        return not is_empty(value.get(name)) or any(_holds_value(item, name) for item in value.values())
    return isinstance(value, list) and any(_holds_value(item, name) for item in value)


def _shuffled_tools(family: Family, rng: Random) -> list[str]:
    """The tools of the family and some that do something else, in any order."""
    near = [tool for tier in distractors(list(family["tools"]))[:2] for tool in tier]
    others = max(0, _LISTED - len(family["tools"]))
    chosen = [*family["tools"], *rng.sample(near, min(others, len(near)))]
    rng.shuffle(chosen)
    return chosen


def _unmet_constraints(family: Family, features: Sequence[Feature], rng: Random) -> list[str]:
    """The constraints with another in the place of one, so that no tool meets all; one that some meet, if there is."""
    says = [feature["say"] for feature in features]
    places = [
        (place, other) for place in range(len(says)) for other in family["features"] if other not in features
    ]
    rng.shuffle(places)
    for place, other in places:
        wanted = [*features[:place], other, *features[place + 1 :]]
        if not any(all(may_have(tool, feature) for feature in wanted) for tool in family["tools"]):
            return [*says[:place], other["say"], *says[place + 1 :]]
    absent = [
        say for say, word in family["absent"] if not any(word in text for text in _document_texts(family))
    ]
    place = rng.randrange(len(says))
    return [*says[:place], rng.choice(absent), *says[place + 1 :]]


def _document_texts(family: Family) -> Iterator[str]:
    """All that the documents of a family say, in lower case."""
    for tool in family["tools"]:
        document = library()[tool].document
        names = [*field_names(document.result), *(parameter.name for parameter in document.parameters)]
        yield " ".join([document.description, *names]).lower()
