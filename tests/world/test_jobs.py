"""Jobs: one table of postings, drawn from the seed and inside its bounds, and three services that show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.kernel.state import EPOCH
from toolyard.world.reference.companies import find_company
from toolyard.world.reference.places.geography import currencies, find_city
from toolyard.world.simulated.job.employers import employers, hubs
from toolyard.world.simulated.job.job_matching import place_in
from toolyard.world.simulated.job.occupations import find_occupation, occupations
from toolyard.world.simulated.job.postings import (
    LEVELS,
    PAY_BOUNDS,
    Posting,
    board,
    posting_at,
    posting_of_id,
    postings_of,
)

SEEDS = (0, 1, 7)
SEARCH = "Job/job_search/basic_job_search"


def ask(name: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), name, arguments)
    assert observation.error is None, observation.text
    return observation.value


def drawn(seed: int) -> Sequence[Posting]:
    return list(board(seed).values())[seed % 7 :: 101]


@pytest.mark.parametrize("seed", SEEDS)
def test_postings_are_within_their_bounds(seed: int) -> None:
    rates = {row["code"]: row["per_usd"] for row in currencies()}
    for row in board(seed).values():
        assert row.employer.takes(row.work)
        low, high = PAY_BOUNDS
        assert (
            low * 0.45 * 0.7
            <= row.pay_low / rates[row.currency]
            < row.pay_high / rates[row.currency]
            <= high * 2.1
        )
        assert "2024-03-01" <= row.posted <= EPOCH.date().isoformat()
        first, last = LEVELS[row.level][2]
        assert first <= row.years <= last
        assert 2 <= len(set(row.benefits)) == len(row.benefits) <= 4


@pytest.mark.parametrize("seed", SEEDS)
def test_every_listed_employer_has_a_job_and_every_id_leads_back(seed: int) -> None:
    assert {row.employer.id for row in board(seed).values()} == {row.id for row in employers()}
    for row in drawn(seed):
        assert posting_at(seed, row.number) == posting_of_id(seed, row.long_id) == row
    work, city = occupations()[60], find_city("Lyon")
    days = [row.posted for row in postings_of(seed, work, city)]
    assert len(days) == len(set(days))
    known = posting_at(seed, 0)
    assert known is not None
    assert (known.work.title, known.employer.name) == ("Barista", "Eleven Madison Park")


@pytest.mark.parametrize("seed", SEEDS)
def test_services_show_the_table(seed: int) -> None:
    for row in drawn(seed):
        board_job = ask("Job/job_search/get_job_details", seed, job_ids=[row.board_id])[0]
        muse = ask("Job/the_muse/search_job_by_id", seed, job_id=10_400_000 + row.number)
        listing = ask("Job/Google_Jobs/google_jobs_listing_search", seed, job_id=row.long_id)
        assert board_job["job_title"] == muse["name"] == listing["title"] == row.title
        assert (board_job["job_min_salary"], listing["salary"]) == (row.pay_low, row.salary)
        assert muse["type"] == row.employment_type
        company = ask("Job/the_muse/search_company_by_id", seed, company_id=muse["company_id"])
        assert muse["id"] in company["recent_jobs"]
        assert listing["benefits"] == board_job["job_benefits"] == row.benefits


def test_another_seed_is_another_market() -> None:
    numbers = [number for number in board(0) if number in board(1)]
    same = [number for number in numbers if board(0)[number].pay_low == board(1)[number].pay_low]
    assert len(numbers) > 200 and len(same) < 0.02 * len(numbers)


def test_companies_are_found_by_town_and_state() -> None:
    found = ask("Job/the_muse/search_companies", location=["New York, NY"])
    assert found["total"] > 20 and found == ask("Job/the_muse/search_companies", location=["New York"])
    company = ask("Job/the_muse/search_company_by_id", company_id=67890)
    assert find_company(company["ticker"])["name"] == company["name"]


@pytest.mark.parametrize(
    ("text", "place", "rest"),
    [
        ("Barista, New York?", "New York", "barista"),
        ("python developer in Texas", "Texas", "python developer in"),
        ("manager in the UK", "GB", "manager in the"),
        ("cashier tampa", "Tampa", "cashier"),
        ("nurse in Portland, Maine", "Portland", "nurse in"),
        ("remote content writer", None, "remote content writer"),
    ],
)
def test_the_place_is_taken_out_of_a_query(text: str, place: str | None, rest: str) -> None:
    found, left = place_in(text)
    named = found and (find_city(found[1])["name"] if found[0] == "id" else found[1])
    assert (named, left) == (place, rest)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Senior Accountant", "Accountant"),
        ("nurses", "Nurse"),
        ("rn", "Registered Nurse"),
        ("Python developer jobs", "Python Developer"),
        ("Dental Technician", "Dental Technician"),
        ("pastry chef", "Pastry Chef"),
    ],
)
def test_a_title_means_one_occupation(text: str, title: str) -> None:
    assert find_occupation(text).title == title


def test_what_nobody_works_as_is_refused() -> None:
    for text in ("astronaut wizard", "Snorvel Keeper", "quantum zebra"):
        assert call(World.fresh(), SEARCH, {"query": text}).error == "not_found"


@pytest.mark.parametrize("text", ["", "abc", "W10=", "eyJodGlkb2NpZCI6MX0="])
def test_other_texts_are_no_ids(text: str) -> None:
    assert posting_of_id(0, text) is None


def test_filters_filter_and_pages_page() -> None:
    everything = ask(SEARCH, query="engineer")
    remote = ask(SEARCH, query="engineer", remote_jobs_only=True, employment_types=["FULLTIME"])
    assert 0 < remote["total"] < everything["total"]
    assert all(job["job_is_remote"] and job["job_employment_type"] == "FULLTIME" for job in remote["data"])
    second = ask(SEARCH, query="engineer", page=2)["data"]
    assert ask(SEARCH, query="engineer", num_pages=2)["data"] == everything["data"] + second
    near = ask(SEARCH, query="engineer in London")["total"]
    assert near < ask(SEARCH, query="engineer in London", radius=500)["total"]


@pytest.mark.parametrize("seed", SEEDS)
def test_pay_follows_the_level(seed: int) -> None:
    tool = "Job/job_search/get_salary_estimation"
    usual = ask(tool, seed, job_title="Accountant", location="Berlin")[0]
    senior = ask(tool, seed, job_title="Senior Accountant", location="Berlin")[0]
    assert senior["median_salary"] == pytest.approx(1.35 * usual["median_salary"], rel=0.01)
    assert len(hubs()) == 30 and usual["open_positions"] > 0
