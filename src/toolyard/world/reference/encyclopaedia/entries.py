"""The encyclopaedia: topics of common knowledge, and every country, city, company and university.

{"title": "Mars", "kind": "celestial", "field": "space", "qid": "Q111", "aliases": ["the Red Planet"],
 "properties": {"P31": ["planet"], "P397": ["Sun"]}, "text": "Mars is the fourth planet from the Sun, ..."}
"""

import functools
import re
from collections.abc import Iterator, Mapping

from toolyard.world.index import Index, words
from toolyard.world.index.prefixes import Completions
from toolyard.world.kernel import seeds
from toolyard.world.kernel.tables import plain, read_table, table_words
from toolyard.world.reference.companies import companies, company_activities
from toolyard.world.reference.encyclopaedia import catalogue_and_nouns as wide
from toolyard.world.reference.encyclopaedia.entry import (
    SHORT_NAMES,
    WORKS,
    Entry,
    join_names,
    known_id,
    land,
    language_relation,
    laureates,
    made_up_id,
)
from toolyard.world.reference.places.geography import (
    City,
    cities,
    countries,
    country_names,
    currencies,
    find_country,
)
from toolyard.world.reference.places.sights import famous_cities, sights_in
from toolyard.world.reference.wordnet import parts_by_use


def _population_text(count: int) -> str:
    millions = f"{count / 1e6:,.1f}".removesuffix(".0")
    return f"{millions} million people" if count >= 1_000_000 else f"{count:,} people"


# Lands with a code of their own that are no states.
_TERRITORIES = frozenset(table_words("country_entries.territories"))


def country_entries() -> Iterator[Entry]:
    """One entry for each."""
    from babel import Locale

    money = {row["code"]: row["name"] for row in currencies()}
    spoken = Locale.parse("en").languages
    for row in countries():
        if not row["population"] and not row["capital"]:  # Antarctica and empty islands are no countries
            continue
        kind = "territory" if row["code"] in _TERRITORIES else "country"
        yield Entry(
            title=row["name"],
            kind="country",
            field="geography",
            qid=row["wikidata_id"],
            aliases=[row["code"], row["code3"]],
            properties={
                "P31": [kind],
                "P30": [row["continent"]],
                **({"P36": [row["capital"]]} if row["capital"] else {}),
                "P38": [money[row["currency"]]],
                language_relation(row["code"]): [spoken.get(code, code) for code in row["languages"]],
                "P297": [row["code"]],
                "P1082": [str(row["population"])],
                "P2046": [f"{row['area_km2']} km²"],
            },
            text=f"{row['name']} is a {kind} in {row['continent']}. {_capital_text(row['capital'])}"
            f"the {money[row['currency']]}. About {_population_text(row['population'])} live on "
            f"{row['area_km2']:,} square kilometres. The calling code is {row['calling_code']}.",
        )


def _capital_text(capital: str) -> str:
    return f"Its capital is {capital}, its currency " if capital else "Its currency is "


# How alike a misspelt name must be, in per cent.
MISSPELT = 88


def _topic_entries() -> Iterator[Entry]:
    for row in read_table("encyclopedia.tsv"):
        pairs = (part.split("=", 1) for part in row["properties"].split(";") if part)
        properties = {key: value.split("|") for key, value in pairs}
        if row["kind"] == "person" and row["title"] in laureates():
            properties["P166"] = list(
                dict.fromkeys((*properties.get("P166", ()), *laureates()[row["title"]]))
            )
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


def _region_and_country(city: City) -> str:
    """Region and country of a city, each once: Seoul lies in South Korea, Singapore in Asia."""
    names = [name for name in (city["region"], land(city["country"])) if name and name != city["name"]]
    return ", ".join(names) or find_country(city["country_code"])["continent"]


def _describe_city(city: City) -> str:
    """What a city is: the capital of its country, or a city within it."""
    country = find_country(city["country_code"])
    if country["capital"] == city["name"]:
        return f"is the capital of {land(country['name'])}"
    return f"is a city in {_region_and_country(city)}"


def _city_entries(taken: set[str]) -> Iterator[Entry]:
    famous = set(famous_cities())
    for row in cities():
        title = row["name"] if row["name"] not in taken else f"{row['name']}, {row['country']}"
        if title in taken or row["name"] == row["country"]:
            continue
        taken.add(title)
        names = join_names(sight["name"] for sight in sights_in(row["id"])[:6]) if row["id"] in famous else ""
        seen = f" Visitors come for {names}." if names else ""
        yield Entry(
            title=title,
            kind="city",
            field="geography",
            qid=known_id("city", f"{row['name']}, {row['country_code']}") or made_up_id(row["id"]),
            aliases=[f"{row['name']}, {row['country_code']}", *SHORT_NAMES.get(row["name"], ())],
            properties={
                "P31": ["city"],
                "P17": [row["country"]],
                **({"P131": [row["region"]]} if row["region"] not in ("", row["name"]) else {}),
                "P1082": [str(row["population"])],
                "P421": [row["time_zone"]],
                "P625": [f"{row['latitude']},{row['longitude']}"],
            },
            text=f"{row['name']} {_describe_city(row)}, with about "
            f"{round(row['population'], -3):,} inhabitants. It lies at {row['latitude']}, {row['longitude']} in the time "
            f"zone {row['time_zone']}.{seen}",
        )


def _company_short_names(name: str) -> tuple[str, str]:
    """The first word of a company's name, with and without what stands for the web: Amazon.com is Amazon."""
    first = name.split()[0].strip(",")
    return first, first.removesuffix(".com")


def _company_entries() -> Iterator[Entry]:
    for row in companies():
        yield Entry(
            title=row["name"],
            kind="company",
            field="business",
            qid=known_id("company", row["name"]) or made_up_id(row["ticker"]),
            aliases=list(dict.fromkeys((row["ticker"], *_company_short_names(row["name"])))),
            properties={
                "P31": ["company"],
                "P17": [row["country"]],
                "P159": [str(row["city"])],
                "P452": [row["industry"]],
                "P571": [str(row["founded"])],
                "P249": [row["ticker"]],
                "P414": [row["exchange"]],
                "P1128": [str(row["employees"])],
            },
            text=f"{row['name']} ({row['ticker']}), founded in {row['founded']} and based in {row['city']}, "
            f"{row['country']}, {company_activities()[row['ticker']]}. It employs about {row['employees']:,} people "
            f"and is listed on {row['exchange']}.",
        )


def _university_entries() -> Iterator[Entry]:
    names = country_names()
    for row in read_table("universities.tsv"):
        yield Entry(
            title=row["name"],
            kind="university",
            field="education",
            qid=known_id("university", row["name"]) or made_up_id(row["name"]),
            aliases=[row["domain"], *SHORT_NAMES.get(row["name"], ())],
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
def core_entries() -> tuple[Entry, ...]:
    """All entries: topics first, then countries, cities, companies and universities."""
    return seeds.build_without_gc(_build_entries)


def _build_entries() -> tuple[Entry, ...]:
    found = [*_topic_entries(), *country_entries()]
    found += _city_entries({entry["title"] for entry in found})
    return (*found, *_company_entries(), *_university_entries())


@functools.cache
def by_name() -> Mapping[str, tuple[Entry, ...]]:
    """Entries by plain title and alias; titles come before aliases."""
    found: dict[str, list[Entry]] = {}
    for key in ("title", "aliases"):
        for entry in core_entries():
            names = [entry["title"]] if key == "title" else entry["aliases"]
            for name in names:
                found.setdefault(plain(name), []).append(entry)
    return {name: tuple(group) for name, group in found.items()}


@functools.cache
def entry_index() -> Index[Entry]:
    """The entries, found by the words of their names."""
    return seeds.build_without_gc(Index, core_entries(), ("title", "title", "aliases"), "title")


_SPACED = re.compile(r"[?!,;]+")
_ASKED = re.compile(
    r"^(?:(?:please|tell me|i want to know|do you know|who|what|where) |(?:is|are|was|were|'s|about|an?|the) )+"
)
_LONGEST_NAME, _SHORTEST_MISSPELT = 6, 5


def entries_named(name: str) -> tuple[Entry, ...]:
    """Everything that is called exactly so, case and accents aside: the entries here, then people, works and words."""
    wanted = plain(name)
    own = by_name().get(wanted, ())
    titles = {plain(entry["title"]) for entry in own}
    wider = (
        entry for entry in wide.wide_entries_named(wanted, bool(own)) if plain(entry["title"]) not in titles
    )
    place = any(entry["kind"] in ("city", "country", "university") for entry in own[:1])
    # Several words that are a title mean what it says: green tea is not tea, though tea is also called so.
    return tuple(
        sorted(
            (*own, *wider), key=lambda entry: not place and " " in wanted and plain(entry["title"]) != wanted
        )
    )


@functools.lru_cache(maxsize=2048)
def look_up_entry(name: str) -> Entry | None:
    """The entry that is called so, whatever case, accents, articles and slips of the pen; None if there is none."""
    wanted = plain(name).rstrip("?.! ")
    bare = _ASKED.sub("", wanted).strip()
    for form in dict.fromkeys((wanted, bare, f"the {bare}")):
        found = entries_named(form)
        if found:
            return found[0]
    asked = set(words(bare))
    family = (
        [name for name in wide.catalogue_names() if name.endswith(f" {bare}")]
        if bare.isalpha() and len(bare) > 3
        else []
    )
    people = {
        one["title"]: one
        for name in family[:20]
        for one in entries_named(name)[:1]
        if one["kind"] == "person"
    }
    if len(people) == 1:  # the only one of this family name
        return next(iter(people.values()))
    for entry in entry_index().search(bare, bound=1.0)[:20] if asked else ():
        if any(asked <= set(words(title)) for title in (entry["title"], *entry["aliases"])):
            return entry
    near = nearest_names(bare, 1, MISSPELT)
    return entries_named(near[0])[0] if near else None


def nearest_names(text: str, count: int = 5, bound: float = 60) -> tuple[str, ...]:
    """Plain names of entries that are written most alike; short texts, such as codes, are like nothing."""
    from rapidfuzz import fuzz, process

    wanted = plain(text)[:80]
    if len(wanted) < _SHORTEST_MISSPELT:
        return ()
    found = process.extract(wanted, _entry_names(), scorer=fuzz.ratio, limit=count, score_cutoff=bound)
    return tuple(name for name, _, _ in found)


@functools.cache
def _entry_names() -> list[str]:
    return list(dict.fromkeys((*by_name(), *wide.catalogue_names())))


def suggest_titles(text: str) -> list[str]:
    """Up to four titles that a caller may have meant: written alike, or with most words in common."""
    alike = [entries_named(name)[0]["title"] for name in nearest_names(text, 3, 75)]
    shared = [entry["title"] for entry in entry_index().search(text, bound=0.5)[:2]]
    return list(dict.fromkeys([*alike, *shared]))[:4]


@functools.cache
def _titles() -> Completions[Entry]:
    return Completions(core_entries(), "title")


def complete_title(query: str, limit: int) -> list[Entry]:
    """Entries whose title goes on from what was typed, or has a word that does; the plainest and best known first."""
    typed = plain(query)
    if not typed:
        return []
    exact = [entry for entry in entries_named(typed) if plain(entry["title"]) == typed]
    found = [*exact, *_titles().starting(typed, limit), *wide.complete_catalogue_title(typed, 6 * limit)]
    unique = list({plain(entry["title"]): entry for entry in reversed(found)}.values())[::-1]

    def fame(entry: Entry) -> tuple[bool, bool]:
        title = plain(entry["title"])
        return not title.startswith(typed), title not in by_name() and entry["qid"][0] != "Q"

    return sorted(unique, key=fame)[:limit]


@functools.lru_cache(maxsize=2048)
def mentioned_entries(query: str) -> tuple[Entry, ...]:
    """What a query names: everything called so as a whole, else the longest names in it from left to right."""
    whole = entries_named(plain(query).strip(" ?.!"))
    if whole:
        return whole
    asked = _SPACED.sub(" ", query).strip(" .").split()[:24]
    found: list[Entry] = []
    start = 0
    while start < len(asked):
        for end in range(min(len(asked), start + _LONGEST_NAME), start, -1):
            group = _names_thing(asked[start:end])
            if group:
                found += [group[0]] if group[0] not in found else []
                start = end - 1
                break
        start += 1
    # Common nouns matter only where nothing is named by a name: attractions in Paris are about Paris.
    return tuple([entry for entry in found if "P279" not in entry["properties"]] or found)


def _names_thing(span: list[str]) -> list[Entry]:
    """What some words next to each other name; small letters are no title of a work, and one word must be a noun."""
    name = plain(" ".join(span))
    if len(span) == 1 and (len(name) < 4 or not words(name) or parts_by_use(name)[:1] not in ((), ("noun",))):
        return []
    return [entry for entry in entries_named(name) if entry["kind"] not in WORKS or span[0][:1].isupper()]


def about(query: str, count: int) -> list[Entry]:
    """Entries that a query names, or that share most of it, best first."""
    unique: dict[str, Entry] = {}
    for entry in (*mentioned_entries(query), *entry_index().search(query, bound=0.6)):
        unique.setdefault(entry["title"], entry)
    return list(unique.values())[:count]


@functools.cache
def _see_also_titles() -> Mapping[str, tuple[str, ...]]:
    return {row["title"]: tuple(row["near"].split(";")) for row in read_table("see_also.tsv")}


# Relations that lead to a thing of its own: country, capital, neighbours, who made a work and what.
_LEADING = ("P17", "P27", "P36", "P50", "P57", "P170", "P175", "P800", "P166", "P69", "P397", "P159")


@functools.lru_cache(maxsize=1024)
def see_also(title: str) -> tuple[str, ...]:
    """Titles of up to five entries that an entry leads to."""
    entry = entries_named(title)[0]
    values = (value for key in _LEADING for value in entry["properties"].get(key, ()))
    linked = (entries_named(value)[0]["title"] for value in values if entries_named(value))
    found = _see_also_titles().get(entry["title"]) or dict.fromkeys(linked)
    return tuple(name for name in found if name != entry["title"])[:5]
