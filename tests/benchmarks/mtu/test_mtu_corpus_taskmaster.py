"""Taskmaster: spans made into calls (TM-1, TM-2), linearised rows (TM-3) and calls paired by number (TM-4)."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

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


def spoken(speaker: str, text: str, *marks: tuple[str, str], camel: bool = False) -> dict[str, Any]:
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


SIZE, STORE, TOPPING = "pizza_ordering.size.pizza", "pizza_ordering.name.store", "pizza_ordering.type.topping"


def test_the_call_is_made_at_the_final_accept_and_leaves_out_what_was_rejected(tmp_path: Path) -> None:
    row = conversation(
        spoken("USER", "Hello."),
        spoken("ASSISTANT", "Hi."),
        spoken("USER", "A large one with ham.", ("large", SIZE + ".accept"), ("ham", TOPPING + ".accept")),
        spoken("ASSISTANT", "There is no ham.", ("ham", TOPPING + ".reject")),
        spoken("USER", "Then leek, from Mario.", ("leek", TOPPING + ".accept"), ("Mario", STORE)),
        spoken("ASSISTANT", "Leek it is.", ("Leek", TOPPING + ".accept")),
        spoken("USER", "Thanks."),
        spoken("ASSISTANT", "Bye."),
    )
    write(tmp_path, "TM-1-2019/self-dialogs.json", [row])
    found = turns(tmp_path)
    assert [len(turn.calls) for turn in found] == [0, 0, 1, 0]
    assert found[2].calls == (
        DialogueCall("pizza_ordering", {"size.pizza": "large", "type.topping": "Leek"}, service="TM-1"),
    )
    assert found[2].slots == {"pizza_ordering.type.topping": "leek", "pizza_ordering.name.store": "Mario"}
    assert found[2].intents == (("TM-1", "pizza_ordering"),)
    (dialogue,) = items(tmp_path)
    assert isinstance(dialogue, CorpusDialogue)
    assert (dialogue.id, dialogue.topics, dialogue.licence) == (
        "taskmaster/TM-1/dlg-1",
        ("Pizza",),
        "CC BY 4.0",
    )


def test_a_value_that_is_rejected_later_is_no_parameter(tmp_path: Path) -> None:
    row = conversation(
        spoken("USER", "A large one.", ("large", SIZE + ".accept")),
        spoken("ASSISTANT", "Large is out.", ("Large", SIZE + ".reject")),
        spoken("USER", "From Mario, then.", ("Mario", STORE + ".accept")),
        spoken("ASSISTANT", "Fine."),
    )
    write(tmp_path, "TM-1-2019/self-dialogs.json", [row])
    assert turns(tmp_path)[1].calls == (
        DialogueCall("pizza_ordering", {"name.store": "Mario"}, service="TM-1"),
    )


def test_a_transaction_that_is_only_rejected_is_no_call(tmp_path: Path) -> None:
    row = conversation(
        spoken("USER", "A large one.", ("large", SIZE + ".reject")), spoken("ASSISTANT", "No.")
    )
    write(tmp_path, "TM-1-2019/self-dialogs.json", [row])
    assert [turn.calls for turn in turns(tmp_path)] == [()]


def test_what_was_said_counts_where_only_the_tool_is_accepted(tmp_path: Path) -> None:
    row = conversation(
        spoken("USER", "A large one.", ("large", SIZE)),
        spoken("ASSISTANT", "Your pizza is ordered.", ("ordered", "pizza_ordering.accept")),
    )
    write(tmp_path, "TM-1-2019/woz-dialogs.json", [row])
    assert turns(tmp_path)[0].calls == (
        DialogueCall("pizza_ordering", {"size.pizza": "large"}, service="TM-1"),
    )


def test_of_overlapping_spans_the_one_that_both_annotators_chose_counts(tmp_path: Path) -> None:
    text = "From Mario's old place."
    marks = [(part, STORE + ".accept") for part in ("Mario's old", "Mario's old place", "Mario's old")]
    write(tmp_path, "TM-1-2019/self-dialogs.json", [conversation(spoken("USER", text, *marks))])
    assert turns(tmp_path)[0].calls[0].arguments == {"name.store": "Mario's old"}


def test_of_overlapping_spans_without_agreement_the_longest_counts(tmp_path: Path) -> None:
    marks = [(part, STORE + ".accept") for part in ("Mario", "Mario's old place")]
    row = conversation(spoken("USER", "From Mario's old place.", *marks, camel=True))
    write(tmp_path, "TM-1-2019/self-dialogs.json", [row])
    assert turns(tmp_path)[0].calls[0].arguments == {"name.store": "Mario's old place"}


def test_a_value_that_one_annotator_rejects_is_rejected(tmp_path: Path) -> None:
    marks = [("large", SIZE + ".accept"), ("large one", SIZE + ".reject"), ("Mario", STORE + ".accept")]
    row = conversation(spoken("USER", "A large one from Mario.", *marks))
    write(tmp_path, "TM-1-2019/self-dialogs.json", [row])
    assert turns(tmp_path)[0].calls[0].arguments == {"name.store": "Mario"}


def test_two_values_in_one_utterance_are_a_list(tmp_path: Path) -> None:
    marks = [("ham", TOPPING + ".accept"), ("leek", TOPPING + ".accept")]
    row = conversation(spoken("USER", "With ham"), spoken("USER", "ham and leek.", *marks))
    write(tmp_path, "TM-1-2019/self-dialogs.json", [row])
    (turn,) = turns(tmp_path)
    assert turn.user == "With ham ham and leek."
    assert turn.calls[0].arguments == {"type.topping": ["ham", "leek"]}


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
    assert [item.id for item in items(tmp_path) if isinstance(item, CorpusDialogue)] == [
        "taskmaster/TM-1/dlg-2"
    ]


def annotated(*annotations: tuple[str, str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value, "context": context} for name, value, context in annotations]


def coffee(*annotations: tuple[str, str, str]) -> list[dict[str, Any]]:
    said = {"index": 0, "speaker": "user", "text": "one latte", "annotations": annotated(*annotations)}
    reply = {"index": 1, "speaker": "assistant", "text": "is that correct?", "annotations": []}
    return [{"conversation_id": "dlg-4", "vertical": "Coffee", "utterances": [said, reply]}]


def test_tm4_calls_are_paired_by_number(tmp_path: Path) -> None:
    rows = coffee(
        ("api_call", "add_order_item", "api_call_1"),
        ("api_call", "get_menu_items", "api_call_0"),
        ("request", '{"menu_item_id": "l-1"}', "api_call_1"),
        ("request", '{"query": "latte"}', "api_call_0"),
        ("response", '{"order_id": "7"}', "api_response_1"),
        ("response", '{"menu_items": []}', "api_response_0"),
    )
    write(tmp_path, "TM-4-2024/data/data_00.json", rows)
    (turn,) = turns(tmp_path)
    assert turn.calls == (
        DialogueCall("get_menu_items", {"query": "latte"}, ({"menu_items": []},), service="TM-4"),
        DialogueCall("add_order_item", {"menu_item_id": "l-1"}, ({"order_id": "7"},), service="TM-4"),
    )
    assert turn.label == "call"


def test_a_tm4_call_without_a_request_has_no_parameters_and_is_counted(tmp_path: Path) -> None:
    write(tmp_path, "TM-4-2024/data/data_00.json", coffee(("api_call", "show_menu", "api_call_0")))
    assert turns(tmp_path)[0].calls == (DialogueCall("show_menu", {}, None, service="TM-4"),)
    assert reasons(tmp_path) == ["call_without_a_request"]


def test_doubled_quotes_and_bare_tabs_are_mended_and_counted(tmp_path: Path) -> None:
    rows = coffee(
        ("api_call", "get_addons", "api_call_0"),
        ("request", '{"query": "", "menu_item_id": ""l-1""}', "api_call_0"),
        ("response", '{"name": "a\tb"}', "api_response_0"),
    )
    write(tmp_path, "TM-4-2024/data/data_00.json", rows)
    (call,) = turns(tmp_path)[0].calls
    assert call.arguments == {"query": "", "menu_item_id": "l-1"}
    assert call.results == ({"name": "a\tb"},)
    assert reasons(tmp_path) == ["request_mended", "response_mended"]


def test_a_request_that_cannot_be_read_costs_the_dialogue_and_a_response_only_itself(tmp_path: Path) -> None:
    call = ("api_call", "get_addons", "api_call_0")
    write(tmp_path, "TM-4-2024/data/data_00.json", coffee(call, ("request", "{query}", "api_call_0")))
    assert reasons(tmp_path) == ["request_not_json"]
    assert len(items(tmp_path)) == 1
    rows = coffee(call, ("request", "{}", "api_call_0"), ("response", "[" * 9999, "api_response_0"))
    write(tmp_path, "TM-4-2024/data/data_00.json", rows)
    assert turns(tmp_path)[0].calls == (DialogueCall("get_addons", {}, None, service="TM-4"),)
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


def linear(folder: Path, *rows: tuple[str, str, str]) -> None:
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


@pytest.mark.parametrize(
    ("newest", "before"),
    [
        ("<U>Oslo", "<U>what is on?<A>where?"),
        ("<PR>find_movies<PRAN>x<PRAV>y", "<U>what is on?<A>where?<U>Oslo<PN>find_movies"),
    ],
)
def test_the_last_turn_is_left_out_and_counted(tmp_path: Path, newest: str, before: str) -> None:
    linear(tmp_path, (f"{newest}<C>{before}", "[A]Well.", "dlg-1"))
    assert [turn.user for turn in turns(tmp_path)] == ["what is on?"]
    assert reasons(tmp_path) == ["turn_left_out_last_turn_goes_on"]


def test_a_conversation_whose_only_turn_may_go_on_is_skipped(tmp_path: Path) -> None:
    linear(tmp_path, ("<U>what is on?", "[A]Let me check.", "dlg-1"))
    assert reasons(tmp_path) == ["only_turn_goes_on"]
    assert len(items(tmp_path)) == 1


def test_the_longest_row_stands_for_its_conversation(tmp_path: Path) -> None:
    linear(tmp_path, ("<U>a", "[A]b.", "dlg-1"), ("<U>c<C><U>a<A>b.", "[A]d.", "dlg-1"))
    assert [turn.user for turn in turns(tmp_path)] == ["a"]
    assert reasons(tmp_path) == ["beginning_of_a_longer_row", "turn_left_out_last_turn_goes_on"]


def test_templates_that_nobody_filled_in_and_rows_without_a_user_are_skipped(tmp_path: Path) -> None:
    unfilled = "<U>c<C><U>a<PN>resolve_movie<PAN>name.movie<PAV>{}<PR>resolve_movie<PRAN>name.movie<PRAV>b"
    linear(tmp_path, (unfilled, "[A]b.", "dlg-1"), ("<S>", "[A]Hello.", "dlg-2"))
    assert reasons(tmp_path) == ["unfilled_template", "no_user_turn"]


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


def test_the_tools_are_those_of_ontologies_apis_and_calls(shared: Path) -> None:
    tools = corpus_tools("taskmaster", shared / "data" / "corpora" / "taskmaster")
    assert Counter(tool.service for tool in tools) == {"TM-1": 6, "TM-2": 13, "TM-3": 9, "TM-4": 8}
    assert len({(tool.service, tool.name) for tool in tools}) == 36
    assert all(tool.topics for tool in tools)
    (book,) = [tool for tool in tools if tool.name == "book_tickets"]
    assert [one.name for one in book.required] == ["name.movie", "name.theater", "time.showing"]
    assert book.verb == "create"


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("TM-1-2019/ontology.json", '{"pizza_ordering": []}'),
        ("TM-2-2020/ontology/sports.json", '{"sports": [{"annotations": []}]}'),
        ("TM-3-2020/ontology/apis.json", '{"find_movies": {"args": {}}}'),
    ],
)
def test_an_ontology_of_another_form_is_refused_by_file_and_entry(
    tmp_path: Path, place: str, text: str
) -> None:
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_text(text)
    with pytest.raises(DataError, match=rf"{place} entry 0 is no entry of Taskmaster's ontology"):
        corpus_tools("taskmaster", tmp_path)
