"""Competition/kontests: contests running or to come on nine sites; those of Codeforces are its own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.registry import tool
from toolyard.world.shared.days import stamp
from toolyard.world.state import World
from toolyard.world.types import IsoDate, IsoDateTime, Semantic, Unit, Url
from toolyard.world.worlds.competition.contests.core import contests

GROUP = "Competition/kontests"
Site = Literal[
    "all", "codeforces", "codeforces_gym", "top_coder", "at_coder", "code_chef",
    "cs_academy", "hacker_earth", "hacker_rank", "leet_code",
]  # fmt: skip
# site: address, titles, days between two contests, hours that one lasts
_SITES: dict[str, tuple[str, tuple[str, ...], int, float]] = {
    "codeforces_gym": ("https://codeforces.com/gymContests", ("Gym Training Camp Day {n}",), 4, 5),
    "top_coder": ("https://www.topcoder.com/challenges", ("Single Round Match {n}",), 7, 1.75),
    "at_coder": (
        "https://atcoder.jp/contests",
        ("AtCoder Beginner Contest {n}", "AtCoder Regular Contest {n}"),
        4,
        1.75,
    ),
    "code_chef": ("https://www.codechef.com", ("CodeChef Starters {n}",), 7, 2),
    "cs_academy": ("https://csacademy.com/contest", ("CS Academy Round {n}",), 12, 2),
    "hacker_earth": (
        "https://www.hackerearth.com/challenges",
        ("Monthly Circuit {n}", "Coding Ninja Hiring {n}"),
        3,
        72,
    ),
    "hacker_rank": ("https://www.hackerrank.com/contests", ("Week of Code {n}",), 7, 168),
    "leet_code": ("https://leetcode.com/contest", ("Weekly Contest {n}", "Biweekly Contest {n}"), 7, 1.5),
}


class ContestRow(TypedDict):
    name: str
    url: Url
    site: Annotated[str, Semantic("contest_site")]
    start_date: IsoDate
    start_time: IsoDateTime
    end_time: IsoDateTime
    duration_seconds: Annotated[int, Unit("s")]
    in_24_hours: bool
    status: str


def _row(world: World, site: str, name: str, url: str, start: datetime, hours: float) -> ContestRow:
    return {
        "name": name,
        "url": url,
        "site": site,
        "start_date": start.date().isoformat(),
        "start_time": stamp(start),
        "end_time": stamp(start + timedelta(hours=hours)),
        "duration_seconds": round(hours * 3600),
        "in_24_hours": timedelta() <= start - world.now < timedelta(hours=24),
        "status": "CODING" if start <= world.now else "BEFORE",
    }


def _others(world: World, site: str) -> Iterator[ContestRow]:
    address, titles, every, hours = _SITES[site]
    first = datetime(2024, 5, 12, tzinfo=UTC) + timedelta(hours=6 + seeds.number(world.seed, site) % 12)
    skipped = max(0, int((world.now - first) / timedelta(days=every)) - 60)
    for n in range(skipped, skipped + 64):
        start = first + timedelta(days=every * n)
        if start + timedelta(hours=hours) > world.now and start < world.now + timedelta(days=21):
            name = titles[n % len(titles)].format(n=seeds.number(site) % 200 + 120 + n)
            yield _row(world, site, name, f"{address}/{name.lower().replace(' ', '-')}", start, hours)


def _codeforces(world: World) -> Iterator[ContestRow]:
    for one in contests(world.seed):
        start = datetime.fromtimestamp(one.start, UTC)
        if not one.gym and one.start + one.duration > world.now.timestamp():
            url = f"https://codeforces.com/contests/{one.id}"
            yield _row(world, "codeforces", one.name, url, start, one.duration / 3600)


@tool(
    GROUP,
    examples=[{"contest_name": "codeforces"}, {"contest_name": "all"}],
    phrase="list the running and coming programming contests with the contest site set to {contest_name}",
    noun="the list of coming programming contests",
    jobs=("contests",),
)
def list_of_kontests(world: World, *, contest_name: Site) -> list[ContestRow]:
    """Contests that run now or start within three weeks on a site, soonest first; "all" shows the next 20.

    contest_name: Name of the site, or all.
    """
    sites = ("codeforces", *_SITES) if contest_name == "all" else (contest_name,)
    rows = [
        row
        for site in sites
        for row in (_codeforces(world) if site == "codeforces" else _others(world, site))
    ]
    return sorted(rows, key=lambda row: (row["start_time"], row["name"]))[:20]
