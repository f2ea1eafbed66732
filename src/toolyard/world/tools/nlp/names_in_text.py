"""Names in a text: companies, towns, countries, persons and others, told by capitals and by what is known of them."""

import functools
import re
from collections.abc import Mapping

from toolyard.world.index import words as search_words
from toolyard.world.kernel.tables import plain, table_texts, table_words
from toolyard.world.reference.companies import companies
from toolyard.world.reference.listed_companies import directory
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.geography import cities, countries
from toolyard.world.reference.wordnet import senses
from toolyard.world.tools.nlp import prose
from toolyard.world.tools.nlp.concepts_times_money import find_times
from toolyard.world.tools.nlp.grammar import is_name

_SUFFIX = re.compile(r",? (?:& )?(?:Inc|Corp|Corporation|Company|Co|Ltd|plc|PLC|AG|SE|SA|Group|Holdings)\.?$")
_LETTERS = re.compile(r"[^\W_]+")
# Clubs and papers that are called after a city, and titles before the name of a person.
_CLUB = re.compile(
    r"\b[A-Z]\w+(?: [A-Z]\w+)? (?:United|Rovers|Wanderers|Albion|Hotspur|Villa|Times|Post|Herald|Tribune|Lakers|Knicks|"
    r"Bulls|Warriors|Yankees|Dodgers|Airlines|Airways|Philharmonic|Declaration|Agreement|Accord)\b"
)
_TITLES = frozenset(table_words("names_in_text.titles"))
_PROPER = re.compile(
    r"\b[A-Z][\w'’-]*(?: (?:(?:van der|van de|van|von|ten|ter|der|den|du|dos|de la|de|del|da|di|la|le|el|al|bin|of the|"
    r"of) )?[A-Z][\w'’-]*)*"
    # Apollo 11, but no year, score or sum.
    r"(?: (?!1[5-9]\d\d\b|20\d\d\b)\d{1,4}(?![\w.,:%-]|(?: (?:million|billion|people|years|per|to)\b)))?"
)


def _space_words(text: str) -> str:
    return " " + " ".join(_LETTERS.findall(text)) + " "


def find_names(txt: str, names: list[str]) -> list[str]:
    """The names that a text holds as whole words, in order of appearance."""
    padded = _space_words(_CLUB.sub(" ", txt))
    found = [(padded.find(_space_words(name)), name) for name in names if len(name) > 2]
    return [name for place, name in sorted(found) if place >= 0]


# Names of firms that begin a sentence like any word, or that no list of shares spells so.
_BRANDS = table_words("names_in_text.brands")
# How countries are written short or by a part of them.
_COUNTRIES = table_texts("names_in_text.countries")


@functools.cache
def known_names() -> Mapping[str, list[str]]:
    return {
        "cities": [row["name"] for row in cities()],
        "countries": [row["name"] for row in countries()],
        "companies": [row["name"] for row in companies()]
        + [_SUFFIX.sub("", row["name"]) for row in companies()],
    }


def find_brands(txt: str) -> list[str]:
    """The firms of a text that are known by a name of their own."""
    return [name for name in _BRANDS if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", txt)]


def short_countries(txt: str) -> Mapping[str, str]:
    """The countries that a text names in a short way: as written -> in full."""
    return {
        short: full
        for short, full in _COUNTRIES.items()
        if re.search(rf"(?<![\w.-]){re.escape(short)}(?![\w-])", txt)
        and not re.search(rf"\b(?:South|North|Latin|Central|New) {re.escape(short)}\b", txt)
    }


# Companies that carry the name of a person or a word, or are in no list of shares.
_FIRMS = frozenset(table_words("names_in_text.firms"))


def is_firm(name: str) -> bool:
    """Whether a name is that of a listed company, with or without its legal form."""
    key = plain(_SUFFIX.sub("", name))
    if packed_table("first_names").with_key(key.partition(" ")[0]) and " " in key and key.count(" ") == 1:
        return key in _FIRMS  # mostly a person
    return key in _FIRMS or (
        not name.isupper() and len(key) > 3 and directory().index_by_name(key) is not None and not senses(key)
    )


def is_town(name: str, txt: str) -> bool:
    """Whether a name is that of a town: one that a preposition of place stands before, and no state or province."""
    if _is_region(name):
        return False
    rows = packed_table("cities").with_key(plain(name))
    return bool(rows) and re.search(rf"\b(?:in|at|near|from|to) {re.escape(name)}\b", txt) is not None


def _is_region(name: str) -> bool:
    """Whether a name is first of all that of a state, province or another large part of the earth."""
    first = [sense.definition for sense in senses(plain(name)) if sense.part == "n"][:1]
    return any(
        re.match(
            r"(?:an? |the )?[\w ,-]*\b(?:state|province|territory|region|peninsula|island|continent|country)\b",
            text,
        )
        for text in first
    )


def stands_alone(city: str, others: list[str], txt: str) -> bool:
    """Whether a text names a city itself, not only something called after it, as Inter Miami."""
    longer = [name for name in others if name != city and city in name.split(" ")]
    return txt.count(city) > sum(txt.count(name) for name in dict.fromkeys(longer))


def longest_names(names: list[str]) -> list[str]:
    """Names once each, without those that are the beginning of another."""
    found = list(dict.fromkeys(names))
    return [name for name in found if not any(other != name and other.startswith(name) for other in found)]


def proper_names(txt: str) -> list[str]:
    """Names of one or more words with capitals; a first word alone is one where no dictionary has it in small letters."""
    found = []
    for sentence in prose.split_sentences(txt):
        for match in _PROPER.finditer(sentence):
            for number, part in enumerate(re.split(r"['’]s(?: |$)", match[0])):
                words = _trim_name(part, match.start() == 0 and not number)
                if words and (len(words) > 1 or len(words[0]) > 2):
                    found.append(" ".join(words))
    return found


_OPENERS = frozenset(table_words("names_in_text.openers"))


def _opens_name(words: list[str]) -> bool:
    """Whether the first word of a sentence belongs to the name of several words that follows: Mount Everest."""
    if len(words) < 2:
        return False
    return words[0] in _OPENERS or any(
        name.replace("-", " ") == " ".join(words) for sense in senses(" ".join(words)) for name in sense.words
    )


def _trim_name(part: str, first: bool) -> list[str]:
    """The words of a name, without a title and without the first word of a sentence that is only that."""
    words = part.split()
    # "Tesla CEO Elon Musk" is a person after a firm and an office.
    office = max((number for number, word in enumerate(words[:-1]) if word in _TITLES), default=-1)
    words = words[office + 1 :]
    if words and not search_words(words[0]):
        words, first = words[1:], False  # The Hague
    while words and words[0].islower():  # President of the United States
        words = words[1:]
    if not words or not first or _opens_name(words):
        return words
    opening = words[0].lower()
    if senses(opening) and not packed_table("first_names").with_key(opening) and not is_name(opening):
        return words[1:]
    return [] if len(words) == 1 and len(words[0]) < 4 else words


def _is_landscape(name: str, txt: str) -> bool:
    """Whether a name stands only for a river or forest: the Amazon rainforest is no company."""
    places = [txt[match.end() :] for match in re.finditer(rf"\b{re.escape(name)}(?!\w)", txt)]
    return bool(places) and all(_LANDSCAPE.match(rest) for rest in places)


_LANDSCAPE = re.compile(r" (?:[Rr]iver|[Rr]ain ?forest|[Bb]asin|[Ff]orest|[Jj]ungle|[Dd]elta)\b")


def names_by_kind(txt: str) -> dict[str, list[str]]:
    """The cities, countries, companies and other names of a text, each in order of appearance."""
    names = {kind: find_names(txt, known) for kind, known in known_names().items()}
    names["companies"] = [name for name in names["companies"] if not _is_landscape(name, txt)]
    short, own = short_countries(txt), [name for name in find_brands(txt) if not _is_landscape(name, txt)]
    places = {name: txt.find(name) for name in names["countries"]}
    places = {full: txt.find(name) for name, full in short.items()} | places
    names["countries"] = sorted(places, key=lambda name: places[name])
    taken = {part for group in (*names.values(), short, own) for name in group for part in name.split()}
    timed = {part for when in find_times(txt) for part in when.split()}
    others = [name for name in proper_names(txt) if not set(name.split()) <= taken | timed]
    firms = [name for name in others if is_firm(name) and not _is_landscape(name, txt)]
    towns = [name for name in others if name not in firms and is_town(name, txt)]
    known = {*firms, *towns, *own, *(name.rstrip(".") for name in names["companies"])}
    others = [name for name in others if name not in known]
    alone = [name for name in names["cities"] if stands_alone(name, [*others, *towns, *names["cities"]], txt)]
    return {
        "cities": list(dict.fromkeys([*alone, *towns])),
        "countries": names["countries"],
        "companies": sorted(longest_names([*names["companies"], *firms, *own]), key=txt.find),
        "other_names": list(dict.fromkeys(others)),
    }
