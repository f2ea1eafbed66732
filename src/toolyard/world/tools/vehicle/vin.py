"""What the signs of a vehicle identification number mean."""

import functools
import re

from toolyard.world.kernel.tables import table_words
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.tools.vehicle.vehicle_tables import LAST_ANNOUNCED, WmiRow, wmis

_YEARS = "ABCDEFGHJKLMNPRSTVWXY123456789"
_FILLER = "ZZZ"
_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VALUES = {letter: value for value, letters in enumerate(("", "AJ", "BKS", "CLT", "DMU", "ENV", "FW", "GPX", "HY", "RZ"))
           for letter in letters}  # fmt: skip


def find_wmi(vin: str) -> WmiRow | None:
    """The identifier at the head of a number; small makers have a 9 in place 3 and more signs in places 12 to 14."""
    small = wmis().get(vin[:3] + vin[11:14]) if len(vin) == 17 and vin[2] == "9" else None
    return small or wmis().get(vin[:3])


# Builders of heavy trucks, whose seventh sign does not tell the half of the cycle of years; nor does that of motorcycles.
_HEAVY = frozenset(table_words("vin.heavy"))


def _recurs_silently(row: WmiRow) -> bool:
    """Whether nothing in a number tells which of the two years is meant that its tenth sign stands for."""
    return row["vehicle_type"] == "Motorcycle" or row["make"] in _HEAVY


def model_year(row: WmiRow, vin: str, wish: int | None) -> int | None:
    """The year of the tenth sign; it recurs after thirty years, so a wished year or the seventh sign decides.

    Where that is silent, and in European numbers, the later year is taken.
    """
    if len(vin) < 10 or vin[9] not in _YEARS:
        return wish
    first = 1980 + _YEARS.index(vin[9])
    years = [year for year in (first, first + 30) if year <= LAST_ANNOUNCED]
    if wish is not None:
        return min(years, key=lambda year: abs(year - wish))
    later = _recurs_silently(row) or vin[3:6] == _FILLER or not vin[6].isdigit()
    return years[-1] if later else first


def check_digit_verdict(vin: str) -> str:
    """Whether the ninth sign is right (ISO 3779 as used in North America)."""
    if len(vin) < 17 or "*" in vin:
        return "not checked, the number is incomplete"
    if vin[8] == "Z":
        return "none, Z in place 9 is a filler, as in numbers of European makers"
    if vin[3:6] == _FILLER:
        return "none, numbers with ZZZ in places 4 to 6 are European ones, which have no check digit"
    total = sum(
        weight * (int(sign) if sign.isdigit() else _VALUES[sign])
        for sign, weight in zip(vin, _WEIGHTS, strict=True)
    )
    wanted = "X" if total % 11 == 10 else str(total % 11)
    return "valid" if vin[8] == wanted else f"invalid, {wanted} was expected in place 9"


@functools.lru_cache(maxsize=1024)
def _vin_patterns(wmi: str) -> tuple[tuple[re.Pattern[str], str, str, int, int], ...]:
    return tuple(
        (re.compile(signs), make, model, int(first), int(last))
        for _, signs, make, model, first, last in packed_table("vehicle_patterns").with_key(wmi)
    )


def decode_make_and_model(vin: str, year: int | None) -> tuple[str, str] | None:
    """Make and model that the registered patterns give a number, the longest pattern first; none without one."""
    signs = vin[3:8]
    fitting = [
        (len(pattern.pattern), make, model)
        for pattern, make, model, first, last in _vin_patterns(vin[:3])
        if pattern.match(signs) and (year is None or first <= year <= last)
    ]
    return max(fitting)[1:] if fitting else None


def model_from_vin(row: WmiRow, vin: str, year: int | None) -> str | None:
    """The model that the fourth to eighth sign stand for; None where no pattern is registered."""
    known = decode_make_and_model(vin, year)
    return known[1] if known and known[0].upper() == row["make"] else None


def vin_notes(row: WmiRow, vin: str, year: int | None, wish: int | None, *, known: bool) -> list[str]:
    """What is to be said about a number beside its values: what is missing, what could be otherwise."""
    notes = [] if len(vin) == 17 else [f"{len(vin)} of 17 signs were given"]
    if wish is not None and year != wish:
        notes.append(f"the tenth sign stands for {year}, not for {wish}")
    if wish is None and year is not None and year >= 2010 and _recurs_silently(row):
        notes.append(f"the tenth sign may also stand for {year - 30}; modelyear decides")
    if not known and len(vin) < 8:
        notes.append("places 4 to 8, which tell the model, were not given")
    elif not known:
        notes.append("no pattern is registered for places 4 to 8, so that the model is not known")
    return notes
