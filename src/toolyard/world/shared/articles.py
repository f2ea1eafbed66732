"""Generated news: invented outlets report on companies, universities, cities and topics of the world.

{"id": 611, "title": "Microsoft to open research centre in Toronto", "category": "technology",
 "source": {"id": "signal-post", "name": "Signal Post"}, "publishedAt": "2023-08-01T08:15:00Z", ...}
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.derived import derived
from toolyard.world.faults import invalid
from toolyard.world.search import Index
from toolyard.world.shared.companies import companies
from toolyard.world.shared.entry import land
from toolyard.world.shared.geography import cities, countries, plain, read_table
from toolyard.world.shared.listed import Company
from toolyard.world.shared.people import name_of
from toolyard.world.shared.story_fit import fitting
from toolyard.world.tables import group_rows
from toolyard.world.types import (
    CountryCode,
    DomainName,
    IsoDateTime,
    LanguageCode,
    PageUrl,
    PersonName,
    Semantic,
)

Category = Literal["business", "entertainment", "general", "health", "science", "sports", "technology"]
SourceId = Annotated[str, Semantic("news_source_id")]
FIRST_DAY = date(2023, 1, 1)
LAST_DAY = date(2024, 5, 15)


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


_OUTLETS = """meridian-daily|Meridian Daily|general|en|US
harbour-times|Harbour Times|general|en|GB
southern-star|Southern Star|general|en|AU
maple-chronicle|Maple Chronicle|general|en|CA
ganges-herald|Ganges Herald|general|en|IN
emerald-post|Emerald Post|general|en|IE
signal-post|Signal Post|technology|en|US
circuit-weekly|Circuit Weekly|technology|en|GB
bytes-and-boards|Bytes and Boards|technology|en|IN
ledger-street|Ledger Street|business|en|US
thames-markets|Thames Markets|business|en|GB
field-notes|Field Notes|science|en|US
lab-report|Lab Report|science|en|GB
well-being-daily|Well-Being Daily|health|en|US
stadium-news|Stadium News|sports|en|US
touchline|Touchline|sports|en|GB
curtain-call|Curtain Call|entertainment|en|US
tagesblick|Tagesblick|general|de|DE
la-gazette-du-jour|La Gazette du jour|general|fr|FR
el-diario-abierto|El Diario Abierto|general|es|ES"""

_FORMS = frozenset(
    "inc corporation company co plc ltd limited sa s.a ag se nv n.v group holdings & corp platforms technologies".split()
)
_HABITS = (
    "daily walking",
    "green tea",
    "regular swimming",
    "a Mediterranean diet",
    "yoga",
    "less screen time",
)
_TOPICS = ("quantum computing", "black holes", "climate change", "machine learning", "renewable energy",
           "genetic engineering", "robotics", "nanotechnology", "blockchain", "computer vision")  # fmt: skip
_FROM = {
    "en": "reports from",
    "de": "berichtet aus",
    "fr": "vous informe depuis",
    "es": "informa desde",
}
_OWN_NAMES = {"Cologne": "Köln", "Munich": "München", "Seville": "Sevilla"}
_ARTICLES_AT_HOME = 4
# Three of four outlets write there already.
_WELL_COVERED = ("US",)
_EACH_DAY: tuple[Category, ...] = (
    "technology",
    "general",
    "business",
    "science",
    "sports",
    "health",
    "entertainment",
)


def sources() -> tuple[Source, ...]:
    """All outlets."""
    rows = (line.split("|") for line in _OUTLETS.splitlines())
    names = {row["code"]: row["name"] for row in countries()}
    return tuple(
        Source(
            id=key,
            name=name,
            description=f"{name}: {category} news from {land(names[country])}.",
            domain=f"{key}.example",
            category=category,  # type: ignore[typeddict-item]
            language=language,
            country=country,
        )
        for key, name, category, language, country in rows
    )


def known_language(code: str | None) -> str | None:
    """A code of a language as it was given; an invalid_value fault where no language has it."""
    from babel import Locale

    if code is not None and plain(code) not in Locale.parse("en").languages:
        raise invalid("language", code[:20], "want a two-letter code of a language such as en, de or fr")
    return code


def outlets_in(language: str) -> list[Source]:
    """The outlet of the largest country where a language is official, or where it is at home; none where it has none."""
    from babel.core import get_global

    likely = str(get_global("likely_subtags").get(language, "")).rpartition("_")[2]
    homes = [row for row in countries() if language in row["languages"]]
    homes = homes or [row for row in countries() if row["code"] == likely]
    if not homes or any(row["language"] == language for row in sources()):
        return []
    return [outlet_of(max(homes, key=lambda row: row["population"])["code"], language)]


def outlet_of(code: str, language: str) -> Source:
    """The outlet of a country that has none on the list; it writes in this language."""
    home = next(row for row in countries() if row["code"] == code)
    town = home["capital"] or home["name"]

    def built(chance: Random) -> Source:
        name = f"{town} {chance.choice(('Courier', 'Observer', 'Morning Post', 'Gazette'))}"
        key = f"{plain(name).replace(' ', '-')}-{language}"
        return Source(
            id=key, name=name, description=f"{name}: general news from {land(home['name'])}.", domain=f"{key}.example",
            category="general", language=language, country=code,
        )  # fmt: skip

    return derived(0, "outlet", f"{language} {code}", built)


@functools.cache
def _stories() -> Mapping[str, list[dict[str, str]]]:
    """Category or language -> headlines and descriptions with fields to fill in."""
    return group_rows(read_table("stories.tsv"), lambda row: row["category"])


@seeds.table
def articles(seed: int) -> tuple[Article, ...]:
    """Four articles a day, oldest first, two of them on technology; then those of the past 30 days about home."""
    found: list[Article] = []
    universities = list(_universities())
    for number in range((LAST_DAY - FIRST_DAY).days + 1):
        day = FIRST_DAY + timedelta(days=number)
        for category in (
            _EACH_DAY[0],
            _EACH_DAY[0],
            _EACH_DAY[1 + number % 6],
            _EACH_DAY[1 + (number + 3) % 6],
        ):
            found.append(_article(seed, len(found) + 1, day, category, universities))
    for country in dict.fromkeys(row["country"] for row in sources()):
        for theme in _EACH_DAY[2:] if country not in _WELL_COVERED else ():
            found.extend(_at_home(seed, len(found) + 1, country, theme, universities))
    return tuple(found)


def _at_home(
    seed: int, first: int, country: str, category: Category, universities: list[str]
) -> list[Article]:
    """What outlets of a country wrote about their own towns in the past 30 days."""
    outlets = [row for row in _writing_on(category) if row["country"] == country]
    english = outlets[0]["language"] == "en"
    known = _stories()[category if english else f"{outlets[0]['language']} {category}"]
    known = [row for row in known if not row["headline"].startswith("Climate")]
    towns = _towns(country)
    found: list[Article] = []
    for place in range(_ARTICLES_AT_HOME):
        chance = seeds.stream(seed, "home news", country, category, place)
        fields = _fields(chance, universities)
        fields["city"] = towns[(first + place) % len(towns)]
        fields["country"] = next(row["name"] for row in countries() if row["code"] == country)
        fields["topic"] = chance.choice([topic for topic in _TOPICS if topic != "climate change"])
        story: Mapping[str, str] = known[place % len(known)]
        story = fitting(story, fields, first + place) if english else story
        day = LAST_DAY - timedelta(days=1 + chance.randrange(7) + 7 * place)
        outlet = chance.choice(outlets)
        found.append(_written(seed, first + place, day, outlet, category, story, fields, chance))
    return found


@functools.cache
def _towns(country: str) -> list[str]:
    """Towns of a country, as its own outlets write them."""
    found = [row["name"] for row in cities() if row["country_code"] == country]
    return [_OWN_NAMES.get(name, name) for name in found]


def _article(seed: int, number: int, day: date, category: Category, universities: list[str]) -> Article:
    chance = seeds.stream(seed, "news", number)
    source = chance.choice(_writing_on(category))
    language = source["language"]
    stories = _stories()[category if language == "en" else language]
    fields = _fields(chance, universities)
    story: Mapping[str, str] = chance.choice(stories)
    fields["city"] = seeds.pick(_towns(source["country"]), seed, "home town", number)
    fields["country"] = next(row["name"] for row in countries() if row["code"] == source["country"])
    if language != "en":
        category = "general"
    else:
        story = fitting(story, fields, number)
    return _written(seed, number, day, source, category, story, fields, chance)


def _written(
    seed: int, number: int, day: date, source: Source, category: Category, story: Mapping[str, str],
    fields: dict[str, object], chance: Random,
) -> Article:  # fmt: skip
    if "{person}" in story["headline"] + story["description"]:
        fields["person"] = name_of(seed, "in the news", number)
    if story["headline"].startswith("A visit to"):
        fields["city"] = _universities()[str(fields["university"])]
    title, description = story["headline"].format(**fields), story["description"].format(**fields)
    title = title[0].upper() + title[1:]
    moment = f"{day.isoformat()}T{chance.randrange(5, 9):02d}:{chance.randrange(60):02d}:00Z"
    return Article(
        id=number,
        source_id=source["id"],
        source=source["name"],
        domain=source["domain"],
        author=_journalist(seed, source["id"], chance.randrange(6)),
        title=title,
        description=description,
        content=f"{title}. {description} {source['name']} {_FROM[source['language']]} {fields['city']}.",
        url=f"https://{source['domain']}/{day:%Y/%m/%d}/{number}",
        image=f"https://images.{source['domain']}/{number}.jpg",
        published_at=moment,
        category=category,
        language=source["language"],
        country=source["country"],
        popularity=int(10 ** (2 + 3 * chance.random())),
    )


@seeds.remembered(1024)
def _journalist(seed: int, source: str, place: int) -> str:
    return name_of(seed, "journalist", source, place)


@functools.cache
def _writing_on(category: Category) -> list[Source]:
    return [row for row in sources() if row["category"] in (category, "general")]


@functools.cache
def _technology() -> list[Company]:
    return [row for row in companies() if row["sector"] in ("Technology", "Communication Services")]


def _fields(chance: Random, universities: list[str]) -> dict[str, object]:
    company = chance.choice(companies())
    city = chance.choice(cities()[:150])
    return {
        "company": _short(company["name"]),
        "industry": company["industry"].lower(),
        "tech": _short(chance.choice(_technology())["name"]),
        "city": city["name"],
        "country": city["country"],
        "university": chance.choice(universities),
        "topic": chance.choice(_TOPICS),
        "habit": chance.choice(_HABITS),
        "n": chance.randrange(20, 900),
        "m": chance.randrange(3, 13),
    }


@functools.cache
def _universities() -> Mapping[str, str]:
    """University -> the city where it is, from which papers report on a visit to it."""
    return {row["name"]: row["city"] for row in read_table("universities.tsv")}


def _short(name: str) -> str:
    """A company as the papers call it: Apple, not Apple Inc."""
    words = [word.strip(",") for word in name.removeprefix("The ").split()]
    while len(words) > 1 and words[-1].strip(".").lower() in _FORMS:
        words.pop()
    return " ".join(words)


@seeds.table
def index(seed: int) -> Index[Article]:
    """All articles, searchable by title, description and text."""
    return Index(articles(seed), ("title", "title", "description", "content", "category"))
