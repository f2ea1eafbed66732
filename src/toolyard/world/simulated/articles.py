"""News of invented outlets: what stories are about is the same in every world; their figures, people and readers are drawn.

found_stories("quantum computing")    the places of stories, best first
article(seed, place)                  one of them as it is told in a world
"""

import functools
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from itertools import chain
from sys import intern
from typing import Annotated, Literal, NamedTuple, TypedDict

from toolyard.core.ordered_sums import group_items
from toolyard.world.index import Index
from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, read_table, share_keys, table_words
from toolyard.world.kernel.types import (
    CountryCode,
    DomainName,
    IsoDateTime,
    LanguageCode,
    PageUrl,
    PersonName,
    Semantic,
)
from toolyard.world.reference.companies import companies
from toolyard.world.reference.people import name_of
from toolyard.world.reference.places.geography import cities, countries, country_names
from toolyard.world.simulated.scholarship import all_topics, university_names

Category = Literal["business", "entertainment", "general", "health", "science", "sports", "technology"]
SourceId = Annotated[str, Semantic("news_source_id")]
FIRST_DAY, LAST_DAY = date(2023, 1, 1), date(2024, 5, 15)
_DAYS = (LAST_DAY - FIRST_DAY).days
_EACH_DAY: tuple[Category, ...] = (
    "technology",
    "general",
    "business",
    "science",
    "sports",
    "health",
    "entertainment",
)
# Field of study -> where papers write about it.
_WRITTEN_IN: Mapping[str, Category] = {"Computer Science": "technology", "Engineering": "technology", "Medicine": "health",
                                       "Economics": "business"}  # fmt: skip
_FROM = {"en": "reports from", "de": "berichtet aus", "fr": "vous informe depuis", "es": "informa desde"}
_HABITS = table_words("articles.habits")
_FORMS = frozenset(
    "inc corporation company co plc ltd limited sa s.a ag se nv n.v group holdings & corp platforms technologies".split()
)
_AT_HOME, _FLOOR, _TRIES = 4, 0.6, 6


class Source(TypedDict):
    """An outlet."""

    id: SourceId
    name: str
    description: str
    domain: DomainName
    category: Category
    language: LanguageCode
    country: CountryCode


class Article(TypedDict):
    """One piece of news; `popularity` counts readers."""

    id: int
    source_id: SourceId
    source: str
    domain: DomainName
    author: PersonName
    title: str
    description: str
    content: str
    url: PageUrl
    image: str
    published_at: IsoDateTime
    category: Category
    language: LanguageCode
    country: CountryCode
    popularity: int


class Story(NamedTuple):
    """What is the same of an article in every world: who writes when about what."""

    day: date
    source: Source
    category: Category
    title: str
    form: str
    fields: Mapping[str, str]


@functools.cache
def news_sources() -> tuple[Source, ...]:
    """The outlets of the table, then one that writes in English for each other country."""
    names = country_names()
    listed = [(row["id"], row["name"], row["category"], row["language"], row["country"])
              for row in read_table("news_outlets.tsv")]  # fmt: skip
    homes = {row[-1] for row in listed}
    for row in countries():
        if row["code"] not in homes and row["capital"]:
            name = f"{row['capital']} Courier"
            key = "-".join((*plain(name).replace("'", "").replace(".", "").split(), plain(row["code"])))
            listed.append((key, name, "general", "en", row["code"]))
    return tuple(
        Source(id=key, name=name, description=f"{name}: {category} news from {names[home]}.", domain=f"{key}.example",
               category=category, language=language, country=home)  # type: ignore[typeddict-item]
        for key, name, category, language, home in listed
    )  # fmt: skip


@functools.cache
def _story_forms() -> Mapping[str, list[dict[str, str]]]:
    """Category, language or kind -> headlines and descriptions with fields to fill in."""
    return group_items(read_table("stories.tsv"), lambda row: row["category"])


@functools.cache
def _story_towns(country: str) -> list[str]:
    found = [row["name"] for row in cities() if row["country_code"] == country]
    home = next(row for row in countries() if row["code"] == country)
    return found or [home["capital"]]


@functools.cache
def _sources_on(category: Category, english: bool = False) -> list[Source]:
    return [
        row
        for row in news_sources()[:20]
        if row["category"] in (category, "general") and (not english or row["language"] == "en")
    ]


def _short(name: str) -> str:
    """A company as the papers call it: Apple, not Apple Inc."""
    words = [word.strip(",") for word in name.removeprefix("The ").split()]
    while len(words) > 1 and words[-1].strip(".").lower() in _FORMS:
        words.pop()
    return " ".join(words)


def _story(
    day: date, source: Source, category: Category, form: Mapping[str, str], key: object, **told: str
) -> Story:
    """A story with names that follow from its key."""
    towns, number = _story_towns(source["country"]), seeds.number("story", key)
    fields = {
        "city": towns[number % len(towns)], "country": country_names()[source["country"]],
        "university": university_names()[number // 64 % len(university_names())],
        "topic": all_topics()[number // 512 % len(all_topics())][0], "habit": _HABITS[number // 8 % len(_HABITS)], **told,
    }  # fmt: skip
    figures = {"n": 20 + number % 880, "m": 3 + number % 10}
    title = form["headline"].format(**fields, **figures)
    return Story(day, source, category, title[0].upper() + title[1:], form["description"], share_keys(fields))


def _daily_stories() -> Iterator[Iterable[Story]]:
    """For each place of a day the stories that may stand there: two on technology, two others."""
    for number in range(_DAYS + 1):
        day, turn = FIRST_DAY + timedelta(days=number), number % 6
        chosen = (_EACH_DAY[0], _EACH_DAY[0], _EACH_DAY[1 + turn], _EACH_DAY[1 + (turn + 3) % 6])
        for place, category in enumerate(chosen):
            yield (_story_of_day(day, category, ("daily", number, place, one)) for one in range(_TRIES))


def _story_of_day(day: date, category: Category, key: tuple[object, ...]) -> Story:
    source = seeds.pick(_sources_on(category), "outlet", *key)
    if source["language"] == "en":
        return _story(day, source, category, seeds.pick(_story_forms()[category], "form", *key), key)
    return _story(day, source, "general", seeds.pick(_story_forms()[source["language"]], "form", *key), key)


def _local_stories() -> Iterator[Iterable[Story]]:
    """What the outlets of each country wrote about their own towns in the past 30 days."""
    for source in news_sources():
        local = source["language"] == "en"
        for place in range(_AT_HOME):
            category = source["category"] if source["category"] != "general" else _EACH_DAY[2 + place]
            forms = _story_forms()[category if local else f"{source['language']} {category}"]
            day = LAST_DAY - timedelta(days=1 + seeds.number("home day", source["id"], place) % 7 + 7 * place)
            key = ("home", source["id"], place)
            yield map(functools.partial(_story, day, source, category, key=key), forms)


def _stories_on_names() -> Iterator[Iterable[Story]]:
    """Stories on each company, subject of research and large city."""
    known = [row["title"] for row in read_table("well_known.tsv") if row["kind"] == "company"]
    names = dict.fromkeys(_short(name) for name in (*(row["name"] for row in companies()), *known))
    companies_told = [("company", "business", {"company": name}) for name in names]
    subjects = [
        ("subject", _WRITTEN_IN.get(field, "science"), {"topic": name}) for name, field in all_topics()
    ]
    runs = [(kind, "sports", {"city": row["name"]}) for row in cities()[:60] for kind in ("marathon", "cup")]
    told: list[tuple[str, Category, dict[str, str]]] = [*companies_told, *subjects, *runs]  # type: ignore[list-item]
    for kind, category, fields in told:
        for place, form in enumerate(_story_forms()[kind]):
            key = (kind, place, *fields.values())
            day = LAST_DAY - timedelta(days=1 + seeds.number("day", *key) % _DAYS)
            yield [
                _story(
                    day,
                    seeds.pick(_sources_on(category, english=True), "outlet", *key),
                    category,
                    form,
                    key,
                    **fields,
                )
            ]


@functools.cache
def all_stories() -> tuple[Story, ...]:
    """Every story once, oldest first."""
    told: dict[str, Story] = {}
    for options in chain(_stories_on_names(), _local_stories(), _daily_stories()):
        fresh = next((one for one in options if one.title not in told), None)
        if fresh:
            told[fresh.title] = fresh
    return tuple(sorted(told.values(), key=lambda one: (one.day, one.title)))


def count_readers(seed: int, place: int) -> int:
    """How many people read a story."""
    return int(10 ** (2 + 3 * seeds.unit(seed, "readers", all_stories()[place].title)))


@seeds.table
def monthly_readers(seed: int) -> Mapping[SourceId, int]:
    """Outlet -> how many people read what it wrote in the last thirty days."""
    found: dict[SourceId, int] = {}
    for place, story in enumerate(all_stories()):
        if story.day > LAST_DAY - timedelta(days=30):
            found[story.source["id"]] = found.get(story.source["id"], 0) + count_readers(seed, place)
    return found


@seeds.table
def publish_times(seed: int) -> tuple[IsoDateTime, ...]:
    """When each story was published: on its day, at an hour of the morning."""
    hours = (seeds.number(seed, "hour", story.title) for story in all_stories())
    return tuple(
        f"{story.day}T{5 + hour % 4:02d}:{hour // 4 % 60:02d}:00Z"
        for story, hour in zip(all_stories(), hours, strict=True)
    )


@seeds.cache_by_seed(8192)
def article(seed: int, place: int) -> Article:
    """A story as it is told in a world."""
    story, number = all_stories()[place], place + 1
    chance, source = seeds.stream(seed, "news", story.title), story.source
    figures = {
        "n": chance.randrange(20, 9000), "m": chance.randrange(3, 40), "p": chance.randrange(4, 97),
        "q": f"{chance.randrange(4, 40):02d}", "person": name_of(seed, "in the news", number),
        "other": name_of(seed, "in the news, too", number),
    }  # fmt: skip
    description = story.form.format(**story.fields, **figures)
    return Article(
        id=number, source_id=source["id"], source=source["name"], domain=source["domain"],
        author=name_of(0, "journalist", source["id"], chance.randrange(6)), title=story.title, description=description,
        content=f"{story.title}. {description} {source['name']} {_FROM[source['language']]} {story.fields['city']}.",
        url=_story_url(place), image=f"https://images.{source['domain']}/{number}.jpg",
        published_at=publish_times(seed)[place], category=story.category,
        language=source["language"], country=source["country"], popularity=count_readers(seed, place),
    )  # fmt: skip


def _story_url(place: int) -> str:
    story = all_stories()[place]
    return f"https://{story.source['domain']}/{story.day:%Y/%m/%d}/{place + 1}"


def article_by_url(seed: int, url: str) -> Article | None:
    """The article at an address without scheme; None where there is none."""
    number = url.rpartition("/")[2]
    place = int(number) - 1 if number.isdecimal() and len(number) < 6 else -1
    known = 0 <= place < len(all_stories()) and _story_url(place) == f"https://{url}"
    return article(seed, place) if known else None


@functools.cache
def _story_index() -> Index[dict[str, str | int]]:
    rows: list[dict[str, str | int]] = [
        {
            "place": place,
            "title": one.title,
            "kind": intern(f"{one.category} {one.fields['city']} {one.fields['country']}"),
        }
        for place, one in enumerate(all_stories())
    ]
    return seeds.build_without_gc(Index, [*map(share_keys, rows)], ("title", "title", "kind"), "title")


def found_stories(query: str) -> list[int]:
    """The places of stories for some words, best first; none where no story is about them."""
    return [int(row["place"]) for row in _story_index().search(query, bound=_FLOOR)]


def near_headlines(text: str) -> list[str]:
    """Headlines that are written almost like a text."""
    return _story_index().similar_names(text)
