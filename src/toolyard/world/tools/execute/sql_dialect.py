"""What MySQL says and SQLite does not: its functions, its ways of writing, and its messages."""

import calendar
import math
import re
import statistics
import uuid
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, TypeAlias

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_LONGEST = 10_000
# What SQLite calls.
SqlValue: TypeAlias = "str | bytes | float | None"
SqlFunction: TypeAlias = Callable[..., SqlValue]
UNKNOWN = ("explain", "alter", "grant", "revoke", "use ", "set ", "call ", "rename")


def _to_day(value: object) -> date:
    return date.fromisoformat(str(value)[:10])


def _date_format(value: object, form: str) -> str:
    """DATE_FORMAT: its letters differ from those of Python in a few places."""
    when = datetime.fromisoformat(str(value)[:19])
    own = {
        "%M": _MONTHS[when.month - 1], "%W": _DAYS[when.weekday()], "%i": f"{when:%M}", "%s": f"{when:%S}",
        "%c": str(when.month), "%e": str(when.day), "%b": _MONTHS[when.month - 1][:3], "%a": _DAYS[when.weekday()][:3],
        "%H": f"{when:%H}",
        "%Y": f"{when:%Y}", "%y": f"{when:%y}", "%m": f"{when:%m}", "%d": f"{when:%d}", "%T": f"{when:%H:%M:%S}",
    }  # fmt: skip
    return re.sub(r"%\w", lambda match: own.get(match[0], match[0][1:]), form)


def _pad_text(text: object, size: int, fill: str, left: bool) -> str:
    shown, size = str(text), min(int(size), 1000)
    extra = (fill * size)[: max(size - len(shown), 0)] if fill else ""
    return (extra + shown if left else shown + extra)[:size]


def _substring_index(text: str, mark: str, count: int) -> str:
    """SUBSTRING_INDEX."""
    parts = str(text).split(mark) if mark else [str(text)]
    return mark.join(parts[:count] if count >= 0 else parts[count:])


def _last_day(value: object) -> str:
    day = _to_day(value)
    return day.replace(day=calendar.monthrange(day.year, day.month)[1]).isoformat()


def _find_in_set(wanted: object, listed: object) -> int:
    parts = str(listed).split(",")
    return parts.index(str(wanted)) + 1 if str(wanted) in parts else 0


def _modulo(one: float | None, other: float | None) -> float | None:
    if one is None or not other:
        return None
    found = math.fmod(one, other)
    return int(found) if isinstance(one, int) and isinstance(other, int) else found


def _date_set_and_number_functions() -> Iterator[tuple[str, int, SqlFunction]]:
    """Functions of days, sets and numbers."""
    yield "greatest", -1, lambda *values: None if None in values else max(values)
    yield "least", -1, lambda *values: None if None in values else min(values)
    yield (
        "field",
        -1,
        lambda wanted, *values: next((n for n, one in enumerate(values, 1) if one == wanted), 0),
    )
    yield "find_in_set", 2, _find_in_set
    yield "last_day", 1, _last_day
    yield "week", 1, lambda value: int(_to_day(value).strftime("%U"))
    yield "mod", 2, _modulo
    yield (
        "truncate",
        2,
        lambda value, digits: None if value is None else int(value * 10 ** int(digits)) / 10 ** int(digits),
    )
    yield "round", 1, _round_to_integer
    yield "time_between", 3, _timestamp_difference
    yield "regexp", 2, _matches_regexp


def _parse_date(text: object, form: object) -> str | None:
    """STR_TO_DATE: the day, with its time where the form has one; NULL where the text does not fit."""
    pattern = str(form).replace("%i", "%M").replace("%s", "%S").replace("%e", "%d").replace("%c", "%m")
    pattern = pattern.replace("%T", "%H:%M:%S")
    try:
        found = datetime.strptime(str(text), pattern)
    except ValueError:
        return None
    return found.strftime("%Y-%m-%d %H:%M:%S" if "%H" in pattern else "%Y-%m-%d")


def mysql_functions(chance: Random, database: str) -> Iterator[tuple[str, int, SqlFunction]]:
    """Functions by name and number of arguments."""
    yield "datediff", 2, lambda one, other: (_to_day(one) - _to_day(other)).days
    yield "date_format", 2, _date_format
    yield "date_shift", 3, _shift_date
    yield "str_to_date", 2, _parse_date
    yield "dayname", 1, lambda value: _DAYS[_to_day(value).weekday()]
    yield "monthname", 1, lambda value: _MONTHS[_to_day(value).month - 1]
    yield "dayofweek", 1, lambda value: _to_day(value).isoweekday() % 7 + 1
    yield "weekday", 1, lambda value: _to_day(value).weekday()
    yield "dayofyear", 1, lambda value: _to_day(value).timetuple().tm_yday
    yield "quarter", 1, lambda value: (_to_day(value).month + 2) // 3
    yield "text_left", 2, lambda text, size: str(text)[: max(int(size), 0)]
    yield "text_right", 2, lambda text, size: str(text)[-int(size) :] if int(size) > 0 else ""
    yield "lpad", 3, lambda text, size, fill: _pad_text(text, size, fill, True)
    yield "rpad", 3, lambda text, size, fill: _pad_text(text, size, fill, False)
    yield "reverse", 1, lambda text: str(text)[::-1]
    yield "repeat", 2, lambda text, count: (str(text) * min(max(int(count), 0), _LONGEST))[:_LONGEST]
    yield "substring_index", 3, _substring_index
    yield "locate", 2, lambda part, text: str(text).lower().find(str(part).lower()) + 1
    yield "char_length", 1, lambda text: None if text is None else len(str(text))
    yield "ucase", 1, lambda text: None if text is None else str(text).upper()
    yield "lcase", 1, lambda text: None if text is None else str(text).lower()
    yield (
        "concat_ws",
        -1,
        lambda mark, *parts: str(mark).join(str(part) for part in parts if part is not None)[:_LONGEST],
    )
    yield from _date_set_and_number_functions()
    yield "uuid", 0, lambda: str(uuid.UUID(int=chance.getrandbits(128), version=4))
    yield "user", 0, lambda: "root@localhost"
    yield "current_user", 0, lambda: "root@localhost"
    yield "database", 0, lambda: database


def _round_to_integer(value: float | str | None) -> int | None:
    """ROUND without a number of digits: a whole number, halves away from zero."""
    return None if value is None else int(math.copysign(math.floor(abs(float(value)) + 0.5), float(value)))


def _timestamp_difference(unit: str, one: object, other: object) -> int:
    """TIMESTAMPDIFF: whole units from one moment to another."""
    start, end = (datetime.fromisoformat(str(value)[:19]) for value in (one, other))
    if unit in ("year", "month", "quarter"):
        months = (end.year - start.year) * 12 + end.month - start.month
        months -= (end.day, end.time()) < (start.day, start.time()) if months > 0 else 0
        return int(months / {"year": 12, "quarter": 3, "month": 1}[unit])
    seconds = (end - start).total_seconds()
    return int(seconds / {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}[unit])


_NESTED = re.compile(r"[*+}][)\]]*[*+{]|\([^)]*\|[^)]*\)[*+{]|\\\d")


def _matches_regexp(pattern: object, text: object) -> bool:
    """REGEXP, for patterns that cannot take long."""
    if len(str(pattern)) > 100 or _NESTED.search(str(pattern)):
        raise ValueError("the regular expression is too involved")
    return re.search(str(pattern), str(text)[:1000], re.IGNORECASE) is not None


_INTERVAL = re.compile(
    r"\bdate_(add|sub)\s*\(\s*([^,]{1,80}),\s*interval\s+(-?\d{1,5})\s+(minute|hour|day|week|month|year)\s*\)",
    re.IGNORECASE,
)


def _interval_as_date_shift(match: re.Match[str]) -> str:
    number = int(match[3]) * (1 if match[1].lower() == "add" else -1)
    return f"date_shift({match[2].strip()}, {number}, '{match[4].lower()}')"


def _shift_date(value: object, number: int, unit: str) -> str:
    """A day so many days, weeks, months or years later; the last of a month where it is too short."""
    if unit in ("minute", "hour"):
        moment = datetime.fromisoformat(str(value)[:19]) + timedelta(**{f"{unit}s": number})
        return moment.isoformat(" ")
    clock = str(value)[10:19] if len(str(value)) > 10 else ""
    return _day_later(_to_day(value), number, unit) + clock


def _day_later(day: date, number: int, unit: str) -> str:
    if unit in ("day", "week"):
        return (day + timedelta(days=number * (7 if unit == "week" else 1))).isoformat()
    months = day.year * 12 + day.month - 1 + number * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1])).isoformat()


_PLUS_INTERVAL = re.compile(
    r"(\b[\w.]+(?:\([^()]{0,60}\))?)\s*([+-])\s*interval\s+(\d{1,5})\s+(minute|hour|day|week|month|year)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\btimestampdiff\s*\(\s*(second|minute|hour|day|week|month|quarter|year)\s*,", re.IGNORECASE
)
_EXTRACT = re.compile(r"\bextract\s*\(\s*(year|month|day|quarter|week)\s+from\s+", re.IGNORECASE)
_TRUE_DIVISION = " * 1.0 /"
_WHOLE_DIVISION = "/ /*whole*/"


def _outside_quotes(text: str) -> str:
    """Operators that MySQL and SQLite read in different ways: 7 / 2 is 3.5, 7 DIV 2 is 3."""
    parts = re.split(r"('(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`)", text)
    for number in range(0, len(parts), 2):
        part = parts[number].replace("/", _TRUE_DIVISION)
        part = re.sub(r"\bdiv\b", _WHOLE_DIVISION, part, flags=re.IGNORECASE).replace("<=>", " IS ")
        part = re.sub(r"(?<=[\w)]) +mod +(?=[\w(])", " % ", part, flags=re.IGNORECASE)
        parts[number] = _EXTRACT.sub(lambda match: f"{match[1].lower()}(", part)
    text = _BETWEEN.sub(lambda match: f"time_between('{match[1].lower()}',", "".join(parts))
    return _PLUS_INTERVAL.sub(
        lambda match: f"date_shift({match[1]}, {match[2].replace('+', '')}{match[3]}, '{match[4].lower()}')",
        text,
    )


def original_column_name(column: str) -> str:
    """The name of a column as the statement wrote it."""
    column = re.sub(r"^group_concat\((.+), ('[^']*'|\"[^\"]*\")\)$", r"GROUP_CONCAT(\1 SEPARATOR \2)", column)
    column = re.sub(r"\btime_between\('(\w+)',", lambda match: f"TIMESTAMPDIFF({match[1].upper()},", column)
    column = column.replace(_WHOLE_DIVISION, "DIV").replace(_TRUE_DIVISION, "/")
    column = re.sub(r"\btext_(left|right)\(", lambda match: f"{match[1].upper()}(", column)
    return re.sub(
        r"\bdate_shift\((.+), (-?)(\d+), '(\w+)'\)",
        lambda match: (
            f"DATE_{'SUB' if match[2] else 'ADD'}({match[1]}, INTERVAL {match[3]} {match[4].upper()})"
        ),
        column,
    )


class Spread:
    """STDDEV and VARIANCE of MySQL: of a whole population, or of a sample where the name says so."""

    sample = root = False

    def __init__(self) -> None:
        self.values: list[float] = []

    def step(self, value: object) -> None:
        if isinstance(value, int | float) and len(self.values) < 10_000:
            self.values.append(float(value))

    def finalize(self) -> Any:
        if len(self.values) <= self.sample:
            return None
        spread = statistics.variance(self.values) if self.sample else statistics.pvariance(self.values)
        return math.sqrt(spread) if self.root else spread


class SampleSpread(Spread):
    """The variance of a sample."""

    sample = True


class Deviation(Spread):
    """The standard deviation of a population."""

    root = True


class SampleDeviation(SampleSpread):
    """The standard deviation of a sample."""

    root = True


SPREADS = {
    "variance": Spread, "var_pop": Spread, "var_samp": SampleSpread, "std": Deviation, "stddev": Deviation,
    "stddev_pop": Deviation, "stddev_samp": SampleDeviation,
}  # fmt: skip


class OrderedConcat:
    """GROUP_CONCAT with an order: each text with what it is ordered by, joined at the end."""

    def __init__(self) -> None:
        self.rows: list[tuple[float | str | None, str]] = []
        self.between, self.falling, self.once = ",", False, False

    def step(self, *given: Any) -> None:
        value, between, key, falling, once = given
        self.between, self.falling, self.once = between, bool(falling), bool(once)
        if value is not None and len(self.rows) < 2_000:
            self.rows.append((key, str(value)))

    def finalize(self) -> Any:
        rows = sorted(self.rows, key=lambda row: (isinstance(row[0], str), row[0] or 0), reverse=self.falling)
        texts = [text for _, text in rows]
        return self.between.join(dict.fromkeys(texts) if self.once else texts)[:10_000] if texts else None


_ORDERED = re.compile(
    r"\bgroup_concat\s*\(\s*(distinct\s+)?([^()]{1,120}?)\s+order\s+by\s+([\w.`]{1,80})(?:\s+(asc|desc))?"
    r"(?:\s+separator\s+('[^']{0,20}'|\"[^\"]{0,20}\"))?\s*\)(\s+as\b)?",
    re.IGNORECASE,
)


def _ordered_concat_call(found: re.Match[str]) -> str:
    between = (found[5] or "','").replace('"', "'")
    falling = int((found[4] or "").lower() == "desc")
    label = "" if found[6] else ' AS "GROUP_CONCAT"'
    return f"ordered_concat({found[2]}, {between}, {found[3]}, {falling}, {int(bool(found[1]))}){found[6] or label}"


def translate_statement(statement: str) -> str:
    """A statement of MySQL in the words of SQLite."""
    statement = _ORDERED.sub(_ordered_concat_call, statement)
    text = re.sub(
        r"\bgroup_concat\s*\(([^()]{1,200}?)\s+separator\s+('[^']{0,20}'|\"[^\"]{0,20}\")\s*\)",
        r"group_concat(\1, \2)",
        statement,
        flags=re.IGNORECASE,
    )
    text = re.sub(
        r"\b(left|right)\s*\(", lambda match: f"text_{match[1].lower()}(", text, flags=re.IGNORECASE
    )
    text = _INTERVAL.sub(_interval_as_date_shift, text)
    text = _outside_quotes(text)
    text = re.sub(r"^\s*truncate\s+(?:table\s+)?", "DELETE FROM ", text, flags=re.IGNORECASE)
    if not re.match(r"\s*create\b", text, re.IGNORECASE):
        return text
    text = re.sub(r"\b(?:int|integer|bigint)\b(?:\(\d{1,3}\))?([^,()]{0,40})\bauto_increment\b", r"INTEGER\1", text,
                  flags=re.IGNORECASE)  # fmt: skip
    return re.sub(r"\b(?:ENGINE|DEFAULT CHARSET|CHARSET)\s*=\s*\w{1,30}", "", text, flags=re.IGNORECASE)


_MESSAGES = (
    (r"no such column: (.+)", r"Unknown column '\1'"),
    (r"no such table: (.+)", r"Table '\1' doesn't exist"),
    (r"no such function: (.+)", r"FUNCTION \1 does not exist"),
    (r'near "(.*)": syntax error', r"You have an error in your SQL syntax near '\1'"),
    (r"incomplete input", "You have an error in your SQL syntax: the statement ends too soon"),
    (r"table (.+) already exists", r"Table '\1' already exists"),
    (r"UNIQUE constraint failed: (.+)", r"Duplicate entry for key '\1'"),
    (r"ambiguous column name: (.+)", r"Column '\1' is ambiguous"),
)


def mysql_message(text: str) -> str:
    """A message as MySQL puts it."""
    for pattern, own in _MESSAGES:
        found = re.fullmatch(pattern, text)
        if found:
            return found.expand(own)
    return text
