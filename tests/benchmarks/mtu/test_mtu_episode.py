"""Teacher-forced turns, own histories that cascade, and the three styles of a prompt."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from graded_answers import drive, grade
from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import (
    Completion,
    Conversation,
    Generate,
    Options,
    Request,
    Sample,
    Score,
    Transcript,
)

OWN = Options(style="default", values={"history": "own"})
GOLD = Options(style="default")


def dialogue(name: str) -> tuple[Sample, ...]:
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    return tuple(sample for sample in samples if sample.groups["dialogue"] == name)


def play(
    samples: tuple[Sample, ...], options: Options, answer: Callable[[Request], str]
) -> tuple[tuple[Conversation, ...], list[Request]]:
    episode = BENCHMARK.task.episode(samples, RunSetup.default(BENCHMARK, options))
    requests: list[Request] = []

    def reply(effect: Generate) -> Completion:
        requests.append(effect.request)
        return Completion(answer(effect.request))

    return drive(episode, reply), requests


def oracle(samples: tuple[Sample, ...]) -> Callable[[Request], str]:
    by_id = {sample.id: sample for sample in samples}
    return lambda request: BENCHMARK.checks.oracle(by_id[request.sample], (), random.Random(0))


def test_with_gold_history_or_right_calls_every_prompt_is_the_recorded_one() -> None:
    turns = dialogue("M-S_0")
    _, requests = play(turns, GOLD, lambda request: "Thought: no")
    assert [request.messages for request in requests] == [BENCHMARK.task.prompt(turn, GOLD) for turn in turns]
    talks, requests = play(turns, OWN, oracle(turns))
    assert [request.messages for request in requests] == [BENCHMARK.task.prompt(turn, OWN) for turn in turns]
    assert talks[-1].notes == {
        "turns_as_recorded": 4,
        "turns_apart": 0,
        "calls_with_observation": 2,
        "calls_with_error": 0,
    }


def test_another_call_gets_an_error_and_the_recorded_reply_is_not_shown() -> None:
    turns = dialogue("M-S_0")
    wrong = 'Thought: maybe\nAction: find_restaurants\nAction Input: {"town": "Riga", "kitchen": "Thai"}'
    answers = {"M-S_0_1": wrong}
    right = oracle(turns)
    talks, requests = play(turns, OWN, lambda request: answers.get(request.sample, right(request)))
    later = requests[2].messages[0].content
    assert '"kitchen": "Thai"' in later
    assert "no_recorded_result" in later
    assert "Pirosmani" not in later
    assert talks[2].notes["calls_with_error"] == 1
    assert talks[4].notes == {
        "turns_as_recorded": 3,
        "turns_apart": 1,
        "calls_with_observation": 1,
        "calls_with_error": 1,
    }


def test_a_call_that_was_missed_leaves_no_observation() -> None:
    turns = dialogue("M-M_1")
    talks, requests = play(turns, OWN, lambda request: "Thought: I do nothing.")
    assert 'start_vacuum": {' not in requests[2].messages[0].content.split("User:  I am leaving")[1]
    assert talks[2].notes["turns_apart"] == 1


def test_conversations_come_in_the_order_of_the_samples() -> None:
    turns = dialogue("M-S_2")
    mixed = (turns[3], turns[0], turns[2], turns[1], turns[4])
    talks, _ = play(mixed, OWN, oracle(turns))
    for sample, talk in zip(mixed, talks, strict=True):
        assert sample.input["user"] in talk.messages[0].content


def test_only_own_histories_join_the_turns_of_a_dialogue() -> None:
    assert BENCHMARK.task.is_joint(OWN)
    assert not BENCHMARK.task.is_joint(GOLD)


def test_verbatim_sends_the_question_as_it_is() -> None:
    for sample in BENCHMARK.data.load(BENCHMARK.data.starter, Options()):
        (message,) = BENCHMARK.task.prompt(sample, Options(style="verbatim"))
        assert message.content == sample.input["question"]


def test_native_offers_the_tools_instead_of_writing_them() -> None:
    turns = dialogue("M-S_0")
    _, requests = play(turns, Options(style="native"), lambda request: "")
    assert [tool["function"]["name"] for tool in requests[0].tools] == [
        "find_restaurants",
        "book_table",
        "cancel_table",
    ]
    assert "required_parameters" not in requests[0].messages[0].content


@pytest.mark.parametrize("style", BENCHMARK.task.styles)
def test_prompts_hold_tools_history_and_turn_but_no_gold(style: str) -> None:
    for sample in BENCHMARK.data.load(BENCHMARK.data.starter, Options()):
        options = Options(style=style)
        blind = replace(sample, gold=None, groups={}, cluster=sample.id)
        assert BENCHMARK.task.prompt(sample, options) == BENCHMARK.task.prompt(blind, options)
        assert sample.input["user"] in BENCHMARK.task.prompt(sample, options)[0].content


def test_the_default_prompt_of_a_first_turn_is_this() -> None:
    sample = next(
        sample for sample in BENCHMARK.data.load(BENCHMARK.data.starter, Options()) if sample.id == "S-S_2"
    )
    text = BENCHMARK.task.prompt(sample, GOLD)[0].content
    assert text.startswith("You help a user by talking and, where it is needed, by calling one of the tools")
    assert "6. Today is Thursday, 2024-05-16." in text
    assert '{"name":"track_parcel"' in text
    assert text.endswith("User: Where is my parcel RX-4471-DE?")


def test_a_template_of_the_user_replaces_ours() -> None:
    sample = dialogue("S-S_2")[0]
    options = Options(
        style="default", templates={"turn": "{{user}} | {{instructions}}", "instructions_single": "Be brief."}
    )
    assert BENCHMARK.task.prompt(sample, options)[0].content == "Where is my parcel RX-4471-DE? | Be brief."


def test_a_call_that_equals_gold_is_taken_where_the_record_says_otherwise() -> None:
    first, second, *_ = dialogue("M-S_1")
    recorded = {
        **second.input["history"][0],
        "calls": [{"name": "get_weather", "arguments": {"town": "Oulu"}}],
    }
    changed = replace(second, input={**second.input, "history": [recorded]})
    talks, requests = play((first, changed), OWN, oracle((first, changed)))
    assert talks[1].notes["turns_as_recorded"] == 1
    shown = requests[1].messages[0].content
    assert '"day": "2024-05-17"' in shown
    assert "80 %" in shown


RECOVER = Options("default", values={"recover": "yes"})
STRICT = Options("default", values={"recover": "no"})
WENT_ON = '\nObservation: {"price": 3}\nThought: good\nAction: convert_currency\nAction Input: {"amount": 1}'


def turn_score(options: Options, extra: str) -> tuple[Score, Request]:
    (turn,) = dialogue("S-S_0")
    right = oracle((turn,))
    talks, requests = play((turn,), options, lambda request: right(request) + extra)
    transcript = Transcript(turn.id, 0, talks[0].messages, talks[0].completions, talks[0].notes)
    return grade(BENCHMARK, turn, transcript), requests[0]


def test_a_turn_that_goes_on_counts_up_to_its_call_and_has_its_fault() -> None:
    score, request = turn_score(RECOVER, WENT_ON)
    assert score.values["exact"] == 1
    assert score.errors == {"turn": {"went_on": 1}}
    assert request.decoding.stop == ("\nObservation:", "\nobservation:", "\nUser:", "\nuser:")


def test_read_strictly_such_a_turn_is_wrong_and_one_that_ends_with_its_call_is_not() -> None:
    score, request = turn_score(STRICT, WENT_ON)
    assert score.values["exact"] == 0
    assert "turn" not in score.errors
    assert request.decoding.stop == ()
    score, _ = turn_score(RECOVER, "")
    assert (score.values["exact"], score.errors) == (1, {})
