"""Which tool can do the job of which, going by the documents.

What a tool returns, what it is about, and what general tools such as a shell or a web search can do in place of
others. In doubt a tool can: whoever offers tools beside those that are needed must offer none that does as well.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping

from toolyard.synth.chains.plausibility import WIDE, about, related
from toolyard.synth.chains.projection import DROPPED, spoken
from toolyard.synth.wording.phrasing import phrases
from toolyard.world.graph import consumed, produced
from toolyard.world.registry import library
from toolyard.world.schema import Schema
from toolyard.world.types import GENERIC

MOST_SHARED_FIELDS = 0.5
MOST_SHARED_WORDS = 0.4
_PAGING = frozenset(
    {"id", "name", "title", "url", "link", "total", "offset", "items", "type", "page", "count"}
)
_WORD = re.compile(r"[a-z]{3,}")
_FILLERS = frozenset(
    {
        "the",
        "and",
        "for",
        "with",
        "that",
        "its",
        "all",
        "one",
        "those",
        "each",
        "this",
        "from",
        "which",
        "are",
    }
    | {"can", "been", "what", "how", "many", "first", "most", "their", "there", "them", "they", "has", "have"}
    | {"list", "lists", "gives", "tells", "number", "some", "other", "where", "into", "only", "also"}
)
_ENGINES = tuple(
    f"Search/EngineSearch/{name}_search"
    for name in ("baidu", "bing", "duckduckgo", "google", "naver", "yahoo")
)
_CODE = tuple(
    f"Execute/Execute/{name}"
    for name in ("exectue_pycode_REPL", "exectue_pycode_REPL_Ast", "execute_bash_code", "execute_pycode")
)
# What a search of the web cannot do: act, compute, change or judge what it is given.
_BEYOND_SEARCH = frozenset(
    {"File", "Mail", "Execute", "Translation", "Comparison", "NLP", "Random", "Faker", "URL", "Validation"}
    | {"Anti_Malware", "Zapier", "Calculator", "IP", "Predict"}
)
# What a few lines of code can do: categories, subcategories or single tools.
_BY_CODE = frozenset(
    {"Calculator", "Random", "Comparison", "Execute", "Faker", "File/file_operation", "Word"}
    | {"Stock/Stock/add_date", "Stock/Stock/get_today_date", "Calendar/Calendar/current_date"}
    | {"Health/Fitness_Calculator"}
)
_BY_WOLFRAM = frozenset(
    {
        "Calculator",
        "Weather",
        "Location",
        "Finance/Currency_Converter",
        "Stock",
        "Search",
        "Entity",
        "Word",
        "Calendar",
    }
)
_REACH: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(_CODE, _BY_CODE),
    "Search/WolframSearch/get_wolfram_results": _BY_WOLFRAM,
    "Calculator/Calculator/wolfram_alpha_calculator": frozenset({"Calculator"}),
    "Calculator/Calculator/newton_calculator": frozenset({"Calculator"}),
    "Calculator/Calculator/calculator": frozenset({"Calculator"}),
    "Search/CostumizeSearch/wiki_search": frozenset({"Entity", "Search", "Art"}),
    "Entity/Wiki_data/search_by_code": frozenset({"Entity"}),
    "Zapier/Zapier/run_zapier_NLA_action": frozenset({"Mail", "File", "Calendar", "Zapier"}),
    "Food/spoonacular_misc/talk_to_chatbot": frozenset({"Food"}),
    "Food/spoonacular_misc/quick_answer": frozenset({"Food", "Health"}),
    "Food/spoonacular_misc/search_all_food": frozenset({"Food"}),
    "Food/spoonacular_misc/search_site_content": frozenset({"Food"}),
    "Food/spoonacular_recipes_info/get_recipe_information": frozenset(
        {"Food/spoonacular_recipes_id", "Food/spoonacular_recipes_info", "Food/spoonacular_recipes_analyze"}
    ),
    "Food/spoonacular_recipes_info/get_recipe_information_bulk": frozenset(
        {"Food/spoonacular_recipes_id", "Food/spoonacular_recipes_info", "Food/spoonacular_recipes_analyze"}
    ),
    "Mail/Mail/send_list": frozenset({"Mail/Mail/send"}),
    "Mail/Mail/recieve_id": frozenset({"Mail/Mail/recieve_latest"}),
    "Mail/Mail/recieve_latest": frozenset({"Mail/Mail/recieve_id"}),
    "Mail/Mail/recieve_list": frozenset({"Mail/Mail/recieve_id", "Mail/Mail/recieve_latest"}),
}

# Tools of different groups that do one job, which their documents say in different words.
_SAME_JOB: tuple[frozenset[str], ...] = (
    frozenset(
        {"Weather/weatherapi/search", "Location/Geodatabase/find_places", "Travel/Hotels/search_locations"}
        | {"Location/Geodatabase/get_place_details", "Travel/Hotels_Data/search_city_hotels"}
        | {"Travel/Hotels_Statistical_Data/search_location", "Travel/Flight_JSON_Data/search_city"}
    ),
    frozenset(
        {"Weather/openweathermap/current_weather", "Weather/weatherapi/current_weather"}
        | {"Weather/weatherapi/forecast", "Weather/weatherapi/history"}
    ),
    frozenset(
        {"Finance/Yelp/yelp_search", "Search/EngineSearch/yelp_search", "Finance/Yelp/yelp_phone_search"}
        | {"Finance/Yelp/yelp_business_details"}
    ),
    frozenset({"Finance/Yelp/yelp_reviews", "Search/ShoppingSearch/yelp_reviews_search"}),
    frozenset(
        {"Travel/BMTool_Travel/flightProducts", "Travel/Flight_Data_v1/cheapest_direct_tickets"}
        | {"Travel/Flight_Data_v1/cheapest_tickets", "Travel/Flight_Data_v1/cheapest_tickets_each_day"}
        | {"Travel/Flight_Data_v1/cheapest_tickets_each_month", "Travel/Flight_Data_v2/cheapest_tickets"}
        | {"Travel/Flight_Data_v2/direction_prices", "Travel/Flight_Data_v2/prices_calendar_month"}
        | {"Travel/Flight_Data_v2/prices_calendar_week"}
    ),
)


@functools.cache
def replaces(other: str, needed: str) -> bool:
    """Whether, going by the documents, `other` could do what `needed` is wanted for; in doubt it could."""
    if other == needed or _reaches(other, needed):
        return True
    if any(other in job and needed in job for job in _SAME_JOB):
        return True
    if not near(other, needed):
        return False
    return (
        _is_called_the_same(other, needed)
        or _returns_the_same(other, needed)
        or _says_the_same(other, needed)
    )


def rivals(one: str, other: str) -> bool:
    """Whether either of two tools could do what the other is wanted for."""
    return replaces(one, other) or replaces(other, one)


def _reaches(other: str, needed: str) -> bool:
    if other in _ENGINES:
        return about(needed) not in _BEYOND_SEARCH
    return bool(_REACH.get(other, frozenset()) & {about(needed), needed.rsplit("/", 1)[0], needed})


def near(one: str, other: str) -> bool:
    """Whether two tools are about things of one kind."""
    return related(about(one), about(other))


def _is_called_the_same(other: str, needed: str) -> bool:
    return spoken(other.rsplit("/", 1)[1]) == spoken(needed.rsplit("/", 1)[1])


def _returns_the_same(other: str, needed: str) -> bool:
    keys = _keys(needed)
    if keys and keys <= _found(other):
        return True
    wanted, found = _fields(needed), _fields(other)
    return len(wanted) > 1 and len(wanted & found) / len(wanted) >= MOST_SHARED_FIELDS


@functools.cache
def _keys(tool: str) -> frozenset[str]:
    """The narrow meanings that a tool adds to what it is given."""
    given = {meaning for _, meaning in consumed(library()[tool])}
    return frozenset(produced(library()[tool]).keys() - given - DROPPED - WIDE.keys() - GENERIC)


@functools.cache
def _found(tool: str) -> frozenset[str]:
    """The meanings that a tool returns without having to be given them."""
    known = library()[tool]
    needed = {item.name for item in known.document.parameters if item.required}
    return frozenset(
        produced(known).keys() - {meaning for name, meaning in consumed(known) if name in needed}
    )


@functools.cache
def _fields(tool: str) -> frozenset[str]:
    return frozenset(spoken(name) for name in field_names(library()[tool].document.result)) - _PAGING


def field_names(schema: Schema) -> Iterator[str]:
    """The names of all fields of a result, at any depth."""
    for option in schema.get("anyOf", ()):
        yield from field_names(option)
    for name, part in schema.get("properties", {}).items():
        yield name
        yield from field_names(part)
    if isinstance(schema.get("items"), dict):
        yield from field_names(schema["items"])


def _says_the_same(other: str, needed: str) -> bool:
    one, two = _content(other), _content(needed)
    return len(one & two) / min(len(one), len(two)) >= MOST_SHARED_WORDS if one and two else False


@functools.cache
def _content(tool: str) -> frozenset[str]:
    """The telling words of what is said about a tool."""
    text = f"{library()[tool].document.description} {phrases()[tool].noun}".lower()
    return frozenset(_WORD.findall(text)) - _FILLERS
