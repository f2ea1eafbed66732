"""What stands between the braces of ${...}: lengths, defaults, parts, ends taken off, letters changed."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable

_FORM = re.compile(r"(#)?(\w+|[?$#])(.*)", re.DOTALL)
_PART = re.compile(r":\s*(-?\d+)(?::\s*(-?\d+))?")


class Unknown(Exception):
    """A form that is not understood."""


def parameter(text: str, look: Callable[[str], str], put: Callable[[str, str], None]) -> str:
    """The value of ${text}; variables are looked up and, for :=, put."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise Unknown
    length, name, rest = match.groups()
    value = look(name)
    if length:
        if rest:
            raise Unknown
        return str(len(value))
    if not rest:
        return value
    return _changed(name, value, rest, put)


def _changed(name: str, value: str, rest: str, put: Callable[[str, str], None]) -> str:
    if rest[:2] in (":-", ":=", ":+") or rest[0] in "-=+":
        sign, other = rest.lstrip(":")[0], rest.lstrip(":")[1:]
        if sign == "=" and not value:
            put(name, other)
        return (other if value else "") if sign == "+" else value or other
    if part := _PART.fullmatch(rest):
        start = int(part[1])
        found = value[start:] if start >= 0 else value[max(len(value) + start, 0) :]
        return found if part[2] is None else found[: int(part[2])]
    if rest[0] in "#%":
        return _cut(value, rest)
    if rest in ("^^", ",,", "^", ","):
        whole = value.upper() if rest[0] == "^" else value.lower()
        return whole if len(rest) == 2 else whole[:1] + value[1:]
    if rest[0] == "/":
        every = rest.startswith("//")
        old, _, new = rest.lstrip("/").partition("/")
        return re.sub(_pattern(old), lambda _: new, value, count=0 if every else 1)
    raise Unknown


def _pattern(text: str) -> str:
    """A pattern of the shell as a regular expression that need not reach the ends."""
    return fnmatch.translate(text).removeprefix("(?s:").removesuffix(r")\Z")


def _cut(value: str, rest: str) -> str:
    """A value without what a pattern matches at its start (#) or end (%), the longest with the sign twice."""
    greedy = rest[1:2] == rest[0]
    pattern = rest[2 if greedy else 1 :]
    sizes = range(len(value) + 1)
    for size in reversed(sizes) if greedy else sizes:
        part = value[:size] if rest[0] == "#" else value[len(value) - size :]
        if fnmatch.fnmatchcase(part, pattern):
            return value[size:] if rest[0] == "#" else value[: len(value) - size]
    return value
