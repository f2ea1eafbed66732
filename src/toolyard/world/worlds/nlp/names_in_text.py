"""Names in a text: companies, towns, countries, persons and others, told by capitals and by what is known of them."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from toolyard.world.reference.packed import packed
from toolyard.world.reference.wordnet import senses
from toolyard.world.search import words as search_words
from toolyard.world.shared.companies import companies
from toolyard.world.shared.geography import cities, countries
from toolyard.world.shared.listed import directory
from toolyard.world.tables import plain
from toolyard.world.worlds.nlp import prose
from toolyard.world.worlds.nlp.grammar import is_name

_SUFFIX = re.compile(r",? (?:Inc|Corp|Corporation|Company|Co|Ltd|plc|PLC|AG|SE|SA|Group|Holdings)\.?$")
_LETTERS = re.compile(r"[^\W_]+")
# Clubs and papers that are called after a city, and titles before the name of a person.
_CLUB = re.compile(
    r"\b[A-Z]\w+(?: [A-Z]\w+)? (?:United|Rovers|Wanderers|Albion|Hotspur|Villa|Times|Post|Herald|Tribune|Lakers|Knicks|"
    r"Bulls|Warriors|Yankees|Dodgers|Airlines|Airways|Philharmonic|Declaration|Agreement|Accord)\b"
)
_TITLES = frozenset(
    "CEO CFO CTO COO Chairman Chairwoman President Chancellor Minister Secretary Senator Governor Mayor Judge Coach Captain "
    "General Professor Doctor Dr Mr Mrs Ms Sir Dame Lord Lady Pope King Queen Prince Princess Justice".split()
)
_PROPER = re.compile(
    r"\b[A-Z][\w'’-]*(?: (?:(?:van der|van de|van|von|ten|ter|der|den|du|dos|de la|de|del|da|di|la|le|el|al|bin|of the|"
    r"of) )?[A-Z][\w'’-]*)*"
)


def _spaced(text: str) -> str:
    return " " + " ".join(_LETTERS.findall(text)) + " "


def named(txt: str, names: list[str]) -> list[str]:
    """The names that a text holds as whole words, in order of appearance."""
    padded = _spaced(_CLUB.sub(" ", txt))
    found = [(padded.find(_spaced(name)), name) for name in names if len(name) > 2]
    return [name for place, name in sorted(found) if place >= 0]


@functools.cache
def known_names() -> Mapping[str, list[str]]:
    return {
        "cities": [row["name"] for row in cities()],
        "countries": [row["name"] for row in countries()],
        "companies": [row["name"] for row in companies()]
        + [_SUFFIX.sub("", row["name"]) for row in companies()],
    }


# Companies that carry the name of a person or a word, or are in no list of shares.
_FIRMS = frozenset(
    ("goldman sachs", "morgan stanley", "wells fargo", "jpmorgan chase", "ernst young", "merrill lynch", "general motors",
     "general electric", "ford", "toyota", "honda", "nissan", "bmw", "volkswagen", "samsung", "sony", "nintendo", "huawei",
     "tiktok", "bytedance", "spacex", "openai", "ikea", "lego", "boeing", "airbus", "intel", "netflix", "nvidia", "meta",
     "google", "youtube", "facebook", "instagram", "whatsapp", "bosch", "siemens", "deloitte", "accenture", "reuters")
)  # fmt: skip


def is_firm(name: str) -> bool:
    """Whether a name is that of a listed company, with or without its legal form."""
    key = plain(_SUFFIX.sub("", name))
    if packed("first_names").under(key.partition(" ")[0]) and " " in key and key.count(" ") == 1:
        return key in _FIRMS  # mostly a person
    return key in _FIRMS or (len(key) > 3 and directory().called(key) is not None and not senses(key))


def is_town(name: str, txt: str) -> bool:
    """Whether a name is that of a town: one that a preposition of place stands before."""
    rows = packed("cities").under(plain(name))
    return bool(rows) and re.search(rf"\b(?:in|at|near|from|to) {re.escape(name)}\b", txt) is not None


def stands_alone(city: str, others: list[str], txt: str) -> bool:
    """Whether a text names a city itself, not only something called after it, as Inter Miami."""
    longer = [name for name in others if name != city and city in name.split(" ")]
    return txt.count(city) > sum(txt.count(name) for name in dict.fromkeys(longer))


def longest(names: list[str]) -> list[str]:
    """Names once each, without those that are the beginning of another."""
    found = list(dict.fromkeys(names))
    return [name for name in found if not any(other != name and other.startswith(name) for other in found)]


def proper_names(txt: str) -> list[str]:
    """Names of one or more words with capitals; a first word alone is one where no dictionary has it in small letters."""
    found = []
    for sentence in prose.sentences(txt):
        for match in _PROPER.finditer(sentence):
            for number, part in enumerate(re.split(r"['’]s(?: |$)", match[0])):
                words = _name_in(part, match.start() == 0 and not number)
                if words and (len(words) > 1 or len(words[0]) > 2):
                    found.append(" ".join(words))
    return found


def _name_in(part: str, first: bool) -> list[str]:
    """The words of a name, without a title and without the first word of a sentence that is only that."""
    words = part.split()
    # "Tesla CEO Elon Musk" is a person after a firm and an office.
    office = max((number for number, word in enumerate(words[:-1]) if word in _TITLES), default=-1)
    words = words[office + 1 :]
    words = words if words and search_words(words[0]) else words[1:]
    if not words or not first:
        return words
    opening = words[0].lower()
    if senses(opening) and not packed("first_names").under(opening) and not is_name(opening):
        return words[1:]
    return [] if len(words) == 1 and len(words[0]) < 4 else words
