"""Which tool can do the job of which, going by the documents.

What a tool returns, what it is about, what general tools such as a shell or a web search can do in place of others,
and a table of jobs that tools of different services share. In doubt a tool can: whoever offers tools beside those
that are needed must offer none that does as well.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from importlib import resources

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
# Tools that show a whole recipe, so all that others show of one.
_WHOLE_RECIPES = (
    "Food/Tasty/get_more_info",
    "Food/spoonacular_recipes_info/extract_recipe_from_website",
    "Food/spoonacular_recipes_info/get_recipe_information",
    "Food/spoonacular_recipes_info/get_recipe_information_bulk",
)
_BY_WHOLE_RECIPE = frozenset(
    {"Food/spoonacular_recipes_id", "Food/spoonacular_recipes_info", "Food/spoonacular_recipes_analyze"}
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
    **dict.fromkeys(_WHOLE_RECIPES, _BY_WHOLE_RECIPE),
    "Food/spoonacular_misc/random_food_joke": frozenset({"Food/spoonacular_misc/talk_to_chatbot"}),
    "Food/spoonacular_misc/random_food_trivia": frozenset({"Food/spoonacular_misc/talk_to_chatbot"}),
    "Mail/Mail/send_list": frozenset({"Mail/Mail/send"}),
    "Mail/Mail/recieve_id": frozenset({"Mail/Mail/recieve_latest"}),
    "Mail/Mail/recieve_latest": frozenset({"Mail/Mail/recieve_id"}),
    "Mail/Mail/recieve_list": frozenset({"Mail/Mail/recieve_id", "Mail/Mail/recieve_latest"}),
}


@functools.cache
def replaces(other: str, needed: str) -> bool:
    """Whether, going by the documents, `other` could do what `needed` is wanted for; in doubt it could."""
    if other == needed or _reaches(other, needed):
        return True
    if any(other in job and needed in job for job in same_jobs()):
        return True
    if not near(other, needed):
        return False
    return (
        _is_called_the_same(other, needed)
        or _returns_the_same(other, needed)
        or _says_the_same(other, needed)
    )


@functools.cache
def same_jobs() -> tuple[frozenset[str], ...]:
    """Tools that do one job for a user though their documents say it in different words, from `same_jobs.tsv`."""
    table = (resources.files("toolyard.synth.chains") / "same_jobs.tsv").read_text("utf-8")
    return tuple(frozenset(line.split("\t")[1].split()) for line in table.splitlines()[1:])


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
