"""The functions of a task: the tools it needs among others that can do none of its steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from random import Random

from toolyard.benchmarks.mtu.synth.world.tool_documents import choose_distractors, names, nearest_distractors
from toolyard.core.declared_world import DECLARATION
from toolyard.core.types import JsonValue
from toolyard.env.gym_task import Draft, Function
from toolyard.synth.chains.projection import Field
from toolyard.text.templates import render
from toolyard.text.tool_calling import function_names
from toolyard.world.kernel.registry import library

_TRIES = 12
_TEMPLATES = {
    name: files(__package__).joinpath(f"templates/{name}.txt").read_text("utf-8").strip()
    for name in ("system", "refusing")
}


def system(*, refusing: bool = False) -> str:
    """The instructions of a task; `refusing` tells of the function that ends one which cannot be done."""
    text = render(_TEMPLATES["system"], {"world": DECLARATION})
    return f"{text}\n{_TEMPLATES['refusing']}" if refusing else text


def function(
    tool: str,
    name: str,
    parameters: Iterable[str] | None = None,
    *,
    description: str = "",
    returns: Sequence[Field] = (),
) -> Function:
    """A tool as a function, with these of its parameters (all by default) and what it returns in words."""
    document = library()[tool].document
    kept = {item.name for item in document.parameters} if parameters is None else {*parameters}
    text = description or document.description
    if returns:
        fields = ", ".join(f"{field.name} ({field.description.rstrip('.')})" for field in returns)
        text = f"{text} Returns {fields}."
    schema = {
        "type": "object",
        "properties": {
            item.name: _plain_schema(item.schema)
            for item in document.parameters
            if item.required or item.name in kept
        },
        "required": [item.name for item in document.parameters if item.required],
    }
    return Function(function_names([name])[0], tool, text, schema)


def _plain_schema(schema: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The schema without notes of our own."""
    found: dict[str, JsonValue] = {}
    for key, value in schema.items():
        if not key.startswith("x-"):
            found[key] = _plain_inner(value)
    return found


def _plain_inner(value: JsonValue) -> JsonValue:
    if isinstance(value, Mapping):
        return _plain_schema(value)
    return [_plain_inner(item) for item in value] if isinstance(value, list) else value


def draw_distractors(used: Sequence[str], removed: Sequence[str], rng: Random) -> list[str]:
    """Tools that can do none of the steps: at least one more than are used, so that calling all is no way."""
    wanted = len({*used, *removed}) + 1
    found: list[str] = []
    for _ in range(_TRIES):
        found += [tool for tool in choose_distractors(list(used), list(removed), rng) if tool not in found]
        if len(found) >= wanted:
            break
    return found


def offer_more(draft: Draft, length: int, rng: Random) -> Draft:
    """The draft with as many functions, as far as there are tools that can do none of its steps; the nearest first."""
    wanted = {call.function for turn in draft.turns for call in turn.gold}
    used = [each.tool for each in draft.functions if each.tool and each.name in wanted]
    known, tools = {each.name for each in draft.functions}, {each.tool for each in draft.functions}
    said = " ".join(turn.user for turn in draft.turns)
    near = nearest_distractors(used, draft.lacking, said, len(names()), rng)
    fresh = (function(tool, names()[tool]) for tool in near if tool not in tools)
    more = [each for each in fresh if each.name not in known][: max(0, length - len(draft.functions))]
    functions = [*draft.functions, *more]
    rng.shuffle(functions)
    return replace(draft, functions=tuple(functions))
