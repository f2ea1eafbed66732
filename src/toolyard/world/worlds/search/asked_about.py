"""Search: what people ask about a person, place, company or work, with the answers that the encyclopaedia has."""

from __future__ import annotations

import re

from toolyard.world.reference.wordnet import senses
from toolyard.world.search import words
from toolyard.world.shared.entries import about, mentioned, named, related
from toolyard.world.shared.entry import Entry
from toolyard.world.shared.entry_facts import MANY, Asked, asked_about, said
from toolyard.world.shared.found_pictures import WORKS
from toolyard.world.shared.often_asked import asked_on, subject_in
from toolyard.world.shared.pages import sentences
from toolyard.world.shared.query_words import ATTRIBUTES, says
from toolyard.world.shared.subjects import spelled
from toolyard.world.shared.web_guides import guides_on
from toolyard.world.tables import plain

_MOST = 6
# Fields of the dictionary whose nouns can be counted: animals, things made, bodies of nature, people, plants.
_COUNTED = frozenset((5, 6, 17, 18, 20))
_JOINED = re.compile(r"\b(?:of|for|in|on|with|and|to|from|about|at|by|the|an?)\b")


def neighbours(entry: Entry) -> list[Entry]:
    """Things near an entry that people ask about, too: of its kind or field, people of the same trade; no mere words."""
    if entry["text"].startswith(f"{entry['title']}: ") and "P279" not in entry["properties"]:
        return []  # of a lake of the dictionary no other lake is asked
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


_QUESTION = re.compile(r"(?:why|how|what|when|where|who|which|do|does|is|are)\b")


def _guided(query: str) -> list[Asked]:
    """Questions that guides answer, on what a query names."""
    said_here = [word for word in plain(query).split() if says(word) and not _QUESTION.match(word)]
    near = (*mentioned(query), *(one for word in said_here for one in named(word)[:1]))
    subject = next((one for one in near if set(words(one["title"])) <= set(words(query))), None)
    pages = [page for page in guides_on(query) if page["kind"] == "question"] if subject else []
    return [Asked(page["title"], page["text"], subject) for page in pages if subject][:3]


def _is_more(entry: Entry, subject: frozenset[str], asked: set[str]) -> bool:
    """Whether an entry is something else that has a subject in its name: the Tokyo Tower is not Tokyo."""
    title = set(words(entry["title"]))
    return subject < title <= asked and "P279" not in entry["properties"] and entry["kind"] != "company"


def _is_dictionary_word(entry: Entry) -> bool:
    return "P279" in entry["properties"] and entry["text"].startswith(f"{entry['title']}: ")


def _is_bare(entry: Entry) -> bool:
    """Whether an article says of a sight only where it is."""
    return entry["field"] == "travel" and f" a {entry['kind']} in " in entry["text"]


def _is_asked_for(entry: Entry, query: str) -> bool:
    """Whether a query names an entry or has a word of its title; a word of the dictionary by its own name."""
    if _is_dictionary_word(entry):
        return set(words(entry["title"])) <= set(words(query))
    return entry in mentioned(query) or not set(words(entry["title"])).isdisjoint(words(query))


def questions_on(query: str) -> list[Asked]:
    """Questions that people ask about what a query names: what it is, and facts about it."""
    often = [*_guided(query), *often_asked(query)]
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
    explained = any(set(words(_WHAT_IS.sub("", row.question))) <= set(words(query)) for row in often)
    asked = [
        _first(row) for row in found[:1] if (not often or (whole and not explained)) and not _is_bare(row)
    ]
    asked += often
    if whole or not often:
        asked += [row for entry in found[: 1 if whole else 2] for row in asked_about(entry)]
    unique: dict[str, Asked] = {}
    for row in asked:
        unique.setdefault(row.question, row)
    return list(unique.values())[:_MOST]


# What stands behind a title to tell it from others: Python (programming language).
_ASIDE = re.compile(r" \([^)]*\)(?=\?$)")


_WHAT_IS = re.compile(r"^What (?:is|are) (?:an? |the )?")


def _first(entry: Entry) -> Asked:
    question = _ASIDE.sub("", _question(entry))
    return Asked(question, " ".join(sentences(entry["text"])[:2]), entry)


# Cats have, electric vehicles are: what an article tells of many is asked of many.
_TOLD_AS_MANY = re.compile(r"[A-Z][a-z]+(?: [a-z]+)?s are ")


def _asked_of_word(word: str) -> str:
    """What is asked of a word of the dictionary."""
    sense = next(iter(senses(word)), None)
    thing = sense is not None and sense.part == "n" and not word.endswith("s")
    if word in _COUNTABLE or (thing and sense is not None and sense.field in _COUNTED):
        return f"What is {'an' if word[0] in 'aeiou' else 'a'} {word}?"
    return f"What is {word}?" if thing else f"What does {word} mean?"


def _question(entry: Entry) -> str:
    title = entry["title"]
    if entry["kind"] == "person":
        return f"Who {'was' if 'P570' in entry['properties'] else 'is'} {title}?"
    if entry["kind"] == "band" and title.startswith("The "):
        return f"Who are {title}?"
    if _TOLD_AS_MANY.match(entry["text"]) and "P279" in entry["properties"]:
        return f"What are {entry['text'].partition(' are ')[0].lower()}?"
    if entry["text"].startswith(f"{title}: ") and "P279" in entry["properties"]:  # a word of the dictionary
        return _asked_of_word(title[0].lower() + title[1:])
    start = entry["text"][: len(title) + 4]
    article = next(
        (word for word in ("A", "An", "The") if plain(start).startswith(plain(f"{word} {title}"))), ""
    )
    name = title[0].lower() + title[1:] if article in ("A", "An") else title
    if entry["kind"] in ("country", "city"):
        return f"Where is {said(entry)}?"
    proper = entry["kind"] in ("landmark", "company", "university") or "P279" not in entry["properties"]
    common = (
        title if title.isupper() or (proper and entry["properties"].get("P31")) else spelled(plain(title))
    )
    if _is_common_noun(title) and entry["kind"] not in WORKS:
        common = title.lower()
    if entry["kind"] == "organism" and not article:
        return f"What is a {title.lower()}?" if title[0] not in "AEIOU" else f"What is an {title.lower()}?"
    if title.partition(" ")[2][:1].islower():  # machine learning
        common = title[0].lower() + title[1:]
    shown = common if said(entry) == title else said(entry)
    first, _, rest = title.partition(" ")
    if rest[:1].islower() and _is_common_noun(first):
        shown = shown.replace(first, first.lower())
    verb = "are" if MANY.fullmatch(title) else "is"
    return f"What {verb} {article.lower()} {name}?" if article else f"What {verb} {shown}?"


_COUNTABLE = frozenset(("tornado", "hurricane", "recession", "earthquake", "cyclone", "typhoon", "rainbow"))


def _is_common_noun(title: str) -> bool:
    """Whether a title is one word that the dictionary writes small: inflation, pizza."""
    if not title.isalpha() or title.isupper():
        return False
    sense = next((one for one in senses(title.lower()) if one.part == "n"), None)
    return sense is not None and title.lower() in sense.words
