"""Python rewritten so that everyday built-ins work in the sandbox: methods as values, lazy iteration, dates, ordered dictionaries.

`key=str.lower` becomes a lambda, `re.sub(p, function, text)` a call of a helper. A program is only read, never run.
"""

from __future__ import annotations

import ast

from toolyard.world.shared.sandbox_generators import yields
from toolyard.world.shared.sandbox_helpers import HELPERS, NEEDS

_TYPES = {
    "str": str,
    "int": int,
    "float": float,
    "list": list,
    "dict": dict,
    "set": set,
    "bytes": bytes,
    "tuple": tuple,
}
# Methods of a class, which take no object: those that the interpreter has stay.
_OF_TYPE = {
    ("str", "maketrans"): "_maketrans_",
    ("int", "from_bytes"): "_from_bytes_",
    ("datetime", "fromtimestamp"): "_fromtimestamp_",
    ("datetime", "utcfromtimestamp"): "_fromtimestamp_",
    ("date", "fromordinal"): "_fromordinal_",
    ("datetime", "utcnow"): "_utcnow_",
}
_KEPT = {("dict", "fromkeys"), ("bytes", "fromhex"), ("float", "fromhex")}
# Methods of objects that the interpreter lacks.
_METHODS = {
    "translate": "_translate_", "to_bytes": "_to_bytes_", "isocalendar": "_isocalendar_", "toordinal": "_toordinal_",
    "bit_length": "_bit_length_", "bit_count": "_bit_count_", "as_integer_ratio": "_as_integer_ratio_", "ctime": "_ctime_", "timetuple": "_timetuple_", "is_integer": "_is_integer_", "move_to_end": "_move_to_end_",
}  # fmt: skip
_LAZY = {"zip", "enumerate", "map", "filter", "islice", "takewhile"}
_BOUND = {
    name for kind in _TYPES.values() for name in dir(kind) if callable(getattr(kind, name)) and name[0] != "_"
}
_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Gaps(ast.NodeTransformer):
    """One program, before its classes are rewritten."""

    def __init__(self, tree: ast.Module) -> None:
        self.changed = False
        self.needed: set[str] = set()
        nodes = list(ast.walk(tree))
        self.own = {
            node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        }
        self.modules: dict[str, str] = {}
        self.typing: set[str] = set()
        self.imported: set[str] = set()
        self.stored = {
            node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        self.documents: dict[str, str | None] = {}
        self.functions: set[str] = set()
        self.typed: dict[str, list[str]] = {}
        for node in nodes:
            self._learn(node)
        self.generators = {node.name for node in nodes if isinstance(node, ast.FunctionDef) and yields(node)}
        self.lazy = bool(self.generators) or "__next__" in self.own
        self.ordered = {
            target.id
            for node in nodes
            if isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and _ends(node.value.func, "OrderedDict")
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self.own_truth = bool(self.own & {"__bool__", "__len__"})
        self.with_items = "__delitem__" in self.own

    def _learn(self, node: ast.AST) -> None:
        if isinstance(node, _DEFINED):
            self.own.add(node.name)
            self.documents[node.name] = ast.get_docstring(node, clean=False)
            self.functions |= {node.name} if isinstance(node, ast.FunctionDef) else set()
        if isinstance(node, ast.ClassDef):
            fields = [
                one.target.id
                for one in node.body
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
            ]
            above = [
                name
                for base in node.bases
                if isinstance(base, ast.Name)
                for name in self.typed.get(base.id, [])
            ]
            self.typed[node.name] = list(dict.fromkeys([*above, *fields]))
            self.own.update(fields)
        if isinstance(node, ast.Import):
            self.modules |= {alias.asname or alias.name: alias.name for alias in node.names}
            self.imported |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            self.imported.add(node.module or "")
        if isinstance(node, ast.ImportFrom) and node.module in ("typing", "collections.abc"):
            self.typing |= {alias.asname or alias.name for alias in node.names}

    def need(self, name: str) -> ast.expr:
        """A helper by name."""
        self.changed = True
        self.needed.update((*NEEDS.get(name, ()), name))
        return ast.Name(name, ast.Load())

    def before(self) -> list[ast.stmt]:
        """The helpers that the program needs."""
        text = "\n".join(source for name, source in HELPERS.items() if name in self.needed)
        tables = (
            f"_FIELDS_ = {self._fields()!r}\n_TYPED_ = {self.typed!r}\n"
            if self.needed & {"_dict_", "_asdict_"}
            else ""
        )
        return ast.parse(tables + text).body

    def _fields(self) -> list[str]:
        return [name for name in sorted(self.own) if name not in self.documents]

    # What is imported

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | list[ast.stmt]:
        instead = {
            ("functools", "wraps"): "lambda *given: _same_", ("collections", "OrderedDict"): "dict", ("dataclasses", "asdict"): "_asdict_",
            ("contextlib", "contextmanager"): "_same_",
            ("typing", "NamedTuple"): "object", ("functools", "total_ordering"): "_same_",
        }  # fmt: skip
        gone = [
            (alias, instead[node.module or "", alias.name])
            for alias in node.names
            if (node.module or "", alias.name) in instead
        ]
        kept = [alias for alias in node.names if all(alias is not one for one, _ in gone)]
        if not gone:
            return node
        made: list[ast.stmt] = [ast.ImportFrom(node.module, kept, 0)] if kept else []
        for alias, text in gone:
            for name in ("_same_", "_asdict_"):
                if name in text:
                    self.need(name)
            made += ast.parse(f"{alias.asname or alias.name} = {text}").body
        self.changed = True
        return made

    # Attributes and calls

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        made = self._attribute(node)
        if made is not node:
            return made
        self.generic_visit(node)
        return node

    def _attribute(self, node: ast.Attribute) -> ast.expr:
        held, name = node.value, node.attr
        if not isinstance(node.ctx, ast.Load):
            return node
        if isinstance(held, ast.Name) and held.id in self.documents and held.id not in self.stored:
            if name == "__doc__":
                return self._constant(self.documents[held.id])
            if name == "__name__":
                return self._constant(held.id)
        module = self.modules.get(held.id) if isinstance(held, ast.Name) else None
        if (module, name) == ("functools", "wraps"):
            self.changed = True
            return ast.Lambda(_given("*given"), self.need("_same_"))
        if (module, name) == ("collections", "OrderedDict"):
            self.changed = True
            return ast.Name("dict", ast.Load())
        if (module, name) == ("dataclasses", "asdict"):
            return self.need("_asdict_")
        if (module, name) == ("sys", "platform"):
            return self._constant("linux")
        if name == "__dict__":
            return ast.Call(self.need("_dict_"), [self.visit(held)], [])
        if name == "__name__":
            return ast.Call(self.need("_name_"), [self.visit(held)], [])
        return self._as_value(node, module)

    def _as_value(self, node: ast.Attribute, module: str | None) -> ast.expr:
        """A method that is not called at once."""
        held, name = node.value, node.attr
        if isinstance(held, ast.Name) and held.id not in self.stored and (held.id, name) in _OF_TYPE:
            return self.need(_OF_TYPE[held.id, name])
        if isinstance(held, ast.Name) and held.id in _TYPES and held.id not in self.stored:
            if (held.id, name) in _KEPT or not hasattr(_TYPES[held.id], name):
                return node
            made = ast.Call(ast.Attribute(ast.Name("_s", ast.Load()), name, ast.Load()), [], [])
            return self._spread(self.visit_Call(made), "_s, ")
        if module is None and name in _BOUND and name not in self.own:
            made = ast.Call(ast.Attribute(held, name, ast.Load()), [], [])
            return self._spread(self.visit_Call(made), "")
        return node

    def _spread(self, call: ast.expr, first: str) -> ast.expr:
        made = ast.parse(f"lambda {first}*_a, **_k: f(*_a, **_k)", mode="eval").body
        assert isinstance(made, ast.Lambda) and isinstance(made.body, ast.Call) and isinstance(call, ast.Call)  # noqa: PT018
        made.body.func, made.body.args = call.func, [*call.args, *made.body.args]
        self.changed = True
        return made

    def _constant(self, value: str | None) -> ast.expr:
        self.changed = True
        return ast.Constant(value)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        made = self._called(node)
        if isinstance(made.func, ast.Attribute):  # the method of a call is no value
            if isinstance(made.func.value, ast.Name) and made.func.value.id in self.modules:
                made.func = self._attribute(made.func)
            else:
                made.func.value = self.visit(made.func.value)
        else:
            made.func = self.visit(made.func)
        made.args = [self.visit(one) for one in made.args]
        made.keywords = [ast.keyword(one.arg, self.visit(one.value)) for one in made.keywords]
        return made

    def _called(self, node: ast.Call) -> ast.Call:
        match node.func:
            case ast.Attribute(value=ast.Name(id=held), attr=name) if (held, name) in _OF_TYPE:
                return ast.Call(self.need(_OF_TYPE[held, name]), node.args, node.keywords)
            case ast.Attribute(value=ast.Attribute(attr=held), attr=name) if (held, name) in _OF_TYPE:
                return ast.Call(self.need(_OF_TYPE[held, name]), node.args, node.keywords)
            case ast.Attribute(value=ast.Name(id=held), attr=name) if (
                held in _TYPES and held not in self.stored
            ):
                if node.args and not isinstance(node.args[0], ast.Starred) and (held, name) not in _KEPT:
                    self.changed = True
                    return self._called(
                        ast.Call(ast.Attribute(node.args[0], name, ast.Load()), node.args[1:], node.keywords)
                    )
            case ast.Attribute(value=ast.Name(id=held), attr="sub") if self.modules.get(held) == "re":
                return ast.Call(self.need("_sub_"), node.args, node.keywords)
            case ast.Attribute(value=ast.Name(id=held), attr="subn") if self.modules.get(held) == "re":
                return ast.Call(self.need("_subn_"), node.args, node.keywords)
            case ast.Attribute(value=ast.Name(id=held), attr="dumps" | "dump") if (
                self.modules.get(held) == "json"
            ):
                return self._dumped(node)
            case ast.Attribute(value=compiled, attr="sub") if node.args and not isinstance(
                node.args[0], ast.Constant
            ):
                if "sub" not in self.own:
                    return ast.Call(self.need("_sub_"), [compiled, *node.args], node.keywords)
            case ast.Attribute(value=held, attr=name) if name in _METHODS and name not in self.own:
                return ast.Call(self.need(_METHODS[name]), [held, *node.args], node.keywords)
            case ast.Attribute(value=held, attr="popitem") if node.keywords:
                return ast.Call(self.need("_popitem_"), [held, *node.args], node.keywords)
            case ast.Attribute(
                value=ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr" as to), attr="write"
            ):
                self.changed = True
                call = ast.parse(f"print(0, end='', file=sys.{to})", mode="eval").body
                assert isinstance(call, ast.Call)
                call.args = node.args
                return call
            case ast.Attribute(value=ast.Name(id=held), attr=name) if (
                name in _LAZY and self.modules.get(held) == "itertools"
            ):
                return self._lazily(node, name)
            case ast.Name(id=name) if name not in self.own and name not in self.stored:
                return self._by_name(node, name)
        return node

    def _dumped(self, node: ast.Call) -> ast.Call:
        """What json writes, after its `default` was asked for what it cannot."""
        other = next((one.value for one in node.keywords if one.arg == "default"), None)
        if other is None or not node.args:
            return node
        plain = ast.Call(self.need("_plain_"), [node.args[0], other], [])
        return ast.Call(
            node.func, [plain, *node.args[1:]], [one for one in node.keywords if one.arg != "default"]
        )

    def _by_name(self, node: ast.Call, name: str) -> ast.Call:
        if name in _LAZY:
            return self._lazily(node, name)
        if name == "open":
            return ast.Call(self.need("_open_"), node.args, node.keywords)
        if name == "bytes" and len(node.args) == 1:
            return ast.Call(self.need("_bytes_"), node.args, node.keywords)
        if name == "int" and len(node.args) == 1 and ("fractions" in self.imported or "__int__" in self.own):
            return ast.Call(self.need("_int_"), node.args, node.keywords)
        if name == "vars" and node.args:
            return ast.Call(self.need("_dict_"), node.args, node.keywords)
        if name == "callable":
            return ast.Call(self.need("callable"), node.args, node.keywords)
        if name == "bool" and self.own_truth:
            return ast.Call(self.need("_true_"), node.args, node.keywords)
        if name in ("print", "str", "repr"):
            node.args = [self._shown(one) for one in node.args]
        if name == "next" and node.args and isinstance(node.args[0], ast.GeneratorExp):
            node.args[0] = self._lazy_expression(node.args[0], always=True)
        return node

    def _shown(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Name) and node.id in self.ordered:
            return ast.Call(self.need("_ordered_"), [node], [])
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        node.value = self._shown(node.value)
        self.generic_visit(node)
        return node

    # Laziness, truth and deletion

    def _lazily(self, node: ast.Call, name: str) -> ast.Call:
        return ast.Call(self.need(f"_{name}_"), node.args, node.keywords) if self.lazy else node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        made = self._lazy_expression(node, always=False)
        self.generic_visit(made)
        return made

    def _lazy_expression(self, node: ast.GeneratorExp, *, always: bool) -> ast.expr:
        first = node.generators[0]
        source = first.iter.func if isinstance(first.iter, ast.Call) else None
        endless = (
            _ends(source, "count")
            or _ends(source, "cycle")
            or any(_ends(source, name) for name in self.generators)
        )
        if (
            len(node.generators) > 1
            or not isinstance(first.target, ast.Name)
            or not (endless or always or (self.lazy and isinstance(first.iter, ast.Name)))
        ):
            return node
        given = _given(first.target.id)
        tests: ast.expr = (
            ast.BoolOp(ast.And(), first.ifs)
            if len(first.ifs) > 1
            else first.ifs[0]
            if first.ifs
            else ast.Constant(True)
        )
        made = [first.iter, ast.Lambda(given, tests), ast.Lambda(given, node.elt)]
        return ast.Call(self.need("_lazily_"), made, [])

    def _tested(self, node: ast.expr) -> ast.expr:
        if not self.own_truth or isinstance(node, ast.Compare | ast.Constant):
            return node
        return ast.Call(self.need("_true_"), [node], [])

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        node.test = self._tested(node.test)
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        self.generic_visit(node)
        node.test = self._tested(node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        node.test = self._tested(node.test)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            node.operand = self._tested(node.operand)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        self.generic_visit(node)
        self.changed = True
        error = ast.Call(ast.Name("AssertionError", ast.Load()), [node.msg] if node.msg else [], [])
        return ast.If(ast.UnaryOp(ast.Not(), self._tested(node.test)), [ast.Raise(error)], [])

    def visit_Delete(self, node: ast.Delete) -> ast.stmt:
        self.generic_visit(node)
        match node.targets:
            case [ast.Subscript(value=held, slice=key)] if self.with_items and not isinstance(key, ast.Slice):
                return ast.Expr(ast.Call(self.need("_delitem_"), [held, key], []))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if (
            isinstance(node.value, ast.Name)
            and node.value.id in self.typing
            and isinstance(node.ctx, ast.Load)
        ):
            self.changed = True
            return ast.Name("object", ast.Load())
        self.generic_visit(node)
        return node


def _given(text: str) -> ast.arguments:
    made = ast.parse(f"lambda {text}: 0", mode="eval").body
    assert isinstance(made, ast.Lambda)
    return made.args


def _ends(node: ast.expr | None, name: str) -> bool:
    """Whether an expression is a name, or the attribute of something under it."""
    return (isinstance(node, ast.Name) and node.id == name) or (
        isinstance(node, ast.Attribute) and node.attr == name
    )
