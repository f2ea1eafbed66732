"""Which values of a plan its text does not say, and by which rule it says the others.

word for word    the value as it is, whatever the case
number           "four" for 4, "1,500" for 1500, "half" for 0.5, "20 percent" where the value is 20
date             "June 3, 2024", "3 June 2024", "3rd of June 2024" for 2024-06-03
declared         other words that the author names for a value or for a parameter: {NO = "Norway", aqi = "air quality"}
"""

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence

from toolyard.core.types import JsonValue
from toolyard.synth.chains.chain import PlannedStep, ResultReference
from toolyard.text.counted_nouns import SMALL_NUMBERS, TENS
from toolyard.text.json_values import leaves
from toolyard.text.ordinals import MONTHS, ordinal_day

WORD, NUMBER, DATE, DECLARED = "word for word", "number", "date", "declared"
_WORDS = {number: word for word, number in SMALL_NUMBERS.items()}
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")


def find_unsaid(text: str, plan: Sequence[PlannedStep], says: Mapping[str, str]) -> tuple[str, ...]:
    """The values that the text does not say, as `tool parameter: value`."""
    return tuple(
        f"{step.tool} {name}: {value}"
        for step in plan
        for name, value in step_values(step)
        if saying_rule(text, name, value, says) is None
    )


def step_values(step: PlannedStep) -> Iterator[tuple[str, JsonValue]]:
    """Every plain value that a step gives, lists one by one, with its parameter."""
    for name, given in step.arguments.items():
        for value in leaves(given):
            if not isinstance(value, ResultReference):
                yield name, value


def saying_rule(text: str, parameter: str, value: JsonValue, says: Mapping[str, str]) -> str | None:
    """The rule by which the text says a value of that parameter, None where it does not."""
    if not isinstance(value, bool):
        if is_whole_word(str(value), text) or _says_whole_number(value, text):
            return WORD
        if any(is_whole_word(form, text) for form in _number_words(value)):
            return NUMBER
        if any(is_whole_word(form, text) for form in _spoken_dates(value)):
            return DATE
    declared = [says[key] for key in (str(value), parameter) if key in says]
    return DECLARED if any(is_whole_word(words, text) for words in declared) else None


def is_whole_word(form: str, text: str) -> bool:
    """Whether the form is in the text as whole words, whatever the case and the spaces."""
    words = r"\s+".join(map(re.escape, form.split()))
    before = r"(?<!\w)" if form[:1].isalnum() else ""
    after = r"(?!\w)" if form[-1:].isalnum() else ""
    return bool(words) and re.search(f"{before}{words}{after}", text, re.IGNORECASE) is not None


def _says_whole_number(value: object, text: str) -> bool:
    return isinstance(value, float) and value.is_integer() and is_whole_word(str(int(value)), text)


def _number_words(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str) or not isinstance(value, int | float):
        return
    if value == 0.5:
        yield "half"
    if not float(value).is_integer():
        return
    whole = int(value)
    yield f"{whole:,}"
    yield from (
        f"{whole}{unit}" for unit in ("g", "kg", "km", "m", "cm", "th", "st", "nd", "rd", "pm", "am", "%")
    )
    if whole in _WORDS:
        yield _WORDS[whole]
    for word, number in TENS.items():
        if whole == number:
            yield word
        elif number < whole < number + 10:
            yield f"{word}-{_WORDS[whole - number]}"
    if whole in (1, 2):
        yield ("once", "twice")[whole - 1]
    if whole and whole % 100 == 0 and whole // 100 in _WORDS:
        yield f"{_WORDS[whole // 100]} hundred"


def _spoken_dates(value: JsonValue) -> Iterator[str]:
    found = _ISO.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return
    try:
        day = datetime.date(*map(int, found.groups()))
    except ValueError:
        return
    for month in (MONTHS[day.month - 1], MONTHS[day.month - 1][:3]):
        for number in (str(day.day), ordinal_day(day.day)):
            for comma in (",", ""):
                yield f"{month} {number}{comma} {day.year}"
            yield f"{number} {month} {day.year}"
            yield f"{number} of {month} {day.year}"
            yield f"{number} of {month}, {day.year}"
