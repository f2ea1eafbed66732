"""Taskmaster: spans made into calls (TM-1, TM-2), linearised rows (TM-3) and calls paired by number (TM-4)."""

import csv
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from toolyard.benchmarks.mtu.synth.corpora import corpus_tools, load_corpus
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusDialogue,
    DialogueCall,
    DialogueTurn,
    Item,
    Skipped,
)
from toolyard.core.errors import DataError


def write(folder: Path, name: str, content: Any) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def items(folder: Path) -> list[Item]:
    return list(load_corpus("taskmaster", folder))


def turns(folder: Path) -> tuple[DialogueTurn, ...]:
    (dialogue,) = [item for item in items(folder) if isinstance(item, CorpusDialogue)]
    return dialogue.turns


def reasons(folder: Path) -> list[str]:
    """Why dialogues were left out, and what was mended in the others."""
    return [
        reason
        for item in items(folder)
        for reason in ([item.reason] if isinstance(item, Skipped) else item.remarks)
    ]


def spoken(speaker: str, text: str, *marks: Sequence[str], camel: bool = False) -> dict[str, Any]:
    """An utterance with (marked text, annotation) pairs."""
    start, end = ("startIndex", "endIndex") if camel else ("start_index", "end_index")
    segments = [
        {
            start: text.index(part),
            end: text.index(part) + len(part),
            "text": part,
            "annotations": [{"name": name}],
        }
        for part, name in marks
    ]
    return {"speaker": speaker, "text": text, **({"segments": segments} if segments else {})}


def conversation(*utterances: dict[str, Any]) -> dict[str, Any]:
    return {"conversation_id": "dlg-1", "instruction_id": "pizza-1", "utterances": list(utterances)}


def test_the_call_is_made_at_the_final_accept_and_leaves_out_what_was_rejected(tmp_path: Path) -> None:
    known = cases(__file__, "final_accept")
    write(tmp_path, "TM-1-2019/self-dialogs.json", known["said"])
    (dialogue,) = items(tmp_path)
    assert isinstance(dialogue, CorpusDialogue)
    assert json.loads(json.dumps(asdict(dialogue))) == known["read"]


@each_case("row", ids=lambda row: row["rule"])
def test_marked_spans_become_calls(tmp_path: Path, row: dict[str, Any]) -> None:
    said = conversation(*(spoken(*utterance, camel="camel" in row) for utterance in row["said"]))
    write(tmp_path, f"TM-1-2019/{row.get('file', 'self-dialogs')}.json", [said])
    assert [turn.user for turn in turns(tmp_path)] == row["users"]
    assert [turn.calls for turn in turns(tmp_path)] == [
        tuple(DialogueCall("pizza_ordering", arguments, service="TM-1") for arguments in calls)
        for calls in row["calls"]
    ]


def test_tm2_calls_where_the_user_last_says_something_and_details_are_results(tmp_path: Path) -> None:
    row = conversation(
        spoken("ASSISTANT", "Hello."),
        spoken("USER", "A flight to Oslo.", ("Oslo", "flight_search.destination1")),
        spoken("ASSISTANT", "Norse flies at six.", ("Norse", "flight1_detail.airline")),
        spoken("USER", "Good."),
    )
    write(tmp_path, "TM-2-2020/data/flights.json", [row])
    first, second = turns(tmp_path)
    assert first.calls == (DialogueCall("flight_search", {"destination1": "Oslo"}, service="TM-2"),)
    assert (second.calls, second.assistant) == ((), "")


def test_the_sample_is_read_only_where_the_dialogues_are_not(tmp_path: Path) -> None:
    write(tmp_path, "TM-1-2019/sample.json", conversation(spoken("USER", "Hi.")))
    assert len(items(tmp_path)) == 1
    other = conversation(spoken("USER", "Hey.")) | {"conversation_id": "dlg-2"}
    write(tmp_path, "TM-1-2019/self-dialogs.json", [other])
    assert [one.id for one in items(tmp_path) if isinstance(one, CorpusDialogue)] == ["taskmaster/TM-1/dlg-2"]


def coffee(*annotations: Sequence[str]) -> list[dict[str, Any]]:
    named = [dict(zip(("name", "value", "context"), each, strict=True)) for each in annotations]
    said = {"index": 0, "speaker": "user", "text": "one latte", "annotations": named}
    reply = {"index": 1, "speaker": "assistant", "text": "is that correct?", "annotations": []}
    return [{"conversation_id": "dlg-4", "vertical": "Coffee", "utterances": [said, reply]}]


@each_case("row", ids=lambda row: row["rule"])
def test_tm4_calls_are_read_from_annotations(tmp_path: Path, row: dict[str, Any]) -> None:
    write(tmp_path, "TM-4-2024/data/data_00.json", coffee(*row["annotations"]))
    (turn,) = turns(tmp_path)
    assert turn.calls == tuple(
        DialogueCall(name, arguments, results and tuple(results), service="TM-4")
        for name, arguments, results in row["calls"]
    )
    assert turn.label == "call"
    assert reasons(tmp_path) == row["reasons"]


def test_a_request_that_cannot_be_read_costs_the_dialogue_and_a_deep_response_itself(tmp_path: Path) -> None:
    call = ("api_call", "get_addons", "api_call_0")
    write(tmp_path, "TM-4-2024/data/data_00.json", coffee(call, ("request", "{query}", "api_call_0")))
    assert (reasons(tmp_path), len(items(tmp_path))) == (["request_not_json"], 1)
    rows = coffee(call, ("request", "{}", "api_call_0"), ("response", "[" * 9999, "api_response_0"))
    write(tmp_path, "TM-4-2024/data/data_00.json", rows)
    assert reasons(tmp_path) == ["call_left_out_response_not_json"]


@pytest.mark.parametrize(
    ("arguments", "response"),
    [
        ({"location": "Oslo"}, {"name.movie": ["Cold Tea", "Warm Tea"]}),
        (
            [{"arg_name": "location", "arg_value": "Oslo"}],
            [{"response_name": "name.movie", "response_value": name} for name in ("Cold Tea", "Warm Tea")],
        ),
    ],
)
def test_tm3_conversations_have_calls_on_utterances(tmp_path: Path, arguments: Any, response: Any) -> None:
    api = {"name": "find_movies", "index": 0, "args": arguments, "response": response}
    said = {"speaker": "user", "text": "what is on?", "apis": [api]}
    write(tmp_path, "TM-3-2020/data/data_00.json", [{"conversation_id": "dlg-3", "utterances": [said]}])
    result = {"name.movie": ["Cold Tea", "Warm Tea"]}
    assert turns(tmp_path)[0].calls == (
        DialogueCall("find_movies", {"location": "Oslo"}, (result,), service="TM-3"),
    )


def linear(folder: Path, *rows: Sequence[str]) -> None:
    path = folder / "TM-3-2020" / "splits" / "train" / "train-bc.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter="\t").writerows(rows)


def test_a_linearised_row_is_put_back_in_order(tmp_path: Path) -> None:
    before = "<S><A>Hello.<U>what is on?<A>where?<U>Oslo<PN>find_movies<PAN>location<PAV>Oslo"
    before += '<PR>find_movies<PRAN>name.movie<PRAV>"Cold" Tea<PRAV>Warm Tea<A>Cold Tea and Warm Tea.'
    linear(tmp_path, ("<U>Thanks.<C>" + before, "[A]Bye.", "dlg-1"))
    first, second = turns(tmp_path)
    assert (first.user, first.assistant, first.label) == ("what is on?", "where?", "missing")
    results = ({"name.movie": ['"Cold" Tea', "Warm Tea"]},)
    assert second.calls == (DialogueCall("find_movies", {"location": "Oslo"}, results, service="TM-3"),)
    assert (second.user, second.assistant) == ("Oslo", "Cold Tea and Warm Tea.")


def test_nothing_found_and_a_refused_booking_are_kept_as_such(tmp_path: Path) -> None:
    calls = (
        "<PN>resolve_movie<PAN>name.movie<PAV>x<PR>resolve_movie<PRAN>name.movie<PRAV>_empty_"
        "<PN>book_tickets<PAN>name.movie<PAV>x<PR>book_tickets<PRAN>status<PRAV>failure"
    )
    linear(tmp_path, ("<U>y<C><U>x" + calls, "[A]Sorry.", "dlg-1"))
    nothing, refused = turns(tmp_path)[0].calls
    assert (nothing.results, nothing.failed) == ((), False)
    assert (refused.results, refused.failed) == (({"status": "failure"},), True)


@each_case("row", ids=lambda row: row["rule"])
def test_what_a_linearised_row_leaves_out_is_counted(tmp_path: Path, row: dict[str, Any]) -> None:
    linear(tmp_path, *row["rows"])
    kept = [item for item in items(tmp_path) if isinstance(item, CorpusDialogue)]
    assert [turn.user for item in kept for turn in item.turns] == row["users"]
    assert reasons(tmp_path) == row["reasons"]


def test_broken_files_are_refused_and_other_rows_skipped(tmp_path: Path) -> None:
    write(tmp_path, "TM-4-2024/data/data_00.json", [{"conversation_id": "x"}, 7])
    assert reasons(tmp_path) == ["not_the_row_form"] * 2
    write(tmp_path, "TM-3-2020/splits/train/train-bc.tsv", "a\tb\n")
    with pytest.raises(DataError, match=r"train-bc\.tsv row 1 has 2 fields"):
        items(tmp_path)


def test_the_shipped_part_has_its_measured_counts(shared: Path) -> None:
    counts: Counter[str] = Counter()
    for item in items(shared / "data" / "corpora" / "taskmaster"):
        if isinstance(item, Skipped):
            counts[item.reason] += 1
            continue
        counts.update(item.remarks)
        counts[item.services[0]] += 1
        if item.services == ("TM-4",):
            calls = [len(turn.calls) for turn in item.turns]
            counts["calls"] += sum(calls)
            kind = f"{'S' if len(calls) == 1 else 'M'}-{'S' if max(calls) < 2 else 'M'}"
            counts[kind if sum(calls) else f"{kind} without a call"] += 1
    assert (counts["TM-1"], counts["TM-4"], counts["calls"]) == (1, 3710, 15395)
    assert (counts["S-S"], counts["S-S without a call"]) == (425, 150)
    assert (counts["S-M"], counts["M-S"], counts["M-M"]) == (150, 225, 2760)
    assert counts["call_without_a_request"] == 75
    assert (
        counts["request_mended"] + counts["response_mended"] + counts["call_left_out_response_not_json"] == 72
    )
    left_out = ("beginning_of_a_longer_row", "unfilled_template", "no_user_turn", "only_turn_goes_on")
    assert counts["TM-3"] + sum(counts[reason] for reason in left_out) == 1517


def test_the_tools_are_those_that_are_called(shared: Path) -> None:
    tools = corpus_tools("taskmaster", shared / "data" / "corpora" / "taskmaster")
    assert Counter(tool.service for tool in tools) == {"TM-1": 1, "TM-3": 9, "TM-4": 8}
    assert all(tool.topics for tool in tools)
    (book,) = [tool for tool in tools if tool.name == "book_tickets"]
    assert {"name.movie", "name.theater", "time.showing"} <= {one.name for one in book.required}
    assert {"The name of the movie.", "The date of the showing."} <= {
        one.description for one in book.required
    }
    assert book.verb == "create"
