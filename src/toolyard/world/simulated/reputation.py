"""Who was reported for abuse: a table of addresses and of pages with malware, generated from the seed."""

from __future__ import annotations

import ipaddress
from array import array
from collections.abc import Mapping
from datetime import timedelta
from random import Random
from typing import Annotated, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import table_texts, values_of
from toolyard.world.kernel.types import (
    CityName,
    CountryCode,
    CountryName,
    DomainName,
    IpAddress,
    IsoDateTime,
    Semantic,
    Url,
)
from toolyard.world.reference.days import iso_stamp
from toolyard.world.reference.places.places import RESOLVERS, block, country_of_ip

MalwareId = Annotated[int, Semantic("malware_url_id")]
Sha256 = Annotated[str, Semantic("sha256")]
# An address that is reported under every seed, and hosts that are listed under every seed.
REPORTED = "118.25.6.39"
# Blocks of exits of the Tor network, which are reported all the time, and how many of their addresses are.
_EXITS = (("185.220.101.", 40), ("171.25.193.", 6), ("23.129.64.", 12))
LISTED = ("mywebsite.com", "free-prizes.example", "update-player.example")
# Categories of a report, which go together, and what those who report write.
ABUSE = (
    (["Brute-Force", "SSH"], "Failed password for root, many attempts within a minute"),
    (["Brute-Force", "SSH"], "SSH login attempts with common user names"),
    (["SSH"], "Invalid user admin, connection closed before authentication"),
    (["Brute-Force", "FTP Brute-Force"], "Wrong FTP passwords, blocked after ten of them"),
    (["Port Scan"], "Probed more than a hundred ports"),
    (["Port Scan", "Hacking"], "Looked for open Telnet and database ports"),
    (["Web App Attack"], "Requests for wp-login.php and .env files"),
    (["Web App Attack", "SQL Injection"], "UNION SELECT in the query of a search page"),
    (["Email Spam"], "Unwanted mail with a forged sender"),
    (["Email Spam", "Spoofing"], "Tried to relay mail under our own domain"),
    (["DDoS Attack"], "Took part in a flood of requests"),
    (["Bad Web Bot"], "Ignored robots.txt and crawled aggressively"),
    (["Bad Web Bot", "Web Spam"], "Posted the same link in forty comments"),
)
# What addresses are used for, told by words in the name of who runs their network; most are providers of access.
_USAGE = table_texts("reputation.usage")
THREAT = "malware_download"
# The kinds of files that a family comes in (Mirai and Mozi attack Linux devices, the others Windows), and their sizes.
FAMILIES: Mapping[str, tuple[str, ...]] = values_of("reputation.families")
# What such files are called.
_FILES: Mapping[str, tuple[str, ...]] = values_of("reputation.files")
SIZES = {
    "exe": (180_000, 2_400_000), "zip": (90_000, 1_900_000), "elf": (48_000, 310_000), "dll": (160_000, 980_000),
    "js": (6_000, 140_000), "doc": (62_000, 290_000),
}  # fmt: skip


class Report(TypedDict):
    reportedAt: IsoDateTime
    comment: str
    categories: list[str]


class Suspect(TypedDict):
    ipAddress: IpAddress
    countryCode: CountryCode
    country: CountryName
    city: CityName
    abuseConfidenceScore: int
    lastReportedAt: IsoDateTime
    age_hours: float
    # Of each report how many seconds ago it was made, and which of ABUSE it is: a hundredth of the memory of reports.
    ago: array[int]
    kinds: bytes


class RecentUrl(TypedDict):
    id: MalwareId
    url: Url
    host: DomainName
    url_status: str
    threat: str
    tags: list[str]
    date_added: IsoDateTime


class MalwareUrl(RecentUrl):
    sha256: Sha256
    file_type: str
    file_size: int
    signature: str


def network_usage(owner: str | None) -> str | None:
    """What the addresses of a provider are used for; None where nobody knows who it is."""
    if owner is None:
        return None
    name = owner.lower()
    kinds = (kind for kind, words in _USAGE.items() if any(word in name for word in words.split()))
    return next(kinds, "Fixed Line ISP")


def _is_host(ip: str) -> bool:
    """Whether an address can belong to one machine on the internet: multicast and reserved ones cannot."""
    found = ipaddress.ip_address(ip)
    return found.is_global and not found.is_multicast and not found.is_reserved


@seeds.table
def reported_suspects(seed: int) -> dict[str, Suspect]:
    """Reported addresses, most suspicious first."""
    chance = seeds.stream(seed, "suspects")
    found = [REPORTED]
    while len(found) < 260:
        ip = str(ipaddress.IPv4Address(chance.getrandbits(32)))
        if _is_host(ip) and ip not in RESOLVERS:
            found.append(ip)
    while len(found) < 300:
        prefix = chance.choice(("2a0", "2a0", "2a1", "240", "280", "260"))
        ip = f"{prefix}{chance.getrandbits(4):x}:{chance.getrandbits(14):x}::{chance.getrandbits(15):x}"
        if country_of_ip(ip):
            found.append(ip)
    exits = seeds.stream(seed, "exits")
    for prefix, count in _EXITS:
        found += [f"{prefix}{last}" for last in sorted(exits.sample(range(1, 255), count))]
    found = list(dict.fromkeys(found))
    rows = [_suspect(seed, ip) for ip in found if ipaddress.ip_address(ip).is_global]
    rows.sort(key=lambda row: (-row["abuseConfidenceScore"], row["age_hours"]))
    return {row["ipAddress"]: row for row in rows}


_SURE, _SHOWN = 100, 5
_LATELY = 0.163  # hours ago; all others were reported before


def _draw_report(chance: Random, hour: float) -> tuple[int, int]:
    """How many seconds ago a report was made, and which of ABUSE it is."""
    kind = chance.choice(range(len(ABUSE)))
    return int(hour * 3600), kind


def address_reports(row: Suspect) -> list[Report]:
    """What was reported of an address, latest first."""
    return [
        Report(
            reportedAt=iso_stamp(EPOCH - timedelta(seconds=ago)),
            comment=ABUSE[kind][1],
            categories=ABUSE[kind][0],
        )
        for ago, kind in zip(row["ago"], row["kinds"], strict=True)
    ]


def _suspect(seed: int, ip: str) -> Suspect:
    chance = seeds.stream(seed, "suspect", ip)
    found = str(ipaddress.ip_address(ip))
    city = block(found)["city"]
    always = ip == REPORTED or ip.startswith(tuple(prefix for prefix, _ in _EXITS))
    score = 100 if always else min(100, chance.randint(20, 140))
    hours = sorted(chance.uniform(0.2, 24 * 60) for _ in range(max(2, score // 4)))
    if ip == REPORTED:
        hours[0] = _LATELY
    reports = [_draw_report(chance, hour) for hour in hours]
    if score == _SURE and ip != REPORTED:  # of which some were seen by few and some by many
        others = seeds.stream(seed, "further reports", ip)
        count = int(90 * others.random() ** 2)
        earlier = [others.uniform(hours[_SHOWN], 24 * 60) for _ in range(count)]
        reports += [_draw_report(others, hour) for hour in earlier]
        reports.sort(key=lambda report: report[0])
    return {
        "ipAddress": found,
        "countryCode": city["country_code"],
        "country": city["country"],
        "city": city["name"],
        "abuseConfidenceScore": score,
        "lastReportedAt": iso_stamp(EPOCH - timedelta(seconds=reports[0][0])),
        "age_hours": hours[0],
        "ago": array("I", (ago for ago, _ in reports)),
        "kinds": bytes(kind for _, kind in reports),
    }


def find_suspect(seed: int, ip: str) -> Suspect | None:
    """What was reported of an address; of any exit of the Tor network something was."""
    known = reported_suspects(seed).get(ip)
    return known or (_suspect(seed, ip) if ip.startswith(tuple(prefix for prefix, _ in _EXITS)) else None)


@seeds.table
def reported_addresses(seed: int) -> tuple[Suspect, ...]:
    """Reported addresses that a registry has assigned, most suspicious first."""
    return tuple(row for ip, row in reported_suspects(seed).items() if country_of_ip(ip))


@seeds.table
def malware_urls(seed: int) -> tuple[MalwareUrl, ...]:
    """Pages with malware, newest first; some hosts are bare addresses of suspects."""
    chance = seeds.stream(seed, "malware")
    addresses = [ip for ip in reported_suspects(seed) if ":" not in ip]
    hosts = [f"{chance.choice(('cdn', 'files', 'get'))}-{seeds.token(5, seed, n)}.example" for n in range(25)]
    hosts = [hosts[0], *LISTED[1:], *hosts[1:], LISTED[0], *chance.sample(addresses, 25)]
    rows, gaps, minutes, key = [], seeds.stream(seed, "times of malware"), 5.0, 2_800_000
    for number in range(140):
        minutes += gaps.expovariate(1 / 34) + 0.2 if number else 0
        key -= gaps.randrange(1, 14) if number else 0
        host = hosts[number % len(hosts)]
        family = chance.choice(tuple(FAMILIES))
        kind = chance.choice(FAMILIES[family])
        name = seeds.pick(_FILES[kind], seed, "file", number)
        rows.append(
            MalwareUrl(
                id=key,
                url=f"http://{host}/{seeds.token(6, seed, 'path', number)}/{name}.{kind}",
                host=host,
                url_status=chance.choice(("online", "offline", "offline")),
                threat=THREAT,
                tags=[family, kind],
                date_added=iso_stamp(EPOCH - timedelta(seconds=int(60 * minutes))),
                sha256=seeds.token(64, seed, "payload", number),
                file_type=kind,
                file_size=chance.randrange(*SIZES[kind]),
                signature=family,
            )
        )
    return tuple(rows)
