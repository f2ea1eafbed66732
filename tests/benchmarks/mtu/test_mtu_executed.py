"""Turns whose calls are made before the turn ends: natively in a loop, or by a program."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolyard import evaluate
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.scoring.parse import parse
from toolyard.benchmarks.mtu.task.prompt import EXECUTED
from toolyard.core.declared_world import VERSION
from toolyard.core.episodes import SAME_CALL, call_reply
from toolyard.core.errors import UsageError
from toolyard.core.types import Completion, JsonValue, Request, Transcript
from toolyard.run.grade.grading import grade_all
from toolyard.run.play.environment import tool_ids
from toolyard.run.play.offline import gold_answers, play_with
from toolyard.run.run import Run
from toolyard.run.settings import Settings

# A share that is looked up, whose symbol the second call takes; a row that was written by hand.
NESTED, BY_HAND = "M-M_1000_0", "M-M_1_1"
DATA = {"starter": 4, "hard": 7}


def planned(style: str, *ids: str, data: str = "starter", **more: Any) -> Run:
    return Run.plan(Settings("mtu", "scripted/oracle", style=style, data=data, ids=ids, **more))


def graded(run: Run, transcripts: list[Transcript], figure: str = "outcome") -> list[float | None]:
    grades = grade_all(run.setup, run.samples, transcripts, {}, "paper")
    return [each.score.values.get(figure) for each in grades]


def seen(transcript: Transcript) -> list[str]:
    return [message.content for message in transcript.messages if message.role == "tool"]


def played(style: str, sample: str, *replies: Completion) -> tuple[Run, Transcript]:
    """The row with these replies, one after the other, and words after the last."""
    run = planned(style, sample)
    left = list(replies)
    (found,) = play_with(run.setup, run.samples, lambda _: left.pop(0) if left else Completion("Done."))
    return run, found


@pytest.mark.parametrize("style", EXECUTED)
@pytest.mark.parametrize("data", DATA)
def test_gold_reaches_one_with_the_values_that_calls_return(style: str, data: str) -> None:
    everything = planned(style, data=data)
    run = planned(style, *(sample.id for sample in everything.samples[:: 4 * DATA[data]]), data=data)
    transcripts = play_with(run.setup, run.samples, gold_answers(run.setup, run.samples))
    assert set(graded(run, transcripts)) == {1.0}
    assert any("returned" in each.notes for each in transcripts)


@pytest.mark.parametrize("style", EXECUTED)
def test_an_empty_answer_scores_as_in_words(tmp_path: Path, style: str) -> None:
    def figures(style: str) -> dict[str, float | None]:
        found = evaluate("mtu", "scripted/empty", style=style, limit=8, runs=tmp_path / style)
        return {name: each.value for name, each in found.summaries["paper"].figures.items()}

    assert figures(style) == figures("default")


@pytest.mark.parametrize("data", DATA)
def test_every_document_of_a_row_from_the_world_is_a_tool_of_it(data: str) -> None:
    run = planned("native-executed", data=data)
    scenes = [BENCHMARK.task.scene_in("native-executed")(each, run.setup.options) for each in run.samples]  # type: ignore[misc]
    known = [scene.documented for scene in scenes if scene.documented]
    assert known
    assert all(tool_ids(documented).keys() == documented.keys() for documented in known[:: DATA[data]])


def test_a_value_that_a_call_returned_stands_for_the_reference_to_it() -> None:
    run, found = played(
        "native-executed",
        NESTED,
        call_reply(0, "get_stock_symbol_search_endpoint", {"keywords": "Nvidia"}),
        call_reply(1, "get_stock_quote_endpoint", {"symbol": "NVDA"}),
    )
    assert json.loads(seen(found)[0])["ticker"] == "NVDA"
    (sample,) = run.samples
    calls = [parse(sample, found, profile).calls for profile in ("paper", "official")]
    assert [each[1].arguments for each in calls] == [
        {"symbol": "get_stock_symbol_search_endpoint.ticker"}
    ] * 2
    assert graded(run, [found]) == [1.0]


@pytest.mark.parametrize(
    ("symbol", "earned"),
    [
        ("AMD", 0.0),
        ("NVIDIA Corporation", 1.0),
        # What the model saw it must pass on: the call was made with these words, and found nothing.
        ("get_stock_symbol_search_endpoint.ticker", 0.0),
    ],
)
def test_another_value_is_wrong_but_for_one_that_the_row_accepts(symbol: str, earned: float) -> None:
    run, found = played(
        "native-executed",
        NESTED,
        call_reply(0, "get_stock_symbol_search_endpoint", {"keywords": "Nvidia"}),
        call_reply(1, "get_stock_quote_endpoint", {"symbol": symbol}),
    )
    assert graded(run, [found]) == [earned]


def test_a_program_computes_with_what_functions_return() -> None:
    lines = [
        'found = get_stock_symbol_search_endpoint(keywords="Nvidia")',
        'quote = get_stock_quote_endpoint(symbol=found["ticker"].lower().upper())',
        'print(quote["price"] > 1)',
    ]
    run, found = played("code-executed", NESTED, Completion("```python\n" + "\n".join(lines) + "\n```"))
    assert found.notes["program"] == {"calls": 2, "printed": "True\n", "errors": []}
    assert graded(run, [found]) == [1.0]


def test_results_of_a_row_that_was_written_by_hand_are_references() -> None:
    switch = {"room": "kitchen", "state": "off"}
    _, found = played("native-executed", BY_HAND, call_reply(0, "switch_lamp", switch))
    assert seen(found) == ['{"status": "switch_lamp.status"}']
    assert "returned" not in found.notes


def test_a_refusal_is_shown_and_the_call_counts() -> None:
    run, found = played(
        "native-executed",
        NESTED,
        call_reply(0, "get_stock_symbol_search_endpoint", {"words": "Nvidia"}),
        call_reply(1, "no_such_function", {}),
    )
    assert "unknown parameter" in seen(found)[0] and "no function no_such_function" in seen(found)[1]
    assert parse(run.samples[0], found, "paper").names == (
        "get_stock_symbol_search_endpoint",
        "no_such_function",
    )


def test_arguments_that_cannot_be_read_are_a_fault_of_form() -> None:
    call: dict[str, JsonValue] = {
        "id": "1",
        "type": "function",
        "function": {"name": "get_stock_quote_endpoint", "arguments": "symbol=NVDA"},
    }
    run, found = played("native-executed", NESTED, Completion("", tool_calls=(call,)))
    failure = parse(run.samples[0], found, "paper").failure
    assert failure is not None and failure.kind == "action_input_not_an_object"
    assert graded(run, [found]) == [0.0]


def test_a_call_made_again_gets_its_answer_again_and_the_second_repetition_ends_the_turn() -> None:
    again = call_reply(0, "get_stock_symbol_search_endpoint", {"keywords": "Nvidia"})
    run, found = played("native-executed", NESTED, *[again] * 5)
    answers = seen(found)
    assert len(found.completions) == 3
    assert answers == [answers[0], f"{answers[0]}\n{SAME_CALL}", ""]
    assert found.notes["repeated_calls"] == 2
    assert len(parse(run.samples[0], found, "paper").calls) == 1


def test_a_turn_of_new_calls_ends_with_its_rounds() -> None:
    run = planned("native-executed", NESTED)

    def answer(request: Request) -> Completion:
        number = len(request.messages)
        return call_reply(number, "get_stock_symbol_search_endpoint", {"keywords": f"company {number}"})

    (found,) = play_with(run.setup, run.samples, answer)
    assert len(found.completions) == 16


def test_several_calls_of_a_reply_are_all_answered() -> None:
    two = tuple(
        call_reply(number, "get_stock_symbol_search_endpoint", {"keywords": name}).tool_calls[0]
        for number, name in enumerate(("Nvidia", "IBM"))
    )
    _, found = played("native-parallel", NESTED, Completion("", tool_calls=two))
    assert [json.loads(each)["ticker"] for each in seen(found)] == ["NVDA", "IBM"]


def test_a_tool_can_be_called_once_a_search_has_found_it() -> None:
    call = call_reply(0, "get_stock_symbol_search_endpoint", {"keywords": "Nvidia"})
    search = call_reply(1, "search_tools", {"query": "symbol of a company's share"})
    run, found = played("search", NESTED, call, search, call)
    assert "there is no function" in seen(found)[0] and json.loads(seen(found)[2])["ticker"] == "NVDA"
    # A call of what was not offered stays one: it matches no tool of gold.
    assert parse(run.samples[0], found, "paper").names == (
        "get_stock_symbol_search_endpoint (not found yet)",
        "get_stock_symbol_search_endpoint",
    )


def test_a_turn_begins_after_the_calls_of_earlier_ones() -> None:
    (sample,) = (
        each
        for each in planned("native-executed", data="hard").samples
        if each.groups["dialogue"] == "M-S_28" and "add_watermark" in json.dumps(each.gold["calls"])
    )
    run = planned("native-executed", sample.id, data="hard")
    (found,) = play_with(run.setup, run.samples, gold_answers(run.setup, run.samples))
    # The file that the watermark goes into was made by an earlier turn; this turn's own change is the only one noted.
    assert json.loads(seen(found)[0])["file_path"] == "/workspace/watermarked_minutes.pdf"
    changed = json.dumps(found.notes["world"])
    assert "watermarked_minutes.pdf" in changed and "/workspace/minutes.pdf" not in changed


def test_own_histories_have_no_results_to_show() -> None:
    run = planned("native-executed", NESTED, options={"history": "own"})
    with pytest.raises(UsageError, match="--history own has no results but the recorded ones"):
        play_with(run.setup, run.samples, lambda _: Completion("Done."))


@pytest.mark.parametrize("style", BENCHMARK.task.styles)
def test_only_styles_that_call_tools_depend_on_the_world(style: str) -> None:
    run = planned(style, NESTED)
    assert run.config.world == (VERSION if style in EXECUTED else "")
