"""The encyclopaedia: topics of common knowledge, and every country, city, company and university.

{"title": "Mars", "kind": "celestial", "field": "space", "qid": "Q111", "aliases": ["the Red Planet"],
 "properties": {"P31": ["planet"], "P397": ["Sun"]}, "text": "Mars is the fourth planet from the Sun, ..."}
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping

from toolyard.world import seeds
from toolyard.world.prefixes import Completions
from toolyard.world.search import Index, words
from toolyard.world.shared import wide
from toolyard.world.shared.companies import companies, doings
from toolyard.world.shared.country_entries import country_entries
from toolyard.world.shared.entry import SHORT_NAMES, Entry, known_id, land, laureates, listed, made_up_id
from toolyard.world.shared.geography import (
    City,
    cities,
    countries,
    find_country,
    plain,
    read_table,
)
from toolyard.world.shared.query_words import WORKS, heads, says, written_as_title
from toolyard.world.shared.same_trade import neighbouring, rivals
from toolyard.world.shared.sights import famous_cities, sights

# How alike a misspelt name must be, in per cent.
MISSPELT = 88


def _topics() -> Iterator[Entry]:
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


def _within(city: City) -> str:
    """Region and country of a city, each once: Seoul lies in South Korea, Singapore in Asia."""
    names = [name for name in (city["region"], land(city["country"])) if name and name != city["name"]]
    return ", ".join(names) or find_country(city["country_code"])["continent"]


def _standing(city: City) -> str:
    """What a city is: the capital of its country, or a city within it."""
    country = find_country(city["country_code"])
    if country["capital"] == city["name"]:
        return f"is the capital of {land(country['name'])}"
    return f"is a city in {_within(city)}"


def _cities(taken: set[str]) -> Iterator[Entry]:
    famous = set(famous_cities())
    for row in cities():
        title = row["name"] if row["name"] not in taken else f"{row['name']}, {row['country']}"
        if title in taken or row["name"] == row["country"]:
            continue
        taken.add(title)
        names = listed(sight["name"] for sight in sights(row["id"])[:6]) if row["id"] in famous else ""
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
            text=f"{row['name']} {_standing(row)}, with about "
            f"{round(row['population'], -3):,} inhabitants. It lies at {row['latitude']}, {row['longitude']} in the time "
            f"zone {row['time_zone']}.{seen}",
        )


def _called(name: str) -> tuple[str, str]:
    """The first word of a company's name, with and without what stands for the web: Amazon.com is Amazon."""
    first = name.split()[0].strip(",")
    return first, first.removesuffix(".com")


def _companies() -> Iterator[Entry]:
    for row in companies():
        yield Entry(
            title=row["name"],
            kind="company",
            field="business",
            qid=known_id("company", row["name"]) or made_up_id(row["ticker"]),
            aliases=list(dict.fromkeys((row["ticker"], *_called(row["name"])))),
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
            f"{row['country']}, {doings()[row['ticker']]}. It employs about {row['employees']:,} people and is listed on "
            f"{row['exchange']}.",
        )


def _universities() -> Iterator[Entry]:
    names = {row["code"]: row["name"] for row in countries()}
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
def entries() -> tuple[Entry, ...]:
    """All entries: topics first, then countries, cities, companies and universities."""
    return seeds.at_once(_entries)


def _entries() -> tuple[Entry, ...]:
    found = [*_topics(), *country_entries()]
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
    return seeds.at_once(Index, entries(), ("title", "title", "title", "aliases", "aliases", "text"))


_SPACED = re.compile(r"[?!,;]+")
_ASKED = re.compile(
    r"^(?:(?:please|tell me|i want to know|do you know|who|what|where) |(?:is|are|was|were|'s|about|an?|the) )+"
)


def named(name: str) -> tuple[Entry, ...]:
    """Everything that is called exactly so, case and accents aside: the entries here, then people, works and words."""
    wanted = plain(name)
    own = by_name().get(wanted, ())
    titles = {plain(entry["title"]) for entry in own}
    wider = (entry for entry in wide.named(wanted, bool(own)) if plain(entry["title"]) not in titles)
    # A country by its full name in the dictionary is the same country.
    lands = {entry["kind"] for entry in own} & {"country"}
    found = (
        *own,
        *(
            entry
            for entry in wider
            if not (lands and wanted in map(plain, entry["aliases"]) and _is_land(entry))
        ),
    )
    if " " not in wanted or any(wanted in map(plain, names) for names in SHORT_NAMES.values()):
        return found
    # Several words that are a title mean what it says: green tea is not tea, though tea is also called so.
    return tuple(sorted(found, key=lambda entry: plain(entry["title"]) != wanted))


def _is_land(entry: Entry) -> bool:
    told = f"{entry['kind']} {entry['text']}"
    return entry["field"] == "geography" and "P279" not in entry["properties"] and bool(_LAND.search(told))


_LAND = re.compile(r"countr|republic|kingdom|nation\b")


# What people leave out of a name: Neuschwanstein is Neuschwanstein Castle.
_UNSAID = ("castle", "palace", "museum", "institution", "university", "bridge", "cathedral", "temple", "stadium", "park",
           "island", "disease", "syndrome", "gallery", "falls")  # fmt: skip


@functools.lru_cache(maxsize=2048)
def look_up(name: str) -> Entry | None:
    """The entry that is called so, whatever case, accents, articles and slips of the pen; None if there is none."""
    wanted = plain(name).rstrip("?.! ")
    bare = _ASKED.sub("", wanted).strip()
    for form in dict.fromkeys((wanted, bare, f"the {bare}")):
        found = named(form)
        if found:
            return found[0]
    for ending in _UNSAID if len(bare) > 5 else ():
        found = named(f"{bare} {ending}")
        if found:
            return found[0]
    asked = set(words(bare))
    if bare and len(asked) == 1 and len(bare) > 3:
        owners = [name for name in _names() if name.endswith(f" {bare}")][:20]
        people = [row for name in owners for row in named(name)[:1] if row["kind"] == "person"]
        if len({row["title"] for row in people}) == 1:  # the only one of this family name
            return people[0]
    if len(asked) > 1:
        for entry in index().search(bare, bound=1.0)[:20]:
            if any(asked <= set(words(title)) for title in (entry["title"], *entry["aliases"])):
                return entry
    near = nearest_names(bare, 1, MISSPELT) if len(bare) >= 5 else ()
    return named(near[0])[0] if near else None


def nearest_names(text: str, count: int = 5, bound: float = 60) -> tuple[str, ...]:
    """Plain names of entries that are written most alike."""
    from rapidfuzz import fuzz, process

    found = process.extract(plain(text)[:80], _names(), scorer=fuzz.ratio, limit=count, score_cutoff=bound)
    return tuple(name for name, _, _ in found)


@functools.cache
def _names() -> list[str]:
    return list(dict.fromkeys((*by_name(), *wide.names())))


def suggestions(text: str) -> list[str]:
    """Up to four titles that a caller may have meant: written alike, or with a word in common."""
    alike = [named(name)[0]["title"] for name in nearest_names(text, 3, 75)]
    shared = [entry["title"] for entry in index().search(text, bound=0.5)[:2]]
    return list(dict.fromkeys([*alike, *shared]))[:4]


@functools.cache
def _titles() -> Completions[Entry]:
    return Completions(entries(), "title")


def completed(query: str, limit: int) -> list[Entry]:
    """Entries whose title goes on from what was typed, or has a word that does; the plainest and best known first."""
    typed = plain(query)
    if not typed:
        return []
    found = [*_titles().starting(typed, limit), *wide.completed(typed, _LOOKED_AT)]
    exact = [entry for entry in named(typed) if plain(entry["title"]) == typed]
    unique = {plain(entry["title"]): entry for entry in reversed([*exact, *found])}
    in_order = list(unique.values())[::-1]
    return sorted(in_order, key=lambda entry: _fame(entry, typed))[:limit]


_LOOKED_AT = 60


def _fame(entry: Entry, typed: str) -> int:
    """How early a completion comes: names that the world knows, then other names, then words and what begins otherwise."""
    title = plain(entry["title"])
    if not title.startswith(typed):
        return 1 if typed in title.split() and entry["qid"].startswith("Q") else 4
    if title in by_name() or entry["qid"].startswith("Q"):
        return 0
    if title == typed:
        return 1 if _common(entry) else 2
    return 1 if entry["kind"] == "person" else 2


@functools.lru_cache(maxsize=2048)
def mentioned(query: str) -> tuple[Entry, ...]:
    """What a query names: everything called so as a whole, else the longest names in it from left to right."""
    whole = named(plain(query).strip(" ?.!"))
    if whole:
        return whole
    asked = _SPACED.sub(" ", plain(query)).strip(" .").split()[:24]
    found: list[Entry] = []
    start = 0
    while start < len(asked):
        for end in range(min(len(asked), start + 7), start, -1):
            span = asked[start:end]
            if len(span) > 1 and span[-1] in ("is", "are", "was", "were", "does", "do", "did"):
                continue  # how tall is something: no Tallis
            group = named(" ".join(span)) if len(span) > 1 or (words(span[0]) and says(span[0])) else ()
            if not written_as_title(query, span):
                group = tuple(entry for entry in group if entry["kind"] not in WORKS)
            elif start:
                group = tuple(sorted(group, key=lambda entry: "P279" in entry["properties"]))
            if group and (len(span) > 1 or len(span[0]) > 3):
                found += [entry for entry in group[:1] if entry not in found]
                start = end - 1
                break
        start += 1
    # Common nouns matter only where nothing is named by a name: attractions in Paris are about Paris.
    return tuple([entry for entry in found if not _common(entry)] or heads(found))


def _common(entry: Entry) -> bool:
    return "P279" in entry["properties"]


def about(query: str, count: int) -> list[Entry]:
    """Entries that a query names, or that share most of it, best first."""
    return list(_about(query)[:count])


@functools.lru_cache(maxsize=1024)
def _about(query: str) -> tuple[Entry, ...]:
    asked = set(words(query))

    def fits(entry: Entry) -> bool:
        title = set(words(entry["title"]))
        return bool(title) and title <= asked

    close = {entry["title"] for entry in index().search(query, bound=0.6)}
    shared = index().search(query, where=lambda entry: entry["title"] in close or fits(entry))
    known = named(query)
    exact = list(mentioned(query)) or list(known[:1])
    if known:
        exact = [*exact, *(entry for title in related(exact[0]["title"]) for entry in named(title)[:1])]
    unique: dict[str, Entry] = {}
    for entry in (*exact, *shared):
        unique.setdefault(entry["title"], entry)
    return tuple(unique.values())[:20]


# Words that a dictionary explains and that nothing proposes.
_UNFIT = re.compile(r"\b(?:slur|offensive|disparaging|derogatory|obscene|vulgar)\b")


def _is_fit(name: str) -> bool:
    return not any(_UNFIT.search(entry["text"]) for entry in named(name)[:1])


# Tickers and codes of airlines: TM is Toyota's, and no link to Turkmenistan.
_CODES = ("P229", "P230", "P249")


@functools.lru_cache(maxsize=1024)
def related(title: str) -> tuple[str, ...]:
    """Titles of the five entries nearest to an entry."""
    entry = named(title)[0]
    if entry["title"] in see_also():
        return see_also()[entry["title"]][:5]
    in_part = plain(title) not in by_name()
    # What a noun is a kind of comes from its sense: the word alone may mean something else.
    left_out = ("P31", "P279", *_CODES) if in_part else ("P31", *_CODES)
    values = [value for key, group in entry["properties"].items() if key not in left_out for value in group]
    if in_part:
        words_too = (value for value in values if not value.isdigit())
        linked = [value for value in words_too if plain(value) in by_name() or wide.is_listed(plain(value))]
        names = (*linked, *filter(_is_fit, wide.kin(entry)))
        return tuple(dict.fromkeys(name for name in names if name != entry["title"]))[:5]
    # A code such as BR means the thing itself.
    linked = [by_name()[plain(value)][0]["title"] for value in values if plain(value) in by_name()]
    near = index().search(f"{entry['title']} {entry['text'][:200]}", bound=0.15)[:40]
    close = [other["title"] for other in near if other["field"] == entry["field"]]
    if entry["kind"] == "company":
        close = rivals(entry["title"])
    elif entry["kind"] in ("country", "city"):
        close = neighbouring(entry, entries())
    return tuple(dict.fromkeys(name for name in (*linked, *close) if name != entry["title"]))[:5]


@functools.cache
def see_also() -> Mapping[str, tuple[str, ...]]:
    """What lies nearest to entries of which the statements do not tell it."""
    return {row["title"]: tuple(row["near"].split(";")) for row in read_table("see_also.tsv")}
