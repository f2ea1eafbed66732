"""Job/Google_Jobs: a free search for jobs, and all ways to apply for one of them."""

from __future__ import annotations

from typing import Annotated, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.shared.geography import find_country
from toolyard.world.state import World
from toolyard.world.types import CityName, CountryCode, CountryName, IsoDate, JobTitle, Prose, Semantic, Url
from toolyard.world.worlds.job.adverts import called
from toolyard.world.worlds.job.employers import EmployerName, jobs_link
from toolyard.world.worlds.job.job_matching import matching
from toolyard.world.worlds.job.other_jobs import number_in
from toolyard.world.worlds.job.postings import (
    LICENCES,
    Posting,
    document_of_id,
    long_id,
    posting_at,
    postings,
)

GROUP = "Job/Google_Jobs"
GoogleJobId = Annotated[str, Semantic("google_job_id")]
SearchText = Annotated[str, Semantic("job_query", accepts=("job_title", "employer", "job_category"))]
SITES = ("Indeed", "LinkedIn", "Glassdoor", "Monster", "ZipRecruiter")


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


def site(row: Posting) -> str:
    """The job board on which a job was found."""
    return seeds.pick(SITES, "site", row["document"])


def salary_text(row: Posting) -> str:
    """The range of pay in one phrase."""
    return f"{row['pay_low']:,}-{row['pay_high']:,} {row['currency']} a year"


@tool(
    GROUP,
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
    """Up to ten jobs that fit a free query, in the place that the query names, and how many there are.

    query: What to look for, e.g. barista new york.
    gl: Two-letter code of the country to look in where the query names no place.
    """
    country = find_country(gl)["code"] if gl is not None else None
    found = matching(world.seed, query, country=country)
    return {
        "total": len(found),
        "jobs_results": [
            JobResult(
                title=row["title"],
                company_name=row["employer"]["name"],
                location="Anywhere" if row["remote"] else row["place"],
                via=f"via {site(row)}",
                description=row["text"],
                posted_at=row["posted"],
                schedule_type=row["employment_type"],
                salary=salary_text(row),
                job_id=long_id(row),
            )
            for row in found[:10]
        ],
    }


@tool(
    GROUP,
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
    """One job: description, highlights, benefits, links to apply, pay, and a rating of the employer where there
    is one.

    job_id: Id of the job, as google_jobs_search returns it.
    """
    document = document_of_id(job_id)
    row = next((row for row in postings(world.seed) if row["document"] == document), None)
    number = number_in(document) if row is None and document else None
    row = posting_at(world.seed, number) if number is not None else row
    if row is None:
        raise not_found("job", job_id[:60], such_as=[long_id(postings(world.seed)[0])])
    return {
        "title": row["title"],
        "company_name": row["employer"]["name"],
        "city": row["city"]["name"],
        "country": row["city"]["country"],
        "description": row["text"],
        "highlights": [
            f"{row['level']} position, {_HOURS[row['employment_type']]}",
            _experience(row),
            f"skills: {', '.join(row['skills'])}",
            *([LICENCES[row["occupation"]]] if row["occupation"] in LICENCES else []),
        ],
        "benefits": row["benefits"],
        "apply_options": _ways_to_apply(row),
        "ratings": ratings_of(world, row),
        "salary": salary_text(row),
    }


_HOURS = {"FULLTIME": "full time", "PARTTIME": "part time", "CONTRACTOR": "contract", "INTERN": "internship"}


def _experience(row: Posting) -> str:
    if row["years"]:
        return f"{row['years']} years of experience wanted"
    return "newly qualified people welcome" if row["occupation"] in LICENCES else "no experience needed"


def _ways_to_apply(row: Posting) -> list[ApplyOption]:
    slug = f"{row['title']}-{row['number']}".lower().replace(" ", "-")
    board, employer = site(row), row["employer"]
    return [
        {"title": f"Apply on {board}", "link": f"https://{board.lower()}.example/job/{slug}"},
        {
            "title": f"Apply at {employer['name']}",
            "link": jobs_link(employer, row["number"]),
        },
    ]


# What employees gave large employers on Glassdoor, about; of others it is drawn.
_KNOWN_SCORES = {
    "Google": 4.4, "Alphabet": 4.4, "Microsoft": 4.2, "Apple": 4.1, "Amazon.com": 3.6, "Meta": 4.0, "Adobe": 4.3,
    "Salesforce": 4.1, "Oracle": 3.8, "International Business Machines": 3.9, "NVIDIA": 4.6, "Netflix": 3.9, "Tesla": 3.5,
    "Walmart": 3.4, "Target": 3.6, "Starbucks": 3.5, "McDonald's": 3.4, "FedEx": 3.6, "United Parcel Service": 3.5,
    "JPMorgan Chase": 4.0, "Goldman Sachs": 3.9, "Bank of America": 3.8, "Citigroup": 3.8, "HSBC": 3.9, "SAP": 4.3,
    "Siemens": 4.1, "Cisco Systems": 4.2, "Intel": 4.0, "Boeing": 3.7, "Uber Technologies": 3.9, "Infosys": 3.8,
    "Walt Disney": 3.9,
}  # fmt: skip
_LARGE = 5000


def ratings_of(world: World, row: Posting) -> list[Rating]:
    """What people who work for the employer of a job gave it on Glassdoor; none for a large one of whom it is not known."""
    name, people = called(row["employer"]["name"]), row["employer"]["employees"]
    if name not in _KNOWN_SCORES and people > _LARGE:
        return []
    drawn = 4.4 - 1.3 * seeds.stream(world.seed, "reviews", row["employer"]["name"]).random()
    return [{"source": "Glassdoor", "rating": round(_KNOWN_SCORES.get(name, drawn), 1)}]
