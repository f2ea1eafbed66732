"""Competition/kontests: contests running or to come on nine sites; those of Codeforces are its own."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal, NamedTuple, TypedDict

from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import values_of
from toolyard.world.kernel.types import IsoDate, IsoDateTime, Semantic, Unit, Url
from toolyard.world.reference.days import iso_stamp
from toolyard.world.simulated.contests.core import contest_rounds

GROUP = Group("Competition/kontests")
Site = Literal[
    "all", "codeforces", "codeforces_gym", "top_coder", "at_coder", "code_chef",
    "cs_academy", "hacker_earth", "hacker_rank", "leet_code",
]  # fmt: skip


class Series(NamedTuple):
    """Contests of one kind: what they are called, the first number and start, days between, hours."""

    title: str
    number: int
    start: str
    every: int
    hours: float


# site: address, and what is held there; series whose numbers are known go on from them
_SITES: dict[str, tuple[str, tuple[Series, ...]]] = {
    site: (address, tuple(Series(*row) for row in held))
    for site, (address, held) in values_of("kontests.sites").items()
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


def _make_row(world: World, site: str, name: str, url: str, start: datetime, hours: float) -> ContestRow:
    return {
        "name": name,
        "url": url,
        "site": site,
        "start_date": start.date().isoformat(),
        "start_time": iso_stamp(start),
        "end_time": iso_stamp(start + timedelta(hours=hours)),
        "duration_seconds": round(hours * 3600),
        "in_24_hours": timedelta() <= start - world.now < timedelta(hours=24),
        "status": "CODING" if start <= world.now else "BEFORE",
    }


# How sites shorten the names of their series in addresses.
_SHORT = {"AtCoder Beginner Contest ": "abc", "AtCoder Regular Contest ": "arc", "Starters ": "START",
          "ProjectEuler+": "projecteuler"}  # fmt: skip


def _url_path(name: str) -> str:
    for title, short in _SHORT.items():
        if name.startswith(title):
            return name.replace(title, short)
    return name.lower().replace(" ", "-")


def _other_site_contests(world: World, site: str) -> Iterator[ContestRow]:
    address, held = _SITES[site]
    for series in held:
        first = datetime.fromisoformat(f"{series.start}:00+00:00")
        skipped = max(0, int((world.now - first) / timedelta(days=series.every)) - 60)
        for n in range(skipped, skipped + 64):
            start = first + timedelta(days=series.every * n)
            if start + timedelta(hours=series.hours) > world.now and start < world.now + timedelta(days=21):
                name = series.title.format(n=series.number + n, month=f"{start:%B}")
                url = f"{address}/{_url_path(name)}"
                yield _make_row(world, site, name, url, start, series.hours)


def _codeforces(world: World) -> Iterator[ContestRow]:
    for one in contest_rounds():
        start = datetime.fromtimestamp(one.start, UTC)
        if one.start + one.duration > world.now.timestamp():
            url = f"https://codeforces.com/contests/{one.id}"
            yield _make_row(world, "codeforces", one.name, url, start, one.duration / 3600)


@GROUP.tool(
    examples=[{"contest_name": "codeforces"}, {"contest_name": "all"}],
    phrase="list the running and coming programming contests with the contest site set to {contest_name}",
    noun="the list of coming programming contests",
    jobs=("contests",),
)
def list_of_kontests(world: World, *, contest_name: Site) -> list[ContestRow]:
    """Contests that run now or start within three weeks on a site, soonest first; "all" shows the next 20.

    Codeforces Gym and CS Academy have announced none, so that their lists are empty.

    contest_name: Name of the site, or all.
    """
    sites = ("codeforces", *_SITES) if contest_name == "all" else (contest_name,)
    rows = [
        row
        for site in sites
        for row in (_codeforces(world) if site == "codeforces" else _other_site_contests(world, site))
    ]
    return sorted(rows, key=lambda row: (row["start_time"], row["name"]))[:20]
