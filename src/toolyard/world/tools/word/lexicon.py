"""What is known about a word: the senses of the dictionary, after the rows of our own for what it lacks.

{"word": "hello", "part_of_speech": "interjection", "definition": "A word said when meeting ...", "synonyms": [...], ...}
"""

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, TypedDict

from toolyard.core.ordered_sums import group_items
from toolyard.world.kernel.faults import ToolFault, not_found
from toolyard.world.kernel.tables import plain, read_record, read_table, table_words, values_of
from toolyard.world.reference import pronunciation as sounds
from toolyard.world.reference import wordnet
from toolyard.world.reference.packed_tables import packed_table

_GRAMMAR = 5.9  # how often words are used at least that only hold sentences together
_PARTS = {"n": "noun", "v": "verb", "a": "adjective", "adv": "adverb", "i": "interjection"}


class Entry(TypedDict):
    """One meaning of a word."""

    word: str
    part_of_speech: str
    definition: str
    synonyms: list[str]
    antonyms: list[str]
    examples: list[str]


@functools.cache
def own_entries() -> Mapping[str, list[Entry]]:
    """The rows of our own, by word."""
    rows = [
        read_record(
            Entry,
            row,
            synonyms=[word for word in row["synonyms"].split(",") if word],
            antonyms=[word for word in row["antonyms"].split(",") if word],
            examples=[row["example"]] if row["example"] else [],
        )
        for row in read_table("lexicon.tsv")
    ]
    return group_items((*rows, *_new_words()), lambda row: row["word"])


def _new_words() -> Iterator[Entry]:
    """Words that are younger or rarer than the dictionary."""
    for row in read_table("new_words.tsv"):
        text, synonyms = row["definition"], [name for name in row["synonyms"].split(",") if name]
        part = _PARTS[row["part"]]
        entry = Entry(
            word=row["word"],
            part_of_speech=part,
            definition=text,
            synonyms=synonyms,
            antonyms=[],
            examples=[],
        )
        yield entry
        if plain(row["word"]) != row["word"]:
            yield {**entry, "word": plain(row["word"])}


def _make_entry(sense: wordnet.Sense, word: str) -> Entry:
    named = plain(word)
    same = [name for name in sense.words if plain(name) != named]
    return Entry(
        word=next((name for name in sense.words if plain(name) == named), sense.words[0]),
        part_of_speech=sense.part_of_speech,
        definition=sense.definition,
        synonyms=same,
        antonyms=[name for name in dict.fromkeys(wordnet.antonyms(sense, word)) if plain(name) != named],
        examples=list(sense.examples),
    )


@functools.lru_cache(maxsize=4096)
def word_meanings(word: str) -> tuple[Entry, ...]:
    """The meanings of a word, our own first; of its base form where the word is an inflected one; none if unknown."""
    folded = " ".join(plain(word).split())
    found = [_make_entry(sense, folded) for sense in wordnet.senses(folded)]
    if any(entry["word"].islower() for entry in found):  # a crane is a bird before it is a poet
        found.sort(key=lambda entry: not entry["word"].islower())
    return (*own_entries().get(folded, ()), *found)


@functools.cache
def _own_opposites() -> Mapping[str, list[str]]:
    """Word -> its opposites, out of pairs that the dictionary lacks or has only by way of others."""
    found: dict[str, list[str]] = {}
    pairs = [pair.split("/") for row in read_table("opposites.tsv") for pair in row["pairs"].split(";")]
    for one, other in (
        *pairs,
        *(reversed(pair) for pair in pairs),
    ):  # the pairs that a word begins come first
        found.setdefault(one, []).append(other)
    return found


def own_antonyms(word: str) -> list[str]:
    """The opposites of a word by the table of our own."""
    return _own_opposites().get(plain(word), [])


_UNFIT = re.compile(r"\b(?:slur|offensive|disparaging|derogatory|obscene|vulgar)\b")


def is_decent(word: str) -> bool:
    """Whether a word may be proposed: no slur, in any of its senses."""
    return not any(_UNFIT.search(sense.definition) for sense in wordnet.senses(word))


def direct_antonyms(word: str) -> list[str]:
    """The opposites of a word itself, without those of words like it: hot is cold, not stale."""
    senses = [sense for sense in wordnet.senses(word) if sense.part != "s"]
    found = (name for sense in senses for name in wordnet.antonyms(sense, word))
    return [name for name in dict.fromkeys(found) if name not in _NO_OPPOSITES.get(plain(word), ())]


# What the dictionary sets against a word in games, music or other narrow senses.
_NO_OPPOSITES: Mapping[str, tuple[str, ...]] = values_of("lexicon.no_opposites")


def require_meanings(word: str) -> tuple[Entry, ...]:
    """The meanings of a word; a fault that names words written like it where there are none."""
    found = word_meanings(word)
    if found:
        return found
    folded = plain(word)
    if packed_table("words").with_key(folded):
        raise ToolFault(
            "not_found", f"the dictionary has no meaning of {word[:60]!r}, only its sound and its frequency"
        )
    raise not_found("word", word[:60], nearest=list(_similar_words(folded)), count=wordnet.count_entries())


def known_spelling(word: str) -> str:
    """The word as the tables of sounds and frequencies spell it; a fault where neither they nor the dictionary know it."""
    folded = " ".join(plain(word).split())
    if not packed_table("words").with_key(folded):
        require_meanings(word)
    return folded


def _similar_words(wanted: str) -> Iterator[str]:
    """Up to three words of the dictionary that start alike and are written most alike."""
    from rapidfuzz import fuzz, process

    alike = [row[0] for row in packed_table("words").starting(wanted[:2], 4000) if meanings_known(row[0])]
    found = process.extract(wanted[:60], alike, scorer=fuzz.ratio, limit=3, score_cutoff=75)
    yield from (name for name, _, _ in found)


def meanings_known(word: str) -> bool:
    """Whether the dictionary has an entry that is spelt so."""
    return word in own_entries() or word in parts_of_speech()


@functools.cache
def parts_of_speech() -> Mapping[str, tuple[str, ...]]:
    """Every single word -> its parts of speech."""
    found = {word: tuple(wordnet.PARTS[part] for part in signs) for word, signs in wordnet.all_lemmas()}
    for word, rows in own_entries().items():
        if word.isalpha():
            found[word] = tuple(
                dict.fromkeys((*(row["part_of_speech"] for row in rows), *found.get(word, ())))
            )
    return dict(sorted(found.items()))


@functools.cache
def sounds_by_word() -> Mapping[str, tuple[str, ...]]:
    """Every single word whose sounds the dictionary lists -> its sounds."""
    return {
        word: tuple(sounds.first_pronunciation(cell).split())
        for word, _, cell in packed_table("words")
        if cell and word in parts_of_speech()
    }


def merge_meanings(rows: tuple[Entry, ...], key: Literal["synonyms", "antonyms", "examples"]) -> list[str]:
    """The words or sentences of all meanings, each once."""
    return list(dict.fromkeys(word for row in rows for word in row[key]))


# Words near to some that the dictionary leaves alone.
_KINDRED: Mapping[str, tuple[str, ...]] = values_of("lexicon.kindred")


_NOT_SAID = frozenset(
    "fuck shit screw bang hump bonk crap piss arse ass fart whore slut bastard tit cock cunt".split()
)


# So many words for it make a word known well enough by the dictionary alone.
_MANY = 10


@functools.cache
def _near_word_groups() -> Mapping[str, list[tuple[str, ...]]]:
    """Common word -> the words nearest to each of its everyday meanings, by the table of our own."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for row in read_table("near_words.tsv"):
        found.setdefault(row["word"], []).append((row["word"], *row["synonyms"].split(",")))
    return found


@functools.cache
def _groups_with() -> Mapping[str, list[tuple[str, ...]]]:
    """Word -> the groups of that table in which it stands behind another."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for group in (group for groups in _near_word_groups().values() for group in groups):
        for name in group[1:]:
            found.setdefault(name, []).append(group)
    return found


def synonyms(word: str) -> list[str]:
    """Words for the same, those of everyday first; where a word stands alone, words that are similar."""
    key, rows = plain(word), require_meanings(word)
    counts = Counter(row["part_of_speech"] for row in rows)
    rows = tuple(sorted(rows, key=lambda row: -counts[row["part_of_speech"]]))
    rows = tuple(row for row in rows if not _NOT_SAID & set(row["synonyms"]))
    found = merge_meanings(rows, "synonyms") or list(_KINDRED.get(key, ()))
    near = [name for group in _near_word_groups().get(key, ()) for name in group]
    if near:
        first = merge_meanings(tuple(own_entries().get(key, ())), "synonyms")
        found = [*first, *near, *merge_meanings(_meanings_among(rows, {*first, *near}), "synonyms")]
    elif key not in own_entries() and len(found) < _MANY:
        found = [*(name for group in _groups_with().get(key, [])[:2] for name in group), *found]
    senses = wordnet.senses(require_meanings(word)[0]["word"])
    found = found or [
        name for sense in senses for other in wordnet.related_senses(sense, "&") for name in other.words
    ]
    # The prime minister Begin is no word for begin.
    small = any(row["word"].islower() for row in require_meanings(word))
    return [
        name
        for name in dict.fromkeys(found)
        if plain(name) != key and not (small and name[0].isupper() and name != "PC")
    ]


def _meanings_among(rows: tuple[Entry, ...], words: set[str]) -> tuple[Entry, ...]:
    """The meanings whose words are largely among these."""
    return tuple(row for row in rows if 5 * len(words & set(row["synonyms"])) >= 2 * len(row["synonyms"]) > 0)


def take_by_turns(rows: tuple[Entry, ...], most: int) -> list[Entry]:
    """So many meanings at most: all parts of speech have their share, in the order in which they come."""
    kinds = Counter(row["part_of_speech"] for row in rows)
    if len(rows) <= most or len(kinds) < 2:
        return list(rows[:most])
    shares = {kind: max(1, round(most * count / len(rows))) for kind, count in kinds.items()}
    kept: list[Entry] = []
    for row in rows:
        if shares[row["part_of_speech"]] > 0:
            shares[row["part_of_speech"]] -= 1
            kept.append(row)
    return kept[:most]


def spelt(word: str) -> str:
    """A word as the dictionary spells it: names with a capital letter."""
    if word in own_entries() or (sounds.zipf_frequency(word) or 0) >= _GRAMMAR:
        return word
    names = [name for sense in wordnet.senses(word) for name in sense.words if plain(name) == word]
    return names[0] if names and not any(name.islower() for name in names) else word


# Examples of the dictionary that lack a word.
_MENDED = {"his charge was deliver a message": "his charge was to deliver a message"}


@functools.cache
def _own_sentences() -> Mapping[str, list[str]]:
    """Common word -> sentences of our own, where the dictionary has none."""
    return {row["word"]: row["examples"].split("|") for row in read_table("word_sentences.tsv")}


def example_sentences(word: str) -> list[str]:
    """Sentences and phrases that the dictionary gives for a word, else such as it gives for others that hold the word."""
    rows = require_meanings(word)
    found = [text for text in merge_meanings(rows, "examples") if _uses(text, plain(rows[0]["word"]))]
    if not found and plain(word) in _own_sentences():
        return _own_sentences()[plain(word)]
    if found:
        return [_MENDED.get(text, text) for text in found]
    places = packed_table("word_examples").with_key(plain(rows[0]["word"]))
    senses = [
        wordnet.sense_by_id(place[0], int(place[1:])) for _, listed in places for place in listed.split(",")
    ]
    used = [text for sense in senses for text in sense.examples]
    return [text for text in used if plain(rows[0]["word"]) in plain(text)]


def _uses(text: str, word: str) -> bool:
    """Whether a sentence holds a word in one of its forms; the dictionary's sentences may use another word for the same."""
    if " " in word or "-" in word:
        return word.split()[0][:4] in plain(text)
    forms = re.findall(r"[^\W\d_]+", plain(text))
    return any(
        form == word
        or (form[:1] == word[:1] and any(word in wordnet.base_forms(form, part) for part in "nvar"))
        for form in forms
    )


_CALENDAR = frozenset(table_words("lexicon.calendar"))


def is_common(word: str) -> bool:
    """Whether a word is a common one rather than a name, a letter or an abbreviation."""
    if word in _CALENDAR:
        return True
    if len(word) < 2 or not word.isalpha() or not re.search(r"[aeiouy]", word):
        return False
    names = [name for sense in wordnet.senses(word) for name in sense.words]
    spelt_so = [name for name in names if plain(name) == word]
    return any(name.islower() for name in spelt_so or names) or (sounds.zipf_frequency(word) or 0) >= _GRAMMAR


def phrase_phones(word: str) -> list[str]:
    """The sounds of a word or of the words of a phrase."""
    return [sound for part in word.replace("-", " ").split() for sound in sounds.word_phones(part)]
