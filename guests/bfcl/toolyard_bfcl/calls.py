"""Calls read from a model's reply, and the services that answer them. Nothing of a reply is ever evaluated.

    [weather(city="Oslo", days=2), ls()]          text: it is parsed, and only literals are taken
    [{"weather": "{\"city\": \"Oslo\"}"}]          native calls, as BFCL's result files keep them

Services are plain objects of bfcl-eval: a call is looked up among their documented methods, and the method is called.
"""

import ast
import copy
import importlib
import inspect
import json
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import localcontext
from typing import Any, TypeAlias

from toolyard import Completion, Failure, strip_thinking
from toolyard_bfcl.wheel import call_parser, wheel_module

OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
# More of these would take the process down: digits, powers, and copies of folders in folders.
BOUNDED = ("precision", "exponent", "decimal_places")
MOST_DIGITS, MOST_NUMBER, MOST_COPIES = 300, 1000, 16


@dataclass(frozen=True, slots=True)
class Call:
    """A function's name with what it is given."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The call in Python's syntax."""
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"


Reply: TypeAlias = tuple[Call, ...] | Failure


def result_of(completion: Completion) -> Any:
    """A reply as BFCL's result files keep it."""
    found = [call.get("function") for call in completion.tool_calls]
    functions: list[Any] = [each if isinstance(each, Mapping) else {} for each in found]
    return [{str(each.get("name")): each.get("arguments")} for each in functions] or completion.text


def read_result(result: Any, language: str, *, native: bool) -> Reply:
    """The calls of a reply, or why there are none to read; in the native style words do not count."""
    if not native:
        text = strip_thinking(result) if isinstance(result, str) else None
        return Failure("no_text") if text is None else read_text(text, language)
    calls = []
    try:
        for name, given in [pair for each in result for pair in each.items()]:
            arguments = json.loads(given) if isinstance(given, str) else given
            calls.append(Call(str(name), {**arguments}))
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        return Failure("no_call", f"{type(error).__name__}: {error}"[:200])
    return tuple(calls)


def read_text(text: str, language: str = "python") -> Reply:
    """The calls of a text in the form that BFCL's prompt asks for."""
    text = text.strip("`\n ")
    text = text if text.startswith("[") else f"[{text}"
    text = text if text.endswith("]") else f"{text}]"
    parse = call_parser(language) if language != "python" else None
    try:
        if parse is None:
            body = ast.parse(text.strip().strip("'"), mode="eval").body
            return tuple(map(_call, [body] if isinstance(body, ast.Call) else getattr(body, "elts", [body])))
        found = parse(text[1:-1])
        return tuple(Call(name, given) for each in found for name, given in each.items())
    except Exception as error:  # the parser of Java raises a bare Exception; whatever it is, there is no call
        return Failure("no_call", f"{type(error).__name__}: {error}"[:200])


def read_gold(text: str, parameters: Mapping[str, Sequence[str]]) -> Call:
    """A call of the ground truth with all arguments by name; some are given by position there."""
    node = ast.parse(text, mode="eval").body
    call, given = _call(node), [_value(each) for each in getattr(node, "args", ())]
    return Call(call.name, dict(zip(parameters[call.name], given, strict=False)) | call.arguments)


def _call(node: ast.AST) -> Call:
    if not isinstance(node, ast.Call):
        raise ValueError(f"{type(node).__name__} in the place of a call")
    parts, inner = [], node.func
    while isinstance(inner, ast.Attribute):
        parts.append(inner.attr)
        inner = inner.value
    parts += [inner.id] if isinstance(inner, ast.Name) else []
    # As in BFCL, what a model gives without a name does not count.
    return Call(".".join(reversed(parts)), {each.arg or "**": _value(each.value) for each in node.keywords})


def _value(node: ast.expr | None) -> Any:
    """A literal; a bare name, a subscript or a nested call is kept as BFCL does: as its text or its parts."""
    match node:
        case ast.Constant():
            return "..." if node.value is Ellipsis else node.value
        case ast.UnaryOp(operand=ast.Constant(value=int() | float() | complex() as number)):
            return -number
        case ast.List():
            return [_value(each) for each in node.elts]
        case ast.Tuple():
            return tuple(_value(each) for each in node.elts)
        case ast.Dict():
            return {_value(key): _value(value) for key, value in zip(node.keys, node.values, strict=True)}
        case ast.BinOp():
            return _sum(node)
        case ast.Name():
            return node.id
        case ast.Call(keywords=[_, *_]):
            return {_call(node).name: _call(node).arguments}
        case ast.Call() | ast.Subscript():
            return ast.unparse(node)
    raise ValueError(f"{type(node).__name__} is no literal")


def _sum(node: ast.BinOp) -> Any:
    """Arithmetic with plain numbers, such as 3 * 0.5."""
    left, right = _value(node.left), _value(node.right)
    if any(not isinstance(each, int | float) or len(str(each)) > MOST_DIGITS for each in (left, right)):
        raise ValueError("no plain number")
    return OPERATORS[type(node.op)](left, right)


class Services:
    """The objects of one multi-turn row in their initial state, and what calling them returns."""

    def __init__(self, classes: Sequence[str], state: Mapping[str, Any], *, long_context: bool) -> None:
        self.instances: dict[str, Any] = {}
        self.methods: dict[str, Callable[..., Any]] = {}
        self._copies = 0
        config = wheel_module("constants.executable_backend_config")
        for name in classes:
            made = getattr(importlib.import_module(config.CLASS_FILE_PATH_MAPPING[name]), name)()
            if name not in config.STATELESS_CLASSES:
                made._load_scenario(copy.deepcopy(state.get(name, {})), long_context=long_context)
            self.instances[name] = made
            found = inspect.getmembers(made, predicate=inspect.ismethod)
            self.methods |= {method: bound for method, bound in found if not method.startswith("_")}

    def call(self, call: Call) -> str:
        """What a call returns, as text; an error is text as well."""
        method = self.methods.get(call.name)
        if method is None:
            return f"Error during execution: name {call.name!r} is not defined"
        self._copies += call.name == "cp"
        given = [call.arguments.get(name) for name in BOUNDED]
        beyond = any(isinstance(each, int | float) and abs(each) > MOST_NUMBER for each in given)
        try:
            if beyond or self._copies > MOST_COPIES:
                raise ValueError("beyond what is executed")
            # The calculator sets the precision of the whole thread.
            with localcontext():
                result = method(**copy.deepcopy(call.arguments))
            return result if isinstance(result, str) else _written(result)
        except Exception as error:  # whatever a service raises is what the model is told
            return f"Error during execution: {error}"


def _written(result: Any) -> str:
    try:
        return json.dumps(result) if isinstance(result, dict) else str(result)
    except (TypeError, ValueError):
        return str(result)
