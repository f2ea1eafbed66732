"""MultiWOZ: text detokenised, calls made from state changes and acts, results rebuilt from the databases."""

import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from toolyard.benchmarks.mtu.synth.corpora import corpus_tools, find_corpora, load_corpus
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusDialogue,
    DialogueCall,
    DialogueTurn,
    Item,
    Skipped,
)
from toolyard.benchmarks.mtu.synth.corpora.multiwoz import Database

HOTELS = [
    {"id": "1", "location": [1, 2], "name": "the fjord", "area": "north", "stars": "4", "internet": "yes"},
    {"id": "2", "name": "blue spoon", "area": "north", "stars": "3", "internet": "?"},
]
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


def answered(text: str, state: dict[str, Any], **acts: Any) -> dict[str, Any]:
    metadata = {
        domain: {"semi": parts.get("semi", {}), "book": {"booked": [], **parts.get("book", {})}}
        for domain, parts in state.items()
    }
    return said(text, **acts) | {"metadata": metadata}


def load(folder: Path, log: list[dict[str, Any]]) -> tuple[tuple[DialogueTurn, ...], list[str]]:
    write(folder, log)
    items: list[Item] = list(load_corpus("multiwoz", folder))
    dialogue = items[0]
    assert isinstance(dialogue, CorpusDialogue)
    return dialogue.turns, [*dialogue.remarks]


def test_a_search_is_called_when_the_system_informs_and_the_constraints_changed(tmp_path: Path) -> None:
    state = {
        "hotel": {"semi": {"area": "north", "stars": "not mentioned", "name": "none", "type": "dontcare"}}
    }
    turns, _ = load(
        tmp_path,
        [
            said("I do n't know a hotel .", Hotel_Inform=[["Area", "north"]]),
            answered("The Fjord , perhaps ?", state, Hotel_Recommend=[["Name", "the Fjord"]]),
            said("Where is it ?"),
            answered("In the north .", state, Hotel_Inform=[["Area", "north"]]),
        ],
    )
    assert turns[0].user == "I don't know a hotel."
    assert turns[0].slots == {"hotel.area": "north", "hotel.type": "dontcare"}
    (call,) = turns[0].calls
    assert (call.name, call.service, call.arguments) == ("find_hotel", "hotel", {"area": "north"})
    assert call.results is not None
    assert [row["name"] for row in call.results] == ["the fjord", "blue spoon"]
    assert set(call.results[0]) == {"name", "area", "stars", "internet"}
    assert (turns[1].calls, turns[1].label, turns[1].slots) == ((), "exists", {})


def test_a_search_that_found_nothing_is_kept(tmp_path: Path) -> None:
    state = {"hotel": {"semi": {"area": "west"}}}
    turns, _ = load(tmp_path, [said("West ."), answered("None .", state, Hotel_NoOffer=[["Area", "west"]])])
    assert turns[0].calls == (
        DialogueCall("find_hotel", {"area": "west"}, (), service="hotel", failed=False),
    )


def test_what_the_system_says_is_the_result_where_the_database_excludes_it(tmp_path: Path) -> None:
    state = {"hotel": {"semi": {"name": "the fjord", "stars": "3"}}}
    acts = {"Hotel_Inform": [["Stars", "4"], ["Phone", "?"]]}
    turns, _ = load(tmp_path, [said("3 stars ."), answered("It has 4 .", state, **acts)])
    assert turns[0].calls[0].results == ({"name": "the fjord", "stars": "4"},)


def test_a_booking_is_called_when_it_is_new_and_shown(tmp_path: Path) -> None:
    rooms = {"people": "2", "day": "monday", "stay": "none"}
    booked = {"booked": [{"name": "the fjord", "reference": "AB12"}]}
    state = {"hotel": {"semi": {"area": "north"}, "book": rooms}}
    turns, lost = load(
        tmp_path,
        [
            said("Book it for 2 .", Hotel_Inform=[["Area", "north"]]),
            answered("How about it ?", {"hotel": {"book": rooms | booked}}, general_reqmore=[]),
            said("Yes ."),
            answered("Reference : AB12 .", {"hotel": {"book": rooms | booked}}, general_reqmore=[]),
            said("Thanks ."),
            answered("Bye .", state, general_bye=[]),
        ],
    )
    assert [len(turn.calls) for turn in turns] == [0, 1, 0]
    assert turns[1].calls == (
        DialogueCall(
            "book_hotel",
            {"name": "the fjord", "people": "2", "day": "monday"},
            (booked["booked"][0],),
            service="hotel",
        ),
    )
    assert turns[0].slots == {"hotel.book_people": "2", "hotel.book_day": "monday"}
    assert turns[0].intents == (("hotel", "book_hotel"),)
    assert turns[2].label == "chat"
    assert lost == []


def test_a_booking_that_no_answer_shows_is_counted(tmp_path: Path) -> None:
    booked = {"people": "2", "booked": [{"name": "the fjord", "reference": "AB12"}]}
    turns, lost = load(tmp_path, [said("Go ."), answered("Well .", {"hotel": {"book": booked}})])
    assert turns[0].calls == ()
    assert lost == ["call_left_out_booked_but_never_shown"]


def test_a_search_and_a_booking_in_one_turn_are_two_calls(tmp_path: Path) -> None:
    row = {"trainID": "TR9", "reference": "XY"}
    state = {
        "train": {"semi": {"departure": "oslo", "leaveAt": "08:30"}, "book": {"people": "1", "booked": [row]}}
    }
    acts = {"Train_Inform": [["Leave", "09:00"]], "Train_OfferBooked": [["Ref", "XY"]]}
    turns, _ = load(tmp_path, [said("A train ."), answered("Booked .", state, **acts)])
    find, book = turns[0].calls
    assert (find.name, book.name) == ("find_train", "book_train")
    assert book.arguments == {"trainID": "TR9", "people": "1"}
    assert find.results is not None
    assert find.results[0]["trainID"] == "TR9"


def test_what_is_booked_later_is_among_what_was_found(tmp_path: Path) -> None:
    semi = {"departure": "oslo"}
    row = {"trainID": "TR17", "reference": "XY"}
    turns, _ = load(
        tmp_path,
        [
            said("A train ."),
            answered("There are 10 .", {"train": {"semi": semi}}, Train_Inform=[["Choice", "10"]]),
            said("The last ."),
            answered("XY .", {"train": {"semi": semi, "book": {"booked": [row]}}}, Train_OfferBooked=[]),
        ],
    )
    results = turns[0].calls[0].results
    assert results is not None
    assert [row["trainID"] for row in results] == ["TR17", "TR8", "TR9", "TR10", "TR11"]


def test_a_refused_booking_is_a_failed_call_of_the_last_active_domain(tmp_path: Path) -> None:
    semi = {"name": "the fjord"}
    turns, lost = load(
        tmp_path,
        [
            said("The Fjord .", Hotel_Inform=[["Name", "the fjord"]]),
            answered("When ?", {"hotel": {"semi": semi}}, Booking_Request=[["Day", "?"]]),
            said("Monday ."),
            answered(
                "Full .",
                {"hotel": {"semi": semi, "book": {"day": "monday"}}},
                Booking_NoBook=[["Day", "monday"]],
            ),
        ],
    )
    assert turns[0].label == "missing"
    assert turns[1].calls == (
        DialogueCall("book_hotel", {"name": "the fjord", "day": "monday"}, (), service="hotel", failed=True),
    )
    assert lost == []


def test_a_refusal_without_a_booking_under_way_is_counted(tmp_path: Path) -> None:
    turns, lost = load(tmp_path, [said("Hm ."), answered("No .", {"hotel": {}}, Booking_NoBook=[])])
    assert (turns[0].calls, lost) == ((), ["call_left_out_refused_without_a_booking"])


def test_a_taxi_is_booked_by_its_constraints(tmp_path: Path) -> None:
    row = {"phone": "0123456789", "type": "red audi"}
    state = {
        "taxi": {"semi": {"departure": "the fjord", "leaveAt": "after 15:45"}, "book": {"booked": [row]}}
    }
    turns, _ = load(
        tmp_path, [said("A taxi ."), answered("A red audi .", state, Taxi_Inform=[["Car", "audi"]])]
    )
    wanted = {"departure": "the fjord", "leaveAt": "after 15:45"}
    assert turns[0].calls == (DialogueCall("book_taxi", wanted, (row,), service="taxi"),)


def test_alternatives_are_a_list_and_exclusions_no_parameter(tmp_path: Path) -> None:
    state = {"hotel": {"semi": {"stars": "3|4", "name": "NOT(the fjord)"}}}
    turns, _ = load(tmp_path, [said("3 or 4 ."), answered("Two .", state, Hotel_Inform=[["Choice", "two"]])])
    (call,) = turns[0].calls
    assert call.arguments == {"stars": ["3", "4"]}
    assert call.results is not None
    assert len(call.results) == 2


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
    write(tmp_path, [said("Hi ."), answered("Hello .", {}, general_greet=[])], packed=True)
    assert find_corpora(tmp_path) == {"multiwoz": tmp_path}
    (item,) = load_corpus("multiwoz", tmp_path)
    assert isinstance(item, CorpusDialogue)
    assert (item.id, item.split, item.licence) == ("multiwoz/val/PMUL1", "val", "MIT")


@pytest.mark.parametrize(
    ("constraints", "names"),
    [
        ({"area": "North"}, ["the fjord", "blue spoon"]),
        ({"name": "fjord"}, ["the fjord"]),
        ({"internet": "free"}, ["the fjord"]),
        ({"colour": "red"}, []),
    ],
)
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
