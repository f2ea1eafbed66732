"""Aircraft and who flies them: types with seats and range, and which of a fleet flies a route."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Annotated, TypedDict

from toolyard.world.shared.geography import plain, read_table
from toolyard.world.types import Semantic

AircraftCode = Annotated[str, Semantic("aircraft_code")]
# The first rows of the table are the types that airlines fly whose fleet is not known.
_ON_ROUTES = 24
_REGIONAL = ("AT7", "AT4", "DH4", "CR9", "E70", "E75", "717", "SU9")
# Flown where a table says so only.
_JUMBOS = ("388",)
# Wide types that no longer cross an ocean on the longest ways.
_MIDDLING, _MIDDLE_KM = ("763", "764", "752"), 7000
_SMALL, _SHORT_KM = 130, 3500  # seats
# Small types that cross no ocean.
_AT_HOME, _OCEAN_KM = ("221", "223", "319"), 4500
_NARROW_AND_FAR = ("321", "752", "7M8", "7M9")
_WIDE = 230  # seats
_LONG = 5000  # km from which wide aircraft fly
# Narrow types whose long-range version reaches this share farther.
_LONGER = 1.2


class Airplane(TypedDict):
    """A type of aircraft."""

    code: AircraftCode
    name: str
    maker: str
    seats: int
    range_km: int


@functools.cache
def airplanes() -> tuple[Airplane, ...]:
    """All types of aircraft."""
    return tuple(
        Airplane(
            code=row["iata"],
            name=row["name"],
            maker=row["maker"],
            seats=int(row["seats"]),
            range_km=int(row["range_km"]),
        )
        for row in read_table("airplanes.tsv")
    )


@functools.lru_cache(maxsize=256)
def _of(codes: tuple[str, ...]) -> tuple[Airplane, ...]:
    """The aircraft with these codes; those that are common where no fleet is known."""
    return tuple(row for row in airplanes() if row["code"] in codes) if codes else airplanes()[:_ON_ROUTES]


def flown_with(
    fleet: Sequence[str], origin: str, destination: str, distance: float, hubs: frozenset[str]
) -> list[Airplane]:
    """The types of a fleet that suit a route: small ones to small airports, large ones over long ways."""
    planes = _of(tuple(fleet))
    reach = dict.fromkeys(_NARROW_AND_FAR, _LONGER) if distance > _LONG else {}
    able = [plane for plane in planes if plane["range_km"] * reach.get(plane["code"], 1.0) >= distance * 1.02]
    able = able or [max(planes, key=lambda plane: plane["range_km"])]
    trunk = {origin, destination} <= hubs
    calm = [
        plane
        for plane in able
        if (plane["code"] not in _REGIONAL or (distance < 1200 and not trunk))
        and plane["code"] not in _JUMBOS
        and (plane["code"] not in _MIDDLING or distance < _MIDDLE_KM)
        and (plane["code"] not in _AT_HOME or distance < _OCEAN_KM)
        and (plane["seats"] >= _SMALL or not (trunk or distance > _SHORT_KM))
    ] or [plane for plane in able if plane["code"] not in _JUMBOS]
    sized = [plane for plane in calm if (plane["seats"] >= _WIDE) == (distance > _LONG)]
    lasting = [plane for plane in calm if plane["code"] in _NARROW_AND_FAR] if distance > _OCEAN_KM else []
    return (lasting if distance < _LONG else []) or sized or lasting or calm or able


def has_words(name: str, wanted: str) -> bool:
    """Whether a name has all words of a query, a number also behind a letter: Embraer 190 is the Embraer E190."""
    own = plain(name).replace("-", " ").split()
    return all(
        word in own or (word[:1].isdigit() and any(one[1:] == word for one in own)) for word in wanted.split()
    )
