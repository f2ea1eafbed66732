"""What the released code makes of a reply, text by text, without evaluating anything.

The released code runs `eval` on the model's arguments. Here a text counts as evaluable if it is a Python literal, or
a well-formed expression whose names are all builtins and which puts no list, dict or set where Python wants something
hashable. Such an expression's value is not known (`UNKNOWN`), except for the keys of a dict that are literals. That
it might still raise (1/0) is not emulated, and neither are names of the released module itself.
"""

from __future__ import annotations

import ast
import builtins
import warnings
from dataclasses import dataclass
from typing import Any

from toolyard.core.types import Failure, JsonValue
from toolyard.text.parsing import excerpt, read_python_literal

THOUGHT, ACTION, INPUT = "Thought:", "Action:", "Action Input:"
GIVEN_UP = "I cannot handle the task."
FORCED_MARKS = ("trying too many times", "During execution, an error occurs.")
UNKNOWN: object = object()
_BUILTINS = frozenset(dir(builtins))
_UNHASHABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_NOT_EVALUABLE = (ast.Await, ast.Yield, ast.YieldFrom)


@dataclass(frozen=True, slots=True)
class Segments:
    """Thought, action and arguments as the released scorer cuts them."""

    thought: str
    action: str
    arguments: str


def _text_between(text: str, opening: str, closing: str) -> str | None:
    """The shortest stretch from the first opening to a closing behind it, both included."""
    start = text.find(opening)
    stop = text.find(closing, start + len(opening)) if start >= 0 else -1
    return text[start : stop + len(closing)] if stop >= 0 else None


def reply_segments(text: str) -> Segments | None:
    """The parts of a reply, or None where one of the three keywords is missing."""
    thought, action = _text_between(text, THOUGHT, ACTION), _text_between(text, ACTION, INPUT)
    if thought is None or action is None:
        return None
    arguments = text[text.find(INPUT) :]
    return Segments(
        thought.replace(ACTION, "").replace(THOUGHT, "").strip(),
        action.replace("\\n", "").replace(ACTION, "").replace(INPUT, "").strip(),
        arguments.replace(INPUT, "").strip(),
    )


def is_react_form(text: str) -> bool:
    """Whether all keywords are there and the action is not empty."""
    parts = reply_segments(text)
    return parts is not None and bool(parts.action)


def is_json_form(text: str) -> bool:
    """Whether all keywords are there and the arguments evaluate."""
    parts = reply_segments(text)
    return parts is not None and not isinstance(evaluate_text(parts.arguments), Failure)


def is_judgeable(text: str) -> bool:
    """Whether the released code can build its judge prompts from a reply; it crashes where it cannot."""
    return _text_between(text, ACTION, "Input") is not None and INPUT in text


def is_forced(text: str) -> bool:
    """Whether a last turn is the one that the released loop writes when it gives up."""
    return GIVEN_UP in text and any(mark in text for mark in FORCED_MARKS)


def evaluate_text(text: str) -> JsonValue | Failure:
    """The value of a text that the released code would evaluate, UNKNOWN, or why it would raise."""
    literal = read_python_literal(text)
    if not isinstance(literal, Failure) or literal.kind != "not_literal":
        return literal
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return literal
    return _evaluate_expression(tree)


def _evaluate_expression(tree: ast.Expression) -> Any | Failure:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in _BUILTINS:
            return Failure("not_literal", f"name {excerpt(node.id)} is not defined")
        if isinstance(node, _NOT_EVALUABLE):
            return Failure("not_literal", "outside a function")
        keys = node.elts if isinstance(node, ast.Set) else node.keys if isinstance(node, ast.Dict) else []
        if any(isinstance(key, _UNHASHABLE) for key in keys):
            return Failure("not_literal", "unhashable")
    body = tree.body
    if isinstance(body, ast.Dict) and all(isinstance(key, ast.Constant) for key in body.keys):
        return {key.value: UNKNOWN for key in body.keys if isinstance(key, ast.Constant)}
    return UNKNOWN


def stored_text(reply: str) -> str:
    """A raw reply as the released inference code stores it: repaired, and without what stood around it."""
    thought, action = _text_between(reply, THOUGHT, ACTION), _text_between(reply, ACTION, INPUT)
    start = reply.find(INPUT)
    kept = {
        "thought": "Thought: \n" if thought is None else thought.replace(ACTION, ""),
        "action": "Action: \n" if action is None else action.replace(INPUT, ""),
        "input": "Action Input: {}" if start < 0 else reply[start:].replace("\n ", "").replace("\n", ""),
    }
    name = kept["action"].replace("Action: ", "").strip()
    arguments = kept["input"].replace("Action Input: ", "").strip()
    # The released loop closes the arguments of `finish` whether or not they are open.
    closing = '"}' if name.lower() == "finish" and not arguments.endswith('"}') else ""
    return kept["thought"] + kept["action"] + kept["input"] + closing
