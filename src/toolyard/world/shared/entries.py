"""The encyclopaedia: topics of common knowledge, and every country, city, company and university.

{"title": "Mars", "kind": "celestial", "field": "space", "qid": "Q111", "aliases": ["the Red Planet"],
 "properties": {"P31": ["planet"], "P397": ["Sun"]}, "text": "Mars is the fourth planet from the Sun, ..."}
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.search import Index
from toolyard.world.shared.companies import companies
from toolyard.world.shared.geography import cities, countries, currencies, plain, read_table
from toolyard.world.shared.sights import famous_cities, sights
from toolyard.world.types import Semantic

_CITY_IDS = {
    "GB-ENG-london": "Q84", "FR-IDF-paris": "Q90", "US-NY-new-york": "Q60", "US-CA-los-angeles": "Q65",
    "US-IL-chicago": "Q1297", "US-CA-san-francisco": "Q62", "US-WA-seattle": "Q5083", "US-HI-honolulu": "Q18094",
}  # fmt: skip


EntryTitle = Annotated[str, Semantic("encyclopedia_title", is_a=("topic",))]
# What the encyclopaedia always has an answer to.
KnownThing = Annotated[str, Semantic("encyclopedia_title", accepts=("city", "country", "company"))]


class Entry(TypedDict):
    """An article of the encyclopaedia, which is also an entity with properties."""

    title: EntryTitle
    kind: str
    field: str
    qid: str
    aliases: list[str]
    properties: dict[str, list[str]]
    text: str


def made_up_id(title: str) -> str:
    """An entity number above all that are in use elsewhere, for titles whose number is not known."""
    return f"Q9{seeds.number('entity', title) % 10**8:08d}"


def _topics() -> Iterator[Entry]:
    for row in read_table("encyclopedia.tsv"):
        pairs = (part.split("=", 1) for part in row["properties"].split(";") if part)
        properties = {key: [value] for key, value in pairs}
        properties.setdefault("P31", ["human" if row["kind"] == "person" else row["kind"]])
        yield Entry(
            title=row["title"],
            kind=row["kind"],
            field=row["field"],
            qid=row["qid"] or made_up_id(row["title"]),
            aliases=[alias for alias in row["aliases"].split(";") if alias],
            properties=properties,
            text=row["text"],
        )


def _countries() -> Iterator[Entry]:
    money = {row["code"]: row["name"] for row in currencies()}
    for row in countries():
        yield Entry(
            title=row["name"],
            kind="country",
            field="geography",
            qid=row["wikidata_id"],
            aliases=[row["code"], row["code3"]],
            properties={
                "P31": ["country"],
                "P30": [row["continent"]],
                "P36": [row["capital"]],
                "P38": [money[row["currency"]]],
                "P37": row["languages"],
                "P297": [row["code"]],
                "P1082": [str(row["population"])],
                "P2046": [f"{row['area_km2']} km²"],
            },
            text=f"{row['name']} is a country in {row['continent']}. Its capital is {row['capital']}, its currency "
            f"the {money[row['currency']]}. About {row['population'] / 1e6:,.1f} million people live on "
            f"{row['area_km2']:,} square kilometres. The calling code is {row['calling_code']}.",
        )


def _cities(taken: set[str]) -> Iterator[Entry]:
    famous = set(famous_cities())
    for row in cities():
        title = row["name"] if row["name"] not in taken else f"{row['name']}, {row['country']}"
        if title in taken or row["name"] == row["country"]:
            continue
        taken.add(title)
        names = ", ".join(sight["name"] for sight in sights(0, row["id"])) if row["id"] in famous else ""
        seen = f" Visitors come for {names}." if names else ""
        yield Entry(
            title=title,
            kind="city",
            field="geography",
            qid=_CITY_IDS.get(row["id"], made_up_id(row["id"])),
            aliases=[f"{row['name']}, {row['country_code']}"],
            properties={
                "P31": ["city"],
                "P17": [row["country"]],
                "P131": [row["region"]],
                "P1082": [str(row["population"])],
                "P421": [row["time_zone"]],
                "P625": [f"{row['latitude']},{row['longitude']}"],
            },
            text=f"{row['name']} is a city in {row['region']}, {row['country']}, with about "
            f"{row['population']:,} inhabitants. It lies at {row['latitude']}, {row['longitude']} in the time "
            f"zone {row['time_zone']}.{seen}",
        )


def _companies() -> Iterator[Entry]:
    for row in companies():
        yield Entry(
            title=row["name"],
            kind="company",
            field="business",
            qid=made_up_id(row["ticker"]),
            aliases=[row["ticker"], row["name"].split()[0].strip(",")],
            properties={
                "P31": ["company"],
                "P17": [row["country"]],
                "P159": [row["city"]],
                "P452": [row["industry"]],
                "P571": [str(row["founded"])],
                "P249": [row["ticker"]],
                "P414": [row["exchange"]],
                "P1128": [str(row["employees"])],
                "P856": [row["website"]],
            },
            text=f"{row['name']} ({row['ticker']}) is a company of the {row['industry']} industry, founded in "
            f"{row['founded']} and based in {row['city']}, {row['country']}. It employs about "
            f"{row['employees']:,} people and is listed on {row['exchange']}.",
        )


def _universities() -> Iterator[Entry]:
    names = {row["code"]: row["name"] for row in countries()}
    for row in read_table("universities.tsv"):
        yield Entry(
            title=row["name"],
            kind="university",
            field="education",
            qid=made_up_id(row["name"]),
            aliases=[row["domain"]],
            properties={
                "P31": ["university"],
                "P17": [names[row["country"]]],
                "P131": [row["city"]],
                "P571": [row["founded"]],
                "P856": [row["domain"]],
            },
            text=f"{row['name']} is a university in {row['city']}, {names[row['country']]}, founded in "
            f"{row['founded']}. Its website is {row['domain']}.",
        )


@functools.cache
def entries() -> tuple[Entry, ...]:
    """All entries: topics first, then countries, cities, companies and universities."""
    found = [*_topics(), *_countries()]
    found += _cities({entry["title"] for entry in found})
    return (*found, *_companies(), *_universities())


@functools.cache
def by_name() -> Mapping[str, tuple[Entry, ...]]:
    """Entries by plain title and alias; titles come before aliases."""
    found: dict[str, list[Entry]] = {}
    for key in ("title", "aliases"):
        for entry in entries():
            names = [entry["title"]] if key == "title" else entry["aliases"]
            for name in names:
                found.setdefault(plain(name), []).append(entry)
    return {name: tuple(group) for name, group in found.items()}


@functools.cache
def index() -> Index[Entry]:
    """The searchable encyclopaedia; title and aliases weigh more than the text."""
    return Index(entries(), ("title", "title", "title", "aliases", "aliases", "text"))


def look_up(name: str) -> Entry | None:
    """The entry that is called so, else the best one for these words; None if no word is known."""
    group = by_name().get(plain(name))
    return group[0] if group else next(iter(index().search(name)), None)


@functools.lru_cache(maxsize=1024)
def related(title: str) -> tuple[str, ...]:
    """Titles of the five entries nearest to an entry."""
    entry = by_name()[plain(title)][0]
    linked = [
        value for values in entry["properties"].values() for value in values if plain(value) in by_name()
    ]
    near = index().search(f"{entry['title']} {entry['text'][:200]}")[:40]
    close = [other["title"] for other in near if other["field"] == entry["field"]]
    same = [other["title"] for other in entries() if other["field"] == entry["field"]][:8]
    other_fields = [other["title"] for other in near]
    names = (*linked, *close, *same, *other_fields)
    return tuple(dict.fromkeys(name for name in names if name != entry["title"]))[:5]
