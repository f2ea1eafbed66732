"""Holidays that were decided after May 2024 and so cannot be on a calendar of that day."""

import re
from collections.abc import Mapping
from datetime import date

from toolyard.world.kernel.tables import values_of

# Days of one year only are decreed in the autumn before, or nearer: moved days off, bridges, polls, visits.
_ONCE = re.compile(
    r"^Day off \(|Bridge Public|^Additional|^(Special )?Public Holiday$|[Ee]lection|Polling|Non-working"
    r"|[Vv]isit of|Canonization|Burial|\(additional"
)
# Holidays of laws that were passed later.
_LAWS: Mapping[str, tuple[str, ...]] = values_of("later_holidays.laws")
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
