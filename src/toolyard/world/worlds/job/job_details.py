"""Job/job_search, one job: everything about it, and what an occupation earns in a place."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from toolyard.world import seeds
from toolyard.world.faults import not_found
from toolyard.world.registry import tool
from toolyard.world.search import words
from toolyard.world.shared.geography import city_or_none, country_or_none, find_country, plain
from toolyard.world.state import World
from toolyard.world.types import (
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
from toolyard.world.worlds.job.common_jobs import all_names, common_job
from toolyard.world.worlds.job.employers import EmployerName, jobs_link
from toolyard.world.worlds.job.google_jobs import site
from toolyard.world.worlds.job.job_matching import matching
from toolyard.world.worlds.job.job_pay import usual_pay
from toolyard.world.worlds.job.job_search import GROUP, JobId, Kilometres, apply_link, job_id_of
from toolyard.world.worlds.job.occupations import Occupation, occupations
from toolyard.world.worlds.job.other_jobs import all_in_titles, is_unusual, other_occupation, title_in
from toolyard.world.worlds.job.postings import (
    KNOWN_DOCUMENT,
    LEVELS,
    Posting,
    posting_at,
    postings,
)

# Where people earn more than in the rest of their country.
_CITY_PAY = {"San Francisco": 1.22, "San Jose": 1.22, "New York": 1.1, "Los Angeles": 1.05, "Washington": 1.06,
             "Munich": 1.08, "Paris": 1.12, "Tokyo": 1.12, "Sydney": 1.06, "Shanghai": 1.25, "Beijing": 1.25,
             "Mumbai": 1.3, "Bengaluru": 1.35, "Delhi": 1.25, "Oslo": 1.05}  # fmt: skip
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


def _by_id(world: World, job_id: str) -> Posting:
    parts = job_id.strip().split("-")
    number = (
        int(parts[1])
        if len(parts) == 3 and parts[1].isascii() and parts[1].isdigit() and len(parts[1]) in (5, 6, 7, 10)
        else -1
    )
    row = posting_at(world.seed, number)
    if row is None or job_id_of(row) != job_id.strip():
        raise not_found("job", job_id[:60], known=[job_id_of(row) for row in postings(world.seed)])
    return row


@tool(
    GROUP,
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
    """Up to 20 jobs: description, pay, skills, benefits and links to apply.

    job_ids: Ids of the jobs, as the searches return them.
    extended_publisher_details: True adds the website and icon of the job board.
    """
    return [_details(_by_id(world, job_id), extended_publisher_details) for job_id in job_ids]


def _details(row: Posting, extended: bool) -> JobDetails:
    board = f"https://{site(row).lower()}.example"
    found = JobDetails(
        job_id=job_id_of(row),
        job_title=row["title"],
        employer_name=row["employer"]["name"],
        employer_website=row["employer"]["website"],
        job_description=row["text"],
        job_city=row["city"]["name"],
        job_country=row["city"]["country"],
        job_latitude=row["city"]["latitude"],
        job_longitude=row["city"]["longitude"],
        job_is_remote=row["remote"],
        job_posted_at=row["posted"],
        job_required_skills=row["skills"],
        job_benefits=row["benefits"],
        job_min_salary=row["pay_low"],
        job_max_salary=row["pay_high"],
        job_salary_currency=row["currency"],
        apply_links=[apply_link(row), jobs_link(row["employer"], row["number"])],
    )
    if extended:
        found["publisher_website"] = board
        found["publisher_favicon"] = f"{board}/favicon.ico"
    return found


def _occupation(title: str) -> tuple[Occupation, float]:
    """The occupation in a title, and what its level does to the pay; "Senior Accountant" is an accountant."""
    wanted = plain(title)
    best = max(
        (row for row in occupations() if plain(row["title"]) in wanted),
        key=lambda row: len(row["title"]),
        default=None,
    )
    common = common_job(title)
    if (
        common is not None
        and (best is None or common["title"] != best["title"])
        and _says_no_more(title, common)
    ):
        best = common
    if (
        best is None
        and all_in_titles(title)
        and (place := title_in(title)) is not None
        and not is_unusual(place)
    ):
        best = other_occupation(place, {row["title"]: row for row in occupations()})
    if best is None:
        raise not_found("occupation", title[:60], known=[row["title"] for row in occupations()])
    for pattern, factor, _ in LEVELS.values():
        word = plain(pattern.replace("{}", ""))
        if word and word in wanted.split():
            return best, factor
    return best, 1.0


def _says_no_more(title: str, common: Occupation) -> bool:
    """Whether a title is a name of a common occupation, its level aside."""
    levels = {"senior", "junior", "lead", "intern"}
    return frozenset(words(title)) - levels in all_names(common)


@tool(
    GROUP,
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
    """What people with a job title earn per year in a place, roughly, and how many jobs of this kind are listed
    around it.

    job_title: Title of the job, e.g. Software Engineer.
    location: City or country.
    radius: How far around a city open jobs are counted.
    """
    occupation, factor = _occupation(job_title)
    whole = country_or_none(location)
    city = None if whole else city_or_none(location)
    country = find_country(city["country_code"]) if city else whole or find_country(location)
    place = city["name"] if city else country["name"]
    usual = usual_pay(occupation["title"], occupation["pay"], country["code"])
    median = usual * factor * _CITY_PAY.get(place, 1.0)
    near = [
        row
        for row in matching(world.seed, f"{job_title} in {place}", radius=radius)
        if set(words(occupation["title"])) <= set(words(row["title"]))
    ]
    return [
        Salary(
            location=city["name"] if city else country["name"],
            job_title=job_title,
            min_salary=round(median * spread * 0.8 / 100) * 100,
            median_salary=round(median * spread / 100) * 100,
            max_salary=round(median * spread * 1.25 / 100) * 100,
            salary_period="YEAR",
            salary_currency=country["currency"],
            publisher_name=name,
            open_positions=len(near),
        )
        for name, spread in (("Glassdoor", 1.02), ("Salary.com", 0.98))
    ]
