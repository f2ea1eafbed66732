"""The conditions and the order of SPARQL queries: FILTER(?pop > 1000000 && ?city != wd:Q64), ORDER BY DESC(?pop)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.tables import plain
from toolyard.world.tools.entity.entity_graph import id_label

Binding = Mapping[str, str]
Test = Callable[[Binding], bool]
_DONE = r"(?i:YEAR|STR|LCASE|UCASE|STRLEN)"
_CALLED = rf"{_DONE}\s*\(\s*(?:{_DONE}\s*\(\s*)?[?$]\w+\s*\)?\s*\)"
_TERM = rf"""(?:{_CALLED}|[?$]\w+|wd:Q\d+|"[^"]*"(?:@\w+|\^\^\S+)?|'[^']*'|-?[\d.]+)"""
_COMPARED = re.compile(rf"({_TERM})\s*(!=|<=|>=|=|<|>)\s*({_TERM})")
_TEXTUAL = re.compile(
    rf"""(CONTAINS|STRSTARTS|STRENDS|REGEX)\s*\(\s*({_TERM})\s*,\s*("[^"]*"|'[^']*')[^)]*\)""", re.I
)
_BOUND = re.compile(r"(!?)\s*BOUND\s*\(\s*([?$]\w+)\s*\)", re.I)
_AMONG = re.compile(r"([?$]\w+)\s+(NOT\s+)?IN\s*\(([^)]*)\)", re.I)
_LANGUAGE = re.compile(
    r"lang(?:Matches)?\s*\(\s*(?:lang\s*\(\s*)?[?$]\w+\s*\)\s*(?:=|,)\s*[\"'](?:en|EN|\*)[\"']\s*\)?", re.I
)
_REPEATED, _NESTED = re.compile(r"[*+{]"), re.compile(r"\)[*+{?]")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_YEAR = re.compile(r"-?\d{1,4}")


def split_filters(body: str) -> tuple[str, list[str]]:
    """A WHERE block without its filters, and the conditions of these."""
    found: list[str] = []
    while (match := re.search(r"\bFILTER\s*(?=\S)", body, re.IGNORECASE)) is not None:
        end, depth = match.end(), 0
        for place in range(match.end(), len(body)):
            depth += (body[place] == "(") - (body[place] == ")")
            if depth == 0 and body[place] == ")":
                end = place + 1
                break
        if end == match.end() or re.match(r"(?:NOT\s+)?EXISTS", body[match.end() :], re.IGNORECASE):
            raise _not_understood(body[match.end() : match.end() + 60])
        found.append(body[match.end() : end])
        body = f"{body[: match.start()]} . {body[end:]}"
    return body, found


def _not_understood(text: str) -> Exception:
    known = "comparisons of variables, CONTAINS, STRSTARTS, STRENDS, REGEX, YEAR, IN and BOUND, joined by && or ||"
    return invalid("query", text[:80], f"of FILTER are understood {known}")


def _joined_test(joined: Callable[[Iterable[bool]], bool], tests: Sequence[Test]) -> Test:
    return lambda row: joined(test(row) for test in tests)


def parse_condition(condition: str) -> Test:
    """What a condition asks of a row; a fault where it is not understood."""
    text = condition.strip()
    while text.startswith("(") and _closing_bracket(text) == len(text) - 1:
        text = text[1:-1].strip()
    for sign, joined in (("||", any), ("&&", all)):
        parts = _split_condition(text, sign)
        if len(parts) > 1:
            tests = [parse_condition(part) for part in parts]
            return _joined_test(joined, tests)
    if text.startswith("!") and text[1:].lstrip().startswith("("):
        negated = parse_condition(text[1:])
        return lambda row: not negated(row)
    return _single_test(text)


def _single_test(text: str) -> Test:
    if _LANGUAGE.fullmatch(text):
        return lambda _: True
    if match := _COMPARED.fullmatch(text):
        left, sign, right = match.groups()
        return lambda row: _comparison_holds(_value(left, row), sign, _value(right, row))
    if match := _TEXTUAL.fullmatch(text):
        function, term, wanted = match[1].upper(), match[2], match[3][1:-1]
        return lambda row: _text_function_holds(
            function, str(_value(term, row) or ""), wanted, "i" in text.rpartition(",")[2]
        )
    if match := _BOUND.fullmatch(text):
        name, wanted_there = match[2].replace("$", "?"), not match[1]
        return lambda row: bool(row.get(name)) == wanted_there
    if match := _AMONG.fullmatch(text):
        name, negated, listed = match[1], bool(match[2]), [part.strip() for part in match[3].split(",")]
        return lambda row: (
            any(_comparison_holds(_value(name, row), "=", _value(one, row)) for one in listed) != negated
        )
    raise _not_understood(text)


def _closing_bracket(text: str) -> int:
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return place
    return -1


def _split_condition(text: str, sign: str) -> list[str]:
    """The parts of a condition between signs that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for place, one in enumerate(text):
        depth += (one == "(") - (one == ")")
        if depth == 0 and text.startswith(sign, place) and place >= start:
            parts.append(text[start:place])
            start = place + len(sign)
    return [*parts, text[start:]]


def _value(term: str, row: Binding) -> str | None:
    """What a term is in a row: an id, a text or a number as text; None where its variable has no value."""
    term = term.strip()
    inner = re.fullmatch(r"(\w+)\s*\(\s*(.+?)\s*\)", term)
    if inner:
        value = _value(inner[2], row)
        function = inner[1].upper()
        if value is None:
            return value
        year = _YEAR.match(value)
        return {"YEAR": year[0] if year else None, "LCASE": value.lower(), "UCASE": value.upper(),
                "STRLEN": str(len(value))}.get(function, value)  # fmt: skip
    if term[:1] in "?$":
        name = f"?{term[1:]}"
        own = row.get(name)
        return own if own is not None or not name.endswith("Label") else _row_label(row, name)
    if term[:1] in "\"'":
        return term[1:].split(term[0])[0].removesuffix("T00:00:00Z")
    return term.removeprefix("wd:")


def _row_label(row: Binding, name: str) -> str | None:
    value = row.get(name.removesuffix("Label"))
    return None if value is None else id_label(value)


def _comparison_holds(left: str | None, sign: str, right: str | None) -> bool:
    if left is None or right is None:
        return False
    if _NUMBER.fullmatch(left) and _NUMBER.fullmatch(right):
        side = (float(left) > float(right)) - (float(left) < float(right))
    else:
        side = (left > right) - (left < right)
    return {"=": side == 0, "!=": side != 0, "<": side < 0, ">": side > 0, "<=": side <= 0, ">=": side >= 0}[
        sign
    ]


def _text_function_holds(function: str, value: str, wanted: str, loose: bool) -> bool:
    if function == "REGEX":
        if len(wanted) > 100 or len(_REPEATED.findall(wanted)) > 2 or _NESTED.search(wanted):
            raise invalid(
                "query",
                wanted[:60],
                "want a regular expression with at most two repetitions, none of a group",
            )
        try:
            return re.search(wanted, value[:300], re.IGNORECASE if loose else 0) is not None
        except re.error as error:
            raise invalid("query", wanted[:60], f"no regular expression: {error}") from None
    return {
        "CONTAINS": wanted in value,
        "STRSTARTS": value.startswith(wanted),
        "STRENDS": value.endswith(wanted),
    }[function]


_ORDER = re.compile(r"\bORDER\s+BY\s+(.+?)(?=\bLIMIT\b|\bOFFSET\b|$)", re.IGNORECASE | re.DOTALL)
_KEY = re.compile(r"(ASC|DESC)?\s*\(?\s*[?$](\w+)\s*\)?", re.IGNORECASE)


def order_rows(
    rows: Sequence[dict[str, str]], after: str, value: Callable[[dict[str, str], str], str]
) -> list[dict[str, str]]:
    """Rows in the order that the end of a query asks for: numbers by size, texts by letter, missing ones last."""
    found, match = list(rows), _ORDER.search(after)
    if match is None:
        return found
    keys = _KEY.findall(match[1])
    for way, name in reversed(keys):

        def key(row: dict[str, str], name: str = name) -> tuple[float, str]:
            text = value(row, name)
            return (float(text), "") if _NUMBER.fullmatch(text) else (0.0, plain(text))

        there = [row for row in found if value(row, name)]
        there.sort(key=key, reverse=way.upper() == "DESC")
        found = [*there, *(row for row in found if not value(row, name))]
    return found
