"""Whole-number and decimal sums of a shell: $((...)), expr and bc, read as trees and never run as code."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

_SIGNS: Mapping[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_LARGEST = 10**18


class Unreadable(Exception):
    """What stands there is no sum."""


def value(text: str, named: Callable[[str], str], *, whole: bool = True) -> float:
    """What a sum comes to; names are looked up, divisions are cut to whole numbers where so wanted."""
    try:
        tree = ast.parse(text.strip() or "0", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unreadable from None
    return _value(tree, named, whole)


def _value(node: ast.AST, named: Callable[[str], str], whole: bool) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            found: float = number
        case ast.Name(id=name):
            text = named(name) or "0"
            if not text.lstrip("-").isdigit():
                raise Unreadable
            found = int(text)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            found = -_value(inner, named, whole)
        case ast.BinOp(left=left, op=sign, right=right):
            found = _joined(sign, _value(left, named, whole), _value(right, named, whole), whole)
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _SIGNS:
            found = int(_SIGNS[type(sign)](_value(left, named, whole), _value(right, named, whole)))
        case _:
            raise Unreadable
    if abs(found) > _LARGEST:
        raise Unreadable
    return found


def _joined(sign: ast.operator, left: float, right: float, whole: bool) -> float:
    if type(sign) in _SIGNS:
        return _SIGNS[type(sign)](left, right)
    if isinstance(sign, ast.Pow | ast.BitXor) and abs(left) < 10**6 and 0 <= right < 60:
        return left**right if abs(left) ** right < _LARGEST else _LARGEST * 2
    if isinstance(sign, ast.Div | ast.FloorDiv | ast.Mod) and right:
        cut = int(left / right)
        if isinstance(sign, ast.Mod):
            return left - right * cut
        return cut if whole else left / right
    raise Unreadable
