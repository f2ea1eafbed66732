"""Holidays that were decided after May 2024 and so cannot be on a calendar of that day."""

from __future__ import annotations

import re
from datetime import date

# Days of one year only are decreed in the autumn before, or nearer: moved days off, bridges, polls, visits.
_ONCE = re.compile(
    r"^Day off \(|Bridge Public|^Additional|^(Special )?Public Holiday$|[Ee]lection|Polling|Non-working"
    r"|[Vv]isit of|Canonization|Burial|\(additional"
)
# Holidays of laws that were passed later.
_LAWS = {
    "AM": ("Day of Remembrance for the Fallen Defenders of the Fatherland",), "BD": ("July Mass Uprising Day",),
    "CN": ("Chinese New Year's Eve",), "GH": ("Republic Day", "Shaqq Day"), "KG": ("May Holidays", "New Year Holidays"),
    "IQ": ("Commemoration of the Saddam Baath crimes against the Iraqi people",),
    "IT": ("Saint Francis of Assisi, Patron Saint of Italy",), "KR": ("Labor Day", "Constitution Day"),
    "MA": ("Unity Day",), "MM": ("New Year's Day", "Chinese New Year"), "NA": ("Genocide Remembrance Day",),
    "PF": ("Matāri'i",), "PH": ("All Saints' Eve", "Christmas Eve"), "PL": ("Christmas Eve",),
    "QA": ("New Year's Holiday",), "SY": ("Liberation Day",), "VC": ("National Spiritual Baptist Day",),
    "VN": ("Vietnam Cultural Day",),
    "TW": ("Confucius' Birthday", "Taiwan Restoration and Guningtou Victory Memorial Day", "Constitution Day", "Labor Day"),
}  # fmt: skip
_NO_HOLIDAYS = {"IT": ("National Unity Day",), "TH": ("National Children's Day",)}


def was_known_in_2024(code: str, day: date, name: str) -> bool:
    """Whether a holiday was on the calendar of its country in May 2024."""
    bare = name.removesuffix(" (observed)")
    if bare in _NO_HOLIDAYS.get(code, ()):
        return False
    if day.year < 2025:
        return True
    if code == "CN" and (day.month, day.day) == (5, 2):
        return False
    return not _ONCE.search(name) and bare not in _LAWS.get(code, ())
