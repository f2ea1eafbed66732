"""Job/job_search, one job: everything about it, and what an occupation earns in a place."""

from typing import Annotated, NotRequired, TypedDict

from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import not_found
from toolyard.world.kernel.state import World
from toolyard.world.kernel.tables import plain
from toolyard.world.kernel.types import (
    CityName,
    CountryName,
    CurrencyCode,
    DomainName,
    IsoDate,
    JobTitle,
    Latitude,
    Longitude,
    Prose,
    Range,
    Semantic,
    Url,
)
from toolyard.world.kernel.views import View
from toolyard.world.reference.places.geography import city_or_none, country_or_none, find_country
from toolyard.world.simulated.job.employers import EmployerName, jobs_link
from toolyard.world.simulated.job.job_matching import Place, count_open_jobs
from toolyard.world.simulated.job.occupations import LEVEL_WORDS, find_occupation
from toolyard.world.simulated.job.postings import (
    KNOWN_DOCUMENT,
    LEVELS,
    Posting,
    board,
    posting_at,
    usual_pay,
)
from toolyard.world.tools.job.job_search import GROUP, JobId, Kilometres, apply_link

SalaryPlace = Annotated[str, Semantic("city", accepts=("country",))]


class JobDetails(TypedDict):
    job_id: JobId
    job_title: JobTitle
    employer_name: EmployerName
    employer_website: DomainName
    job_description: Prose
    job_city: CityName
    job_country: CountryName
    job_latitude: Latitude
    job_longitude: Longitude
    job_is_remote: bool
    job_posted_at: IsoDate
    job_required_skills: list[str]
    job_benefits: list[str]
    job_min_salary: int
    job_max_salary: int
    job_salary_currency: CurrencyCode
    apply_links: list[Url]
    publisher_website: NotRequired[Url]
    publisher_favicon: NotRequired[Url]


class Salary(TypedDict):
    location: str
    job_title: JobTitle
    min_salary: int
    median_salary: int
    max_salary: int
    salary_period: str
    salary_currency: CurrencyCode
    publisher_name: str
    open_positions: int


DETAILS = View[JobDetails](
    {
        "job_id": "board_id",
        "job_title": "title",
        "employer_name": "employer.name",
        "employer_website": "employer.website",
        "job_description": "text",
        "job_city": "city.name",
        "job_country": "city.country",
        "job_latitude": "city.latitude",
        "job_longitude": "city.longitude",
        "job_is_remote": "remote",
        "job_posted_at": "posted",
        "job_required_skills": "skills",
        "job_benefits": "benefits",
        "job_min_salary": "pay_low",
        "job_max_salary": "pay_high",
        "job_salary_currency": "currency",
        "apply_links": lambda row: [apply_link(row), jobs_link(row.employer, row.number)],
    }
)


def _posting_by_id(world: World, job_id: str) -> Posting:
    parts = job_id.strip().split("-")
    number = parts[1] if len(parts) == 3 and parts[1].isascii() and parts[1].isdigit() else ""
    row = posting_at(world.seed, int(number)) if 5 <= len(number) <= 15 else None
    if row is None or row.board_id != job_id.strip():
        raise not_found("job", job_id[:60], known=[row.board_id for row in board(world.seed).values()])
    return row


@GROUP.tool(
    examples=[
        {
            "job_ids": [f"job-00000-{seeds.token(8, 'board', KNOWN_DOCUMENT)}"],
            "extended_publisher_details": True,
        }
    ],
    phrase=(
        "get the full details and skills of the job board postings identified by "
        "{job_ids}[, with extended publisher details set to {extended_publisher_details}]"
    ),
    noun="the job board details",
    jobs=("open jobs", "what a job pays"),
)
def get_job_details(
    world: World, *, job_ids: Annotated[list[JobId], Range(1, 20)], extended_publisher_details: bool = False
) -> list[JobDetails]:
    """Details of up to 20 jobs: description, pay, skills, benefits and links to apply.

    job_ids: Ids of the jobs, as the searches return them.
    extended_publisher_details: True adds the website and icon of the job board.
    """
    return [_job_details(_posting_by_id(world, job_id), extended_publisher_details) for job_id in job_ids]


def _job_details(row: Posting, extended: bool) -> JobDetails:
    found, site = DETAILS.row(row), f"https://{row.site.lower()}.example"
    if extended:
        found["publisher_website"] = site
        found["publisher_favicon"] = f"{site}/favicon.ico"
    return found


@GROUP.tool(
    examples=[
        {"job_title": "Software Engineer", "location": "New York"},
        {"job_title": "Senior Accountant", "location": "Germany"},
    ],
    phrase=(
        "estimate the yearly salary of people working as {job_title} in {location}[, counting open jobs "
        "within a radius of {radius} km]"
    ),
    noun="the salary estimate",
    jobs=("what a job pays",),
)
def get_salary_estimation(
    world: World, *, job_title: JobTitle, location: SalaryPlace, radius: Kilometres = 200.0
) -> list[Salary]:
    """What people with a job title earn per year in a place, and how many jobs of this kind are open there.

    job_title: Title of the job, e.g. Software Engineer.
    location: City or country.
    radius: How far around a city open jobs are counted.
    """
    work = find_occupation(job_title)
    level = next((LEVEL_WORDS[word] for word in plain(job_title).split() if word in LEVEL_WORDS), "Mid Level")
    whole = country_or_none(location)
    city = None if whole else city_or_none(location)
    country = find_country(city["country_code"]) if city else whole or find_country(location)
    place = city["name"] if city else country["name"]
    usual = usual_pay(world.seed, work, country["code"], city["id"] if city else "")
    median = usual * next(factor for name, (_, factor, _) in LEVELS.items() if name == level)
    where: Place = ("id", city["id"]) if city else ("country_code", country["code"])
    count = count_open_jobs(world.seed, work, where, radius)
    return [
        Salary(
            location=place,
            job_title=job_title,
            min_salary=round(median * spread * 0.8 / 100) * 100,
            median_salary=round(median * spread / 100) * 100,
            max_salary=round(median * spread * 1.25 / 100) * 100,
            salary_period="YEAR",
            salary_currency=country["currency"],
            publisher_name=name,
            open_positions=count,
        )
        for name, spread in (("Glassdoor", 1.02), ("Salary.com", 0.98))
    ]
