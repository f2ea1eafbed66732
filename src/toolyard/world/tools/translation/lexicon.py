"""The lexicon of the translation tools: our own words and phrases, and the names that the locales hold.

A row of the tables says one thing in all languages; a cell may hold several forms, the usual one first: "cachorro/cão".
"""

import functools
import re
from collections.abc import Iterator, Mapping

from toolyard.text.names import capitalise
from toolyard.world.kernel.tables import read_table, table_rows, table_texts, table_words
from toolyard.world.reference.wordnet import parts_by_use

LANGUAGES = ("en", "es", "fr", "de", "it", "pt", "nl", "zh", "ja", "ru", "ko", "ar", "pl", "sv", "tr")
NO_SPACES = ("zh", "ja")
_BEFORE = {"verb": ("to ",), "adjective": (), "noun": ("the ", "a ", "an "), "": ("the ", "a ", "an ", "to ")}
_WIDE = dict(zip("，。！？、；：", ",.!?,;:", strict=True))
_PART = re.compile(r"[^.,!?;:。，！？、；：]+|[.,!?;:。，！？、；：]+")
# English as it is spoken -> as the table writes it.
_SHORTENED = table_texts("lexicon.shortened")
_QUOTES = re.compile(r"[\"“”«»()¿¡]+")


def _row_forms(row: Mapping[str, str], language: str) -> list[str]:
    """All that a row is called in a language, the usual form first."""
    found = row[language].split("/")
    if language == "en":
        found += [before + found[0] for before in _BEFORE[row.get("pos", "")]]
    return found


def _locale_names(source: str, target: str) -> Iterator[tuple[str, str]]:
    """Names of weekdays, months, countries and languages in both languages."""
    from babel import Locale

    here, there = Locale.parse(source), Locale.parse(target)
    for calendar in ("days", "months"):
        names = (getattr(locale, calendar)["stand-alone"]["wide"] for locale in (here, there))
        first, second = names
        yield from ((first[number], second[number]) for number in first)
    for kind in ("territories", "languages"):
        mine, theirs = getattr(here, kind), getattr(there, kind)
        yield from ((mine[code], theirs[code]) for code in mine if code.isalpha() and code in theirs)


@functools.cache
def common_words_only() -> Mapping[str, Mapping[str, str]]:
    """Languages of which only the commonest words are known -> English word -> the same there."""
    return {
        row["language"]: {word: said for word, said in row.items() if word != "language" and said}
        for row in read_table("translations_more.tsv")
    }


def _rare_language_words(source: str, target: str) -> dict[str, str]:
    """The words that are known in two languages of which at least one has few."""
    here, there = (
        {row["en"].split("/")[0].lower(): row[language].split("/")[0] for row in _rows() if row.get(language)}
        if language in LANGUAGES
        else common_words_only()[language]
        for language in (source, target)
    )
    return {said.lower(): there[word] for word, said in here.items() if word in there}


def _rows() -> Iterator[Mapping[str, str]]:
    yield from table_rows("phrases.tsv")
    yield from table_rows("translations.tsv")


@functools.lru_cache(maxsize=64)
def word_pairs(source: str, target: str) -> Mapping[str, str]:
    """What is said in one language -> the same in the other; phrases first, then words, then names."""
    found: dict[str, str] = {}
    if source in common_words_only() or target in common_words_only():
        found = _rare_language_words(source, target)
        for name, other in _locale_names(source, target):
            found.setdefault(name.lower(), other)
        return found
    # A greeting of one word is the plain word before it is a phrase: bonjour is hello.
    plainly = [
        row for row in table_rows("translations.tsv") if source not in NO_SPACES or row["en"] == "hello"
    ]
    single = {form for row in plainly for form in _row_forms(row, source)} if source != "en" else set()
    for table in ("phrases.tsv", "translations.tsv"):
        for row in table_rows(table):
            said = row[target].split("/")[0]
            if target == "de" and table == "translations.tsv" and row["pos"] != "verb":
                said = _german_capitals(said, row["en"].split("/")[0])
            if target == "en":
                said = _CAPITALS.sub(lambda match: match[0].capitalize(), said)
            for form in _row_forms(row, source):
                if table != "phrases.tsv" or " " in form or form not in single:
                    found.setdefault(form.lower(), said)
    for name, other in _locale_names(source, target):
        found.setdefault(name.lower(), other)
    return found


# English words that a dictionary lists as nouns first although they are not translated as nouns, and the other way round.
_SMALL = frozenset(table_words("lexicon.small"))
_NOUNS = frozenset("fire star man help answer question light".split())


def _german_capitals(said: str, english: str) -> str:
    """A German word with the capital that nouns have; what may be a verb's infinitive stays as it is."""
    if english in _SMALL or english in _NOUNS:
        return said if english in _SMALL else capitalise(said)
    kinds = parts_by_use(english.lower())
    if kinds[:1] != ("noun",) or ("verb" in kinds and said.endswith("n")):
        return said
    return capitalise(said)


def translate_parts(text: str, source: str, target: str) -> list[tuple[str, str]] | None:
    """The parts of a text between its signs and what they are in the other language, signs too; None if one is unknown.

    Words are not put together: outside the phrases that are known, word by word would be misleading.
    """
    known = word_pairs(source, target)
    whole = _normal_phrase(text, source)
    if whole.rstrip(".!?。！？ ") in known:
        whole = whole.rstrip(".!?。！？ ")
    found: list[tuple[str, str]] = []
    for match in _PART.finditer(whole) if whole not in known else ():
        part = match[0].strip()
        if part and part not in known and not is_sign(part):
            return None
        if part:
            found.append((part, _translate_sign(part, target) if is_sign(part) else known[part]))
    return found if whole not in known else [(whole, known[whole])]


def _normal_phrase(text: str, source: str) -> str:
    words = _QUOTES.sub(" ", text.lower().replace("’", "'")).split()
    return " ".join(_SHORTENED.get(word, word) if source == "en" else word for word in words)


def is_sign(part: str) -> bool:
    """Whether a part of a text is signs only."""
    return not any(sign.isalnum() for sign in part)


def _translate_sign(part: str, target: str) -> str:
    narrow = "".join(_WIDE.get(sign, sign) for sign in part)
    if target not in NO_SPACES:
        return narrow
    wide = {sign: full for full, sign in _WIDE.items() if full != "、"}
    return "".join(wide.get(sign, sign) for sign in narrow)


def join_parts(parts: list[tuple[str, str]], target: str) -> str:
    """The translated parts as one text, without the sign at the end."""
    while parts and is_sign(parts[-1][0]):
        parts = parts[:-1]
    text = ""
    for source, said in parts:
        between = "" if not text or target in NO_SPACES or is_sign(source) else " "
        text += between + said
    return text


# The tables write English in small letters.
_CAPITALS = re.compile(
    r"\b(?:i|english|german|french|germany|paris|christmas|easter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
    r"january|february|april|june|july|august|september|october|november|december)\b"
)


def single_words(text: str, source: str, target: str) -> tuple[dict[str, str], list[str]]:
    """The words of a text that are known with their translations, and those that are not."""
    known = word_pairs(source, target)
    plain = _QUOTES.sub(" ", text.lower())
    words = list(dict.fromkeys(part for piece in _PART.findall(plain) for part in piece.split()))
    named = [word for word in words if not is_sign(word)]
    return {word: known[word] for word in named if word in known}, [
        word for word in named if word not in known
    ]
