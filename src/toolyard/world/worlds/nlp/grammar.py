"""Parts of speech and base forms of English words, by the dictionary."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence

from toolyard.world.reference import wordnet

_CLOSED: Mapping[str, str] = {
    word: kind
    for kind, listed in {
        "determiner": "a an the this that these those my your his her its our their some any each every no all both",
        "pronoun": "i you he she it we they me him us them who what which myself yourself himself herself itself",
        "preposition": "in on at by for from to of with within without about over under between beneath into through "
        "during before after against among across behind near away down up off",
        "conjunction": "and or but as because while if when so than although though since until",
        "auxiliary": "am is are was were be been being have has had do does did will would can could may might shall "
        "should must",
        "adjective": "gentle warm cold hot new old long short high low great young free full inner recent urgent different "
        "important early late strong weak clean dirty soft hard red blue green white black open quiet deep wide own rude",
        "adverb": "not very too also never always often quietly fully extremely here there now then just only well soon",
    }.items()
    for word in listed.split()
}
_FORMS_OF_BE = frozenset("am is are was were be been".split())
_LIKE_ADJECTIVES = frozenset(
    "boring interesting exciting amazing surprising confusing tiring annoying charming promising challenging disappointing "
    "missing outstanding willing loving caring convincing encouraging frustrating misleading relaxing shocking stunning "
    "terrifying touching worrying alarming demanding fascinating inspiring outgoing pressing rewarding satisfying".split()
)
_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million".split()
)
_IRREGULAR: Mapping[str, str] = {
    "am": "be", "is": "be", "are": "be", "was": "be", "were": "be", "been": "be", "being": "be", "has": "have",
    "had": "have",
    "does": "do", "did": "do", "went": "go", "gone": "go", "made": "make", "said": "say", "saw": "see", "seen": "see",
    "took": "take", "taken": "take", "came": "come", "felt": "feel", "found": "find", "gave": "give", "given": "give",
    "got": "get", "knew": "know", "thought": "think", "bought": "buy", "told": "tell", "wrote": "write", "written": "write",
    "children": "child", "men": "man", "women": "woman", "people": "person", "feet": "foot", "mice": "mouse",
    "them": "they", "me": "i", "him": "he", "us": "we",
    "better": "good", "best": "good", "worse": "bad", "worst": "bad", "froze": "freeze",
}  # fmt: skip


@functools.lru_cache(maxsize=20_000)
def base_form(word: str) -> str:
    """The form under which a dictionary lists a word; the word itself where it is listed as nothing else."""
    lowered = word.lower()
    if lowered in _IRREGULAR:
        return _IRREGULAR[lowered]
    listed = wordnet.parts_by_use(lowered)
    for part in ("n", "v", "a"):
        forms = wordnet.base_forms(lowered, part)
        # "waves" and "running" are listed as words of their own too, "gas" and "bring" have no other base.
        if forms and forms[0] != lowered and (not listed or lowered.endswith(("s", "ed", "ing"))):
            return forms[0].replace("_", " ")
    return lowered


def part_of_speech(word: str, previous: str = "") -> str:
    """The part of speech of a word after another one: the commonest in tagged texts that fits there."""
    lowered = word.lower()
    if word[0].isdigit() or lowered in _NUMBERS:
        return "number"
    if lowered in _CLOSED:
        return _CLOSED[lowered]
    before = _CLOSED.get(previous.lower())
    if word[0].isupper() and previous and before != "auxiliary":
        return "proper noun"
    kinds = wordnet.parts_by_use(lowered) or wordnet.parts_by_use(base_form(lowered))
    if not kinds:
        return _by_ending(lowered)
    if before in ("pronoun", "auxiliary") and "verb" in kinds:
        return "verb"
    progressive = (
        lowered.endswith("ing") and lowered not in _LIKE_ADJECTIVES and wordnet.base_forms(lowered, "v")
    )
    if progressive and previous.lower() in _FORMS_OF_BE:
        return "verb"
    if lowered.endswith(("ing", "ed")) and (before == "adverb" or previous.lower().endswith("ly")):
        return "verb"
    if before in ("determiner", "preposition") and "noun" in kinds and kinds[0] != "adjective":
        return "noun"
    return kinds[0]


_CONTRACTED: Mapping[str, str] = {
    "can't": "can", "won't": "will", "don't": "do", "doesn't": "do", "didn't": "do", "isn't": "be", "aren't": "be",
    "wasn't": "be", "weren't": "be", "hasn't": "have", "haven't": "have", "hadn't": "have", "couldn't": "can",
    "wouldn't": "will", "shouldn't": "shall", "mustn't": "must",
}  # fmt: skip
_OF_SAYING = frozenset(
    "believe believes believed think thinks say says said know knows knew hope hopes show shows showed found report "
    "reports reported argue argues argued claim claims claimed fear fears told warn warns warned".split()
)
_SUBJECTS = ("noun", "proper noun", "pronoun")


def tagged(words: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The words of one sentence with base form and part of speech."""
    kinds: list[str] = []
    for number in range(len(words)):
        kinds.append(_tag(words, number, kinds))
    for word, kind in zip(words, kinds, strict=True):
        yield word, _lemma(word.lower().replace("’", "'"), kind), kind


def _tag(words: Sequence[str], number: int, kinds: Sequence[str]) -> str:
    word = words[number].replace("’", "'")
    lowered = word.lower()
    previous, before = (words[number - 1], kinds[-1]) if number else ("", "")
    following = words[number + 1].lower() if number + 1 < len(words) else ""
    if lowered in _CONTRACTED:
        return "auxiliary"
    if re.fullmatch(r"(?:i|you|he|she|it|we|they|that|there|who|what)'(?:s|m|re|ve|ll|d)", lowered):
        return "pronoun"
    if lowered == "that" and previous.lower() in _OF_SAYING:
        return "conjunction"
    if re.fullmatch(r"(?:[A-Z]\.)+", word) or (not number and word[0].isupper() and is_name(lowered)):
        return "proper noun"
    kind = part_of_speech(word, previous)
    past = wordnet.is_irregular(lowered, "v")
    if past and before in _SUBJECTS and kind in ("noun", "adjective"):
        return "verb"
    if kind == "verb" and before in ("noun", "proper noun") and _is_noun(lowered) and _opens_verb(following):
        return "noun"
    after_noun_phrase = before == "adjective" and number > 1 and kinds[-2] in ("determiner", "adjective")
    if kind == "verb" and after_noun_phrase and _is_noun(lowered) and not lowered.endswith(("ed", "ing")):
        return "noun"
    return kind


def _is_noun(word: str) -> bool:
    return "noun" in (*wordnet.parts_by_use(word), *wordnet.parts_by_use(base_form(word)))


def _opens_verb(word: str) -> bool:
    return _CLOSED.get(word) == "auxiliary" or wordnet.is_irregular(word, "v")


def is_name(word: str) -> bool:
    """Whether the dictionary has a word with a capital letter only."""
    spelt = [name for sense in wordnet.senses(word) for name in sense.words if name.lower() == word]
    return bool(spelt) and all(name[0].isupper() for name in spelt) and word not in _CLOSED


def _lemma(word: str, kind: str) -> str:
    if word in _CONTRACTED:
        return _CONTRACTED[word]
    if kind == "pronoun" and "'" in word:
        return word.partition("'")[0]
    sign = {"verb": "v", "noun": "n"}.get(kind)
    forms = wordnet.base_forms(word, sign) if sign and word not in _IRREGULAR else []
    return forms[0].replace("_", " ") if forms else base_form(word)


def _by_ending(word: str) -> str:
    for kind, endings in (
        ("adverb", ("ly",)),
        ("noun", ("tion", "ment", "ness", "ity", "ance", "ence", "ism", "ship", "ing")),
        ("adjective", ("ous", "ful", "ive", "able", "ible", "ish", "less", "ic", "al", "esque", "y", "ed")),
        ("verb", ("ise", "ize", "ify")),
    ):
        if len(word) > 4 and word.endswith(endings):
            return kind
    return "noun"
