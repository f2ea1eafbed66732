"""Values for schemas: out of enums, examples and texts where they are given, else made up by name and type.

The same parts of a seed always give the same value.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from random import Random

from toolyard.core.types import JsonValue, Record
from toolyard.owntools.sources.source_schemas import AGAIN, json_type
from toolyard.text.names import name_words

DEEPEST = 6
FIRST_DAY = date(2024, 5, 16)
_SHOWN = re.compile(
    r"(?:e\.g\.?,?|for example,?|such as|like|example:)\s*[\"'`(]([^\"'`()]{1,60})[\"'`)]", re.IGNORECASE
)
_LISTED = re.compile(r"[\"'`]([^\"'`,;]{1,60})[\"'`]")
WORDS: Mapping[str, tuple[str, ...]] = {
    "title": ("Harbour report", "Budget draft", "Autumn menu", "Travel plan", "Meeting minutes", "Reading list"),
    "label": ("Invoices", "Letters", "Recipes", "Sketches", "Contracts", "Archive"),
    "subject": ("Delivery on Friday", "Change of address", "Open invoice", "Invitation", "Spare parts"),
    "text": (
        "The ferry leaves at nine and arrives before noon.", "Please bring the blue folder to the meeting.",
        "Three of the twelve lamps have to be replaced.", "The garden was quiet after the rain.",
        "Our guests would like a table by the window.",
    ),
    "person": ("Ann Berg", "Luis Ortega", "Mira Novak", "Tom Ellis", "Sana Qureshi", "Ole Lund"),
    "city": ("Oslo", "Lisbon", "Graz", "Turku", "Ghent", "Porto"),
    "country": ("Norway", "Portugal", "Austria", "Finland", "Belgium", "Peru"),
    "code": ("NO", "PT", "AT", "FI", "BE", "PE"),
    "language": ("en", "fr", "de", "pt", "fi"),
    "currency": ("EUR", "USD", "NOK", "GBP", "CHF"),
    "zone": ("Europe/Oslo", "America/Lima", "Asia/Tokyo", "Europe/Lisbon", "Africa/Nairobi"),
    "colour": ("blue", "green", "red", "yellow", "grey"),
    "status": ("open", "closed", "pending", "done"),
    "tag": ("urgent", "draft", "private", "shared"),
    "query": ("lamps", "ferry", "invoice", "garden", "window"),
    "company": ("Nordlys Foods", "Atlas Tools", "Helia Print", "Quay Logistics"),
}  # fmt: skip
# The last word of a name that says which words fit it.
_FITTING: Mapping[str, str] = {
    **dict.fromkeys(("title", "headline", "heading", "summary"), "title"),
    **dict.fromkeys(("label", "folder", "category", "group", "topic", "list"), "label"),
    **dict.fromkeys(("subject",), "subject"),
    **dict.fromkeys(
        ("text", "body", "content", "message", "description", "comment", "note", "raw", "prompt"), "text"
    ),
    **dict.fromkeys(
        ("author", "owner", "user", "person", "customer", "assignee", "username", "recipient"), "person"
    ),
    **dict.fromkeys(("city", "town", "location", "place", "destination", "origin", "address"), "city"),
    **dict.fromkeys(("country",), "country"),
    **dict.fromkeys(("language", "lang", "locale"), "language"),
    **dict.fromkeys(("currency",), "currency"),
    **dict.fromkeys(("timezone", "zone", "tz"), "zone"),
    **dict.fromkeys(("colour", "color"), "colour"),
    **dict.fromkeys(("status", "state"), "status"),
    **dict.fromkeys(("tag", "tags", "keyword"), "tag"),
    **dict.fromkeys(("query", "q", "search", "term", "pattern", "keywords"), "query"),
    **dict.fromkeys(("company", "organization", "organisation"), "company"),
}

_PEOPLE = frozenset("client contact employee member patient student guest agent teacher driver".split())


def draw_value(schema: object, name: str, rng: Random, depth: int = 0) -> JsonValue:
    """A value that the schema takes and that the name suggests."""
    schema = schema if isinstance(schema, Mapping) else {}
    given = _documented_value(schema, name, rng)
    if given is not None:
        return given
    kind = json_type(schema)
    if kind == "array":
        return _draw_array(schema, name, rng, depth)
    if kind == "object":
        return _draw_object(schema, rng, depth)
    if kind in ("integer", "number"):
        return _draw_number(schema, name, rng, whole=kind == "integer")
    if kind == "boolean":
        return rng.random() < 0.5
    options = [
        each for key in ("anyOf", "oneOf") for each in schema.get(key) or () if json_type(each) != "null"
    ]
    if options and not kind:
        return draw_value(options[0], name, rng, depth + 1)
    if not kind and name_words(name)[-1:] in (["data"], ["values"], ["weights"], ["x"], ["y"], ["numbers"]):
        return [round(rng.uniform(1, 20), 1) for _ in range(5)]
    return _draw_text(schema, name, rng)


def _documented_value(schema: Mapping[str, JsonValue], name: str, rng: Random) -> JsonValue:
    """A value that the document itself gives; None where it gives none."""
    if "const" in schema:
        return schema["const"]
    for key in ("enum", "examples"):
        listed = schema.get(key)
        real: list[JsonValue] = [one for one in listed if one is not None] if isinstance(listed, list) else []
        if real:
            return rng.choice(real)
    if schema.get("example") is not None:
        return schema["example"]
    if json_type(schema) in ("string", ""):
        shown = shown_values(str(schema.get("description") or ""))
        if shown:
            return rng.choice(shown)
    default = schema.get("default")
    plain = isinstance(default, int | float | bool) and name_words(name)[-1:] != ["id"]
    return (
        default
        if plain and json_type(schema) in ("boolean", "integer", "number") and rng.random() < 0.5
        else None
    )


def shown_values(text: str) -> list[str]:
    """The values that a description shows after "e.g." and the like."""
    first = _SHOWN.search(text)
    if first is None:
        return []
    return list(dict.fromkeys([first[1], *_LISTED.findall(text[first.end() :][:120])]))


def _draw_array(schema: Mapping[str, JsonValue], name: str, rng: Random, depth: int) -> list[JsonValue]:
    if depth >= DEEPEST:
        return []
    least = schema.get("minItems")
    size = max(least if isinstance(least, int) and 0 <= least < 20 else 0, 2)
    inner = schema.get("items")
    if not isinstance(inner, Mapping) or not inner:
        numbers = name_words(name)[-1:] in (["data"], ["values"], ["weights"], ["numbers"])
        inner = {"type": "number"} if numbers else {"type": "string"}
        size = max(size, 4 if numbers else size)
    found: list[JsonValue] = []
    for _ in range(size * 4):
        value = draw_value(inner, name, rng, depth + 1)
        if value not in found:
            found.append(value)
        if len(found) == size:
            break
    return found


def _draw_object(schema: Record, rng: Random, depth: int) -> dict[str, JsonValue]:
    fields = schema.get("properties")
    if depth >= DEEPEST or not isinstance(fields, Mapping) or schema.get("description") == AGAIN:
        return {}
    return {
        str(name): draw_value(each, str(name), rng, depth + 1) for name, each in list(fields.items())[:40]
    }


def _draw_number(schema: Mapping[str, JsonValue], name: str, rng: Random, *, whole: bool) -> int | float:
    low = _numeric_bound(schema, "minimum", "exclusiveMinimum")
    high = _numeric_bound(schema, "maximum", "exclusiveMaximum")
    words = name_words(name)
    start = 1.0 if low is None else low
    usual = {
        "year": (2018, 2026),
        "limit": (2, 9),
        "page": (1, 3),
        "hour": (0, 23),
        "n": (2, 6),
        "width": (20, 60),
    }
    if words and words[-1] in usual and low is None:
        start, high = usual[words[-1]][0], high if high is not None else usual[words[-1]][1]
    stop = start + 98 if high is None or high < start else high
    value = rng.uniform(start, stop)
    return max(round(value), -(-int(start) // 1)) if whole else round(value, 1 if stop - start > 2 else 3)


def _numeric_bound(schema: Mapping[str, JsonValue], *names: str) -> float | None:
    for name in names:
        value = schema.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12:
            return float(value)
    return None


def _draw_text(schema: Mapping[str, JsonValue], name: str, rng: Random) -> str:
    form = schema.get("format")
    words = name_words(name) or [name]
    day = FIRST_DAY + timedelta(days=rng.randrange(60))
    clock = f"{rng.randrange(8, 20):02}:{rng.choice(('00', '15', '30', '45'))}"
    last, number = words[-1], rng.randrange(10_000, 99_999)
    by_form: Mapping[str, str] = {
        "date": day.isoformat(),
        "time": clock,
        "date-time": f"{day.isoformat()}T{clock}:00Z",
        "email": f"{rng.choice(WORDS['person']).split()[0].lower()}{number % 90}@example.org",
        "uri": f"https://example.org/{last}/{number}",
        "uuid": f"{number:08x}-0000-4000-8000-{rng.randrange(16**12):012x}",
        "ipv4": f"192.0.2.{number % 250}",
    }
    if isinstance(form, str) and form in by_form:
        return by_form[form]
    named = {"date": "date", "day": "date", "time": "time", "datetime": "date-time", "at": "date-time",
             "email": "email", "mail": "email", "url": "uri", "uri": "uri", "link": "uri", "uuid": "uuid"}  # fmt: skip
    if last in named and (last != "at" or len(words) > 1):
        return by_form[named[last]]
    if last in ("id", "key", "token", "hash", "sha", "ref", "code", "number"):
        stem = words[-2] if len(words) > 1 else "item"
        return f"{stem}-{number}"
    if last in ("path", "file", "filename", "dir", "directory"):
        return f"/{rng.choice(WORDS['label']).lower()}/{rng.choice(WORDS['tag'])}-{number % 100}.txt"
    if last == "name":
        kind = _FITTING.get(words[-2], "") if len(words) > 1 else "person"
        return rng.choice(WORDS[kind]) if kind else f"{rng.choice(WORDS['tag'])}-{words[-2]}-{number % 100}"
    fitting = next((_FITTING[word] for word in reversed(words) if word in _FITTING), "")
    return (
        rng.choice(WORDS[fitting])
        if fitting
        else f"{rng.choice(WORDS['colour'])} {' '.join(words)} {number % 100}"
    )


def example_names(noun: str) -> list[str]:
    """What things of a kind may be called: people and companies by their names, others by a word before the noun."""
    last = noun.split()[-1]
    fitting = "person" if last in _PEOPLE else _FITTING.get(last, "label")
    if fitting == "label":
        return [f"{word} {noun}" for word in WORDS["label"]]
    return list(WORDS[fitting])


def draw_different_value(schema: object, name: str, rng: Random, known: Sequence[object]) -> JsonValue:
    """A value that is none of the known ones, where twelve tries find one."""
    value: JsonValue = None
    for _ in range(12):
        value = draw_value(schema, name, rng)
        if value not in known:
            return value
    return value
