"""The library: every tool is one typed function in the module of its world, found by importing them.

    GROUP = Group("Weather/openweathermap")

    @GROUP.tool(examples=[{"location": "London,GB"}],
                phrase="tell me the weather in {location} right now", noun="the weather right now")
    def current_weather(world: World, *, location: Place) -> Report:
        '''Weather at a place right now.

        location: City name, optionally with a country code.
        '''

Importing this module imports no world; the first look at the library imports them all, and a world's
tables are built when one of its tools is called.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeVar, Unpack

from toolyard.core.errors import UsageError, did_you_mean
from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel.categories import ALL, Content, category
from toolyard.world.kernel.document import CREDENTIALS, Document, to_json, tool_document
from toolyard.world.kernel.facts import FactArguments, Facts, ToolArguments

if TYPE_CHECKING:
    from toolyard.world.kernel.state import World

Scenario = Literal["TG", "DU", "RS", "PL", "IR", "AM", "FT"]
Function = TypeVar("Function", bound=Callable[..., object])

SCENARIOS: Mapping[Scenario, tuple[str, ...]] = {
    "TG": ("Advice", "Faker", "Joke", "Random", "Translation"),
    "DU": ("Comparison", "NLP", "Predict", "Validation", "Word"),
    "RS": ("Calendar", "News", "Paper", "Search", "Trend", "Weather"),
    "PL": ("Entertainment", "Food", "Health", "Job", "Location", "Music", "Product", "Travel"),
    "IR": ("Animal", "Anti_Malware", "Art", "Competition", "Database", "Entity", "IP", "Social", "Vehicle"),
    "AM": ("Calculator", "Execute", "File", "Mail", "URL", "Zapier"),
    "FT": ("Finance", "Stock"),
}
_SCENARIO_OF: Mapping[str, Scenario] = {
    category: scenario for scenario, categories in SCENARIOS.items() for category in categories
}
EXTRA = "+extra"
_registered: dict[str, Tool] = {}
# Tools beyond the library, such as those of a mirror, for as long as the process lasts.
_mounted: dict[str, Tool] = {}


@dataclass(frozen=True)
class Tool:
    """One executable tool: what it is called, where it belongs, the function that does it, and what else is known.

    An isolated tool runs in a worker process with limits of its own, because what it computes may take
    any time and memory.
    """

    id: str
    function: Callable[..., object]
    examples: tuple[Record, ...]
    facts: Facts = field(default_factory=Facts)
    isolated: bool = False
    extra: bool = False

    @property
    def name(self) -> str:
        """The last part of the id."""
        return self.id.rsplit("/", 1)[1]

    @property
    def category(self) -> str:
        """The first part of the id."""
        return self.id.split("/", 1)[0]

    @property
    def subcategory(self) -> str:
        """The middle part of the id."""
        return self.id.split("/")[1]

    @property
    def scenario(self) -> Scenario:
        """The ToolEyes scenario that its category belongs to."""
        return _SCENARIO_OF[self.category]

    @property
    def content(self) -> Content:
        """Whether what it returns is computed, looked up or simulated."""
        return self.facts.content or category(self.category).content_of(self.subcategory, self.name)

    @property
    def about(self) -> str:
        """The category of the things that it is about; mostly its own."""
        return category(self.category).about.get(self.subcategory, self.category)

    @property
    def fields(self) -> Mapping[str, int]:
        """The fields of work that it belongs to, each with its place there."""
        common = category(self.category).fields
        return {**common.get(ALL, {}), **common.get(self.subcategory, {}), **self.facts.fields}

    @property
    def general(self) -> bool:
        """Whether it could be bent to almost any job."""
        return self.facts.general or category(self.category).general

    @property
    def chat(self) -> bool:
        """Whether people would ask for it in a dialogue."""
        return self.facts.chat and category(self.category).chat

    def is_credential(self, parameter: str) -> bool:
        """Whether a parameter of the official document only says who is calling."""
        return parameter in CREDENTIALS and parameter not in self.facts.not_credentials

    @functools.cached_property
    def document(self) -> Document:
        """Description, parameters and result; generated when first asked for."""
        return tool_document(self.function)

    @property
    def importable(self) -> bool:
        """Whether another process can import its function: not what stands in the program that was started."""
        return self.function.__module__ != "__main__"

    @property
    def writes(self) -> bool | None:
        """Whether calls change the world, where that is known otherwise than from the code."""
        return None

    def run(self, world: World, keywords: Mapping[str, object]) -> object:
        """What the function returns for checked arguments."""
        return self.function(world, **keywords) if self.document.takes_world else self.function(**keywords)

    def row(self) -> dict[str, str]:
        """What `tools list` prints."""
        return {
            "id": self.id,
            "name": self.name,
            "scenario": self.scenario,
            "category": self.category,
            "subcategory": self.subcategory,
        }

    def to_json(self) -> Record:
        """What `tools show` prints."""
        return {**self.row(), "content": self.content, **to_json(self.document, self.examples)}


def tool(
    group: str,
    *,
    examples: Sequence[Mapping[str, JsonValue]] = ({},),
    name: str | None = None,
    isolated: bool = False,
    extra: bool = False,
    **facts: Unpack[FactArguments],
) -> Callable[[Function], Function]:
    """Puts a function into the library under `group/name`, with `Facts`; the function itself stays as it is.

    Without examples, its example is a call without arguments. An extra tool completes what the documents lack. It
    can be called by its id and is served where it is asked for; lists, counts, data and edges are made without it.
    """
    if group.split("/", 1)[0] not in _SCENARIO_OF or group.count("/") != 1:
        raise ValueError(f"group {group!r} is no Category/Subcategory of the library")

    def register(function: Function) -> Function:
        tool_id = f"{group}/{name or function.__name__}"
        if tool_id in _registered:
            raise ValueError(f"two tools are called {tool_id}; number the second one {tool_id}_2")
        _registered[tool_id] = Tool(tool_id, function, tuple(examples), Facts(**facts), isolated, extra)
        _tools_of_category.cache_clear()
        return function

    return register


class Group(str):
    """A `Category/Subcategory` of the library: `@GROUP.tool(...)` is `@tool(GROUP, ...)`."""

    def tool(self, **arguments: Unpack[ToolArguments]) -> Callable[[Function], Function]:
        """Puts a function into the group."""
        return tool(self, **arguments)


def mount(tools: Iterable[Tool]) -> None:
    """Makes tools known under their ids beside the library, which stays as it is."""
    _mounted.update({tool.id: tool for tool in tools})


def registered_tool(tool_id: str) -> Tool:
    """The tool of a module that is already imported."""
    return _registered[tool_id]


def is_registered(tool_id: str) -> bool:
    """Whether the module of a tool of the library is already imported."""
    return tool_id in _registered


def any_tool(tool_id: str) -> Tool:
    """The tool of an id, extra or not; all worlds are imported only where its own is not."""
    found = _registered.get(tool_id) or _mounted.get(tool_id)
    return found or library().get(tool_id) or extra_tools()[tool_id]


def tool_or_none(tool_id: str) -> Tool | None:
    """The tool of a full id, extra or not, with no more imported than the modules of its category; None if there is none."""
    if tool_id.count("/") != 2:
        return None
    found = _registered.get(tool_id) or _mounted.get(tool_id)
    if found is None and tool_id.split("/", 1)[0] in _SCENARIO_OF:
        _import_tools(tool_id.split("/", 1)[0].lower())
        found = _registered.get(tool_id)
    return found


@functools.cache
def _import_tools(folder: str = "") -> None:
    """Imports all modules of the tools, or those of one category's folder."""
    package = importlib.import_module("toolyard.world.tools" + (f".{folder}" if folder else ""))
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    for module in sorted(found, key=lambda module: module.name):
        importlib.import_module(module.name)


def _sort_tools(tools: Iterable[Tool]) -> list[Tool]:
    order = list(SCENARIOS)
    return sorted(tools, key=lambda tool: (order.index(tool.scenario), tool.id))


def _tools_in_order(extra: bool) -> Mapping[str, Tool]:
    _import_tools()
    return {tool.id: tool for tool in _sort_tools(_registered.values()) if tool.extra == extra}


@functools.cache
def _tools_of_category(wanted: str, extra: bool) -> tuple[Tool, ...]:
    """The tools of a category or of a part of it, without the import of the others; none where there is no such part."""
    name = wanted.split("/", 1)[0]
    if name not in _SCENARIO_OF:
        return ()
    _import_tools(name.lower())
    found = [tool for tool in _registered.values() if f"{tool.id}/".startswith(f"{wanted}/")]
    single = wanted in _registered
    return tuple(_sort_tools(tool for tool in found if extra or single or not tool.extra))


@functools.cache
def library() -> Mapping[str, Tool]:
    """The tools by id less the extra ones, in the order of scenarios and then of ids."""
    return _tools_in_order(extra=False)


@functools.cache
def extra_tools() -> Mapping[str, Tool]:
    """The extra tools by id, in the same order."""
    return _tools_in_order(extra=True)


def select(part: str | None = None) -> tuple[Tool, ...]:
    """The tools of a scenario, category, category/subcategory or single id; all for None.

    With `+extra` behind it the extra tools of that part come with them: "Mail+extra", "+extra" for all.
    """
    wanted, plus, _ = (part or "").partition(EXTRA)
    mounted = tuple(tool for name, tool in _mounted.items() if wanted and f"{name}/".startswith(f"{wanted}/"))
    own = mounted or _tools_of_category(wanted, extra=bool(plus))
    if own:
        return own
    more = extra_tools().values() if plus or wanted in extra_tools() else ()
    tools = (*library().values(), *more)
    if not wanted:
        return tools
    found = tuple(tool for tool in tools if tool.scenario == wanted or f"{tool.id}/".startswith(f"{wanted}/"))
    if not found:
        raise UsageError(
            f"no tools under {part!r}; {suggest_part(wanted)}want a scenario ({', '.join(SCENARIOS)}), "
            "Category, Category/Subcategory or an id: see `toolyard tools list`"
        )
    return found


def suggest_part(wanted: str) -> str:
    """The question after the part of the library that a misspelt one is near to; empty where none is."""
    wanted = wanted.partition(EXTRA)[0]
    ids = [tool_id.split("/") for tool_id in library()]
    return did_you_mean(
        wanted, [*SCENARIOS, *("/".join(parts[:size]) for parts in ids for size in (1, 2, 3))], 0.7
    )


def same_named_tools() -> tuple[str, ...]:
    """Ids of the second of two tools with one name in one subcategory."""
    return tuple(tool_id for tool_id in library() if tool_id.endswith("_2") and tool_id[:-2] in library())


@functools.cache
def copies() -> frozenset[str]:
    """Ids of tools whose document says the same as an earlier one's: a reader cannot tell which is meant."""
    first: dict[str, str] = {}
    return frozenset(
        tool.id
        for tool in library().values()
        if first.setdefault(tool.document.description, tool.id) != tool.id
    )
