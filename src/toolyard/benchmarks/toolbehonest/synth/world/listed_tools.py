"""Tools of the world as a list shows them: a readable name and one line that says what the tool does.

Weather/weatherapi/marine -> ("WeatherapiMarine", "Gives waves, swell, water temperature and ...")
"""

import functools
from collections import Counter
from collections.abc import Mapping, Sequence

from toolyard.text.names import name_in_words
from toolyard.world.kernel.naming import SPELLING
from toolyard.world.kernel.phrase import speakable
from toolyard.world.kernel.registry import library

_LEADING_VERBS = frozenset({"get", "fetch"})
_QUESTIONS = frozenset({"Whether", "How", "What", "Which", "Who", "When", "Where"})
_VERBS = frozenset({"Sends", "Scans", "Runs", "Puts"})
_PROPER = frozenset({"Indian", "Nobel", "Walmart's", "Grands", "NBA", "ICAO", "IATA", "IIIF", "Poisson"})
_SINGULAR = frozenset({"A", "An", "The", "One", "Everything", "Today's"})


@functools.cache
def offered_tools() -> Mapping[str, tuple[str, str]]:
    """(name, description) by id, of every tool that a list may hold; of equal descriptions only the first."""
    names = _names_by_tool()
    known: dict[str, str] = {}
    for tool in speakable():
        known.setdefault(_description_sentence(tool), tool)
    return {tool: (names[tool], description) for description, tool in known.items()}


def ids() -> Mapping[str, str]:
    """Id by listed name."""
    return {name: tool for tool, (name, _) in offered_tools().items()}


def group_of_tool(tool: str) -> str:
    """`Category/Subcategory` of an id."""
    return tool.rsplit("/", 1)[0]


def category_of_tool(tool: str) -> str:
    """The category of the things that a tool is about."""
    return library()[tool].about


@functools.cache
def _names_by_tool() -> Mapping[str, str]:
    """The tool's own words where they are at least two and its alone, else with the service before them."""
    names = {tool.id: tool.facts.listed_as for tool in speakable().values() if tool.facts.listed_as}
    for parts in (1, 2, 3):
        left = {tool: _camel_case(tool, parts) for tool in speakable() if tool not in names}
        counts = Counter([*left.values(), *names.values()])
        names |= {
            tool: name
            for tool, name in left.items()
            if counts[name] == 1 and (parts > 1 or len(_words_of_part(tool.split("/")[-1])) > 1)
        }
    return names


def _camel_case(tool: str, parts: int) -> str:
    """The words of the last parts of an id as one name, none twice in a row."""
    words = [word for part in tool.split("/")[-parts:] for word in _words_of_part(part)]
    kept = [word for n, word in enumerate(words) if n == 0 or word.lower() != words[n - 1].lower()]
    return "".join(word if word.isupper() else word.capitalize() for word in kept)


def _words_of_part(part: str) -> Sequence[str]:
    words = " ".join(SPELLING.get(word, word) for word in name_in_words(part).split()).split()
    return words[1:] if words[0] in _LEADING_VERBS and len(words) > 1 else words


def _description_sentence(tool: str) -> str:
    """What the tool does, as a sentence with a verb."""
    known = library()[tool]
    if known.facts.described_as:
        return known.facts.described_as
    text = known.document.description
    first = text.split(" ", 1)[0]
    if first in _VERBS:
        return text
    if first in _QUESTIONS:
        return f"Tells {_lower_first(text)}"
    plural = first.endswith("s") and first not in _SINGULAR and not first.endswith(("ss", "'s"))
    listed = plural or first in ("All", "Every", "Ten", "Eight", "Seven", "Up")
    return f"{'Lists' if listed else 'Gives'} {_lower_first(text)}"


def _lower_first(text: str) -> str:
    first = text.split(" ", 1)[0]
    proper = first in _PROPER or first[1:2].isupper()
    return text if proper else text[0].lower() + text[1:]
