"""Arithmetic in words: "two hundred and fifty plus seventy-five divided by three" as 250 + 75 / 3."""

import re

from toolyard.world.kernel.tables import table_words, values_of

_UNITS = list(table_words("numbers_in_words.units"))
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SMALL = {word: n for n, word in enumerate(_UNITS)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_PHRASES: tuple[tuple[str, str], ...] = tuple(values_of("numbers_in_words.phrases").values())
_FILLER = re.compile(
    r"\b(please|what is|what's|whats|how much is|calculate|compute|evaluate|work out|find|the result of|"
    r"the value of|the answer to|tell me|the|equals?|result of|value of)\b"
)
_OFF = re.compile(r"(\d+(?:\.\d+)?) ?(?:%|percent) off (?:of )?\$?(\d+(?:\.\d+)?)")
_PARTS = {"third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_PART = re.compile(rf"(?:\b(one|two|three|four|five|a)\s+)?\b({'|'.join(_PARTS)})s? of")
_WORD = re.compile(r"log(?:10|2)(?= *\()|[a-z]+|[^a-z\s]+")
_ROOT = re.compile(r"\b(sqrt|cbrt|abs|sin|cos|tan|ln|log|exp|factorial) +(?:of )?(-?[\d.]+(?: \* pi / 180)?)")


def words_to_signs(text: str) -> str:
    """The text with number words as digits and operator words as signs; fillers such as "what is" are gone."""
    lowered = re.sub(r"(?<=[a-z])-(?=[a-z])", " ", text.lower().strip().rstrip("?. ="))
    lowered = _PART.sub(lambda found: f"{_SMALL.get(found[1] or 'one', 1)}/{_PARTS[found[2]]} *", lowered)
    lowered = _OFF.sub(r"(1 - \1/100) * \2", lowered)
    for phrase, sign in _PHRASES:
        lowered = re.sub(
            rf"\b{re.escape(phrase)}\b" if phrase[0].isalpha() else re.escape(phrase), f" {sign} ", lowered
        )
    lowered = re.sub(r"(\d+) factorial\b", r"\1!", _FILLER.sub(" ", lowered))
    parts: list[str] = []
    run: list[str] = []
    for word in _WORD.findall(lowered):
        if word in _SMALL or word in _LARGE or word == "hundred" or (word == "and" and run):
            run.append(word)
            continue
        parts.extend(_number_in_digits(run))
        run = []
        parts.append(word)
    joined = " ".join(parts + _number_in_digits(run)).replace(" . ", ".")
    return _ROOT.sub(r"\1(\2)", re.sub(r" +", " ", joined))


def _number_in_digits(run: list[str]) -> list[str]:
    return [str(_words_to_number(run))] if [word for word in run if word != "and"] else []


def _words_to_number(words: list[str]) -> int:
    total = current = 0
    for word in words:
        if word in _SMALL:
            current += _SMALL[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in _LARGE:
            total += max(current, 1) * _LARGE[word]
            current = 0
    return total + current
