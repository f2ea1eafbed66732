"""Word/Word: an English dictionary: meanings, synonyms, sounds, rhymes and how often words are used."""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from typing import Annotated, Literal, TypedDict, Unpack, cast

from toolyard.world.isolation import sandbox
from toolyard.world.isolation.sandbox import match_lines
from toolyard.world.kernel.faults import out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import Prose, Range, Word
from toolyard.world.reference import pronunciation as sounds
from toolyard.world.tools.word.lexicon import (
    direct_antonyms,
    example_sentences,
    is_common,
    is_decent,
    known_spelling,
    merge_meanings,
    own_antonyms,
    parts_of_speech,
    phrase_phones,
    require_meanings,
    sounds_by_word,
    spelt,
    synonyms,
    take_by_turns,
)

GROUP = Group("Word/Word")
warm_up = sandbox.warm_up
PartOfSpeech = Literal["noun", "verb", "adjective", "adverb", "interjection"]
Detail = Literal["definitions", "synonyms", "antonyms", "examples", "rhymes"]
Count = Annotated[int, Range(1, 50)]
# How many meanings and words are shown, and how many words a search by sounds or details looks at.
MEANINGS = 12
WORDS = 40
SEARCHED = 5000
DETAILED = 2000
# What the rarest words of the table have on the Zipf scale: words of the dictionary that it lacks are not commoner.
RAREST = 1.7


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
    other_pronunciations: list[str]


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
    sounds: int | None
    parts_of_speech: list[str]


class FoundWords(TypedDict):
    total: int
    words: list[FoundWord]


@GROUP.tool(
    examples=[{"word": "hello"}, {"word": "love"}],
    phrase="give me the definition of {word}",
    noun="the word definition",
)
def get_definition(*, word: Word) -> Definition:
    """What a word means, sense by sense with the part of speech, twelve at most.

    word: English word.
    """
    rows = require_meanings(word)
    meanings: list[Meaning] = [
        {"definition": row["definition"], "part_of_speech": row["part_of_speech"]}
        for row in take_by_turns(rows, MEANINGS)
    ]
    return {"word": rows[0]["word"], "definitions": meanings}


@GROUP.tool(
    examples=[{"word": "happy"}],
    phrase="find synonyms of {word}",
    noun="the list of synonyms",
)
def get_synonyms(*, word: Word) -> Synonyms:
    """Words that mean much the same; none where the dictionary has no other word for it.

    word: English word.
    """
    return {"word": require_meanings(word)[0]["word"], "synonyms": synonyms(word)[:WORDS]}


@GROUP.tool(
    examples=[{"word": "happy"}],
    phrase="find words that mean the opposite of {word}",
    noun="the list of antonyms",
)
def get_antonyms(*, word: Word) -> Antonyms:
    """Words that mean the opposite; none where a word has no opposite.

    word: English word.
    """
    return {"word": require_meanings(word)[0]["word"], "antonyms": _best_antonyms(word)[:WORDS]}


def _best_antonyms(word: str) -> list[str]:
    """The opposites of a word itself, else of its first meanings, else of any."""
    rows = require_meanings(word)
    plainly = [*own_antonyms(rows[0]["word"]), *direct_antonyms(rows[0]["word"])]
    plainly = [name for name in dict.fromkeys(plainly) if not name.startswith("non")] or plainly
    return plainly or merge_meanings(rows[:2], "antonyms") or merge_meanings(rows, "antonyms")


@GROUP.tool(
    examples=[{"word": "love"}],
    phrase="show example sentences that use {word}",
    noun="the example sentences",
)
def get_examples(*, word: Word) -> Examples:
    """Sentences and phrases in which a word is used; none where the dictionary has none.

    word: English word.
    """
    return {"word": require_meanings(word)[0]["word"], "examples": example_sentences(word)[:MEANINGS]}


# The commoner way to say a word that is spelt like another one.
_COMMONER = {"live": "ˈlɪv", "wind": "ˈwɪnd", "lead": "ˈliːd", "read": "ˈɹiːd", "record": "ˈɹɛkɚd"}


@GROUP.tool(
    examples=[{"word": "encyclopedia"}],
    phrase="tell me how to pronounce {word}, with its syllables and stress",
    noun="the pronunciation",
)
def get_pronunciation(*, word: Word) -> Pronunciation:
    """How a word is spoken in America: phonetic signs, syllables, and which of them is stressed.

    Syllables are spelt; where a word is not spelt as it is spoken (colonel) they are in phonetic signs.

    word: English word.
    """
    wanted = known_spelling(word)
    ways = [phrase_phones(wanted), *sounds.other_pronunciations(wanted)]
    first = _COMMONER.get(wanted, "")
    ways.sort(
        key=lambda way: sounds.phonetic_spelling(way) != first
    )  # a stable sort: others stay in their order
    heard = ways[0]
    parts = sounds.split_syllables(heard)
    stress = next((n for n, part in enumerate(parts, start=1) if any(sound[-1] == "1" for sound in part)), 1)
    return {
        "word": wanted,
        "pronunciation": sounds.phonetic_spelling(heard),
        "syllables": sounds.spelt_syllables(wanted, heard),
        "syllable_count": len(parts),
        "stressed_syllable": stress,
        "other_pronunciations": [sounds.phonetic_spelling(way) for way in ways[1:]],
    }


@GROUP.tool(
    examples=[{"word": "light"}],
    phrase="find words that rhyme with {word}",
    noun="the list of rhymes",
)
def get_rhymes(*, word: Word) -> Rhymes:
    """Words that end in the same sounds from the stressed vowel on, most used first, at most forty; none if nothing rhymes.

    word: English word.
    """
    wanted = known_spelling(word)
    return {
        "word": wanted,
        "rhymes": [spelt(other) for other in sounds.rhymes(wanted) if is_common(other) and is_decent(other)][
            :WORDS
        ],
    }


@GROUP.tool(
    examples=[{"word": "love"}],
    phrase="tell me how frequently people use {word} in texts",
    noun="the word frequency",
)
def get_frequency(*, word: Word) -> Frequency:
    """How often a word is used: per million words of text, on the Zipf scale, and its place in this lexicon.

    word: English word.
    """
    wanted = known_spelling(word)
    zipf = sounds.zipf_frequency(wanted)
    if zipf is None:
        zipf = RAREST
    return {
        "word": wanted,
        "per_million": float(f"{10 ** (zipf - 3):.3g}"),
        "zipf": zipf,
        "rank_in_lexicon": sounds.frequency_rank(wanted),
    }


class WordConditions(TypedDict, total=False):
    """What the words must be like.

    letterPattern: Regular expression that must match somewhere in the letters.
    letters: Exact number of letters.
    lettersMin: Least number of letters.
    lettersMax: Greatest number of letters.
    pronunciationPattern: Regular expression that must match somewhere in the phonetic signs, e.g. ^ʃ or ŋk$.
    sounds: Exact number of sounds.
    soundsMin: Least number of sounds.
    soundsMax: Greatest number of sounds.
    partOfSpeech: Part of speech of one of the meanings.
    hasDetails: Kinds of information that must be known; the 2,000 most used of the words that fit otherwise are looked at.
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


_MEANING: Mapping[Detail, Callable[[str], list[str]]] = {
    "synonyms": synonyms,
    "antonyms": _best_antonyms,
    "examples": example_sentences,
}


def _has_details(word: str, details: list[Detail]) -> bool:
    return all(_MEANING[key](word) for key in details if key in _MEANING) and (
        "rhymes" not in details or sounds.has_rhymes(word)
    )


def _fits_conditions(word: str, speech: tuple[str, ...], conditions: WordConditions) -> bool:
    letters = len(word)
    if not (
        conditions.get("letters", letters) == letters
        and conditions.get("lettersMin", 0) <= letters <= conditions.get("lettersMax", 99)
        and ("partOfSpeech" not in conditions or conditions["partOfSpeech"] in speech)
    ):
        return False
    if not conditions.keys() & {"sounds", "soundsMin", "soundsMax"}:
        return True
    if word not in sounds_by_word():  # sounds that were told from the letters are not counted on
        return False
    count = len(sounds_by_word()[word])
    return conditions.get("sounds", count) == count and conditions.get(
        "soundsMin", 0
    ) <= count <= conditions.get("soundsMax", 99)


def _check_bounds(conditions: WordConditions) -> None:
    """Refuse bounds that no word can meet."""
    for name in ("letters", "sounds"):
        exact, low, high = (cast("int | None", conditions.get(name + end)) for end in ("", "Min", "Max"))
        if low and high and low > high:
            raise out_of_range(f"{name}Min", low, f"must not be above {name}Max={high}")
        if exact and ((low and exact < low) or (high and exact > high)):
            raise out_of_range(name, exact, f"lies outside {name}Min and {name}Max")


def _words_starting_like(pattern: str) -> list[str]:
    """The words that start as a pattern does that is tied to the start; all words for others."""
    tied = re.match(r"\^([a-z]+)(?![a-z?*{|])", pattern)
    if tied is None or "|" in pattern:
        return list(parts_of_speech())
    words = list(parts_of_speech())
    start = bisect_left(words, tied[1])
    return words[start : bisect_left(words, tied[1] + "{")]


def _words_sounding_like(words: list[str], pattern: str) -> list[str]:
    """The words whose listed sounds match a pattern; marks of stress count only where the pattern has one."""
    words = [word for word in words if word in sounds_by_word()]
    bare = re.sub("[ˈˌ]", "", pattern)
    signs = ["".join(sounds.ipa_signs(sounds_by_word()[word])) for word in words]
    hits = match_lines(bare, signs, parameter="pronunciationPattern") if bare else [True] * len(words)
    words = [word for word, hit in zip(words, hits, strict=True) if hit]
    if bare == pattern:
        return words
    marked = [sounds.phonetic_spelling(sounds_by_word()[word]) for word in words[:SEARCHED]]
    return [word for word, hit in zip(words, match_lines(pattern, marked), strict=False) if hit]


def _words_with_details(words: list[str], details: list[Detail]) -> list[str]:
    """Those of the most used words that have these kinds of information."""
    counted = sounds.frequency_by_word()
    used = set(sorted(words, key=lambda word: -counted.get(word, 0))[:DETAILED])
    return [word for word in words if word in used and _has_details(word, details)]


@GROUP.tool(
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
def search_word(world: World, **conditions: Unpack[WordConditions]) -> FoundWords:
    """The words of the lexicon that meet all wishes, names among them, in order of the alphabet; sounds are null where no
    pronunciation is listed."""
    _check_bounds(conditions)
    found = [
        word
        for word in _words_starting_like(conditions.get("letterPattern", ""))
        if _fits_conditions(word, parts_of_speech()[word], conditions)
    ]
    if "letterPattern" in conditions:
        hits = match_lines(conditions["letterPattern"], found, parameter="letterPattern")
        found = [word for word, hit in zip(found, hits, strict=True) if hit]
    if "pronunciationPattern" in conditions:
        found = _words_sounding_like(found, conditions["pronunciationPattern"])
    if conditions.get("hasDetails"):
        found = _words_with_details(found, conditions["hasDetails"])
    total = len(found)
    if conditions.get("random") and found:
        found = [world.draw("word").choice(found)]
    shown: list[FoundWord] = [
        {
            "word": spelt(word),
            "letters": len(word),
            "sounds": len(sounds_by_word()[word]) if word in sounds_by_word() else None,
            "parts_of_speech": list(parts_of_speech()[word]),
        }
        for word in found[: conditions.get("limit", 20)]
    ]
    return {"total": total, "words": shown}
