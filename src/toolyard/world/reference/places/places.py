"""From what a caller writes ("Paris", "48.86,2.35", "iata:DXB", an IP address) to a city, and IP blocks."""

import functools
import ipaddress
import re
from collections.abc import Mapping
from typing import TypedDict

from toolyard.world.kernel.faults import ToolFault, invalid, not_found
from toolyard.world.kernel.tables import read_table
from toolyard.world.reference.networks import announced_network
from toolyard.world.reference.packed_tables import packed_table
from toolyard.world.reference.places import gazetteer
from toolyard.world.reference.places.geography import (
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
)

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network
OWN_ADDRESS = "81.2.69.160"
# Public resolvers of names, which host nothing and which nobody reports.
RESOLVERS = frozenset(
    "8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 208.67.222.222 208.67.220.220 2001:4860:4860::8888 2001:4860:4860::8844 "
    "2606:4700:4700::1111 2606:4700:4700::1001 2620:fe::fe".split()
)
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
    """The network around an address and the city of those who run it."""

    network: str
    # The largest city of the country where no other is on record.
    city: City
    placed: bool
    # Unknown where the network is smaller than the tables have.
    owner: str | None
    asn: int | None


def parse_point(text: str, parameter: str = "coordinates") -> tuple[float, float] | None:
    """Latitude and longitude out of "48.86,2.35" or "+48.86+002.35"; None if it is neither."""
    match = _POINT.fullmatch(text) or _ISO_POINT.fullmatch(text.strip())
    if match is None:
        return None
    latitude, longitude = float(match[1]), float(match[2])
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise invalid(parameter, text, "latitude within -90 to 90, longitude within -180 to 180")
    return latitude, longitude


def check_ip_address(text: str, parameter: str = "ip") -> str:
    """A public IPv4 or IPv6 address in its normal form; a fault for anything else."""
    try:
        parsed = ipaddress.ip_address(text.strip())
    except ValueError:
        raise invalid(parameter, text, "want an IPv4 or IPv6 address such as 8.8.8.8") from None
    if not parsed.is_global:
        raise not_found("public block for address", text, such_as=(OWN_ADDRESS, "8.8.8.8", "1.1.1.1"))
    if country_of_ip(str(parsed)) is None and _narrowest_network(str(parsed)) is None:
        raise not_found("network assigned with address", text, such_as=(OWN_ADDRESS, "8.8.8.8", "1.1.1.1"))
    return str(parsed)


def country_of_ip(ip: str) -> str | None:
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
def _network_owners() -> Mapping[_Network, Mapping[str, str]]:
    """Networks whose owner and place are common knowledge; "5.9" stands for all addresses that begin so."""
    found: dict[_Network, Mapping[str, str]] = {}
    for row in read_table("address_blocks.tsv"):
        for key in row["blocks"].split(","):
            short = f"{key}::/32" if ":" in key else f"{key}.0.0/16"
            found[ipaddress.ip_network(key if "/" in key else short)] = row
    return found


@functools.cache
def _prefixes() -> tuple[int, ...]:
    return tuple(sorted({network.prefixlen for network in _network_owners()}, reverse=True))


@functools.cache
def _owner_homes() -> Mapping[int, str]:
    """Autonomous systems of services and universities, whose addresses are where they are."""
    return {int(row["number"]): row["city"] for row in read_table("network_homes.tsv")}


def _narrowest_network(ip: str) -> tuple[_Network, Mapping[str, str]] | None:
    """The narrowest network of the table that an address is in."""
    most = ipaddress.ip_address(ip).max_prefixlen
    nets = (ipaddress.ip_network(f"{ip}/{length}", strict=False) for length in _prefixes() if length <= most)
    return next(((net, _network_owners()[net]) for net in nets if net in _network_owners()), None)


def block(ip: str) -> Block:
    """The network that an address belongs to."""
    country, own, known = country_of_ip(ip), _narrowest_network(ip), announced_network(ip)
    home = own[1]["city"] if own else _owner_homes().get(known.number) if known else None
    city = find_city(home) if home else None
    # Of other addresses only the country is known: they are said to be in the largest city there.
    placed = city is not None and (own is not None or country in (None, city["country_code"]))
    least = ipaddress.ip_network(f"{ip}/{24 if '.' in ip else 32}", strict=False)
    return {
        "network": known.network if known else str(own[0] if own else least),
        "city": city if city and placed else max(_cities_in(country), key=lambda row: row["population"]),
        "placed": placed,
        "owner": own[1]["owner"] if own else known.owner if known else None,
        "asn": int(own[1]["asn"]) if own else known.number if known else None,
    }


def locate(text: str, parameter: str = "q") -> City:
    """The city that a caller means; a fault that names the caller's parameter otherwise."""
    try:
        return _find_place(text, parameter)
    except ToolFault as fault:
        raise of_parameter(fault, parameter) from fault


def of_parameter(fault: ToolFault, parameter: str) -> ToolFault:
    """The fault, told of the parameter that held the value."""
    named = fault.details.get("parameter")
    if isinstance(named, str) and fault.message.startswith(f"{named}="):
        fault.message = parameter + fault.message[len(named) :]
    fault.details["parameter"] = parameter
    return fault


def _find_place(text: str, parameter: str) -> City:
    """The city that a caller means; a not_found fault that names the accepted forms otherwise."""
    wanted = text.strip()
    coded = airport_keys().get(wanted) if re.fullmatch("[A-Z]{3}", wanted) else None
    found = airport_city(coded) if coded else city_or_none(wanted)
    country = None if found or len(wanted) < 4 else country_or_none(wanted)
    if found or country:
        return found or find_city(wanted)
    at = parse_point(wanted)
    if at:
        return nearest_city(*at)
    by_post = city_by_postcode(wanted)
    if by_post:
        return by_post
    prefix, _, rest = wanted.rpartition(":")
    if wanted.lower() == "auto:ip" or is_address(wanted):
        return block(OWN_ADDRESS if wanted.lower() == "auto:ip" else check_ip_address(wanted))["city"]
    if prefix.lower() in ("iata", "metar") or re.fullmatch(r"[A-Za-z]{3,4}", wanted):
        return airport_city(find_airport(rest))
    near = gazetteer.similar_city_names(wanted)
    meant = f"; did you mean {' or '.join(near)}?" if near else ";"
    fault = ToolFault(
        "not_found",
        f"{parameter}={text[:80]!r} is none of the {gazetteer.count_cities():,} known cities, towns and villages{meant} "
        "give a larger city, latitude,longitude, iata:CODE, metar:CODE or an IP address",
        parameter=parameter,
    )
    fault.listed_by = "Weather/weatherapi/search"
    raise fault


def city_by_postcode(text: str) -> City | None:
    """The place of a US ZIP code (90210, 90210-1234) or of the beginning of a British or Canadian post code."""
    match = re.fullmatch(r"(\d{5})(?:-\d{4})?", text)
    for _, name, state, latitude, longitude in packed_table("zip_codes").with_key(match[1]) if match else ():
        return city_or_none(f"{name}, {state}, US") or nearest_city(float(latitude), float(longitude))
    written = text.upper()
    for country, form in (("CA", _CANADIAN), ("GB", _BRITISH)):
        head = form.fullmatch(written)
        known = head and (_post_areas().get((country, head[1])) or _post_areas().get((country, head[1][:1])))
        if known:
            return city_or_none(f"{known}, {country}")
    return _city_by_foreign_postcode(written)


def _city_by_foreign_postcode(written: str) -> City | None:
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
