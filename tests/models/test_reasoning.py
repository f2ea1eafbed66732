"""Thoughts: kept apart from answers, with room of their own, counted, priced, and sent back or not."""

from typing import Any

import pytest
from aiohttp import web

from cases import cases
from chat_endpoint import ChatEndpoint
from toolyard.core.errors import UsageError
from toolyard.core.types import Completion, Decoding, Message, Request, Usage
from toolyard.models.base import Price
from toolyard.models.cache.stored_completions import completion_json, read_completion
from toolyard.models.http.request_settings import read_asking
from toolyard.models.http.thoughts import split_thought
from toolyard.models.spec import ModelSpec

ASK = Request((Message("user", "hello"),), Decoding(max_tokens=100))


def said(message: dict[str, Any], *, reason: str = "stop", **usage: Any) -> web.Response:
    counts = {"prompt_tokens": 50, "completion_tokens": 40, **usage}
    return web.json_response({"choices": [{"message": message, "finish_reason": reason}], "usage": counts})


@pytest.mark.parametrize(("text", "thought", "answer", "closed"), cases(__file__, "a_reply_is_taken_apart"))
def test_a_reply_is_taken_apart(text: str, thought: str, answer: str, closed: bool) -> None:
    found = split_thought(text)
    assert (found.thought, found.answer, found.closed) == (thought, answer, closed)


@pytest.mark.parametrize(
    "message",
    cases(__file__, "a_thought_is_no_part_of_the_answer_wherever_it_stands"),
    ids=["reasoning_content", "reasoning", "thinking", "details", "parts", "tags"],
)
def test_a_thought_is_no_part_of_the_answer_wherever_it_stands(message: dict[str, Any]) -> None:
    _, (answer,) = ChatEndpoint(lambda body: said(message)).ask(ASK)
    assert (answer.text, answer.reasoning) == ("c", "a")
    assert answer.usage.reasoning_tokens == 20


def test_effort_and_room_are_sent_and_the_answers_limit_stays() -> None:
    long = {"content": "word " * 40, "reasoning_content": "a"}
    counts = {"completion_tokens": 500, "completion_tokens_details": {"reasoning_tokens": 300}}
    endpoint = ChatEndpoint(lambda body: said(long, **counts))
    stopping = Request(ASK.messages, Decoding(max_tokens=100, stop=("\nUser:",)))
    model, (answer,) = endpoint.ask(stopping, settings="&reasoning=low&reasoning_tokens=1000")
    (body,) = endpoint.bodies
    assert (body["reasoning_effort"], body["max_tokens"]) == ("low", 1100)
    # a thought may mention the word at which the answer stops
    assert "stop" not in body
    # 200 tokens of answer, 100 allowed: half of the text is left
    assert (answer.text, answer.finish_reason) == ("word " * 20, "length")
    assert answer.usage == Usage(50, 500, 300)
    assert model.serving == {"surface": "chat", "server": model.serving["server"], "reasoning": "low",
                             "reasoning_tokens": 1000}  # fmt: skip


@pytest.mark.parametrize(
    "cut",
    [{"content": "<think>on and on"}, {"content": "", "reasoning_content": "on and on"}],
    ids=["tag", "field"],
)
def test_a_model_that_thinks_unasked_gets_room_and_its_first_thought_is_paid(cut: dict[str, str]) -> None:
    endpoint = ChatEndpoint(
        lambda body: (
            said(cut, reason="length")
            if body["max_tokens"] == 100
            else said({"content": "c", "reasoning": "a"})
        )
    )
    model, answers = endpoint.ask(ASK, ASK)
    assert [answer.text for answer in answers] == ["c", "c"]
    assert [body["max_tokens"] for body in endpoint.bodies] == [100, 8292, 8292]
    assert [answer.usage.completion_tokens for answer in answers] == [40, 40]
    assert [answer.paid.completion_tokens for answer in answers] == [80, 40]
    assert model.adjustments == ("the model thinks: 8192 tokens of room for it",)


def test_a_thought_that_takes_all_its_room_is_an_empty_answer_and_counted() -> None:
    endpoint = ChatEndpoint(lambda body: said({"content": "<think>on and on"}, reason="length"))
    model, (answer,) = endpoint.ask(ASK, settings="&reasoning=low")
    assert (answer.text, answer.reasoning, answer.finish_reason) == ("", "on and on", "thought_cut")
    assert "1 answer ended inside the thought" in model.adjustments


def test_thoughts_go_back_only_where_they_are_wanted() -> None:
    endpoint = ChatEndpoint(lambda body: said({"content": "c"}))
    turn = Completion("b", reasoning="a").message
    again = Request((Message("user", "x"), turn, Message("user", "y")), Decoding())
    for settings in ("", "&thoughts=sent"):
        endpoint.ask(again, settings=settings)
    assert [body["messages"][1] for body in endpoint.bodies] == [
        {"role": "assistant", "content": "b"},
        {"role": "assistant", "content": "b", "reasoning_content": "a"},
    ]


def test_cached_and_thought_tokens_are_counted_and_priced() -> None:
    counts = {"prompt_tokens_details": {"cached_tokens": 30}, "total_tokens": 100,
              "completion_tokens_details": {"reasoning_tokens": 10}}  # fmt: skip
    endpoint = ChatEndpoint(lambda body: said({"content": "c"}, **counts))
    _, (answer,) = endpoint.ask(ASK, settings="&price=10,20,1")
    # the total says that these ten are counted beside what is written
    assert answer.usage == Usage(50, 50, 10, 30)
    assert ModelSpec.parse("openai/m?price=10,20,1").price == Price(10, 20, 1)
    assert Price(10, 20, 1).cost(answer.usage) == pytest.approx((20 * 10 + 30 * 1 + 50 * 20) / 1e6)
    assert Price(10, 20).cost(answer.usage) == pytest.approx((50 * 10 + 50 * 20) / 1e6)


def test_a_completion_of_an_earlier_version_is_read() -> None:
    old = {"text": "x", "usage": {"prompt_tokens": 1, "completion_tokens": 2}, "reasoning": "r"}
    assert read_completion(old) == Completion("x", usage=Usage(1, 2), reasoning="r")
    new = Completion("x", usage=Usage(1, 2, 1, 1), first_token=0.5)
    assert read_completion(completion_json(new)) == new


@pytest.mark.parametrize(("settings", "said"), cases(__file__, "a_wrong_setting_is_one_line"))
def test_a_wrong_setting_is_one_line(settings: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_asking(ModelSpec.parse(f"openai/m?{settings}"))
