"""What strangers found in texts, papers, news, words, music, entities and art when they read the answers once more."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World

WIKI, MUSEUM = "Entity/Wiki_data/", "Art/Harvard_art_museum/"
NLP, PAPER = "NLP/NLP/", "Paper/meta_analysis/"


def answer(tool: str, **arguments: Any) -> Any:
    """What a tool answers in a fresh world."""
    return json.loads(call(World.fresh(0), tool, arguments).text)


def stated(entity: str, relation: str) -> list[str]:
    """The values of a relation of an entity."""
    rows = answer(f"{WIKI}find_entity", input=entity)["statements"]
    return [row["value"] for row in rows if row["relation_id"] == relation]


def tags(text: str) -> dict[str, str]:
    """Word -> part of speech."""
    rows = answer(f"{NLP}linguistic_analysis", txt=text)["tokens"]
    return {row["form"]: row["part_of_speech"] for row in rows}


def mood(text: str) -> Any:
    """How a text sounds."""
    return answer(f"{NLP}sentiment_analysis", txt=text)


@pytest.mark.parametrize(
    "kind", ["object", "color", "century", "exhibition", "publication", "gallery", "place"]
)
def test_every_type_of_the_museum_has_related_resources(kind: str) -> None:
    assert len(answer(f"{MUSEUM}get_resource_by_id", res_type=kind)["related"]) == 5


def test_the_most_alike_comes_first() -> None:
    assert answer(f"{MUSEUM}get_resource_by_id", res_type="object", id=299843)["related"][0] == 299844
    assert answer(f"{MUSEUM}get_resource_by_id", res_type="object", id=303437)["related"]
    grey = answer(f"{MUSEUM}search_resource", res_type="color", q="Grey")["records"][0]["id"]
    black = answer(f"{MUSEUM}search_resource", res_type="color", q="Black")["records"][0]["id"]
    assert answer(f"{MUSEUM}get_resource_by_id", res_type="color", id=black)["related"][0] == grey


def test_artists_of_the_museum_know_how_much_it_owns() -> None:
    found = answer(f"{MUSEUM}search_resource", res_type="person", q="Manet")["records"][0]
    assert (found["title"], found["objectcount"]) == ("Édouard Manet", 1)
    assert answer(f"{MUSEUM}search_resource", res_type="object", culture="Italian")["total"] == 3


def test_works_of_the_museum_were_made_where_and_how_they_were() -> None:
    works = answer(f"{MUSEUM}search_resource", res_type="object", title="Cotton Merchants")["records"]
    assert works[0]["place"] == "New Orleans"
    prop = answer(f"{MUSEUM}search_resource", res_type="object", title="Light Prop")["records"][0]
    assert "technique" not in prop
    kinds = answer(
        f"{MUSEUM}search_resource",
        res_type="object",
        agg='{"n": {"terms": {"field": "classification"}}}',
        size=1,
    )
    assert "Paintings" in kinds["aggregations"]["n"]


def test_shows_say_what_they_are_about() -> None:
    shows = answer(f"{MUSEUM}search_resource", res_type="exhibition")["records"]
    assert not any("under the title" in show["description"] for show in shows)


@pytest.mark.parametrize(
    ("entity", "relation", "value"),
    [
        ("Q937", "P40", "Hans Albert Einstein"),
        ("Q30", "P6", "Joe Biden"),
        ("Q142", "P47", "Spain"),
        ("Q312", "P112", "Steve Wozniak"),
        ("Q478214", "P169", "Elon Musk"),
        ("Q1299", "P527", "Ringo Starr"),
        ("Q7186", "P21", "female"),
        ("Q3783", "P2043", "6400 km"),
        ("Q95", "P749", "Alphabet Inc."),
        ("Q2263", "P166", "Academy Award for Best Actor"),
    ],
)
def test_entities_have_the_obvious_statements(entity: str, relation: str, value: str) -> None:
    assert value in stated(entity, relation)


def test_statements_mean_the_right_person() -> None:
    rows = answer(f"{WIKI}find_entity", input="Q692")["statements"]
    wife = next(row for row in rows if row["relation_id"] == "P26")
    actress = answer(f"{WIKI}get_entity_id", input="Anne Hathaway")[0]
    assert wife["value_id"] != actress["entity_id"]
    painter = next(
        row
        for row in answer(f"{WIKI}find_entity", input="Q5582")["statements"]
        if row["relation_id"] == "P106"
    )
    assert painter["value_id"] == "Q1028181"
    assert "Cuba" not in stated("Q30", "P47")
    assert [row["label"] for row in answer(f"{WIKI}get_entity_id", input="Socrates")] == ["Socrates"]


@pytest.mark.parametrize(
    "word", ["father", "child", "religion", "gender", "founder", "ceo", "border", "sibling"]
)
def test_common_relations_are_found(word: str) -> None:
    assert answer(f"{WIKI}get_relation_id", input=word)[0]["relation_id"].startswith("P")


def test_tails_are_found_by_id_and_by_common_name() -> None:
    assert {row["relation_id"] for row in answer(f"{WIKI}find_entity_by_tail", input="Oscar")} == {"P166"}
    assert answer(f"{WIKI}find_entity_by_tail", input="Q1028181")[0]["relation"] == "occupation"
    assert answer(f"{WIKI}find_entity_by_tail", input="Q3783") == []


def test_names_find_no_doubles() -> None:
    found = answer(f"{WIKI}get_entity_id", input="Beethoven")
    assert [row["description"] for row in found] == ["composer (Germany)"]
    assert len(answer(f"{WIKI}get_entity_id", input="photosynthesis")) == 1
    assert answer(f"{WIKI}get_entity_id", input="Harvard")[-1]["label"] == "Harvard University"
    assert len(answer(f"{WIKI}get_entity_id", input="Mars")) == 1
    assert "Jaguar Cars" in [row["label"] for row in answer(f"{WIKI}get_entity_id", input="Jaguar")]


def test_descriptions_tell_where_or_by_whom() -> None:
    assert answer(f"{WIKI}get_entity_id", input="Spain")[0]["description"] == "country (Europe)"
    assert (
        answer(f"{WIKI}get_entity_id", input="Mona Lisa")[0]["description"] == "painting by Leonardo da Vinci"
    )


def test_all_mountains_above_eight_thousand_metres_are_there() -> None:
    rows = answer(
        f"{WIKI}search_by_code",
        query="SELECT ?m ?h WHERE { ?m wdt:P31 wd:Q8502 . ?m wdt:P2044 ?h . FILTER(?h > 8000) } ORDER BY DESC(?h)",
    )
    assert len(rows) == 10


@pytest.mark.parametrize(
    ("text", "word", "part"),
    [
        ("What time does the train leave?", "leave", "verb"),
        ("What time does the train leave?", "does", "auxiliary"),
        ("Reading books helps people learn faster.", "helps", "verb"),
        ("Reading books helps people learn faster.", "books", "noun"),
        ("You must work hard and never give up.", "hard", "adverb"),
        ("He was the first man to walk on the Moon.", "walk", "verb"),
        ("We went to bed early.", "to", "preposition"),
        ("Nobody knows why he left so suddenly.", "so", "adverb"),
        ("There is nothing wrong with that.", "wrong", "adjective"),
        ("It is important to drink enough water.", "water", "noun"),
        ("Do cats like milk?", "like", "verb"),
        ("The new iPhone costs more.", "iPhone", "proper noun"),
        ("He is one of the most successful writers.", "most", "adverb"),
        ("Fish swim and people walk.", "walk", "verb"),
        ("They stayed home.", "home", "adverb"),
    ],
)
def test_words_of_plain_sentences_are_tagged_right(text: str, word: str, part: str) -> None:
    assert tags(text)[word] == part


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("I have never been so disappointed in my life.", -1),
        ("I've never felt better.", 1),
        ("You could do worse than this hotel.", 1),
        ("Great, my flight got cancelled again.", -1),
        ("The update broke everything and support ignored my emails.", -1),
        ("Would buy again!", 1),
        ("I can't stand this noise.", -1),
        ("My package never arrived.", -1),
        ("What a waste of money!", -1),
    ],
)
def test_turns_of_phrase_sound_as_they_are_meant(text: str, sign: int) -> None:
    found = mood(text)
    assert found["score"] * sign > 0
    said = found["positive_words"] if sign > 0 else found["negative_words"]
    assert said and all(word in text.lower() for word in said)
    assert not (found["negative_words"] if sign > 0 else found["positive_words"])


def test_topics_are_whole_names() -> None:
    found = answer(f"{NLP}get_topics", txt="JPMorgan Chase said last night that Apollo 11 was a success.")
    assert found["companies"] == ["JPMorgan Chase"]
    assert "Apollo 11" in found["other_names"]
    assert found["time_expressions"] == ["last night"]


def test_signs_without_blanks_are_compared_one_by_one() -> None:
    found = answer(
        "Comparison/Text_Similarity_Calculator/calculate_similarity",
        text1="今天天气很好",
        text2="今天天气不错",
    )
    assert found["word_overlap_percentage"] == 50.0
