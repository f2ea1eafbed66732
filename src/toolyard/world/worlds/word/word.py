"""Word/Word: an English lexicon of our own: meanings, synonyms, sounds, rhymes and how often words are used."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Annotated, Literal, TypedDict, Unpack

from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.shared import sandbox
from toolyard.world.shared.geography import read_table
from toolyard.world.shared.sandbox import matching
from toolyard.world.state import World
from toolyard.world.tables import fold, group_rows
from toolyard.world.types import Prose, Range, Word

GROUP = "Word/Word"
warm_up = sandbox.warm_up
PartOfSpeech = Literal["noun", "verb", "adjective", "adverb", "interjection"]
Detail = Literal["definitions", "synonyms", "antonyms", "examples", "rhymes"]
Count = Annotated[int, Range(1, 50)]


class Entry(TypedDict):
    word: str
    part_of_speech: str
    sounds: list[str]
    syllables: list[str]
    per_million: float
    definition: str
    synonyms: list[str]
    antonyms: list[str]
    example: str


class Meaning(TypedDict):
    definition: Prose
    part_of_speech: str


class Definition(TypedDict):
    word: Word
    definitions: list[Meaning]


class Synonyms(TypedDict):
    word: Word
    synonyms: list[Word]


class Antonyms(TypedDict):
    word: Word
    antonyms: list[Word]


class Examples(TypedDict):
    word: Word
    examples: list[Prose]


class Pronunciation(TypedDict):
    word: Word
    pronunciation: str
    syllables: list[str]
    syllable_count: int
    stressed_syllable: int


class Rhymes(TypedDict):
    word: Word
    rhymes: list[str]


class Frequency(TypedDict):
    word: Word
    per_million: float
    zipf: float
    rank_in_lexicon: int


class FoundWord(TypedDict):
    word: Word
    letters: int
    sounds: int
    parts_of_speech: list[str]


class FoundWords(TypedDict):
    total: int
    words: list[FoundWord]


@functools.cache
def lexicon() -> Mapping[str, list[Entry]]:
    """The entries of each word."""
    rows = [
        Entry(
            word=row["word"],
            part_of_speech=row["part_of_speech"],
            sounds=row["sounds"].split(),
            syllables=row["syllables"].split("-"),
            per_million=float(row["per_million"]),
            definition=row["definition"],
            synonyms=[word for word in row["synonyms"].split(",") if word],
            antonyms=[word for word in row["antonyms"].split(",") if word],
            example=row["example"],
        )
        for row in read_table("lexicon.tsv")
    ]
    return group_rows(rows, lambda row: row["word"])


def entries(word: str) -> list[Entry]:
    """The entries of a word; a fault that names the words next to it in the alphabet."""
    wanted = fold(word)
    if wanted in lexicon():
        return lexicon()[wanted]
    near = sorted(lexicon(), key=lambda known: (-len(_common(known, wanted)), known))
    raise not_found("word", word[:60], known=near[:5])


def _common(one: str, other: str) -> str:
    size = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return one[:size]


def _merged(rows: list[Entry], key: Literal["synonyms", "antonyms"]) -> list[str]:
    return list(dict.fromkeys(word for row in rows for word in row[key]))


def _tail(sounds: list[str]) -> tuple[str, ...]:
    """The sounds from the last stressed vowel on: words that share them rhyme."""
    plain = [sound.strip("ˈˌ") for sound in sounds]
    start = max((n for n, sound in enumerate(sounds) if sound.startswith("ˈ")), default=0)
    vowels = "aeiouæɑɒɔəɛɜɪʊʌ"
    while start < len(plain) - 1 and plain[start][0] not in vowels:
        start += 1
    return tuple(plain[start:])


@functools.cache
def _families() -> Mapping[tuple[str, ...], list[str]]:
    found = {tuple(row["sounds"].split()): row["words"].split(",") for row in read_table("rhymes.tsv")}
    for word, rows in lexicon().items():
        found.setdefault(_tail(rows[0]["sounds"]), []).append(word)
    return {tail: sorted(set(words)) for tail, words in found.items()}


def _rhymes(word: str) -> list[str]:
    tail = _tail(lexicon()[word][0]["sounds"])
    return [other for other in _families().get(tail, []) if other != word]


@tool(
    GROUP,
    examples=[{"word": "hello"}, {"word": "love"}],
    phrase="give me the definition of {word}",
    noun="the word definition",
)
def get_definition(*, word: Word) -> Definition:
    """What a word means, once per part of speech.

    word: English word.
    """
    rows = entries(word)
    meanings: list[Meaning] = [
        {"definition": row["definition"], "part_of_speech": row["part_of_speech"]} for row in rows
    ]
    return {"word": rows[0]["word"], "definitions": meanings}


@tool(
    GROUP,
    examples=[{"word": "happy"}],
    phrase="find synonyms of {word}",
    noun="the list of synonyms",
)
def get_synonyms(*, word: Word) -> Synonyms:
    """Words that mean much the same.

    word: English word.
    """
    rows = entries(word)
    return {"word": rows[0]["word"], "synonyms": _merged(rows, "synonyms")}


@tool(
    GROUP,
    examples=[{"word": "happy"}],
    phrase="find words that mean the opposite of {word}",
    noun="the list of antonyms",
)
def get_antonyms(*, word: Word) -> Antonyms:
    """Words that mean the opposite.

    word: English word.
    """
    rows = entries(word)
    return {"word": rows[0]["word"], "antonyms": _merged(rows, "antonyms")}


@tool(
    GROUP,
    examples=[{"word": "love"}],
    phrase="show example sentences that use {word}",
    noun="the example sentences",
)
def get_examples(*, word: Word) -> Examples:
    """Sentences in which a word is used.

    word: English word.
    """
    rows = entries(word)
    return {"word": rows[0]["word"], "examples": [row["example"] for row in rows]}


@tool(
    GROUP,
    examples=[{"word": "encyclopedia"}],
    phrase="tell me how to pronounce {word}, with its syllables and stress",
    noun="the pronunciation",
)
def get_pronunciation(*, word: Word) -> Pronunciation:
    """How a word is spoken: phonetic signs, syllables, and which of them is stressed.

    word: English word.
    """
    row = entries(word)[0]
    stress = next((n for n, sound in enumerate(row["sounds"]) if sound.startswith("ˈ")), 0)
    vowels = sum(1 for sound in row["sounds"][:stress] if sound.strip("ˈˌ")[0] in "aeiouæɑɒɔəɛɜɪʊʌ")
    return {
        "word": row["word"],
        "pronunciation": "".join(row["sounds"]),
        "syllables": row["syllables"],
        "syllable_count": len(row["syllables"]),
        "stressed_syllable": min(vowels + 1, len(row["syllables"])),
    }


@tool(
    GROUP,
    examples=[{"word": "light"}],
    phrase="find words that rhyme with {word}",
    noun="the list of rhymes",
)
def get_rhymes(*, word: Word) -> Rhymes:
    """Words that end in the same sounds from the stressed vowel on.

    word: English word.
    """
    known = entries(word)[0]["word"]
    return {"word": known, "rhymes": _rhymes(known)}


@tool(
    GROUP,
    examples=[{"word": "love"}],
    phrase="tell me how frequently people use {word} in texts",
    noun="the word frequency",
)
def get_frequency(*, word: Word) -> Frequency:
    """How often a word is used: per million words of text, on the Zipf scale, and its place in this lexicon.

    word: English word.
    """
    row = entries(word)[0]
    ranked = sorted(lexicon(), key=lambda known: -lexicon()[known][0]["per_million"])
    return {
        "word": row["word"],
        "per_million": row["per_million"],
        "zipf": round(math.log10(row["per_million"]) + 3, 2),
        "rank_in_lexicon": ranked.index(row["word"]) + 1,
    }


class Wishes(TypedDict, total=False):
    """What the words must be like.

    letterPattern: Regular expression that must match somewhere in the letters.
    letters: Exact number of letters.
    lettersMin: Least number of letters.
    lettersMax: Greatest number of letters.
    pronunciationPattern: Regular expression that must match somewhere in the phonetic signs.
    sounds: Exact number of sounds.
    soundsMin: Least number of sounds.
    soundsMax: Greatest number of sounds.
    partOfSpeech: Part of speech of one of the meanings.
    hasDetails: Kinds of information that must be known about the word.
    limit: Most words to return, 20 by default.
    random: Whether to return a single word drawn by chance.
    """

    letterPattern: Annotated[str, Range(1, 200)]
    letters: Count
    lettersMin: Count
    lettersMax: Count
    pronunciationPattern: Annotated[str, Range(1, 200)]
    sounds: Count
    soundsMin: Count
    soundsMax: Count
    partOfSpeech: PartOfSpeech
    hasDetails: list[Detail]
    limit: Annotated[int, Range(1, 100)]
    random: bool


def _fits(word: str, rows: list[Entry], wish: Wishes) -> bool:
    letters, sounds = len(word), len(rows[0]["sounds"])
    known = {
        "definitions": True,
        "synonyms": bool(_merged(rows, "synonyms")),
        "antonyms": bool(_merged(rows, "antonyms")),
        "examples": True,
        "rhymes": bool(_rhymes(word)) if "rhymes" in wish.get("hasDetails", []) else False,
    }
    return (
        wish.get("letters", letters) == letters
        and wish.get("lettersMin", 0) <= letters <= wish.get("lettersMax", 99)
        and wish.get("sounds", sounds) == sounds
        and wish.get("soundsMin", 0) <= sounds <= wish.get("soundsMax", 99)
        and ("partOfSpeech" not in wish or any(row["part_of_speech"] == wish["partOfSpeech"] for row in rows))
        and all(known[detail] for detail in wish.get("hasDetails", []))
    )


@tool(
    GROUP,
    isolated=True,
    examples=[{"partOfSpeech": "verb", "limit": 5}, {"letterPattern": "^a.*b.*c$"}],
    phrase=(
        "search the lexicon for words[ whose letters match the pattern {letterPattern}][, with the number of "
        "letters set to {letters}][, with the pronunciation pattern set to {pronunciationPattern}][, with "
        "the number of sounds set to {sounds}][, with the part of speech set to {partOfSpeech}][, with the "
        "limit set to {limit}]"
    ),
    noun="the list of matching words",
)
def search_word(world: World, **wishes: Unpack[Wishes]) -> FoundWords:
    """The words of the lexicon that meet all wishes, in order of the alphabet."""
    found = [word for word in sorted(lexicon()) if _fits(word, lexicon()[word], wishes)]
    for parameter in ("letterPattern", "pronunciationPattern"):
        if parameter in wishes:
            texts = (
                found if parameter == "letterPattern" else ["".join(lexicon()[w][0]["sounds"]) for w in found]
            )
            hits = matching(str(wishes[parameter]), texts, parameter=parameter)
            found = [word for word, hit in zip(found, hits, strict=True) if hit]
    total = len(found)
    if wishes.get("random") and found:
        found = [world.draw("word").choice(found)]
    shown: list[FoundWord] = [
        {
            "word": word,
            "letters": len(word),
            "sounds": len(lexicon()[word][0]["sounds"]),
            "parts_of_speech": [row["part_of_speech"] for row in lexicon()[word]],
        }
        for word in found[: wishes.get("limit", 20)]
    ]
    return {"total": total, "words": shown}
