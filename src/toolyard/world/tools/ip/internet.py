"""IP/IP: whose address it is, where, and what else is known about its network."""

import re
from collections.abc import Mapping
from typing import TypedDict

from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain, table_texts, values_of
from toolyard.world.kernel.types import (
    CityName,
    ContinentName,
    CountryCode,
    CountryName,
    CurrencyCode,
    DomainName,
    EmailAddress,
    IpAddress,
    Latitude,
    Longitude,
    RegionName,
    TimeZoneName,
)
from toolyard.world.reference.places.geography import Country, find_country
from toolyard.world.reference.places.places import OWN_ADDRESS, Block, block, check_ip_address

GROUP = Group("IP/IP")
REGISTRIES = table_texts("internet.registries")
# Countries that another registry serves than the rest of their continent.
_ELSEWHERE = {
    "RIPE NCC": "AE AM AZ BH CY GE IL IQ IR JO KG KW KZ LB OM PS QA SA SY TJ TM TR UZ YE GL".split(),
    "LACNIC": "AW BQ BZ CR CU CW DO GT HN HT MX NI PA SV SX TT".split(),
    "APNIC": ["IO"],
}


# First numbers of the addresses of version 4 that one registry hands out.
_FOURTH_VERSION: Mapping[str, tuple[int, ...]] = values_of("internet.fourth_version")
# First digits of the addresses of version 6 that a registry hands out.
_SIXTH_VERSION = {"24": "APNIC", "26": "ARIN", "28": "LACNIC", "2a": "RIPE NCC", "2c": "AFRINIC"}


# Countries whose clocks differ from place to place.
_SEVERAL_ZONES = frozenset("US CA AU BR MX RU ID CD MN CL EC PT ES NZ PF KI FM GL KZ UM AQ".split())


def _registry_by_first_digits(ip: str) -> str | None:
    """The registry of an address by its first digits; None where these belong to several."""
    if ":" in ip:
        return _SIXTH_VERSION.get(ip[:2])
    first = int(ip.partition(".")[0])
    return next((name for name, numbers in _FOURTH_VERSION.items() if first in numbers), None)


def country_registry(country: Country) -> str:
    """The registry that assigns the addresses of a country."""
    other = (name for name, codes in _ELSEWHERE.items() if country["code"] in codes)
    return next(other, REGISTRIES[country["continent"]])


class OwnAddress(TypedDict):
    ip: IpAddress


class AddressCountry(TypedDict):
    ip: IpAddress
    country_code: CountryCode
    country_code3: str
    country: CountryName
    registry: str


class AddressDetails(TypedDict):
    ip: IpAddress
    type: str
    continent: ContinentName
    country_code: CountryCode
    country: CountryName
    region: RegionName | None
    city: CityName | None
    latitude: Latitude | None
    longitude: Longitude | None
    time_zone: TimeZoneName | None
    currency: CurrencyCode
    calling_code: str


class Whois(TypedDict):
    organisation: str | None
    abuse_mail: EmailAddress | None


class AddressNetwork(TypedDict):
    ip: IpAddress
    asn: str | None
    network: str
    provider: str | None
    city: CityName | None
    country_code: CountryCode
    hosted_domains: list[DomainName]
    whois: Whois


# Names that are known to answer at an address.
_NAMES = table_texts("internet.names")


@GROUP.tool(
    phrase="find out the public IP address of this machine",
    noun="the machine's public IP address",
    listed_as="MachineIPAddress",
    fields={"os": 8},
)
def get_ip() -> OwnAddress:
    """The public IP address of the machine that asks."""
    return {"ip": OWN_ADDRESS}


@GROUP.tool(
    examples=[{"ip": "8.8.8.8"}],
    phrase="get only the IP country and the registry for {ip}",
    noun="the IP country",
    jobs=("where an address of the internet is",),
)
def ip_country(world: World, *, ip: IpAddress) -> AddressCountry:
    """The country that an IP address is assigned to, and the registry that assigned it.

    ip: Public IPv4 or IPv6 address.
    """
    found = check_ip_address(ip)
    country = find_country(block(found)["city"]["country_code"])
    return {
        "ip": found,
        "country_code": country["code"],
        "country_code3": country["code3"],
        "country": country["name"],
        "registry": _registry_by_first_digits(found) or country_registry(country),
    }


@GROUP.tool(
    examples=[{"ip": "81.2.69.160"}],
    phrase="get the IP location with city, coordinates, time zone and currency for {ip}",
    noun="the IP location",
    jobs=("where an address of the internet is",),
)
def ip_details(world: World, *, ip: IpAddress) -> AddressDetails:
    """Location of an IP address from continent to city, with coordinates, time zone and currency; the city is
    given where a service or a university runs the network, otherwise it is null.

    ip: Public IPv4 or IPv6 address.
    """
    found = check_ip_address(ip)
    network = block(found)
    city, placed = network["city"], network["placed"]
    country = find_country(city["country_code"])
    zone = None if country["code"] in _SEVERAL_ZONES else country["time_zone"]
    return {
        "ip": found,
        "type": "ipv6" if ":" in found else "ipv4",
        "continent": country["continent"],
        "country_code": country["code"],
        "country": country["name"],
        "region": city["region"] if placed else None,
        "city": city["name"] if placed else None,
        "latitude": city["latitude"] if placed else None,
        "longitude": city["longitude"] if placed else None,
        "time_zone": city["time_zone"] if placed else zone,
        "currency": country["currency"],
        "calling_code": country["calling_code"],
    }


@GROUP.tool(
    examples=[{"ip": "1.1.1.1"}, {"ip": "151.101.1.69"}],
    phrase="get the IP network information with autonomous system and provider for {ip}",
    noun="the IP network information",
    jobs=("where an address of the internet is",),
    promises={"geographic information": "country_code", "Ranges": "network"},
)
def ip_more(world: World, *, ip: IpAddress) -> AddressNetwork:
    """The network behind an IP address: autonomous system, range, provider, contact; null where it is not known.

    Hosted domains are given for well-known servers only.

    ip: Public IPv4 or IPv6 address.
    """
    found = check_ip_address(ip)
    network = block(found)
    owner = network["owner"]
    return {
        "ip": found,
        "asn": f"AS{network['asn']}" if network["asn"] else None,
        "network": network["network"],
        "provider": owner,
        "city": network["city"]["name"] if network["placed"] else None,
        "country_code": network["city"]["country_code"],
        "hosted_domains": [name for name, known in _NAMES.items() if found in known.split()],
        "whois": _make_whois(network),
    }


def _make_whois(network: Block) -> Whois:
    """Who answers for a network; nobody where its owner is not on record."""
    owner = network["owner"]
    if owner is None:
        return {"organisation": None, "abuse_mail": None}
    house = re.sub(r"[^a-z0-9]+", "-", plain(owner.split(",")[0])).strip("-")
    return {"organisation": owner, "abuse_mail": f"abuse@{house}.example"}
