"""What happened in the world from January 2023 on, as the invented outlets report it; the events are true."""

from __future__ import annotations

from collections.abc import Mapping

from toolyard.world import seeds
from toolyard.world.search import Index, words
from toolyard.world.shared.articles import Article, Category, Source, sources
from toolyard.world.shared.people import name_of
from toolyard.world.tables import read_table

# Articles of the table of invented stories end below this number.
_FIRST_NUMBER = 5001
# Outlets that leave a subject to others: their own pages on it are full.
_ELSEWHERE: Mapping[Category, tuple[str, ...]] = {"technology": ("GB",), "science": ("US",)}
_CATEGORIES: tuple[Category, ...] = (
    "business", "entertainment", "general", "health", "science", "sports", "technology",
)  # fmt: skip


class Happening(Article):
    """An article about something that happened, with the codes of the countries where it did."""

    places: list[str]


@seeds.table
def happenings(seed: int) -> tuple[Happening, ...]:
    """One article about each event, oldest first."""
    rows = enumerate(read_table("news_events.tsv"), start=_FIRST_NUMBER)
    return tuple(_told(seed, number, row) for number, row in rows)


def _outlet(category: Category, number: int, places: list[str]) -> Source:
    away = _ELSEWHERE.get(category, ())
    fitting = [
        row
        for row in sources()
        if row["language"] == "en" and row["category"] in (category, "general") and row["country"] not in away
    ]
    near = [row for row in fitting if row["country"] in places]
    return seeds.pick(near if near and number % 2 else fitting, "told by", number)


def _told(seed: int, number: int, row: Mapping[str, str]) -> Happening:
    category = next(name for name in _CATEGORIES if name == row["category"])
    places = row["countries"].split(",")
    source = _outlet(category, number, places)
    chance = seeds.stream("happened", number)
    day = row["date"].replace("-", "/")
    return Happening(
        id=number,
        source_id=source["id"],
        source=source["name"],
        domain=source["domain"],
        author=name_of(seed, "journalist", source["id"], chance.randrange(6)),
        title=row["headline"],
        description=row["description"],
        content=f"{row['headline']}. {row['description']}",
        url=f"https://{source['domain']}/{day}/{number}",
        image=f"https://images.{source['domain']}/{number}.jpg",
        published_at=f"{row['date']}T{chance.randrange(4, 9):02d}:{chance.randrange(60):02d}:00Z",
        category=category,
        language=source["language"],
        country=source["country"],
        popularity=int(10 ** (4 + 1.5 * chance.random())),
        places=places,
    )


@seeds.table
def _index(seed: int) -> Index[Happening]:
    return Index(happenings(seed), ("title", "title", "description"))


@seeds.table
def happenings_by_url(seed: int) -> Mapping[str, Happening]:
    """The articles by their address without scheme."""
    return {row["url"].removeprefix("https://"): row for row in happenings(seed)}


def happened(seed: int, query: str) -> list[Happening]:
    """Articles about events that have all words of a query, the best first and of equal ones the newest."""
    wanted = set(words(query))
    found = _index(seed).search(query, bound=1.0)
    titled = [row for row in found if wanted <= set(words(row["title"]))]
    rest = [row for row in found if row not in titled]
    return [*sorted(titled, key=_newest, reverse=True), *sorted(rest, key=_newest, reverse=True)]


def happened_in(seed: int, code: str) -> list[Happening]:
    """Articles about events in a country."""
    return [row for row in happenings(seed) if code in row["places"]]


def _newest(row: Happening) -> str:
    return row["published_at"]
