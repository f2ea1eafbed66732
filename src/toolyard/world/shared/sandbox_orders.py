"""What stands before a program of the sandbox that compares or measures objects of its own, and what is refused of it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from toolyard.world.shared.sandbox_gaps import Gaps
from toolyard.world.shared.sandbox_kinds import Kinds
from toolyard.world.shared.sandbox_numbers import Numbers


@dataclass(slots=True)
class Kind:
    """What the text of a program tells of one of its classes."""

    bases: list[str]
    names: list[str]
    properties: set[str] = field(default_factory=set)
    settable: set[str] = field(default_factory=set)
    static: set[str] = field(default_factory=set)
    by_class: set[str] = field(default_factory=set)
    typed: dict[str, str] = field(default_factory=dict)


LENGTH = "def _len_(x):\n    try:\n        return len(x)\n    except TypeError:\n        return x.__len__()"
ORDER = """
def _less_(a, b):
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        for one, other in zip(a, b):
            if one != other:
                return _less_(one, other)
        return len(a) < len(b)
    if hasattr(a, '__lt__'):
        return a.__lt__(b)
    if hasattr(b, '__gt__'):
        return b.__gt__(a)
    return a < b
def _most_(a, b):
    if hasattr(a, '__le__'):
        return a.__le__(b)
    if hasattr(b, '__ge__'):
        return b.__ge__(a)
    return a <= b
def _extreme_(given, named, wrong):
    items = list(given[0]) if len(given) == 1 else list(given)
    if not items:
        if 'default' in named:
            return named['default']
        raise ValueError('arg is an empty sequence')
    key = named.get('key')
    best, rank = items[0], key(items[0]) if key else items[0]
    for item in items[1:]:
        other = key(item) if key else item
        if _less_(other, rank) if wrong == 'max' else _less_(rank, other):
            continue
        if not _less_(rank, other) and not _less_(other, rank):
            continue
        best, rank = item, other
    return best
def _max_(*given, **named):
    return _extreme_(given, named, 'max')
def _min_(*given, **named):
    return _extreme_(given, named, 'min')
def _sorted_(items, key=None, reverse=False):
    found = []
    for item in items:
        rank = key(item) if key else item
        place = len(found)
        while place > 0 and _less_(rank, found[place - 1][0]):
            place -= 1
        found.insert(place, (rank, item))
    found = [item for _, item in found]
    return found[::-1] if reverse else found
"""
INPUT = "def input(prompt=''):\n    raise RuntimeError('EOF when reading a line: there is no keyboard here')"
PROPERTY = "def _get_{name}_(x):\n    return x.{name}() if isinstance(x, ({owners},)) else x.{name}"
_UNHEARD = frozenset(
    "__new__ __init_subclass__ __getattr__ __getattribute__ __setattr__ __delattr__ __class_getitem__ __get__ __set__ "
    "__set_name__ __format__ __missing__ __reversed__ __iadd__ __isub__ __imul__".split()
)


def refused(tree: ast.Module) -> str | None:
    """A method of a class of the program that the sandbox would not call, so that the program went wrong unseen."""
    for node in ast.walk(tree):
        for one in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(one, ast.FunctionDef) and one.name in _UNHEARD:
                return one.name
    return None


def filled(tree: ast.Module, gaps: Gaps, known: ast.Module) -> ast.Module:
    """A program after what the sandbox lacks is filled in; it may use what else is known of its session."""
    tree = Numbers(known, gaps.need).visit(gaps.visit(Kinds(known, gaps).visit(tree)))
    if gaps.changed:
        tree.body = [*gaps.before(), *tree.body]
        tree = ast.parse(ast.unparse(ast.fix_missing_locations(tree)))
    return tree
