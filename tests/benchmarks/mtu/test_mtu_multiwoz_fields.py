"""MultiWOZ with tools that return the fields they are asked for."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolyard.benchmarks.mtu.synth.corpora import corpus_tools, find_corpora, load_corpus
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusDialogue
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import fits_parameter

HOTELS = [
    {
        "name": "the lodge",
        "area": "north",
        "internet": "yes",
        "pricerange": "cheap",
        "phone": "0123",
        "postcode": "cb1",
    }
]


def state(semi: dict[str, str], book: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"hotel": {"semi": semi, "book": book or {"people": "", "booked": []}}}


def said(text: str, acts: dict[str, Any]) -> dict[str, Any]:
    return {"text": text, "metadata": {}, "dialog_act": acts}


def answered(text: str, acts: dict[str, Any], metadata: dict[str, Any]) -> dict[str, Any]:
    return {"text": text, "metadata": metadata, "dialog_act": acts}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cheap = {"area": "north", "internet": "yes"}
    booked = {"people": "2", "day": "monday", "booked": [{"name": "the lodge", "reference": "AB12"}]}
    log = [
        said("A place with wifi in the north.", {"Hotel-Inform": [["Area", "north"], ["Internet", "yes"]]}),
        answered("How about the lodge?", {"Hotel-Recommend": [["Name", "the lodge"]]}, state(cheap)),
        said("What is its postcode?", {"Hotel-Request": [["Post", "?"]]}),
        answered("It is cb1.", {"Hotel-Inform": [["Post", "cb1"]]}, state({**cheap, "name": "the lodge"})),
        said("Fine, thank you.", {"general-thank": [["none", "none"]]}),
        answered("Anything else?", {"general-reqmore": []}, state({**cheap, "pricerange": "cheap"})),
        said("Book it for two on Monday, with the reference.", {"Hotel-Request": [["Ref", "?"]]}),
        answered(
            "It is AB12.", {"Booking-Book": [["Ref", "AB12"]]}, state({**cheap, "name": "the lodge"}, booked)
        ),
    ]
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "restaurant_db.json").write_text("[]")
    (tmp_path / "db" / "hotel_db.json").write_text(json.dumps(HOTELS))
    (tmp_path / "val.json").write_text(json.dumps({"MUL0001.json": {"goal": {}, "log": log}}))
    slots: list[Any] = [
        {"name": f"hotel-{name}", "description": name, "is_categorical": False, "possible_values": []}
        for name in ("area", "internet", "name", "bookpeople", "bookday")
    ]
    intents = [
        {
            "name": "find_hotel",
            "description": "find",
            "optional_slots": {"hotel-area": "", "hotel-internet": "", "hotel-name": ""},
        },
        {
            "name": "book_hotel",
            "description": "book",
            "optional_slots": {"hotel-bookpeople": "", "hotel-bookday": ""},
        },
    ]
    schema = [{"service_name": "hotel", "slots": slots, "intents": intents}]
    (tmp_path / "schema.json").write_text(json.dumps(schema))
    return tmp_path


def test_calls_name_the_fields_that_are_asked_for(folder: Path) -> None:
    (dialogue,) = load_corpus("multiwoz-fields", folder)
    assert isinstance(dialogue, CorpusDialogue)
    assert dialogue.id == "multiwoz-fields/val/MUL0001"
    calls = [[(call.name, dict(call.arguments)) for call in turn.calls] for turn in dialogue.turns]
    assert calls == [
        [("search_hotel", {"area": "north", "internet": True, "return_info": ["all"]})],
        [("search_hotel", {"name": "the lodge", "return_info": ["postcode"]})],
        [],
        [("book_hotel", {"name": "the lodge", "people": "2", "day": "monday", "return_info": ["reference"]})],
    ]


def test_tools_document_their_fields(folder: Path) -> None:
    search, book = corpus_tools("multiwoz-fields", folder)
    assert (search.name, book.name) == ("search_hotel", "book_hotel")
    fields = search.optional[-1]
    assert (fields.name, fields.default) == ("return_info", ["all"])
    assert fields.choices[:2] == ("all", "name")
    assert [each.type for each in search.optional if each.name == "internet"] == ["boolean"]


def test_another_reading_is_no_corpus_of_its_own(folder: Path) -> None:
    assert [*find_corpora(folder)] == ["multiwoz"]


@pytest.mark.parametrize(
    ("value", "expected"), [(["all"], True), (["phone"], True), (["colour"], False), ("all", False)]
)
def test_a_list_is_of_the_choices(value: Any, expected: bool) -> None:
    assert fits_parameter(value, {"type": "array", "choices": ["all", "phone"]}) is expected
