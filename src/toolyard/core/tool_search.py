"""Functions that a model finds by searching a catalogue (`--style search`)."""

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field

from toolyard.core.types import Effect, JsonValue, Record, SearchTexts

SEARCH, SEARCH_TOOLS = "search", "search_tools"
FOUND_AT_ONCE = 5
FUNCTION: Record = {
    "type": "function",
    "function": {
        "name": SEARCH_TOOLS,
        "description": f"Finds up to {FOUND_AT_ONCE} functions that fit a description; they can be called from then on.",
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "What the function should do."}},
            "required": ["query"],
        },
    },
}


@dataclass(slots=True)
class ToolSearch:
    """A catalogue of functions by name, and those that were found so far."""

    catalogue: Mapping[str, Record]
    found: dict[str, Record] = field(default_factory=dict)

    def functions(self) -> tuple[Record, ...]:
        """What the next request offers."""
        return (FUNCTION, *self.found.values())

    @property
    def offered_names(self) -> tuple[str, ...]:
        """What can be called."""
        return (SEARCH_TOOLS, *self.found)

    def search(self, arguments: Mapping[str, JsonValue]) -> Generator[Effect, tuple[int, ...], str]:
        """Adds what a search finds to the offer; its answer names it."""
        texts = tuple(f"{name.replace('_', ' ')}. {_describe(each)}" for name, each in self.catalogue.items())
        query = arguments.get("query")
        places = yield SearchTexts(query if isinstance(query, str) else json.dumps(query), texts)
        names = [list(self.catalogue)[place] for place in places[:FOUND_AT_ONCE]]
        self.found |= {name: self.catalogue[name] for name in names}
        if not names:
            return json.dumps({"found": [], "hint": "say in other words what the function should do"})
        return json.dumps(
            {"found": {name: _describe(self.catalogue[name]) for name in names}}, ensure_ascii=False
        )


def _describe(function: Record) -> str:
    return str(function["function"].get("description") or "")
