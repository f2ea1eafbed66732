"""Job/Google_Jobs: a free search for jobs, and all ways to apply for one of them."""

from typing import Annotated, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import (
    CityName,
    CountryCode,
    CountryName,
    IsoDate,
    JobTitle,
    Prose,
    Semantic,
    Url,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.places.geography import find_country
from toolyard.world.simulated.job.employers import EmployerName, jobs_link
from toolyard.world.simulated.job.job_matching import search_jobs
from toolyard.world.simulated.job.postings import Posting, posting_at, posting_by_id

GROUP = Group("Job/Google_Jobs")
GoogleJobId = Annotated[str, Semantic("google_job_id")]
SearchText = Annotated[str, Semantic("job_query", accepts=("job_title", "job_category"))]
_HOURS = {"FULLTIME": "full time", "PARTTIME": "part time", "CONTRACTOR": "contract", "INTERN": "internship"}


class JobResult(TypedDict):
    title: JobTitle
    company_name: EmployerName
    location: str
    via: str
    description: Prose
    posted_at: IsoDate
    schedule_type: str
    salary: str
    job_id: GoogleJobId


class JobResults(TypedDict):
    total: int
    jobs_results: list[JobResult]


class ApplyOption(TypedDict):
    title: str
    link: Url


class Rating(TypedDict):
    source: str
    rating: float


class JobListing(TypedDict):
    title: JobTitle
    company_name: EmployerName
    city: CityName
    country: CountryName
    description: Prose
    highlights: list[str]
    benefits: list[str]
    apply_options: list[ApplyOption]
    ratings: list[Rating]
    salary: str


JOB = View.of(
    JobResult,
    company_name="employer.name",
    location=lambda row: "Anywhere" if row.remote else row.place,
    via=lambda row: f"via {row.site}",
    description="text",
    posted_at="posted",
    schedule_type="employment_type",
    job_id="long_id",
)


@GROUP.tool(
    examples=[
        {"query": "barista new york"},
        {"query": "graphic designer in Canada"},
        {"query": "data scientist", "gl": "au"},
    ],
    phrase="search Google Jobs for {query}[, with the country code set to {gl}]",
    noun="the Google Jobs search results",
    jobs=("open jobs", "what a job pays"),
)
def google_jobs_search(world: World, *, query: SearchText, gl: CountryCode | None = None) -> JobResults:
    """Up to ten jobs that fit a free query, in the place that the query names, newest first, and how many there are.

    query: What to look for, e.g. barista new york.
    gl: Two-letter code of the country to look in where the query names no place.
    """
    country = find_country(gl)["code"] if gl is not None else None
    found = search_jobs(world.seed, query, country=country)
    return {"total": len(found), "jobs_results": JOB.rows(found[:10])}


@GROUP.tool(
    examples=[
        {
            "job_id": "eyJqb2JfdGl0bGUiOiJCYXJpc3RhIiwiaHRpZG9jaWQiOiJMV1J1RlY4ZHZka0FBQUFBQUFBQUFBPT0iLCJobCI6ImVuIn0="
        }
    ],
    phrase=(
        "open the full Google Jobs listing with highlights and apply links of the job whose id is {job_id}"
    ),
    noun="the Google Jobs listing",
    jobs=("open jobs", "what a job pays"),
)
def google_jobs_listing_search(world: World, *, job_id: GoogleJobId) -> JobListing:
    """One job: description, highlights, benefits, links to apply, pay, and the rating of the employer.

    job_id: Id of the job, as google_jobs_search returns it.
    """
    row = posting_by_id(world.seed, job_id)
    if row is None:
        known = posting_at(world.seed, 0)
        raise not_found("job", job_id[:60], such_as=[known.long_id] if known else [])
    return {
        "title": row.title,
        "company_name": row.employer.name,
        "city": row.city["name"],
        "country": row.city["country"],
        "description": row.text,
        "highlights": [
            f"{row.level} position, {_HOURS[row.employment_type]}",
            f"{row.years} years of experience wanted",
            f"skills: {', '.join(row.skills)}",
        ],
        "benefits": row.benefits,
        "apply_options": _ways_to_apply(row),
        "ratings": [{"source": "Glassdoor", "rating": employer_rating(world.seed, row.employer.name)}],
        "salary": row.salary,
    }


def _ways_to_apply(row: Posting) -> list[ApplyOption]:
    slug = f"{row.title}-{row.number}".lower().replace(" ", "-")
    return [
        {"title": f"Apply on {row.site}", "link": f"https://{row.site.lower()}.example/job/{slug}"},
        {"title": f"Apply at {row.employer.name}", "link": jobs_link(row.employer, row.number)},
    ]


def employer_rating(seed: int, employer: str) -> float:
    """What people who work for an employer give it, from 2.6 to 4.8."""
    return round(2.6 + 2.2 * seeds.unit(seed, "employees' rating", employer), 1)
