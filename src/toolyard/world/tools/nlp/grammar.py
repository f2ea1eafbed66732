"""Parts of speech and base forms of English words, by the dictionary."""

import re
from collections.abc import Iterator, Mapping

from toolyard.world.kernel.tables import table_texts
from toolyard.world.reference import wordnet
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.tools.nlp import tagging

_IRREGULAR: Mapping[str, str] = table_texts("grammar.irregular")


_CONTRACTED: Mapping[str, str] = table_texts("grammar.contracted")
_TOKEN = re.compile(r"(?:[A-Za-z]\.){2,}|[^\W\d_]+(?:['’-][^\W\d_]+)*['’]?|\d+(?:[.,]\d+)*|[,;:()—–]")


def tag_words(sentence: str) -> Iterator[tuple[str, str, str]]:
    """The words of one sentence with base form and part of speech."""
    words = [_trim_token(token) for token in _TOKEN.findall(sentence)]
    if not words:
        return
    found = tagging.best_tags(words, [word != "," and is_name(_owner(word.lower())) for word in words])
    for place, (word, sign) in enumerate(zip(words, found, strict=True)):
        if sign != ",":
            # An adjective with a capital letter inside a sentence comes from a name: Roman soldiers.
            capital = sign == "J" and word[0].isupper() and (place > 0 or is_name(word.lower()))
            named = sign in ("NP", "SP") or capital
            lemma = _DAY.sub(r"\1", _owner(word)) if named else _lemma(word.lower().replace("’", "'"), sign)
            yield word, "I" if lemma == "i" else lemma, tagging.NAMES[sign]


def _owner(word: str) -> str:
    """A word without the ending of a possessive."""
    return re.sub(r"(?:['’]s|(?<=s)['’])$", "", word)


def _trim_token(token: str) -> str:
    """A token without a closing quotation mark; the mark of a possessive plural stays. Signs between clauses are commas."""
    if token[0] in ",;:()—–":
        return ","
    return token[:-1] if token[-1] in "'’" and not token[:-1].lower().endswith("s") else token


_DAY = re.compile(r"^((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s$")
# Given names that are small words, too.
_GIVEN = frozenset(
    "john jack mark grace rose frank bill bob rob pat sue lily daisy violet ruby amber victor miles pearl jenny".split()
)


def is_name(word: str) -> bool:
    """Whether the dictionary has a word with a capital letter only."""
    spelt = [name for sense in wordnet.senses(word) for name in sense.words if name.lower() == word]
    given = " " not in word and bool(packed_table("first_names").with_key(word)) and word in _GIVEN
    return given or (bool(spelt) and all(name[0].isupper() for name in spelt) and not tagging.is_closed(word))


def _lemma(word: str, sign: str) -> str:
    if word in _CONTRACTED:
        return _CONTRACTED[word]
    if sign == "PX":
        return word.partition("'")[0]
    if sign in ("S", "SP"):
        word = word.removesuffix("'s").removesuffix("'")
        sign = (
            "N2"
            if word.endswith("s")
            else "N1"
            if word not in ("children", "men", "women", "people")
            else "N2"
        )
    if sign in ("NP", "N1", "R", "D", "DS", "IN", "CC", "#", "X", "TO") or word in tagging.SAME_PLURAL:
        return "a" if word == "an" else _IRREGULAR.get(word, word) if sign == "N2" else word
    if sign == "V0":
        return word
    if sign == "J" and word == "left":
        return word
    if word in _IRREGULAR and (sign[0] in "VM" or sign in ("N2", "PO", "J")):
        return _IRREGULAR[word]
    part = {"V": "v", "N": "n", "J": "a"}.get(sign[0])
    forms = wordnet.base_forms(word, part) if part else []
    if sign == "J" and not word.endswith(("er", "est")):
        return word
    return forms[0].replace("_", " ") if forms else word
