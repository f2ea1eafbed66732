"""Jobs, travel, social, local business and catalogues: sums agree, and nothing is invented for free words."""

from collections import Counter
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from toolyard.core.ordered_sums import sum_in_order
from toolyard.world import World, call
from toolyard.world.index import Index
from toolyard.world.kernel import seeds
from toolyard.world.kernel.state import EPOCH
from toolyard.world.kernel.tables import kilometres, plain
from toolyard.world.reference.places.geography import currencies, find_city, main_airports
from toolyard.world.simulated import articles, pages, scholarship
from toolyard.world.simulated.job.job_matching import find_place
from toolyard.world.simulated.job.occupations import find_occupation
from toolyard.world.simulated.job.postings import LEVELS, PAY_BOUNDS, board
from toolyard.world.simulated.travel import flights
from toolyard.world.simulated.travel.network import all_airlines, city_of_code, destinations, legs, network
from toolyard.world.tools.location.tickets import decode_geohash, geohash
from toolyard.world.tools.travel import trips
from world_answers import ask

SEEDS = (0, 1, 7)
SEARCH = "Job/job_search/basic_job_search"


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


@each_case("text, place, rest")
def test_the_place_is_taken_out_of_a_query(text: str, place: str | None, rest: str) -> None:
    found, left = find_place(text)
    named = found and (find_city(found[1])["name"] if found[0] == "id" else found[1])
    assert (named, left) == (place, rest)


@each_case("text, title")
def test_a_title_means_one_occupation(text: str, title: str) -> None:
    assert find_occupation(text).title == title


def test_what_nobody_works_as_is_refused() -> None:
    for text in ("astronaut wizard", "Snorvel Keeper", "quantum zebra"):
        assert call(World.fresh(), SEARCH, {"query": text}).error == "not_found"


SEEDS_TRAVEL = (0, 1, 2)
PAIRS = (("PAR", "MAD"), ("BJS", "SEA"), ("BKK", "PHS"), ("LON", "NYC"), ("GVA", "OPO"), ("MOW", "SYD"))


def test_every_well_known_airport_can_be_left_and_reached() -> None:
    for port in main_airports():
        assert destinations(port["iata"]), port["iata"]
    for start, ends in network().items():
        for end in ends:
            assert {leg.airline for leg in legs(start, end)} == {leg.airline for leg in legs(end, start)}


@pytest.mark.parametrize("seed", SEEDS_TRAVEL)
@pytest.mark.parametrize("pair", PAIRS)
def test_a_trip_costs_and_takes_the_sum_of_its_legs(pair: tuple[str, str], seed: int) -> None:
    start, target = map(city_of_code, pair)
    days = [date(2024, 6, 3), date(2024, 12, 29)]
    found = list(flights.trips(World.fresh(seed), start, target, days))
    assert found
    for trip in found:
        assert trip.usd == round(sum_in_order(flights.day_fare(seed, leg, trip.day) for leg in trip.legs), 2)
        assert trip.minutes == sum(leg.minutes for leg in trip.legs) + flights.CHANGE_MINUTES * trip.stops
        assert 0 <= trip.departs < 1440
        assert 5 < trip.usd < 9000
        assert trip.stops <= 2
        for one, other in zip(trip.legs, trip.legs[1:], strict=False):
            assert one.destination == other.origin
        for leg in trip.legs:
            assert leg.aircraft.code in all_airlines()[leg.airline].fleet


def test_a_way_home_leaves_after_the_arrival() -> None:
    found = ask(
        "Travel/Flight_Data_v1/cheapest_tickets",
        origin="LON",
        destination="PAR",
        depart_date="2024-06-03",
        return_date="2024-06-03",
    )
    for ticket in found["items"]:
        assert ticket["return_at"] > ticket["departure_at"]


@pytest.mark.parametrize("seed", SEEDS_TRAVEL)
def test_trains_arrive_after_their_duration(seed: int) -> None:
    for run in trips.train_runs(seed):
        row = trips.TRAIN.row(run)
        hours, minutes = divmod(run.departs + row["duration_minutes"], 60)
        assert row["arrives"] == f"{hours % 24:02d}:{minutes:02d}"
        assert 50 <= 60 * row["distance_km"] / row["duration_minutes"] <= 111
        assert 3 <= len(row["runs_on"]) <= 7


def test_threads_come_in_order_of_their_last_reply() -> None:
    times = [
        row["last_modified"]
        for number in range(1, 11)
        for row in ask("Social/chan/get_threads", board="pol", page=number)["threads"]
    ]
    assert times == sorted(times, reverse=True)
    assert len(times) >= 6


def all_transactions(slug: str, **arguments: Any) -> list[Any]:
    rows: list[Any] = []
    while True:
        found = ask(
            "Social/Open_Collective/get_transactions",
            collectiveSlug=slug,
            limit=50,
            offset=len(rows),
            **arguments,
        )
        rows += found["items"]
        if len(rows) == found["total"]:
            return rows


def test_income_and_balance_of_webpack_are_sums_of_its_transactions() -> None:
    info = ask("Social/Open_Collective/get_collective_info", collectiveSlug="webpack")
    rows = all_transactions("webpack", includeVirtualCards=True)
    assert info["balance"] == sum(row["amount"] for row in rows)
    assert info["yearlyIncome"] == sum(
        row["amount"] for row in rows if row["amount"] > 0 and row["date"] > "2023-05-16"
    )
    assert 0 < info["yearlyIncome"] < info["total_raised"]


def test_open_now_follows_the_clock_of_the_place() -> None:
    night, noon = World.fresh(), World.fresh()
    noon.advance(11 * 3600)
    few = ask("Finance/Yelp/yelp_search", world=night, location="Chicago", open_now=True)
    many = ask("Finance/Yelp/yelp_search", world=noon, location="Chicago", open_now=True)
    assert 0 < few["total"] < many["total"]
    for row in few["items"]:
        assert ask("Finance/Yelp/yelp_business_details", world=night, business_id_or_alias=row["id"])[
            "is_open_now"
        ]


def test_events_that_began_are_no_longer_listed() -> None:
    later = World.fresh()
    later.advance(60 * 86400)
    assert all(
        row["starts"] >= "2024-07-14"
        for row in ask("Location/Ticket/event_search", world=later, size=25)["items"]
    )


def test_a_known_geohash() -> None:
    assert geohash(57.64911, 10.40744, 6) == "u4pruy"
    latitude, longitude = decode_geohash("u4pruydqqvj")
    assert (latitude, longitude) == pytest.approx((57.64911, 10.40744), abs=1e-5)


@given(st.floats(-89, 89), st.floats(-179, 179))
def test_geohashes_lead_back_to_the_point(latitude: float, longitude: float) -> None:
    back = decode_geohash(geohash(latitude, longitude, 8))
    assert kilometres(latitude, longitude, *back) < 0.1


SEEDS_CATALOGUES = (0, 1, 2)
TODAY = EPOCH.date().isoformat()
PUBMED, ARXIV, SCHOLAR = "Paper/pubmed/pubmed_query_run", "Paper/arxiv/arxiv_query", "Paper/meta_analysis"
# Every tool that takes free words, and its parameter for them.
SEARCHES = (
    (ARXIV, "search_query"), (PUBMED, "query"), (f"{SCHOLAR}/get_papers_by_keywords", "query"),
    ("News/news_search/get_news_everything", "q"), ("Search/CostumizeSearch/google_patents_search", "query"),
    ("Search/CostumizeSearch/google_scholar_search", "query"), ("Search/CostumizeSearch/wiki_search", "entity"),
    ("Search/EngineSearch/google_search", "query"), ("Search/EngineSearch/bing_news_search", "query"),
    ("Search/EngineSearch/google_related_question_search", "query"), ("Entity/Wiki_data/get_entity_id", "input"),
    ("Search/MultimodelSearch/bing_image_search", "query"), ("Search/MultimodelSearch/youtube_search", "query"),
    ("Search/WolframSearch/get_wolfram_results", "query"),
    ("Trend/Google_Trends/google_trends_autocomplete_search", "query"),
)  # fmt: skip


def drawn_catalogues(count: int, most: int, *parts: object) -> list[int]:
    return [seeds.number(*parts, turn) % most for turn in range(count)]


@pytest.mark.parametrize("seed", SEEDS_CATALOGUES)
def test_citations_are_the_reverse_of_references_and_counts_follow(seed: int) -> None:
    table = scholarship.papers_by_id(seed)
    for paper in table.values():
        assert paper["citation_count"] == len(paper["citations"])
        assert all(paper["paper_id"] in table[other]["citations"] for other in paper["references"])
        assert all(table[other]["date"] <= paper["date"] <= TODAY for other in paper["references"])
        assert paper["abstract"] and paper["year"] == int(paper["date"][:4])
    for author in scholarship.listed_authors(seed).values():
        counts = [table[key]["citation_count"] for key in author["papers"]]
        assert author["citation_count"] == sum(counts) and author["h_index"] == scholarship.h_index(counts)
        assert author["affiliation"]


def test_titles_authors_and_ids_of_papers_are_the_same_in_every_world() -> None:
    names = ("paper_id", "arxiv_id", "doi", "pubmed_id", "title", "url")
    for name in names:
        found = Counter(paper[name] for paper in scholarship.papers(0) if paper[name])  # type: ignore[literal-required]
        assert max(found.values()) == 1, found.most_common(1)
    kept = (*names, "authors", "date", "venue")
    first, second = ([[paper[key] for key in kept] for paper in scholarship.papers(seed)] for seed in (0, 1))  # type: ignore[literal-required]
    assert first == second


@pytest.mark.parametrize("seed", SEEDS_CATALOGUES)
def test_news_lie_in_the_past_and_every_service_tells_the_same(seed: int) -> None:
    assert all("2023-01-01" <= moment[:10] <= TODAY for moment in articles.publish_times(seed))
    for place in drawn_catalogues(15, len(articles.all_stories()), "story", seed):
        row = articles.article(seed, place)
        assert row["popularity"] == articles.count_readers(seed, place) and "{" not in row["content"]
        assert pages.find_page(seed, row["url"])["text"] == row["content"]
        told = ask("News/news_search/get_news_everything", seed, q=row["title"], pageSize=1)["items"][0]
        assert (told["title"], told["readers"], told["url"]) == (row["title"], row["popularity"], row["url"])


@pytest.mark.parametrize(("tool", "parameter"), SEARCHES)
def test_nothing_is_invented_for_free_words(tool: str, parameter: str) -> None:
    for text in ("Professor Finkelwhistle", "qqxzvy blorptang"):
        found = call(World.fresh(0), tool, {parameter: text})
        assert found.error == "not_found", (text, found.text[:200])
    assert "Philippines" not in call(World.fresh(0), tool, {parameter: "PHP"}).text


@pytest.mark.parametrize(("tool", "parameter"), SEARCHES)
def test_what_everybody_knows_is_found(tool: str, parameter: str) -> None:
    for text in ("machine learning", "Climate change"):
        if tool != PUBMED:
            assert ask(tool, 2, **{parameter: text})
    assert all("paracetamol" in row["title"].lower() for row in ask(PUBMED, query="paracetamol"))


def test_names_that_are_written_almost_like_a_text_are_named() -> None:
    index = Index([{"name": name} for name in ("Cafe", "Flower show", "Paris")], ("name",), "name")
    assert index.similar_names("Pariss") == ["Paris"] and index.similar_names("PHP") == []


@pytest.mark.parametrize("seed", SEEDS_CATALOGUES)
def test_trends_are_scaled_to_their_highest_value(seed: int) -> None:
    found = ask("Trend/Google_Trends/google_trends_search", seed, query=["coffee", "tea"], geo="CA")
    values = [row["value"] for moment in found["interest_over_time"] for row in moment["values"]]
    assert max(values) == 100 and min(values) >= 0
    beside = ask(
        "Trend/Google_Trends/google_trends_search", seed, query=["Veganism"], data_type="RELATED_TOPICS"
    )
    values = [row["value"] for row in beside["related_topics"]]
    assert values[0] == 100 and values == sorted(values, reverse=True)
    assert all(plain(row["topic"]) != "veganism" for row in beside["related_topics"])


def test_a_scan_is_remembered_and_its_tests_add_up_to_its_score() -> None:
    world = World.fresh()
    scan = ask("Validation/Validation/analyze_scan", world=world, website="https://www.mywebsite.com/")
    tests = ask("Validation/Validation/get_scan_results", world=world, id=scan["scan_id"])["tests"]
    lost = -sum(test["score_modifier"] for test in tests.values())
    assert scan["score"] == max(100 - lost, 0) + (5 if not lost else 0)
    history = ask("Validation/Validation/get_host_history", world=world, host_name="mywebsite.com")
    assert history[0]["scan_id"] == scan["scan_id"]
    assert len(history) > 1
    assert list(world.diff()["web_scans"]["added"]) == [str(scan["scan_id"])]


@each_case("number, country, valid, form")
def test_phone_numbers_follow_their_country(number: str, country: str, valid: bool, form: str | None) -> None:
    found = ask("Validation/Validation/check_phone_number", number=number, country_code=country)
    assert (found["valid"], found["international_format"]) == (valid, form)


def test_swear_words_are_found_as_whole_words_only() -> None:
    found = ask(
        "Validation/Validation/profanity_detect", text="Damn! The dickens and the Scunthorpe damned shitake."
    )
    assert found["found"] == ["damn"]
    assert found["cleaned"] == "The dickens and the Scunthorpe damned shitake."


def test_check_digits_of_vehicle_numbers_are_computed() -> None:
    name = "Vehicle/Vehicle/decode_vin"
    right = ask(name, vin="1HGCM82633A004352")
    assert (right["make"], right["model"], right["model_year"], right["check_digit"]) == (
        "HONDA",
        "Accord",
        2003,
        "valid",
    )
    assert ask(name, vin="1HGCM82643A004352")["check_digit"] == "invalid, 3 was expected in place 9"
    partial = ask(name, vin="5UXWX7C5*BA")
    assert (partial["make"], partial["model"], partial["model_year"]) == ("BMW", "X3", 2011)
    assert call(World.fresh(), name, {"vin": "IOQ"}).error == "invalid_value"
    assert call(World.fresh(), name, {"vin": "ZZZ12345"}).error == "not_found"
