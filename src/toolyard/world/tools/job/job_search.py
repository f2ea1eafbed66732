"""Job/job_search: jobs from many boards, by free query and filters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Annotated, Literal, TypedDict, Unpack

from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.result_text import fitting_rows
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import (
    CityName,
    CountryCode,
    CurrencyCode,
    IsoDate,
    JobTitle,
    Range,
    Semantic,
    Unit,
    Url,
)
from toolyard.world.kernel.views import View
from toolyard.world.simulated.job.employers import EmployerKey, EmployerName, employers, may_hire
from toolyard.world.simulated.job.job_matching import search_jobs
from toolyard.world.simulated.job.occupations import job_categories
from toolyard.world.simulated.job.postings import EmploymentType, JobCategory, Posting, has_text, mentions_any
from toolyard.world.tools.job.google_jobs import SearchText

GROUP = Group("Job/job_search")
JobId = Annotated[str, Semantic("board_job_id")]
PER_PAGE = 10
Requirement = Literal[
    "under_3_years_experience", "more_than_3_years_experience", "no_experience", "no_degree"
]
Posted = Literal["all", "today", "3days", "week", "month"]
Kilometres = Annotated[float, Range(0, 20000), Unit("km")]
_SINCE = {"today": 1, "3days": 3, "week": 7, "month": 30}


class BoardJob(TypedDict):
    job_id: JobId
    job_title: JobTitle
    employer_name: EmployerName
    job_city: CityName
    job_country: CountryCode
    job_is_remote: bool
    job_employment_type: EmploymentType
    job_posted_at: IsoDate
    job_publisher: str
    job_apply_link: Url


class PaidJob(TypedDict):
    job_id: JobId
    job_title: JobTitle
    employer_name: EmployerName
    employer_type: str
    job_category: JobCategory
    job_city: CityName
    job_country: CountryCode
    job_min_salary: int
    job_max_salary: int
    job_salary_currency: CurrencyCode
    required_years: int
    required_degree: bool


class BoardJobs(TypedDict):
    total: int
    page: int
    data: list[BoardJob]


class PaidJobs(TypedDict):
    total: int
    page: int
    data: list[PaidJob]
    category_counts: dict[str, int]


class Filters(TypedDict, total=False):
    """Filters.

    page: Page to return, from 1; ten jobs make a page.
    num_pages: How many pages to return at once.
    date_posted: Only jobs that were posted within this time.
    remote_jobs_only: True for jobs that can be done from home.
    employment_types: Only jobs of these types.
    job_requirements: Only jobs that ask for no more than this.
    job_titles: Only jobs with one of these titles.
    company_types: Only employers of these kinds, e.g. Technology, restaurant, agency.
    employer: Only jobs of these employers.
    radius: How far around the city in the query to look as well.
    """

    page: Annotated[int, Range(1, 100000)]
    num_pages: Annotated[int, Range(1, 20)]
    date_posted: Posted
    remote_jobs_only: bool
    employment_types: list[EmploymentType]
    job_requirements: list[Requirement]
    job_titles: list[JobTitle]
    company_types: list[str]
    employer: list[EmployerKey]
    radius: Kilometres


def _meets_requirement(row: Posting, wanted: Requirement) -> bool:
    return {
        "under_3_years_experience": row.years < 3,
        "more_than_3_years_experience": row.years >= 3,
        "no_experience": row.years == 0,
        "no_degree": not row.degree,
    }[wanted]


def _refuse_unknown(filters: Filters) -> None:
    """Refuses kinds of employers, and employers, that there are none of."""
    for name in filters.get("company_types", []):
        if not _is_named_by(name, (f"{row.kind} {row.industry}" for row in employers())):
            raise not_found(
                "type of company", name[:60], known=dict.fromkeys(row.kind for row in employers())
            )
    for name in filters.get("employer", []):
        if not _is_named_by(name, (row.name for row in employers())) and not may_hire(name):
            raise not_found("employer", name[:60], known=[row.name for row in employers()])


def _is_named_by(text: str, values: Iterable[str]) -> bool:
    return any(has_text(value, text) for value in values)


def _find_postings(world: World, query: str, filters: Filters) -> list[Posting]:
    _refuse_unknown(filters)
    rows = search_jobs(world.seed, query, radius=filters.get("radius", 0.0))
    days = _SINCE.get(filters.get("date_posted", "all"))
    since = (world.today - timedelta(days=days)).isoformat() if days else ""
    types, needs = filters.get("employment_types"), filters.get("job_requirements") or ()
    return [
        row
        for row in rows
        if row.posted >= since
        and (row.remote or not filters.get("remote_jobs_only"))
        and (not types or row.employment_type in types)
        and all(_meets_requirement(row, need) for need in needs)
        and mentions_any(row.title, filters.get("job_titles"))
        and mentions_any(f"{row.employer.kind} {row.employer.industry}", filters.get("company_types"))
        and mentions_any(row.employer.name, filters.get("employer"))
    ]


def _page_of_postings(rows: Sequence[Posting], filters: Filters) -> Sequence[Posting]:
    start = PER_PAGE * (filters.get("page", 1) - 1)
    return rows[start : start + PER_PAGE * filters.get("num_pages", 1)]


def apply_link(row: Posting) -> str:
    """Where to apply for a job."""
    return f"https://{row.site.lower()}.example/apply/{row.board_id}"


BOARD_JOB = View[BoardJob](
    {
        "job_id": "board_id",
        "job_title": "title",
        "employer_name": "employer.name",
        "job_city": "city.name",
        "job_country": "city.country_code",
        "job_is_remote": "remote",
        "job_employment_type": "employment_type",
        "job_posted_at": "posted",
        "job_publisher": "site",
        "job_apply_link": apply_link,
    }
)
PAID_JOB = View[PaidJob](
    {
        "job_id": "board_id",
        "job_title": "title",
        "employer_name": "employer.name",
        "employer_type": "employer.kind",
        "job_category": "work.category",
        "job_city": "city.name",
        "job_country": "city.country_code",
        "job_min_salary": "pay_low",
        "job_max_salary": "pay_high",
        "job_salary_currency": "currency",
        "required_years": "years",
        "required_degree": "degree",
    }
)


@GROUP.tool(
    examples=[
        {"query": "Python developer in Texas, USA"},
        {"query": "graphic designer", "remote_jobs_only": True, "page": 1, "num_pages": 1},
        {
            "query": "project manager in London",
            "date_posted": "month",
            "radius": 400,
            "job_titles": ["Project Manager"],
        },
    ],
    phrase=(
        "run a basic search on all job boards for {query}[, with the date posted set to {date_posted}][, "
        "with remote jobs only set to {remote_jobs_only}][, with the employment type set to "
        "{employment_types}][, with the job title set to {job_titles}][, with the job requirements set to "
        "{job_requirements}][, with the employer set to {employer}][, with the search radius set to {radius} "
        "km][, starting at page {page}][, returning {num_pages} pages]"
    ),
    noun="the job board results",
    jobs=("open jobs",),
)
def basic_job_search(world: World, *, query: SearchText, **filters: Unpack[Filters]) -> BoardJobs:
    """Jobs that fit a free query, with links to apply.

    query: What to look for and where, e.g. web developer in Chicago.
    """
    rows = _find_postings(world, query, filters)
    data = fitting_rows(BOARD_JOB.rows(_page_of_postings(rows, filters)))
    return {"total": len(rows), "page": filters.get("page", 1), "data": data}


@GROUP.tool(
    examples=[
        {"query": "manager in the UK", "categories": ["Management"], "company_types": ["Financial Services"]},
        {"query": "teacher", "employment_types": ["FULLTIME"]},
    ],
    phrase=(
        "run a filtered job search with counts by category for {query}[, with the job category set to "
        "{categories}][, with the company type set to {company_types}][, with the employment type set to "
        "{employment_types}][, with the date posted set to {date_posted}][, with remote jobs only set to "
        "{remote_jobs_only}][, with the job requirements set to {job_requirements}][, with the employer set "
        "to {employer}][, on page {page}]"
    ),
    noun="the filtered job results",
    jobs=("open jobs", "what a job pays"),
)
def search_jobs_with_filters(
    world: World,
    *,
    query: SearchText,
    categories: list[JobCategory] | None = None,
    **filters: Unpack[Filters],
) -> PaidJobs:
    """Jobs that fit a free query and filters, with pay and requirements, and how many there are by category.

    query: What to look for and where, e.g. marketing manager in New York.
    categories: Only jobs of these categories, e.g. Data Science.
    """
    for name in categories or ():
        known = job_categories()
        if not _is_named_by(name, known):
            raise not_found("category of jobs", name[:60], known=known)
    rows = [
        row for row in _find_postings(world, query, filters) if mentions_any(row.work.category, categories)
    ]
    data = fitting_rows(PAID_JOB.rows(_page_of_postings(rows, filters)))
    counts = dict(Counter(row.work.category for row in rows).most_common())
    return {"total": len(rows), "page": filters.get("page", 1), "data": data, "category_counts": counts}
