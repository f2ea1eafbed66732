"""What a text speaks of besides names: concepts, times and sums of money."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from toolyard.world.kernel.tables import table_words
from toolyard.world.reference.days import MONTHS
from toolyard.world.reference.wordnet import parts_by_use, senses
from toolyard.world.tools.nlp import prose
from toolyard.world.tools.nlp.grammar import tag_words
from toolyard.world.tools.nlp.nlp_shapes import Concept

_MONEY = re.compile(
    r"[$€£¥]\s?\d[\d,]*(?:\.\d+)?(?:[mbk]\b|bn\b| (?:thousand|million|billion|trillion)\b)?"
    r"|\b\d[\d,]*(?:\.\d+)? (?:(?:thousand|million|billion|trillion) )?"
    r"(?:(?:US |Canadian |Australian )?dollars?|euros?|pounds?(?! of\b)|yen|yuan|rupees?|francs?|pesos?|cents?|"
    r"USD|EUR|GBP|JPY|CHF)\b"
)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_UNITS = "second|minute|hour|day|week|month|year|decade|centur(?:y|ie)"
_COUNTS = r"(?:\d+|a few|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|several|many)"
_SEASON = "spring|summer|autumn|fall|winter"
_HOURS = "morning|afternoon|evening|night"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)"
_PLACES = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
_MONTH = "|".join(MONTHS)
_WHEN = re.compile(
    rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b"
    rf"|\b(?:(?:the )?(?:{_ORDINAL}|{_PLACES}) of |{_ORDINAL} )(?:{_MONTH})(?:,? \d{{4}})?\b"
    rf"|\b(?:\d{{1,2}} )?(?:{_MONTH})(?: \d{{1,2}}(?:st|nd|rd|th)?(?!\d))?(?:,? \d{{4}})?\b"
    rf"|\b(?:(?:[Nn]ext|[Ll]ast|[Tt]his|[Ee]very) )?(?:{'|'.join(_WEEKDAYS)})s?(?: (?:{_HOURS})s?)?\b"
    r"|\b(?:[Ww]eekends|[Ww]eekdays|[Ww]eeknights)\b"
    rf"|\b(?:[Tt]oday|[Tt]omorrow|[Yy]esterday|[Tt]onight)(?: (?:morning|afternoon|evening|night))?\b"
    rf"|\b(?:[Nn]ext|[Ll]ast|[Tt]his|[Ee]very) (?:week(?:end)?|month|quarter|year|decade|century|{_SEASON}|{_HOURS})\b"
    rf"|\b{_COUNTS} (?:{_UNITS})s? (?:ago|later|earlier)\b"
    rf"|\b(?:{_ORDINAL}|nineteenth|twentieth|twenty-first|eighteenth|seventeenth|sixteenth) centur(?:y|ies)\b"
    rf"|\b(?:the )?(?:{_SEASON}) of (?:1[5-9]|20)\d{{2}}\b|\b(?:1[5-9]|20)\d0s\b"
    r"|\b(?:at )?\b(?:noon|midnight)\b"
    r"|\b\d{1,2}(?::\d{2})? ?(?:am|pm|a\.m\.|p\.m\.)(?!\w)|\b(?:[01]?\d|2[0-3]):[0-5]\d\b"
    r"|(?<![$€£¥\d,.])\b(?:1[5-9]|20)\d{2}\b(?!,\d|\s*(?:people|%|km|kg|euros|dollars|pounds|workers|jobs|students))"
)
# Pairs that mean one thing although no dictionary of the year 2006 lists them.
_PAIRS = frozenset(table_words("concepts_times_money.pairs"))
_VAGUE = frozenset(table_words("concepts_times_money.vague"))


def find_times(txt: str) -> list[str]:
    """The days, hours and stretches of time that a text names, as it writes them."""
    return [match[0] for match in _WHEN.finditer(txt)]


def find_sums(txt: str) -> list[str]:
    """The sums of money that a text names, as it writes them."""
    return [match[0] for match in _MONEY.finditer(txt)]


def find_concepts(txt: str, names: Collection[str] = ()) -> list[Concept]:
    """The nouns of a text, those that belong together as one, but for names, times and sums of money; most used first."""
    told = {part.strip(".,").lower() for said in (*find_times(txt), *find_sums(txt)) for part in said.split()}
    left = told | {part.lower() for name in names for part in name.split()}
    counts = Counter(form for sentence in prose.split_sentences(txt) for form in _in_sentence(sentence, left))
    top = max(counts.values(), default=1)
    return [Concept(form=form, count=n, relevance=round(100 * n / top)) for form, n in counts.most_common(10)]


def _in_sentence(sentence: str, left: Collection[str]) -> Iterator[str]:
    rows = [(word, lemma, "" if word.lower() in left else part) for word, lemma, part in tag_words(sentence)]
    number = 0
    while number < len(rows):
        taken = _longest_concept(rows, number, sentence)
        if taken > 1:
            before = (row[0].lower() for row in rows[number : number + taken - 1])
            yield " ".join([*before, rows[number + taken - 1][1].lower()])
        elif _is_common_noun(rows, number) and _is_concept(rows[number][1]):
            yield rows[number][1]
        number += taken


def _is_common_noun(rows: Sequence[tuple[str, str, str]], number: int) -> bool:
    """Whether a word is a noun in small letters, or the first one of its sentence."""
    word, _, part = rows[number]
    return part == "noun" and len(word) > 2 and (word.islower() or (number == 0 and word[1:].islower()))


def _longest_concept(rows: Sequence[tuple[str, str, str]], number: int, sentence: str) -> int:
    """How many words from this one on are one concept: nouns side by side, or a pair that a dictionary lists."""
    nouns = number
    while (
        nouns < len(rows)
        and nouns < number + 3
        and _is_common_noun(rows, nouns)
        and _side_by_side(rows, number, nouns, sentence)
    ):
        nouns += 1
    while nouns - number > 1 and not _is_concept(rows[nouns - 1][1]):
        nouns -= 1
    if nouns - number > 1 and all(_is_concept(rows[place][1]) for place in range(number, nouns)):
        return nouns - number
    pair = rows[number : number + 2]
    if len(pair) == 2 and (pair[0][0].islower() or number == 0) and pair[1][0].islower():
        joined = f"{pair[0][0].lower()} {pair[1][1].lower()}"
        if joined in _PAIRS or (
            (pair[0][2], pair[1][2]) != ("noun", "verb")  # the cat sleeps: no catnap
            and pair[0][2] in ("adjective", "noun", "verb")
            and pair[1][2] in ("noun", "verb")
            and _is_dictionary_noun(joined)
        ):
            return 2
    return 1


def _side_by_side(rows: Sequence[tuple[str, str, str]], first: int, last: int, sentence: str) -> bool:
    """Whether only blanks stand between these words, and no plural before the last."""
    if last == first:
        return True
    word = rows[last - 1][0]
    return f"{word} {rows[last][0]}" in sentence and rows[last - 1][1] == word.lower()


def _is_dictionary_noun(pair: str) -> bool:
    """Whether the dictionary has a pair of words as a noun in small letters."""
    found = [
        name for sense in senses(pair) if sense.part == "n" for name in sense.words if name.lower() == pair
    ]
    return any(name.islower() for name in found)


def _is_concept(word: str) -> bool:
    """Whether a word is mostly a noun, and one that says something by itself."""
    return "noun" in parts_by_use(word) and word not in _VAGUE
