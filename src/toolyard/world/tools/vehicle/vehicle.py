"""Vehicle/Vehicle: manufacturers, makes, models and what a vehicle identification number says."""

import functools
import re
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, TypedDict

from toolyard.world.kernel.faults import ToolFault, invalid, not_found, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.tables import fold_case, table_words, values_of
from toolyard.world.kernel.types import CountryName, EmailAddress, Named
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.tools.vehicle.vehicle_tables import (
    FAMOUS,
    FIRST_OF_ALL,
    LAST_ANNOUNCED,
    TYPES,
    MakeId,
    MakeName,
    Manufacturer,
    ManufacturerId,
    ManufacturerName,
    ModelRow,
    ModelYear,
    Variable,
    VehicleType,
    Vin,
    Wmi,
    WmiRow,
    all_models,
    built_in_year,
    built_types,
    by_closeness,
    manufacturer_country,
    models_of_make,
    type_name,
    well_known,
    wmis,
    wmis_of_manufacturer,
    years_in_words,
)

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


VARIABLES: tuple[tuple[str, str, str, str, tuple[str, ...]], ...] = tuple(
    values_of("variables.variables").values()
)

# The numbers that the catalogue of the road safety administration gives to values; lists without them are counted.
NUMBERS: dict[str, tuple[int, ...]] = values_of("variables.numbers")

# Properties whose values are names.
TEXTS = frozenset(("Engine Model", "Make", "Model"))


GROUP = Group("Vehicle/Vehicle")
MOST_MAKES = 60


class Decoded(TypedDict):
    vin: Vin
    wmi: Wmi
    make: MakeName
    manufacturer: ManufacturerName
    model: str | None
    model_year: ModelYear | None
    vehicle_type: VehicleType
    plant_country: CountryName
    plant_code: str | None
    check_digit: str
    notes: list[str]


class WmiOfMaker(TypedDict):
    wmi: Wmi
    name: ManufacturerName
    country: CountryName
    vehicle_type: VehicleType


class ManufacturerDetails(TypedDict):
    manufacturer_id: ManufacturerId
    name: ManufacturerName
    country: CountryName
    makes: list[MakeName]
    vehicle_types: list[VehicleType]
    principal: str
    contact_email: EmailAddress


class Make(TypedDict):
    make_id: MakeId
    make_name: MakeName
    manufacturer_name: ManufacturerName


class MakeType(TypedDict):
    make_name: MakeName
    vehicle_type_id: str
    vehicle_type_name: VehicleType
    models: int


class Model(TypedDict):
    make_name: MakeName
    model_id: int
    model_name: str
    vehicle_type: VehicleType
    years: str


class VariableRow(TypedDict):
    id: str
    name: Variable
    group: str
    data_type: str
    description: str


class VariableValue(TypedDict):
    id: int
    name: str


@GROUP.tool(
    examples=[{"vin": "5UXWX7C5*BA"}, {"vin": "1HGCM82633A004352", "modelyear": 2003}],
    phrase=(
        "decode the vehicle identification number given by {vin}[, assuming {modelyear} as the model year]"
    ),
    noun="the decoded vehicle number",
)
def decode_vin(*, vin: Vin, modelyear: ModelYear | None = None) -> Decoded:
    """What a vehicle identification number says: make, model, year, type, plant, and whether its check digit is right.

    vin: The number, whole or from the beginning on; * stands for unknown signs.
    modelyear: Year to choose between the two that a sign can mean.
    """
    wanted = vin.strip().upper()
    if not re.fullmatch(r"[A-HJ-NPR-Z0-9*]{3,17}", wanted):
        raise invalid("vin", vin[:40], "want letters and digits without I, O and Q, * for unknown signs")
    row = find_wmi(wanted)
    if row is None:
        raise not_found("manufacturer identifier (first three signs)", wanted[:3], known=list(wmis()))
    year = model_year(row, wanted, modelyear)
    # Some manufacturers share an identifier among makes; the other signs tell which one it is.
    registered = decode_make_and_model(wanted, year)
    row = {**row, "make": registered[0].upper() if registered else row["make"]}
    model = model_from_vin(row, wanted, year)
    return {
        "vin": wanted,
        "wmi": row["wmi"],
        "make": row["make"],
        "manufacturer": row["manufacturer"],
        "model": model,
        "model_year": year,
        "vehicle_type": row["vehicle_type"],
        "plant_country": row["country"],
        "plant_code": wanted[10] if len(wanted) > 10 else None,
        "check_digit": check_digit_verdict(wanted),
        "notes": vin_notes(row, wanted, year, modelyear, known=model is not None),
    }


@GROUP.tool(
    examples=[{"wmi": "1FT"}],
    phrase="decode the world manufacturer identifier given by {wmi}",
    noun="the decoded manufacturer identifier",
)
def decode_WMI(*, wmi: Wmi) -> WmiRow:  # noqa: N802 - an id
    """Which manufacturer, make, country and vehicle type a world manufacturer identifier stands for.

    wmi: The first three signs of a vehicle identification number.
    """
    row = wmis().get(wmi.strip().upper())
    if row is None:
        raise not_found("WMI", wmi[:40], known=list(wmis()))
    return row


@GROUP.tool(
    examples=[{"manufacturer": "Honda"}, {"manufacturer": "988", "vehicle_type": "car"}],
    phrase=(
        "list the world manufacturer identifiers that belong to the manufacturer known as {manufacturer}[, "
        "with the vehicle type set to {vehicle_type}]"
    ),
    noun="the list of manufacturer identifiers",
)
def get_WMI(  # noqa: N802 - an id
    *, manufacturer: Manufacturer, vehicle_type: VehicleType | None = None
) -> list[WmiOfMaker]:
    """The world manufacturer identifiers of a manufacturer.

    manufacturer: Name (or part of it), id or make.
    vehicle_type: Only this type, e.g. car, truck, mpv or motorcycle.
    """
    wanted = type_name(vehicle_type) if vehicle_type is not None else None
    return [
        {
            "wmi": row["wmi"],
            "name": row["manufacturer"],
            "country": row["country"],
            "vehicle_type": row["vehicle_type"],
        }
        for row in wmis_of_manufacturer(manufacturer)
        if wanted in (None, row["vehicle_type"])
    ]


@GROUP.tool(
    examples=[{"manufacturer": "Tesla"}],
    phrase="get the address, country and makes of the vehicle manufacturer known as {manufacturer}",
    noun="the manufacturer details",
)
def get_manufacturer_details(*, manufacturer: Manufacturer) -> ManufacturerDetails:
    """A manufacturer with its id, country, makes, vehicle types and whom to write to.

    manufacturer: Name (or part of it), id or make.
    """
    found = wmis_of_manufacturer(manufacturer)
    wanted = manufacturer.strip().lower()
    near = by_closeness(found, LAST_ANNOUNCED)
    head = min(
        near,
        key=lambda row: (not row["manufacturer"].lower().startswith(wanted), row["make"].lower() != wanted),
    )
    rows = [row for row in wmis().values() if row["manufacturer_id"] == head["manufacturer_id"]]
    return {
        "manufacturer_id": rows[0]["manufacturer_id"],
        "name": rows[0]["manufacturer"],
        "country": manufacturer_country(rows),
        "makes": list(dict.fromkeys(row["make"] for row in rows)),
        "vehicle_types": built_types(rows),
        "principal": "Office of vehicle safety compliance",
        "contact_email": f"vin@{re.sub(r'[^a-z0-9]+', '-', rows[0]['make'].lower()).strip('-')}.example",
    }


@GROUP.tool(
    examples=[{"manufacturer": "Honda"}, {"vehicle_type": "truck", "year": 2015}],
    phrase=(
        "list the vehicle makes[ of the manufacturer known as {manufacturer}][, with the vehicle type set to "
        "{vehicle_type}][, only those sold in {year}]"
    ),
    noun="the list of vehicle makes",
)
def get_makes(
    *,
    manufacturer: Manufacturer | None = None,
    year: ModelYear | None = None,
    vehicle_type: VehicleType | None = None,
) -> list[Make]:
    """The makes of a manufacturer (also those built for others), or the sixty best known of a vehicle type, each once. One
    of the two must be given.

    manufacturer: Name (or part of it), id or make.
    year: Only makes that sold a model in this year.
    vehicle_type: Only makes with models of this type, e.g. car, truck, mpv or motorcycle.
    """
    if manufacturer is None and vehicle_type is None:
        raise ToolFault("missing_parameter", "manufacturer or vehicle_type is needed")
    if manufacturer is None and year is not None and year < FIRST_OF_ALL:
        raise out_of_range(
            "year", year, f"all makes are on record from {FIRST_OF_ALL} on; name a manufacturer"
        )
    rows = wmis_of_manufacturer(manufacturer) if manufacturer is not None else list(wmis().values())
    selling = {row["make"] for row in _filter_models(all_models(), year, vehicle_type)}
    ids = {row["make"]: row["make_id"] for row in all_models()}
    found = {
        row["make"]: Make(
            make_id=ids[row["make"]], make_name=row["make"], manufacturer_name=row["manufacturer"]
        )
        for row in by_closeness(rows, year or LAST_ANNOUNCED)[::-1]
        if row["make"] in selling and (manufacturer is None or year is None or built_in_year(row, year))
    }
    if manufacturer is None:
        count = Counter(row["make"] for row in _filter_models(all_models(), year, vehicle_type))
        # A make that is sold today counts for as much as half a dozen models of the past.
        count.update(
            6 * [*{row["make"] for row in _filter_models(all_models(), year or LAST_ANNOUNCED, vehicle_type)}]
        )
        known = (name for name in found if name in well_known())
        largest = sorted(known, key=lambda name: (name not in FAMOUS, -count[name]))
        found = {name: found[name] for name in largest[:MOST_MAKES]}
    return [found[name] for name in sorted(found)]


def _filter_models(rows: Sequence[ModelRow], year: int | None, vehicle_type: str | None) -> list[ModelRow]:
    kind = type_name(vehicle_type) if vehicle_type is not None else None
    if year is not None and year > LAST_ANNOUNCED:
        raise out_of_range("year", year, f"models are on record up to {LAST_ANNOUNCED}")
    return [
        row
        for row in rows
        if (year is None or any(first <= year <= last for first, last in row["spans"]))
        and kind in (None, row["vehicle_type"])
    ]


@GROUP.tool(
    examples=[{"name": "honda"}, {"id": 441}],
    phrase="list the vehicle types that are built[ by the make named {name}][ by the make whose id is {id}]",
    noun="the list of vehicle types",
)
def get_vehicle_types(
    *, name: MakeName | None = None, number: Annotated[MakeId, Named("id")] | None = None
) -> list[MakeType]:
    """The vehicle types that a make builds, with how many of the models that get_models lists, a choice, are of each.

    name: Name of the make; needed unless its id is given.
    id: Id of the make.
    """
    rows = models_of_make(name, number)
    found: list[MakeType] = []
    for type_id, kind in TYPES.values():
        count = sum(row["vehicle_type"] == kind for row in rows)
        if count:
            found.append(
                {
                    "make_name": rows[0]["make"],
                    "vehicle_type_id": type_id,
                    "vehicle_type_name": kind,
                    "models": count,
                }
            )
    return found


@GROUP.tool(
    examples=[{"name": "honda", "year": 2015}, {"id": 441}],
    phrase=(
        "list the vehicle models[ of the make named {name}][ of the make whose id is {id}][, only those "
        "built in {year}][, with the vehicle type set to {vehicle_type}]"
    ),
    noun="the list of vehicle models",
)
def get_models(
    *,
    name: MakeName | None = None,
    number: Annotated[MakeId, Named("id")] | None = None,
    year: ModelYear | None = None,
    vehicle_type: VehicleType | None = None,
) -> list[Model]:
    """A choice of a make's models with type and model years (mostly American ones; of small builders registered ones).

    name: Name of the make; needed unless its id is given.
    id: Id of the make.
    year: Only models of this model year; of years before 1981 there are few.
    vehicle_type: Only this type, e.g. car, truck, mpv or motorcycle.
    """
    return [
        {
            "make_name": row["make"],
            "model_id": row["model_id"],
            "model_name": row["model"],
            "vehicle_type": row["vehicle_type"],
            "years": years_in_words(row),
        }
        for row in _filter_models(models_of_make(name, number), year, vehicle_type)
    ]


@GROUP.tool(
    phrase="list the properties by which vehicles are described",
    noun="the list of vehicle properties",
)
def get_vehicle_variables() -> list[VariableRow]:
    """Nineteen of the properties by which vehicles are described, with group, kind of data and meaning."""
    return [
        {
            "id": key,
            "name": name,
            "group": group,
            "data_type": "lookup" if values else "string" if name in TEXTS else "number",
            "description": text,
        }
        for key, name, group, text, values in VARIABLES
    ]


@GROUP.tool(
    examples=[{"variable": "Body Class"}],
    phrase="list the possible values of the vehicle property whose name or id is {variable}",
    noun="the list of property values",
)
def get_vehicle_variable_values(*, variable: Variable) -> list[VariableValue]:
    """The chief values that a property of vehicles can take, some numbered by the alphabet; none for numbers and names.

    variable: Name or id of the property.
    """
    for key, name, _, _, values in VARIABLES:
        if fold_case(variable) in (key, name.lower()):
            numbers = NUMBERS.get(name, range(1, len(values) + 1))
            return [{"id": number, "name": value} for number, value in zip(numbers, values, strict=True)]
    raise not_found("variable", variable[:60], known=[name for _, name, _, _, _ in VARIABLES])
