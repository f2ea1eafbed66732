"""Which MODEL arguments exist, and what each becomes."""

import asyncio
import json
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from cases import cases
from toolyard.core.errors import MissingExtra, ProviderError, UsageError
from toolyard.core.types import Completion, Decoding, Message, Request, Usage
from toolyard.models.agents.agent_functions import FunctionModel
from toolyard.models.base import CallableModel, Model, request_tokens
from toolyard.models.http.stream import EventStream
from toolyard.models.loading import load_model
from toolyard.run.api import evaluate

HELLO = Request((Message("system", "be brief"), Message("user", "hello")), Decoding())


def generate(model: Model, request: Request = HELLO) -> Completion:
    return asyncio.run(model.generate(request))


@pytest.mark.parametrize(
    "spec", ["gpt-4", "", "openai", "openai/", "inspect/mock", "scripted", "local/x", "nobody/m"]
)
def test_an_unknown_form_lists_the_forms(spec: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_model(spec)
    for form in (
        "local",
        "scripted/oracle",
        "openai/NAME",
        "inspect/PROVIDER/NAME",
        "python:MODULE:FUNCTION",
    ):
        assert form in str(caught.value)
    assert "inspect-agent:MODULE:FUNCTION or agent:COMMAND" in str(caught.value)


@pytest.mark.parametrize(("spec", "meant"), cases(__file__, "a_misspelt_model_suggests_what_was_meant"))
def test_a_misspelt_model_suggests_what_was_meant(spec: str, meant: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_model(spec)
    assert f"; did you mean {meant}? a model is one of " in str(caught.value)


def test_where_nothing_is_near_nothing_is_suggested() -> None:
    for spec in ("openai", "local/x", "nobody/m"):
        with pytest.raises(UsageError) as caught:
            load_model(spec)
        assert "did you mean" not in str(caught.value)


def test_a_function_is_a_model() -> None:
    seen = []

    def respond(messages: list[dict[str, str]]) -> str:
        seen.append((messages, threading.current_thread() is threading.main_thread()))
        return "hi there"

    found = generate(load_model(respond))
    assert (found.text, found.model, found.usage) == ("hi there", "python/respond", Usage(4, 2))
    expected = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}]
    assert seen == [(expected, False)]


def test_an_async_function_or_object_is_a_model() -> None:
    async def respond(messages: list[dict[str, str]]) -> str:
        await asyncio.sleep(0)
        return messages[-1]["content"]

    assert generate(load_model(respond)).text == "hello"

    class Remote:
        async def __call__(self, messages: list[dict[str, str]]) -> str:
            return "remote"

    found = generate(load_model(Remote()))
    assert (found.text, found.model) == ("remote", "python/Remote")


def test_a_synchronous_function_is_called_once_at_a_time() -> None:
    busy = threading.Lock()

    def respond(messages: list[dict[str, str]]) -> str:
        assert busy.acquire(blocking=False)
        busy.release()
        return "ok"

    async def many(model: Model) -> int:
        return len(await asyncio.gather(*(model.generate(HELLO) for _ in range(20))))

    model = load_model(respond)
    assert asyncio.run(many(model)) == 20
    assert asyncio.run(many(model)) == 20


def test_a_function_that_returns_no_text_fails_its_sample() -> None:
    with pytest.raises(ProviderError, match="returned NoneType, wanted str"):
        generate(CallableModel(lambda messages: None))  # type: ignore[arg-type,return-value]


def test_whatever_a_function_raises_is_a_reason_of_one_line() -> None:
    async def slow(messages: object) -> str:
        raise ValueError("two\nlines \x1b[31m")

    def agent(messages: object, tools: object) -> str:
        return str(1 // 0)

    def wrong_signature() -> str:
        return "x"

    cases: list[tuple[Any, str]] = [
        (CallableModel(lambda messages: str(1 // 0)), "python/<lambda> raised ZeroDivisionError: "),
        (CallableModel(slow), "python/slow raised ValueError: two lines"),
        (CallableModel(wrong_signature), "python/wrong_signature raised TypeError: "),  # type: ignore[arg-type]
        (FunctionModel(agent, name="agent"), "agent raised ZeroDivisionError: "),
    ]
    for model, said in cases:
        with pytest.raises(ProviderError) as caught:
            generate(model)
        assert caught.value.kind == "callable_failed"
        assert str(caught.value).startswith(said)
        assert "\n" not in str(caught.value)


def test_a_function_that_fails_for_all_samples_is_an_error_with_the_first_reason(tmp_path: Path) -> None:
    def moody(messages: list[dict[str, str]]) -> str:
        raise RuntimeError("no more today")

    def wrong_signature() -> str:
        return "x"

    with pytest.raises(ProviderError, match="takes 0 positional arguments"):
        evaluate("nestools", wrong_signature, limit=2, runs=tmp_path / "other", embedder="hash")  # type: ignore[arg-type]
    with pytest.raises(
        ProviderError, match=r"no answer to 2 samples, .* raised RuntimeError: no more today; "
    ):
        evaluate("nestools", moody, limit=2, runs=tmp_path / "runs", embedder="hash")
    (folder,) = (tmp_path / "runs").iterdir()
    lines = (folder / "transcripts.jsonl").read_text().splitlines()
    assert [json.loads(line)["error"]["kind"] for line in lines] == ["callable_failed"] * 2
    assert (folder / "scores.jsonl").read_text().count("callable_failed") >= 2


def test_a_function_that_fails_once_leaves_that_sample_unscored_and_the_result_says_why(
    tmp_path: Path,
) -> None:
    answers = iter([""])
    result = evaluate(
        "nestools", lambda messages: next(answers), limit=2, runs=tmp_path, embedder="hash", concurrency=1
    )
    assert (result.summaries["paper"].samples, result.summaries["paper"].unscored) == (1, 1)
    assert "raised RuntimeError: StopIteration" in result.first_failure
    assert f"1 unscored (first failure: {result.first_failure})" in repr(result)
    whole = evaluate("nestools", "scripted/oracle", limit=1, runs=tmp_path, embedder="hash")
    assert (whole.first_failure, "failure" in repr(whole)) == ("", False)


def test_a_function_whose_first_answer_is_no_text_stops_at_once_and_leaves_nothing(tmp_path: Path) -> None:
    for wrong in (None, 5, ["text"], {"content": "text"}):
        with pytest.raises(ProviderError, match=f"returned {type(wrong).__name__}, wanted str"):
            evaluate("nestools", lambda messages, wrong=wrong: wrong, limit=2, runs=tmp_path, embedder="hash")  # type: ignore[misc,arg-type,return-value]
        assert list(tmp_path.iterdir()) == []


def test_a_function_that_later_returns_no_text_loses_that_sample_alone(tmp_path: Path) -> None:
    answers = iter(["[]", None, "[]"])
    result = evaluate("nestools", lambda messages: next(answers), limit=3, runs=tmp_path, embedder="hash")  # type: ignore[arg-type,return-value]
    assert (result.summaries["paper"].samples, result.summaries["paper"].unscored) == (2, 1)


def test_a_model_passes_through_and_something_else_is_none() -> None:
    model = CallableModel(lambda messages: "x")
    assert load_model(model) is model
    with pytest.raises(UsageError, match="int is not a model"):
        load_model(3)  # type: ignore[arg-type]


def test_inspect_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    monkeypatch.setitem(sys.modules, "inspect_ai.model", None)
    monkeypatch.setitem(sys.modules, "inspect_ai._util.error", None)
    with pytest.raises(MissingExtra, match=r"pip install 'toolyard\[inspect\]'"):
        load_model("inspect/openai/gpt-4o")


def test_loading_models_imports_no_engine() -> None:
    code = (
        "import sys, toolyard.models.base, toolyard.models.assets\n"
        "heavy = {'aiohttp', 'numpy', 'onnxruntime', 'xllamacpp', 'inspect_ai', 'urllib.request'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    import subprocess

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_event_may_come_in_any_pieces_however_long_it_is() -> None:
    whole = b'data: {"a": "' + b"x" * 4_000_000 + b'"}\r\n\r\ndata: [DONE]\n'
    stream = EventStream()
    events = [event for start in range(0, len(whole), 64) for event in stream.feed(whole[start : start + 64])]
    assert events == [{"a": "x" * 4_000_000}]
    assert stream.done


def test_the_worst_case_of_a_request_counts_its_tools_and_calls() -> None:
    tool = {"type": "function", "function": {"name": "t", "description": "x" * 4000}}
    call = {"id": "1", "function": {"name": "t", "arguments": "y" * 4000}}
    plain = Request((Message("user", "hello"),), Decoding())
    offered = Request(
        (Message("user", "hello"), Message("assistant", "", tool_calls=(call,))), Decoding(), tools=(tool,)
    )
    assert request_tokens(offered) >= request_tokens(plain) + 2000
