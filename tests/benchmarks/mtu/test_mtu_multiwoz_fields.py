"""MultiWOZ with tools that return the fields they are asked for."""

import json
from pathlib import Path
from typing import Any

import pytest

from cases import cases
from toolyard.benchmarks.mtu.synth.corpora import corpus_tools, find_corpora, load_corpus
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import CorpusDialogue
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import fits_parameter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "restaurant_db.json").write_text("[]")
    files = {"db/hotel_db.json": "hotels", "val.json": "log", "schema.json": "schema"}
    for place, name in files.items():
        (tmp_path / place).write_text(json.dumps(cases(__file__, name)))
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
