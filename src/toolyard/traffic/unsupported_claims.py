"""Numbers and names in an answer that stand in nothing the agent was told or shown.

A number is supported where a source holds it, or one that rounds to it; a date where a source holds its year, month and
day in whatever form; a name where a source holds its words. What an agent works out for itself (a sum, a difference) is
not in any source and is reported, too: a reader decides.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

NUMBER = re.compile(r"(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|(?<![\w.,])-?\d+(?:\.\d+)?(?![\w])")
# Words with a capital that do not begin a sentence, together with those that follow.
NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][\w'’-]+(?: (?:of |de |the )?[A-Z][\w'’-]+)*")
# How many things there are, steps and ratings: people count for themselves.
SMALL = 12
# Beyond these a float has nothing to round.
MOST_DECIMALS = 20
TIME = re.compile(r"\d{1,2}:\d{2}")
DATE = re.compile(r"(?<!\w)\d{4}-\d{2}-\d{2}(?!\d)")
LIST_MARK = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s+", re.MULTILINE)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
NO_NAMES = frozenset({"I'm", "I've", "I'll", "English", "Celsius", "Fahrenheit", *DAYS, *MONTHS})


def unsupported_claims(answer: str, sources: Sequence[str]) -> tuple[list[str], int]:
    """The claims of an answer that no source holds, and how many claims there are."""
    text = LIST_MARK.sub("", answer)
    shown = "\n".join(sources)
    known, folded = KnownNumbers({_number_value(found) for found in NUMBER.findall(shown)}), shown.casefold()
    plain = TIME.sub(" ", DATE.sub(" ", text))
    numbers = [
        found
        for found in NUMBER.findall(plain)
        if not ("." not in found and abs(_number_value(found)) <= SMALL)
    ]
    names = [found for found in dict.fromkeys(NAME.findall(text)) if found not in NO_NAMES]
    times, dates = (dict.fromkeys(form.findall(text)) for form in (TIME, DATE))
    missing = [found for found in dict.fromkeys(numbers) if not known.holds(found)]
    missing += [found for found in times if found.lstrip("0") not in shown]
    missing += [found for found in dates if not _has_date(found, known, folded)]
    missing += [found for found in names if not _has_name(found, folded)]
    return missing, len(dict.fromkeys(numbers)) + len(times) + len(dates) + len(names)


def _number_value(text: str) -> float:
    return float(text.replace(",", ""))


@dataclass(slots=True)
class KnownNumbers:
    """The numbers of all sources, rounded once for each number of decimals that is asked for."""

    numbers: set[float]
    rounded: dict[int, set[float]] = field(default_factory=dict)

    def holds(self, text: str) -> bool:
        """Whether a source has the number, one that rounds to it, or its share in percent."""
        decimals = min(len(text.partition(".")[2]), MOST_DECIMALS)
        if decimals not in self.rounded:
            self.rounded[decimals] = {
                round(times * each, decimals) for each in self.numbers for times in (1, 100)
            }
        value = _number_value(text)
        return value in self.numbers or value in self.rounded[decimals]


def _has_date(date: str, known: KnownNumbers, folded: str) -> bool:
    """Whether the sources have the year, the month, as a number or by its name, and the day."""
    year, month, day = date.split("-")
    name = MONTHS[(int(month) - 1) % len(MONTHS)][:3].casefold()
    return known.holds(year) and known.holds(day) and (known.holds(month) or name in folded)


def _has_name(name: str, folded: str) -> bool:
    """Whether a source has the name, or each of its words."""
    whole = name.casefold()
    return whole in folded or all(
        word.removesuffix("'s").removesuffix("’s") in folded for word in whole.split()
    )
