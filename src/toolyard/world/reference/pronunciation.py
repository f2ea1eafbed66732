"""How English words are spoken and how often they are used: the tables `words` and `letter_sounds`.

abacus	257	AE1 B AH0 K AH0 S
"""

from __future__ import annotations

import functools
import itertools
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from toolyard.world.index.postings import Postings
from toolyard.world.kernel.tables import table_texts, table_words
from toolyard.world.reference.packed_tables import packed_table

_VIEWS = ((3, 3), (2, 3), (2, 2), (1, 2), (1, 1), (0, 1), (0, 0))
_SIGNS = table_texts("pronunciation.signs")
_UNSTRESSED = {"AH0": "ə", "ER0": "ɚ", "IY0": "i"}
_ONSETS = frozenset(table_words("pronunciation.onsets"))
_LETTER_GROUPS = re.compile(r"[aeiouy]+|[^aeiouy]+")
_STARTS = re.compile(r"(?:[bcdfgpst]?[lr]|[cgprstw]h|th?r|st?r|sp?l?|qu|kn|wr|[b-df-hj-np-tv-z])$")


def zipf_frequency(word: str) -> float | None:
    """How often a word is used: the logarithm of its number in a thousand million words; None for rare ones."""
    rows = packed_table("words").with_key(word)
    return int(rows[0][1]) / 100 if rows and rows[0][1] else None


# Words that the dictionary gives the sounds of another one.
_SPOKEN = {"aluminium": "AE2 L Y AH0 M IH1 N IY0 AH0 M"}


def word_phones(word: str) -> list[str]:
    """The sounds of a word in ARPAbet with stress: as the dictionary has them, else as its letters are usually spoken."""
    rows = packed_table("words").with_key(word)
    if word in _SPOKEN:
        return _SPOKEN[word].split()
    if rows and rows[0][2]:
        return first_pronunciation(rows[0][2]).split()
    return _sound_out(word)


def other_pronunciations(word: str) -> list[list[str]]:
    """The further ways to speak a word that the dictionary lists: a record is not spoken as to record."""
    rows = packed_table("words").with_key(word)
    cell = rows[0][2] if rows and word not in _SPOKEN else ""
    return [way.partition("#")[0].split() for way in cell.split(";")[1:]]


def first_pronunciation(cell: str) -> str:
    """The first way to speak a word among those that a cell of the table lists; what stands behind # is a remark."""
    return cell.partition(";")[0].partition("#")[0].rstrip()


@functools.cache
def _letter_rules() -> Mapping[str, str]:
    return dict(packed_table("letter_sounds"))


def has_pronunciation(word: str) -> bool:
    """Whether the dictionary has the sounds of a word."""
    rows = packed_table("words").with_key(word)
    return bool(rows and rows[0][2])


def _sound_out(word: str) -> list[str]:
    letters = "".join(sign for sign in word if "a" <= sign <= "z")
    padded = f"###{letters}###"
    found: list[str] = []
    for n in range(3, len(padded) - 3):
        keys = (
            f"{padded[n - left : n]}[{padded[n]}]{padded[n + 1 : n + 1 + right]}" for left, right in _VIEWS
        )
        found += next((_letter_rules()[key] for key in keys if key in _letter_rules()), "").split()
    return _add_main_stress(found)


def _add_main_stress(sounds: Sequence[str]) -> list[str]:
    """The sounds with one main stress: the first that was marked, else the third vowel from the end."""
    vowels = [n for n, sound in enumerate(sounds) if sound[-1].isdigit()]
    marked = next((n for n in vowels if sounds[n][-1] == "1"), None)
    main = marked if marked is not None else vowels[max(len(vowels) - 3, 0)] if vowels else -1
    return [
        f"{sound[:-1]}{'1' if n == main else '0' if sound[-1] == '1' else sound[-1]}"
        if sound[-1].isdigit()
        else sound
        for n, sound in enumerate(sounds)
    ]


def split_syllables(sounds: Sequence[str]) -> list[list[str]]:
    """Sounds by syllable: each takes as many consonants before its vowel as a word can start with."""
    vowels = [n for n, sound in enumerate(sounds) if sound[-1].isdigit()]
    if not vowels:
        return [list(sounds)]
    cuts = [0]
    for before, after in itertools.pairwise(vowels):
        start = after
        while start > before + 1 and _can_begin_syllable(sounds[start - 1 : after]):
            start -= 1
        cuts.append(start)
    return [list(sounds[a:b]) for a, b in zip(cuts, [*cuts[1:], len(sounds)], strict=True)]


def _can_begin_syllable(consonants: Sequence[str]) -> bool:
    return " ".join(consonants) in _ONSETS if len(consonants) > 1 else consonants[0] != "NG"


def ipa_signs(sounds: Sequence[str]) -> list[str]:
    """Sounds in the signs of the phonetic alphabet."""
    return [_UNSTRESSED.get(sound) or _SIGNS[sound.rstrip("012")] for sound in sounds]


def phonetic_spelling(sounds: Sequence[str]) -> str:
    """A word in the signs of the phonetic alphabet, with marks before stressed syllables."""
    parts = split_syllables(sounds)
    marks = {"1": "ˈ", "2": "ˌ"}
    stress = [next((marks.get(sound[-1], "") for sound in part if sound[-1].isdigit()), "") for part in parts]
    return "".join(mark + "".join(ipa_signs(part)) for mark, part in zip(stress, parts, strict=True))


_HIATUS = re.compile(r"i[aou]|e[ou]|u[aoi]|ia[eu]")  # two vowels that may be spoken apart: encyclopedi-a
_ONE_SOUND = re.compile(r"[cgpst]h|[b-df-hj-np-tv-z]|[b-df-hj-np-tv-z][lr]")
_LAX = frozenset(("AA1", "AE1", "EH1", "IH1", "AH1", "UH1", "ER1", "AE2", "EH2", "ER2"))


def _closes_part(part: Sequence[str], letters: str) -> bool:
    """Whether dictionaries let a syllable end in the next consonant: after a short stressed vowel, as in pho-tog-ra-phy."""
    return any(sound in _LAX for sound in part) and not ("AA1" in part and letters.endswith("a"))


# Words whose letters do not show where their syllables end.
_SPELT = table_texts("pronunciation.spelt")


def spelt_syllables(word: str, sounds: Sequence[str]) -> list[str]:
    """The letters of a word by syllable where they can be told apart, else its sounds by syllable."""
    parts = split_syllables(sounds)
    known = _SPELT.get(word, "").split("-")
    if len(known) == len(parts) > 1:
        return known
    groups = _LETTER_GROUPS.findall(word)
    if len(groups) > 2 and groups[-1] == "e" and not re.fullmatch(r".+l", groups[-2]):
        groups[-2:] = [groups[-2] + "e"]
    for n in reversed(range(len(groups))):
        if sum(group[:1] in set("aeiouy") for group in groups) < len(parts) and _HIATUS.fullmatch(groups[n]):
            groups[n : n + 1] = [groups[n][0], "", groups[n][1:]]
    vowels = [n for n, group in enumerate(groups) if group[:1] in set("aeiouy")]
    if len(vowels) != len(parts):
        return ["".join(ipa_signs(part)) for part in parts]
    found = ["".join(groups[: vowels[0]]) + groups[vowels[0]]] if vowels else [word]
    for before, after in itertools.pairwise(vowels):
        between = "".join(groups[before + 1 : after])
        start = next((n for n in range(len(between)) if _STARTS.match(between[n:])), max(len(between) - 1, 0))
        if start == 0 and _closes_part(parts[len(found) - 1], found[-1]) and _ONE_SOUND.fullmatch(between):
            start = len(between) if len(between) == 1 or between[-1] == "h" else 1
        found[-1] += between[:start]
        found.append(between[start:] + groups[after])
    if vowels:
        found[-1] += "".join(groups[vowels[-1] + 1 :])
    return _join_tion(found)


def _join_tion(found: list[str]) -> list[str]:
    """Syllables in which -tion and -sion stay together: pro-nun-ci-a-tion, not -cia-ti-on."""
    if len(found) < 3 or found[-1] not in ("on", "ons") or found[-2][-2:] not in ("ti", "si"):
        return found
    split = re.fullmatch(r"(.*[^aeiou]i)([aeou])", found[-3])
    return [*found[:-3], split[1], split[2], found[-2] + found[-1]] if split else found


def rhyme_tail(sounds: str) -> str:
    """The sounds from the vowel with the main stress on, without stress: words that share them rhyme."""
    place = next((found for sign in "120" if (found := sounds.rfind(sign)) >= 0), -1)
    return re.sub(r"[02]", "", sounds[place - 2 : place] + sounds[place + 1 :]) if place > 0 else ""


@functools.cache
def _words_by_rhyme() -> Postings:
    """Vowel with the main stress and what follows -> places of the words in the table; only words in use."""
    found: dict[str, array[int]] = {}
    for place, (_, frequency, sounds) in enumerate(packed_table("words")):
        if sounds and frequency:
            found.setdefault(rhyme_tail(first_pronunciation(sounds)), array("I")).append(place)
    return Postings(found)


def _words_ending_alike(sounds: Sequence[str]) -> Iterator[tuple[int, str]]:
    """How often a word is used and the word, for all that end as these sounds do."""
    for place in _words_by_rhyme()[rhyme_tail(" ".join(sounds))]:
        word, frequency, _ = packed_table("words")[place]
        yield int(frequency), word


@functools.lru_cache(maxsize=1024)
def rhymes(word: str) -> tuple[str, ...]:
    """Words that rhyme with a word, the most used first; words that sound the same are left out."""
    sounds = word_phones(word)
    ranked = sorted(_words_ending_alike(sounds), key=lambda row: (-row[0], row[1]))
    return tuple(other for _, other in ranked if other != word and word_phones(other) != sounds)


def has_rhymes(word: str) -> bool:
    """Whether any word rhymes with a word."""
    own = word_phones(word)
    return any(other != word and word_phones(other) != own for _, other in _words_ending_alike(own))


@functools.cache
def frequency_by_word() -> Mapping[str, int]:
    """Every word that was counted -> a hundred times its place on the Zipf scale."""
    return {word: int(frequency) for word, frequency, _ in packed_table("words") if frequency}


@functools.cache
def _frequencies() -> array[int]:
    return array("i", sorted(-int(frequency) for _, frequency, _ in packed_table("words") if frequency))


def frequency_rank(word: str) -> int:
    """The place of a word among all words by use; rare words share the last place."""
    found = zipf_frequency(word)
    return (
        bisect_left(_frequencies(), -round(100 * found)) + 1 if found is not None else len(_frequencies()) + 1
    )
