"""The shortest names that are unique within what is offered, and back from a name to the tool."""

import functools
from collections import Counter
from collections.abc import Mapping, Sequence

from toolyard.world.kernel.faults import ToolFault
from toolyard.world.kernel.registry import Tool, any_tool, extra_tools, is_registered, library, tool_or_none

# Misspelt words of official names, for those who show names in other forms.
SPELLING: Mapping[str, str] = {
    "acitcity": "activity",
    "calender": "calendar",
    "claasificatioin": "classification",
    "coinmarketmap": "coin market cap",
    "costumize": "custom",
    "exectue": "execute",
    "infomation": "information",
    "multimodel": "multimodal",
    "prive": "price",
    "recieve": "receive",
}


def short_names(ids: Sequence[str]) -> Mapping[str, str]:
    """Name -> id: the last part alone where unique, else with the subcategory, else with the category."""
    names: dict[str, str] = {}
    left = list(ids)
    for parts in (1, 2, 3):
        candidates = {tool_id: "__".join(tool_id.split("/")[-parts:]) for tool_id in left}
        counts = Counter(candidates.values())
        for tool_id, name in candidates.items():
            if counts[name] == 1 and name not in names:
                names[name] = tool_id
        left = [tool_id for tool_id in left if names.get(candidates[tool_id]) != tool_id]
    return names


@functools.lru_cache(maxsize=256)
def _names_by_id(offered: tuple[str, ...] | None) -> Mapping[str, str]:
    return short_names(offered if offered is not None else tuple(library()))


@functools.lru_cache(maxsize=256)
def _offered_ids(offered: tuple[str, ...] | None) -> frozenset[str]:
    return frozenset(_names_by_id(offered).values())


def resolve_tool(name: str, offered: Sequence[str] | None = None) -> Tool:
    """The tool of this id or short name among the offered ones; a ToolFault with the nearest name if none."""
    own = tool_or_none(name) if offered is None and isinstance(name, str) else None
    if own is not None:
        return own
    names = _names_by_id(None if offered is None else tuple(offered))
    tool_id = names.get(name, name)
    if name in names or name in _offered_ids(None if offered is None else tuple(offered)):
        return any_tool(tool_id)
    more = _names_by_id(tuple(extra_tools())) if offered is None else {}
    if more.get(name, name) in extra_tools() and offered is None:
        return extra_tools()[more.get(name, name)]
    raise _unknown_tool_fault(str(name)[:200], names, served=offered is not None)


def shown_name(tool_id: str, offered: Sequence[str] | None = None) -> str | None:
    """The name by which a caller knows a tool; None where it is not offered."""
    if not tool_id:
        return None
    if offered is None and (own := _registered_name(tool_id)):
        return own
    ids = (*library(), *extra_tools()) if offered is None else tuple(offered)
    return next((name for name, known in _names_by_id(ids).items() if known == tool_id), None)


# Last parts of names that several tools have.
SHARED_NAMES = frozenset(
    (
        "bets bookmakers cheapest_tickets countries current_weather fixtures get_autocomplete get_balance_sheet "
        "get_cash_flow get_earnings get_further_contents get_similar_recipes get_summary google_autocomplete_search "
        "google_related_question_search leagues odds pit_stops players results search_country seasons standings "
        "teams_statistics timezone walmart_search yelp_search"
    ).split()
)


def _registered_name(tool_id: str) -> str | None:
    """The short name of a tool whose module is imported, without the import of all others; None where it is not."""
    if not is_registered(tool_id):
        return None
    last = tool_id.rsplit("/", 1)[-1]
    return "__".join(tool_id.split("/")[-2:]) if last in SHARED_NAMES else last


def _unknown_tool_fault(name: str, names: Mapping[str, str], *, served: bool) -> ToolFault:
    """The refusal of a name; where tools are `served`, those named are called as their list calls them."""
    from rapidfuzz import process

    called = {known: shown if served else known for shown, known in names.items()}
    same = [shown for known, shown in called.items() if known.rsplit("/", 1)[-1] == name]
    last = name.rsplit("/", 1)[-1]
    near = same or [match[0] for match in process.extract(last, list(names), limit=3, score_cutoff=80)]
    group = name.rpartition("/")[0]
    beside = [shown for known, shown in called.items() if known.rpartition("/")[0] == group]
    if beside and not near:  # a wrong name in a part that exists
        return ToolFault("unknown_tool", f"no tool {name!r}: that part has {', '.join(beside[:20])}")
    hint = f"known ones are {', '.join(sorted(names)[:10])}" if served else "no name is like it"
    hint = f"did you mean {' or '.join(near)}?" if near else hint
    search = "" if served else "; see: toolyard tools search WORDS"
    return ToolFault("unknown_tool", f"no tool {name!r}: {hint} ({len(names)} in all){search}")
