"""SNIPS and MetaLWOZ: utterances as dialogues of one turn, and dialogues without annotation."""

import json
import zipfile
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from toolyard.benchmarks.mtu.synth.corpora import corpus_tools, find_corpora, load_corpus
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusDialogue,
    DialogueCall,
    DialogueTurn,
    Skipped,
)
from toolyard.core.errors import DataError


def dialogues(name: str, folder: Path) -> list[CorpusDialogue]:
    return [item for item in load_corpus(name, folder) if isinstance(item, CorpusDialogue)]


def reasons(name: str, folder: Path) -> list[str]:
    return [item.reason for item in load_corpus(name, folder) if isinstance(item, Skipped)]


def snips(folder: Path, intent: str, rows: list[Any], split: str = "validate_{}") -> None:
    path = folder / "2017-06-custom-intent-engines" / intent / f"{split.format(intent)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({intent: [{"data": row} for row in rows]}))


def piece(text: str, entity: str = "") -> dict[str, str]:
    return {"text": text, "entity": entity} if entity else {"text": text}


def test_entities_are_parameters_and_counting_slots_hold_digits(tmp_path: Path) -> None:
    row = [
        piece("a table for "),
        piece("seven", "party_size_number"),
        piece(" at "),
        piece("Seven ", "restaurant_name"),
    ]
    snips(tmp_path, "BookRestaurant", [row])
    (dialogue,) = dialogues("snips", tmp_path)
    (turn,) = dialogue.turns
    assert turn.user == "a table for seven at Seven"
    parameters = {"party_size_number": "7", "restaurant_name": "Seven"}
    assert turn.calls == (DialogueCall("BookRestaurant", parameters, None, service="snips"),)
    assert (turn.label, turn.assistant) == ("call", "")
    assert (dialogue.id, dialogue.topics) == ("snips/validate/BookRestaurant/0", ("Restaurant",))
    assert dialogue.licence == "CC0 1.0"


def test_a_repeated_slot_is_a_list_and_an_empty_value_is_none(tmp_path: Path) -> None:
    row = [piece("x", "artist"), piece(" and "), piece("y", "artist"), piece(" ", "album")]
    snips(tmp_path, "PlayMusic", [row, [piece("z", "artist")] * 3, [piece("  ")]], split="train_{}_full")
    first, second = dialogues("snips", tmp_path)
    assert first.turns[0].calls[0].arguments == {"artist": ["x", "y"]}
    assert second.turns[0].calls[0].arguments == {"artist": ["z", "z", "z"]}
    assert reasons("snips", tmp_path) == ["empty_utterance"]


def test_the_small_training_file_repeats_the_full_one_and_is_not_read(tmp_path: Path) -> None:
    snips(tmp_path, "PlayMusic", [[piece("play")]], split="train_{}_full")
    snips(tmp_path, "PlayMusic", [[piece("play")]], split="train_{}")
    assert len(dialogues("snips", tmp_path)) == 1


def test_a_snips_row_in_another_form_is_skipped(tmp_path: Path) -> None:
    snips(tmp_path, "PlayMusic", [7, [{"entity": "a"}]])
    assert reasons("snips", tmp_path) == ["not_the_row_form"] * 2


def test_a_parameter_is_required_when_most_calls_have_it(tmp_path: Path) -> None:
    often, seldom = piece("a", "playlist"), piece("b", "artist")
    snips(tmp_path, "AddToPlaylist", [[often, seldom]] * 3 + [[often]] * 1 + [[seldom]] * 1)
    (tool,) = corpus_tools("snips", tmp_path)
    assert [one.name for one in tool.required] == ["artist", "playlist"]
    snips(tmp_path, "AddToPlaylist", [[often, seldom]] * 3 + [[often]] * 2)
    (tool,) = corpus_tools("snips", tmp_path)
    assert ([one.name for one in tool.required], [one.name for one in tool.optional]) == (
        ["playlist"],
        ["artist"],
    )


def test_the_shipped_snips_has_its_measured_counts(shared: Path) -> None:
    folder = shared / "data" / "corpora" / "snips"
    repeated = 0
    slots: set[str] = set()
    broken = 0
    for item in load_corpus("snips", folder):
        assert isinstance(item, CorpusDialogue)
        parameters = item.turns[0].calls[0].arguments
        slots |= set(parameters)
        repeated += any(isinstance(value, list) for value in parameters.values())
        broken += "Ã" in item.turns[0].user
    assert len(dialogues("snips", folder)) == 14484
    assert len(slots) == 39
    assert broken == 0
    assert repeated == 61
    tools = corpus_tools("snips", folder)
    required = {tool.name: [one.name for one in tool.required] for tool in tools}
    assert len(tools) == 7
    assert required["AddToPlaylist"] == ["playlist"]
    assert required["RateBook"] == ["rating_value"]
    assert required["SearchCreativeWork"] == ["object_name"]
    assert Counter(tool.verb for tool in tools) == {"create": 3, "query": 3, "play": 1}


def meta(turns: list[str], number: int = 1, domain: str = "ALARM_SET") -> str:
    ids = {"id": f"d{number}", "user_id": "u", "bot_id": "b", "task_id": "t"}
    return json.dumps({**ids, "domain": domain, "turns": turns}) + "\n"


GREETING = "Hello how may I help you?"
TASK = json.dumps({"task_id": "t", "domain": "ALARM_SET", "bot_role": "a bot", "user_role": "a user"}) + "\n"


def test_metalwoz_turns_follow_the_greeting_and_have_no_label(tmp_path: Path) -> None:
    (tmp_path / "dialogues").mkdir()
    rows = meta([GREETING, "Wake me.", "When?", "At six."]) + meta([GREETING], 2)
    (tmp_path / "dialogues" / "ALARM_SET.txt").write_text(rows)
    (tmp_path / "tasks.txt").write_text(TASK)
    (dialogue,) = dialogues("metalwoz", tmp_path)
    assert dialogue.turns == (DialogueTurn("Wake me.", "When?"), DialogueTurn("At six.", ""))
    assert (dialogue.id, dialogue.topics) == ("metalwoz/ALARM_SET/d1", ("Alarm",))
    assert dialogue.turns[0].label is None
    assert reasons("metalwoz", tmp_path) == ["no_user_turn"]
    assert corpus_tools("metalwoz", tmp_path) == ()


def test_metalwoz_is_read_out_of_its_zip_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "metalwoz-v1.zip", "w") as archive:
        archive.writestr("dialogues/ORDER_PIZZA.txt", meta([GREETING, "Ham.", "Fine."], domain="ORDER_PIZZA"))
        archive.writestr("tasks.txt", TASK)
        archive.writestr("LICENSE.pdf", b"\x00\xff")
    assert find_corpora(tmp_path) == {"metalwoz": tmp_path}
    (dialogue,) = dialogues("metalwoz", tmp_path)
    assert dialogue.topics == ("Pizza",)
    assert dialogues("metalwoz", tmp_path / "metalwoz-v1.zip") == [dialogue]


def test_broken_metalwoz_lines_are_refused_and_other_rows_skipped(tmp_path: Path) -> None:
    (tmp_path / "dialogues").mkdir()
    (tmp_path / "tasks.txt").write_text("")
    (tmp_path / "dialogues" / "A.txt").write_text('{"id": "x"}\n7\n')
    assert reasons("metalwoz", tmp_path) == ["not_the_row_form"] * 2
    (tmp_path / "dialogues" / "A.txt").write_text("{")
    with pytest.raises(DataError, match=r"dialogues/A\.txt line 1 is not JSON"):
        list(load_corpus("metalwoz", tmp_path))


def test_the_shipped_corpora_are_found_and_no_id_occurs_twice(shared: Path) -> None:
    found = find_corpora(shared / "data" / "corpora")
    assert list(found) == ["sgd", "multiwoz", "taskmaster", "snips"]
    seen: set[str] = set()
    for name, folder in found.items():
        for dialogue in islice(load_corpus(name, folder), 400):
            if isinstance(dialogue, CorpusDialogue):
                assert dialogue.id not in seen
                assert all(bool(turn.calls) == (turn.label == "call") for turn in dialogue.turns)
                assert dialogue.turns
                assert dialogue.licence
                seen.add(dialogue.id)
