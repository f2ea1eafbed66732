"""Whose network an IPv4 address is in: the announced ranges of 4,096 addresses and more."""

import ipaddress
from typing import NamedTuple

from toolyard.world.reference.packed_tables import packed_table

_STEP = 256


class Announced(NamedTuple):
    """A network as it is announced: its prefix, the number of the autonomous system and who runs it."""

    network: str
    number: int
    owner: str


def announced_network(ip: str) -> Announced | None:
    """The network of an address of version 4; None for others and for smaller networks than the table has."""
    parsed = ipaddress.ip_address(ip)
    if parsed.version != 4:
        return None
    value = int(parsed)
    row = packed_table("networks").last_up_to(f"{value >> 8:06x}")
    if row is None or value >= (int(row[0], 16) + int(row[1])) * _STEP:
        return None
    first = int(row[0], 16) * _STEP
    prefixes = ipaddress.summarize_address_range(
        ipaddress.IPv4Address(first), ipaddress.IPv4Address(first + int(row[1]) * _STEP - 1)
    )
    network = next(str(prefix) for prefix in prefixes if parsed in prefix)
    return Announced(network, int(row[2]), packed_table("network_owners").with_key(row[2])[0][1])
