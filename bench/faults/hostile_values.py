# ruff: noqa: E501
"""Values that break careless tools: by JSON type, and by small grammars of the languages that tools read."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

DATES = (
    "0001-01-01", "9999-12-31", "9999-12-30", "0000-00-00", "2024-02-30", "2023-02-29", "2024-12-31", "1900-01-01",
    "2099-12-31", "1582-10-15", "-001-01-01", "10000-01-01", "2024-13-01", "2024-1-1", "20240515", "15/05/2024",
    "2024-05-15T25:61:61", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00", "2024-05-15T00:00:00+99:99", "24:00", "99:99",
)  # fmt: skip
TEXTS = (
    "", " ", "\n", "\x00", "\x1b[31m", "\ud800", "a\udfffb", "\u202e", "\ufeff", "é" * 50, "e\u0301" * 200, "東京", "🙂" * 40,
    "ﬀ", "İ", "ß", "Ⅷ", "²", "٣", "１２", "-1", "+-1", "--1", "0", "00", "0x10", "0b1", "1e5", "1e400", "nan", "inf", "-inf", "NaN",
    "9" * 20, "9" * 400, "9" * 5000, "f" * 5000, "0x" + "f" * 5000, "1_000", "1,000", "½", "true", "null", "None", "[]", "{}", "[" * 500,
    "{" * 500, '{"a":' * 300, "[[[[[[[[1]]]]]]]]", "(((((", "a" * 3999, "a" * 4001, "a" * 20_000, "a b " * 5000, ",", ",,,,", ";", "|",
    "a,b,,c", "../../etc/passwd", "/", "//", ".", "..", "~", "~root", "%", "%s%n", "%00", "{0}", "{{7*7}}", "${x}", "$(id)", "`id`", "' OR 1=1",
    '"', "'", "\\", "\\x", "(?P<", "(a+)+$", "[", "*", "?", "^", "$", "(?=", "a{99999}", "\\1", "&&", "||", "<", ">", "-", "--", "_", "#",
    "http://", "https://[::1", "http://a:99999/", "@", "a@", "@b", "a@b@c", "::1", "256.256.256.256", "1.1.1", "-90", "91,181", "nan,nan",
    "lat", "51.5,-0.12", "180,-180", "1e308,1e308", "US", "us", "XX", "USD", "zz", "AAPL", "^GSPC", "BTC", "London", "new york", "Paris, FR",
)  # fmt: skip
INTEGERS = (
    0, 1, -1, 2, 3, 7, 10, 12, 13, 29, 30, 31, 32, 50, 99, 100, 101, 255, 365, 366, 999, 1000, 1001, 1900, 1950, 1999, 2000, 2023, 2024, 2025,
    2100, 9999, 10000, 65535, 10**6, 2**31 - 1, 2**31, 2**53, 2**62, 2**63 - 1, 2**63, -(2**63), 10**18, 10**30, 10**400, 10**5000, -(10**5000),
)  # fmt: skip
NUMBERS = (
    0.0, -0.0, 0.5, -0.5, 1.0, 2.0, 1.5, 90.0, -90.0, 90.0001, 180.0, -180.0, 360.0, 1e-320, 1e-9, 1e9, 1e15, 1e18, 1e300, 1.7e308, -1.7e308,
    math.inf, -math.inf, math.nan, 3.999999999999999, 1e22, 2.0**63,
)  # fmt: skip


def text(chance: Random) -> str:
    """Some text: a known nuisance, a date, or letters from all over Unicode."""
    kind = chance.random()
    if kind < 0.6:
        return chance.choice(TEXTS)
    if kind < 0.8:
        return chance.choice(DATES)
    return "".join(chr(chance.randrange(0x11_0000)) for _ in range(chance.randrange(1, 30)))


def scalar(chance: Random) -> Any:
    """Any value that is no list and no object."""
    return chance.choice((None, True, False, text(chance), chance.choice(INTEGERS), chance.choice(NUMBERS)))


def anything(chance: Random, depth: int = 0) -> Any:
    """Any JSON value."""
    kind = chance.random()
    if kind < 0.6 or depth > 4:
        return scalar(chance)
    if kind < 0.8:
        return [anything(chance, depth + 1) for _ in range(chance.choice((0, 1, 1, 2, 3, 7)))]
    if kind < 0.95:
        return {text(chance)[:40]: anything(chance, depth + 1) for _ in range(chance.choice((0, 1, 2, 3)))}
    deep: Any = scalar(chance)
    for _ in range(chance.choice((5, 31, 32, 33, 40, 900, 5000))):
        deep = [deep] if chance.random() < 0.5 else {"a": deep}
    return deep if kind < 0.99 else [scalar(chance)] * chance.choice((60, 1000, 1001, 20_000))


def fitting(chance: Random, schema: Mapping[str, Any]) -> Any:
    """A value of the schema's type, at or beyond its edges as often as not."""
    if "anyOf" in schema:
        return fitting(chance, chance.choice(schema["anyOf"]))
    if "enum" in schema and chance.random() < 0.8:
        return chance.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        count = chance.choice(
            (schema.get("minItems", 0), 1, 2, 3, schema.get("maxItems", 4), schema.get("maxItems", 30) + 1)
        )
        return [fitting(chance, schema["items"]) for _ in range(count)]
    if kind == "object":
        known = schema.get("properties", {})
        if not known:
            return {
                text(chance)[:20]: fitting(chance, schema.get("additionalProperties") or {}) for _ in range(2)
            }
        return {name: fitting(chance, part) for name, part in known.items()}
    if (
        kind in ("integer", "number")
        and ("minimum" in schema or "maximum" in schema)
        and chance.random() < 0.6
    ):
        low, high = schema.get("minimum", 0), schema.get("maximum", 10**6)
        return chance.choice(
            (low, high, low - 1, high + 1, (low + high) // 2 if kind == "integer" else (low + high) / 2)
        )
    choices: Mapping[Any, Callable[[], Any]] = {
        "integer": lambda: chance.choice(
            (chance.choice(INTEGERS), float(chance.randrange(-3, 3000)), chance.randrange(3000))
        ),
        "number": lambda: chance.choice(NUMBERS + INTEGERS),
        "boolean": lambda: chance.random() < 0.5,
        "string": lambda: text(chance),
        "null": lambda: None,
    }
    return choices.get(kind, lambda: anything(chance))()


def of(chance: Random, grammar: Mapping[str, tuple[str, ...]], symbol: str, depth: int = 0) -> str:
    """A text of a grammar: words in <angle brackets> are symbols; deep ones take the first, shortest form."""
    form = grammar[symbol][0] if depth > 9 else chance.choice(grammar[symbol])
    out, rest = [], form
    while "<" in rest:
        before, _, rest = rest.partition("<")
        name, mark, after = rest.partition(">")
        if mark and name in grammar:
            out += [before, of(chance, grammar, name, depth + 1)]
            rest = after
        else:
            out += [before, "<"]
    return "".join([*out, rest])
