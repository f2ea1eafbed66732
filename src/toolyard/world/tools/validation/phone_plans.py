"""How the numbers of a country are made up: how long they are, and with which digits each kind of line begins.

DE  6-11  mobile 1[5-7]  free 800  premium 900|137  shared 180
"""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from toolyard.world.kernel.tables import table_texts, table_words

_CANADIAN = frozenset(table_words("phone_plans.canadian"))
_ISLANDS = frozenset(
    "242 246 264 268 284 340 345 441 473 649 658 664 670 671 684 721 758 767 784 787 809 829 849 868 869 876 939".split()
)
_SHORT = frozenset(table_words("phone_plans.short"))
KINDS = table_texts("phone_plans.kinds")


@dataclass(frozen=True, slots=True)
class Plan:
    """The least and the most digits after the calling code, and the beginnings of each kind of line."""

    least: int
    most: int
    begins: Mapping[str, str]

    def kind_of(self, national: str) -> str | None:
        """The kind of line of a number; None where no number of the country begins so."""
        for kind, name in KINDS.items():
            if kind in self.begins and re.match(self.begins[kind], national):
                return name
        if "fixed" in self.begins:
            return None
        return "fixed line" if "mobile" in self.begins else "fixed line or mobile"


@functools.cache
def _plans_by_country() -> Mapping[str, Plan]:
    found = {}
    for code, line in table_texts("phone_plans.plans").items():
        digits, *begins = line.split()
        least, _, most = digits.partition("-")
        found[code] = Plan(int(least), int(most), dict(part.split("=", 1) for part in begins))
    return found


def plan_of(country: str, calling: str) -> Plan:
    """The plan of a country by its code; of one that shares the code 1 by its calling code."""
    if len(calling) == 4 and calling.startswith("1"):
        return Plan(7, 7, {})
    return _plans_by_country().get(country, Plan(6, 12, {}))


def reason_against_number(country: str, national: str, calling: str) -> str:
    """Why a number with the calling code 1 is none of its country; nothing where it is."""
    area = national[:3]
    if len(calling) == 4 and calling.startswith("1") and national[0] in "01":
        return "the exchange code must not begin with 0 or 1"
    if country not in ("US", "CA") or re.match(r"8(?:00|33|44|55|66|77|88)|900", area):
        return ""
    if national[0] in "01" or national[3] in "01":
        return "area and exchange code must not begin with 0 or 1"
    if area.endswith("11"):
        return f"{area} is no area code"
    if country == "US" and area in _CANADIAN:
        return f"the area code {area} belongs to Canada"
    if area in _ISLANDS:
        return f"the area code {area} belongs to another country with the calling code 1"
    if country == "CA" and area not in _CANADIAN:
        return f"the area code {area} is none of Canada"
    return ""


# Numbers that are in use although shorter than their country's plan: Childline in Britain.
_SHORTER = {("GB", "8001111"): "toll-free"}


def shorter_kind(country: str, national: str) -> str | None:
    """The kind of line of a number that the plan has no room for; None where nobody has it."""
    return _SHORTER.get((country, national))


def is_short(number: str) -> bool:
    """Whether a number is one for emergencies or information."""
    return number.replace(" ", "") in _SHORT
