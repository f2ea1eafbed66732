"""Fields that a dataclass leaves out of its comparisons or its written form, which the sandbox knows nothing of."""

from __future__ import annotations

import ast


def left_out_of(node: ast.ClassDef) -> dict[str, set[str]]:
    """The fields that comparisons, or the written form, of a dataclass leave out; their field() says so no more."""
    found: dict[str, set[str]] = {"compare": set(), "repr": set()}
    for one in node.body if any(_last(_called(way)) == "dataclass" for way in node.decorator_list) else []:
        if not (isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)):
            continue
        if not (isinstance(one.value, ast.Call) and _last(one.value.func) == "field"):
            continue
        for told in one.value.keywords:
            if told.arg in found and isinstance(told.value, ast.Constant) and told.value.value is False:
                found[told.arg].add(one.target.id)
        one.value.keywords = [told for told in one.value.keywords if told.arg not in found]
        one.value = one.value if one.value.keywords else None
    return found


def _called(way: ast.expr) -> ast.expr:
    return way.func if isinstance(way, ast.Call) else way


def without(name: str, fields: list[str], left_out: dict[str, set[str]], methods: set[str]) -> list[str]:
    """Equality and written form of a dataclass some of whose fields are left out of them."""
    lines = []
    if left_out["compare"] and "__eq__" not in methods:
        pairs = [
            f"({''.join(f'{who}.{one}, ' for one in fields if one not in left_out['compare'])})"
            for who in ("self", "other")
        ]
        lines.append(f"def __eq__(self, other):\n    return {pairs[0]} == {pairs[1]}")
    if left_out["repr"] and "__repr__" not in methods:
        shown = " + ', ' + ".join(
            f"'{one}=' + repr(self.{one})" for one in fields if one not in left_out["repr"]
        )
        lines.append(f"def __repr__(self):\n    return '{name}(' + {shown or repr('')} + ')'")
    return lines


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
