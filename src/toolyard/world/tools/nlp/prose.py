"""Text taken apart: sentences, words, syllables, readability, weights of words."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from toolyard.core.ordered_sums import sum_in_order
from toolyard.world.index import words as search_words
from toolyard.world.kernel.tables import table_texts
from toolyard.world.reference import pronunciation as sounds

_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_WORD = re.compile(r"(?:[A-Za-z]\.){2,}|[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+(?:[.,]\d+)*")
_ABBREVIATION = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|St|vs|etc|e\.g|i\.e|No|Prof|Gen|Gov|Sen|Rep|Rev|Capt|Lt|Col|Sgt|Mt|Fig|approx)\.",
    re.IGNORECASE,
)
# These end a sentence, too, where one plainly begins behind them.
_LAST = re.compile(
    r"\b(?:(?:Inc|Corp|Co|Ltd|Jr|Sr|Bros|Jan|Feb|Aug|Sept|Oct|Nov|Dec)\.|(?:[A-Za-z]\.){2,})"
    r"(?! (?:The|A|An|It|He|She|We|They|I|This|That|These|In|On|At|But|And|However|There|You|Its|His|Her|Our)\b)(?!\s*$)"
)
_INITIAL = re.compile(r"\b[A-Z]\.(?= [A-Z])")
_INNER = re.compile(r"\b(?:[A-Za-z]\.)+(?=[A-Za-z]\.)")
_DECIMAL = re.compile(r"(?<=\d)\.(?=\d)")
_POINTED = re.compile(r"(?:[a-z]\.)+")
_VOWELS = re.compile(r"[aeiouy]+")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, without outer blanks; points of abbreviations do not end one."""
    marked = _DECIMAL.sub("\0", text)
    for pattern in (_ABBREVIATION, _LAST, _INNER, _INITIAL):
        marked = pattern.sub(lambda match: match[0].replace(".", "\0"), marked)
    found = (part.strip().replace("\0", ".") for part in _SENTENCE.findall(marked))
    return [part for part in found if any(sign.isalnum() for sign in part)]


def words(text: str) -> list[str]:
    """Words and numbers in order, as written."""
    return _WORD.findall(text)


def count_syllables(word: str) -> int:
    """The syllables of an English word as it is spoken; of one whose sounds no dictionary has, its groups of vowels."""
    lowered = word.lower().replace("’", "'")
    if _POINTED.fullmatch(lowered):
        return sum(3 if sign == "w" else 1 for sign in lowered if sign != ".")
    spoken = [_spoken_vowels(part) for part in lowered.split("-") if part]
    return sum(spoken) if all(spoken) else _syllables_by_letters(lowered)


def _spoken_vowels(word: str) -> int:
    """The vowels of the shortest way to speak a word, or that which it is a genitive of; 0 where none is known."""
    if sounds.has_pronunciation(word):
        ways = (sounds.word_phones(word), *sounds.other_pronunciations(word))
        return min(sum(sound[-1].isdigit() for sound in way) for way in ways)
    own = word.removesuffix("'s")
    if own == word:
        return 0
    return (
        _spoken_vowels(own) + own.endswith(("s", "x", "z", "ch", "sh", "ce", "ge"))
        if _spoken_vowels(own)
        else 0
    )


def _syllables_by_letters(lowered: str) -> int:
    count = len(_VOWELS.findall(lowered))
    silent = lowered.endswith("e") and not lowered.endswith(("le", "ee", "ye")) and count > 1
    return max(count - silent, 1)


def reading_ease(text: str) -> float:
    """Flesch reading ease: 206.835 - 1.015 words per sentence - 84.6 syllables per word (Flesch, 1948)."""
    found = [word for word in words(text) if word[0].isalpha()]
    if not found:
        return 0.0
    per_sentence = len(found) / max(len(split_sentences(text)), 1)
    return round(206.835 - 1.015 * per_sentence - 84.6 * sum(map(count_syllables, found)) / len(found), 1)


# Words that stand in any text and say nothing about what it is of.
_FILLERS = frozenset(search_words(table_texts("prose.fillers")["all"]))


def word_weights(texts: Sequence[str]) -> list[dict[str, float]]:
    """Each text as word -> weight (term frequency times inverse document frequency), of length 1."""
    counts = [Counter(term for term in search_words(text) if term not in _FILLERS) for text in texts]
    spread = Counter(term for count in counts for term in count)
    found = []
    for count in counts:
        row = {term: n * math.log(1 + len(texts) / spread[term]) for term, n in count.items()}
        norm = math.sqrt(sum_in_order(value * value for value in row.values())) or 1.0
        found.append({term: value / norm for term, value in row.items()})
    return found


def cosine_likeness(one: dict[str, float], other: dict[str, float]) -> float:
    """Cosine of two weighted texts."""
    return sum_in_order(value * other[term] for term, value in one.items() if term in other)


# How like a group a text must be on average to join it, and two groups each other to become one.
_ALIKE, _MUCH_ALIKE = 0.08, 0.22


def cluster_texts(vectors: Sequence[dict[str, float]]) -> list[list[int]]:
    """The numbers of texts in groups: the two groups that are most alike on average are joined, again and again."""
    groups = {number: [number] for number in range(len(vectors))}
    alike = {
        (one, other): cosine_likeness(vectors[one], vectors[other])
        for one in groups
        for other in groups
        if one < other
    }
    while alike:
        one, other = max(alike, key=alike.__getitem__)
        sizes = len(groups[one]), len(groups[other])
        if alike[one, other] < _ALIKE:
            break
        if min(sizes) > 1 and alike[one, other] < _MUCH_ALIKE:
            alike[one, other] = 0.0
            continue
        del alike[one, other]
        for third in groups:
            if third not in (one, other):
                near, far = (min(one, third), max(one, third)), (min(other, third), max(other, third))
                alike[near] = (sizes[0] * alike[near] + sizes[1] * alike.pop(far)) / sum(sizes)
        groups[one] = sorted(groups[one] + groups.pop(other))
    return sorted(groups.values())
