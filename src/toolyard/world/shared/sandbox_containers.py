"""Subclasses of list and dict for the sandbox, which has none: their bases become classes that hold a list or a dict."""

from __future__ import annotations

import ast

LIST, DICT, ORDERED, USER = "_List_", "_Dict_", "_Ordered_", "_User_"
_BASES = {"list": LIST, "UserList": LIST, "dict": DICT, "UserDict": USER, "OrderedDict": ORDERED}
_SOURCES = {
    LIST: """
class _List_:
    def __init__(self, items=()):
        self.data = list(items)
    def append(self, item):
        self._held_().append(item)
    def extend(self, items):
        self._held_().extend(list(items))
    def insert(self, place, item):
        self._held_().insert(place, item)
    def pop(self, place=-1):
        return self._held_().pop(place)
    def remove(self, item):
        self._held_().remove(item)
    def clear(self):
        self._held_().clear()
    def index(self, item):
        return self._held_().index(item)
    def count(self, item):
        return self._held_().count(item)
    def copy(self):
        return list(self._held_())
    def reverse(self):
        self._held_().reverse()
    def sort(self, key=None, reverse=False):
        self.data = sorted(self._held_(), key=key, reverse=reverse)
    def _held_(self):
        if not hasattr(self, 'data'):
            self.data = []
        return self.data
    def __len__(self):
        return len(self._held_())
    def __getitem__(self, place):
        return self._held_()[place]
    def __setitem__(self, place, item):
        self._held_()[place] = item
    def __delitem__(self, place):
        self._held_().pop(place)
    def __iter__(self):
        return iter(self._held_())
    def __contains__(self, item):
        return item in self._held_()
    def __eq__(self, other):
        return self._held_() == list(other)
    def __add__(self, other):
        return self._held_() + list(other)
    def __mul__(self, number):
        return self._held_() * number
    def __repr__(self):
        return repr(self._held_())
def _extended_(held, more):
    if hasattr(held, 'extend'):
        held.extend(more)
        return held
    return held + more
""",
    DICT: """
class _Dict_:
    def __init__(self, *given, **named):
        self.data = {}
        self.update(*given, **named)
    def _held_(self):
        if not hasattr(self, 'data'):
            self.data = {}
        return self.data
    def update(self, *given, **named):
        held = self._held_()
        for one in given:
            for key, item in (one.items() if hasattr(one, 'items') or isinstance(one, dict) else one):
                held[key] = item
        for key, item in named.items():
            held[key] = item
    def keys(self):
        return self._held_().keys()
    def values(self):
        return self._held_().values()
    def items(self):
        return self._held_().items()
    def get(self, key, default=None):
        return self._held_().get(key, default)
    def pop(self, key, *default):
        return self._held_().pop(key, *default)
    def popitem(self, last=True):
        key = list(self._held_())[-1 if last else 0]
        return key, self._held_().pop(key)
    def move_to_end(self, key, last=True):
        item = self._held_().pop(key)
        rest = self._held_()
        self.data = {**rest, key: item} if last else {key: item, **rest}
    def setdefault(self, key, default=None):
        if key not in self._held_():
            self[key] = default
        return self._held_()[key]
    def clear(self):
        self._held_().clear()
    def copy(self):
        return dict(self._held_())
    def __len__(self):
        return len(self._held_())
    def __getitem__(self, key):
        held = self._held_()
        if key not in held and hasattr(self, '_missing_'):
            return self._missing_(key)
        return held[key]
    def __setitem__(self, key, item):
        self._held_()[key] = item
    def __delitem__(self, key):
        self._held_().pop(key)
    def __iter__(self):
        return iter(list(self._held_()))
    def __contains__(self, key):
        return key in self._held_()
    def __eq__(self, other):
        return self._held_() == dict(other.items())
    def __repr__(self):
        return repr(self._held_())
""",
}
# Only these two call a __setitem__ of the program's own when they are filled.
_SOURCES[USER] = (
    _SOURCES[DICT].replace("class _Dict_", "class _User_").replace("held[key] = item", "self[key] = item")
)
_SOURCES[ORDERED] = (
    _SOURCES[USER]
    .replace("class _User_", "class _Ordered_")
    .replace("return repr(self._held_())", "return type(self).__name__ + '(' + repr(self._held_()) + ')'")
)


class _Containers(ast.NodeTransformer):
    """One program: the bases of its classes, and what is done with their objects."""

    def __init__(self, known: set[str]) -> None:
        self.used: set[str] = set()
        self.known = known
        self.base = ""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        outer, self.base = self.base, ""
        if len(node.bases) == 1 and _named(node.bases[0]) in _BASES and not node.keywords:
            self.base = _BASES[_named(node.bases[0])]
            self.used.add(self.base)
            node.bases = [ast.Name(self.base, ast.Load())]
            for one in node.body:
                if isinstance(one, ast.FunctionDef) and one.name == "__missing__":
                    one.name = "_missing_"
        self.generic_visit(node)
        self.base = outer
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        kept = [alias for alias in node.names if alias.name not in ("UserDict", "UserList")]
        if node.module != "collections" or len(kept) == len(node.names):
            return node
        return ast.ImportFrom(node.module, kept, 0) if kept else ast.Pass()

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="list" | "dict"), attr=name), args=[_, *_]
            ) if self.base and name != "fromkeys":
                return ast.Call(
                    ast.Attribute(ast.Name(self.base, ast.Load()), name, ast.Load()), node.args, node.keywords
                )
            case ast.Call(func=ast.Name(id="isinstance"), args=[held, kinds]):
                parts = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
                more = [ast.Name(one, ast.Load()) for part in parts for one in self._classes(_named(part))]
                return (
                    ast.Call(node.func, [held, ast.Tuple([*parts, *more], ast.Load())], []) if more else node
                )
            case ast.Call(func=ast.Name(id="reversed"), args=[held]):
                return ast.Call(node.func, [ast.Call(ast.Name("list", ast.Load()), [held], [])], [])
        return node

    def _classes(self, name: str) -> list[str]:
        held = {"list": (LIST,), "dict": (DICT, ORDERED, USER)}.get(name, ())
        return [one for one in held if one in self.used | self.known]

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        lists = LIST in self.used | self.known
        if not lists or not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Name):
            return node
        value = ast.Call(
            ast.Name("_extended_", ast.Load()), [ast.Name(node.target.id, ast.Load()), node.value], []
        )
        return ast.Assign([node.target], value)


def _named(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def with_containers(program: str, known: set[str]) -> str:
    """A program whose subclasses of list and dict hold one instead; unchanged where there are none. `known` grows."""
    if not known and not any(f"({name})" in program or f".{name})" in program for name in _BASES):
        return program
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program
    worker = _Containers(known)
    tree = worker.visit(tree)
    if not worker.used and not known:
        return program
    new = [name for name in (LIST, DICT, ORDERED, USER) if name in worker.used - known]
    known |= worker.used
    text = ast.unparse(ast.fix_missing_locations(tree))
    return "".join(_SOURCES[name] for name in new) + text
