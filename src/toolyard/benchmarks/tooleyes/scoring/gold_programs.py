"""The plan of a query as one program (`--style code`): what a call needs of earlier results is looked up in it."""

import random
from collections.abc import Mapping, Sequence

from toolyard.benchmarks.tooleyes.data.references import (
    PLACE,
    FieldStep,
    ItemStep,
    PickStep,
    ResultPlace,
    Step,
    is_choice,
    is_reference,
    is_template,
    parse,
    strip_quotes,
)
from toolyard.benchmarks.tooleyes.data.sample import DECIDED, FINISH, QueryGold, ToolEyesSample
from toolyard.benchmarks.tooleyes.task.prompt import python_documents
from toolyard.core.perturbations import HANDLED, call_with_handling, sample_perturbation
from toolyard.core.types import Message, Record
from toolyard.text.tool_calling import python_arguments

HEAD = """import json
import re

def at(item, key):
    for name in key.split("."):
        item = item.get(name) if isinstance(item, dict) else None
    return item

def number(value):
    try:
        return None if isinstance(value, bool) else float(str(value).replace(",", ""))
    except ValueError:
        return None

def same(found, wanted):
    if isinstance(found, bool) or found is None:
        return found == wanted or (isinstance(wanted, str) and json.dumps(found) == wanted.lower())
    if isinstance(found, (int, float)):
        return number(wanted) == float(found)
    return str(found) == str(wanted)

def pick(items, conditions):
    return [item for item in items if all([same(at(item, key), wanted) for key, wanted in conditions])]

def best(items, key, largest):
    ranked = [item for item in items if at(item, key) is not None]
    numbers = [number(at(item, key)) for item in ranked]
    ranks = [str(at(item, key)) for item in ranked] if None in numbers else numbers
    return ranked[ranks.index(max(ranks) if largest else min(ranks))]

def whole(value):
    value = round(value, 9)
    return int(value) if value == int(value) else value

def text(value):
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

def found_in(value, pattern):
    part = re.search(pattern, str(value), re.DOTALL)
    return part.group(1) if part.groups() else part.group()

def holds(left, relation, right):
    if relation == "has":
        whole_text = " | ".join([str(each) for each in left]) if isinstance(left, list) else str(left)
        return any([part.strip().lower() in whole_text.lower() for part in str(right).split("|") if part.strip()])
    first, second = number(left), number(right)
    if relation == "is":
        return str(left).lower() == str(right).lower() or (first is not None and first == second)
    return str(left) > str(right) if first is None or second is None else first > second

def is_there(look):
    try:
        return bool(look())
    except Exception:
        return False

r = []
"""


def gold_program(sample: ToolEyesSample, messages: Sequence[Message], rng: random.Random) -> str:  # noqa: ARG001
    """The plan as a program; official queries have none and get an empty answer."""
    gold = sample.gold
    if not isinstance(gold, QueryGold):
        return "```python\nfinish(answer='')\n```"
    names = {str(document["name"]): name for name, document in python_documents(sample).items()}
    perturbation = sample_perturbation(sample)
    lines = [HEAD, *([HANDLED] if perturbation else [])]
    for step in gold.plan:
        given = {key: python_expression(value) for key, value in step.arguments.items()}
        call = f"{names.get(step.tool, step.tool)}({python_arguments(given)})"
        lines.append(f"r.append({call_with_handling(call, step.tool, perturbation)})")
    answer = DECIDED.split(gold.answer)
    # What the pattern captures stands between the texts: the number of a decision, or nothing for the first.
    parts = [
        _filled_template(part) if place % 2 == 0 else _decision_expression(gold, int(part or 0))
        for place, part in enumerate(answer)
    ]
    lines.append(f"{names[FINISH]}(answer={' + '.join(parts)})")
    return "```python\n" + "\n".join(lines) + "\n```"


def python_expression(value: object) -> str:
    """Planned data as Python."""
    if is_reference(value):
        return _reference_expression(value["$"])
    if is_template(value):
        return _filled_template(value["fill"])
    if is_choice(value):
        return python_expression(value["any_of"][0])
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {python_expression(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(python_expression, value)) + "]"
    return repr(value)


def _filled_template(template: str) -> str:
    """A text with the values of its places."""
    parts = []
    start = 0
    for place in PLACE.finditer(template):
        parts += [repr(template[start : place.start()]), _stated_expression(place[1])]
        start = place.end()
    return " + ".join([*parts, repr(template[start:])])


def _stated_expression(reference: str) -> str:
    parsed = parse(reference)
    listed = parsed is not None and parsed.function == "every"
    found = _reference_expression(reference)
    return f"', '.join([text(each) for each in {found}])" if listed else f"text({found})"


def _reference_expression(reference: str) -> str:
    parsed = parse(reference) or ResultPlace()
    if parsed.function == "every":
        path, rest = parsed.paths
        inner = _steps_expression("each", (parse(f"0{rest}") or ResultPlace()).steps[1:])
        return f"[{inner} for each in {_items_expression(path)}]"
    if parsed.function == "count":
        return f"len({_items_expression(parsed.paths[0])})"
    if parsed.function:
        numbers = [f"number({_reference_expression(path)})" for path in parsed.paths]
        return f"whole({' + '.join(numbers) if parsed.function == 'sum' else f'abs({numbers[0]} - {numbers[1]})'})"
    return _steps_expression("r", parsed.steps)


def _items_expression(path: str) -> str:
    """The list that a path leads to: all items that fulfil its last conditions."""
    steps = (parse(path) or ResultPlace()).steps
    last = steps[-1] if steps else None
    if not isinstance(last, PickStep):
        return _steps_expression("r", steps)
    return f"pick({_reference_expression(last.stem)}, {_conditions_expression(last)})"


def _steps_expression(value: str, steps: Sequence[Step]) -> str:
    for step in steps:
        if isinstance(step, FieldStep):
            value = f"{value}[{step.name!r}]"
        elif isinstance(step, ItemStep):
            value = f"{value}[{step.place}]"
        else:
            kept = f"pick({value}, {_conditions_expression(step)})"
            value = f"best({kept}, {step.by!r}, {step.largest})" if step.by else f"{kept}[0]"
    return value


def _conditions_expression(step: PickStep) -> str:
    pairs = [
        f"({key!r}, {_reference_expression(written[1:]) if written.startswith('$') else repr(strip_quotes(written))})"
        for key, written in step.conditions
    ]
    return f"[{', '.join(pairs)}]"


def _decision_expression(gold: QueryGold, number: int) -> str:
    """What the right decision says, by the comparison that it rests on."""
    decision = gold.decisions[number]
    said, compared = _filled_template(decision.said), decision.comparison
    if compared is None:
        return said
    left = _found_expression(compared.left)
    right = _found_expression(compared.right) if isinstance(compared.right, Mapping) else repr(compared.right)
    holds = (
        f"holds({left}, {compared.relation!r}, {right})" if compared.relation else f"is_there(lambda: {left})"
    )
    return f"({said} if {holds} else {_filled_template(decision.denied)})"


def _found_expression(written: Record) -> str:
    value = _reference_expression(written["$"])
    return f"found_in({value}, {written['find']!r})" if written.get("find") else value
