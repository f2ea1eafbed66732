"""Errors of the sandbox that would be false about Python, told as what the sandbox lacks."""

from __future__ import annotations

import builtins
import datetime
import functools
import importlib
import re
import sys

from toolyard.world.shared.sandbox_modules import BUILT_IN, WRITTEN

_TYPES = {"datetime.datetime": datetime.datetime, "datetime.date": datetime.date, "datetime.time": datetime.time,
          "datetime.timedelta": datetime.timedelta, "function": type(lambda: None),
          "_io.TextIOWrapper": type(sys.__stdout__)}  # fmt: skip


def lacking(text: str) -> str:
    """An error of a program; where Python has what is said to be missing, what this small Python lacks."""
    missing = _missing(text)
    if missing is None:
        return text
    if text.startswith("ModuleNotFoundError"):
        return f"ModuleNotFoundError: this small Python lacks the module '{missing}'"
    return f"NotImplementedError: this small Python lacks {missing}"


def _missing(text: str) -> str | None:
    if found := re.match(r"NameError: name '(\w+)' is not defined", text):
        return f"the built-in {found[1]}" if hasattr(builtins, found[1]) else None
    if found := re.match(r"ModuleNotFoundError: No module named '(\w+)", text):
        return found[1] if found[1] in sys.stdlib_module_names else None
    if found := re.match(r"ImportError: cannot import name '(\w+)' from '([\w.]+)'", text):
        return f"{found[2]}.{found[1]}" if _has(found[2], found[1]) else None
    if found := re.match(r"AttributeError: module '([\w.]+)' has no attribute '(\w+)'", text):
        return f"{found[1]}.{found[2]}" if _has(found[1], found[2]) else None
    if found := re.match(
        r"AttributeError: (?:type object )?'([\w.]+)' (?:object )?has no attribute '(\w+)'", text
    ):
        module = found[1].strip("_").lower()
        if found[1].startswith("_") and _has(module, found[2]):
            return f"{module}.{found[2]}"
        if found[2].startswith("__") and hasattr(type, found[2]):
            return f"the attribute {found[2]} of classes and objects"
        kind = _TYPES.get(found[1]) or getattr(builtins, found[1], None)
        if isinstance(kind, type) and issubclass(kind, BaseException) and hasattr(kind, found[2]):
            return f"the attribute {found[2]} of exceptions"
        own = found[1] == "function" and "for setting" in text
        return (
            f"the attribute {found[2]} of {found[1]}"
            if own or (kind is not None and (hasattr(kind, found[2]) or found[2] == "__annotations__"))
            else None
        )
    return None


@functools.cache
def _has(module: str, name: str) -> bool:
    """Whether a module of the standard library that the sandbox knows has a name."""
    return module in (*BUILT_IN, *WRITTEN) and hasattr(importlib.import_module(module), name)
