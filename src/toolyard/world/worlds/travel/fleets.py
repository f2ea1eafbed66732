"""Aircraft and who flies them: types with seats and range, the fleets of airlines, and the long routes that are sure."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Annotated, TypedDict

from toolyard.world.shared.geography import read_table
from toolyard.world.types import Semantic

AircraftCode = Annotated[str, Semantic("aircraft_code")]
# The first rows of the table are the types that airlines fly whose fleet is not known.
_ON_ROUTES = 24
# Airline and airport: flown from all hubs of the airline.
_ALWAYS = frozenset((
    *("AF MAD", "IB CDG", "DL PEK", "HU SEA", "TG PHS", "FD PHS", "VS JFK", "BA JFK", "AA LHR", "DL LHR", "UA LHR"),
    *("B6 LHR", "AC LHR", "LH LHR", "AF LHR", "KL LHR", "SQ LHR", "EK LHR", "QR LHR", "CX LHR", "AI LHR", "JL LHR"),
    *("NH LHR", "EI LHR", "LX LHR", "OS LHR", "IB LHR", "TP LHR", "SK LHR", "AY LHR"),
))  # fmt: skip
# Airline, hub and airports far away that it joins with the hub.
_FAR = {
    "UA SFO": "SYD SIN HND NRT HKG ICN FRA", "UA EWR": "DEL JNB FRA CDG", "UA IAD": "FRA CDG", "UA ORD": "FRA",
    "AA DFW": "SYD NRT CDG FRA",
    "AA JFK": "CDG", "DL DTW": "ICN HND", "DL ATL": "ICN JNB CDG FRA", "DL JFK": "CDG FRA", "NH NRT": "LAX SFO ORD",
    "DL SEA": "ICN HND", "AC YVR": "SYD HND HKG", "AC YYZ": "DEL", "QF SYD": "LAX SIN HND", "QF MEL": "LAX SIN",
    "NZ AKL": "LAX SFO SIN", "CX HKG": "JFK LAX SYD", "KE ICN": "JFK LAX", "JL HND": "JFK LAX", "NH HND": "JFK LAX FRA",
    "IB MAD": "JFK MEX EZE GRU", "LA SCL": "SYD", "LA GRU": "MIA", "AM MEX": "MAD", "AI DEL": "JFK", "AI BOM": "JFK",
    "ET ADD": "IAD", "CA PEK": "JFK LAX",
}  # fmt: skip
# An airline that flies long distances alone, and where to.
_ONLY = {"VS": "JFK BOS IAD MIA MCO ATL LAX SFO SEA LAS TPA DEL BOM BLR JNB LOS TLV DXB MLE BGI ANU MBJ PVG"}
# Airports that cheap airlines keep away from.
_NEVER = {
    "FR": "LHR LCY CDG ORY FRA",
    "U2": "LHR FRA",
    "W6": "LHR CDG FRA AMS",
    "VY": "LCY",
    "WN": "ANC JFK",
    "EW": "LCY",
}
# Airlines that join their first hub with all of the largest airports that they reach.
_WORLDWIDE = "BA AF KL LH EK QR TK SQ"
# Airports that the largest aircraft call at.
LARGEST = frozenset((
    *("LHR", "JFK", "LAX", "SFO", "SIN", "DXB", "SYD", "MEL", "FRA", "MUC", "CDG", "ICN", "HKG", "BKK", "NRT", "HND", "DOH"),
    *("AUH", "JNB", "MIA", "IAD", "ORD", "YYZ", "DEL", "BOM", "EZE", "GRU", "MEX", "PEK"),
))  # fmt: skip
# Second airports of cities, to which airlines of other countries do not fly unless they are cheap.
SECOND = (
    "LGW",
    "STN",
    "LTN",
    "LCY",
    "ORY",
    "MDW",
    "LGA",
    "DCA",
    "HOU",
    "OAK",
    "SHA",
    "GMP",
    "ITM",
    "DMK",
    "LIN",
    "CIA",
)
NEAREST_KM = 220  # nobody flies less far
_REGIONAL = ("AT7", "AT4", "DH4", "CR9", "E70", "E75", "717", "SU9")
_JUMBOS = ("388", "744", "74H")
_NARROW_AND_FAR = ("321", "752", "7M8", "7M9")
_WIDE = 230  # seats
_LONG = 4800  # km from which wide aircraft fly


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


def is_sure(airline: str, hub: str, port: str, rank: int) -> bool:
    """Whether an airline is known to fly from a hub of some rank to an airport."""
    if f"{airline} {port}" in _ALWAYS or port in _FAR.get(f"{airline} {hub}", ""):
        return True
    return rank == 0 and airline in _WORLDWIDE.split() and port in LARGEST


def reaches(airline: str, fleet: Sequence[str], port: str, distance: float) -> bool:
    """Whether an airline has aircraft for a distance, and flies to a place at all."""
    most = max(row["range_km"] for row in _of(tuple(fleet)))
    open_to = port not in _NEVER.get(airline, "") and (airline not in _ONLY or port in _ONLY[airline])
    return most >= 1.02 * distance and open_to


@functools.lru_cache(maxsize=256)
def _of(codes: tuple[str, ...]) -> tuple[Airplane, ...]:
    """The aircraft with these codes; those that are common where no fleet is known."""
    return tuple(row for row in airplanes() if row["code"] in codes) if codes else airplanes()[:_ON_ROUTES]


def flown_with(
    fleet: Sequence[str], origin: str, destination: str, distance: float, hubs: frozenset[str]
) -> list[Airplane]:
    """The types of a fleet that suit a route: small ones to small airports, large ones over long ways."""
    planes = _of(tuple(fleet))
    able = [plane for plane in planes if plane["range_km"] >= distance * 1.02]
    able = able or [max(planes, key=lambda plane: plane["range_km"])]
    trunk = {origin, destination} <= hubs
    large = {origin, destination} <= LARGEST and distance > 5000
    calm = [
        plane
        for plane in able
        if (plane["code"] not in _REGIONAL or (distance < 1200 and not trunk))
        and (plane["code"] not in _JUMBOS or large)
    ]
    sized = [plane for plane in calm if (plane["seats"] >= _WIDE) == (distance > _LONG)]
    lasting = [plane for plane in calm if plane["code"] in _NARROW_AND_FAR] if distance > _LONG else []
    return sized or lasting or calm or able
