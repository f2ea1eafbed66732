"""The last expression of a program: its value with its type and text as the sandbox writes them."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

# Values that the host writes as the sandbox would.
PLAIN = ("int", "float", "str", "bool", "NoneType", "bytes", "complex")
_TOLD = f"(type(_last_).__name__, None if type(_last_).__name__ in {PLAIN!r} else repr(_last_), _last_)"


def told_last(program: str) -> tuple[str, bool]:
    """A program whose last expression becomes type, text and value, and whether it has one."""
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program, False
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return program, False
    last = tree.body[-1].value
    if isinstance(last, ast.Await | ast.Yield | ast.NamedExpr):
        return program, False
    held = ast.Assign([ast.Name("_last_", ast.Store())], last)
    tree.body[-1:] = [held, *ast.parse(_TOLD).body]
    return ast.unparse(ast.fix_missing_locations(tree)), True


def own_errors(stand_ins: Mapping[str, str], printed: str) -> str:
    """What a program printed, its own errors under the names that it gave them."""
    for name, spare in stand_ins.items():
        printed = printed.replace(f"<class '{spare}'>", f"<class '__main__.{name}'>")
        printed = printed.replace(f"{spare}(", f"{name}(")
    return printed


def own_names(stand_ins: Mapping[str, str], kind: str, told: str | None) -> tuple[str, str | None]:
    """Type and text of a value under the names that the program knows."""
    told = own_errors(stand_ins, told) if told else told
    told = re.sub(r"<function '([^']+)'", r"<function \1", told) if told else told
    return {"_Fraction": "Fraction", "list_iterator": "generator"}.get(kind, kind), told
