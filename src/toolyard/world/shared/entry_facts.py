"""What people ask about a person, place, company or work, with the answers that its statements give."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from toolyard.world.shared.entry import Entry, listed
from toolyard.world.tables import plain

# Relation -> question and answer; {name} is the thing, {value} what the encyclopaedia says of it.
_OF_PEOPLE: Mapping[str, tuple[str, str]] = {
    "P569": ("When was {name} born?", "{name} was born {when}."),
    "P19": ("Where was {name} born?", "{name} was born in {value}."),
    "P570": ("When did {name} die?", "{name} died {when}."),
    "P166": ("Which prizes did {name} receive?", "{name} received the {value}."),
}
_OF_COUNTRIES: Mapping[str, tuple[str, str]] = {
    "P36": ("What is the capital of {name}?", "The capital of {name} is {value}."),
    "P1082": ("How many people live in {name}?", "About {number} people live in {name}."),
    "P38": ("What currency does {name} use?", "The currency of {name} is the {value}."),
    "P37": ("What language is spoken in {name}?", "{value} is spoken in {name}."),
    "P2936": ("What language is spoken in {name}?", "{value} is spoken in {name}."),
    "P2046": ("How large is {name}?", "{name} covers {number}."),
}
_OF_CITIES: Mapping[str, tuple[str, str]] = {
    "P1082": ("How many people live in {name}?", "About {number} people live in {name}."),
}
_OF_COMPANIES: Mapping[str, tuple[str, str]] = {
    "P159": ("Where is {name} based?", "{name} is based in {value}."),
    "P571": ("When was {name} founded?", "{name} was founded {when}."),
    "P1128": ("How many people work at {name}?", "About {number} people work at {name}."),
    "P249": ("What is the stock symbol of {name}?", "The shares of {name} trade under the symbol {value}."),
}
_OF_UNIVERSITIES: Mapping[str, tuple[str, str]] = {
    "P131": ("Where is {name}?", "{name} is in {value}."),
    "P571": ("When was {name} founded?", "{name} was founded {when}."),
}
_OF_WORKS: Mapping[str, tuple[str, str]] = {
    "P57": ("Who directed {name}?", "{name} was directed by {value}."),
    "P50": ("Who wrote {name}?", "{name} was written by {value}."),
    "P175": ("Who performs {name}?", "{name} is performed by {value}."),
    "P577": ("When did {name} come out?", "{name} came out in {year}."),
}
_OF_PLACES: Mapping[str, tuple[str, str]] = {
    "P17": ("Where {is} {name}?", "{name} {is} in {place}."),
    "P2044": ("How high {is} {name}?", "{name} {is} {value} high."),
    "P2048": ("How tall {is} {name}?", "{name} {is} {value} tall."),
    "P2043": ("How long {is} {name}?", "{name} {is} {value} long."),
}
_OF_BANDS: Mapping[str, tuple[str, str]] = {
    "P17": ("What country is {name} from?", "{name} is from {value}."),
    "P571": ("When was {name} formed?", "{name} was formed {when}."),
}
_OF_EVENTS: Mapping[str, tuple[str, str]] = {
    "P571": ("When did {name} begin?", "{name} began {when}."),
    "P577": ("When was {name}?", "{name} was {when}."),
}
_OF_CONTESTS: Mapping[str, tuple[str, str]] = {
    "P571": ("When was {name} first held?", "{name} was first held {when}.")
}
_OF_GAMES: Mapping[str, tuple[str, str]] = {
    "P571": ("When did {name} come out?", "{name} came out {when}."),
    "P577": ("When did {name} come out?", "{name} came out {when}."),
}
_OF_SERVICES: Mapping[str, tuple[str, str]] = {
    "P571": ("When was {name} founded?", "{name} was founded {when}."),
    "P159": ("Where is {name} based?", "{name} is based in {value}."),
}
_BY_KIND: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "person": _OF_PEOPLE, "country": _OF_COUNTRIES, "city": _OF_CITIES, "company": _OF_COMPANIES,
    "university": _OF_UNIVERSITIES, "film": _OF_WORKS, "book": _OF_WORKS, "song": _OF_WORKS, "album": _OF_WORKS,
    "event": _OF_EVENTS, "holiday": {}, "day": {}, "sports event": _OF_CONTESTS, "video game": _OF_GAMES,
    "social network": _OF_SERVICES, "messaging app": _OF_SERVICES, "video platform": _OF_SERVICES,
    "encyclopaedia": _OF_SERVICES, "organisation": _OF_SERVICES, "sports league": _OF_SERVICES,
    "series of novels": _OF_WORKS, "film series": _OF_WORKS, "food": {}, "music genre": {},
    "band": _OF_BANDS, "club": _OF_BANDS, "team": _OF_BANDS,
}  # fmt: skip
# Relations of which all values are told, with the answer for several where it is another.
_SEVERAL: Mapping[str, str] = {
    "P37": "{value} are spoken in {name}.",
    "P2936": "{value} are spoken in {name}.",
    "P17": "",
    "P57": "",
    "P50": "",
}
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")  # fmt: skip
_WITH_ARTICLE = (
    "United ",
    "Netherlands",
    "Philippines",
    "Bahamas",
    "Maldives",
    "Czech Republic",
    "Dominican Republic",
)
# Things whose name takes the article: the Eiffel Tower, the Statue of Liberty, the Suez Canal.
_NAMED_WITH = re.compile(
    r"(?!The |Mount |Tower Bridge|London Bridge)(?:.+ (?:Tower|Wall|Canal|Museum|Gallery|River|Ocean|Desert|Opera House|"
    r"Bridge|Sea|Pyramids?|Mountains|Islands|Falls|Reef|Empire|Revolution|War)|(?:Great Wall|Statue|Leaning Tower|Tower|"
    r"Palace|Arc|Battle|Treaty|Pyramids|Temple|Church|Cathedral) (?:of|de) .+|(?:Valley|Gardens?|Tomb|Gates?|Dome) of .+|"
    r".+ (?:rainforest|Games|landing|market|System)|"
    r"Speed of light|Nile|Titanic|Amazon|Thames|Danube|Rhine|Ganges|Yangtze|Volga|Mississippi|Alps|Andes|Himalayas)"
)


# Names of more than one thing.
MANY = re.compile(
    r"(?:Pyramids|Gardens|Ruins|Caves|Stairs|Steps|Houses|Temples) (?:of|at) .+|.+ (?:Falls|Islands|Mountains|Towers|"
    r"Gardens|Games|Caves|lights|Lakes|Studios|Pyramids|Cliffs|Baths)|Alps|Andes|Himalayas|Maldives|Galápagos|Dolomites"
)


class Asked(NamedTuple):
    """A question about an entry and its answer."""

    question: str
    answer: str
    entry: Entry


def asked_about(entry: Entry) -> Iterator[Asked]:
    """Questions on facts that the encyclopaedia has about a thing."""
    forms = _BY_KIND.get(entry["kind"], _OF_PLACES)
    for relation, (question, answer) in forms.items():
        values = [value for value in entry["properties"].get(relation, ()) if value]
        if values and not (relation in ("P131", "P159", "P17") and plain(values[0]) in plain(entry["title"])):
            fields = _fields(said(entry), values)
            fields["is"] = "are" if MANY.fullmatch(entry["title"]) else "is"
            if relation in _SEVERAL and len(values) > 1:
                fields["value"] = listed(map(_with_article, values))
                answer = _SEVERAL[relation] or answer
            within = entry["properties"].get("P131", [""])[0]
            fields["place"] = (
                f"{within}, {fields['value']}" if within and len(values) == 1 else fields["value"]
            )
            if entry["kind"] == "band" and entry["title"].startswith("The "):
                question, answer = (
                    form.replace(" is ", " are ").replace(" was ", " were ") for form in (question, answer)
                )
            told = answer.format(**fields).replace("..", ".").replace("the the ", "the ")
            yield Asked(question.format(**fields), told[0].upper() + told[1:], entry)


def _with_article(value: str) -> str:
    return f"the {value}" if value.startswith(_WITH_ARTICLE) else value


def said(entry: Entry) -> str:
    """The name of an entry inside a sentence."""
    title = entry["title"]
    if entry["kind"] == "country":
        return _with_article(title)
    thing = entry["kind"] not in ("person", "city", "company", "university", "film", "book", "song", "album")
    takes_article = _NAMED_WITH.fullmatch(title) or entry["text"].startswith(f"The {title} ")
    return f"the {title}" if thing and takes_article else title


def _rounded(number: int) -> str:
    """A count as people say it: estimates of millions differ in their third figure."""
    if number < 1_000_000:
        return f"{number:,}"
    return (
        f"{number / 1e6:.2g} million" if number < 100_000_000 else f"{round(number, -7) // 10**6:,} million"
    )


def _fields(name: str, values: list[str]) -> dict[str, str]:
    first = _with_article(values[0])
    count, _, unit = first.partition(" ")
    number = first
    if count.isdigit():
        number = f"{int(count):,} {unit}" if unit else _rounded(int(count))
    return {
        "name": name, "value": first, "number": number, "when": _day(first), "year": first[:4],
    }  # fmt: skip


def _day(text: str) -> str:
    """A day as people say it: on 5 May 1818, or in 1818."""
    if text.startswith("-"):  # a year before Christ
        before, _, day = text[1:].partition("-")
        return f"{_day(f'{int(before)}-{day}'.strip('-'))} BC"
    year, *rest = text.split("-")
    if len(rest) != 2 or not all(part.isdigit() for part in rest):
        return f"in {text}"
    return f"on {int(rest[1])} {_MONTHS[int(rest[0]) - 1]} {year}"
