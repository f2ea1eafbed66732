"""Search: patents. Titles, inventors and owners are the same in every world; the days are drawn."""

import functools
from datetime import date, timedelta
from typing import TypedDict

from toolyard.world.index import Index
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import read_table
from toolyard.world.kernel.types import CountryCode, PastDate, PersonName, SearchText
from toolyard.world.kernel.views import View
from toolyard.world.reference.people import name_of
from toolyard.world.simulated.pages import check_query
from toolyard.world.simulated.scholarship import all_topics, areas
from toolyard.world.tools.search.web import CUSTOM as GROUP

_SHOWN, _FLOOR = 8, 0.6
_FORMS = ("System for {}", "Method for {}", "Apparatus for {}")
_INVENTED = frozenset(
    ("Computer Science", "Engineering", "Physics", "Materials Science", "Medicine", "Biology")
)


class Patent(TypedDict):
    patent_id: str
    title: str
    abstract: str
    inventor: PersonName
    assignee: str
    country_code: CountryCode
    filed: PastDate
    granted: PastDate


class _Known(Patent):
    words: str


def _make_patent(number: str, title: str, abstract: str, inventor: str, assignee: str, words: str) -> _Known:
    """A patent without its days."""
    return _Known(patent_id=number, title=title, abstract=abstract, inventor=inventor, assignee=assignee,
                  country_code="US", filed="", granted="", words=words)  # fmt: skip


@functools.cache
def _patents() -> Index[_Known]:
    """Famous patents, and three on each subject of research that can be invented."""
    rows = [
        _make_patent(row["id"], row["title"], row["abstract"], row["inventor"], row["assignee"], row["words"])
        for row in read_table("famous_patents.tsv")
    ]
    topics = [name for name, field in all_topics() if field in _INVENTED]
    topics += [subject for area in areas() if area["field"] in _INVENTED for subject in area["subjects"]]
    for place, topic in enumerate(dict.fromkeys(topics)):
        for turn, form in enumerate(_FORMS):
            inventor = name_of(0, "inventor", topic, turn)
            title = form.format(topic if topic[1:2].isupper() else topic[0].lower() + topic[1:])
            rows.append(
                _make_patent(f"US{9_000_000 + 3 * place + turn}B2", title, f"Describes a {title.lower()}.", inventor,
                        f"{name_of(0, 'patent owner', topic, turn).split()[-1]} Research", "")
            )  # fmt: skip
    return Index(rows, ("title", "title", "words", "inventor", "assignee"), "title")


def _draw_patent(seed: int, row: _Known) -> Patent:
    chance = seeds.stream(seed, "patent", row["patent_id"])
    filed = date(2004, 1, 5) + timedelta(days=chance.randrange(6000))
    granted = filed + timedelta(days=400 + chance.randrange(900))
    return PATENT.row({**row, "filed": filed.isoformat(), "granted": granted.isoformat()})


PATENT = View[Patent]({key: key for key in Patent.__annotations__})


@GROUP.tool(
    examples=[{"query": "quantum computing"}],
    phrase="search Google Patents for {query}",
    noun="the list of patents",
)
def google_patents_search(world: World, *, query: SearchText) -> list[Patent]:
    """Patents that fit the words, with who owns them, when they were filed and when granted.

    query: Words of the invention, or the name of an inventor or owner.
    """
    found = _patents().search(check_query(query), bound=_FLOOR)
    if not found:
        raise not_found(
            "patent on", query[:80], nearest=_patents().similar_names(query), such_as=("robotics", "vaccine")
        )
    return [_draw_patent(world.seed, row) for row in found[:_SHOWN]]
