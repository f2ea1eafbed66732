"""Parts of speech and base forms of English words, by the dictionary."""

from __future__ import annotations

import functools
from collections.abc import Mapping

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
