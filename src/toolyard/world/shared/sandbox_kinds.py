"""Kinds of classes that the sandbox lacks, written as plain ones: enums, exceptions with bodies, named tuples, orders."""

from __future__ import annotations

import ast
import builtins

from toolyard.world.shared.sandbox_fields import left_out_of, without
from toolyard.world.shared.sandbox_gaps import Gaps
from toolyard.world.shared.sandbox_generators import assigned as _assigned

_ENUMS = ("Enum", "IntEnum", "StrEnum")
_COMPARED = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
_ENUM_BODY = """
class Kind:
    def __init__(self, name, value):
        self.name = name
        self.value = value
    def __str__(self):
        return {shown}
    def __repr__(self):
        return '<{kind}.' + self.name + ': ' + repr(self.value) + '>'
    def __hash__(self):
        return hash(self.name)
"""
_AS_VALUE = """
class Kind:
    def __eq__(self, other):
        return self.value == (other.value if hasattr(other, 'value') else other)
    def __lt__(self, other):
        return self.value < (other.value if hasattr(other, 'value') else other)
    def __le__(self, other):
        return self.value <= (other.value if hasattr(other, 'value') else other)
    def __gt__(self, other):
        return self.value > (other.value if hasattr(other, 'value') else other)
    def __ge__(self, other):
        return self.value >= (other.value if hasattr(other, 'value') else other)
    def __add__(self, other):
        return self.value + (other.value if hasattr(other, 'value') else other)
"""


class Kinds(ast.NodeTransformer):
    """The classes of one program."""

    def __init__(self, tree: ast.Module, gaps: Gaps) -> None:
        self.gaps = gaps
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        self.enums = {node.name for node in classes if any(_last(base) in _ENUMS for base in node.bases)}
        self.roots: dict[str, str] = {}
        for node in classes:
            base = _last(node.bases[0]) if len(node.bases) == 1 else ""
            root = self.roots.get(base, base if _is_error(base) else "")
            if root:
                self.roots[node.name] = root
        bodies = [node for node in classes if node.name in self.roots and not _plain(node)]
        self.errors = set(self.roots) if bodies else set()
        self.abstract = _abstract(classes)
        self.handlers = 0
        self.inside = ""

    # Classes

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt | list[ast.stmt]:
        outer, self.inside = self.inside, node.name
        self.generic_visit(node)
        self.inside = outer
        if node.name in self.enums:
            return self._enum(node)
        if node.name in self.errors:
            self._error(node)
        if any(_last(base) == "NamedTuple" for base in node.bases) and _only_fields(node):
            return self._named_tuple(node)
        self._order(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        self.generic_visit(node)
        if not any(_last(way) == "contextmanager" for way in node.decorator_list):
            return node
        return _managed(node, self.gaps) or node

    def _enum(self, node: ast.ClassDef) -> list[ast.stmt]:
        pairs, body, number = [], [], 0
        as_value = any(_last(base) in ("IntEnum", "StrEnum", "int", "str") for base in node.bases)
        for one in node.body:
            match one:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if not name.startswith("__"):
                    auto = isinstance(value, ast.Call) and _last(value.func) == "auto"
                    number = number + 1 if auto else value.value if _is_int(value) else number  # type: ignore[attr-defined]
                    pairs.append(f"({name!r}, {number if auto else ast.unparse(value)})")
                case _:
                    body.append(one)
        self.gaps.need("_enumerated_")
        shown = (
            "str(self.value)"
            if any(_last(base) in ("IntEnum", "StrEnum") for base in node.bases)
            else f"'{node.name}.' + self.name"
        )
        given = {one.name for one in body if isinstance(one, ast.FunctionDef)}
        for text in (
            _ENUM_BODY.format(kind=node.name, shown=shown),
            _AS_VALUE if as_value else "class Kind:\n    pass",
        ):
            made = ast.parse(text).body[0]
            assert isinstance(made, ast.ClassDef)
            body += [
                one for one in made.body if not isinstance(one, ast.FunctionDef) or one.name not in given
            ]
        node.bases, node.body = [], body
        after = f"_members_{node.name}_ = _enumerated_({node.name}, [{', '.join(pairs)}])"
        return [node, *ast.parse(after).body]

    def _error(self, node: ast.ClassDef) -> None:
        if _last(node.bases[0]) not in self.errors:
            self.gaps.need("_Error_")
            node.bases = [ast.Name("_Error_", ast.Load())]
        for one in node.body:
            if isinstance(one, ast.FunctionDef) and one.name == "__init__":
                first, *given = [arg.arg for arg in one.args.args] or ["self"]
                held = ", ".join(given) + ("," if len(given) == 1 else "")
                one.body = [*ast.parse(f"{first}.args = ({held})").body, *one.body]

    def _named_tuple(self, node: ast.ClassDef) -> list[ast.stmt]:
        fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
        names = [one.target.id for one in fields if isinstance(one.target, ast.Name)]
        given = [ast.unparse(one.value) for one in fields if one.value]
        self.gaps.changed = True
        return ast.parse(
            "from collections import namedtuple as _namedtuple_\n"
            f"{node.name} = _namedtuple_({node.name!r}, {names!r}, defaults=[{', '.join(given)}])"
        ).body

    def _order(self, node: ast.ClassDef) -> None:
        """The comparisons of an ordered dataclass, or those that a total order follows from."""
        methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        left_out = left_out_of(node)
        fields = [name for name in self.gaps.typed.get(node.name, []) if name not in left_out["compare"]]
        lines = without(node.name, self.gaps.typed.get(node.name, []), left_out, methods)
        for way in list(node.decorator_list):
            if (
                isinstance(way, ast.Call)
                and _last(way.func) == "dataclass"
                and any(one.arg == "order" for one in way.keywords)
            ):
                way.keywords = [one for one in way.keywords if one.arg != "order"]
                pairs = [f"({', '.join(f'{who}.{name}' for name in fields)},)" for who in ("self", "other")]
                lines += [
                    f"def {name}(self, other):\n    return {pairs[0]} {sign} {pairs[1]}"
                    for name, sign in _COMPARED.items()
                ]
            elif _last(way) == "total_ordering":
                node.decorator_list.remove(way)
                lines += _total(methods)
        if lines:
            self.gaps.changed = True
            self.gaps.own.update(one.partition("(")[0].removeprefix("def ") for one in lines)
            node.body = [*node.body, *ast.parse("\n".join(lines)).body]

    # What is done with them

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("list", "tuple", "len", "iter", "sorted", "enumerate", "set", "reversed") or name in (
            "zip",
            "map",
            "filter",
        ):
            node.args = [self._members(one) for one in node.args]
        self.generic_visit(node)
        name = self.inside if name == "cls" and self.inside in self.enums else name
        if name in self.enums and len(node.args) == 1:
            return self._text(f"_member_({name!r}, _members_{name}_, {ast.unparse(node.args[0])})")
        if name in self.abstract:
            self.gaps.need("_abstract_")
            missing = self.abstract[name]
            ending = ("s " if len(missing) > 1 else " ") + ", ".join(missing)
            return self._text(f"_abstract_({name!r}, {ending!r})")
        return node

    def _text(self, text: str) -> ast.expr:
        self.gaps.changed = True
        return ast.parse(text, mode="eval").body

    def _members(self, node: ast.expr) -> ast.expr:
        return (
            self._text(f"_members_{node.id}_")
            if isinstance(node, ast.Name) and node.id in self.enums
            else node
        )

    def visit_For(self, node: ast.For) -> ast.stmt:
        node.iter = self._members(node.iter)
        self.generic_visit(node)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.iter = self._members(node.iter)
        self.generic_visit(node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if isinstance(node.ops[-1], ast.In | ast.NotIn):
            node.comparators[-1] = self._members(node.comparators[-1])
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in self.enums:
            return self._text(f"_named_(_members_{node.value.id}_, {ast.unparse(node.slice)})")
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if node.attr == "__members__" and isinstance(node.value, ast.Name) and node.value.id in self.enums:
            return self._text(f"{{one.name: one for one in _members_{node.value.id}_}}")
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        gone = node.module == "enum" or (
            node.module == "functools" and [one.name for one in node.names] == ["total_ordering"]
        )
        if not gone:
            return node
        self.gaps.changed = True
        return ast.Pass()

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        if [alias.name for alias in node.names] != ["enum"]:
            return node
        self.gaps.changed = True
        return ast.Pass()

    # Exceptions with bodies

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        self.generic_visit(node)
        if not self.errors or node.exc is None:
            return node
        name = _last(node.exc.func if isinstance(node.exc, ast.Call) else node.exc)
        if hasattr(builtins, name):
            return node
        made = (
            node.exc
            if not (isinstance(node.exc, ast.Name) and name in self.errors)
            else ast.Call(node.exc, [], [])
        )
        node.exc = ast.Call(self.gaps.need("_thrown_"), [made], [])
        return node

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        self.generic_visit(node)
        if not self.errors or not node.handlers:
            return node
        self.gaps.need("_thrown_")
        self.handlers += 1
        error = f"_x{self.handlers}_"
        rest: list[ast.stmt] = [ast.Raise()]
        for handler in reversed(node.handlers):
            body = [*(ast.parse(f"{handler.name} = {error}").body if handler.name else ()), *handler.body]
            rest = [ast.If(self._caught(handler.type, error), body, rest)]
        start = ast.parse(f"{error} = _own_({error})").body
        node.handlers = [ast.ExceptHandler(ast.Name("BaseException", ast.Load()), error, [*start, *rest])]
        return node

    def _caught(self, kind: ast.expr | None, error: str) -> ast.expr:
        parts = kind.elts if isinstance(kind, ast.Tuple) else [kind] if kind else []
        tests = ["True"] if not parts else []
        for part in parts:
            name = _last(part)
            tests.append(f"isinstance({error}, {ast.unparse(part)})")
            for own, root in self.roots.items() if hasattr(builtins, name) else ():
                if own in self.errors and issubclass(getattr(builtins, root), getattr(builtins, name)):
                    tests.append(f"type({error}).__name__ == {own!r}")
        return self._text(" or ".join(tests))


def _managed(node: ast.FunctionDef, gaps: Gaps) -> ast.stmt | None:
    """A context manager written as a generator of one yield: what comes before it enters, what comes after it leaves."""
    before, rest, held = _cut(node.body)
    if held is None:
        return None
    names = sorted(_assigned(node))
    arguments = ast.unparse(node.args)
    outer = f"nonlocal {', '.join(names)}" if names else "pass"
    taken = {one.arg for one in (*node.args.args, *node.args.kwonlyargs)}
    made = ast.parse(
        f"def {node.name}({arguments}):\n"
        + "".join(f"    {name} = None\n" for name in names if name not in taken)
        + f"    def _enter_():\n        {outer}\n        return None\n"
        + f"    def _leave_(_error_):\n        {outer}\n        return _error_ is not None\n"
        + "    return _context_(_enter_, _leave_)"
    ).body[0]
    assert isinstance(made, ast.FunctionDef)
    enter, leave = (one for one in made.body if isinstance(one, ast.FunctionDef))
    enter.body[1:] = [*before, ast.Return(held.value)]
    leave.body[1:1] = rest
    gaps.need("_context_")
    return made


_RAISED = "if _error_ is not None:\n    raise _error_"


def _cut(body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt], ast.Yield | None]:
    """The statements before the only yield and those after it; after a try around it come its handlers."""
    for number, one in enumerate(body):
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Yield):
            return body[:number], [*ast.parse(_RAISED).body, *body[number + 1 :]], one.value
        if isinstance(one, ast.Try):
            before, rest, held = _cut(one.body)
            if held is not None:
                rest = [ast.Try(rest, one.handlers, one.orelse, one.finalbody)]
                return [*body[:number], *before], [*rest, *body[number + 1 :]], held
    return [], [], None


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_error(name: str) -> bool:
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)


def _plain(node: ast.ClassDef) -> bool:
    return all(isinstance(one, ast.Pass | ast.Expr) for one in node.body)


def _only_fields(node: ast.ClassDef) -> bool:
    return all(isinstance(one, ast.AnnAssign | ast.Expr | ast.Pass) for one in node.body)


def _is_int(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _abstract(classes: list[ast.ClassDef]) -> dict[str, list[str]]:
    """The abstract methods that each class of a program leaves open."""
    found: dict[str, list[str]] = {}
    for node in classes:
        methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
        own = [
            one.name for one in methods if any(_last(way) == "abstractmethod" for way in one.decorator_list)
        ]
        above = [name for base in node.bases for name in found.get(_last(base), [])]
        left = [name for name in above if name not in {one.name for one in methods}] + own
        if left:
            found[node.name] = sorted(set(left))
    return found


def _total(methods: set[str]) -> list[str]:
    """The comparisons that follow from the one a class has and from its equality."""
    texts = {
        "__lt__": {
            "__le__": "self < other or self == other",
            "__gt__": "other < self",
            "__ge__": "not self < other",
        },
        "__gt__": {
            "__lt__": "other > self",
            "__le__": "not self > other",
            "__ge__": "self > other or self == other",
        },
        "__le__": {
            "__lt__": "self <= other and self != other",
            "__gt__": "not self <= other",
            "__ge__": "other <= self",
        },
        "__ge__": {
            "__gt__": "self >= other and self != other",
            "__lt__": "not self >= other",
            "__le__": "other >= self",
        },
    }
    root = next((name for name in texts if name in methods), "")
    rest = texts.get(root, {})
    return [
        f"def {name}(self, other):\n    return {text}" for name, text in rest.items() if name not in methods
    ]
