"""Validation/Validation: bad language, phone numbers, and the security of websites."""

import functools
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Annotated, Literal, TypedDict

from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel import seeds
from toolyard.world.kernel.derived_rows import derive_row, derived_names
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import EPOCH, Store, World
from toolyard.world.kernel.tables import table_texts, table_words, values_of
from toolyard.world.kernel.types import (
    CountryCode,
    CountryName,
    DomainName,
    IsoDateTime,
    Named,
    PhoneNumber,
    Prose,
    Range,
    Semantic,
)
from toolyard.world.reference.days import iso_stamp
from toolyard.world.reference.places.geography import find_country
from toolyard.world.tools.url.url import parse_domain

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


_CANADIAN = frozenset(table_words("phone_plans.canadian"))
_ISLANDS = frozenset(
    "242 246 264 268 284 340 345 441 473 649 658 664 670 671 684 721 758 767 784 787 809 829 849 868 869 876 939".split()
)
_SHORT = frozenset(table_words("phone_plans.short"))
KINDS = table_texts("phone_plans.kinds")


@dataclass(frozen=True, slots=True)
class Plan:
    """The least and the most digits after the calling code, and the beginnings of each kind of line."""

    least: int
    most: int
    begins: Mapping[str, str]

    def kind_of(self, national: str) -> str | None:
        """The kind of line of a number; None where no number of the country begins so."""
        for kind, name in KINDS.items():
            if kind in self.begins and re.match(self.begins[kind], national):
                return name
        if "fixed" in self.begins:
            return None
        return "fixed line" if "mobile" in self.begins else "fixed line or mobile"


@functools.cache
def _plans_by_country() -> Mapping[str, Plan]:
    found = {}
    for code, line in table_texts("phone_plans.plans").items():
        digits, *begins = line.split()
        least, _, most = digits.partition("-")
        found[code] = Plan(int(least), int(most), dict(part.split("=", 1) for part in begins))
    return found


def plan_of(country: str, calling: str) -> Plan:
    """The plan of a country by its code; of one that shares the code 1 by its calling code."""
    if len(calling) == 4 and calling.startswith("1"):
        return Plan(7, 7, {})
    return _plans_by_country().get(country, Plan(6, 12, {}))


def reason_against_number(country: str, national: str, calling: str) -> str:
    """Why a number with the calling code 1 is none of its country; nothing where it is."""
    area = national[:3]
    if len(calling) == 4 and calling.startswith("1") and national[0] in "01":
        return "the exchange code must not begin with 0 or 1"
    if country not in ("US", "CA") or re.match(r"8(?:00|33|44|55|66|77|88)|900", area):
        return ""
    if national[0] in "01" or national[3] in "01":
        return "area and exchange code must not begin with 0 or 1"
    if area.endswith("11"):
        return f"{area} is no area code"
    if country == "US" and area in _CANADIAN:
        return f"the area code {area} belongs to Canada"
    if area in _ISLANDS:
        return f"the area code {area} belongs to another country with the calling code 1"
    if country == "CA" and area not in _CANADIAN:
        return f"the area code {area} is none of Canada"
    return ""


# Numbers that are in use although shorter than their country's plan: Childline in Britain.
_SHORTER = {("GB", "8001111"): "toll-free"}


def shorter_kind(country: str, national: str) -> str | None:
    """The kind of line of a number that the plan has no room for; None where nobody has it."""
    return _SHORTER.get((country, national))


def is_short(number: str) -> bool:
    """Whether a number is one for emergencies or information."""
    return number.replace(" ", "") in _SHORT


GROUP = Group("Validation/Validation")
ScanId = Annotated[int, Semantic("web_scan_id")]
Website = Annotated[str, Semantic("domain", accepts=("url",)), Range(1, 500)]
_WORD = re.compile(
    r"(?<!\w)(?![aAI] (?!s s\b))(?:\w[ .-]){2,}\w(?!\w)|[^\W\d_]+(?:[*#]+[^\W\d_]+)+|"
    r"[^\W\d_][*#]{2,}[^\W\d_]*(?!\w)|[^\W_]*(?:[@$!]+[^\W_]+)+|[^\W\d_]+[$@]+(?!\w)|[^\W_]+"
)
_DISGUISED = str.maketrans("@$1!0345", "asiioeas")
_UNTIED = re.compile(r" (?=[,.;:!?])")  # what is left before a full stop when a word is taken out
_PROFANE = frozenset(table_words("validation.profane"))


class Profanity(TypedDict):
    has_profanity: bool
    found: list[str]
    censored: str
    cleaned: Prose


class PhoneCheck(TypedDict):
    valid: bool
    reason: str
    country_code: CountryCode
    country: CountryName
    calling_code: str
    international_format: PhoneNumber | None
    line_type: str | None


class Scan(TypedDict):
    scan_id: ScanId
    host: DomainName
    state: str
    grade: str
    score: int
    tests_passed: int
    tests_failed: int
    end_time: IsoDateTime


class TestResult(TypedDict):
    passed: bool
    result: str
    score_modifier: int


class ScanTests(TypedDict):
    scan_id: ScanId
    host: DomainName
    tests: dict[str, TestResult]


class RecentScan(TypedDict):
    scan_id: ScanId
    host: DomainName
    score: int
    grade: str
    end_time: IsoDateTime


class PastScan(TypedDict):
    scan_id: ScanId
    grade: str
    score: int
    end_time: IsoDateTime


@GROUP.tool(
    examples=[{"text": "What the fuck is this bullshit about the weather?"}],
    phrase="check this text for swear words and censor them: {text}",
    noun="the profanity check",
    chat=False,
)
def profanity_detect(*, text: Annotated[Prose, Range(1, 20_000)]) -> Profanity:
    """Whether a text holds swear words, disguised ones too, with the text censored by stars and with the words taken out.

    text: English text.
    """
    found = [match[0] for match in _WORD.finditer(text) if _is_profane(match)]
    censored = _WORD.sub(lambda m: m[0][0] + "*" * (len(m[0]) - 1) if _is_profane(m) else m[0], text)
    cleaned = _WORD.sub(lambda m: "" if _is_profane(m) else m[0], text)
    return {
        "has_profanity": bool(found),
        "found": list(dict.fromkeys(word.lower() for word in found)),
        "censored": censored,
        "cleaned": _UNTIED.sub("", " ".join(cleaned.split())).lstrip(",;:!. ") if found else text,
    }


def _is_profane(match: re.Match[str]) -> bool:
    """Whether a word is a swear word, also with letters drawn out, apart or in disguise, and not somebody's name."""
    written = match[0]
    around = match.string[: match.start()], match.string[match.end() :]
    if written == "Dick" and (
        re.match(r"[ -](?:v[ao]n |de )?[A-Z][a-z]", around[1]) or re.search(r"[A-Z][a-z.]+[ -]$", around[0])
    ):
        return False  # Dick Van Dyke, Moby Dick
    if written.lower() == "bloody" and re.match(r" (?:Mary|Sunday|nose|hand)", around[1], re.IGNORECASE):
        return False
    word = re.sub(r"[ .-]", "", written).lower()
    if re.search(r"[*#]", word):
        hidden = re.compile("".join("[a-z]" if sign in "*#" else re.escape(sign) for sign in word))
        return any(len(known) > 3 and hidden.fullmatch(known) for known in _PROFANE)
    plainly = word.translate(_DISGUISED)
    single = re.sub(r"(.)\1+", r"\1", plainly)
    return (
        word in _PROFANE
        or plainly in _PROFANE
        or (single != plainly and len(single) > 3 and single in _PROFANE)
    )


# Calling code of Italy, whose fixed lines begin with a zero wherever one calls from.
_ZEROS_KEPT = "39"


def _digits_in(text: str) -> str:
    return "".join(sign for sign in text if sign.isascii() and sign.isdigit())


def _national_number(number: str, calling: str, most: int) -> str | None:
    """The digits after the country's calling code; None when the number names another country."""
    digits, code = _digits_in(number), _digits_in(calling)
    digits = digits.removeprefix("00") if number.strip().startswith("00") else digits
    if number.strip().startswith(("+", "00")):
        if not digits.startswith(code):
            return None
        digits = digits[len(code) :]
    elif len(digits) > most:
        # Written with the code but without its plus, with the 8 of Russia, or with the area code of an island.
        own = next((one for one in (code, "8" if code == "7" else code[1:]) if digits.startswith(one)), "")
        digits = digits[len(own) :]
    if code == _ZEROS_KEPT:
        return digits
    return digits.removeprefix("06" if code == "36" and digits.startswith("06") else "0")


@GROUP.tool(
    examples=[{"number": "+44 7911 123456", "country_code": "GB"}],
    phrase="check whether {number} is a valid phone number in {country_code}",
    noun="the phone number check",
)
def check_phone_number(
    *, number: Annotated[PhoneNumber, Range(1, 40)], country_code: CountryCode
) -> PhoneCheck:
    """Whether a phone number is possible in a country, in international form and with the kind of line.

    The kinds are fixed line, mobile, fixed line or mobile, toll-free, shared cost and premium rate.

    number: Phone number with or without calling code.
    country_code: Two- or three-letter code (or name) of the country.
    """
    country = find_country(country_code)
    plan = plan_of(country["code"], _digits_in(country["calling_code"]))
    least, most = plan.least, plan.most
    national = _national_number(number, country["calling_code"], most)
    known = shorter_kind(country["code"], national or "")
    kind = known or (plan.kind_of(national) if national else None)
    strange = [sign for sign in number if not (sign.isdigit() or sign in "+-() ./x")]
    if strange:
        reason = f"{strange[0]!r} cannot be part of a phone number"
    elif is_short(number):
        reason = "a short number for emergencies or information, not that of a line"
    elif national is None:
        reason = f"the calling code is not that of {country['name']}"
    elif not known and not least <= len(national) <= most:
        reason = f"{len(national)} digits after the calling code, wanted {least if least == most else f'{least} to {most}'}"
    elif kind is None:
        reason = f"no number of {country['name']} begins with {national[:2]}"
    else:
        reason = reason_against_number(country["code"], national, _digits_in(country["calling_code"]))
    code = _digits_in(country["calling_code"])
    return {
        "valid": not reason,
        "reason": reason or "the number fits the country's plan",
        "country_code": country["code"],
        "country": country["name"],
        "calling_code": f"+{code}",
        "international_format": None if reason else f"+{code}{national}",
        "line_type": None if reason else kind,
    }


def _parse_host(text: str, parameter: str) -> str:
    """The host of a website; names that no website can have and bare IP addresses are refused."""
    host = parse_domain(text, parameter)
    if re.fullmatch(r"[\d.]+", host):
        raise invalid(parameter, text[:60], "want the host name of a website, not an IP address")
    if host.endswith((".test", ".invalid", ".localhost", ".local")):
        raise invalid(parameter, text[:60], "no website has such a name; want one such as www.example.org")
    return host


def _scan_result(key: int, row: Record) -> Scan:
    score = scan_score(row["passed"])
    good = sum(row["passed"].values())
    return {
        "scan_id": key,
        "host": row["host"],
        "state": "FINISHED",
        "grade": scan_grade(score),
        "score": score,
        "tests_passed": good,
        "tests_failed": len(row["passed"]) - good,
        "end_time": row["end_time"],
    }


@GROUP.tool(
    examples=[{"website": "www.mywebsite.com"}],
    phrase="run a new security header scan of {website}",
    noun="the new website scan",
)
def analyze_scan(world: World, *, website: Website) -> Scan:
    """Scans the security headers of a website now and returns score and grade; details come by the scan id.

    website: Host name (or address) of the website.
    """
    return _scan_result(*scan_host(world, _parse_host(website, "website")))


@GROUP.tool(
    examples=[{"id": 40_000_013}],
    phrase="show the single test results of the finished website scan whose id is {id}",
    noun="the detailed scan results",
)
def get_scan_results(world: World, *, key: Annotated[ScanId, Named("id")]) -> ScanTests:
    """The single tests of a finished scan: what was found and what it did to the score.

    The score starts at 100 and ends at 0; a policy without unsafe sources adds 5 points where no test failed.

    id: Id of the scan.
    """
    row = find_scan(world, key)
    if row is None:
        raise not_found("scan", key, known=[str(number) for number, _ in scans_newest_first(world)])
    flawless = all(row["passed"].values())
    tests: dict[str, TestResult] = {}
    for name, good in row["passed"].items():
        right, wrong, cost, _ = TESTS[name]
        tests[name] = {
            "passed": good,
            "result": right if good else wrong,
            "score_modifier": -cost if not good else BONUS if flawless and name == PRIZED else 0,
        }
    return {"scan_id": key, "host": row["host"], "tests": tests}


@GROUP.tool(
    examples=[{"way": "max", "score": 80}, {"way": "min", "score": 50}],
    phrase=(
        "list the ten most recent website security scans, with the score bound set to {score} and the side "
        "of the bound set to {way}"
    ),
    noun="the list of recent scans",
)
def get_recent_scans(
    world: World, *, way: Literal["max", "min"], score: Annotated[int, Range(0, 135)]
) -> list[RecentScan]:
    """The ten most recent scans whose score lies on one side of a bound.

    way: max: scores up to the bound; min: scores from the bound on.
    score: The bound.
    """
    found: list[RecentScan] = []
    for key, row in scans_newest_first(world):
        points = scan_score(row["passed"])
        if (points <= score) if way == "max" else (points >= score):
            grade = scan_grade(points)
            found.append(
                {
                    "scan_id": key,
                    "host": row["host"],
                    "score": points,
                    "grade": grade,
                    "end_time": row["end_time"],
                }
            )
    return found[:10]


@GROUP.tool(
    examples=[{"host_name": "github.com"}],
    phrase="show the history of past security scans for {host_name}",
    noun="the scan history",
)
def get_host_history(world: World, *, host_name: Website) -> list[PastScan]:
    """The scans that a host has had, newest first; none for a host that was never scanned.

    host_name: Host name (or address) of the website.
    """
    host = _parse_host(host_name, "host_name")
    stored = [(key, row) for key, row in scans_newest_first(world) if row["host"] == host]
    rows = [_scan_result(key, row) for key, row in stored or scan_history(world, host)]
    return [
        {"scan_id": row["scan_id"], "grade": row["grade"], "score": row["score"], "end_time": row["end_time"]}
        for row in rows[:30]
    ]


@GROUP.tool(
    phrase="show how many scanned hosts got each security grade",
    noun="the grade distribution",
)
def get_grade_distribution(world: World) -> dict[str, int]:
    """How many hosts got each grade in their latest scan."""
    latest: dict[str, str] = {}
    for _, row in scans_newest_first(world):
        latest.setdefault(row["host"], scan_grade(scan_score(row["passed"])))
    counts = Counter(latest.values())
    return {letter: counts[letter] for _, letter in GRADES}
