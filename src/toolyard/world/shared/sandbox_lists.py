"""Which names of Python the sandbox lacks, and by which helper each is replaced."""

from __future__ import annotations

import ast

TYPES = {
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
OF_TYPE = {
    ("str", "maketrans"): "_maketrans_",
    ("int", "from_bytes"): "_from_bytes_",
    ("datetime", "fromtimestamp"): "_fromtimestamp_",
    ("datetime", "utcfromtimestamp"): "_fromtimestamp_",
    ("date", "fromordinal"): "_fromordinal_",
    ("datetime", "utcnow"): "_utcnow_",
}
KEPT = {("dict", "fromkeys"), ("bytes", "fromhex"), ("float", "fromhex")}
# Methods of objects that the interpreter lacks.
METHODS = {
    "translate": "_translate_", "to_bytes": "_to_bytes_", "isocalendar": "_isocalendar_", "toordinal": "_toordinal_",
    "bit_length": "_bit_length_", "bit_count": "_bit_count_", "as_integer_ratio": "_as_integer_ratio_",
    "ctime": "_ctime_", "timetuple": "_timetuple_", "is_integer": "_is_integer_", "move_to_end": "_move_to_end_",
}  # fmt: skip
LAZY = {"zip", "enumerate", "map", "filter", "islice", "takewhile"}
BOUND = {
    name for kind in TYPES.values() for name in dir(kind) if callable(getattr(kind, name)) and name[0] != "_"
}
DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# What is imported, and what stands in for it.
INSTEAD = {
    ("functools", "wraps"): "lambda *given: _same_", ("collections", "OrderedDict"): "dict",
    ("dataclasses", "asdict"): "_asdict_",
    ("contextlib", "contextmanager"): "_same_",
    ("typing", "NamedTuple"): "object", ("functools", "total_ordering"): "_same_",
}  # fmt: skip


def arguments_of(text: str) -> ast.arguments:
    """The parameters of a lambda as it would write them."""
    made = ast.parse(f"lambda {text}: 0", mode="eval").body
    assert isinstance(made, ast.Lambda)
    return made.args


def ends(node: ast.expr | None, name: str) -> bool:
    """Whether an expression is a name, or the attribute of something under it."""
    return (isinstance(node, ast.Name) and node.id == name) or (
        isinstance(node, ast.Attribute) and node.attr == name
    )
