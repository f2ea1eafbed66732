"""Python rewritten for the sandbox, which lacks subclasses, properties, generators, `del` and exceptions of one's own.

A program is only read here, never run: `class B(A)` becomes a class that takes over the names of A, `super().m()`
becomes `A.m(self)`, `del d[k]` becomes `d.pop(k)`, and a generator becomes an iterator. What cannot be told from
the text alone stays as it is, and the sandbox says what it lacks.
"""

from __future__ import annotations

import ast

from toolyard.world.shared.sandbox_containers import with_containers
from toolyard.world.shared.sandbox_gaps import Gaps
from toolyard.world.shared.sandbox_generators import Unsuited, iterator, yields
from toolyard.world.shared.sandbox_orders import INPUT, LENGTH, ORDER, PROPERTY, Kind, filled, refused

# Exceptions of the sandbox that stand in for those of a program, where the program does not name them.
_SPARE = tuple(
    "UnboundLocalError NotImplementedError ImportError RecursionError PermissionError TimeoutError".split()
)
_ABSTRACT = ("ABC", "object", "Generic", "Protocol")


class Dialect:
    """The classes of a session and its rewriting."""

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self.stand_ins: dict[str, str] = {}
        self.parents: dict[str, str] = {}
        self.generators = 0
        self.imported: set[str] = set()
        self.earlier: list[ast.stmt] = []
        self.containers: set[str] = set()

    def rewritten(self, program: str) -> str:
        """A program for the sandbox; unchanged where it needs nothing."""
        program = with_containers(program, self.containers)
        try:
            tree = ast.parse(program)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return program  # the sandbox says what is wrong with it
        if unheard := refused(tree):
            return f"raise NotImplementedError('this small Python lacks classes with {unheard}')"
        try:
            known = ast.Module([*self.earlier, *tree.body], [])
            self.earlier += ast.parse(program).body
            gaps = Gaps(known)
            self.imported |= gaps.imported
            tree = filled(tree, gaps, known)
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    self._learn(node, program)
            worker = _Rewriter(self)
            tree = ast.fix_missing_locations(worker.visit(tree))
            if not worker.changed and not gaps.changed:
                return program
            tree.body = [*worker.before, *tree.body]
            return ast.unparse(tree)
        except (Unsuited, RecursionError):
            return program

    def own_error(self, text: str) -> str:
        """An error of the sandbox under the name that the program gave it."""
        kind, colon, rest = text.partition(":")
        own, bar, said = rest.strip().partition("|")
        if kind == "TimeoutError" and bar and own.isidentifier():
            return f"{own}: {said}" if said else own
        return next((name for name, spare in self.stand_ins.items() if spare == kind), kind) + colon + rest

    def subclasses(self, name: str) -> list[str]:
        """A class and those that come from it."""
        return [
            name,
            *(one for one, kind in self.kinds.items() if name in kind.bases for one in self.subclasses(one)),
        ]

    def related(self, names: list[str]) -> bool:
        """Whether some classes come from one another or from the same one."""
        known = self.kinds
        above = [{one for one in known if name in self.subclasses(one)} for name in names]
        return any(first & second for n, first in enumerate(above) for second in above[n + 1 :])

    def caught(self, name: str) -> list[str]:
        """The exceptions of the sandbox that a handler for one of a program's catches."""
        own = [spare for one, spare in self.stand_ins.items() if name in self._above(one)]
        return own if name in self.stand_ins else [name, *own]

    def _above(self, name: str) -> list[str]:
        return [name, *(self._above(self.parents[name]) if name in self.parents else ())]

    def _is_error(self, base: str) -> bool:
        return base in self.stand_ins or base.endswith(("Error", "Exception"))

    def _learn(self, node: ast.ClassDef, program: str) -> None:
        bases = [base.id for base in node.bases if isinstance(base, ast.Name) and base.id not in _ABSTRACT]
        plain_body = all(isinstance(one, ast.Pass | ast.Expr) for one in node.body)
        if len(bases) == 1 and self._is_error(bases[0]) and bases[0] not in self.kinds:
            left = [one for one in _SPARE if one not in program and one not in self.stand_ins.values()]
            if plain_body and left:
                self.stand_ins[node.name], self.parents[node.name] = left[0], bases[0]
            return
        kind = Kind(bases, [])
        for one in node.body:
            self._member(kind, one)
        for base in bases:
            if base in self.kinds:
                above = self.kinds[base]
                kind.names += [name for name in above.names if name not in kind.names]
                kind.properties |= above.properties
                kind.settable |= above.settable
                kind.static |= above.static
                kind.by_class |= above.by_class
                kind.typed = {**above.typed, **kind.typed}
        self.kinds[node.name] = kind

    @staticmethod
    def _member(kind: Kind, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef):
            ways = {ast.unparse(one) for one in node.decorator_list}
            if f"{node.name}.setter" in ways:
                kind.settable.add(node.name)
                kind.names.append(f"_set_{node.name}")
                return
            kind.names.append(node.name)
            kind.properties |= (
                {node.name} if ways & {"property", "cached_property", "functools.cached_property"} else set()
            )
            kind.static |= {node.name} if "staticmethod" in ways else set()
            kind.by_class |= {node.name} if "classmethod" in ways else set()
        for target in node.targets if isinstance(node, ast.Assign) else ():
            kind.names += [target.id] if isinstance(target, ast.Name) else []
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            kind.typed[node.target.id] = ast.unparse(node)
            kind.names += [node.target.id] if node.value else []


_DROPPED = {
    "property",
    "staticmethod",
    "classmethod",
    "cached_property",
    "functools.cached_property",
    "abstractmethod",
    "abc.abstractmethod",
    "override",
}


class _Rewriter(ast.NodeTransformer):
    """One program."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.changed = False
        self.before: list[ast.stmt] = []
        self.needed: set[str] = set()
        self.class_name = ""
        self.first = ""
        kinds = dialect.kinds.values()
        self.properties = {name for kind in kinds for name in kind.properties}
        self.settable = {name for kind in kinds for name in kind.settable}
        self.static = {name: one for one, kind in dialect.kinds.items() for name in kind.static}
        self.by_class = {name for kind in kinds for name in kind.by_class}
        self.measured = any("__len__" in kind.names for kind in kinds)
        self.ordered = "fractions" in dialect.imported or any(
            {"__lt__", "__gt__"} & set(kind.names) for kind in kinds
        )
        self.last_use: dict[str, int] = {}
        self.doubtful: set[str] = set()  # properties of one class that may be plain fields of another

    def _text(self, text: str) -> ast.expr:
        self.changed = True
        return ast.parse(text, mode="eval").body

    def _need(self, text: str) -> None:
        if text not in self.needed:
            self.needed.add(text)
            self.before = [*ast.parse(text).body, *self.before]

    def visit_Module(self, node: ast.Module) -> ast.AST:
        for name in ast.walk(node):
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load):
                self.last_use[name.id] = max(self.last_use.get(name.id, 0), name.lineno)
            if isinstance(name, ast.Attribute) and isinstance(name.ctx, ast.Store):
                self.doubtful.add(name.attr)
        for kind in self.dialect.kinds.values():
            self.doubtful |= {*kind.typed, *kind.names} - kind.properties
        return self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        if node.module != "abc":
            return node
        self.changed = True
        return ast.Pass()

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if (
            not self.ordered
            or len(node.ops) > 1
            or not isinstance(node.ops[0], ast.Lt | ast.Gt | ast.LtE | ast.GtE)
        ):
            return node
        self._need(ORDER)
        pair = [node.left, node.comparators[0]]
        which = "_less_" if isinstance(node.ops[0], ast.Lt | ast.Gt) else "_most_"
        return ast.Call(
            self._text(which), pair if isinstance(node.ops[0], ast.Lt | ast.LtE) else pair[::-1], []
        )

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        if node.name in self.dialect.stand_ins:
            self.changed = True
            return ast.parse(f"{node.name} = {self.dialect.stand_ins[node.name]}").body[0]
        outer, self.class_name = self.class_name, node.name
        self.generic_visit(node)
        self.class_name = outer
        kind = self.dialect.kinds.get(node.name)
        if kind is None or not node.bases or any(base not in self.dialect.kinds for base in kind.bases):
            return node
        if len(kind.bases) > 1 and self.dialect.related(kind.bases):
            return node  # in which order such bases are asked cannot be written so simply
        self.changed = True
        node.bases, node.keywords = [], []
        own = Kind([], [])
        for one in node.body:
            self.dialect._member(own, one)
        taken = [
            f"{name} = {base}.{name}"
            for base in reversed(kind.bases)
            for name in self.dialect.kinds[base].names
            if name not in own.names and not (node.decorator_list and name in kind.typed)
        ]
        if node.decorator_list:  # a dataclass: its fields are those of its bases, then its own
            taken += [text for name, text in kind.typed.items() if name not in own.typed]
        node.body = [*ast.parse("\n".join(taken)).body, *node.body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt | list[ast.stmt]:
        ways = [ast.unparse(one) for one in node.decorator_list]
        if any(way in _DROPPED or way.endswith(".setter") for way in ways):
            self.changed = True
            node.name = f"_set_{node.name}" if any(way.endswith(".setter") for way in ways) else node.name
            node.decorator_list = [
                one for one, way in zip(node.decorator_list, ways, strict=True)
                if way not in _DROPPED and not way.endswith(".setter")
            ]  # fmt: skip
        outer, self.first = self.first, node.args.args[0].arg if node.args.args else ""
        self.generic_visit(node)
        self.first = outer
        if not yields(node):
            return node
        self.changed = True
        name = f"_Gen{self.dialect.generators}_"
        self.dialect.generators += 1
        made = iterator(node, name)
        if self.class_name:  # beside the methods of its class the iterator would be a field
            self.before = [*self.before, *made]
            return node
        return [*made, node]

    def visit_Delete(self, node: ast.Delete) -> ast.stmt | list[ast.stmt]:
        lines = []
        for target in node.targets:
            match target:
                case ast.Subscript(slice=ast.Slice(step=None)):
                    lines.append(f"{ast.unparse(target)} = []")
                case ast.Subscript():
                    lines.append(f"{ast.unparse(target.value)}.pop({ast.unparse(target.slice)})")
                case ast.Name() if self.last_use.get(target.id, 0) <= node.lineno:
                    lines.append("pass")
                case _:
                    return node
        self.changed = True
        self.generic_visit(node)
        return ast.parse("\n".join(lines)).body

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        self.generic_visit(node)
        made = ast.ListComp(node.elt, node.generators)
        return ast.Call(ast.Name("iter", ast.Load()), [made], [])

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        self.generic_visit(node)
        parts = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type] if node.type else []
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        caught = list(dict.fromkeys(one for name in names for one in self.dialect.caught(name)))
        if len(names) == len(parts) and caught and caught != names:
            node.type = self._text(f"({', '.join(caught)},)")
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if node.attr == "__name__" and self.dialect.stand_ins:
            given = {spare: name for name, spare in self.dialect.stand_ins.items()}
            return self._text(f"({given}).get({ast.unparse(node)}, {ast.unparse(node)})")
        if node.attr in self.properties and isinstance(node.ctx, ast.Load):
            self.changed = True
            if node.attr not in self.doubtful:
                return ast.Call(node, [], [])
            owners = ", ".join(
                one for one, kind in self.dialect.kinds.items() if node.attr in kind.properties
            )
            self._need(PROPERTY.format(name=node.attr, owners=owners))
            return ast.Call(ast.Name(f"_get_{node.attr}_", ast.Load()), [node.value], [])
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if isinstance(node.target, ast.Attribute) and node.target.attr in self.settable:
            value = ast.Attribute(node.target.value, node.target.attr, ast.Load())
            return self.visit_Assign(ast.Assign([node.target], ast.BinOp(value, node.op, node.value)))
        self.generic_visit(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Attribute) and target.attr in self.settable:
            self.generic_visit(node)
            self.changed = True
            call = ast.Attribute(target.value, f"_set_{target.attr}", ast.Load())
            return ast.Expr(ast.Call(call, [node.value], []))
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node.func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[])):
                return self._super(node, node.func.attr)
            case ast.Name(id="isinstance") if len(node.args) == 2:
                node.args[1] = self._kinds(node.args[1])
            case ast.Name(id="issubclass") if len(node.args) == 2:
                return self._is_subclass(node)
            case ast.Name(id="len") if self.measured:
                self._need(LENGTH)
                self.changed, node.func = True, ast.Name("_len_", ast.Load())
            case ast.Name(id="sorted" | "min" | "max" as name) if self.ordered:
                self._need(ORDER)
                self.changed, node.func = True, ast.Name(f"_{name}_", ast.Load())
            case ast.Name(id="input"):
                self._need(INPUT)
                self.changed = True
            case ast.Attribute(attr=name, value=ast.Name(id=holder)) if name in self.static:
                if holder not in self.dialect.kinds:
                    node.func = self._text(f"{self.static[name]}.{name}")
            case ast.Attribute(attr=name, value=ast.Name(id=holder)) if name in self.by_class and (
                holder in self.dialect.kinds or holder == "cls"
            ):
                node.args = [self._text(holder), *node.args]
        return self._visited(node)

    def _visited(self, node: ast.Call) -> ast.Call:
        if isinstance(node.func, ast.Attribute) and node.func.attr in self.properties:
            node.func.value = self.visit(node.func.value)  # a method of the same name, as str.title
            node.args = [self.visit(one) for one in node.args]
            return node
        self.generic_visit(node)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        match node.value:
            case ast.Call(
                func=ast.Attribute(attr="exit", value=ast.Name(id="sys")) | ast.Name(id="exit" | "quit")
            ):
                self.changed = True
                given = node.value.args[:1]
                text = f"SystemExit(str({ast.unparse(given[0])}))" if given else "SystemExit"
                return ast.parse(f"raise {text}").body[0]
            case ast.Call(func=ast.Attribute(attr="sort", value=held)) if self.ordered:
                self._need(ORDER)
                call = ast.Call(self._text("_sorted_"), [held, *node.value.args], node.value.keywords)
                return ast.Assign([ast.Subscript(held, ast.Slice(), ast.Store())], call)
        self.generic_visit(node)
        return node

    def _super(self, node: ast.Call, name: str) -> ast.expr:
        kind = self.dialect.kinds.get(self.class_name)
        self.generic_visit(node)
        for base in kind.bases if kind else ():
            if base in self.dialect.kinds and name in self.dialect.kinds[base].names:
                self.changed = True
                own = ast.Name(self.first, ast.Load())
                return ast.Call(self._text(f"{base}.{name}"), [own, *node.args], node.keywords)
        return self._text("None") if name in ("__init__", "__init_subclass__") else node

    def _kinds(self, node: ast.expr) -> ast.expr:
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        found = list(dict.fromkeys(one for name in names for one in self.dialect.subclasses(name)))
        if len(names) < len(parts) or found == names:
            return node
        return self._text(f"({', '.join(found)},)")

    def _is_subclass(self, node: ast.Call) -> ast.expr:
        match node.args:
            case [ast.Name(id=one), ast.Name(id=other)] if one in self.dialect.kinds:
                return self._text(str(other == "object" or one in self.dialect.subclasses(other)))
        return node
