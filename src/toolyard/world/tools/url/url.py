"""URL/URL: short addresses, and how important domains are."""

import functools
import itertools
import re
from collections.abc import Mapping
from typing import Annotated, TypedDict
from urllib.parse import quote

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import invalid
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import Store, World
from toolyard.world.kernel.tables import read_table, table_words, values_of
from toolyard.world.kernel.types import DomainName, Range, Semantic, Url
from toolyard.world.reference.companies import companies
from toolyard.world.reference.encyclopaedia.subjects import is_known_word
from toolyard.world.reference.places.geography import country_or_none

GROUP = Group("URL/URL")
SHORT = Store("short_urls")
PREFIX = "https://sho.rt/"
DomainOrUrl = Annotated[str, Semantic("domain", accepts=("url",))]
_URL = re.compile(
    r"(?:https?://)?([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6})(?::\d{1,5})?(?:[/?#]\S{0,2000})?",
    re.IGNORECASE,
)
# Where the best known domains stand on the usual scale from 0 to 10, and about where in the list.
_KNOWN: Mapping[str, tuple[float, int]] = values_of("url.known")


class ShortUrl(TypedDict):
    short_url: Url
    long_url: Url
    code: str


class Rank(TypedDict):
    domain: DomainName
    page_rank: float
    page_rank_integer: int
    rank: int | None
    found: bool


@GROUP.tool(
    examples=[{"long_url": "https://www.google.com/"}],
    phrase="make a short link for {long_url}",
    noun="the short link",
)
def shorten_url(world: World, *, long_url: Annotated[Url, Range(4, 2000)]) -> ShortUrl:
    """A short address that stands for a long one; the same long address keeps its short one.

    long_url: Address to shorten, with http:// or https:// (https is taken if missing).
    """
    text = _plain_form(long_url.strip())
    if not _URL.fullmatch(text):
        raise invalid("long_url", long_url[:80], "want an address such as https://www.example.org/page")
    text = text if text.lower().startswith("http") else f"https://{text}"
    code = seeds.token(7, "short", text)
    world.store(SHORT)[PREFIX + code] = text
    return {"short_url": PREFIX + code, "long_url": text, "code": code}


@GROUP.tool(
    examples=[{"domains": ["www.reddit.com", "www.linkedin.com"]}, {"domains": ["https://www.facebook.com"]}],
    phrase="get the page rank by incoming links of the domains given as {domains}",
    noun="the page rank of the domains",
    listed_as="DomainPageRank",
)
def paper_rank(world: World, *, domains: Annotated[list[DomainOrUrl], Range(1, 50)]) -> list[Rank]:
    """How important domains are by who links to them: a page rank from 0 to 10 and the place among all domains; found
    is false where nothing is known.

    domains: Domains or addresses; a short address counts for the page behind it.
    """
    return [_domain_rank(world, text) for text in domains]


_WRITTEN = re.compile(r"(https?://)?([^/?#:\s]+)(.*)", re.IGNORECASE | re.DOTALL)


def _plain_form(text: str) -> str:
    """An address with letters beyond English ones as machines write it: xn--mnchen-3ya.de for münchen.de."""
    found = None if text.isascii() else _WRITTEN.fullmatch(text)
    if found is None:
        return text
    try:
        host = found[2].encode("idna").decode()
    except UnicodeError:
        return text
    return f"{found[1] or ''}{host}{quote(found[3], safe='/?#=&%:+,;@!~*()-._')}"


def parse_domain(text: str, parameter: str) -> str:
    """The domain of an address, without www; an invalid_value fault where there is none."""
    found = _URL.fullmatch(_plain_form(text.strip()))
    if not found:
        raise invalid(parameter, text[:80], "want a domain such as www.example.org")
    domain = found[1].lower().removeprefix("www.")
    ending = domain.rpartition(".")[2]
    if not (ending.isdigit() or _is_ending(ending)):
        raise invalid(parameter, text[:80], f"no domain ends in .{ending}; want one such as www.example.org")
    return domain


_ENDINGS = frozenset(table_words("url.endings"))


def _is_ending(ending: str) -> bool:
    """Whether domains may end so: the well-known endings, codes of countries, and words in use."""
    if len(ending) == 2 or ending in _ENDINGS:
        return ending in _ENDINGS or country_or_none(ending.upper()) is not None
    return ending.startswith("xn--") or is_known_word(ending)


def _known_rank(domain: str, value: float, place: int) -> Rank:
    return {
        "domain": domain,
        "page_rank": value,
        "page_rank_integer": round(value),
        "rank": place,
        "found": True,
    }


_LEAST = 1.5
# The most that a part of a well-known domain gets: the places above are taken.
_PART = 7.2
# A company's name under the ending of a country: toyota.co.jp.
_ABROAD = re.compile(r"[a-z0-9-]+\.(?:(?:co|com)\.)?[a-z]{2}")
_PUBLIC = re.compile(r"(?:[a-z0-9-]+\.)*[a-z0-9-]+\.(?:gov|mil|edu|(?:ac|gov|edu|gob|gouv|go)\.[a-z]{2})")


@functools.cache
def _firm_domains() -> frozenset[str]:
    names = (str(row["website"]).removesuffix(".example").removesuffix(".com") for row in companies())
    return frozenset(f"{name}.com" for name in names)


@functools.cache
def _famous_domains() -> Mapping[str, tuple[float, float]]:
    """Well-known domains and the span of ranks in which they lie."""
    rows = read_table("domains.tsv")
    return {
        name: (float(row["low"]), float(row["high"])) for row in rows for name in row["domains"].split(";")
    }


@functools.cache
def _university_domains() -> frozenset[str]:
    return frozenset(row["domain"].removeprefix("www.") for row in read_table("universities.tsv"))


def _known_domain_rank(domain: str) -> float | None:
    """The rank of the well-known domain that a host belongs to: those of google.com for maps.google.com."""
    above = domain.partition(".")[2]
    if above in _KNOWN:
        return _KNOWN[above][0]
    return _famous_domains()[above][0] if above in _famous_domains() else None


def _rank_span(domain: str) -> tuple[float, float] | None:
    """Between which ranks a domain lies: listed companies and public bodies are linked to by many; others may be none."""
    if domain in _famous_domains():
        return _famous_domains()[domain]
    if domain in _firm_domains() or domain in _university_domains():
        return 5.0, 6.6
    if domain.count(".") > 1 and (whole := _known_domain_rank(domain)) is not None:
        return max(_LEAST, min(_PART - 1.0, whole - 2.0)), min(_PART, whole - 0.5)
    home = f"{domain.partition('.')[0]}.com"
    if _ABROAD.fullmatch(domain) and (home in _firm_domains() or home in _famous_domains() or home in _KNOWN):
        return 4.8, 5.8
    return (4.4, 6.4) if _PUBLIC.fullmatch(domain) or domain.endswith(".int") else None


@functools.cache
def _rank_steps() -> tuple[tuple[float, int, int], ...]:
    """Page ranks of the best known domains with the first and last place that they have, highest first."""
    places: dict[float, list[int]] = {4.4: [60_000], _LEAST: [30_000_000]}
    for value, place in _KNOWN.values():
        places.setdefault(value, []).append(place)
    return tuple((value, min(places[value]), max(places[value])) for value in sorted(places, reverse=True))


def _place_of_rank(value: float) -> int:
    """The place among all domains that a page rank stands for; a higher page rank never has a later place."""
    for (high, first, last), (low, start, _) in itertools.pairwise(_rank_steps()):
        if value >= high:
            return (first + last) // 2
        if value > low:
            return round(last * float((start / last) ** ((high - value) / (high - low))))
    return _rank_steps()[-1][1]


def _domain_rank(world: World, text: str) -> Rank:
    short = world.store(SHORT)
    domain = parse_domain(short.get(text.strip(), text), "domains")
    if domain in _KNOWN:
        return _known_rank(domain, *_KNOWN[domain])
    span = _rank_span(domain)
    if span is None or domain.endswith((".example", ".invalid", ".test")):
        return {"domain": domain, "page_rank": 0.0, "page_rank_integer": 0, "rank": None, "found": False}
    low, high = span
    chance = seeds.stream(world.seed, "rank", domain)
    value = low + (high - low) * chance.random() ** 1.5
    return _known_rank(domain, round(value, 2), _place_of_rank(value))
