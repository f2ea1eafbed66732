"""The rules by which annotated dialogues become MTU-Instruct, one by one."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cases import cases
from toolyard.benchmarks.mtu.synth.corpora.corpus_schema import (
    CorpusDialogue,
    CorpusTool,
    DialogueCall,
    DialogueTurn,
)
from toolyard.benchmarks.mtu.synth.instruct.composing import (
    add_setting_and_variants,
    join,
    join_known_values,
    merge,
    stands_alone,
)
from toolyard.benchmarks.mtu.synth.instruct.corpus_rows import (
    StandardRow,
    count_spoken,
    dialogue_row,
    dialogue_setting,
    item_to_json,
    items_to_json,
    standard_turns,
)
from toolyard.benchmarks.mtu.synth.instruct.dialogue_filters import (
    fits_parameter,
    keep_suitable,
    observation_text,
    verify_values,
    write_thought,
)
from toolyard.benchmarks.mtu.synth.instruct.tool_library import build_library, merge_tools
from toolyard.models.embed.embedding import hash_vectors
from toolyard.synth.stages import Context, Kept, Rejected
from toolyard.text.documents import Parameter

FIND = cases(__file__, "find")
BOOK = cases(__file__, "book")
DOCUMENTS = [FIND, BOOK]


def call(name: str, arguments: Any, results: Any = None, failed: bool = False) -> DialogueCall:
    return DialogueCall(name, arguments, results, found=len(results or ()), failed=failed)


def turn(
    user: str, *calls: DialogueCall, label: str = "call", assistant: str = "Well.", **more: Any
) -> DialogueTurn:
    return DialogueTurn(user, assistant, label, calls=calls, **more)


def seen(*turns: DialogueTurn) -> dict[str, Any]:
    """A row as a stage finds it in the log of the one before."""
    return json.loads(json.dumps(item_to_json(row(*turns))))


FOUND = call("find_ferry", {"to_port": "Tallinn"}, [{"ship": "Silver Gull"}])
BOOKED = call("book_ferry", {"ship": "Silver Gull", "places": "2"}, [{}])


def row(*turns: DialogueTurn, name: str = "d", topics: Sequence[str] = ("Bus",)) -> StandardRow:
    originals = {"find_ferry": ["find_ferry"], "book_ferry": ["book_ferry"], "x": ["x"]}
    return StandardRow(name, "s", "", topics, "", "train", [name], turns, DOCUMENTS, ["x"], originals)


@pytest.mark.parametrize(
    ("calls", "setting"),
    [([1], "S-S"), ([0], "S-S"), ([2], "S-M"), ([1, 1], "M-S"), ([0, 0], "M-S"), ([1, 2, 0], "M-M")],
)
def test_the_setting_counts_turns_and_calls_in_a_turn(calls: list[int], setting: str) -> None:
    assert dialogue_setting([turn("", *[FOUND] * count) for count in calls]) == setting


def test_a_value_of_a_result_becomes_a_reference_when_turns_merge() -> None:
    dialogue = (
        turn("To Tallinn.", FOUND, assistant="The Silver Gull sails. Shall I book?"),
        turn("Yes, please. Book it for 2 people.", BOOKED, assistant="Booked."),
        turn("Bye.", label="chat"),
    )
    first, *rest = merge(dialogue, 0, 1, DOCUMENTS, random.Random(1))
    assert first.calls[1].arguments == {"ship": "find_ferry.ship", "places": "2"}
    assert first.calls[1].resolved == {"ship": "Silver Gull", "places": "2"}
    assert first.assistant == "The Silver Gull sails. Booked."
    assert [each.user for each in rest] == ["Bye."]


def test_turns_do_not_merge_where_the_words_name_what_only_the_result_told() -> None:
    dialogue = (turn("To Tallinn.", FOUND), turn("Book the Silver Gull for 2 people.", BOOKED))
    assert merge(dialogue, 0, 1, DOCUMENTS, random.Random(1)) == ()


def test_turns_do_not_merge_where_a_later_turn_needs_what_was_said_between() -> None:
    later = call("find_ferry", {"to_port": "Pärnu"})
    told = "Shall it be the Silver Gull, or one to Pärnu?"
    dialogue = (
        turn("To Tallinn.", FOUND, assistant=told),
        turn("Yes. Book it for 2 people.", BOOKED),
        turn("And that other port?", later),
    )
    assert merge(dialogue, 0, 1, DOCUMENTS, random.Random(1)) == ()


def test_only_a_first_turn_that_says_all_its_values_is_cut_off() -> None:
    assert stands_alone(turn("To Tallinn.", FOUND), DOCUMENTS)
    assert not stands_alone(turn("A ferry.", FOUND), DOCUMENTS)
    assert not stands_alone(turn("To Tallinn.", FOUND, BOOKED), DOCUMENTS)


def test_a_tool_called_twice_in_a_turn_has_no_place_in_an_answer() -> None:
    other = call("find_ferry", {"to_port": "Riga"})
    outcome = add_setting_and_variants(seen(turn("To Tallinn and to Riga.", FOUND, other)), Context())
    assert isinstance(outcome, Rejected)
    assert outcome.reason == "repeated_tool_in_turn"


def test_a_faulty_late_turn_cuts_the_dialogue_and_a_faulty_early_one_ends_it() -> None:
    bad = turn("And back.", call("find_ferry", {"to_port": "Nowhere"}))
    late = verify_values(seen(turn("Hi.", label="chat"), turn("To Tallinn.", FOUND), bad), Context())
    assert isinstance(late, Kept)
    assert late.repairs == ("cut_before_ungrounded_value",)
    assert len(late.fields["turns"]) == 2
    assert verify_values(seen(turn("To Tallinn.", FOUND), bad), Context()) == Rejected(
        "ungrounded_value", f"turn 1: {str(items_to_json(bad.calls))[:160]}"
    )


def test_the_annotated_words_of_a_value_ground_it() -> None:
    said = turn("A ferry to the big T.", FOUND, known={"find_ferry": {"to_port": "the big T"}})
    assert isinstance(verify_values(seen(said), Context()), Kept)
    unsaid = turn("A ferry to town.", FOUND, known={"find_ferry": {"to_port": "the big T"}})
    assert isinstance(verify_values(seen(unsaid), Context()), Rejected)


def test_words_for_one_tool_say_nothing_about_another() -> None:
    said = turn("A ferry to the big T.", FOUND, known={"book_ferry": {"to_port": "the big T"}})
    assert isinstance(verify_values(seen(said), Context()), Rejected)
    names = {("h", "find"): "find_hotel", ("r", "book"): "book_table"}
    intents = (("h", "find"), ("r", "book"))
    spoken = DialogueTurn(
        "The Gull Inn, and a table.", "", "missing", intents=intents, slots={"h.name": "the Gull Inn"}
    )
    (made,) = standard_turns([spoken], names)
    assert made.known == {"find_hotel": {"name": "the Gull Inn"}, "book_table": {}}
    both = join_known_values(made.known, {"book_table": {"name": "Old Anchor"}})
    assert both == {"find_hotel": {"name": "the Gull Inn"}, "book_table": {"name": "Old Anchor"}}


def test_types_choices_and_formats_are_checked() -> None:
    assert fits_parameter("x", {"type": "string"})
    assert fits_parameter(["x", "y"], {"type": "string"})
    assert not fits_parameter([], {"type": "string"})
    assert not fits_parameter(True, {"type": "integer"})
    assert not fits_parameter("25:00", {"type": "string", "format": "HH:MM"})


def test_intents_that_no_tool_serves_are_dropped_by_the_table() -> None:
    naming = {"source": "metalwoz", "services": ["NAME_SUGGESTER"], "turns": [], "mended": []}
    outcome = keep_suitable({**naming, "id": "m"}, Context())
    assert isinstance(outcome, Rejected)
    assert outcome.reason == "unsuitable_intent"


def test_results_are_kept_up_to_the_last_that_the_dialogue_names() -> None:
    results = [{"ship": "Silver Gull"}, {"ship": "Old Anchor"}, {"ship": "Third Wave"}]
    assert count_spoken(results, "how about the old anchor?") == 2
    assert count_spoken(results, "nothing") == 1
    assert count_spoken([], "nothing") == 0


def test_observations_are_results_nothing_or_an_error() -> None:
    assert observation_text([FOUND]) == '{"ship": "Silver Gull"}'
    assert observation_text([call("find_ferry", {}, [])]) == "{}"
    assert observation_text([call("find_ferry", {})]) == "{}"
    assert "error" in observation_text([call("book_ferry", {}, [], failed=True)])
    assert (
        observation_text([replace(FOUND, found=9)]) == '{"results": [{"ship": "Silver Gull"}], "more": true}'
    )
    assert observation_text([FOUND, BOOKED]) == '{"find_ferry": {"ship": "Silver Gull"}, "book_ferry": {}}'
    assert observation_text([]) == ""


def test_thoughts_never_look_at_the_reply() -> None:
    for label in ("missing", "confirmed", "exists", "chat", "unable"):
        turns = [
            turn("Hm.", label=label, assistant=reply, wants=["find_ferry"])
            for reply in ("A", "Another reply.")
        ]
        first, second = (write_thought(each, DOCUMENTS, random.Random(3)) for each in turns)
        assert first == second
    assert "to port" in write_thought(
        turn("Hm.", label="missing", wants=["find_ferry"]), DOCUMENTS, random.Random(1)
    )
    linked = replace(BOOKED, arguments={"ship": "find_ferry.ship", "places": "2"})
    text = write_thought(turn("Both.", FOUND, linked), DOCUMENTS, random.Random(1))
    assert "What find_ferry returns goes into the call of book_ferry." in text


def test_joined_rows_hold_all_calls_documents_and_origins() -> None:
    other = row(turn("Book the Silver Gull for 2 people", BOOKED, assistant=""), name="e", topics=["Boat"])
    made = join([row(turn("Find a ferry to Tallinn", FOUND, assistant="")), other], "j", random.Random(2))
    assert made.setting == "S-M"
    assert made.origins == ["d", "e"]
    assert made.topics == ["Boat", "Bus"]
    assert [each.name for each in made.turns[0].calls] == ["find_ferry", "book_ferry"]


def test_a_row_is_one_line_of_text_per_turn() -> None:
    dialogue = CorpusDialogue(
        "a",
        "s",
        "train",
        (DialogueTurn("To\nTallinn.", "Well\n\nnow.", calls=(DialogueCall("f", {"x": 1}, service="s"),)),),
    )
    made = dialogue_row(dialogue)
    assert (made["turns"][0]["user"], made["turns"][0]["assistant"]) == ("To Tallinn.", "Well now.")


def ferry_tool(
    name: str, service: str, description: str, *names: str, topics: tuple[str, ...] = ()
) -> CorpusTool:
    return CorpusTool(
        name,
        service,
        description,
        tuple(Parameter(each) for each in names),
        verb="query",
        topics=topics,
    )


def test_a_dialogue_sees_only_the_parameters_of_the_members_it_uses() -> None:
    words = "Finds ferries between ports"
    tools = {
        "s": [
            ferry_tool("find_ferry", "a", words, "port", "party_size"),
            ferry_tool("find_ferry", "b", words, "port", "number_of_seats"),
        ]
    }
    library = build_library(tools, (), hash_vectors)
    assert [len(cluster.members) for cluster in library.clusters] == [2]

    def names(keys: set[tuple[str, str]], used: set[str]) -> set[str]:
        document = library.tools["s"]["find_ferry"].document_for(keys, used)
        sections = (document["required_parameters"], document["optional_parameters"])
        return {each["name"] for section in sections for each in section}

    (own,) = names({("a", "find_ferry")}, set()) - {"port"}
    (other,) = names({("b", "find_ferry")}, set()) - {"port"}
    assert {own, other} == {"party_size", "number_of_seats"}
    assert names({("a", "find_ferry")}, {other}) == {"port", own, other}
    assert "sail" not in library.tools["s"]


def test_a_merged_document_requires_what_every_member_requires() -> None:
    tools = [ferry_tool("f", "a", "One.", "x", "y"), ferry_tool("f", "b", "Two.", "y", "z")]
    both = merge_tools("f", tools)
    assert [each.name for each in both.required] == ["y"]
    assert [each.name for each in both.optional] == ["x", "z"]


def test_documents_keep_the_words_of_their_own_source() -> None:
    words = "Finds ferries between ports"
    tools = {
        "a": [ferry_tool("find_ferry", "a", words, "port")],
        "b": [ferry_tool("find_ferry", "b", f"{words}.", "port")],
    }
    library = build_library(tools, (), lambda texts: np.ones((len(texts), 2), np.float32))
    assert len(library.clusters) == 1
    assert {key: document["description"] for key, document in library.documents.items()} == {
        ("a", "find_ferry"): words,
        ("b", "find_ferry"): f"{words}.",
    }


def test_tools_of_held_out_topics_share_no_name_with_the_others() -> None:
    words = "Finds ferries between ports"
    tools = {
        "a": [
            ferry_tool("find_ferry", "a", words, "port", topics=("Bus",)),
            ferry_tool("find_ferry", "b", words, "port", topics=("Pizza",)),
        ]
    }
    library = build_library(tools, ("Pizza",), hash_vectors)
    assert library.names["a", "find_ferry"] != library.names["b", "find_ferry"]
