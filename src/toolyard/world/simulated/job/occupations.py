"""What people can work as: one table of occupations, and every further job title beside the one it is most like."""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from toolyard.world.index import Index, words
from toolyard.world.kernel.derived_rows import derive_row
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.tables import plain, read_record, read_table, table_words
from toolyard.world.reference.packed_tables import packed_table

LEVEL_WORDS = {"intern": "Internship", "internship": "Internship", "junior": "Entry Level", "senior": "Senior Level",
               "lead": "management"}  # fmt: skip
# What may stand beside the title of a job in a query.
_BESIDE = frozenset(table_words("occupations.beside"))
_FIELD = 8
# How much of a title an occupation must share to be the one that it is most like.
_LIKE = 0.3


@dataclass(frozen=True, slots=True)
class Occupation:
    """Reference: what people can work as; `pay` is the base of what it pays a year, in dollars."""

    place: int
    title: str
    category: str
    pay: float
    remote: float
    hires: tuple[str, ...]
    skills: tuple[str, ...]
    duties: str
    tasks: tuple[str, ...]

    def __hash__(self) -> int:
        return self.place


@functools.cache
def occupations() -> tuple[Occupation, ...]:
    """All occupations of the table, those with described tasks first."""
    return tuple(
        read_record(Occupation, row, place=place, skills=tuple(row["skills"].split(", ")))
        for place, row in enumerate(read_table("occupations.tsv"))
    )


@functools.cache
def job_categories() -> tuple[str, ...]:
    """The categories of all occupations."""
    return tuple(dict.fromkeys(row.category for row in occupations()))


@functools.cache
def _names() -> Mapping[frozenset[str], Occupation]:
    """The words of each name of an occupation -> the occupation."""
    found: dict[frozenset[str], Occupation] = {}
    for row, line in zip(occupations(), read_table("occupations.tsv"), strict=True):
        for name in (line["title"], *filter(None, line["also"].split(";"))):
            found.setdefault(frozenset(words(name)), row)
    return found


@functools.cache
def _index() -> Index[dict[str, str]]:
    return Index(
        [
            {
                "place": str(row.place),
                "title": " ".join(name),
                "more": f"{row.category} {' '.join(row.skills)}",
            }
            for name, row in _names().items()
        ],
        ("title", "title", "more"),
    )


def _search_occupations(text: str, bound: float) -> list[Occupation]:
    """Occupations that share words with a text, best first."""
    rows = occupations()
    return list(dict.fromkeys(rows[int(hit["place"])] for hit in _index().search(text, bound=bound)).keys())


def occupation_by_number(place: int) -> Occupation | None:
    """The occupation with a number: of the table, then one for each further job title."""
    rows = occupations()
    if 0 <= place < len(rows):
        return rows[place]
    return (
        _occupation_from_title(place)
        if len(rows) <= place < len(rows) + len(packed_table("job_titles"))
        else None
    )


@functools.lru_cache(maxsize=1024)
def _occupation_from_title(place: int) -> Occupation:
    """The occupation of a title beyond the table; what it shares with the nearest one is taken from there."""
    title = packed_table("job_titles")[place - len(occupations())][1]
    like = _names().get(frozenset(words(title))) or next(iter(_search_occupations(title, _LIKE)), None)
    like = like or _names()[frozenset(("administrative", "assistant"))]
    return replace(
        like, place=place, title=title, duties=f"do the daily work of the {title.lower()}", tasks=()
    )


def _occupation_of_title(title: str) -> Occupation | None:
    """The occupation of an exact job title; None where nobody has it."""
    table, key = packed_table("job_titles"), plain(title)
    place = table.place(key)
    if not key or place >= len(table) or table[place][0] != key:
        return None

    def build(_: Random) -> Occupation:
        return _occupation_from_title(len(occupations()) + place)

    return derive_row(0, "occupation", key, build)


def work_words(text: str) -> list[str]:
    """The words of a text that can name work: those beside it, and its level, are gone."""
    bare = "".join(" " if sign in ",.?!;:" else sign for sign in plain(text))
    return [word for word in bare.split() if word not in _BESIDE and word not in LEVEL_WORDS]


def occupations_meant(text: str) -> list[Occupation]:
    """The occupations that a text means: the one it names, or those of the field; none where it names no work."""
    asked = work_words(text)
    key = frozenset(words(" ".join(asked)))
    if not key:
        return []
    exact = _names().get(key)
    if exact is not None and set(words(exact.title)) == key:
        return [exact]
    field = [row for row in occupations() if key <= set(words(row.title))]
    title = _occupation_of_title(" ".join(asked)) or _occupation_of_title(" ".join(words(" ".join(asked))))
    if title is not None and not field and (exact is None or len(asked) > 1):
        return [title]
    if exact is not None or field:
        return [exact] if exact else field[:_FIELD]
    inside = [(len(name), row) for name, row in _names().items() if name <= key]
    if inside and _is_known(key):
        return [max(inside, key=lambda pair: pair[0])[1]]
    named = [row for row in occupations() if key <= set(words(row.category))]
    return (named or (_search_occupations(" ".join(asked), 0.6) if _is_known(key) else []))[:_FIELD]


def _is_known(terms: frozenset[str]) -> bool:
    """Whether every word is one of the occupations, or of the further titles."""
    return all(_search_occupations(term, 0.5) or f" {term}" in _words_of_titles() for term in terms)


@functools.cache
def _words_of_titles() -> str:
    """The words of the further titles, each once, a blank before it."""
    found = re.findall(r"[ \n]([^ \n\t]+)", packed_table("job_titles").plain_text().decode())
    return " ".join(("", *dict.fromkeys(found)))


def find_occupation(title: str) -> Occupation:
    """The occupation that a title means; a not_found fault with the nearest ones otherwise."""
    found = occupations_meant(title)
    if not found:
        near = [row.title for row in _search_occupations(title, 0.2)][:3]
        raise not_found("occupation", title[:60], known=[row.title for row in occupations()], nearest=near)
    return found[0]
