"""Search engines, news, trends and entities say less, and what they say holds."""

from __future__ import annotations

from typing import Any

import pytest

from toolyard.world import World, call

ENGINE, NEWS, SPACE = "Search/EngineSearch", "News/news_search", "News/space_news"
TREND, WIKI = "Trend/Google_Trends", "Entity/Wiki_data"
WORLD = World.fresh(0)


def said(name: str, **arguments: Any) -> Any:
    answer = call(WORLD, name, arguments)
    assert answer.error is None, answer.text
    return answer.value


def refused(name: str, **arguments: Any) -> str:
    answer = call(WORLD, name, arguments)
    assert answer.error is not None, answer.text
    return answer.text


@pytest.mark.parametrize(
    ("tool", "query", "gone"),
    [
        ("google_search", "Taylor Swift", "related_searches"),
        ("duckduckgo_search", "Albert Einstein", "topics"),
        ("yahoo_search", "Apple", "also_read"),
        ("bing_search", "renewable energy", "market"),
        ("bing_news_search", "Tesla", "thumbnail"),
        ("google_autocomplete_search", "taylor sw", "relevance"),
    ],
)
def test_engines_have_no_side_lists(tool: str, query: str, gone: str) -> None:
    answer = call(WORLD, f"{ENGINE}/{tool}", {"query": query})
    assert answer.value and f'"{gone}"' not in answer.text


def test_nobody_asks_for_an_occupation_or_a_country_of_somebody() -> None:
    titles = str(said(f"{ENGINE}/google_search", query="Nikola Tesla")["organic_results"])
    assert "occupation" not in titles and "What country" not in titles
    questions = str(said(f"{ENGINE}/google_related_question_search", query="Berlin"))
    assert "time zone is" not in questions and "What country" not in questions


def test_a_short_article_has_no_explainer() -> None:
    found = said(f"{ENGINE}/google_search", query="Great Barrier Reef")["organic_results"]
    assert not [row for row in found if row["title"].endswith("explained")]


@pytest.mark.parametrize(
    ("query", "question", "answer"),
    [
        ("pyramids of Giza", "What are the Pyramids of Giza?", "Khufu"),
        ("Valley of the Kings", "Where is the Valley of the Kings?", "Luxor, Egypt"),
        ("Louvre", "Where is the Louvre?", "Paris, France"),
        ("Tesla", "What is Tesla, Inc.?", "builds electric cars"),
    ],
)
def test_questions_on_sights_and_companies(query: str, question: str, answer: str) -> None:
    found = {
        row["question"]: row["answer"]
        for row in said(f"{ENGINE}/google_related_question_search", query=query)
    }
    assert answer in found[question]
    assert len({row["title"] for row in said(f"{ENGINE}/google_related_question_search", query=query)}) == 1


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Texas Hold Em", "Texas Hold 'Em"),
        ("NASA Artemis mission", "NASA's Artemis missions to the Moon"),
        ("Nobel Prize winners 2023", "The Nobel Prize winners of 2023"),
        ("how to train for a marathon", "How to train for a marathon"),
        ("Van Gogh paintings", "Van Gogh's best known paintings"),
    ],
)
def test_pages_are_on_what_is_asked(query: str, first: str) -> None:
    assert said(f"{ENGINE}/google_search", query=query)["organic_results"][0]["title"] == first


def test_a_genre_is_written_as_it_is() -> None:
    page = said(
        f"{ENGINE}/get_further_contents", request_url="https://encyclopedia.example/wiki/Texas_Hold_'Em"
    )
    assert "an R&B song" in page["text"] and "links" not in page


@pytest.mark.parametrize("tool", ["bing_news_search", "baidu_news_search"])
def test_news_engines_invent_no_article_on_a_word(tool: str) -> None:
    assert said(f"{ENGINE}/{tool}", query="gardening") == []


def test_headlines_tell_what_happened() -> None:
    titles = [
        row["headline"]
        for row in said(f"{NEWS}/get_news_headlines", country="DE", category="sports")["items"]
    ]
    assert "Bayer Leverkusen are champions of Germany for the first time" in titles
    british = said(f"{NEWS}/get_news_headlines", country="GB", category="technology")["items"]
    assert british and not [row for row in british if "programming" in row["headline"]]
    american = said(f"{NEWS}/get_news_headlines", country="US", q="Tesla", pageSize=20)["items"]
    assert len(american) >= 4
    assert not {"urlToImage", "country"} & set(american[0])


def test_who_died_of_cancer_is_no_news_on_health() -> None:
    assert "Paul Auster" not in str(said(f"{ENGINE}/baidu_news_search", query="health"))


def test_invented_stories_stand_in_alone() -> None:
    events = said(f"{NEWS}/get_news_everything", q="Tesla", pageSize=20)
    assert events["total"] >= 8 and all("Tesla" in row["content"] for row in events["items"][:5])
    alone = said(f"{NEWS}/get_news_everything", q="robotics", from_date="2024-02-01", to_date="2024-02-29")
    assert alone["total"] and all("robotics" in row["title"] for row in alone["items"])
    assert "news end today" in refused(f"{NEWS}/get_news_everything", from_date="2024-05-20")


def test_a_visit_is_reported_from_the_city_of_the_university() -> None:
    first = said(f"{ENGINE}/baidu_news_search", query="quantum computing")[0]
    page = said(f"{ENGINE}/get_further_contents", request_url=first["page"])
    assert "Boğaziçi" in page["title"] and page["text"].endswith("reports from Istanbul.")


def test_outlets_that_are_listed_are_taken() -> None:
    (further,) = said(f"{NEWS}/get_news_headlines_sources", country="JP")
    assert further["country"] == "JP"
    for row in said(f"{NEWS}/get_news_headlines_sources"):
        assert said(f"{NEWS}/get_news_everything", sources=[row["id"]])["total"]


def test_space_news_are_told_when_the_event_is_over() -> None:
    found = said(f"{SPACE}/get_news_reports", search="Odysseus is down")["items"][0]
    assert found["published_at"] > "2024-02-22T23:23"
    undocked = said(f"{SPACE}/get_news_reports", search="Crew-7 undocks")["items"][0]
    assert undocked["published_at"] > "2024-03-11T15:20"
    assert said(f"{SPACE}/get_news_articles", search="new signal")["items"][0]["published_at"] > "2024-03-13"


def test_trends_complete_names_and_nothing_else() -> None:
    tool = f"{TREND}/google_trends_autocomplete_search"
    assert said(tool, query="taylor") == [{"title": "Taylor Swift", "type": "Person"}]
    assert "Rugby World Cup" in str(said(tool, query="world cup"))
    assert [row["title"] for row in said(tool, query="solar")] == ["Solar panel", "Solar energy"]


@pytest.mark.parametrize(
    ("term", "never", "query"),
    [
        ("Taylor Swift", "singer", "taylor swift eras tour"),
        ("marathon", "Undertaking", "half marathon"),
        ("sunscreen", "Nard", "sunscreen for face"),
        ("Nike", "Tesla", "nike air force 1"),
        ("pilates", "Pilate'", "wall pilates"),
    ],
)
def test_related_lists_are_what_people_look_for(term: str, never: str, query: str) -> None:
    topics = said(f"{TREND}/google_trends_search", query=[term], data_type="RELATED_TOPICS", limit=20)
    assert never not in str(topics["related_topics"])
    queries = said(f"{TREND}/google_trends_search", query=[term], data_type="RELATED_QUERIES", limit=20)
    assert query in [row["query"] for row in queries["related_queries"]]


def test_interest_by_place() -> None:
    def places(**arguments: Any) -> list[str]:
        found = said(f"{TREND}/google_trends_search", data_type="GEO_MAP_0", **arguments)
        return [row["geo"] for row in found["interest_by_region"]]

    assert places(query=["climate change"])[0] == "GB"
    assert "KP" not in places(query=["Emmanuel Macron"], limit=60)
    assert all(code.startswith("US-CA-") for code in places(query=["Tokyo"], geo="US-CA"))


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("Tesla", ["Q478214", "Q9036"]), ("Mercury", ["Q308", "Q925"]), ("Java", ["Q3757", "Q251"]), ("MIT", ["Q49108"]),
        ("Harvard", ["Q13371"]), ("Georgia", ["Q230", "Q1428"]), ("Obama", ["Q76"]), ("Oxford University", ["Q34433"]),
        ("BBC", ["Q9531"]),
    ],
)  # fmt: skip
def test_names_find_what_is_well_known(name: str, ids: list[str]) -> None:
    found = said(f"{WIKI}/get_entity_id", input=name)
    assert [row["entity_id"] for row in found] == ids
    assert set(found[0]) == {"entity_id", "label", "description"}


def test_a_value_has_no_invented_id() -> None:
    for number in ("Q1299", "Q312", "Q243"):
        rows = said(f"{WIKI}/find_entity", input=number)["statements"]
        assert not [row for row in rows if row["value_id"] and not row["value_id"].startswith("Q")]


def test_who_is_seen_in_a_documentary_is_no_actor() -> None:
    assert "cast member" not in str(said(f"{WIKI}/find_entity_by_tail", input="Barack Obama"))
    assert "cast member" in str(said(f"{WIKI}/find_entity_by_tail", input="Tom Hanks"))


def test_queries_find_all_planets_and_the_women_of_physics() -> None:
    planets = said(f"{WIKI}/search_by_code", query="SELECT ?x ?xLabel WHERE { ?x wdt:P31 wd:Q634 }")
    assert len(planets) == 8
    women = "SELECT ?x ?xLabel WHERE { ?x wdt:P166 wd:Q38104 ; wdt:P21 wd:Q6581072 }"
    assert {"Marie Curie", "Donna Strickland"} <= {
        row["xLabel"] for row in said(f"{WIKI}/search_by_code", query=women)
    }


def test_answers_of_wolfram_have_no_empty_pods() -> None:
    tool = "Search/WolframSearch/get_wolfram_results"
    assert said(tool, query="sqrt(144)")["pods"] == []
    assert said(tool, query="integrate x^2 sin(x)")["result"].endswith("+ constant")
    assert [pod["title"] for pod in said(tool, query="distance from Paris to Berlin")["pods"]] == ["Miles"]
    assert said(tool, query="population density of Bangladesh")["result"].endswith("people per km²")
    assert "no answer" in refused(tool, query="population of Japan in 1950")


def test_a_vegan_bakery_is_a_bakery() -> None:
    found = said(f"{ENGINE}/yelp_search", query="vegan bakery")
    assert found and all(row["categories"] == ["Bakeries"] for row in found)
