"""Which tool can do the job of which, going by the documents.

What a tool returns, what it is about, and what it says of itself: jobs that tools of different services share, and
what general tools such as a shell or a web search can stand in for. In doubt a tool can: whoever offers tools beside those
that are needed must offer none that does as well.
"""

import functools
import re
from collections.abc import Iterator

from toolyard.synth.chains.plausibility import WIDE
from toolyard.synth.chains.projection import DROPPED
from toolyard.text.names import name_in_words
from toolyard.world.kernel.categories import are_related_categories, category
from toolyard.world.kernel.facts import THE_WEB
from toolyard.world.kernel.graph import consumed_meanings, produced_meanings
from toolyard.world.kernel.phrase import phrases
from toolyard.world.kernel.registry import library
from toolyard.world.kernel.schema import Schema
from toolyard.world.kernel.types import GENERIC

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


@functools.cache
def may_replace(other: str, needed: str) -> bool:
    """Whether, going by the documents, `other` could do what `needed` is wanted for; in doubt it could."""
    if other == needed or can_stand_in(other, needed) or shares_job(other, needed):
        return True
    if not are_near(other, needed):
        return False
    return (
        _is_called_the_same(other, needed)
        or _returns_the_same(other, needed)
        or _says_the_same(other, needed)
    )


def rivals(one: str, other: str) -> bool:
    """Whether either of two tools could do what the other is wanted for."""
    return may_replace(one, other) or may_replace(other, one)


def shares_job(one: str, other: str) -> bool:
    """Whether two tools name a job that both do."""
    return not set(library()[one].facts.jobs).isdisjoint(library()[other].facts.jobs)


def tells_some(other: str, needed: str) -> bool:
    """Whether a tool returns anything of what the other adds to what it is given, or could stand in for it."""
    given = {meaning for _, meaning in consumed_meanings(library()[needed])}
    sought = produced_meanings(library()[needed]).keys() - given - DROPPED - GENERIC
    return not sought.isdisjoint(produced_meanings(library()[other])) or may_replace(other, needed)


def can_stand_in(other: str, needed: str) -> bool:
    """Whether a general tool can be bent to what the other does."""
    reach = library()[other].facts.stands_in_for
    about = library()[needed].about
    if THE_WEB in reach and category(about).on_the_web:
        return True
    return not {about, needed.rsplit("/", 1)[0], needed}.isdisjoint(reach)


def are_near(one: str, other: str) -> bool:
    """Whether two tools are about things of one kind."""
    return are_related_categories(library()[one].about, library()[other].about)


def _is_called_the_same(other: str, needed: str) -> bool:
    return name_in_words(other.rsplit("/", 1)[1]) == name_in_words(needed.rsplit("/", 1)[1])


def _returns_the_same(other: str, needed: str) -> bool:
    keys = _narrow_meanings(needed)
    if keys and keys <= _meanings_found(other):
        return True
    wanted, found = _field_words(needed), _field_words(other)
    return len(wanted) > 1 and len(wanted & found) / len(wanted) >= MOST_SHARED_FIELDS


@functools.cache
def _narrow_meanings(tool: str) -> frozenset[str]:
    """The narrow meanings that a tool adds to what it is given."""
    given = {meaning for _, meaning in consumed_meanings(library()[tool])}
    return frozenset(produced_meanings(library()[tool]).keys() - given - DROPPED - WIDE.keys() - GENERIC)


@functools.cache
def _meanings_found(tool: str) -> frozenset[str]:
    """The meanings that a tool returns without having to be given them."""
    known = library()[tool]
    needed = {item.name for item in known.document.parameters if item.required}
    return frozenset(
        produced_meanings(known).keys()
        - {meaning for name, meaning in consumed_meanings(known) if name in needed}
    )


@functools.cache
def _field_words(tool: str) -> frozenset[str]:
    return frozenset(name_in_words(name) for name in field_names(library()[tool].document.result)) - _PAGING


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
    one, two = _telling_words(other), _telling_words(needed)
    return len(one & two) / min(len(one), len(two)) >= MOST_SHARED_WORDS if one and two else False


@functools.cache
def _telling_words(tool: str) -> frozenset[str]:
    """The telling words of what is said about a tool."""
    text = f"{library()[tool].document.description} {phrases()[tool].noun}".lower()
    return frozenset(_WORD.findall(text)) - _FILLERS
