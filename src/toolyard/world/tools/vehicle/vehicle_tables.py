"""Manufacturers, makes and models of vehicles.

{"make_id": 475, "make": "ACURA", "model_id": 1863, "model": "Integra", "vehicle_type": "Passenger Car",
 "spans": ((1986, 2001), (2023, 2026))}
"""

import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, TypedDict

from toolyard.world.kernel.faults import ToolFault, invalid, not_found
from toolyard.world.kernel.tables import (
    fold_case,
    plain,
    read_record,
    read_table,
    share_keys,
    table_texts,
    values_of,
)
from toolyard.world.kernel.types import CountryName, Range, Semantic
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.geography import country_or_none

LAST_YEAR = 2026
# The last year whose models are announced, and the first of which the models of all makes are on record.
LAST_ANNOUNCED, FIRST_OF_ALL = 2025, 1981
# Numbers from here on, and ids of manufacturers that begin with X, are of the world's own.
OWN_IDS = 9_100_000
TYPES: Mapping[str, tuple[str, ...]] = values_of("vehicle_tables.types")
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
    spans: tuple[tuple[int, int], ...]


# Countries that a first sign of an identifier stands for, or a first sign with a second one within bounds.
_REGIONS = {"J": "Japan", "W": "Germany", "Z": "Italy", "K": "South Korea", "L": "China", "1": "United States",
            "2": "Canada", "3": "Mexico", "4": "United States", "5": "United States"}  # fmt: skip
_PARTS: tuple[tuple[str, str, str, str], ...] = tuple(values_of("vehicle_tables.parts").values())


# Identifiers that several makes share, and the one that most of their vehicles are of.
_SHARED = {"2C4": "CHRYSLER", "3C4": "DODGE"}


def _wmi_country(wmi: str) -> str | None:
    """The country of an identifier by its first two signs."""
    parts = (land for sign, low, high, land in _PARTS if wmi[0] == sign and low <= wmi[1] <= high)
    return _REGIONS.get(wmi[0]) or next(parts, None)


@functools.cache
def wmis() -> Mapping[str, WmiRow]:
    """World manufacturer identifiers: the written ones, then those of the reference table."""
    written = {row["wmi"]: read_record(WmiRow, row) for row in read_table("vehicle_wmis.tsv")}
    for wmi, number, name, make, country, kind in packed_table("vehicle_wmis"):
        home = country_or_none(country)
        written.setdefault(
            wmi,
            WmiRow(
                wmi=wmi,
                manufacturer_id=number,
                manufacturer=" ".join(name.split()).upper(),
                make=_SHARED.get(wmi) or (make or name).upper(),
                country=_wmi_country(wmi) or (home["name"] if home else "United States"),
                vehicle_type=kind,
            ),
        )
    return written


@functools.cache
def all_models() -> tuple[ModelRow, ...]:
    """All models: the written ones of the makes that people know, then those of the reference table of all others."""
    listed = [_model_row(row) for row in packed_table("vehicle_models")]
    ids = {(row["make"], plain(row["model"])): row["model_id"] for row in listed}
    found: list[ModelRow] = []
    for row in read_table("vehicle_models.tsv"):
        for text in row["models"].split(","):
            name, kind, years = text.rsplit(":", 2)
            found.append(
                ModelRow(
                    make_id=int(row["make_id"]),
                    make=row["make"],
                    model_id=ids.get((row["make"], plain(name)), OWN_IDS + len(found)),
                    model=name,
                    vehicle_type=TYPES[kind][1],
                    spans=tuple(map(_year_span, years.split("+"))),
                )
            )
    written = {row["make"] for row in found}
    found += (row for row in listed if row["make"] not in written)
    return tuple(map(share_keys, found))


def _year_span(text: str) -> tuple[int, int]:
    """First and last year of "1966-1978", "2006-" for one that goes on."""
    first, _, last = text.partition("-")
    return int(first), int(last or LAST_YEAR)


def _model_row(row: list[str]) -> ModelRow:
    make, make_id, model_id, model, kind, first, last = row
    return ModelRow(
        make_id=int(make_id),
        make=make.upper(),
        model_id=int(model_id),
        model=model,
        vehicle_type=kind,
        spans=((int(first), min(LAST_YEAR, int(last))),),
    )


def years_in_words(row: ModelRow) -> str:
    """The years of a model in words: "1966 to 1978, 2006 to now"."""
    return ", ".join(
        f"{first} to now" if last >= LAST_YEAR else str(first) if first == last else f"{first} to {last}"
        for first, last in row["spans"]
    )


# Makes with few models that nobody leaves out.
FAMOUS = frozenset(
    "TESLA,GENESIS,POLESTAR,LUCID,DACIA,MG,SMART,BUGATTI,JEEP,LAND ROVER,GMC,RAM,LINCOLN".split(",")
)


@functools.cache
def well_known() -> frozenset[str]:
    """The makes that everybody knows: the reference table also holds builders of single cars."""
    return frozenset(row["make"] for row in read_table("vehicle_models.tsv"))


def type_name(text: str) -> str:
    """The full name of a vehicle type, given by name, part of the name or id."""
    wanted = fold_case(text)
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
_GROUPS = {"fca": "FCA US LLC", "gm": "General Motors", "chrysler": "FCA US LLC"}
# Groups of manufacturers, plain, and how the names of these (with the make) begin.
_ALLIED = {
    "fiat chrysler": ("fca ", "alfa romeo", "maserati", "lancia"),
    "stellantis": (
        "fca ",
        "alfa romeo",
        "maserati",
        "lancia",
        "automobiles peugeot",
        "automobiles citro",
        "adam opel ag opel",
    ),
}


def wmis_of_manufacturer(text: str) -> list[WmiRow]:
    """The identifiers of a manufacturer, given by id, name, part of the name or make."""
    wanted = fold_case(_GROUPS.get(plain(text), text))
    rows = list(wmis().values())
    if plain(text) in _ALLIED:
        return [
            row
            for row in rows
            if f"{row['manufacturer']} {row['make']}".lower().startswith(_ALLIED[plain(text)])
        ]
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


_BRANCHES = ("manufactur", "america", "usa", "u.s.a", "plant", "australia", "canada", "mexico")


def is_branch(row: WmiRow) -> bool:
    """Whether this is a plant or an importer, after which the company itself is named first."""
    return any(word in row["manufacturer"].lower() for word in _BRANCHES)


# (manufacturer, make) -> first and last year in which it built vehicles of that make, where it did not always.
_BUILT_FOR: Mapping[tuple[str, str], tuple[int, int | None]] = dict(
    values_of("vehicle_tables.built_for").values()
)


def built_in_year(row: WmiRow, year: int) -> bool:
    """Whether the manufacturer built vehicles of the make in a year."""
    first, last = _BUILT_FOR.get((fold_case(row["manufacturer"]), row["make"]), (0, None))
    return first <= year <= (last or LAST_YEAR)


def by_closeness(rows: Iterable[WmiRow], year: int) -> list[WmiRow]:
    """Identifiers in order: of who built the make in a year, of the company that owns it, of its plants and importers."""
    return sorted(
        rows,
        key=lambda row: (
            not built_in_year(row, year),
            (fold_case(row["manufacturer"]), row["make"]) in _BUILT_FOR,
            is_branch(row),
        ),
    )


@functools.cache
def _make_owners() -> Mapping[str, str]:
    """Make -> id of the company that owns it."""
    return {
        row["make"]: row["manufacturer_id"] for row in by_closeness(wmis().values(), LAST_ANNOUNCED)[::-1]
    }


def built_types(rows: Sequence[WmiRow]) -> list[str]:
    """The types that a manufacturer builds: those of its identifiers, then those of the models of its own makes."""
    own = {row["make"] for row in rows if _make_owners()[row["make"]] == row["manufacturer_id"]}
    types = [row["vehicle_type"] for row in rows]
    return list(dict.fromkeys([*types, *(row["vehicle_type"] for row in all_models() if row["make"] in own)]))


# Companies most of whose plants are abroad.
_SEATS = table_texts("vehicle_tables.seats")


def manufacturer_country(rows: Sequence[WmiRow]) -> str:
    """The country of a manufacturer: that of most of its identifiers."""
    usual = Counter(row["country"] for row in rows).most_common(1)[0][0]
    return _SEATS.get(rows[0]["manufacturer"], usual)


def models_of_make(name: str | None, number: int | None) -> list[ModelRow]:
    """The models of a make, given by name or id."""
    if name is None and number is None:
        raise ToolFault("missing_parameter", "name or id of a make is needed")
    found = [
        row
        for row in all_models()
        if (name is None or plain(row["make"]).replace("-", " ") == plain(name).replace("-", " "))
        and (number is None or row["make_id"] == number)
    ]
    if (
        not found
        and name is not None
        and number is not None
        and models_of_make(name, None)
        and models_of_make(None, number)
    ):
        raise invalid("id", number, f"this is {models_of_make(None, number)[0]['make']}, not {name[:40]}")
    if not found:
        raise not_found(
            "make", name[:40] if name else number, known=sorted({row["make"] for row in all_models()})
        )
    return found
