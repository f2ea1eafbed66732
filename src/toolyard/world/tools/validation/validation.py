"""Validation/Validation: bad language, phone numbers, and the security of websites."""

import re
from collections import Counter
from typing import Annotated, Literal, TypedDict

from toolyard.core.types import Record
from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import table_words
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
from toolyard.world.reference.places.geography import find_country
from toolyard.world.tools.url.url import parse_domain
from toolyard.world.tools.validation import scans
from toolyard.world.tools.validation.phone_plans import is_short, plan_of, reason_against_number, shorter_kind

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
    score = scans.scan_score(row["passed"])
    good = sum(row["passed"].values())
    return {
        "scan_id": key,
        "host": row["host"],
        "state": "FINISHED",
        "grade": scans.scan_grade(score),
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
    return _scan_result(*scans.scan_host(world, _parse_host(website, "website")))


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
    row = scans.find_scan(world, key)
    if row is None:
        raise not_found("scan", key, known=[str(number) for number, _ in scans.scans_newest_first(world)])
    flawless = all(row["passed"].values())
    tests: dict[str, TestResult] = {}
    for name, good in row["passed"].items():
        right, wrong, cost, _ = scans.TESTS[name]
        tests[name] = {
            "passed": good,
            "result": right if good else wrong,
            "score_modifier": -cost if not good else scans.BONUS if flawless and name == scans.PRIZED else 0,
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
    for key, row in scans.scans_newest_first(world):
        points = scans.scan_score(row["passed"])
        if (points <= score) if way == "max" else (points >= score):
            grade = scans.scan_grade(points)
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
    stored = [(key, row) for key, row in scans.scans_newest_first(world) if row["host"] == host]
    rows = [_scan_result(key, row) for key, row in stored or scans.scan_history(world, host)]
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
    for _, row in scans.scans_newest_first(world):
        latest.setdefault(row["host"], scans.scan_grade(scans.scan_score(row["passed"])))
    counts = Counter(latest.values())
    return {letter: counts[letter] for _, letter in scans.GRADES}
