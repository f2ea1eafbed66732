"""What a query is about: the subject without the words that ask for it, if everything in it is known."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from toolyard.world.reference import wordnet
from toolyard.world.reference.packed import packed
from toolyard.world.shared.entries import mentioned, named
from toolyard.world.shared.further_entries import new_nouns
from toolyard.world.tables import plain, read_table

_ASKING = re.compile(
    r"^(?:(?:the|latest|recent|newest|current|new|breaking|top|best|find|show|search|me|give|some|any|for|get) )*"
    r"(?:(?:news|headlines?|articles?|stories|reports?|papers?|books?|pages?|research|studies|information) "
    r"(?:about|on|of|for|in|regarding) )?(?:the )?"
)
_ASKED_LAST = re.compile(r" (?:news|headlines?|articles?|stories|today|books|research|papers)$")
_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")
_LONGEST = 7
# A hundred times the Zipf frequency from which a word that no dictionary has is a common one: without, during.
_USUAL = 400
_SHORT = frozenset(("uk", "eu", "usa", "nba", "nfl", "fbi", "nasa"))


@functools.lru_cache(maxsize=4096)
def known_word(word: str) -> bool:
    """Whether a plain word is in use: a number, a word of the dictionary or of the list of words, or a name."""
    bare = word.replace("’", "'")
    if bare.isdigit() or len(bare) < 3:
        return True
    forms = (bare, bare.removesuffix("'s"))
    return any(packed("words").under(form) or wordnet.senses(form) for form in forms) or bool(named(bare))


def known_words(text: str) -> bool:
    """Whether a text has words, and none that nobody uses."""
    found = _WORD.findall(plain(text))
    return any(len(word) > 1 and not word.isdigit() for word in found) and all(map(known_word, found))


def subject_of(query: str) -> str | None:
    """The subject in plain words: "latest news about Electric Cars" is about electric cars; None where nobody knows it."""
    text = " ".join(plain(query).replace("-", " ").split())
    bare = _ASKED_LAST.sub("", _ASKING.sub("", text)).strip(" ?.!,") or text
    if len(bare) > 80 or not 0 < len(bare.split()) <= _LONGEST:
        return None
    return bare if named(bare) or known_words(bare) else None


# Companies that write their names in capitals, and nobody else does.
_WRITTEN = {"NIKE": "Nike", "VISA": "Visa", "TARGET": "Target"}


def spelled(subject: str) -> str:
    """A subject as a sentence writes it: by the title of its entry where it has one, else in small letters but for names."""
    found = named(subject)
    if not found:
        for entry in mentioned(subject):
            if not _common(entry["title"], entry["kind"]):
                for name in (entry["title"], *entry["aliases"]):
                    subject = re.sub(rf"\b{re.escape(plain(name))}\b", name, subject)
        return _modelled(_WORD.sub(lambda match: _as_name(match[0]), subject))
    names = [
        name for name in found[0]["aliases"] if plain(name) == subject and not _common(name, found[0]["kind"])
    ]
    title = names[0] if names and plain(found[0]["title"]) != subject else found[0]["title"]
    title = _WRITTEN.get(title, title)
    return (
        title
        if plain(title).replace("-", " ") == subject and not _common(title, found[0]["kind"])
        else subject
    )


@functools.cache
def _models() -> Mapping[str, str]:
    """The models of cars, each behind its make, in plain letters -> how the model is written."""
    return {
        plain(f"{row['make']} {name}"): name
        for row in read_table("vehicle_models.tsv")
        for name in (model.partition(":")[0] for model in row["models"].split(","))
    }


def is_model(subject: str) -> bool:
    """Whether a plain subject is a make of cars with one of its models."""
    return subject in _models()


def _modelled(subject: str) -> str:
    """A subject in which the model behind a make of cars is written as its maker does: Toyota Corolla."""
    model = _models().get(plain(subject))
    return subject[: -len(model)] + model if model else subject


# Names with capitals inside.
_OWN_WAY = {
    "iphone": "iPhone", "ipad": "iPad", "imac": "iMac", "macbook": "MacBook", "airpods": "AirPods",
    "playstation": "PlayStation",
    "youtube": "YouTube", "spacex": "SpaceX", "tiktok": "TikTok", "chatgpt": "ChatGPT", "openai": "OpenAI", "bts": "BTS",
}  # fmt: skip


def _as_name(word: str) -> str:
    """A word with a capital where it is rare and in no dictionary, as names are."""
    if word in _SHORT:
        return word.upper()
    if word in _OWN_WAY:
        return _OWN_WAY[word]
    rows = packed("words").under(word)
    rare = all(int(row[1] or 0) < _USUAL for row in rows)
    forms = (word, *wordnet.base_forms(word, "n"), *wordnet.base_forms(word, "v"))
    known = word in new_nouns() or any(map(wordnet.senses, forms))
    return word if known or not rare or not word.islower() else word.capitalize()


def _common(title: str, kind: str) -> bool:
    """Whether a title is a common noun, which has a capital only at the start of a sentence."""
    senses = wordnet.senses(title)
    if plain(title) in new_nouns():
        return True
    return (
        kind not in ("person", "country", "city", "company")
        and bool(senses)
        and all(word[:1].islower() for word in senses[0].words[:1])
    )


def in_a_sentence(subject: str) -> str:
    """A subject as people write about it: things that can be counted in the plural, the others as they are spelt."""
    shown = spelled(subject)
    if " " in subject or shown != subject or not subject.isalpha():
        return shown
    sense = next(iter(wordnet.senses(subject)), None)
    countable = sense is not None and sense.part == "n" and sense.field in _COUNTED and subject in sense.words
    return _plural(subject) if countable else shown


# The dictionary's fields of things that there are many of: animals, artefacts, bodies, events, groups, people, plants.
_COUNTED = frozenset((5, 6, 18, 20))


def _plural(noun: str) -> str:
    if wordnet.base_forms(noun, "n") or noun.endswith(("s", "ing", "ware")):
        return noun
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("x", "ch", "sh", "z")) else f"{noun}s"
