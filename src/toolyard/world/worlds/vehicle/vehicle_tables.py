"""Manufacturers, makes and models of vehicles.

{"make_id": 474, "make": "HONDA", "model_id": 1711, "model": "Accord", "vehicle_type": "Passenger Car",
 "first_year": 1976, "last_year": 2026}
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Annotated, TypedDict

from toolyard.world.faults import ToolFault, not_found
from toolyard.world.reference.packed import packed
from toolyard.world.shared.geography import country_or_none
from toolyard.world.tables import fold, plain, read_table
from toolyard.world.types import CountryName, Range, Semantic

LAST_YEAR = 2026
# The last year whose models are announced, and the first of which the models of all makes are on record.
LAST_ANNOUNCED, FIRST_OF_ALL = 2025, 1981
# Numbers from here on, and ids of manufacturers that begin with X, are of the world's own.
OWN_IDS = 9_100_000
TYPES = {
    "P": ("2", "Passenger Car"),
    "T": ("3", "Truck"),
    "C": ("1", "Motorcycle"),
    "M": ("7", "Multipurpose Passenger Vehicle (MPV)"),
}
ManufacturerId = Annotated[str, Semantic("vehicle_manufacturer_id")]
ManufacturerName = Annotated[str, Semantic("vehicle_manufacturer")]
Manufacturer = Annotated[
    str, Semantic("vehicle_manufacturer", accepts=("vehicle_manufacturer_id",)), Range(1, 100)
]
MakeId = Annotated[int, Semantic("vehicle_make_id")]
MakeName = Annotated[str, Semantic("vehicle_make")]
VehicleType = Annotated[str, Semantic("vehicle_type")]
Wmi = Annotated[str, Semantic("wmi")]
Vin = Annotated[str, Semantic("vin"), Range(3, 17)]
ModelYear = Annotated[int, Semantic("model_year"), Range(1950, 2026)]
Variable = Annotated[str, Semantic("vehicle_variable"), Range(1, 80)]


class WmiRow(TypedDict):
    wmi: Wmi
    manufacturer_id: ManufacturerId
    manufacturer: ManufacturerName
    make: MakeName
    country: CountryName
    vehicle_type: VehicleType


class ModelRow(TypedDict):
    make_id: MakeId
    make: MakeName
    model_id: int
    model: str
    vehicle_type: VehicleType
    first_year: int
    last_year: int


# Countries that a first sign of an identifier stands for, or a first sign with a second one within bounds.
_REGIONS = {"J": "Japan", "W": "Germany", "Z": "Italy", "K": "South Korea", "L": "China", "1": "United States",
            "2": "Canada", "3": "Mexico", "4": "United States", "5": "United States"}  # fmt: skip
_PARTS = (("S", "A", "M", "United Kingdom"), ("S", "N", "T", "Germany"), ("S", "U", "Z", "Poland"),
          ("T", "R", "V", "Hungary"), ("V", "A", "E", "Austria"), ("V", "F", "R", "France"), ("V", "S", "W", "Spain"),
          ("Y", "S", "W", "Sweden"), ("M", "A", "E", "India"), ("M", "L", "R", "Thailand"),
          ("N", "L", "R", "Turkey"))  # fmt: skip


def _home(wmi: str) -> str | None:
    """The country of an identifier by its first two signs."""
    parts = (land for sign, low, high, land in _PARTS if wmi[0] == sign and low <= wmi[1] <= high)
    return _REGIONS.get(wmi[0]) or next(parts, None)


@functools.cache
def wmis() -> Mapping[str, WmiRow]:
    """World manufacturer identifiers: the written ones, then those of the reference table."""
    written = {
        row["wmi"]: WmiRow(
            wmi=row["wmi"],
            manufacturer_id=row["manufacturer_id"],
            manufacturer=row["manufacturer"],
            make=row["make"],
            country=row["country"],
            vehicle_type=row["vehicle_type"],
        )
        for row in read_table("vehicle_wmis.tsv")
    }
    for wmi, number, name, make, country, kind in packed("vehicle_wmis"):
        home = country_or_none(country)
        written.setdefault(
            wmi,
            WmiRow(
                wmi=wmi,
                manufacturer_id=number,
                manufacturer=name,
                make=(make or name).upper(),
                country=_home(wmi) or (home["name"] if home else "United States"),
                vehicle_type=kind,
            ),
        )
    return written


@functools.cache
def models() -> tuple[ModelRow, ...]:
    """All models of all makes: the written ones with their years worldwide, then those of the reference table."""
    listed = [_listed(row) for row in packed("vehicle_models")]
    ids = {(row["make"], plain(row["model"])): row["model_id"] for row in listed}
    found: list[ModelRow] = []
    for row in read_table("vehicle_models.tsv"):
        for text in row["models"].split(","):
            name, kind, years = text.split(":")
            first, _, last = years.partition("-")
            found.append(
                ModelRow(
                    make_id=int(row["make_id"]),
                    make=row["make"],
                    model_id=ids.get((row["make"], plain(name)), OWN_IDS + len(found)),
                    model=name,
                    vehicle_type=TYPES[kind][1],
                    first_year=int(first),
                    last_year=int(last or LAST_YEAR),
                )
            )
    seen = {(row["make"], plain(row["model"])) for row in found}
    found += [row for row in listed if (row["make"], plain(row["model"])) not in seen]
    return tuple(map(_in_its_years, found))


@functools.cache
def _years() -> Mapping[tuple[str, str], tuple[str, str]]:
    """Make and model -> first and last year, where the reference table goes by the patterns of whole makes."""
    return {
        (row["make"], plain(row["model"])): (row["first"], row["last"])
        for row in read_table("vehicle_model_years.tsv")
    }


def _in_its_years(row: ModelRow) -> ModelRow:
    first, last = _years().get((row["make"], plain(row["model"])), ("", ""))
    return {
        **row,
        "first_year": int(first or row["first_year"]),
        "last_year": min(row["last_year"], int(last or LAST_YEAR)),
    }


def _listed(row: list[str]) -> ModelRow:
    make, make_id, model_id, model, kind, first, last = row
    return ModelRow(
        make_id=int(make_id),
        make=make.upper(),
        model_id=int(model_id),
        model=model,
        vehicle_type=kind,
        first_year=int(first),
        last_year=min(LAST_YEAR, int(last)),
    )


# Makes of the reference table that sell in numbers, beside those that have written rows.
_LARGE = (
    *(
        "MITSUBISHI",
        "INFINITI",
        "BUICK",
        "CHRYSLER",
        "GENESIS",
        "ALFA ROMEO",
        "FIAT",
        "MASERATI",
        "BENTLEY",
        "ROLLS-ROYCE",
    ),
    *(
        "LAMBORGHINI",
        "MCLAREN",
        "ASTON MARTIN",
        "LOTUS",
        "RIVIAN",
        "LUCID",
        "POLESTAR",
        "SMART",
        "FISKER",
        "ISUZU",
        "HINO",
    ),
    *("FREIGHTLINER", "KENWORTH", "PETERBILT", "MACK", "WESTERN STAR", "INTERNATIONAL", "BUGATTI"),
)


@functools.cache
def well_known() -> frozenset[str]:
    """The makes that everybody knows: the reference table also holds builders of single cars."""
    return frozenset((*_LARGE, *(row["make"] for row in read_table("vehicle_models.tsv"))))


def type_name(text: str) -> str:
    """The full name of a vehicle type, given by name, part of the name or id."""
    wanted = fold(text)
    aliases = {"car": "P", "suv": "M", "mpv": "M", "moto": "C", "bike": "C", "pickup": "T"}
    for letter, (number, name) in TYPES.items():
        if wanted and (
            wanted in (number, name.lower())
            or name.lower().startswith(wanted)
            or aliases.get(wanted) == letter
        ):
            return name
    raise not_found("vehicle type", text[:40], known=[name for _, name in TYPES.values()])


# What groups are called whose vehicles are listed under an older name, plain.
_GROUPS = {
    "stellantis": "FCA US LLC",
    "fiat chrysler": "FCA US LLC",
    "fca": "FCA US LLC",
    "gm": "General Motors",
    "chrysler": "FCA US LLC",
}


def of_manufacturer(text: str) -> list[WmiRow]:
    """The identifiers of a manufacturer, given by id, name, part of the name or make."""
    wanted = fold(_GROUPS.get(plain(text), text))
    rows = list(wmis().values())
    exact = [row for row in rows if wanted in (row["manufacturer_id"], row["manufacturer"].lower())]
    word = re.compile(rf"(?<![a-z]){re.escape(wanted)}")
    partly = [row for row in rows if len(wanted) > 2 and word.search(row["manufacturer"].lower())]
    made = [row for row in rows if plain(text).replace("-", " ") == plain(row["make"]).replace("-", " ")]
    named_so = {row["make"] for row in made} & {row["make"] for row in partly}
    found = exact or (partly if named_so or not made else made)
    if found:
        return found
    makes = sorted({row["make"].title() for row in rows})
    raise not_found("manufacturer", text[:60], known=makes, listed_by="Vehicle/Vehicle/get_makes")


# (manufacturer, make) -> first and last year in which it built vehicles of that make, where it did not always.
_BUILT_FOR = {
    ("general motors llc", "ACURA"): (2024, LAST_YEAR), ("general motors llc", "HONDA"): (2024, LAST_YEAR),
    ("general motors llc", "OPEL"): (1931, 2017), ("general motors llc", "HOLDEN"): (1931, 2020),
    ("general motors llc", "SAAB"): (1990, 2010), ("general motors llc", "ISUZU"): (1996, 2008),
    ("general motors llc", "DAEWOO"): (2001, 2011), ("fca us llc", "MITSUBISHI"): (1981, 2009),
    ("mazda toyota manufacturing, usa, inc.", "MAZDA"): (2022, LAST_YEAR),
}  # fmt: skip


def was_built(row: WmiRow, year: int) -> bool:
    """Whether the manufacturer built vehicles of the make in a year."""
    first, last = _BUILT_FOR.get((fold(row["manufacturer"]), row["make"]), (0, LAST_YEAR))
    return first <= year <= last


def of_make(name: str | None, number: int | None) -> list[ModelRow]:
    """The models of a make, given by name or id."""
    if name is None and number is None:
        raise ToolFault("missing_parameter", "name or id of a make is needed")
    found = [
        row
        for row in models()
        if (name is None or plain(row["make"]).replace("-", " ") == plain(name).replace("-", " "))
        and (number is None or row["make_id"] == number)
    ]
    if not found:
        raise not_found(
            "make", name[:40] if name else number, known=sorted({row["make"] for row in models()})
        )
    return found
