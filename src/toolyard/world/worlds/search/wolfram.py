"""Search/WolframSearch: computed answers where a question can be computed, else what the encyclopaedia says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, TypedDict

from toolyard.world.faults import ToolFault, not_found
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.companies import find_company, prices
from toolyard.world.shared.entries import Entry, EntryTitle, KnownThing, look_up
from toolyard.world.shared.geography import cities, city_or_none, countries, find_airport, plain
from toolyard.world.shared.pages import sentences
from toolyard.world.state import World
from toolyard.world.tables import kilometres

GROUP = "Search/WolframSearch"
_BETWEEN = re.compile(r"distance (?:between|from) (.{1,60}?) (?:and|to) (.{1,60})")
_FROM_EARTH = {"moon": 384400, "sun": 149600000, "mars": 225000000, "venus": 108200000, "jupiter": 628700000}
_TALK = re.compile(
    r"^(?:please |can you |could you |help me |i need to |i would like to |find |compute |calculate |evaluate |"
    r"what is |what's |solve |the solution |for |of |a |an |the |mathematical |equation |value )+"
)


def warm_up() -> None:
    """Loads sympy."""
    from toolyard.world.worlds.calculator import calculator

    calculator.warm_up()


class Pod(TypedDict):
    title: str
    text: str


class Answer(TypedDict):
    query: str
    interpretation: str
    result: str
    subject: EntryTitle | None
    pods: list[Pod]


def _mathematics(_: World, query: str) -> Answer | None:
    quoted = re.search(r"['\"]([^'\"]{1,200})['\"]", query)
    text = quoted[1] if quoted else _TALK.sub("", query.strip().rstrip("?.").lower())
    if not re.search(r"\d|\b(?:pi|sin|cos|sqrt|log|derivative|integrate|integral|diff)\b", text):
        return None
    from toolyard.world.worlds.calculator.calculator import wolfram_alpha_calculator

    try:
        found = wolfram_alpha_calculator(input_query=f"solve {text}" if "=" in text else text)
    except ToolFault:
        return None
    result = f"{_unknown(text)} = {found['exact']}" if "=" in text else found["exact"]
    pods: list[Pod] = [{"title": "Input interpretation", "text": found["interpretation"]}]
    if found["decimal"] is not None:
        pods.append({"title": "Decimal approximation", "text": str(found["decimal"])})
    return {"query": query, "interpretation": text, "result": result, "subject": None, "pods": pods}


def _unknown(equation: str) -> str:
    letters = re.findall(r"(?<![a-z])[a-z](?![a-z])", equation)
    return "x" if "x" in letters or not letters else sorted(letters)[0]


def _distance(_: World, query: str) -> Answer | None:
    match = _BETWEEN.search(plain(query).rstrip("?."))
    if match is None:
        return None
    names = [match[1].removeprefix("the ").strip(), match[2].removeprefix("the ").strip()]
    if "earth" in names:
        other = names[1 - names.index("earth")]
        far = _FROM_EARTH.get(other)
        return (
            None
            if far is None
            else _far(query, f"distance from Earth to {other.title()}", far, other.title())
        )
    points = [_point(name) for name in names]
    if points[0] is None or points[1] is None:
        return None
    length = kilometres(points[0][1], points[0][2], points[1][1], points[1][2])
    return _far(query, f"distance from {points[0][0]} to {points[1][0]}", length, points[0][0])


def _point(name: str) -> tuple[str, float, float] | None:
    city = city_or_none(name)
    if city:
        return city["name"], city["latitude"], city["longitude"]
    try:
        airport = find_airport(name)
    except ToolFault:
        return None
    return airport["city"], airport["latitude"], airport["longitude"]


def _far(query: str, meaning: str, far: float, subject: str) -> Answer:
    return {"query": query, "interpretation": meaning, "result": f"{far:,.0f} km", "subject": subject,
            "pods": [{"title": "Miles", "text": f"{far / 1.609344:,.0f} mi"},
                     {"title": "Light travel time", "text": f"{far / 299792.458:,.4g} s"}]}  # fmt: skip


def _facts(_: World, query: str) -> Answer | None:
    """Capital, population, area and the like of a country or city that the question names."""
    known, asked = plain(query), set(words(query))
    fields = (("capital", "capital", ""), ("population", "population", " people"), ("area", "area_km2", " km²"),
              ("currency", "currency", ""), ("continent", "continent", ""))  # fmt: skip
    places = [*countries(), *cities()]
    named = [row for row in places if re.search(rf"\b{re.escape(plain(row['name']))}\b", known)]
    for word, field, unit in fields:
        for row in sorted(named, key=lambda row: -len(row["name"])) if word in asked else ():
            if field in row:
                value: object = row[field]  # type: ignore[literal-required]
                text = f"{value:,}{unit}" if isinstance(value, int) else str(value)
                return {"query": query, "interpretation": f"{row['name']} | {word}", "result": text,
                        "subject": row["name"], "pods": []}  # fmt: skip
    return None


def _price(world: World, query: str) -> Answer | None:
    match = re.search(r"(?:stock|share) price of (?:the )?(.{1,60}?)\??$", plain(query))
    if match is None:
        return None
    try:
        company = find_company(match[1])
    except ToolFault:
        return None
    today = world.today.isoformat()
    last = next(bar for bar in reversed(prices(world.seed, company["ticker"])) if bar["date"] <= today)
    return {"query": query, "interpretation": f"{company['name']} | share price", "subject": company["name"],
            "result": f"{last['close']} {company['currency']} ({last['date']})", "pods": []}  # fmt: skip


def _topic(_: World, query: str) -> Answer | None:
    quoted = re.search(r"['\"]([^'\"]{1,100})['\"]", query)
    entry = look_up(quoted[1]) if quoted else None
    entry = entry or look_up(query)
    if entry is None:
        return None
    stated = sentences(entry["text"])
    return {"query": query, "interpretation": entry["title"], "result": stated[0], "subject": entry["title"],
            "pods": list(_pods(entry, stated))}  # fmt: skip


def _pods(entry: Entry, stated: list[str]) -> Iterator[Pod]:
    if stated[1:]:
        yield {"title": "Basic information", "text": " ".join(stated[1:])}
    yield {"title": "Kind", "text": f"{entry['kind']} ({entry['field']})"}


_WAYS: tuple[Callable[[World, str], Answer | None], ...] = (_distance, _price, _facts, _mathematics, _topic)


@tool(
    GROUP,
    isolated=True,
    examples=[
        {"query": "What is the distance between Earth and Moon?"},
        {"query": "2x+3=7"},
        {"query": "integrate x^2 sin(x)"},
        {"query": "population of Japan", "includepodid": "Result"},
    ],
    phrase="use Wolfram[, with the included pod set to {includepodid},] to answer {query}",
    noun="the Wolfram answer",
    jobs=("answers to questions",),
    stands_in_for=(
        "Calculator",
        "Calendar",
        "Entity",
        "Finance/Currency_Converter",
        "Location",
        "Search",
        "Stock",
        "Weather",
        "Word",
    ),
)
def get_wolfram_results(
    world: World, *, query: KnownThing, includepodid: Literal["Result", "result"] | None = None
) -> Answer:
    """The answer to a question: computed for mathematics, distances, prices and facts on places, else looked up.

    query: An expression, an equation, or a question in words.
    includepodid: Result leaves out everything but the result.
    """
    for way in _WAYS:
        found = way(world, query[:500])
        if found is not None:
            return {**found, "pods": []} if includepodid else found
    raise not_found(
        "answer to", query[:80], known=("2x+3=7", "distance from Paris to Rome", "facts about Mars")
    )
