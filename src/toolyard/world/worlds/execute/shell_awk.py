"""The shell command awk: its program becomes a small Python one, which runs in the sandbox.

awk -F, '$3 > 100 {print $1, $2}'  ->  a loop over lines with a test and a call that prints two fields
"""

from __future__ import annotations

import re

from toolyard.world.faults import ToolFault
from toolyard.world.shared.sandbox import run as run_python
from toolyard.world.worlds.execute.shell import Call, Failure

_AWK = """
class Cells:
    pass
def num(x):
    try:
        return float(x) if "." in str(x) or "e" in str(x) else int(x)
    except ValueError:
        return 0
def cmp_(x):
    text = str(x)
    digits = text.replace(".", "", 1).replace("-", "", 1)
    return num(text) if digits.isdigit() else text
def pair(x, y):
    x, y = cmp_(x), cmp_(y)
    return (x, y) if isinstance(x, str) == isinstance(y, str) else (str(x), str(y))
def shown(x):
    if isinstance(x, float):
        return str(int(x)) if x == int(x) else format(x, ".6g")
    return str(x)
V = {}
OFS = " "
out = []
def say(*words):
    out.append(V.get("OFS", " ").join([shown(word) for word in words]) + chr(10))
def field(n):
    n = int(n)
    return V["$0"] if n == 0 else V["F"][n - 1] if n <= len(V["F"]) else ""
def get(name):
    return V.get(name, "")
def put(name, value):
    V[name] = value
    return value
def cell(name, key):
    return V.setdefault("[" + name, {}).get(shown(key), "")
def put_cell(name, key, value):
    V.setdefault("[" + name, {})[shown(key)] = value
    return value
def keys(name):
    return list(V.setdefault("[" + name, {}))
def text_of(*parts):
    return "".join([shown(part) for part in parts])
def fmt(form, *given):
    made, left = "", list(given)
    for part in re.split(r"(%[-+ 0#]*[0-9]*(?:[.][0-9]+)?[a-zA-Z%])", str(form)):
        if part[:1] != "%" or part == "%%":
            made += "%" if part == "%%" else part
            continue
        value = left.pop(0) if left else ""
        kind = part[-1]
        if kind in "di":
            value = int(num(value))
        elif kind in "feEgGxXo":
            value = num(value)
        else:
            value = shown(value)
        made += (part[:-1] + ("d" if kind == "i" else kind)) % value
    return made
def split_into(text, name, sign=None):
    sign = V["FS"] if sign is None else sign
    parts = text.split(sign) if sign not in ("", " ") else text.split()
    V["[" + name] = {str(n + 1): part for n, part in enumerate(parts)}
    return len(parts)
def replaced(pattern, new, many):
    found = re.subn(pattern, new.replace("&", chr(92) + "g<0>"), V["$0"], count=0 if many else 1)
    V["$0"] = found[0]
    V["F"] = found[0].split(V["FS"]) if V["FS"] not in ("", " ") else found[0].split()
    return found[1]
"""
_TOKEN = re.compile(
    r'\s*(?:("(?:[^"\\]|\\.)*")|(/(?:[^/\\]|\\.)+/)|(\d+(?:\.\d+)?)|(\$\w+|\$\([^)]*\))|(\+\+|--|[-+*/%]=|==|!=|<=|>=|&&|\|\||!~|'
    r"[-+*/%^<>=!~?:(),\[\];{}\n])|([A-Za-z_]\w*))"
)


class _Awk:
    """One awk program as a Python one: blocks of a condition and statements."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        text = text.strip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise ValueError(text[at : at + 20])
            kinds = ("string", "regex", "number", "field", "sign", "name")
            self.tokens += [(kind, match[n]) for n, kind in enumerate(kinds, 1) if match[n] is not None]
            at = match.end()
        self.at = 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self, wanted: str = "") -> tuple[str, str]:
        token = self.peek()
        if token[0] == "end" or (wanted and token[1] != wanted):
            raise ValueError(f"{wanted or 'something'} is missing")
        self.at += 1
        return token

    def program(self) -> str:
        """The whole as three functions: before, for each line, after."""
        parts: dict[str, list[str]] = {"BEGIN": [], "": [], "END": []}
        while self.peek()[0] != "end":
            if self.peek()[1] in (";", "\n"):
                self.take()
                continue
            when, test = "", ""
            if self.peek()[1] in ("BEGIN", "END"):
                when = self.take()[1]
            elif self.peek()[1] != "{":
                test = self.expression()
            body = self.block(1) if self.peek()[1] == "{" else ["    say(V['$0'])"]
            parts[when] += [f"    if {test}:", *(f"    {line}" for line in body)] if test else body
        return "\n".join(
            f"def {name}():\n" + "\n".join(parts[key] or ["    pass"])
            for key, name in (("BEGIN", "before"), ("", "each"), ("END", "after"))
        )

    def block(self, depth: int) -> list[str]:
        if self.peek()[1] != "{":
            return self.statement(depth)
        self.take("{")
        lines: list[str] = []
        while self.peek()[1] != "}":
            if self.peek()[1] in (";", "\n"):
                self.take()
                continue
            lines += self.statement(depth)
        self.take("}")
        return lines or ["    " * depth + "pass"]

    def statement(self, depth: int) -> list[str]:
        pad = "    " * depth
        word = self.peek()[1]
        if word in ("print", "printf"):
            self.take()
            items = [] if self.peek()[1] in (";", "}", "\n", "") else self.items()
            if word == "printf":
                return [f"{pad}out.append(fmt({', '.join(items)}))"]
            return [f"{pad}say({', '.join(items) or 'V[chr(36) + chr(48)]'})"]
        if word == "if":
            self.take()
            self.take("(")
            test = self.expression()
            self.take(")")
            lines = [f"{pad}if {test}:", *self.block(depth + 1)]
            if self.peek()[1] == ";" and self.tokens[self.at + 1 : self.at + 2] == [("name", "else")]:
                self.take()
            if self.peek()[1] == "else":
                self.take()
                lines += [f"{pad}else:", *self.block(depth + 1)]
            return lines
        if word in ("for", "while"):
            return self.loop(depth, pad)
        return [pad + self.expression()]

    def loop(self, depth: int, pad: str) -> list[str]:
        """for (key in table), for (begin; test; step) or while (test)."""
        word = self.take()[1]
        self.take("(")
        if word == "while":
            test = self.expression()
            self.take(")")
            return [f"{pad}while {test}:", *self.block(depth + 1)]
        if self.tokens[self.at + 1 : self.at + 2] == [("name", "in")]:
            name = self.take()[1]
            self.take("in")
            table = self.take()[1]
            self.take(")")
            return [f"{pad}for _k in keys('{table}'):", f"{pad}    put('{name}', _k)", *self.block(depth + 1)]
        parts = []
        for end in (";", ";", ")"):
            parts.append("" if self.peek()[1] == end else self.expression())
            self.take(end)
        begin, test, step = parts
        body = self.block(depth + 1)
        return [
            f"{pad}{begin or 'pass'}",
            f"{pad}while {test or 'True'}:",
            *body,
            f"{pad}    {step or 'pass'}",
        ]

    def items(self) -> list[str]:
        found = [self.expression(printing=True)]
        while self.peek()[1] == ",":
            self.take()
            found.append(self.expression(printing=True))
        return found

    def expression(self, printing: bool = False) -> str:
        left = self.both(printing)
        while self.peek()[1] in ("&&", "||"):
            sign = self.take()[1]
            left = f"({left} {'and' if sign == '&&' else 'or'} {self.both(printing)})"
        return left

    def both(self, printing: bool) -> str:
        left = self.joined()
        sign = self.peek()[1]
        if sign in ("==", "!=", "<", "<=", ">", ">=") and not (printing and sign == ">"):
            self.take()
            return f"(lambda p: p[0] {sign} p[1])(pair({left}, {self.joined()}))"
        if sign in ("~", "!~"):
            self.take()
            found = f"bool(re.search({self.take()[1].strip('/')!r}, str({left})))"
            return f"(not {found})" if sign == "!~" else found
        return left

    def joined(self) -> str:
        parts = [self.sum()]
        while self.peek()[0] in ("string", "number", "field", "name") and self.peek()[1] != "in":
            parts.append(self.sum())
        return parts[0] if len(parts) == 1 else f"text_of({', '.join(parts)})"

    def sum(self) -> str:
        left = self.product()
        while self.peek()[1] in ("+", "-"):
            sign = self.take()[1]
            left = f"(num({left}) {sign} num({self.product()}))"
        return left

    def product(self) -> str:
        left = self.power()
        while self.peek()[1] in ("*", "/", "%"):
            sign = self.take()[1]
            left = f"(num({left}) {sign} num({self.power()}))"
        return left

    def power(self) -> str:
        left = self.primary()
        if self.peek()[1] != "^":
            return left
        self.take()
        return f"(num({left}) ** num({self.power()}))"

    def primary(self) -> str:
        kind, text = self.take()
        if kind in ("string", "number"):
            return text
        if kind == "regex":
            return f"bool(re.search({text[1:-1]!r}, V['$0']))"
        if kind == "field":
            inner = text[1:].strip("()")
            return f"field({inner if inner.isdigit() else _Awk(inner).expression()})"
        if text == "(":
            inside = self.expression()
            self.take(")")
            return f"({inside})"
        if text == "-":
            return f"(-num({self.primary()}))"
        if text == "!":
            return f"(not {self.primary()})"
        if kind != "name":
            raise ValueError(text)
        return self.named(text)

    def named(self, name: str) -> str:
        read, write = f"get('{name}')", f"put('{name}', "
        if self.peek()[1] == "(" and name in _CALLS:
            self.take()
            items = [] if self.peek()[1] == ")" else self.items()
            self.take(")")
            return _CALLS[name].format(*items, all=", ".join(items))
        if name == "length":
            return "len(V['$0'])"
        if name in ("gsub", "sub", "split") and self.peek()[1] == "(":
            return self.changed(name)
        if self.peek()[1] == "[":
            self.take()
            key = self.expression()
            self.take("]")
            read, write = f"cell('{name}', {key})", f"put_cell('{name}', {key}, "
        sign = self.peek()[1]
        if sign in ("++", "--"):
            self.take()
            return f"{write}num({read}) {sign[0]} 1)"
        if sign == "=":
            self.take()
            return f"{write}{self.expression()})"
        if sign in ("+=", "-=", "*=", "/="):
            self.take()
            return f"{write}num({read}) {sign[0]} num({self.expression()}))"
        return read

    def changed(self, name: str) -> str:
        """gsub and sub on the whole line, and split into a table."""
        self.take("(")
        kind, text = self.take() if name != "split" else ("", self.expression())
        self.take(",")
        if name != "split":
            pattern = text[1:-1] if kind in ("regex", "string") else ""
            new = self.expression()
            self.take(")")
            return f"replaced({pattern!r}, str({new}), {name == 'gsub'})"
        table, between = self.take()[1], ""
        if self.peek()[1] == ",":
            self.take()
            between = f", {self.expression()}"
        self.take(")")
        return f"split_into(str({text}), '{table}'{between})"


_CALLS = {
    "sprintf": "fmt({all})",
    "length": "len(str({0}))",
    "toupper": "str({0}).upper()",
    "tolower": "str({0}).lower()",
    "substr": "(lambda s, a, n=9999: s[int(a) - 1:int(a) - 1 + int(n)])(str({0}), {1}, *[{all}][2:])",
    "int": "int(num({0}))",
    "sqrt": "num({0}) ** 0.5",
    "index": "(str({0}).find(str({1})) + 1)",
}
_RUN = """
for name, given in start.items():
    V[name] = given
V["$0"], V["F"] = "", []
before()
number = 0
for line in lines:
    number += 1
    V["$0"] = line
    V["F"] = line.split(V["FS"]) if V["FS"] not in ("", " ") else line.split()
    V["NR"], V["FNR"], V["NF"] = number, number, len(V["F"])
    each()
after()
"".join(out)
"""


def awk(call: Call) -> str:
    flags, operands = call.options("F:v:")
    if not operands:
        raise call.fail("usage: awk [-F fs] [-v var=value] 'program' [file ...]", 2)
    name, _, given = flags.get("v", "").partition("=")
    start = {"FS": flags.get("F", " ").replace("\\t", "\t"), **({name: given} if name else {})}
    lines = [line for _, text in call.inputs(operands[1:]) for line in text.splitlines()]
    try:
        program = _Awk(operands[0]).program()
    except (ValueError, RecursionError, IndexError) as error:
        raise call.fail(f"syntax error at or near {str(error)[:40]}", 2) from None
    ran = run_python(
        f"import re\n{_AWK}\n{program}\n{_RUN}",
        now=call.shell.world.now,
        seed=0,
        inputs={"lines": lines, "start": start},
    )
    if ran.error:
        raise Failure(f"awk: {ran.error[:160]}", 2)
    if not isinstance(ran.value, str):
        raise ToolFault("limit_exceeded", "the awk program gave no text")
    return ran.value
