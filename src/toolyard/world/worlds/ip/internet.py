"""IP/IP: whose address it is, where, and what else is known about its network."""

from __future__ import annotations

import re
from typing import TypedDict

from toolyard.world import seeds
from toolyard.world.registry import tool
from toolyard.world.shared.geography import Country, find_country, plain
from toolyard.world.shared.places import OWN_ADDRESS, RESOLVERS, Block, address, block
from toolyard.world.state import World
from toolyard.world.types import (
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
    PhoneNumber,
    RegionName,
    TimeZoneName,
)

GROUP = "IP/IP"
REGISTRIES = {
    "Africa": "AFRINIC",
    "Asia": "APNIC",
    "Oceania": "APNIC",
    "Europe": "RIPE NCC",
    "North America": "ARIN",
    "South America": "LACNIC",
}
# Countries that another registry serves than the rest of their continent.
_ELSEWHERE = {
    "RIPE NCC": "AE AM AZ BH CY GE IL IQ IR JO KG KW KZ LB OM PS QA SA SY TJ TM TR UZ YE GL".split(),
    "LACNIC": "AW BQ BZ CR CU CW DO GT HN HT MX NI PA SV SX TT".split(),
    "APNIC": ["IO"],
}


# First digits of the addresses of version 6 that a registry hands out.
_SIXTH_VERSION = {"24": "APNIC", "26": "ARIN", "28": "LACNIC", "2a": "RIPE NCC", "2c": "AFRINIC"}


def registry_of(country: Country) -> str:
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
    region: RegionName
    city: CityName
    latitude: Latitude
    longitude: Longitude
    time_zone: TimeZoneName
    currency: CurrencyCode
    calling_code: str


class Whois(TypedDict):
    organisation: str
    abuse_mail: EmailAddress
    phone: PhoneNumber


class AddressNetwork(TypedDict):
    ip: IpAddress
    asn: str
    network: str
    provider: str
    city: CityName
    country_code: CountryCode
    hosted_domains: list[DomainName]
    whois: Whois


def _phone(seed: int, network: Block) -> str:
    """A number with the calling code of the country."""
    code = find_country(network["city"]["country_code"])["calling_code"]
    return f"{code} 555 {seeds.number(seed, 'whois', network['network']) % 10_000:04d}"


@tool(
    GROUP,
    examples=[{}],
    phrase="find out the public IP address of this machine",
    noun="the machine's public IP address",
    listed_as="MachineIPAddress",
    fields={"os": 8},
)
def get_ip() -> OwnAddress:
    """The public IP address of the machine that asks."""
    return {"ip": OWN_ADDRESS}


@tool(
    GROUP,
    examples=[{"ip": "8.8.8.8"}],
    phrase="get only the IP country and the registry for {ip}",
    noun="the IP country",
    jobs=("where an address of the internet is",),
)
def ip_country(world: World, *, ip: IpAddress) -> AddressCountry:
    """The country that an IP address is assigned to, and the registry that assigned it.

    ip: Public IPv4 or IPv6 address.
    """
    found = address(ip)
    country = find_country(block(world.seed, found)["city"]["country_code"])
    return {
        "ip": found,
        "country_code": country["code"],
        "country_code3": country["code3"],
        "country": country["name"],
        "registry": (_SIXTH_VERSION.get(found[:2]) if ":" in found else None) or registry_of(country),
    }


@tool(
    GROUP,
    examples=[{"ip": "81.2.69.160"}],
    phrase="get the IP location with city, coordinates, time zone and currency for {ip}",
    noun="the IP location",
    jobs=("where an address of the internet is",),
)
def ip_details(world: World, *, ip: IpAddress) -> AddressDetails:
    """Location of an IP address from continent to city, with coordinates, time zone and currency.

    ip: Public IPv4 or IPv6 address.
    """
    found = address(ip)
    city = block(world.seed, found)["city"]
    country = find_country(city["country_code"])
    return {
        "ip": found,
        "type": "ipv6" if ":" in found else "ipv4",
        "continent": country["continent"],
        "country_code": country["code"],
        "country": country["name"],
        "region": city["region"],
        "city": city["name"],
        "latitude": city["latitude"],
        "longitude": city["longitude"],
        "time_zone": city["time_zone"],
        "currency": country["currency"],
        "calling_code": country["calling_code"],
    }


@tool(
    GROUP,
    examples=[{"ip": "1.1.1.1"}, {"ip": "151.101.1.69"}],
    phrase="get the IP network information with autonomous system and provider for {ip}",
    noun="the IP network information",
    jobs=("where an address of the internet is",),
)
def ip_more(world: World, *, ip: IpAddress) -> AddressNetwork:
    """The network behind an IP address: autonomous system, range, provider, hosted domains, contact.

    ip: Public IPv4 or IPv6 address.
    """
    found = address(ip)
    network = block(world.seed, found)
    count = 0 if found in RESOLVERS else seeds.number(world.seed, "hosts", found) % 4
    house = re.sub(r"[^a-z0-9]+", "-", plain(network["owner"].split(",")[0])).strip("-")
    return {
        "ip": found,
        "asn": f"AS{network['asn']}",
        "network": network["network"],
        "provider": network["owner"],
        "city": network["city"]["name"],
        "country_code": network["city"]["country_code"],
        "hosted_domains": [
            f"site-{seeds.token(6, world.seed, found, number)}.example" for number in range(count)
        ],
        "whois": {
            "organisation": network["owner"],
            "abuse_mail": f"abuse@{house}.example",
            "phone": _phone(world.seed, network),
        },
    }
