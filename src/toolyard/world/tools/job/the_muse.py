"""Job/the_muse: jobs by category, level and place, and the companies behind them."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found, out_of_range
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import (
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
from toolyard.world.kernel.views import View
from toolyard.world.reference.companies import company_or_none
from toolyard.world.reference.places.geography import City, city_or_none
from toolyard.world.simulated.job.employers import (
    Employer,
    EmployerKey,
    EmployerName,
    employer_cities,
    employers,
    hubs,
    may_hire,
    size_class,
)
from toolyard.world.simulated.job.occupations import job_categories
from toolyard.world.simulated.job.postings import (
    JobCategory,
    Level,
    Posting,
    board,
    has_text,
    mentions_any,
    posting_at,
)

GROUP = Group("Job/the_muse")
MuseJobId = Annotated[int, Semantic("muse_job_id")]
MuseCompanyId = Annotated[int, Semantic("muse_company_id")]
JobPlace = Annotated[str, Semantic("job_place", accepts=("city",))]
EmployerIndustry = Annotated[str, Semantic("employer_industry", accepts=("industry",))]
PageNumber = Annotated[int, Range(0, 100000)]
REMOTE = "Flexible / Remote"
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


def _refuse_unknown(what: str, names: Sequence[str] | None, known: Iterable[str]) -> None:
    """A not_found fault for a name that none of those there are holds."""
    there = list(dict.fromkeys(known)) if names else []
    for name in names or ():
        if not any(has_text(one, name) for one in there):
            raise not_found(what, name[:60], known=there)


def _fold_parts(text: str) -> str:
    """A text of parts between commas, folded, with one comma around each."""
    return f", {', '.join(part.strip() for part in plain(text).split(','))},"


class _Places:
    """The places that are asked for: cities, regions and countries, as in New York, NY or Germany."""

    def __init__(self, names: Sequence[str] | None) -> None:
        self._names = [_fold_parts(name) for name in names or ()]
        self._towns = {found["id"] for name in names or () if (found := city_or_none(name))}
        if (
            names
            and REMOTE not in names
            and not self._towns
            and not any(self.hold(row.city) for row in employers())
        ):
            raise not_found(
                "place with jobs", names[0][:60], known=[REMOTE, *(city["name"] for city in hubs())]
            )

    def hold(self, city: City, town: str = "") -> bool:
        """Whether a city, or a town around it, is one of them."""
        if not self._names or city["id"] in self._towns:
            return True
        state = f"{city['region_code']}, " if city["country_code"] == "US" else ""
        told = f"{city['name']}, {state}{city['region']}, {city['country']}, {city['name']}, {city['country']}, {town}"
        return any(name in _fold_parts(told) for name in self._names)


def _employers_named(names: Sequence[str] | None) -> frozenset[int] | None:
    """Ids of the employers that names or tickers mean, whole words only; None where none are wanted, else a fault."""
    found: set[int] = set()
    for name in names or ():
        listed, wanted = company_or_none(name), f" {plain(name)} "
        ids = {
            row.id
            for row in employers()
            if (listed and row.ticker == listed["ticker"])
            or wanted in f" {plain(row.name).replace(',', '')} "
        }
        if not ids and not may_hire(name):
            raise not_found("company", name[:60], known=[row.name for row in employers()])
        found |= ids
    return frozenset(found) if names else None


def _count_pages(page: int, total: int) -> int:
    """How many pages so many rows make; a fault for a page after the last one."""
    pages = -(-total // PER_PAGE)
    if pages and page >= pages:
        raise out_of_range("page", page, f"the pages are 0 to {pages - 1}")
    return pages


def _job_places(row: Posting) -> list[str]:
    home = f"{row.place}, {row.city['country']}" if row.city["country_code"] == "US" else row.place
    return [home, *([REMOTE] if row.remote else [])]


JOB = View.of(
    MuseJob,
    id=lambda row: FIRST_JOB + row.number,
    name="title",
    company="employer.name",
    category="work.category",
    locations=_job_places,
    publication_date="posted",
)
DETAILS = View.of(
    MuseJobDetails,
    id=lambda row: FIRST_JOB + row.number,
    name="title",
    contents="text",
    type="employment_type",
    company_id="employer.id",
    company="employer.name",
    city="city.name",
    country="city.country",
    tags=lambda row: [*row.skills, *row.benefits],
    landing_page=lambda row: f"https://muse.example/jobs/{FIRST_JOB + row.number}",
)


@GROUP.tool(
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
    _refuse_unknown("category of jobs", category, job_categories())
    places = _Places(location)
    meant = _employers_named(company)
    rows = [
        row
        for row in board(world.seed).values()
        if (meant is None or row.employer.id in meant)
        and mentions_any(row.work.category, category)
        and (not level or row.level in level)
        and (places.hold(row.city) or (row.remote and REMOTE in (location or ())))
    ]
    pages = _count_pages(page, len(rows))
    rows.sort(key=lambda row: (row.posted, row.number), reverse=not descending)
    shown = JOB.rows(rows[PER_PAGE * page : PER_PAGE * (page + 1)])
    return {"page": page, "page_count": pages, "total": len(rows), "results": shown}


@GROUP.tool(
    examples=[{"job_id": 10400000}],
    phrase="show the posting on The Muse of the single job whose job id is {job_id}",
    noun="the job posting on The Muse",
    jobs=("open jobs",),
)
def search_job_by_id(world: World, *, job_id: MuseJobId) -> MuseJobDetails:
    """One job with its description, company, place and where to apply.

    job_id: Number of the job, as search_jobs returns it.
    """
    row = posting_at(world.seed, job_id - FIRST_JOB)
    if row is None:
        raise not_found("job", job_id, known=[FIRST_JOB + number for number in board(world.seed)])
    return DETAILS.row(row)


@GROUP.tool(
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
    location: Only companies with an office in these places, e.g. New York, NY or Germany.
    """
    _refuse_unknown("industry", industry, (name for row in employers() for name in (row.industry, row.kind)))
    places = _Places(location)
    jobs = jobs_by_employer(world.seed)
    rows = [
        row
        for row in employers()
        if row.id in jobs
        and mentions_any(f"{row.industry} {row.kind}", industry)
        and size in (None, size_class(row))
        and _wanted_office(row, places)
    ]
    rows.sort(key=lambda row: plain(row.name), reverse=descending)
    pages = _count_pages(page, len(rows))
    shown = [
        MuseCompany(
            id=row.id,
            name=row.name,
            industry=row.industry,
            size=size_class(row),
            location=_wanted_office(row, places),
            open_jobs=len(jobs[row.id]),
        )
        for row in rows[PER_PAGE * page : PER_PAGE * (page + 1)]
    ]
    return {"page": page, "page_count": pages, "total": len(rows), "results": shown}


def _wanted_office(row: Employer, places: _Places) -> str:
    """The office that is asked for, the head office where none is; "" where there is none in the places."""
    if places.hold(row.city, row.head_office):
        return f"{row.head_office}, {row.city['country']}"
    asked = (city for city in employer_cities(row)[1:] if places.hold(city))
    return next((f"{city['name']}, {city['country']}" for city in asked), "")


@seeds.table
def jobs_by_employer(seed: int) -> dict[int, list[int]]:
    """Id of an employer -> the ids of its jobs."""
    found: dict[int, list[int]] = {}
    for row in board(seed).values():
        found.setdefault(row.employer.id, []).append(FIRST_JOB + row.number)
    return found


@GROUP.tool(
    examples=[{"company_id": 67890}],
    phrase="show the profile on The Muse of the hiring company whose company id is {company_id}",
    noun="the company profile on The Muse",
    jobs=("employers",),
)
def search_company_by_id(world: World, *, company_id: MuseCompanyId) -> MuseCompanyDetails:
    """One company that hires: what it does, its size, places, website, ticker if it is listed, and numbers of its open
    jobs.

    company_id: Number of the company, as search_companies returns it.
    """
    row = next((row for row in employers() if row.id == company_id), None)
    if row is None:
        raise not_found("company", company_id, known=[row.id for row in employers()])
    return {
        "id": row.id,
        "name": row.name,
        "description": f"{row.name} works in {row.industry.lower()} and employs {row.employees:,} people. Its head "
        f"office is in {row.head_office}, {row.city['country']}.",
        "industries": list(dict.fromkeys((row.industry, *([] if row.local else [row.kind])))),
        "size": size_class(row),
        "locations": [f"{city['name']}, {city['country']}" for city in employer_cities(row)],
        "headquarters": row.head_office,
        "ticker": row.ticker,
        "website": row.website,
        "landing_page": f"https://muse.example/companies/{row.id}",
        "recent_jobs": jobs_by_employer(world.seed).get(row.id, []),
    }
