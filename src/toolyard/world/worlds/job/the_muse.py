"""Job/the_muse: jobs by category, level and place, and the companies behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.shared.geography import City, city_or_none, plain
from toolyard.world.state import World
from toolyard.world.tables import find, group_rows
from toolyard.world.types import (
    CityName,
    CountryName,
    DomainName,
    IsoDate,
    JobTitle,
    Prose,
    Range,
    Semantic,
    Ticker,
    Url,
)
from toolyard.world.worlds.job.employers import (
    Employer,
    EmployerKey,
    EmployerName,
    employers,
    hubs,
    offices,
    size_class,
)
from toolyard.world.worlds.job.muse_filters import (
    check_page,
    employers_named,
    further_jobs,
    hirers,
    industries,
    industries_called,
    trade,
)
from toolyard.world.worlds.job.occupations import occupations
from toolyard.world.worlds.job.postings import (
    FIRST_MORE,
    JobCategory,
    Level,
    Posting,
    mentions,
    posting_at,
    postings,
)

GROUP = "Job/the_muse"
MuseJobId = Annotated[int, Semantic("muse_job_id")]
MuseCompanyId = Annotated[int, Semantic("muse_company_id")]
JobPlace = Annotated[str, Semantic("job_place", accepts=("city",))]
EmployerIndustry = Annotated[str, Semantic("employer_industry", accepts=("industry",))]
PageNumber = Annotated[int, Range(0, 100000)]
REMOTE = "Flexible / Remote"
_LARGE = 100_000
FIRST_JOB = 10_400_000
PER_PAGE = 15


class MuseJob(TypedDict):
    id: MuseJobId
    name: JobTitle
    company: EmployerName
    category: JobCategory
    level: Level
    locations: list[JobPlace]
    publication_date: IsoDate


class MuseJobs(TypedDict):
    page: int
    page_count: int
    total: int
    results: list[MuseJob]


class MuseJobDetails(TypedDict):
    id: MuseJobId
    name: JobTitle
    contents: Prose
    type: str
    company_id: MuseCompanyId
    company: EmployerName
    city: CityName
    country: CountryName
    level: Level
    tags: list[str]
    landing_page: Url


class MuseCompany(TypedDict):
    id: MuseCompanyId
    name: EmployerName
    industry: EmployerIndustry
    size: str
    location: JobPlace
    open_jobs: int


class MuseCompanies(TypedDict):
    page: int
    page_count: int
    total: int
    results: list[MuseCompany]


class MuseCompanyDetails(TypedDict):
    id: MuseCompanyId
    name: EmployerName
    description: Prose
    industries: list[EmployerIndustry]
    size: str
    locations: list[JobPlace]
    headquarters: CityName
    ticker: Ticker | None
    website: DomainName
    landing_page: Url
    recent_jobs: list[MuseJobId]


def _wanted(value: str, names: Sequence[str] | None) -> bool:
    return not names or any(mentions(value, name) for name in names)


def _known_categories(names: Sequence[str] | None) -> None:
    """A not_found fault for a category that no job has."""
    known = list(dict.fromkeys(row["category"] for row in occupations()))
    for name in names or ():
        if not any(mentions(one, name) for one in known):
            raise not_found("category of jobs", name[:60], known=known)


def _long_name(city: City) -> str:
    """A city with its country, and with its state where it is in the United States."""
    state = f"{city['region_code']}, {city['region']}, " if city["country_code"] == "US" else ""
    return f"{city['name']}, {state}{city['country']}"


def _known_names(what: str, names: Sequence[str] | None, known: Iterable[str]) -> None:
    """A not_found fault for a name that none of those there are holds."""
    there = list(dict.fromkeys(known)) if names else []
    for name in names or ():
        if not any(mentions(one, name) or mentions(name, one) for one in there):
            raise not_found(what, name[:60], known=there)


def _known_places(what: str, names: Sequence[str] | None, known: Iterable[str]) -> None:
    """A not_found fault for a place that has no jobs and is no large city either."""
    large = (name for name in names or () if (city := city_or_none(name)) and city["population"] >= _LARGE)
    small = [name for name in names or () if name not in set(large)]
    _known_names(what, small, known)


def _somewhere(values: Sequence[str], names: Sequence[str] | None) -> bool:
    return not names or any(_wanted(value, names) for value in values)


def _places(row: Posting) -> list[str]:
    return [f"{row['place']}, {row['city']['country']}" if row["city"]["country_code"] == "US" else row["place"],
            *([REMOTE] if row["remote"] else [])]  # fmt: skip


def _pages(total: int) -> int:
    return -(-total // PER_PAGE)


@tool(
    GROUP,
    examples=[
        {"page": 0, "level": ["Entry Level"]},
        {"page": 1, "category": ["Design and UX"], "descending": True},
        {"location": ["New York"], "company": ["Eleven Madison Park"]},
    ],
    phrase=(
        "list the jobs posted on The Muse[ for work in {location}][, with the company set to {company}][, "
        "with the category set to {category}][, with the level set to {level}][, with descending order set "
        "to {descending}][, on page {page}]"
    ),
    noun="the list of jobs on The Muse",
    jobs=("open jobs",),
)
def search_jobs(
    world: World,
    *,
    page: PageNumber = 0,
    descending: bool = False,
    company: list[EmployerKey] | None = None,
    category: list[JobCategory] | None = None,
    level: list[Level] | None = None,
    location: list[JobPlace] | None = None,
) -> MuseJobs:
    """Jobs: all or those of some companies, categories, levels and places, newest first.

    page: Page of 15 jobs to return, from 0.
    descending: True turns the order, so that the oldest come first.
    company: Only jobs of these companies.
    category: Only jobs of these categories, e.g. Data Science.
    level: Only jobs of these levels.
    location: Only jobs in these places; Flexible / Remote for work from home.
    """
    _known_categories(category)
    meant = employers_named(world.seed, company)
    heads = (row["head_office"] for row in employers(world.seed) if row["ticker"])
    _known_places("place with jobs", location, (REMOTE, *(_long_name(city) for city in hubs()), *heads))
    rows = [
        row
        for row in postings(world.seed)
        if (meant is None or row["employer"]["id"] in meant)
        and _wanted(row["category"], category)
        and (not level or row["level"] in level)
        and _somewhere(_places(row), location)
    ]
    if not rows and meant is None:
        rows = further_jobs(world.seed, category, level, location)
    check_page(page, _pages(len(rows)))
    rows.sort(key=lambda row: (row["posted"], row["number"]), reverse=not descending)
    shown = [_summary(row) for row in rows[PER_PAGE * page : PER_PAGE * (page + 1)]]
    return {"page": page, "page_count": _pages(len(rows)), "total": len(rows), "results": shown}


def _summary(row: Posting) -> MuseJob:
    return MuseJob(
        id=FIRST_JOB + row["number"],
        name=row["title"],
        company=row["employer"]["name"],
        category=row["category"],
        level=row["level"],
        locations=_places(row),
        publication_date=row["posted"],
    )


@tool(
    GROUP,
    examples=[{"job_id": 10400000}],
    phrase="show the posting on The Muse of the single job whose job id is {job_id}",
    noun="the job posting on The Muse",
    jobs=("open jobs",),
)
def search_job_by_id(world: World, *, job_id: MuseJobId) -> MuseJobDetails:
    """One job with its description, company, place and where to apply.

    job_id: Number of the job, as search_jobs returns it.
    """
    further = posting_at(world.seed, job_id - FIRST_JOB) if job_id >= FIRST_JOB + FIRST_MORE else None
    table = {str(FIRST_JOB + row["number"]): row for row in postings(world.seed)}
    row = further or find(table, job_id, "id", "job")
    return {
        "id": job_id,
        "name": row["title"],
        "contents": row["text"],
        "type": row["employment_type"],
        "company_id": row["employer"]["id"],
        "company": row["employer"]["name"],
        "city": row["city"]["name"],
        "country": row["city"]["country"],
        "level": row["level"],
        "tags": [*row["skills"], *row["benefits"]],
        "landing_page": f"https://muse.example/jobs/{job_id}",
    }


def _shown_place(row: Employer, wanted: Sequence[str] | None) -> str:
    """The office that is asked for, else the head office."""
    asked = (name for name in _office_names(row) if wanted and _wanted(name, wanted))
    return next(asked, f"{row['head_office']}, {row['city']['country']}")


def _known_industry(world: World, names: Sequence[str] | None) -> None:
    """Refuses an industry in which nobody works, with the industries that there are."""
    known = sorted({row["industry"] for row in employers(world.seed)})
    for name in names or ():
        if not any(mentions(f"{row['industry']} {row['kind']}", name) for row in employers(world.seed)):
            raise not_found("industry", name[:60], known=known)


def _office_names(row: Employer) -> list[str]:
    """The cities with offices of an employer, and the town of its head office."""
    names = [f"{city['name']}, {city['country']}" for city in offices(row)]
    return list(dict.fromkeys((*names, f"{row['head_office']}, {row['city']['country']}")))


@tool(
    GROUP,
    examples=[
        {"page": 0, "industry": ["Software"]},
        {"size": "Small Size", "location": ["Berlin"]},
        {"descending": True, "page": 2},
    ],
    phrase=(
        "list the companies hiring through The Muse[ that work in {industry}][, with the company size set to "
        "{size}][, with an office in {location}][, with descending order set to {descending}][, on page "
        "{page}]"
    ),
    noun="the list of companies on The Muse",
    jobs=("employers",),
)
def search_companies(
    world: World,
    *,
    page: PageNumber = 0,
    descending: bool = False,
    industry: list[EmployerIndustry] | None = None,
    size: Literal["Small Size", "Medium Size", "Large Size"] | None = None,
    location: list[JobPlace] | None = None,
) -> MuseCompanies:
    """Companies with open jobs, all or those of certain industries, sizes and places, by name.

    page: Page to return, from 0.
    descending: True turns the order of the names.
    industry: Only companies of these industries, e.g. Software or Hotels.
    size: Only companies of this size.
    location: Only companies with an office in these places.
    """
    industry = industries_called(industry)
    _known_industry(world, industry)
    everywhere = (name for row in employers(world.seed) for name in _office_names(row))
    _known_places("place with offices", location, everywhere)
    jobs = jobs_by_employer(world.seed)
    # A holding whose people work for another house has no jobs of its own.
    rows = [
        row
        for row in employers(world.seed)
        if jobs.get(row["id"])
        and _wanted(f"{row['industry']} {row['kind']}", industry)
        and size in (None, size_class(row))
        and (not location or _somewhere(_office_names(row), location))
    ]
    rows.sort(key=lambda row: plain(row["name"]), reverse=descending)
    check_page(page, _pages(len(rows)))
    shown = [
        MuseCompany(
            id=row["id"],
            name=row["name"],
            industry=row["industry"],
            size=size_class(row),
            location=_shown_place(row, location),
            open_jobs=len(jobs[row["id"]]),
        )
        for row in rows[PER_PAGE * page : PER_PAGE * (page + 1)]
    ]
    return {"page": page, "page_count": _pages(len(rows)), "total": len(rows), "results": shown}


@seeds.table
def jobs_by_employer(seed: int) -> dict[int, list[Posting]]:
    """Id of an employer -> its postings."""
    return group_rows(postings(seed), lambda job: job["employer"]["id"])


@tool(
    GROUP,
    examples=[{"company_id": 67890}],
    phrase="show the profile on The Muse of the hiring company whose company id is {company_id}",
    noun="the company profile on The Muse",
    jobs=("employers",),
)
def search_company_by_id(world: World, *, company_id: MuseCompanyId) -> MuseCompanyDetails:
    """One company that hires: what it does, its size, some of its places, website, ticker if it is listed, and numbers of
    some of its open jobs.

    company_id: Number of the company, as search_companies returns it.
    """
    row = find(employers(world.seed), company_id, "id", "company")
    return {
        "id": row["id"],
        "name": row["name"],
        "description": f"{row['name']} works in {trade(row)} and employs {row['employees']:,} people. Its head "
        f"office is in {row['head_office']}, {row['city']['country']}.",
        "industries": industries(row),
        "size": size_class(row),
        "locations": [f"{city['name']}, {city['country']}" for city in offices(row)],
        "headquarters": row["head_office"],
        "ticker": row["ticker"],
        "website": row["website"],
        "landing_page": f"https://muse.example/companies/{row['id']}",
        "recent_jobs": [
            FIRST_JOB + job["number"]
            for key in hirers(world.seed, row)
            for job in jobs_by_employer(world.seed).get(key, [])
        ],
    }
