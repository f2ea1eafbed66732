"""Which tool can stand in for which: the proof that a missing tool was needed.

By the documents (`replaces`): what a tool returns, what it is about, and what general tools such as a shell or
a web search can do in place of others. By execution (`answered_by`): the other tools are called with what the
step was called with, and must not show what the step found.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence

from toolyard.benchmarks.toolbehonest.synth.world.tools import category, group, offered
from toolyard.core.types import Json
from toolyard.synth.chains.chain import Chain
from toolyard.synth.chains.plausibility import KINDS, WIDE
from toolyard.synth.chains.projection import DROPPED, is_empty, scalars, spoken
from toolyard.synth.wording.phrasing import phrases
from toolyard.world.executor import call
from toolyard.world.graph import consumed, produced
from toolyard.world.registry import library
from toolyard.world.schema import Schema
from toolyard.world.state import World
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


@functools.cache
def replaces(other: str, needed: str) -> bool:
    """Whether, going by the documents, `other` could do what `needed` is wanted for; in doubt it could."""
    if other == needed:
        return True
    if _reaches(other, needed):
        return True
    if not _near(other, needed):
        return False
    return (
        _is_called_the_same(other, needed)
        or _returns_the_same(other, needed)
        or _says_the_same(other, needed)
    )


def _reaches(other: str, needed: str) -> bool:
    if other in _ENGINES:
        return category(needed) not in _BEYOND_SEARCH
    return bool(_REACH.get(other, frozenset()) & {category(needed), group(needed), needed})


def _near(one: str, other: str) -> bool:
    """Whether two tools are about things of one kind."""
    first, second = category(one), category(other)
    return first == second or any(first in kind and second in kind for kind in KINDS.values())


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


def conflict(plan: Sequence[str], others: Sequence[str] = ()) -> str:
    """The first pair of tools of which one could do a step of the other, as text; empty where there is none."""
    for needed in dict.fromkeys(plan):
        for other in dict.fromkeys((*plan, *others)):
            if other != needed and replaces(other, needed):
                return f"{other} could stand in for {needed}"
    return ""


def distractors(plan: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Tools that can do no step of the plan: those of its groups, of its categories, and of its kinds."""
    groups, categories = {group(tool) for tool in plan}, {category(tool) for tool in plan}
    tiers: tuple[list[str], ...] = ([], [], [])
    for tool in offered():
        if tool in plan or any(replaces(tool, used) for used in plan):
            continue
        if group(tool) in groups:
            tiers[0].append(tool)
        elif category(tool) in categories:
            tiers[1].append(tool)
        elif any(_near(tool, used) for used in plan):
            tiers[2].append(tool)
    return tuple(map(tuple, tiers))


def wanted(chain: Chain, index: int) -> dict[str, Json]:
    """What the step was done for: the fields that later steps take, else those that are no echo of what it was given."""
    step = chain.steps[index]
    taken = [
        reference.field
        for later in chain.steps
        for reference in later.references.values()
        if reference.step == index
    ]
    given = [str(value).casefold() for value in chain.resolved(index).values()]
    new = [name for name, value in step.result.items() if str(value).casefold() not in given]
    return {name: step.result[name] for name in dict.fromkeys(taken or new or step.result)}


def answered_by(chain: Chain, index: int, others: Sequence[str]) -> tuple[str, ...]:
    """Those of the other tools that show, called with the same values, all that the step was done for."""
    step = chain.steps[index]
    sought = {str(value).casefold() for value in wanted(chain, index).values()}
    world = World.fresh(chain.seed)
    for earlier in range(index):
        call(world, chain.steps[earlier].tool, chain.resolved(earlier))
    meant = _by_meaning(step.tool, chain.resolved(index))
    found = []
    for other in others:
        observation = call(world.copy(), other, _arguments(other, meant))
        shown = {str(value).casefold() for value in scalars(observation.value)}
        if observation.error is None and sought <= shown:
            found.append(other)
    return tuple(found)


def _by_meaning(tool: str, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Meaning -> value, of the arguments that mean something."""
    taken = dict(reversed([*consumed(library()[tool])]))
    return {taken[name]: value for name, value in arguments.items() if name in taken and not is_empty(value)}


def _arguments(tool: str, meant: Mapping[str, Json]) -> dict[str, Json]:
    """An example of the tool with the given values wherever it takes such."""
    known = library()[tool]
    lists = {item.name for item in known.document.parameters if item.schema.get("type") == "array"}
    fitting = {
        name: [meant[meaning]] if name in lists and not isinstance(meant[meaning], list) else meant[meaning]
        for name, meaning in consumed(known)
        if meaning in meant
    }
    return {**known.examples[0], **fitting}
