"""Call chains out of drafted code, by its syntax tree alone (section 3.3): nothing is executed.

    data0, data1 = find_ferry("Turku", "Mariehamn")
    data2 = book_seats(data0, 2)

becomes calls whose return values are numbered API_call_0, API_call_1, ... over the whole chain. A variable that
holds a plain value is replaced by that value.
"""

import ast
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolyard.benchmarks.nestools.data.rows import nested_calls
from toolyard.benchmarks.nestools.synth.drafted_code import main_function, parse_code
from toolyard.benchmarks.nestools.synth.walk_refusal import DraftRefused
from toolyard.core.nesting import edges, label_of_number
from toolyard.core.types import Record
from toolyard.core.untrusted.json_safe import LARGEST_INTEGER, SMALLEST_INTEGER
from toolyard.synth.stages import Context, Each, Kept, Outcome, Row

FEWEST_CALLS = 2
MOST_CALLS = 12
DEEPEST_VALUE = 5
MOST_PARTS = 100
LONGEST_TEXT = 1000
# What stands where a value should, and what that is called in the funnel.
NO_VALUES: Mapping[type[ast.expr], str] = {
    ast.Subscript: "subscript",
    ast.Slice: "subscript",
    ast.Attribute: "attribute",
    ast.Call: "nested_call",
    ast.BinOp: "arithmetic",
    ast.UnaryOp: "arithmetic",
    ast.BoolOp: "arithmetic",
    ast.Compare: "arithmetic",
    ast.JoinedStr: "formatted_string",
    ast.Starred: "star_argument",
    ast.Tuple: "literal_type",
    ast.Set: "literal_type",
}
_TYPE_NAMES: Mapping[type, str] = {str: "str", bool: "bool", int: "int", float: "float"}


@dataclass(frozen=True, slots=True)
class Value:
    """What an argument or a variable stands for; `produced` where an earlier call returns it.

    `size` counts all its parts and `depth` its levels: lists of variables that hold lists grow without bounds.
    """

    json: object
    type: str
    produced: bool = False
    size: int = 1
    depth: int = 1


def parse_value(node: ast.expr, names: Mapping[str, Value]) -> Value:
    """The value of an expression that is a literal, a variable, or a list or mapping of these; or a refusal."""
    if isinstance(node, ast.Name):
        if node.id not in names:
            raise DraftRefused("undefined_variable", node.id)
        return names[node.id]
    if isinstance(node, ast.Constant):
        return _constant_value(node.value)
    if isinstance(node, ast.List):
        items = [parse_value(item, names) for item in node.elts]
        return _container_value([item.json for item in items], "list", items)
    if isinstance(node, ast.Dict):
        return _mapping_value(node, names)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        operand = node.operand.value if isinstance(node.operand, ast.Constant) else None
        if isinstance(operand, int | float) and not isinstance(operand, bool):
            return _constant_value(-operand)
    raise DraftRefused(NO_VALUES.get(type(node), "other_expression"), type(node).__name__)


def _mapping_value(node: ast.Dict, names: Mapping[str, Value]) -> Value:
    found: dict[str, Value] = {}
    for key, item in zip(node.keys, node.values, strict=True):
        if key is None:
            raise DraftRefused("star_argument", "** in a mapping")
        name = parse_value(key, {}).json
        if not isinstance(name, str) or name in found:
            raise DraftRefused("bad_literal", "keys of a mapping must be different texts")
        found[name] = parse_value(item, names)
    return _container_value({name: item.json for name, item in found.items()}, "dict", list(found.values()))


def _container_value(json: object, kind: str, parts: Sequence[Value]) -> Value:
    size = 1 + sum(part.size for part in parts)
    depth = 1 + max((part.depth for part in parts), default=0)
    if size > MOST_PARTS:
        raise DraftRefused("too_large", f"a value has more than {MOST_PARTS} parts")
    if depth > DEEPEST_VALUE:
        raise DraftRefused("too_deep", f"a value is nested deeper than {DEEPEST_VALUE}")
    return Value(json, kind, size=size, depth=depth)


def _constant_value(value: object) -> Value:
    kind = _TYPE_NAMES.get(type(value))
    if kind is None:
        raise DraftRefused("literal_type", type(value).__name__)
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise DraftRefused("bad_literal", "a number that is not finite")
    elif isinstance(value, int) and not SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
        raise DraftRefused("bad_literal", "an integer of more than 64 bits")
    return Value(value, kind)


def _check_text(value: str) -> None:
    if "api_call" in value.lower():
        raise DraftRefused("label_in_value", value)
    if not value.strip():
        raise DraftRefused("empty_value", "an empty text")
    if len(value) > LONGEST_TEXT:
        raise DraftRefused("too_large", f"a text of {len(value)} characters, at most {LONGEST_TEXT} are read")
    if any("\ud800" <= character <= "\udfff" or character == "\0" for character in value):
        raise DraftRefused("bad_literal", "a text that is not Unicode")


class DraftedChain:
    """The calls of `main` so far, and what its variables stand for."""

    def __init__(self, tools: Sequence[Record]) -> None:
        self.calls: list[Record] = []
        self._tools = {tool["api_name"]: tool for tool in tools}
        self._names: dict[str, Value] = {}
        self._labels = 0

    def add(self, statement: ast.stmt) -> None:
        """Takes one statement of `main`, or refuses it."""
        if isinstance(statement, ast.Pass):
            return
        if isinstance(statement, ast.Expr):
            if isinstance(statement.value, ast.Constant):
                return
            targets, value = [], statement.value
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            targets, value = _target_names(statement), statement.value
        else:
            raise DraftRefused("stray_statement", type(statement).__name__)
        if isinstance(value, ast.Call):
            self._call(value, targets)
        elif len(targets) == 1:
            self._names[targets[0]] = parse_value(value, self._names)
        else:
            raise DraftRefused("stray_statement", f"{type(value).__name__} for {len(targets)} variables")

    def _call(self, node: ast.Call, targets: Sequence[str]) -> None:
        if not isinstance(node.func, ast.Name):
            raise DraftRefused("attribute", "a method is called")
        tool = self._tools.get(node.func.id)
        if tool is None:
            raise DraftRefused("unknown_function", node.func.id)
        if len(self.calls) >= MOST_CALLS:
            raise DraftRefused("too_large", f"more than {MOST_CALLS} calls")
        parameters = dict(self._arguments(node, tool))
        missing = [name for name in tool["required"] if name not in parameters]
        if missing:
            raise DraftRefused("missing_required", f"{tool['api_name']}: {missing[0]}")
        if any(
            (call["api_name"], call["parameters"]) == (tool["api_name"], parameters) for call in self.calls
        ):
            raise DraftRefused("repeated_call", tool["api_name"])
        labels = self._bind(tool, targets)
        self.calls.append({"api_name": tool["api_name"], "parameters": parameters, "responses": labels})

    def _arguments(self, node: ast.Call, tool: Record) -> Iterator[tuple[str, object]]:
        names = list(tool["parameters"])
        if len(node.args) > len(names):
            raise DraftRefused("too_many_arguments", f"{tool['api_name']}: {len(node.args)} for {len(names)}")
        given: list[tuple[str | None, ast.expr]] = [*zip(names, node.args, strict=False)]
        given += [(keyword.arg, keyword.value) for keyword in node.keywords]
        seen: set[str] = set()
        for name, argument in given:
            if name is None:
                raise DraftRefused("star_argument", tool["api_name"])
            if name not in tool["parameters"]:
                raise DraftRefused("unknown_keyword", f"{tool['api_name']}: {name}")
            if name in seen:
                raise DraftRefused("repeated_argument", f"{tool['api_name']}: {name}")
            seen.add(name)
            value = parse_value(argument, self._names)
            _check_type(value, tool["parameters"][name]["type"], f"{tool['api_name']}: {name}")
            yield name, value.json

    def _bind(self, tool: Record, targets: Sequence[str]) -> list[str]:
        """Labels for the return values, and variables for the labels."""
        returned = list(tool["responses"].values())
        if len(targets) != len(returned):
            raise DraftRefused(
                "targets_mismatch", f"{tool['api_name']} returns {len(returned)}, {len(targets)} are taken"
            )
        labels = [label_of_number(self._labels + position) for position in range(len(returned))]
        self._labels += len(labels)
        for name, entry, given in zip(targets, returned, labels, strict=True):
            self._names[name] = Value(given, entry["type"], produced=True)
        return labels


def _target_names(statement: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    if len(targets) != 1:
        raise DraftRefused("bad_target", "several assignments at once")
    parts = targets[0].elts if isinstance(targets[0], ast.Tuple | ast.List) else [targets[0]]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    # "_" may stand for several values that nobody uses.
    named = [name for name in names if name != "_"]
    if len(names) != len(parts) or len(set(named)) != len(named):
        raise DraftRefused("bad_target", "only different plain variables are wanted")
    return names


def _check_type(value: Value, wanted: str, where: str) -> None:
    if value.produced:
        if value.type != wanted:
            raise DraftRefused("reference_type", f"{where} is {wanted} and takes a {value.type}")
        return
    if value.type != wanted and (value.type, wanted) != ("int", "float"):
        raise DraftRefused("literal_type", f"{where} is {wanted} and takes a {value.type}")
    if value.json in ([], {}):
        raise DraftRefused("empty_value", where)


def chain_from_code(main: ast.FunctionDef, tools: Sequence[Record]) -> list[Any]:
    """The chain of calls in the form of the data, or a refusal."""
    chain = DraftedChain(tools)
    for statement in main.body:
        chain.add(statement)
    if not chain.calls:
        raise DraftRefused("no_call")
    if len(chain.calls) < FEWEST_CALLS:
        raise DraftRefused("single_call")
    called = {call["api_name"] for call in chain.calls}
    unused = [tool["api_name"] for tool in tools if tool["api_name"] not in called]
    if unused:
        raise DraftRefused("unused_tool", unused[0])
    return chain.calls


def check_calls(row: Row, context: Context) -> Outcome:
    """The calls of the code; with `--nested`, only chains in which something is nested."""
    try:
        calls = chain_from_code(main_function(parse_code(row["code"])), row["api"])
    except DraftRefused as refused:
        return refused.rejected
    if context.options.get("nested") == "yes" and not edges(nested_calls(calls)):
        return DraftRefused("not_nested").rejected
    return Kept({"call": calls})


CALLS = Each("calls", 1, ("code", "api"), ("call",), check_calls, options=("nested",))
