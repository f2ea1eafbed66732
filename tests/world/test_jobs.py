"""Jobs: three services on one table of postings, with ids, places and pay that agree."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from toolyard.world import World, call
from toolyard.world.shared.companies import find_company
from toolyard.world.worlds.job.job_matching import place_in
from toolyard.world.worlds.job.postings import document_of_id, long_id, postings


def ask(name: str, seed: int = 0, **arguments: Any) -> Any:
    observation = call(World.fresh(seed), name, arguments)
    assert observation.error is None, observation.text
    return observation.value


def test_the_longest_name_of_a_place_is_taken_out_of_a_query() -> None:
    assert place_in("Barista, New York?") == (("name", "New York"), "barista")
    assert place_in("python developer in Texas") == (("region", "Texas"), "python developer in")
    assert place_in("manager in the UK") == (("country_code", "GB"), "manager in the")
    assert place_in("remote content writer") == (None, "remote content writer")


def test_a_query_finds_the_occupation_in_the_place_only() -> None:
    for seed in (0, 5):
        found = ask("Job/Google_Jobs/google_jobs_search", seed, query="graphic designer in Canada")[
            "jobs_results"
        ]
        assert "Graphic Designer" in found[0]["title"]
        assert all(job["location"] == "Anywhere" or job["location"].endswith("Canada") for job in found)


def test_long_ids_lead_back_and_other_texts_lead_nowhere() -> None:
    for row in postings(2)[:50]:
        assert document_of_id(long_id(row)) == row["document"]
    more = base64.b64encode(
        b'{"job_title":"Barista","htidocid":"LWRuFV8dvdkAAAAAAAAAAA==","fc":"x","fcv":"3"}'
    ).decode()
    assert (
        ask("Job/Google_Jobs/google_jobs_listing_search", 9, job_id=more)["company_name"]
        == "Eleven Madison Park"
    )
    for text in (
        "",
        "abc",
        "W10=",
        base64.b64encode(b"[" * 5000).decode(),
        base64.b64encode(b'{"htidocid":1}').decode(),
    ):
        assert (
            call(World.fresh(), "Job/Google_Jobs/google_jobs_listing_search", {"job_id": text}).error
            == "not_found"
        )


def test_services_agree_about_a_posting() -> None:
    first = ask("Job/job_search/basic_job_search", query="Project Manager Google California")["data"][0]
    details = ask("Job/job_search/get_job_details", job_ids=[first["job_id"]])[0]
    listed = ask("Job/Google_Jobs/google_jobs_search", query="Project Manager Google California")[
        "jobs_results"
    ][0]
    assert details["employer_name"] == listed["company_name"] == "Google"
    assert details["job_description"] == listed["description"]
    assert f"{details['job_min_salary']:,}" in listed["salary"]


def test_filters_filter_and_pages_page() -> None:
    tool = "Job/job_search/basic_job_search"
    everything = ask(tool, query="engineer")
    remote = ask(tool, query="engineer", remote_jobs_only=True, employment_types=["FULLTIME"])
    assert 0 < remote["total"] < everything["total"]
    assert all(job["job_is_remote"] and job["job_employment_type"] == "FULLTIME" for job in remote["data"])
    second = ask(tool, query="engineer", page=2)
    assert not {job["job_id"] for job in second["data"]} & {job["job_id"] for job in everything["data"]}
    two = ask(tool, query="engineer", num_pages=2)["data"]
    assert two == everything["data"] + second["data"]
    recent = ask(tool, query="engineer", date_posted="week")
    assert all(job["job_posted_at"] >= "2024-05-08" for job in recent["data"])


def test_a_radius_adds_the_cities_around() -> None:
    tool = "Job/job_search/search_jobs_with_filters"
    near = ask(tool, query="engineer in London")["total"]
    assert near < ask(tool, query="engineer in London", radius=500)["total"]


def test_pay_follows_level_and_country() -> None:
    tool = "Job/job_search/get_salary_estimation"
    plain = ask(tool, job_title="Accountant", location="Berlin")[0]
    senior = ask(tool, job_title="Senior Accountant", location="Berlin")[0]
    assert senior["median_salary"] == pytest.approx(1.35 * plain["median_salary"], rel=0.01)
    assert (
        plain["salary_currency"],
        ask(tool, job_title="Nurse", location="Japan")[0]["salary_currency"],
    ) == ("EUR", "JPY")
    observation = call(World.fresh(), tool, {"job_title": "Dragon Tamer", "location": "Berlin"})
    assert observation.error == "not_found"


def test_companies_that_hire_are_the_shared_companies() -> None:
    for seed in (0, 3):
        company = ask("Job/the_muse/search_company_by_id", seed, company_id=67890)
        assert find_company(company["ticker"])["name"] == company["name"]
        for number in company["recent_jobs"]:
            job = ask("Job/the_muse/search_job_by_id", seed, job_id=number)
            assert (job["company_id"], job["company"]) == (67890, company["name"])


def test_entry_level_jobs_are_of_that_level_in_both_orders() -> None:
    newest = ask("Job/the_muse/search_jobs", level=["Entry Level"])
    oldest = ask("Job/the_muse/search_jobs", level=["Entry Level"], descending=True)
    assert newest["total"] == oldest["total"] > 100
    assert {job["level"] for job in newest["results"] + oldest["results"]} == {"Entry Level"}
    assert newest["results"][0]["publication_date"] > oldest["results"][0]["publication_date"]


def test_a_job_title_beyond_the_table_has_pay_and_postings_that_lead_back() -> None:
    world = World.fresh(0)
    pay = call(
        world, "Job/job_search/get_salary_estimation", {"job_title": "Dog Groomer", "location": "New York"}
    )
    assert pay.value[0]["median_salary"] > 20_000
    found = call(world, "Job/job_search/basic_job_search", {"query": "Dog Groomer"}).value["data"][0]
    assert "Dog Groomer" in found["job_title"]
    details = call(world, "Job/job_search/get_job_details", {"job_ids": [found["job_id"]]})
    assert found["job_title"] in details.text
    other = {"job_title": "Dental Technician", "location": "New York"}
    assert call(world, "Job/job_search/get_salary_estimation", other).value[0]["median_salary"] > 20_000
    assert ("occupation", "dental technician") in world.simulated
    assert call(
        world, "Job/job_search/get_salary_estimation", {"job_title": "Snorvel Keeper", "location": "New York"}
    ).error
