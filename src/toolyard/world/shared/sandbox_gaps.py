"""Python rewritten so that everyday built-ins work in the sandbox: methods as values, lazy iteration, dates.

`key=str.lower` becomes a lambda, `re.sub(p, function, text)` a call of a helper. A program is only read, never run.
"""

from __future__ import annotations

import ast

from toolyard.world.shared.sandbox_generators import yields
from toolyard.world.shared.sandbox_helpers import HELPERS, NEEDS
from toolyard.world.shared.sandbox_lists import (
    BOUND,
    DEFINED,
    INSTEAD,
    KEPT,
    LAZY,
    METHODS,
    OF_TYPE,
    TYPES,
    arguments_of,
    ends,
)


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
            and ends(node.value.func, "OrderedDict")
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self.on_functions = {
            (node.value.id, node.attr)
            for node in nodes
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name) and node.value.id in self.functions
        }  # fmt: skip
        self.own_truth = bool(self.own & {"__bool__", "__len__"})
        self.with_items = "__delitem__" in self.own

    def _learn(self, node: ast.AST) -> None:
        if isinstance(node, DEFINED):
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
        gone = [
            (alias, INSTEAD[node.module or "", alias.name])
            for alias in node.names
            if (node.module or "", alias.name) in INSTEAD
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
        if isinstance(node.value, ast.Name) and (node.value.id, node.attr) in self.on_functions:
            name = ast.Constant(f"{node.value.id}.{node.attr}")
            return ast.Subscript(self.need("_on_functions_"), name, node.ctx)
        made = self._attribute(node)
        if made is not node:
            return made
        self.generic_visit(node)
        return node

    def _attribute(self, node: ast.Attribute) -> ast.expr:
        held, name = node.value, node.attr
        if not isinstance(node.ctx, ast.Load):
            return node
        owner = held.id if isinstance(held, ast.Name) else ""
        if owner in self.documents and owner not in self.stored and name in ("__doc__", "__name__"):
            return self._constant(self.documents[owner] if name == "__doc__" else owner)
        module = self.modules.get(owner)
        stand_in = INSTEAD.get((module or "", name))
        if stand_in:
            for helper in ("_same_", "_asdict_"):
                if helper in stand_in:
                    self.need(helper)
            self.changed = True
            return ast.parse(f"({stand_in})", mode="eval").body
        if (module, name) == ("sys", "platform"):
            return self._constant("linux")
        if name in ("__dict__", "__name__"):
            return ast.Call(self.need("_dict_" if name == "__dict__" else "_name_"), [self.visit(held)], [])
        return self._as_value(node, module)

    def _as_value(self, node: ast.Attribute, module: str | None) -> ast.expr:
        """A method that is not called at once."""
        held, name = node.value, node.attr
        if isinstance(held, ast.Name) and held.id not in self.stored and (held.id, name) in OF_TYPE:
            return self.need(OF_TYPE[held.id, name])
        if isinstance(held, ast.Name) and held.id in TYPES and held.id not in self.stored:
            if (held.id, name) in KEPT or not hasattr(TYPES[held.id], name):
                return node
            made = ast.Call(ast.Attribute(ast.Name("_s", ast.Load()), name, ast.Load()), [], [])
            return self._spread(self.visit_Call(made), "_s, ")
        if module is None and name in BOUND and name not in self.own:
            made = ast.Call(ast.Attribute(held, name, ast.Load()), [], [])
            return self._spread(self.visit_Call(made), "")
        return node

    def _spread(self, call: ast.expr, first: str) -> ast.expr:
        made = ast.parse(f"lambda {first}*_a, **_k: f(*_a, **_k)", mode="eval").body
        assert isinstance(made, ast.Lambda) and isinstance(made.body, ast.Call) and isinstance(call, ast.Call)
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
        func = node.func
        if isinstance(func, ast.Name) and func.id not in self.own and func.id not in self.stored:
            return self._by_name(node, func.id)
        if not isinstance(func, ast.Attribute):
            return node
        held = func.value
        owner = (
            held.id if isinstance(held, ast.Name) else held.attr if isinstance(held, ast.Attribute) else ""
        )
        if (owner, func.attr) in OF_TYPE:
            return ast.Call(self.need(OF_TYPE[owner, func.attr]), node.args, node.keywords)
        if isinstance(held, ast.Name) and owner in TYPES and owner not in self.stored:
            return self._unbound(node, owner, func.attr)
        if isinstance(held, ast.Name) and owner in self.modules:
            return self._of_module(node, self.modules[owner], func.attr)
        if owner in ("stdout", "stderr") and func.attr == "write":
            return self._printed(node, owner)
        return self._method(node, held, func.attr)

    def _unbound(self, node: ast.Call, kind: str, name: str) -> ast.Call:
        """str.upper(text) as text.upper()."""
        if not node.args or isinstance(node.args[0], ast.Starred) or (kind, name) in KEPT:
            return node
        self.changed = True
        made = ast.Attribute(node.args[0], name, ast.Load())
        return self._called(ast.Call(made, node.args[1:], node.keywords))

    def _of_module(self, node: ast.Call, module: str, name: str) -> ast.Call:
        if module == "re" and name in ("sub", "subn"):
            return ast.Call(self.need(f"_{name}_"), node.args, node.keywords)
        if module == "json" and name in ("dump", "dumps"):
            return self._dumped(node)
        if module == "itertools" and name in LAZY:
            return self._lazily(node, name)
        return node

    def _printed(self, node: ast.Call, to: str) -> ast.Call:
        self.changed = True
        call = ast.parse(f"print(0, end='', file=sys.{to})", mode="eval").body
        assert isinstance(call, ast.Call)
        call.args = node.args
        return call

    def _method(self, node: ast.Call, held: ast.expr, name: str) -> ast.Call:
        """A method of an object that may be of a type which lacks it in the sandbox."""
        given = node.args[0] if node.args else None
        helper = METHODS.get(name) if name not in self.own else None
        if (
            name == "sub"
            and "sub" not in self.own
            and given is not None
            and not isinstance(given, ast.Constant)
        ):
            helper = "_sub_"
        if name == "popitem" and node.keywords:
            helper = "_popitem_"
        return ast.Call(self.need(helper), [held, *node.args], node.keywords) if helper else node

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
        if name in LAZY:
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
            return self._to_file(node) if name == "print" else node
        if name == "next" and node.args and isinstance(node.args[0], ast.GeneratorExp):
            node.args[0] = self._lazy_expression(node.args[0], always=True)
        return node

    def _to_file(self, node: ast.Call) -> ast.Call:
        """A print into a file."""
        to = next((one.value for one in node.keywords if one.arg == "file"), None)
        if to is None or (isinstance(to, ast.Attribute) and to.attr in ("stdout", "stderr")):
            return node
        return ast.Call(
            self.need("_print_to_"), [to, *node.args], [one for one in node.keywords if one.arg != "file"]
        )

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
            ends(source, "count")
            or ends(source, "cycle")
            or any(ends(source, name) for name in self.generators)
        )
        if (
            len(node.generators) > 1
            or not isinstance(first.target, ast.Name)
            or not (endless or always or (self.lazy and isinstance(first.iter, ast.Name)))
        ):
            return node
        given = arguments_of(first.target.id)
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
