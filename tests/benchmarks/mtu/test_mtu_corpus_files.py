"""Corpus files: read entry by entry, mended where bytes are odd, refused with the place where they are broken."""

import json
import zipfile
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import each_case
from toolyard.benchmarks.mtu.synth.corpora import corpus_tools, find_corpora, load_corpus
from toolyard.benchmarks.mtu.synth.corpora.corpus_files import (
    decode_text,
    json_entries,
    json_lines,
    open_zip,
    read_member,
)
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    HELD_OUT,
    TOPICS,
    CorpusDialogue,
    CorpusTool,
    DialogueCall,
    DialogueTurn,
    Skipped,
    detokenise,
    digits,
    label_turn,
    pair_utterances,
)
from toolyard.benchmarks.mtu.synth.corpora.own import read_dialogue
from toolyard.core.errors import DataError
from toolyard.text.documents import Parameter

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(VALUES, max_size=5), st.sampled_from([None, 1]))
def test_a_list_read_entry_by_entry_is_the_list(values: list[object], indent: int | None) -> None:
    text = json.dumps(values, indent=indent)
    assert [entry.value for entry in json_entries(text, "x")] == values


@given(st.dictionaries(st.text(), VALUES, max_size=5))
def test_an_object_read_entry_by_entry_is_the_object(values: dict[str, object]) -> None:
    assert {entry.key: entry.value for entry in json_entries(json.dumps(values), "x")} == values


@each_case("text, told", besides=[("[" * 100_000, "entry 0"), ("[" + "9" * 5000 + "]", "entry 0")])
def test_a_broken_file_is_refused_with_the_place(text: str, told: str) -> None:
    with pytest.raises(DataError, match=r"a\.json") as caught:
        list(json_entries(text, "a.json"))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_broken_line_is_refused_with_its_number() -> None:
    with pytest.raises(DataError, match=r"a\.jsonl line 3 is not JSON"):
        list(json_lines('{"a": 1}\n\n{"a": \n', "a.jsonl"))
    with pytest.raises(DataError, match="line 1 goes on"):
        list(json_lines('{"a": 1} {"a": 2}', "a.jsonl"))


def test_an_emoji_stored_as_two_halves_does_not_cost_the_accents_of_the_file() -> None:
    assert decode_text("Béla ".encode() + b"\xed\xa0\xbc\xed\xbd\x95") == "Béla \U0001f355"


def test_what_is_not_utf8_at_all_is_latin_1() -> None:
    assert decode_text("Béla".encode("latin-1")) == "Béla"


def test_a_half_character_in_an_escape_is_replaced_so_that_the_text_can_be_written_again() -> None:
    (entry,) = json_entries('["a\\ud83c b"]', "x")
    assert entry.value.encode() == "a\ufffd b".encode()
    (entry,) = json_entries('["\\ud83c\\udf55"]', "x")
    assert entry.value == "\U0001f355"


def test_a_file_in_a_zip_is_read_without_unpacking(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.json", "[1]")
    with open_zip(tmp_path / "a.zip") as archive:
        assert read_member(archive, "a.json") == "[1]"
        with pytest.raises(DataError, match=r"holds no readable b\.json"):
            read_member(archive, "b.json")
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]
    (tmp_path / "b.zip").write_text("no")
    with pytest.raises(DataError, match="is not a zip file"):
        open_zip(tmp_path / "b.zip")


@each_case("tokenised, text")
def test_detokenised_text_is_as_a_person_writes_it(tokenised: str, text: str) -> None:
    assert detokenise(tokenised) == text


@given(st.text())
def test_detokenising_never_adds_anything(text: str) -> None:
    assert len(detokenise(text)) <= len(text)


@each_case("text, number")
def test_only_a_whole_number_in_words_becomes_digits(text: str, number: str) -> None:
    assert digits(text) == number


def test_utterances_in_a_row_are_one_turn_and_a_greeting_is_none() -> None:
    said = ["a:hello", "u:hi", "u:a table", "a:when?", "a:and where?", "u:now"]
    found = pair_utterances(said, lambda text: text.startswith("u:"))
    assert [(turn.user, turn.assistant) for turn in found] == [
        (["u:hi", "u:a table"], ["a:when?", "a:and where?"]),
        (["u:now"], []),
    ]


@each_case("user, assistant, label")
def test_without_acts_the_words_tell_the_situation(user: str, assistant: str, label: str) -> None:
    assert label_turn(user, assistant, called=False) == label
    assert label_turn(user, assistant, called=True) == "call"


OWN = CorpusDialogue(
    "d1",
    "helpdesk",
    "train",
    (
        DialogueTurn("Write to Kim.", "What?", "missing"),
        DialogueTurn(
            "That I am late.",
            "Sent.",
            "call",
            intents=(("mail", "send_mail"),),
            slots={"mail.body": "late"},
            calls=(
                DialogueCall("send_mail", {"to": "Kim", "body": "late"}, ({"sent": True},), service="mail"),
                DialogueCall("list_mail", {}, None, service="mail", failed=True),
                DialogueCall("list_mail", {}, (), service="mail"),
            ),
        ),
    ),
    ("mail",),
    ("Message",),
    "CC0 1.0",
)


def test_an_own_dialogue_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    written = json.dumps(asdict(OWN)).replace('"arguments"', '"parameters"').replace('"name"', '"tool"')
    (tmp_path / "dialogues.jsonl").write_text(written + "\n")
    assert list(load_corpus("helpdesk", tmp_path)) == [OWN]
    assert read_dialogue(json.loads(written), "x") == OWN


def test_an_own_dialogue_needs_only_an_id_and_what_the_user_says(tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    folder.mkdir()
    (folder / "dialogues.jsonl").write_text(
        '{"id": "d", "turns": [{"user": "Hi", "calls": [{"tool": "t"}]}]}'
    )
    (item,) = load_corpus("desk", folder)
    assert item == CorpusDialogue(
        "d", "desk", "train", (DialogueTurn("Hi", "", "call", calls=(DialogueCall("t", service=""),)),)
    )


@each_case("row, told")
def test_an_own_row_that_does_not_fit_is_left_out_by_line(tmp_path: Path, row: object, told: str) -> None:
    (tmp_path / "dialogues.jsonl").write_text(json.dumps(row))
    (item,) = load_corpus("mine", tmp_path)
    assert isinstance(item, Skipped)
    assert item.reason == "not_the_row_form"
    assert "dialogues.jsonl line 1" in item.where
    assert told in item.where


def test_an_own_id_counts_once(tmp_path: Path) -> None:
    row = '{"id": "d", "turns": [{"user": "Hi"}]}\n'
    (tmp_path / "dialogues.jsonl").write_text(row * 2)
    first, second = load_corpus("mine", tmp_path)
    assert isinstance(first, CorpusDialogue)
    assert isinstance(second, Skipped)
    assert second.reason == "repeated_id"


def test_own_tools_are_documented_by_the_user_or_read_off_the_calls(tmp_path: Path) -> None:
    rows = [{"to": "a", "n": 1}, {"to": "b", "n": 2}, {"to": "c"}, {"to": "d"}, {"to": "e", "n": 3}]
    calls = [
        {"tool": "send_mail", "service": "mail", "parameters": row, "results": [{"ok": True}]} for row in rows
    ]
    turns = [{"user": "x", "calls": [call]} for call in calls]
    (tmp_path / "dialogues.jsonl").write_text(json.dumps({"id": "d", "turns": turns}))
    (tool,) = corpus_tools("mine", tmp_path)
    assert tool.required == (Parameter("to", "string", "The to."),)
    assert tool.optional == (Parameter("n", "integer", "The n."),)
    assert tool.results == (Parameter("ok", "boolean", "The ok."),)
    assert tool.verb == "create"
    (tmp_path / "tools.jsonl").write_text(
        '{"name": "send_mail", "description": "Sends.", "required": [{"name": "to"}]}'
    )
    assert corpus_tools("mine", tmp_path) == (
        CorpusTool("send_mail", "", "Sends.", (Parameter("to", "string", ""),)),
    )
    (tmp_path / "tools.jsonl").write_text('{"name": "send_mail"}')
    with pytest.raises(DataError, match=r"tools.jsonl line 1 is no tool"):
        corpus_tools("mine", tmp_path)


def test_a_folder_without_a_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no corpus that is known"):
        find_corpora(tmp_path)
    with pytest.raises(DataError, match="does not exist"):
        find_corpora(tmp_path / "no")
    with pytest.raises(DataError, match="does not hold sgd"):
        load_corpus("sgd", tmp_path)


def test_own_dialogues_are_found_beside_the_known_corpora(tmp_path: Path) -> None:
    for name in ("desk", "sgd"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "dialogues.jsonl").write_text("")
    assert find_corpora(tmp_path) == {"desk": tmp_path / "desk", "own-sgd": tmp_path / "sgd"}


def test_there_are_26_topics_and_five_held_out() -> None:
    assert len(TOPICS) == len(set(TOPICS)) == 31
    assert HELD_OUT == ("Apartment", "World Record", "Auto Repair", "Pizza", "Coffee")


def test_a_tool_that_is_documented_twice_is_named_by_both_lines(tmp_path: Path) -> None:
    row = {"name": "send_mail", "service": "mail", "description": "Sends a mail."}
    (tmp_path / "dialogues.jsonl").write_text("")
    (tmp_path / "tools.jsonl").write_text(f"{json.dumps(row)}\n\n{json.dumps(row)}\n")
    with pytest.raises(
        DataError, match=r"tools\.jsonl line 3 is no tool .*'send_mail' of service 'mail'.* line 1"
    ):
        corpus_tools("own", tmp_path)
