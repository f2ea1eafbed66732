"""Mails by sender and topic, subject areas, syllables, praise by denial, short numbers, fields left out, points."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolyard.world.executor import call
from toolyard.world.state import World
from toolyard.world.worlds.nlp import prose

ZAPIER = "Zapier/Zapier/run_zapier_NLA_action"


@pytest.fixture(scope="module")
def world() -> World:
    return World.fresh(0)


def answer(world: World, tool: str, **arguments: Any) -> Any:
    result = call(world, tool, arguments)
    assert result.error is None, result.text
    return json.loads(result.text)


@pytest.mark.parametrize(
    ("asked", "subjects"),
    [
        ("find mails about the invoice from cloudhost", ["Invoice 2024-0417"]),
        ("get the cloudhost invoice", ["Invoice 2024-0417"]),
        ("find emails about dragons from cloudhost", []),
    ],
)
def test_mails_are_found_by_sender_and_topic(world: World, asked: str, subjects: list[str]) -> None:
    found = answer(world, ZAPIER, action_id="gmail_find_email", instructions=asked)["result"]
    assert [mail["subject"] for mail in found["mails"]] == subjects


def test_so_many_latest_mails_and_those_of_one_day(world: World) -> None:
    def dates(asked: str) -> list[str]:
        found = answer(world, ZAPIER, action_id="gmail_find_email", instructions=asked)["result"]
        return [mail["date"][:10] for mail in found["mails"]]

    assert len(dates("find the last 3 emails")) == 3
    assert set(dates("all mails from yesterday")) == {"2024-05-14"}


def test_the_end_of_an_event_is_no_part_of_its_title(world: World) -> None:
    asked = "Meeting with Bob on May 20 from 2pm to 3pm"
    event = answer(world, ZAPIER, action_id="calendar_create_event", instructions=asked)["result"]
    assert (event["title"], event["time"]) == ("Meeting with Bob", "14:00")


def test_a_clinical_trial_is_no_crime(world: World) -> None:
    text = "A new vaccine cut the risk of severe malaria in children in a clinical trial, researchers found."
    rows = answer(world, "NLP/NLP/get_categorization", txt=text)
    assert rows[0]["label"] == "health"
    assert not {"crime, law and justice", "society"} & {row["label"] for row in rows}


@pytest.mark.parametrize(
    ("word", "count"), [("wolves", 1), ("appeared", 2), ("carefully", 3), ("church's", 2), ("U.S.", 2)]
)
def test_syllables_are_those_that_are_spoken(word: str, count: int) -> None:
    assert prose.syllables(word) == count


def test_praise_by_denial_and_neutral_requests(world: World) -> None:
    praise = answer(world, "NLP/NLP/sentiment_analysis", txt="The staff could not have been kinder.")
    assert praise["score_tag"].startswith("P")
    assert not praise["negative_words"]
    notice = answer(world, "NLP/NLP/sentiment_analysis", txt="Please bring the documents to room 204.")
    assert notice["score_tag"] == "NONE"


def test_a_short_number_that_is_in_use(world: World) -> None:
    found = answer(world, "Validation/Validation/check_phone_number", number="0800 1111", country_code="GB")
    assert (found["valid"], found["line_type"]) == (True, "toll-free")


def test_words_with_details_have_them(world: World) -> None:
    found = answer(world, "Word/Word/search_word", letterPattern="^abo", hasDetails=["antonyms"], limit=10)
    for row in found["words"]:
        assert answer(world, "Word/Word/get_antonyms", word=row["word"])["antonyms"], row


def test_comparable_homes_lie_in_many_streets(world: World) -> None:
    found = answer(world, "Database/non_local/rent_estimate", address="Denver, CO", compCount=20)
    streets = {row["address"].split(",")[0].split(" ", 1)[1] for row in found["comparables"]}
    assert len(streets) > 6


def test_points_lie_in_the_country(world: World) -> None:
    fields = {"lat": "latitude", "lon": "longitude"}
    found = answer(world, "Faker/fake_data/fake_data_custom", custom_fields=fields, _locale="de_DE")
    assert all(47 < row["lat"] < 56 and 5 < row["lon"] < 16 for row in found["rows"])


def test_fields_that_a_dataclass_leaves_out(world: World) -> None:
    code = (
        "from dataclasses import dataclass, field\n@dataclass(order=True)\nclass Task:\n    prio: int\n"
        "    name: str = field(compare=False)\n    secret: str = field(default='', repr=False)\n"
        "print(min(Task(2, 'a'), Task(1, 'b')), Task(1, 'x') == Task(1, 'y'))"
    )
    assert (
        answer(world, "Execute/Execute/execute_pycode", code=code)["output"]
        == "Task(prio=1, name='b') True\n"
    )


def test_cells_of_a_table_are_words(world: World) -> None:
    assert answer(world, "File/Pdf/office_to_pdf", file_path="/workspace/sales.csv")["words"] == 36


def test_nobody_is_born_after_today(world: World) -> None:
    arguments = {"resource": "persons", "_birthday_end": "2030-01-01"}
    result = call(world, "Faker/fake_data/fake_data", arguments)
    assert result.error is not None
    assert "2024-05-15" in result.text


@pytest.mark.parametrize(
    ("text", "target", "said"), [("Guten Tag", "fra", "Bonjour"), ("sunset", "it", "tramonto")]
)
def test_greetings_and_further_everyday_words(world: World, text: str, target: str, said: str) -> None:
    found = answer(world, "Translation/Translation/get_translation_baidu", text=text, tgt_lang=target)
    assert found["result"] == said


def test_whole_numbers_from_round(world: World) -> None:
    found = answer(
        world, "Execute/Execute/execute_mysql_query", sql_cmd="SELECT ROUND(2.5) AS n, ROUND(-0.4) AS z"
    )
    assert found["rows"] == [{"n": 3, "z": 0}]


@pytest.mark.parametrize(
    ("text", "swearing"),
    [("What a f u c k i n g mess", True), ("a55hole", True), ("a bloody Mary, please", False)],
)
def test_disguised_swear_words(world: World, text: str, swearing: bool) -> None:
    assert answer(world, "Validation/Validation/profanity_detect", text=text)["has_profanity"] is swearing


def test_a_river_is_no_company(world: World) -> None:
    found = answer(world, "NLP/NLP/get_topics", txt="The Amazon river flows through Brazil and Peru.")
    assert found["companies"] == []
    assert found["countries"] == ["Brazil", "Peru"]


def test_files_of_root_stay_as_they_are(world: World) -> None:
    result = call(world, "File/file_operation/write_file", {"text": "x", "file_path": "/etc/passwd"})
    assert result.error is not None
    told = answer(
        world, "Execute/Execute/execute_bash_code", commands="echo x > /etc/passwd; rm /etc/hostname; whoami"
    )
    assert told["stdout"].count("ermission denied") == 2
    assert told["stdout"].startswith("alex\n")
