"""Scans of websites: nine tests of a host's security headers, a score, a grade, and a history.

{"40000013": {"host": "github.com", "end_time": "2024-05-14T10:00:00Z", "passed": {"cookies": True, ...}}}
"""

from collections.abc import Mapping
from datetime import timedelta
from random import Random

from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel import seeds
from toolyard.world.kernel.derived_rows import derive_row, derived_names
from toolyard.world.kernel.state import EPOCH, Store, World
from toolyard.world.kernel.tables import table_words, values_of
from toolyard.world.reference.days import iso_stamp

HOSTS = list(table_words("scans.hosts"))
# Test -> (what is found when it passes, when it fails, points lost by failing, share of hosts that pass)
TESTS: Mapping[str, tuple[str, str, int, float]] = values_of("scans.tests")
GRADES = ((100, "A+"), (90, "A"), (85, "A-"), (80, "B+"), (70, "B"), (65, "B-"), (60, "C+"), (50, "C"), (45, "C-"),
          (40, "D+"), (30, "D"), (25, "D-"), (0, "F"))  # fmt: skip


# What hosts of the real web fail: most large ones have inline scripts and scripts of others. github.com and mozilla.org
# are known for passing everything, google.com for answering plain HTTP.
_FAILED_BY: Mapping[str, tuple[str, ...]] = values_of("scans.failed_by")
# What a host gets above 100 where nothing failed, and for which test.
BONUS = 5
PRIZED = "content-security-policy"
_USUALLY_FAILED = ("content-security-policy", "subresource-integrity")
_SAFE_OUTSIDE = ("redirection", "strict-transport-security", "cookies", "referrer-policy")


def tests_passed(seed: int, host: str, step: int = 0) -> dict[str, bool]:
    """Which tests a host passes; earlier scans (higher steps) of hosts of this world pass fewer."""
    if host in _FAILED_BY or (host in HOSTS and not host.endswith((".example", "mywebsite.com"))):
        failed = _FAILED_BY.get(host, _USUALLY_FAILED)
        return {name: name not in failed for name in TESTS}
    own = host.endswith(".example")
    return {
        name: (own or name != PRIZED)  # hardly any site of the real web has such a policy
        and (
            (not own and name in _SAFE_OUTSIDE)
            or seeds.unit(seed, "header", host, name) < share * (1 - 0.12 * step)
        )
        for name, (_, _, _, share) in TESTS.items()
    }


def _initial_scans(seed: int) -> Mapping[str, JsonValue]:
    scans = []
    for host in HOSTS:
        chance = seeds.stream(seed, "scans", host)
        for step in range(chance.randint(1, 4)):
            when = EPOCH - timedelta(days=45 * step, minutes=chance.randrange(5, 60 * 24 * 20))
            scans.append((iso_stamp(when), host, tests_passed(seed, host, step)))
    scans.sort()
    return {
        str(40_000_000 + 13 * number): {"host": host, "end_time": when, "passed": results}
        for number, (when, host, results) in enumerate(scans)
    }


SCANS = Store("web_scans", _initial_scans)


def scan_score(results: Mapping[str, bool]) -> int:
    """Points of a scan: 100 less what failed tests cost, plus 5 when nothing failed."""
    lost = sum(TESTS[name][2] for name, good in results.items() if not good)
    return max(100 - lost, 0) + (BONUS if not lost else 0)


def scan_grade(score: int) -> str:
    """The letter of a score."""
    return next(letter for low, letter in GRADES if score >= low)


def scans_newest_first(world: World) -> list[tuple[int, Record]]:
    """All scans with their ids, newest first."""
    rows = [(int(key), scan) for key, scan in world.store(SCANS).items()]
    return sorted(rows, key=lambda row: (row[1]["end_time"], row[0]), reverse=True)


FIRST_DERIVED = 60_000_000


def scan_history(world: World, host: str) -> list[tuple[int, dict[str, JsonValue]]]:
    """The scans of a host of the real web that the store does not hold, newest first; hosts of this one have none."""
    if host.endswith((".example", ".invalid", ".test")):
        return []

    def built(chance: Random) -> list[tuple[int, dict[str, JsonValue]]]:
        first = FIRST_DERIVED + seeds.number(world.seed, "scan", host) % 10_000_000 * 10
        days = sorted(chance.sample(range(2, 400), chance.randint(1, 3)))
        return [
            (
                first - step,
                {
                    "host": host,
                    "end_time": iso_stamp(EPOCH - timedelta(days=day, minutes=chance.randrange(1440))),
                    "passed": tests_passed(world.seed, host, step),
                },
            )
            for step, day in enumerate(days)
        ]

    return derive_row(world.seed, "host", host, built)


def find_scan(world: World, key: int) -> Record | None:
    """The scan with an id: of the store, or of a host whose history the running world has derived."""
    if str(key) in world.store(SCANS):
        return dict(world.store(SCANS)[str(key)])
    rows = (row for host in derived_names("host") for row in scan_history(world, host))
    return next((row for number, row in rows if number == key), None)


def scan_host(world: World, host: str) -> tuple[int, dict[str, JsonValue]]:
    """Scans a host now; the scan is part of the world from then on."""
    key = max(int(known) for known in world.store(SCANS)) + 13
    found: dict[str, JsonValue] = {
        "host": host,
        "end_time": iso_stamp(world.now),
        "passed": tests_passed(world.seed, host),
    }
    world.store(SCANS)[str(key)] = found
    return key, found
