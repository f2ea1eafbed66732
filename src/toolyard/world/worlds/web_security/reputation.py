"""Who was reported for abuse: a table of addresses and of pages with malware, generated from the seed."""

from __future__ import annotations

import ipaddress
from datetime import timedelta
from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.shared.days import stamp
from toolyard.world.state import EPOCH
from toolyard.world.types import (
    CityName,
    CountryCode,
    CountryName,
    DomainName,
    IpAddress,
    IsoDateTime,
    Semantic,
    Url,
)
from toolyard.world.worlds.geo_weather_ip.places import block

MalwareId = Annotated[int, Semantic("malware_url_id")]
Sha256 = Annotated[str, Semantic("sha256")]
# An address that is reported under every seed, and hosts that are listed under every seed.
REPORTED = "118.25.6.39"
LISTED = ("mywebsite.com", "free-prizes.example", "update-player.example")
TRUSTED = frozenset({"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9"})
ABUSE = {
    "Brute-Force": "Failed password for root, many attempts within a minute",
    "SSH": "SSH login attempts with common user names",
    "Port Scan": "Probed more than a hundred ports",
    "Web App Attack": "Requests for wp-login.php and .env files",
    "Email Spam": "Unwanted mail with a forged sender",
    "DDoS Attack": "Took part in a flood of requests",
    "Bad Web Bot": "Ignored robots.txt and crawled aggressively",
}
USAGE = (
    "Data Center/Web Hosting/Transit",
    "Fixed Line ISP",
    "Mobile ISP",
    "University/College/School",
    "Commercial",
)
THREATS = ("malware_download", "phishing", "botnet_command")
FAMILIES = ("AgentTesla", "Mirai", "Emotet", "RedLine", "Qakbot", "Mozi")
TYPES = ("exe", "zip", "elf", "dll", "js", "doc")


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
    reports: list[Report]


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


@seeds.table
def suspects(seed: int) -> dict[str, Suspect]:
    """Reported addresses, most suspicious first."""
    chance = seeds.stream(seed, "suspects")
    found = [REPORTED]
    while len(found) < 260:
        ip = str(ipaddress.IPv4Address(chance.getrandbits(32)))
        if ipaddress.ip_address(ip).is_global and ip not in TRUSTED:
            found.append(ip)
    found += [f"2a0{n % 10}:{chance.getrandbits(15):x}::{chance.getrandbits(15):x}" for n in range(40)]
    rows = [_suspect(seed, ip) for ip in found if ipaddress.ip_address(ip).is_global]
    rows.sort(key=lambda row: (-row["abuseConfidenceScore"], row["ipAddress"] != REPORTED, row["age_hours"]))
    return {row["ipAddress"]: row for row in rows}


def _suspect(seed: int, ip: str) -> Suspect:
    chance = seeds.stream(seed, "suspect", ip)
    found = str(ipaddress.ip_address(ip))
    city = block(seed, found)["city"]
    score = 100 if ip == REPORTED else min(100, chance.randint(20, 140))
    hours = sorted(chance.uniform(0.2, 24 * 60) for _ in range(max(2, score // 4)))
    if ip == REPORTED:
        hours[0] = 5.0
    reports: list[Report] = []
    for hour in hours:
        kinds = chance.sample(sorted(ABUSE), chance.randint(1, 2))
        when = stamp(EPOCH - timedelta(seconds=int(hour * 3600)))
        reports.append({"reportedAt": when, "comment": ABUSE[kinds[0]], "categories": kinds})
    return {
        "ipAddress": found,
        "countryCode": city["country_code"],
        "country": city["country"],
        "city": city["name"],
        "abuseConfidenceScore": score,
        "lastReportedAt": reports[0]["reportedAt"],
        "age_hours": hours[0],
        "reports": reports,
    }


@seeds.table
def malware(seed: int) -> tuple[MalwareUrl, ...]:
    """Pages with malware, newest first; some hosts are bare addresses of suspects."""
    chance = seeds.stream(seed, "malware")
    addresses = [ip for ip in suspects(seed) if ":" not in ip]
    hosts = [
        *LISTED,
        *(f"{chance.choice(('cdn', 'files', 'get'))}-{seeds.token(5, seed, n)}.example" for n in range(25)),
    ]
    hosts += chance.sample(addresses, 25)
    rows = []
    for number in range(140):
        host = hosts[number % len(hosts)]
        kind = chance.choice(TYPES)
        family = chance.choice(FAMILIES)
        rows.append(
            MalwareUrl(
                id=2_800_000 - 7 * number,
                url=f"http://{host}/{seeds.token(6, seed, 'path', number)}/setup.{kind}",
                host=host,
                url_status=chance.choice(("online", "offline", "offline")),
                threat=THREATS[0] if chance.random() < 0.7 else chance.choice(THREATS),
                tags=[family, kind],
                date_added=stamp(EPOCH - timedelta(minutes=37 * number + 5)),
                sha256=seeds.token(64, seed, "payload", number),
                file_type=kind,
                file_size=chance.randrange(8_000, 4_000_000),
                signature=family,
            )
        )
    return tuple(rows)
