"""What the signs of a vehicle identification number mean."""

from __future__ import annotations

from toolyard.world import seeds
from toolyard.world.worlds.vehicle.vehicle_tables import WmiRow, models

_YEARS = "ABCDEFGHJKLMNPRSTVWXY123456789"
_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VALUES = {letter: value for value, letters in enumerate(("", "AJ", "BKS", "CLT", "DMU", "ENV", "FW", "GPX", "HY", "RZ"))
           for letter in letters}  # fmt: skip
# What the fourth and fifth sign mean for some makes; others are dealt out by the signs themselves.
_PATTERNS = {("BMW", "WX"): "X3", ("BMW", "ZV"): "X5", ("HONDA", "CM"): "Accord", ("TESLA", "SA"): "Model S"}


def model_year_of(vin: str, wish: int | None) -> int | None:
    """The year of the tenth sign; it recurs after thirty years, so a wished year or the seventh sign decides."""
    if len(vin) < 10 or vin[9] not in _YEARS:
        return wish
    first = 1980 + _YEARS.index(vin[9])
    if wish is not None:
        return min((first, first + 30), key=lambda year: abs(year - wish))
    return first + 30 if not vin[6].isdigit() and first + 30 <= 2026 else first


def check_digit_of(vin: str) -> str:
    """Whether the ninth sign is right (ISO 3779 as used in North America)."""
    if len(vin) < 17 or "*" in vin:
        return "not checked, the number is incomplete"
    total = sum(
        weight * (int(sign) if sign.isdigit() else _VALUES[sign])
        for sign, weight in zip(vin, _WEIGHTS, strict=True)
    )
    wanted = "X" if total % 11 == 10 else str(total % 11)
    return "valid" if vin[8] == wanted else f"invalid, {wanted} was expected in place 9"


def model_of(row: WmiRow, vin: str, year: int | None) -> str:
    """The model that the fourth to eighth sign stand for."""
    known = _PATTERNS.get((row["make"], vin[3:5]))
    if known:
        return known
    rows = [m for m in models() if m["make"] == row["make"] and m["vehicle_type"] == row["vehicle_type"]]
    fitting = [m for m in rows if year is None or m["first_year"] <= year <= m["last_year"]] or rows
    return seeds.pick(fitting, "vin", row["make"], vin[3:8])["model"]
