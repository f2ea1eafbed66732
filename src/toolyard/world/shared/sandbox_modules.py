"""Modules of the standard library that the sandbox lacks, written for it: an import of one becomes an assignment.

`import statistics as s` runs as `s = _statistics_`, on the same line; the module was fed to the session before.
"""

from __future__ import annotations

import ast

from toolyard.world.shared.sandbox_library import FURTHER

# What the interpreter has by itself.
BUILT_IN = (
    *("asyncio", "base64", "bisect", "collections", "copy", "csv", "dataclasses", "datetime", "decimal", "functools"),
    *("hashlib", "itertools", "json", "math", "os", "pathlib", "random", "re", "sys", "time", "typing", "unicodedata"),
)  # fmt: skip
_STATISTICS = """
import math as _math_
class _Statistics:
    def _whole(self, data):
        pairs = [(int(m * 2 ** 53), e - 53) if isinstance(x, float) else (x, 0) for x in data for m, e in [_math_.frexp(x)]]
        least = min([0] + [e for _, e in pairs])
        return [n * 2 ** (e - least) for n, e in pairs], 2 ** -least
    def _exact(self, data):
        return all([isinstance(x, (int, float)) and x - x == 0 for x in data])
    def _shown(self, above, below, data):
        exact = above % below == 0 and all([isinstance(x, int) for x in data])
        return above // below if exact else above / below
    def mean(self, data):
        data = list(data)
        if not data:
            raise ValueError("mean requires at least one data point")
        if not self._exact(data):
            return sum(data) / len(data)
        whole, below = self._whole(data)
        return self._shown(sum(whole), below * len(data), data)
    def fmean(self, data):
        data = list(data)
        if not data:
            raise ValueError("fmean requires at least one data point")
        return _math_.fsum(data) / len(data)
    def median(self, data):
        data = sorted(data)
        if not data:
            raise ValueError("no median for empty data")
        half = len(data) // 2
        return data[half] if len(data) % 2 else (data[half - 1] + data[half]) / 2
    def median_low(self, data):
        data = sorted(data)
        return data[(len(data) - 1) // 2]
    def median_high(self, data):
        data = sorted(data)
        return data[len(data) // 2]
    def multimode(self, data):
        data = list(data)
        counts = {}
        for item in data:
            counts[item] = counts.get(item, 0) + 1
        most = max(counts.values()) if counts else 0
        return [item for item in counts if counts[item] == most]
    def mode(self, data):
        found = self.multimode(data)
        if not found:
            raise ValueError("no mode for empty data")
        return found[0]
    def _squares(self, data):
        whole, below = self._whole(data)
        return len(data) * sum([n * n for n in whole]) - sum(whole) ** 2, len(data) * below * below
    def _spread(self, data, count, name, least):
        if len(data) < least:
            raise ValueError(name + " requires at least " + ("two data points" if least == 2 else "one data point"))
        if self._exact(data):
            above, below = self._squares(data)
            return self._shown(above, below * count, data)
        middle = sum(data) / len(data)
        return sum([(item - middle) ** 2 for item in data]) / count
    def _root(self, data, count, name, least):
        if len(data) < least or not self._exact(data):
            return _math_.sqrt(self._spread(data, count, name, least))
        above, below = self._squares(data)
        below = below * count
        q = (len(bin(above)) - len(bin(below)) - 109) // 2
        if q < 0:
            above = above * 4 ** -q
        else:
            below = below * 4 ** q
        found = _math_.isqrt(above // below)
        found = found | (1 if found * found * below != above else 0)
        return float(found * 2 ** q) if q >= 0 else found / 2 ** -q
    def variance(self, data):
        data = list(data)
        return self._spread(data, len(data) - 1, "variance", 2)
    def pvariance(self, data):
        data = list(data)
        return self._spread(data, len(data), "pvariance", 1)
    def stdev(self, data):
        data = list(data)
        return self._root(data, len(data) - 1, "stdev", 2)
    def pstdev(self, data):
        data = list(data)
        return self._root(data, len(data), "pstdev", 1)
    def geometric_mean(self, data):
        return _math_.exp(self.fmean([_math_.log(item) for item in data]))
    def harmonic_mean(self, data):
        data = list(data)
        whole, below = self._whole([1 / item for item in data])
        return len(data) * below / sum(whole)
    def covariance(self, x, y):
        x, y = list(x), list(y)
        a, b = self.fmean(x), self.fmean(y)
        return _math_.fsum([(i - a) * (j - b) for i, j in zip(x, y)]) / (len(x) - 1)
    def correlation(self, x, y):
        x, y = list(x), list(y)
        a, b = self.fmean(x), self.fmean(y)
        both = _math_.fsum([(i - a) * (j - b) for i, j in zip(x, y)])
        return both / _math_.sqrt(_math_.fsum([(i - a) ** 2 for i in x]) * _math_.fsum([(j - b) ** 2 for j in y]))
    def linear_regression(self, x, y):
        import collections
        x, y = list(x), list(y)
        a, b = self.fmean(x), self.fmean(y)
        slope = _math_.fsum([(i - a) * (j - b) for i, j in zip(x, y)]) / _math_.fsum([(i - a) ** 2 for i in x])
        return collections.namedtuple("LinearRegression", ["slope", "intercept"])(slope, b - slope * a)
    def quantiles(self, data, n=4):
        data = sorted(data)
        found = []
        for i in range(1, n):
            j = min(max(i * (len(data) + 1) // n, 1), len(data) - 1)
            delta = i * (len(data) + 1) - j * n
            found.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
        return found
_statistics_ = _Statistics()
"""
_STRING = """
class _Template:
    def __init__(self, template):
        self.template = template
    def _filled(self, given, strict):
        import re
        parts, at = [], 0
        for match in re.finditer(r"\\$(?:(\\$)|([A-Za-z_][A-Za-z0-9_]*)|[{]([A-Za-z_][A-Za-z0-9_]*)[}])", self.template):
            parts.append(self.template[at:match.start()])
            name = match.group(2) or match.group(3)
            if match.group(1):
                parts.append("$")
            elif name in given:
                parts.append(str(given[name]))
            elif strict:
                raise KeyError(name)
            else:
                parts.append(match.group(0))
            at = match.end()
        return "".join(parts) + self.template[at:]
    def substitute(self, mapping=None, **named):
        return self._filled({**(mapping or {}), **named}, True)
    def safe_substitute(self, mapping=None, **named):
        return self._filled({**(mapping or {}), **named}, False)
class _String:
    ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
    ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    ascii_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    digits = "0123456789"
    hexdigits = "0123456789abcdefABCDEF"
    octdigits = "01234567"
    punctuation = "!\\"#$%&'()*+,-./:;<=>?@[\\\\]^_`{|}~"
    whitespace = " \\t\\n\\r\\x0b\\x0c"
    printable = digits + ascii_letters + punctuation + whitespace
    Template = _Template
    def capwords(self, text):
        return " ".join([word.capitalize() for word in text.split()])
_string_ = _String()
"""
_IO = """
class _StringIO:
    def __init__(self, text=""):
        self.text = text
        self.place = 0
    def write(self, text):
        self.text = self.text[:self.place] + text + self.text[self.place + len(text):]
        self.place += len(text)
        return len(text)
    def getvalue(self):
        return self.text
    def read(self):
        found = self.text[self.place:]
        self.place = len(self.text)
        return found
    def readline(self):
        end = self.text.find(chr(10), self.place)
        found = self.text[self.place:end + 1] if end >= 0 else self.text[self.place:]
        self.place += len(found)
        return found
    def seek(self, place):
        self.place = place
        return place
    def close(self):
        pass
    def __iter__(self):
        return iter(self.read().splitlines(True))
    def __enter__(self):
        return self
    def __exit__(self, *kind):
        return False
class _Io:
    StringIO = _StringIO
_io_ = _Io()
"""
WRITTEN = {"io": _IO, "statistics": _STATISTICS, "string": _STRING, **FURTHER}


def with_written_modules(program: str) -> tuple[list[str], str]:
    """The written modules that a program imports, and the program with assignments in place of those imports."""
    if not any(name in program for name in WRITTEN):
        return [], program
    try:
        found = list(_imports(ast.parse(program)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [], program  # the sandbox says what is wrong with it
    lines = program.encode().split(b"\n")
    needed: list[str] = []
    for node in reversed(found):
        row, start, end = node.lineno - 1, node.col_offset, node.end_col_offset or 0
        written = lines[row][start:end] if row < len(lines) and node.end_lineno == node.lineno else b""
        if not written.startswith(
            (b"import", b"from")
        ):  # over several lines, or lines that end in another way
            continue
        lines[row] = lines[row][:start] + _assigned(node).encode() + lines[row][end:]
        needed += (
            [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        )
    sources = [WRITTEN[name] for name in dict.fromkeys(reversed(needed)) if name in WRITTEN]
    return sources, b"\n".join(lines).decode()


def _imports(tree: ast.AST) -> list[ast.Import | ast.ImportFrom]:
    """The imports of written modules, from first to last."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    found = [
        node
        for node in imports
        if (
            any(alias.name in WRITTEN for alias in node.names)
            if isinstance(node, ast.Import)
            else node.module in WRITTEN
        )
        and node.names[0].name != "*"
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _held(alias: ast.alias) -> str:
    """The module that a name is bound to: urllib for `import urllib.parse`, the inner one for `... as p`."""
    return alias.name.replace(".", "_") if alias.asname else alias.name.split(".")[0]


def _assigned(node: ast.Import | ast.ImportFrom) -> str:
    """An import as assignments, with a plain import of the other modules that stand in it."""
    if isinstance(node, ast.ImportFrom):
        held = f"_{(node.module or '').replace('.', '_')}_"
        names = [f"{alias.asname or alias.name} = {held}.{alias.name}" for alias in node.names]
        return "; ".join(names)
    return "; ".join(
        f"{alias.asname or alias.name.split('.')[0]} = _{_held(alias)}_"
        if alias.name in WRITTEN
        else f"import {alias.name}{f' as {alias.asname}' if alias.asname else ''}"
        for alias in node.names
    )
