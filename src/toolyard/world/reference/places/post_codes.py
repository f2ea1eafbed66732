"""Post codes of cities: real ones where a register is at hand (the United States), none elsewhere."""

import functools
from collections import Counter
from collections.abc import Iterator

from toolyard.world.kernel.tables import kilometres, plain
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places.atlas import City


def _codes_named(name: str, state: str) -> Iterator[tuple[str, float, float]]:
    """The ZIP codes under a plain name with their places, in the order of the register."""
    text, found = packed_table("zip_codes").text, f"\t{name}\t{state.lower()}\t".encode()
    at = text.find(found)
    while at >= 0:
        latitude, longitude = text[at + len(found) : text.index(b"\n", at)].split(b"\t")
        yield text[text.rfind(b"\n", 0, at) + 1 : at].decode(), float(latitude), float(longitude)
        at = text.find(found, at + len(found))


@functools.lru_cache(maxsize=4096)
def _codes_around_city(name: str, state: str, latitude: float, longitude: float) -> tuple[str, ...]:
    """The ZIP codes around the middle of a city, nearest first; some codes are for post boxes elsewhere."""
    known = list(_codes_named(plain(name), state)) or _codes_named(plain(name).removesuffix(" city"), state)
    near = sorted((kilometres(latitude, longitude, lat, lon), code) for code, lat, lon in known)
    return tuple(code for away, code in near if away < 25) or tuple(code for _, code in near)


def post_code(city: City, turn: int) -> str:
    """One of the post codes of a city, another one with each turn; "" where no register is at hand."""
    if city["country_code"] != "US":
        return ""
    codes = _codes_around_city(city["name"], city["region_code"], city["latitude"], city["longitude"])
    return codes[turn % min(len(codes), 20)] if codes else ""


def usual_post_code(city: City, turn: int) -> str:
    """As `post_code`, without codes that begin otherwise than most of the city: those are of post boxes and large firms."""
    if city["country_code"] != "US":
        return ""
    codes = _codes_around_city(city["name"], city["region_code"], city["latitude"], city["longitude"])
    if not codes:
        return ""
    head = Counter(code[:3] for code in codes).most_common(1)[0][0]
    usual = [code for code in codes if code.startswith(head)]
    return usual[turn % min(len(usual), 30)]
