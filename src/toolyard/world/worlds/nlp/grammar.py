"""Parts of speech and base forms of English words, by word lists and endings."""

from __future__ import annotations

from collections.abc import Mapping

from toolyard.world.worlds.word.word import lexicon

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
_IRREGULAR: Mapping[str, str] = {
    "am": "be", "is": "be", "are": "be", "was": "be", "were": "be", "been": "be", "being": "be", "has": "have",
    "had": "have",
    "does": "do", "did": "do", "went": "go", "gone": "go", "made": "make", "said": "say", "saw": "see", "seen": "see",
    "took": "take", "taken": "take", "came": "come", "felt": "feel", "found": "find", "gave": "give", "given": "give",
    "got": "get", "knew": "know", "thought": "think", "bought": "buy", "told": "tell", "wrote": "write", "written": "write",
    "children": "child", "men": "man", "women": "woman", "people": "person", "feet": "foot", "mice": "mouse",
    "better": "good", "best": "good", "worse": "bad", "worst": "bad", "froze": "freeze",
}  # fmt: skip
_VERBS = frozenset(
    "be have do go make say see take come feel find give get know think buy tell write caress pour forget allow listen "
    "enable embrace freeze envelop invite receive reduce highlight discuss jump leap run walk eat drink read live work "
    "need want love".split()
)


def base_form(word: str) -> str:
    """The form under which a dictionary lists a word."""
    lowered = word.lower()
    if lowered in _IRREGULAR:
        return _IRREGULAR[lowered]
    for ending, kept in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("ied", "y")):
        if len(lowered) > 4 and lowered.endswith(ending):
            return lowered[: -len(ending)] + kept
    if len(lowered) > 3 and lowered.endswith("s") and not lowered.endswith(("ss", "us", "is")):
        return lowered[:-1]
    for ending in ("ing", "ed"):
        stem = lowered[: -len(ending)]
        if lowered.endswith(ending) and len(stem) > 2:
            return _verb(stem)
    return lowered


def _verb(stem: str) -> str:
    if stem in _VERBS or (f"{stem}e" not in _VERBS and stem in lexicon()):
        return stem
    if f"{stem}e" in _VERBS or f"{stem}e" in lexicon():
        return f"{stem}e"
    return stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "lsz" else stem


def part_of_speech(word: str, previous: str = "") -> str:
    """The part of speech of a word after another one."""
    lowered = word.lower()
    if word[0].isdigit():
        return "number"
    if lowered in _CLOSED:
        return _CLOSED[lowered]
    base = base_form(lowered)
    after_noun_marker = _CLOSED.get(previous.lower()) in ("determiner",)
    if base in _VERBS and not after_noun_marker:
        return "verb"
    if lowered in lexicon():
        kinds = [row["part_of_speech"] for row in lexicon()[lowered]]
        return "noun" if after_noun_marker and "noun" in kinds else kinds[0]
    if word[0].isupper() and previous:
        return "proper noun"
    return _by_ending(lowered)


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
