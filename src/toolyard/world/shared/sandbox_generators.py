"""Generators for a sandbox that has none: a function with `yield` becomes one that makes an iterator of states.

def count(n):                      class _Gen0:   # its __next__ goes from state to state
    for i in range(n):      ->     def count(n):
        yield i                        return _Gen0(n)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

OWNER = "_g_"
_HEAD = """
class {name}:
    def __init__({owner}, {arguments}):
{kept}
        {owner}.at_ = 0
        {owner}.sent_ = None
    def __iter__({owner}):
        return {owner}
    def send({owner}, value):
        {owner}.sent_ = value
        return {owner}.__next__()
    def close({owner}):
        {owner}.at_ = -1
    def __next__({owner}):
        while True:
            if {owner}.at_ < 0:
                raise StopIteration
"""
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Unsuited(Exception):
    """A generator that cannot be written as states."""


def yields(node: ast.AST) -> bool:
    """Whether a function is a generator: a yield in it that is no inner function's."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(child, _SCOPES) and yields(child):
            return True
    return False


def _leaves(node: ast.AST) -> bool:
    """Whether a statement holds a break or continue of a loop around it."""
    if isinstance(node, ast.Break | ast.Continue):
        return True
    if isinstance(node, ast.For | ast.While | ast.FunctionDef | ast.ClassDef):
        return False
    return any(_leaves(child) for child in ast.iter_child_nodes(node))


def assigned(function: ast.FunctionDef) -> set[str]:
    """The names that are local to a function, but for those of its comprehensions."""
    found: set[str] = set()
    outer: set[str] = set()
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Global | ast.Nonlocal):
            outer.update(node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            continue
        elif isinstance(node, _SCOPES):
            found.update([node.name] if not isinstance(node, ast.Lambda) else [])
            continue
        waiting.extend(ast.iter_child_nodes(node))
    return found - outer


class _Kept(ast.NodeTransformer):
    """Local names become fields of the iterator, return becomes its end."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names:
            return node
        return ast.Attribute(ast.Name(OWNER, ast.Load()), node.id, node.ctx)

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:  # noqa: ARG002 - the interface
        return ast.parse(f"{OWNER}.at_ = -1\nraise StopIteration").body

    def _own_names(self, node: ast.expr) -> ast.AST:
        inner = {
            name.id
            for name in ast.walk(node)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        }
        if isinstance(node, ast.Lambda):
            inner = {one.arg for one in node.args.args}
        return ast.NodeTransformer.generic_visit(_Kept(self.names - inner), node)

    def _inner(self, node: ast.stmt) -> ast.AST:  # noqa: ARG002 - the interface
        raise Unsuited

    visit_FunctionDef = visit_ClassDef = visit_Import = visit_ImportFrom = _inner  # noqa: N815
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda = _own_names  # noqa: N815


class States:
    """The body of a generator cut at its yields."""

    def __init__(self) -> None:
        self.states: list[list[ast.stmt]] = []
        self.loops: list[tuple[int, int]] = []
        self.fields = 0
        self.current = self.new()

    def new(self) -> int:
        self.states.append([])
        return len(self.states) - 1

    def add(self, text: str) -> None:
        self.states[self.current].extend(ast.parse(text).body)

    def go(self, state: int) -> None:
        self.add(f"{OWNER}.at_ = {state}\n")

    def block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=ast.Yield(value=value)):
                self._give(value)
            case ast.Assign(targets=[target], value=ast.Yield(value=value)):
                self._give(value)
                self.add(f"{ast.unparse(target)} = {OWNER}.sent_\n{OWNER}.sent_ = None")
            case ast.Expr(value=ast.YieldFrom(value=value)):
                self._each(value, None, [], [])
            case ast.For() if yields(node):
                self._each(node.iter, node.target, node.body, node.orelse)
            case ast.While() if yields(node):
                self._while(node)
            case ast.If() if yields(node) or _leaves(node):
                self._if(node)
            case ast.Break() | ast.Continue():
                self.go(self.loops[-1][0 if isinstance(node, ast.Break) else 1])
                self.current = self.new()
            case _ if yields(node) or (not isinstance(node, ast.For | ast.While) and _leaves(node)):
                raise Unsuited
            case _:
                self.states[self.current].append(node)

    def _give(self, value: ast.expr | None) -> None:
        after = self.new()
        self.go(after)
        self.states[self.current].append(ast.Return(value))
        self.current = after

    def _if(self, node: ast.If) -> None:
        then, otherwise, after = self.new(), self.new(), self.new()
        self.add(f"{OWNER}.at_ = {then} if {ast.unparse(node.test)} else {otherwise}")
        for start, body in ((then, node.body), (otherwise, node.orelse)):
            self.current = start
            self.block(body)
            self.go(after)
        self.current = after

    def _while(self, node: ast.While) -> None:
        test, body, otherwise, after = self.new(), self.new(), self.new(), self.new()
        self.go(test)
        self.current = test
        self.add(f"{OWNER}.at_ = {body} if {ast.unparse(node.test)} else {otherwise}")
        self._loop(body, node.body, test, after)
        self.current = otherwise
        self.block(node.orelse)
        self.go(after)
        self.current = after

    def _loop(self, start: int, body: Sequence[ast.stmt], again: int, after: int) -> None:
        self.loops.append((after, again))
        self.current = start
        self.block(body)
        self.go(again)
        self.loops.pop()

    def _each(
        self, items: ast.expr, target: ast.expr | None, body: list[ast.stmt], otherwise: list[ast.stmt]
    ) -> None:
        field = f"{OWNER}.it{self.fields}_"
        self.fields += 1
        test, inside, done, after = self.new(), self.new(), self.new(), self.new()
        self.add(f"{field} = iter({ast.unparse(items)})")
        self.go(test)
        self.current = test
        self.add(
            f"{OWNER}.one_ = next({field}, _END_)\n{OWNER}.at_ = {done} if {OWNER}.one_ is _END_ else {inside}"
        )
        if target is None:
            self.current = inside
            self.go(test)
            self.states[inside].append(ast.Return(ast.parse(f"{OWNER}.one_", mode="eval").body))
        else:
            self.states[inside].append(ast.parse(f"{ast.unparse(target)} = {OWNER}.one_").body[0])
            self._loop(inside, body, test, after)
        self.current = done
        self.block(otherwise)
        self.go(after)
        self.current = after


def iterator(function: ast.FunctionDef, name: str) -> list[ast.stmt]:
    """A class whose objects yield what the generator would; the function is changed into one that makes such an object."""
    arguments = function.args
    if function.decorator_list or arguments.posonlyargs:
        raise Unsuited
    given = [one.arg for one in (*arguments.args, *arguments.kwonlyargs)]
    given += [one.arg for one in (arguments.vararg, arguments.kwarg) if one]
    kept = _Kept(assigned(function) | set(given))
    body = [one for node in function.body for one in _listed(kept.visit(node))]
    cut = States()
    cut.block(body)
    cut.add(f"{OWNER}.at_ = -1\nraise StopIteration")
    fields = "\n".join(f"        {OWNER}.{one} = {one}" for one in given) or "        pass"
    head = _HEAD.format(name=name, owner=OWNER, arguments=", ".join(given), kept=fields)
    found = ast.parse("_END_ = ['end']\n" + head)
    machine = found.body[1].body[-1].body[0]  # type: ignore[attr-defined]
    for number, state in enumerate(cut.states):
        test = ast.parse(f"{OWNER}.at_ == {number}", mode="eval").body
        machine.body.append(ast.If(test, [*state, ast.Continue()], []))
    function.body = [ast.Return(ast.parse(f"{name}({', '.join(given)})", mode="eval").body)]
    return [ast.fix_missing_locations(node) for node in found.body]


def _listed(found: ast.AST | list[ast.stmt] | None) -> list[ast.stmt]:
    return found if isinstance(found, list) else [found] if isinstance(found, ast.stmt) else []
