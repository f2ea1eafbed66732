"""Search: what people ask about a person, place, company or work, with the answers that the encyclopaedia has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from toolyard.world.reference.wordnet import senses
from toolyard.world.search import words
from toolyard.world.shared.entries import about, mentioned, named, related
from toolyard.world.shared.entry import Entry, listed
from toolyard.world.shared.often_asked import asked_on, subject_in
from toolyard.world.shared.pages import sentences
from toolyard.world.shared.query_words import ATTRIBUTES, says
from toolyard.world.tables import plain

# Relation -> question and answer; {name} is the thing, {value} what the encyclopaedia says of it.
_OF_PEOPLE: Mapping[str, tuple[str, str]] = {
    "P569": ("When was {name} born?", "{name} was born {when}."),
    "P19": ("Where was {name} born?", "{name} was born in {value}."),
    "P570": ("When did {name} die?", "{name} died {when}."),
    "P106": ("What is {name} known as?", "{name} is known as {a} {value}."),
    "P27": ("What country is {name} from?", "{name} is from {value}."),
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
    "P17": ("What country is {name} in?", "{name} is in {value}."),
    "P1082": ("How many people live in {name}?", "About {number} people live in {name}."),
    "P421": ("What time zone is {name} in?", "{name} is in the time zone {value}."),
}
_OF_COMPANIES: Mapping[str, tuple[str, str]] = {
    "P159": ("Where is {name} based?", "{name} is based in {value}."),
    "P571": ("When was {name} founded?", "{name} was founded in {value}."),
    "P1128": ("How many people work at {name}?", "About {number} people work at {name}."),
    "P249": ("What is the stock symbol of {name}?", "The shares of {name} trade under the symbol {value}."),
    "P452": ("What does {name} do?", "{name} is in the industry {value}."),
}
_OF_UNIVERSITIES: Mapping[str, tuple[str, str]] = {
    "P131": ("Where is {name}?", "{name} is in {value}."),
    "P571": ("When was {name} founded?", "{name} was founded in {value}."),
}
_OF_WORKS: Mapping[str, tuple[str, str]] = {
    "P57": ("Who directed {name}?", "{name} was directed by {value}."),
    "P50": ("Who wrote {name}?", "{name} was written by {value}."),
    "P175": ("Who performs {name}?", "{name} is performed by {value}."),
    "P161": ("Who plays in {name}?", "{value} plays in {name}."),
    "P577": ("When did {name} come out?", "{name} came out in {year}."),
}
_OF_PLACES: Mapping[str, tuple[str, str]] = {
    "P17": ("What country is {name} in?", "{name} is in {value}."),
    "P131": ("Where is {name}?", "{name} is in {value}."),
    "P2044": ("How high is {name}?", "{name} is {value} high."),
    "P2048": ("How tall is {name}?", "{name} is {value} tall."),
    "P2043": ("How long is {name}?", "{name} is {value} long."),
}
_BY_KIND: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "person": _OF_PEOPLE, "country": _OF_COUNTRIES, "city": _OF_CITIES, "company": _OF_COMPANIES,
    "university": _OF_UNIVERSITIES, "film": _OF_WORKS, "book": _OF_WORKS, "song": _OF_WORKS, "album": _OF_WORKS,
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

_MOST = 6
# Fields of the dictionary whose nouns can be counted: animals, things made, bodies of nature, people, plants.
_COUNTED = frozenset((5, 6, 17, 18, 20))
_WITH_ARTICLE = (
    "United ",
    "Netherlands",
    "Philippines",
    "Bahamas",
    "Maldives",
    "Czech Republic",
    "Dominican Republic",
)
_JOINED = re.compile(r"\b(?:of|for|in|on|with|and|to|from|about|at|by|the|an?)\b")


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
        if values and not (relation in ("P131", "P159") and plain(values[0]) == plain(entry["title"])):
            fields = _fields(_said(entry), values)
            if relation in _SEVERAL and len(values) > 1:
                fields["value"] = listed(map(_with_article, values))
                answer = _SEVERAL[relation] or answer
            told = answer.format(**fields).replace("..", ".").replace("the the ", "the ")
            yield Asked(question.format(**fields), told[0].upper() + told[1:], entry)


def _with_article(value: str) -> str:
    return f"the {value}" if value.startswith(_WITH_ARTICLE) else value


def _said(entry: Entry) -> str:
    """The name of an entry inside a sentence."""
    return _with_article(entry["title"]) if entry["kind"] == "country" else entry["title"]


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
    article = "an" if first[:1].lower() in "aeiou" else "a"
    return {
        "name": name, "value": first, "number": number, "a": article, "when": _day(first), "year": first[:4],
    }  # fmt: skip


def _day(text: str) -> str:
    """A day as people say it: on 5 May 1818, or in 1818."""
    year, *rest = text.split("-")
    if len(rest) != 2 or not all(part.isdigit() for part in rest):
        return f"in {text}"
    return f"on {int(rest[1])} {_MONTHS[int(rest[0]) - 1]} {year}"


def neighbours(entry: Entry) -> list[Entry]:
    """Things near an entry that people ask about, too: of its kind or field, people of the same trade; no mere words."""
    near = [found for title in related(entry["title"]) for found in named(title)[:1]]
    return [other for other in near if other["title"] != entry["title"] and _is_near(entry, other)]


def _is_near(entry: Entry, other: Entry) -> bool:
    if "P279" in other["properties"] or other["kind"] in ("country", "city"):
        return False
    if "P279" in entry["properties"]:
        return True
    if entry["kind"] == "person":
        return entry["properties"].get("P106", [])[:1] == other["properties"].get("P106", [])[:1]
    return other["kind"] == entry["kind"] or other["field"] == entry["field"]


def _is_mere_word(entry: Entry, query: str) -> bool:
    """Whether an entry explains one word of a compound, where it means something else: a fryer alone is a chicken."""
    title = set(words(entry["title"]))
    if "P279" not in entry["properties"] or len(title) > 1:
        return False
    parts = _JOINED.split(plain(query))
    compounds = ({term for word in part.split() if says(word) for term in words(word)} for part in parts)
    return any(title < compound and not compound <= ATTRIBUTES | title for compound in compounds)


def often_asked(query: str) -> list[Asked]:
    """Questions of many people on the longest subject that a query has all words of."""
    asked, subject = set(words(query)), subject_in(query)
    if subject is None or any(_is_more(entry, subject, asked) for entry in mentioned(query)):
        return []
    rows = ((row, named(row.entry)) for row in asked_on(query))
    return [Asked(row.question, row.answer, group[0]) for row, group in rows if group]


def _is_more(entry: Entry, subject: frozenset[str], asked: set[str]) -> bool:
    """Whether an entry is something else that has a subject in its name: the Tokyo Tower is not Tokyo."""
    title = set(words(entry["title"]))
    return subject < title <= asked and "P279" not in entry["properties"] and entry["kind"] != "company"


def _is_dictionary_word(entry: Entry) -> bool:
    return "P279" in entry["properties"] and entry["text"].startswith(f"{entry['title']}: ")


def _is_asked_for(entry: Entry, query: str) -> bool:
    """Whether a query names an entry or has a word of its title."""
    return entry in mentioned(query) or not set(words(entry["title"])).isdisjoint(words(query))


def questions_on(query: str) -> list[Asked]:
    """Questions that people ask about what a query names: what it is, facts about it, and what lies near it."""
    often = often_asked(query)
    found = about(query, 5)
    whole = named(plain(query).strip(" ?.!"))
    if not whole and len(plain(query).split()) > 1:
        found = [entry for entry in found if not _is_mere_word(entry, query)]
    if whole and _is_dictionary_word(whole[0]):
        found = [whole[0]][: 0 if often else 1]
    elif not whole:
        named_here = [row for row in found if _is_asked_for(row, query)]
        things = [row for row in named_here if not _is_dictionary_word(row)]
        found = things if things or often else named_here
    asked = [_first(entry) for entry in found[:1] if not often or whole]
    asked += often
    if whole or not often:
        asked += [row for entry in found[: 1 if whole else 2] for row in asked_about(entry)]
    if not often:
        asked += map(_first, neighbours(found[0]) if whole and found else found[1:])
    unique: dict[str, Asked] = {}
    for row in asked:
        unique.setdefault(row.question, row)
    return list(unique.values())[:_MOST]


def _first(entry: Entry) -> Asked:
    return Asked(_question(entry), " ".join(sentences(entry["text"])[:2]), entry)


def _question(entry: Entry) -> str:
    title = entry["title"]
    if entry["kind"] == "person":
        return f"Who {'was' if 'P570' in entry['properties'] else 'is'} {title}?"
    if entry["text"].startswith(f"{title}: ") and "P279" in entry["properties"]:  # a word of the dictionary
        word = title[0].lower() + title[1:]
        sense = next(iter(senses(word)), None)
        counted = (
            sense is not None and sense.part == "n" and sense.field in _COUNTED and not word.endswith("s")
        )
        return (
            f"What is {'an' if word[0] in 'aeiou' else 'a'} {word}?" if counted else f"What does {word} mean?"
        )
    start = entry["text"][: len(title) + 4]
    article = next(
        (word for word in ("A", "An", "The") if plain(start).startswith(plain(f"{word} {title}"))), ""
    )
    name = title[0].lower() + title[1:] if article in ("A", "An") else title
    return f"What is {article.lower()} {name}?" if article else f"What is {_said(entry)}?"
