"""The loop: nine rounds, complaints, questions, changes, trimming, and native calls."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from graded_answers import drive
from tooleyes_harbour import HARBOUR, call, finish
from toolyard.benchmarks.tooleyes import BENCHMARK
from toolyard.benchmarks.tooleyes.scoring.parse import parse
from toolyard.benchmarks.tooleyes.task.episode import MAX_ROUNDS, Log, episode, trim_messages
from toolyard.benchmarks.tooleyes.task.prompt import prompt
from toolyard.benchmarks.tooleyes.task.rounds import read_round
from toolyard.core.benchmark import RunSetup
from toolyard.core.episodes import SAME_CALL
from toolyard.core.errors import UsageError
from toolyard.core.types import (
    AskUser,
    Completion,
    Conversation,
    Effect,
    Execute,
    Generate,
    Message,
    Observation,
    Options,
    Request,
    Sample,
    Transcript,
)

GOOD = call("find_berth", {"ship": "Meridian"})
OTHERS = [call("find_berth", {"ship": f"Meridian {number}"}) for number in range(20)]
OPTIONS = Options("zero-shot")
BERTH = Observation('{"berth": 7}', {"berth": 7})


class Played:
    """An episode driven by hand: what it asked for, and what it left."""

    def __init__(
        self,
        sample: Sample,
        replies: Iterable[str | Completion],
        options: Options = OPTIONS,
        result: Observation = BERTH,
    ) -> None:
        self.result = result
        self.requests: list[Request] = []
        self.calls: list[Execute] = []
        self.questions: list[str] = []
        self._replies = iter(replies)
        play = episode((sample,), RunSetup.default(BENCHMARK, options))
        self.conversation: Conversation = drive(play, self._answer)[0]

    def _answer(self, effect: Effect) -> Completion | Observation | str:
        if isinstance(effect, Generate):
            self.requests.append(effect.request)
            text = next(self._replies)
            return text if isinstance(text, Completion) else Completion(text)
        if isinstance(effect, Execute):
            self.calls.append(effect)
            return self.result
        assert isinstance(effect, AskUser)
        self.questions.append(effect.question)
        return "The big one."

    @property
    def notes(self) -> dict[str, Any]:
        return dict(self.conversation.notes)

    def transcript(self) -> Transcript:
        talk = self.conversation
        return Transcript(HARBOUR.id, 0, talk.messages, talk.completions, talk.notes)


def test_a_call_is_performed_and_its_result_shown() -> None:
    played = Played(HARBOUR, [GOOD, finish()])
    assert played.calls == [Execute("find_berth", {"ship": "Meridian"})]
    assert played.requests[1].messages[-1].content == 'Observation: {"berth": 7}'
    assert played.notes["forced"] is None
    assert played.conversation.completions[0].text == GOOD


def native_call(name: str, **arguments: Any) -> Completion:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return Completion("", tool_calls=({"id": "c1", "type": "function", "function": function},))


@pytest.mark.parametrize(
    ("again", "style"), [(GOOD, "zero-shot"), (native_call("find_berth", ship="Meridian"), "native")]
)
def test_a_call_repeated_word_for_word_gets_its_answer_again_and_ends_the_episode_the_second_time(
    again: str | Completion, style: str
) -> None:
    played = Played(HARBOUR, [again] * 9, Options(style))
    assert (len(played.requests), len(played.calls)) == (3, 1)
    first, second = (played.requests[place].messages[-1].content for place in (1, 2))
    assert second == f"{first}\n{SAME_CALL}"
    assert (played.notes["forced"], played.notes["repeated_calls"]) == ("repeated_calls", 2)
    assert not parse(HARBOUR, played.transcript(), "paper").passed


def test_a_call_that_failed_for_a_moment_is_made_again() -> None:
    busy = Observation('{"error": "rate_limited"}', error="rate_limited")
    played = Played(HARBOUR, [GOOD] * 4 + [finish()], result=busy)
    assert (len(played.calls), played.notes["forced"]) == (4, None)


def test_nine_rounds_are_enough_to_finish_and_no_more_is_played() -> None:
    played = Played(HARBOUR, [*OTHERS[:8], finish()])
    assert parse(HARBOUR, played.transcript(), "paper").passed
    played = Played(HARBOUR, OTHERS)
    assert len(played.requests) == MAX_ROUNDS == 9
    assert played.notes["forced"] == "too_many_rounds"
    assert not parse(HARBOUR, played.transcript(), "paper").passed
    official = parse(HARBOUR, played.transcript(), "official")
    assert len(official.assistant) == 10


@pytest.mark.parametrize(
    "broken", ["hello", GOOD + "\nPlease wait.", call("find_berth", "{"), GOOD + "\n" + GOOD]
)
def test_a_reply_that_cannot_be_read_is_complained_about_and_not_performed(broken: str) -> None:
    played = Played(HARBOUR, [broken, finish()])
    assert played.calls == []
    assert played.requests[1].messages[-2].content == broken
    assert played.notes["conversation"][1]["kind"] == "format"


def test_json_and_python_arguments_are_performed_and_questions_go_to_the_user() -> None:
    replies = [call("find_berth", "{'ship': None}"), call("find_berth", '{"pier": null}'), finish()]
    assert [effect.arguments for effect in Played(HARBOUR, replies).calls] == [{"ship": None}, {"pier": None}]
    played = Played(HARBOUR, [call("ask_to_user", {"question": "Which ship?"}), finish()])
    assert played.questions == ["Which ship?"]
    assert played.requests[1].messages[-1] == Message("user", "The big one.")


def changing(after_round: int) -> Sample:
    return HARBOUR.with_input({"change": {"after_round": after_round, "text": "Rather the Aurora."}})


def test_the_user_changes_the_request_after_the_given_round_or_at_an_early_answer() -> None:
    played = Played(changing(2), [GOOD, GOOD, finish()])
    said = [[message.content for message in request.messages] for request in played.requests]
    assert [texts.count("Rather the Aurora.") for texts in said] == [0, 0, 1]
    assert said[2][-1] == "Rather the Aurora."
    played = Played(changing(3), [finish("early"), finish("late")])
    assert played.requests[1].messages[-1].content == "Rather the Aurora."
    assert parse(HARBOUR, played.transcript(), "paper").answer == "late"


def test_the_oldest_observations_make_room_and_it_is_said() -> None:
    messages = [Message("system", "s" * 100), Message("user", "q")]
    messages += [Message("user", f"Observation: {'x' * 400}") for _ in range(3)]
    log = Log(messages, observed=[2, 3, 4])
    shown = trim_messages(log, limit=200)
    assert [len(message.content) > 400 for message in shown] == [False, False, False, False, True]
    assert "left out to make room: 413 characters" in shown[2].content
    assert [entry["message"] for entry in log.dropped] == [2, 3]
    assert trim_messages(log, limit=200) == shown
    assert len(log.dropped) == 2
    assert log.messages[2].content.endswith("xxx")


def native(name: str, arguments: str, identifier: str = "c1", text: str = "") -> Completion:
    asked = {"id": identifier, "type": "function", "function": {"name": name, "arguments": arguments}}
    return Completion(text, tool_calls=(asked,))


NATIVE = Options("native")


def test_native_calls_are_offered_performed_and_answered() -> None:
    replies = [
        native("find_berth", '{"ship": "Meridian"}', text="I look."),
        native("finish", '{"answer": "Seven."}'),
    ]
    played = Played(HARBOUR, replies, NATIVE)
    assert [tool["function"]["name"] for tool in played.requests[0].tools] == [
        "find_berth", "tide", "ask_to_user", "finish",
    ]  # fmt: skip
    assert played.calls == [Execute("find_berth", {"ship": "Meridian"})]
    answered = played.requests[1].messages[-1]
    assert (answered.role, answered.tool_call_id, answered.content) == ("tool", "c1", '{"berth": 7}')
    found = parse(HARBOUR, played.transcript(), "paper")
    assert [turn.problem for turn in found.rounds] == ["", ""]
    assert (found.passed, found.answer, found.rounds[0].thought) == (True, "Seven.", "I look.")


def test_native_words_are_the_answer_and_arguments_that_are_no_json_complained_about() -> None:
    played = Played(HARBOUR, [Completion("Berth 7 is free.")], NATIVE)
    assert parse(HARBOUR, played.transcript(), "paper").answer == "Berth 7 is free."
    played = Played(HARBOUR, [native("find_berth", "{broken"), native("finish", '{"answer": "x"}')], NATIVE)
    assert played.calls == []
    assert played.requests[1].messages[-1].role == "tool"
    assert parse(HARBOUR, played.transcript(), "paper").rounds[0].problem == "malformed_json"
    assert Played(HARBOUR, [finish()]).requests[0].tools == ()


def test_the_users_templates_and_five_shot_examples_are_shown() -> None:
    zero, five = (prompt(HARBOUR, Options(style))[0].content for style in ("zero-shot", "five-shot"))
    assert (zero.count("Action Input:"), five.count("Action Input:")) == (1, 6)
    for document in HARBOUR.input["documents"]:
        assert json.dumps(document) in zero
    own = replace(OPTIONS, templates={"system": "Be brief. {{tools}}{{examples}}"})
    assert prompt(HARBOUR, own)[0].content.startswith("Be brief.")


def test_verbatim_without_the_official_file_says_which_one() -> None:
    with pytest.raises(UsageError, match=r"scenario_data_zero_processed\.json"):
        Played(HARBOUR, [finish()], replace(OPTIONS, style="verbatim"))
    with_prompt = HARBOUR.with_input({"system": {"zero-shot": "the official text"}})
    played = Played(with_prompt, [finish()], replace(OPTIONS, style="verbatim"))
    assert played.requests[0].messages[0].content == "the official text"


@pytest.mark.parametrize(
    "text", ["", "<think>", "Action: finish", "\ud800", "Action Input: {", "Thought:" * 50]
)
def test_any_reply_ends_in_a_conversation(text: str) -> None:
    reply: Callable[[], str] = lambda: text  # noqa: E731
    assert Played(HARBOUR, (reply() for _ in range(9))).conversation.completions


RECOVER = Options("zero-shot", values={"recover": "yes"})
STRICT = Options("zero-shot", values={"recover": "no"})
INVENTED = f'{GOOD}\nObservation: {{"berth": 99}}\n{finish("Berth 99.")}'
BROKEN = f'Thought: x\nAction: find_berth\nAction Input: {{"ship": \nObservation: no\n{GOOD}'


def test_the_first_call_of_a_round_that_goes_on_is_made_and_the_format_stays_strict() -> None:
    played = Played(HARBOUR, [INVENTED, finish("Berth 7.")], RECOVER)
    assert played.calls == [Execute("find_berth", {"ship": "Meridian"})]
    sent = played.requests[1].messages
    assert sent[-1].content == f"Observation: {BERTH.text}"
    assert "99" not in sent[-2].content
    assert played.conversation.completions[0].text == INVENTED
    transcript = played.transcript()
    found = parse(HARBOUR, transcript, "paper")
    assert [turn.problem for turn in found.rounds] == ["redundant_text", ""]
    assert [turn.action for turn in found.rounds] == ["find_berth", "finish"]
    score = BENCHMARK.scoring.score(HARBOUR, found, {}, "paper")
    assert score.values["format_alignment"] == 0.5
    assert score.errors["format"]["redundant_text"] == 1
    recovered = Played(HARBOUR, [INVENTED, finish("Berth 7.")], RECOVER).transcript()
    turns = parse(HARBOUR, recovered, "official").turns
    assert "Observation:" in turns[0].value


def test_a_broken_first_call_is_not_replaced_and_without_recovery_nothing_is_called() -> None:
    played = Played(HARBOUR, [BROKEN, finish("x")], RECOVER)
    assert played.calls == []
    assert played.notes["conversation"][1]["kind"] == "format"
    played = Played(HARBOUR, [INVENTED, finish("x")], STRICT)
    assert played.calls == []
    assert played.requests[0].decoding.stop == ()


def test_the_model_is_stopped_at_the_keywords_of_the_loop() -> None:
    played = Played(HARBOUR, [call("find_berth", {"ship": "Meridian"}), finish("x")], RECOVER)
    assert played.requests[0].decoding.stop == ("\nObservation:", "\nUser:")
    native = Played(HARBOUR, ["All done."], Options("native", values={"recover": "yes"}))
    assert native.requests[0].decoding.stop == ()


def test_the_worked_example_is_valid_and_stands_before_the_tools_so_that_all_prompts_begin_alike() -> None:
    example = BENCHMARK.task.templates["example"]
    rounds = [read_round(part.strip()) for part in example.split("\n\n") if part.startswith("Thought:")]
    assert [turn.valid for turn in rounds] == [True, True, True]
    assert [turn.action for turn in rounds] == ["find_museum", "museum_hours", "finish"]
    assert example.count("\nObservation: ") == 2
    samples = BENCHMARK.data.load(BENCHMARK.data.starter, Options())
    assert not any("find_museum" in json.dumps(sample.input) for sample in samples)
    texts = [prompt(sample, Options("example"))[0].content for sample in (HARBOUR, *samples[:3])]
    head = texts[0].partition("The tools, one a line:")[0]
    assert "find_museum" in head
    assert all(text.startswith(head) for text in texts)
