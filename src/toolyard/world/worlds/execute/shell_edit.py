"""Shell commands that edit streams: sed, whose patterns run in the sandbox, and awk.

sed 's/North/South/g'     ->  re.sub per line
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from toolyard.world.shared.sandbox import run as run_python
from toolyard.world.worlds.execute.shell import Call, Function, put
from toolyard.world.worlds.execute.shell_awk import awk

_ADDRESS = r"(?:(\d+|\$)(?:,(\d+|\$))?|/((?:[^/\\]|\\.)*)/)?"
_ORDER = re.compile(rf"\s*{_ADDRESS}\s*(?:s(.)(.*?)(?<!\\)\4(.*?)(?<!\\)\4([gIip\d]*)|([dpq]))\s*")
_SED = """
import re
out = []
last = len(lines)
for number, line in enumerate(lines, 1):
    gone = False
    printed = not quiet
    for low, high, pattern, wanted, new, flags, kind in orders:
        if pattern is not None:
            here = bool(re.search(pattern, line))
        else:
            first = last if low == "$" else int(low) if low else 1
            final = last if high == "$" else int(high) if high else (first if low else last)
            here = first <= number <= final
        if not here:
            continue
        if kind == "d":
            gone = True
            break
        if kind == "p":
            out.append(line)
        if kind == "q":
            last = number
        if kind == "s":
            folded = re.IGNORECASE if "i" in flags.lower() else 0
            changed = re.sub(wanted, new, line, count=0 if "g" in flags else 1, flags=folded)
            if "p" in flags and changed != line:
                out.append(changed)
            line = changed
    if not gone and printed:
        out.append(line)
    if number >= last:
        break
out
"""


def _basic(pattern: str, extended: bool) -> str:
    """A basic regular expression as an extended one: there +, ?, |, ( and ) are signs only behind a backslash."""
    if extended:
        return pattern
    return re.sub(
        r"\\([+?|(){}])|([+?|(){}])", lambda match: match[1] or "\\" + match[2], pattern.replace("\\/", "/")
    )


def _replacement(text: str) -> str:
    """& and \\1 in the words of Python."""
    return re.sub(r"(?<!\\)&", r"\\g<0>", text).replace(r"\&", "&").replace(r"\/", "/").replace(r"\n", "\n")


def _sed(call: Call) -> str:
    flags, operands = call.options("niEre:")
    script = flags.get("e") or (operands.pop(0) if operands else "")
    extended = bool({"E", "r"} & set(flags))
    orders = []
    at = 0
    while at < len(script):
        found = _ORDER.match(script, at)
        if found is None or found.end() == at:
            raise call.fail(f"-e expression #1, char {at + 1}: unknown command: `{script[at : at + 1]}'")
        low, high, pattern, _, wanted, new, marks, kind = found.groups()
        orders.append(
            [low, high, _basic(pattern, extended) if pattern is not None else None, _basic(wanted or "", extended),
             _replacement(new or ""), marks or "", kind or "s"]
        )  # fmt: skip
        at = found.end() + (script[found.end() : found.end() + 1] in (";", "\n"))
    if not orders:
        raise call.fail("no script was given")
    parts = []
    for name, text in call.inputs(operands):
        result = _edited(call, text, orders, "n" in flags)
        if "i" in flags and name != "-":
            put(call.shell, name, result, append=False)
        else:
            parts.append(result)
    return "".join(parts)


def _edited(call: Call, text: str, orders: list[list[str | None]], quiet: bool) -> str:
    given = {"lines": text.splitlines(), "orders": orders, "quiet": quiet}
    ran = run_python(_SED, now=call.shell.world.now, seed=0, inputs=given)
    if ran.error:
        raise call.fail(f"-e expression #1: {ran.error[:120]}")
    return "".join(f"{line}\n" for line in ran.value)


COMMANDS: Mapping[str, Function] = {"sed": _sed, "awk": awk, "gawk": awk}
