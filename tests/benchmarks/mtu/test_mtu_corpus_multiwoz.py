"""MultiWOZ: text detokenised, calls made from state changes and acts, results rebuilt from the databases."""

import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

from cases import cases, each_case
from toolyard.benchmarks.mtu.synth.corpora import corpus_tools, find_corpora, load_corpus
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusDialogue,
    DialogueTurn,
    Item,
    Skipped,
)
from toolyard.benchmarks.mtu.synth.corpora.multiwoz import Database

HOTELS = cases(__file__, "HOTELS")
TRAINS = [
    {
        "trainID": f"TR{hour}",
        "departure": "oslo",
        "destination": "bergen",
        "day": "monday",
        "price": "9 pounds",
    }
    | {"leaveAt": f"{hour:02}:00", "arriveBy": f"{hour + 1:02}:30"}
    for hour in range(8, 18)
]


def write(folder: Path, log: list[dict[str, Any]], packed: bool = False) -> None:
    (folder / "db").mkdir()
    for domain, rows in {
        "hotel": HOTELS,
        "train": TRAINS,
        "restaurant": [],
        "police": [{"name": "x"}],
    }.items():
        (folder / "db" / f"{domain}_db.json").write_text(json.dumps(rows))
    text = json.dumps({"PMUL1.json": {"goal": {}, "log": log}})
    if not packed:
        (folder / "test.json").write_text(text)
        return
    (folder / "convlab").mkdir()
    with zipfile.ZipFile(folder / "convlab" / "val.json.zip", "w") as archive:
        archive.writestr("val.json", text)


def said(text: str, **acts: Any) -> dict[str, Any]:
    named = {name.replace("_", "-"): pairs for name, pairs in acts.items()}
    return {"text": text, "metadata": {}, "dialog_act": named, "span_info": []}


def answered(text: str, state: dict[str, Any], acts: dict[str, Any]) -> dict[str, Any]:
    metadata = {
        domain: {"semi": parts.get("semi", {}), "book": {"booked": [], **parts.get("book", {})}}
        for domain, parts in state.items()
    }
    return said(text, **acts) | {"metadata": metadata}


def as_data(turn: DialogueTurn) -> Any:
    calls = [[call.name, call.service, call.arguments, call.results, call.failed] for call in turn.calls]
    said = [turn.user, turn.assistant, turn.label, turn.slots, turn.intents, calls]
    return json.loads(json.dumps(said))


def load(folder: Path, log: list[dict[str, Any]]) -> tuple[tuple[DialogueTurn, ...], list[str]]:
    write(folder, log)
    items: list[Item] = list(load_corpus("multiwoz", folder))
    dialogue = items[0]
    assert isinstance(dialogue, CorpusDialogue)
    return dialogue.turns, [*dialogue.remarks]


@each_case("row", ids=lambda row: row["rule"])
def test_calls_are_made_from_states_and_acts(tmp_path: Path, row: dict[str, Any]) -> None:
    log = [said(each[0], **each[1]) if len(each) == 2 else answered(*each) for each in row["log"]]
    turns, lost = load(tmp_path, log)
    assert [as_data(turn) for turn in turns] == row["turns"]
    assert lost == row["lost"]


def test_odd_logs_and_other_rows_are_skipped(tmp_path: Path) -> None:
    write(tmp_path, [said("Hi .")])
    assert [item.reason for item in load_corpus("multiwoz", tmp_path) if isinstance(item, Skipped)] == [
        "odd_number_of_utterances"
    ]
    (tmp_path / "test.json").write_text('{"a": {"log": [{}, {}]}, "b": 7, "c": {"log": []}}')
    assert [item.reason for item in load_corpus("multiwoz", tmp_path) if isinstance(item, Skipped)] == [
        "not_the_row_form",
        "not_the_row_form",
        "no_user_turn",
    ]


def test_a_zipped_split_is_found_and_named(tmp_path: Path) -> None:
    write(tmp_path, [said("Hi ."), answered("Hello .", {}, {"general_greet": []})], packed=True)
    assert find_corpora(tmp_path) == {"multiwoz": tmp_path}
    (item,) = load_corpus("multiwoz", tmp_path)
    assert isinstance(item, CorpusDialogue)
    assert (item.id, item.split, item.licence) == ("multiwoz/val/PMUL1", "val", "MIT")


@each_case("constraints, names")
def test_values_match_without_case_article_and_free(
    tmp_path: Path, constraints: dict[str, str], names: list[str]
) -> None:
    write(tmp_path, [])
    found = Database(tmp_path / "db").search("hotel", constraints, ())
    assert [row["name"] for row in found] == names


def test_trains_leave_after_and_arrive_before(tmp_path: Path) -> None:
    write(tmp_path, [])
    found = Database(tmp_path / "db").search("train", {"leaveAt": "09:30", "arriveBy": "12:30"}, ())
    assert [row["trainID"] for row in found] == ["TR10", "TR11"]
    assert found[0]["price"] == "9 pounds"


def test_the_shipped_part_has_its_measured_counts_and_its_tools_know_every_parameter(shared: Path) -> None:
    counts: Counter[str] = Counter()
    folder = shared / "data" / "corpora" / "multiwoz"
    tools = {(tool.service, tool.name): tool for tool in corpus_tools("multiwoz", folder)}
    assert len(tools) == 11
    book = tools["hotel", "book_hotel"]
    assert ([one.name for one in book.required], book.verb) == (["name", "people"], "create")
    for item in load_corpus("multiwoz", folder):
        if isinstance(item, Skipped):
            counts[item.reason] += 1
            continue
        counts["dialogues"] += 1
        counts.update(item.remarks)
        most = max(len(turn.calls) for turn in item.turns)
        counts[f"at most {most} calls"] += 1
        for call in (call for turn in item.turns for call in turn.calls):
            tool = tools[call.service, call.name]
            assert set(call.arguments) <= {one.name for one in (*tool.required, *tool.optional)}
            assert call.results is not None
            counts["booked"] += call.name.startswith("book_") and not call.failed
            counts["refused"] += call.failed
    assert counts["dialogues"] == 1999
    assert counts["at most 0 calls"] == 1
    assert counts["at most 2 calls"] == 65
    assert counts["booked"] + counts["call_left_out_booked_but_never_shown"] == 2009 + 56
    refused = ("refused", "call_left_out_refused_without_a_booking", "call_left_out_refused_without_a_name")
    assert sum(counts[reason] for reason in refused) == 244
