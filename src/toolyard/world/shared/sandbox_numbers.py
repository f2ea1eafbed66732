"""Rounding and powers as Python has them, where the interpreter of the sandbox gives other numbers; and `import abc`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

# The interpreter rounds the product with a power of ten; Python rounds the number itself.
NUMBERS: Mapping[str, str] = {
    "_round_": """
def _round_(number, ndigits=None):
    if ndigits is None:
        return round(number)
    if not isinstance(number, float) or not isinstance(ndigits, int):
        return round(number, ndigits)
    if ndigits > 330 or number == 0 or number - number != 0:
        return number
    if ndigits >= 0:
        return float(f'{number:.{ndigits}f}')
    if ndigits < -309:
        return number * 0.0
    unit = 10 ** -ndigits
    whole = int(abs(number))
    steps, rest = divmod(whole, unit)
    if 2 * rest > unit or (2 * rest == unit and (abs(number) > whole or steps % 2)):
        steps += 1
    return float(steps * unit) if number > 0 else -float(steps * unit)
""",
    "_pow_": """
def _pow_(base, exp, mod=None):
    if mod is None:
        return pow(base, exp)
    if not (isinstance(base, int) and isinstance(exp, int) and isinstance(mod, int)) or exp >= 0 or mod == 0:
        return pow(base, exp, mod)
    one, other, found, last = base % abs(mod), abs(mod), 1, 0
    while other:
        times = one // other
        one, other = other, one - times * other
        found, last = last, found - times * last
    if one != 1:
        raise ValueError('base is not invertible for the given modulus')
    return pow(found, -exp, mod)
""",
}
_PLAIN = {"round": 1, "pow": 2}  # so many arguments need no helper


class Numbers(ast.NodeTransformer):
    """One program: `round(x, 2)` and `pow(a, b, m)` become calls of helpers, unless it has own names of that kind."""

    def __init__(self, known: ast.Module, need: Callable[[str], ast.expr]) -> None:
        self.need = need
        self.own = {name for node in ast.walk(known) for name in _bound(node)}

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        starred = any(isinstance(one, ast.Starred) for one in node.args)
        if len(node.args) == _PLAIN.get(name) and not node.keywords and not starred:
            node.args = [self.visit(one) for one in node.args]
            return node
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.need(f"_{node.id}_") if node.id in _PLAIN and node.id not in self.own else node

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        kept = [alias for alias in node.names if alias.name != "abc" or alias.asname]
        if len(kept) == len(node.names):
            return node
        self.need("_same_")  # what is taken from abc is dropped where it stands
        return ast.Import(kept) if kept else ast.Pass()


def _bound(node: ast.AST) -> list[str]:
    """The names that a part of a program gives to something."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.alias(name=name, asname=other):
            return [other or name]
    return []
