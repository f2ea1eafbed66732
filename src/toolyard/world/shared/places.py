"""From what a caller writes ("Paris", "48.86,2.35", "iata:DXB", an IP address) to a city, and IP blocks."""

from __future__ import annotations

import functools
import ipaddress
import re
from collections.abc import Mapping
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.faults import ToolFault, invalid, not_found
from toolyard.world.reference.packed import packed
from toolyard.world.shared import gazetteer
from toolyard.world.shared.geography import (
    City,
    airport_city,
    airport_keys,
    capital_city,
    cities,
    city_or_none,
    country_or_none,
    find_airport,
    find_city,
    nearest_city,
    read_table,
)

OWN_ADDRESS = "81.2.69.160"
# Public resolvers of names, which host nothing and which nobody reports.
RESOLVERS = frozenset({"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9"})
_POINT = re.compile(r"\s*([+-]?\d{1,3}(?:\.\d+)?)\s*[, ]\s*([+-]?\d{1,3}(?:\.\d+)?)\s*")
_ISO_POINT = re.compile(r"([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)/?")
_BRITISH = re.compile(r"([A-Z]{1,2})\d[A-Z\d]?(?: ?\d[A-Z]{2})?")
_CANADIAN = re.compile(r"([A-Z]\d)[A-Z](?: ?\d[A-Z]\d)?")
# The form of a post code and the countries that have it, the likelier first.
_OTHER_FORMS = (
    (re.compile(r"(\d{4}) ?[A-Z]{2}"), ("NL",)),
    (re.compile(r"(\d{4})-\d{3}"), ("PT",)),
    (re.compile(r"(\d{3})-\d{4}"), ("JP",)),
    (re.compile(r"(\d{5})-\d{3}"), ("BR",)),
    (re.compile(r"([1-9]\d{2}) ?\d{3}"), ("IN",)),
    (re.compile(r"(\d{4})"), ("AT", "CH", "BE", "AU", "DK", "NO", "NZ", "ZA", "HU")),
    (re.compile(r"((?!99999)\d{5})"), ("DE",)),
)


class Block(TypedDict):
    """The /16 network around an address and the city it serves."""

    network: str
    city: City
    owner: str
    asn: int


def point(text: str) -> tuple[float, float] | None:
    """Latitude and longitude out of "48.86,2.35" or "+48.86+002.35"; None if it is neither."""
    match = _POINT.fullmatch(text) or _ISO_POINT.fullmatch(text.strip())
    if match is None:
        return None
    latitude, longitude = float(match[1]), float(match[2])
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise invalid("coordinates", text, "latitude within -90 to 90, longitude within -180 to 180")
    return latitude, longitude


def address(text: str) -> str:
    """A public IPv4 or IPv6 address in its normal form; a fault for anything else."""
    try:
        parsed = ipaddress.ip_address(text.strip())
    except ValueError:
        raise invalid("ip", text, "want an IPv4 or IPv6 address such as 8.8.8.8") from None
    if not parsed.is_global:
        raise not_found("public block for address", text, such_as=(OWN_ADDRESS, "8.8.8.8", "1.1.1.1"))
    return str(parsed)


def assigned_to(ip: str) -> str | None:
    """The code of the country to which a registry has assigned an address; None where none has."""
    from iptocc import country_code

    return country_code(ip)


@functools.cache
def _cities_in(country: str | None) -> tuple[City, ...]:
    """The best known cities of a country, else its capital; all where the country is not known."""
    own = tuple(row for row in cities() if row["country_code"] == country)
    home = country_or_none(country or "")
    if own or home is None:
        return own or cities()
    return (capital_city(home),)


@functools.cache
def _owners() -> Mapping[str, Mapping[str, str]]:
    """The first two numbers of addresses whose owner is common knowledge; others go to a city of their country."""
    return {key: row for row in read_table("address_blocks.tsv") for key in row["blocks"].split(",")}


# How long the prefixes of well-known networks are that are not all of their first two numbers.
_LENGTHS = {
    "1.1": 24,
    "8.8": 24,
    "9.9": 24,
    "91.198": 24,
    "140.82": 20,
    "208.80": 22,
    "208.67": 22,
    "193.0": 21,
}


def block(seed: int, ip: str) -> Block:
    """The network that an address belongs to."""
    parsed = ipaddress.ip_address(ip)
    key = ".".join(ip.split(".")[:2]) if parsed.version == 4 else parsed.exploded[:9]
    length = _LENGTHS.get(key, 16 if parsed.version == 4 else 32)
    network = ipaddress.ip_network(f"{ip}/{length}", strict=False)
    known = _cities_in(assigned_to(ip))
    owner = _owners().get(key)
    # Of an address whose owner is not known only the country is: it is said to be in the largest city there.
    city = find_city(owner["city"]) if owner else max(known, key=lambda row: row["population"])
    carrier = ("Telecom", "Broadband", "Networks", "Online", "Fibre")[
        seeds.number(seed, "owner", network) % 5
    ]
    return {
        "network": str(network),
        "city": city,
        "owner": owner["owner"] if owner and owner["owner"] else f"{city['country']} {carrier}",
        # Numbers from 64512 on are nobody's in public.
        "asn": int(owner["asn"])
        if owner and owner["asn"]
        else 64512 + seeds.number(seed, "asn", network) % 1023,
    }


def locate(seed: int, text: str, parameter: str = "q") -> City:
    """The city that a caller means; a fault that names the caller's parameter otherwise."""
    try:
        return _located(seed, text, parameter)
    except ToolFault as fault:
        raise of_parameter(fault, parameter) from fault


def of_parameter(fault: ToolFault, parameter: str) -> ToolFault:
    """The fault, told of the parameter that held the value."""
    named = fault.details.get("parameter")
    if isinstance(named, str) and fault.message.startswith(f"{named}="):
        fault.message = parameter + fault.message[len(named) :]
    fault.details["parameter"] = parameter
    return fault


def _located(seed: int, text: str, parameter: str) -> City:
    """The city that a caller means; a not_found fault that names the accepted forms otherwise."""
    wanted = text.strip()
    coded = airport_keys().get(wanted) if re.fullmatch("[A-Z]{3}", wanted) else None
    found = airport_city(coded) if coded else city_or_none(wanted)
    country = None if found or len(wanted) < 4 else country_or_none(wanted)
    if found or country:
        return found or find_city(wanted)
    at = point(wanted)
    if at:
        return nearest_city(*at)
    by_post = _by_postcode(wanted)
    if by_post:
        return by_post
    prefix, _, rest = wanted.rpartition(":")
    if wanted.lower() == "auto:ip" or is_address(wanted):
        return block(seed, OWN_ADDRESS if wanted.lower() == "auto:ip" else address(wanted))["city"]
    if prefix.lower() in ("iata", "metar") or re.fullmatch(r"[A-Za-z]{3,4}", wanted):
        return airport_city(find_airport(rest))
    near = gazetteer.alike(wanted)
    meant = f"; did you mean {' or '.join(near)}?" if near else ";"
    fault = ToolFault(
        "not_found",
        f"{parameter}={text[:80]!r} is none of the {gazetteer.size():,} known cities, towns and villages{meant} "
        "give a larger city, latitude,longitude, iata:CODE, metar:CODE or an IP address",
        parameter=parameter,
    )
    fault.listed_by = "Weather/weatherapi/search"
    raise fault


def _by_postcode(text: str) -> City | None:
    """The place of a US ZIP code (90210, 90210-1234) or of the beginning of a British or Canadian post code."""
    match = re.fullmatch(r"(\d{5})(?:-\d{4})?", text)
    for _, name, state, latitude, longitude in packed("zip_codes").under(match[1]) if match else ():
        return city_or_none(f"{name}, {state}, US") or nearest_city(float(latitude), float(longitude))
    written = text.upper()
    for country, form in (("CA", _CANADIAN), ("GB", _BRITISH)):
        head = form.fullmatch(written)
        known = head and (_post_areas().get((country, head[1])) or _post_areas().get((country, head[1][:1])))
        if known:
            return city_or_none(f"{known}, {country}")
    return _by_other_postcode(written)


def _by_other_postcode(written: str) -> City | None:
    """The place of a post code of another country, told by its form; four digits are those of city centres."""
    for form, codes in _OTHER_FORMS:
        digits = form.fullmatch(written)
        for country in codes if digits else ():
            heads = (digits[1][:size] for size in (4, 3, 2, 1)) if digits else ()
            known = next(
                (_post_areas()[country, head] for head in heads if (country, head) in _post_areas()), None
            )
            if known:
                return city_or_none(f"{known}, {country}")
    return None


@functools.cache
def _post_areas() -> Mapping[tuple[str, str], str]:
    """(country, beginning of a post code) -> city."""
    return {(row["country"], row["beginning"]): row["city"] for row in read_table("postcodes.tsv")}


def is_address(text: str) -> bool:
    """Whether a text is an IPv4 or IPv6 address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
