"""MODEL arguments: which exist, what each says and becomes, and the keys and prices that stand around one."""

import asyncio
import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from toolyard.core.errors import MissingExtra, ProviderError, UsageError
from toolyard.core.types import Completion, Decoding, Message, Request, Usage
from toolyard.models.agents.agent_functions import FunctionModel
from toolyard.models.base import CallableModel, Model, Price, request_tokens
from toolyard.models.environment_settings import address_line, fill_in_price, load_variables, read_prices
from toolyard.models.http.openai import read_address
from toolyard.models.http.stream import EventStream
from toolyard.models.loading import load_model, model_identity, model_price
from toolyard.models.spec import ModelSpec
from toolyard.owntools.sources.source_loading import header_values
from toolyard.run.api import evaluate
from toolyard.run.plan.run_config import display_name

KEY = "sk-PLANTED0123456789abcdef"


@each_case("text, identity, display")
def test_identity_and_display_stay_as_they_were_typed(text: str, identity: str, display: str) -> None:
    spec = ModelSpec.parse(text)
    assert (spec.identity, spec.display) == (identity, display)
    assert (model_identity(text), display_name(text)) == (identity, display)
    assert ModelSpec.parse(spec.identity).identity == identity
    assert spec.printable == text
    assert not spec.holds_key


def test_prices() -> None:
    assert model_price("openai/m?price=0.15,0.6") == Price(0.15, 0.6)
    assert model_price("openai/m") is None
    assert model_price("local") == model_price("scripted/oracle") == Price(0.0, 0.0)
    assert model_price("inspect/openai/gpt") is None
    assert model_price("python/respond@1") is None


@each_case("text, says")
def test_what_is_wrong_is_one_line_without_the_key(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        model_price(text)
    assert "\n" not in str(caught.value)
    assert "PLANTED" not in str(caught.value)
    assert "pass" not in str(caught.value).replace("password", "")


@pytest.mark.parametrize(
    "key", [KEY, "0f8fad5b-d9cb-469f-a165-70867728950e", "hf_abcdefgh12345678", "AbCdEf0123456789XyZ"]
)
def test_a_key_in_a_path_is_shown_and_filed_as_a_digest(key: str) -> None:
    spec = ModelSpec.parse(f"openai/m?base_url=https://h/{key}/v1&price=1,2")
    assert spec.holds_key
    assert key not in spec.identity + spec.printable + spec.display + repr(spec)
    assert spec.printable.startswith("openai/m?base_url=https://h/key-")
    assert ModelSpec.parse(spec.printable).identity == spec.identity
    other = ModelSpec.parse(f"openai/m?base_url=https://h/{key[:-1]}0x/v1")
    assert other.identity != spec.identity


@each_case("url")
def test_an_ordinary_address_is_shown_as_it_is(url: str) -> None:
    assert ModelSpec.parse(f"openai/m?base_url={url}").identity == f"openai/m?base_url={url}"


HELLO = Request((Message("system", "be brief"), Message("user", "hello")), Decoding())


def generate(model: Model, request: Request = HELLO) -> Completion:
    return asyncio.run(model.generate(request))


@pytest.mark.parametrize(
    "spec", ["gpt-4", "", "openai", "openai/", "inspect/mock", "scripted", "local/x", "nobody/m"]
)
def test_an_unknown_form_lists_the_forms(spec: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_model(spec)
    for form in ("local", "scripted/oracle", "openai/NAME", "inspect/PROVIDER/NAME", "python:MODULE:"):
        assert form in str(caught.value)
    assert spec not in ("openai", "local/x", "nobody/m") or "did you mean" not in str(caught.value)
    assert "inspect-agent:MODULE:FUNCTION or agent:COMMAND" in str(caught.value)


@each_case("spec, meant")
def test_a_misspelt_model_suggests_what_was_meant(spec: str, meant: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_model(spec)
    assert f"; did you mean {meant}? a model is one of " in str(caught.value)


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
    with pytest.raises(ProviderError, match=r"no answer to 2 samples, .* raised RuntimeError: no more today"):
        evaluate("nestools", moody, limit=2, runs=tmp_path / "runs", embedder="hash")
    (folder,) = (tmp_path / "runs").iterdir()
    lines = (folder / "transcripts.jsonl").read_text().splitlines()
    assert [json.loads(line)["error"]["kind"] for line in lines] == ["callable_failed"] * 2
    assert (folder / "scores.jsonl").read_text().count("callable_failed") >= 2


def test_a_function_that_fails_once_leaves_that_sample_unscored_and_says_why(
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


def test_inspect_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
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


OWN = "https://llm.example.com/v1"


@each_case("text, environment, url, key")
def test_openai_base_url_replaces_the_default_host_and_its_key_goes_nowhere_else(
    text: str, environment: dict[str, str], url: str, key: str | None
) -> None:
    found = read_address(ModelSpec.parse(text), environment)
    assert (found.base_url, found.key) == (url, key)


def test_the_address_becomes_part_of_the_model_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", OWN)
    assert fill_in_price("openai/m") == f"openai/m?base_url={OWN}"
    assert fill_in_price("openai/m?price=1,2") == f"openai/m?price=1,2&base_url={OWN}"
    assert fill_in_price("openai/m?base_url=http://x/v1") == "openai/m?base_url=http://x/v1"
    assert fill_in_price("local") == "local"
    assert address_line(fill_in_price("openai/m")) == f"openai/m is asked at {OWN} (OPENAI_BASE_URL)"
    assert address_line("openai/m?base_url=http://x/v1") == ""
    monkeypatch.setenv("OPENAI_BASE_URL", "https://user:word@llm.example.com/v1")
    with pytest.raises(UsageError, match="user name or password"):
        fill_in_price("openai/m")


def test_prices_come_from_a_list_with_its_date(tmp_path: Path) -> None:
    path = tmp_path / "model_prices_2026-11-02.json"
    listed = cases(__file__, "prices_come_from_a_list")
    path.write_text(json.dumps(listed))
    prices = read_prices(path)
    assert prices.date == "2026-11-02"
    assert fill_in_price("openai/m", prices) == "openai/m?price=0.15,0.6"
    assert fill_in_price("openai/n", prices) == "openai/n?price=1,0,0.1"
    assert fill_in_price("openai/m?price=7,8", prices) == "openai/m?price=7,8"
    found = model_price(fill_in_price("openai/m", prices))
    assert found is not None and found.output_per_million == 0.6
    for name, said in (
        ("halt", "did you mean half?"),
        ("half", "wants input_cost"),
        ("odd", "wants input_cost"),
    ):
        with pytest.raises(UsageError, match=said):
            fill_in_price(f"openai/{name}", prices)
    path.write_text(json.dumps({"date": "2026-10-01", **listed}))
    assert read_prices(path).date == "2026-10-01"
    undated = tmp_path / "prices.json"
    undated.write_text("{}")
    os.utime(undated, (1_790_000_000, 1_790_000_000))
    assert read_prices(undated).date == "2026-09-21 (of the file)"


@pytest.mark.parametrize("content", ["[]", "{", "[" * 100_000, "\udc80"])
def test_a_list_that_is_none_is_one_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "prices.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match="--prices"):
        read_prices(path)


def test_variables_come_from_a_file_that_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SET_BEFORE", "stays")
    for name in ("KEY_ONE", "KEY_TWO"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / ".env"
    path.write_text("# keys\nKEY_ONE = 'a b'\nexport KEY_TWO=c=d\n\nSET_BEFORE=other\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="no KEY_ONE"):
        load_model("openai/m?base_url=http://x/v1&key_env=KEY_ONE")
    load_variables(path)
    assert (os.environ["KEY_ONE"], os.environ["KEY_TWO"], os.environ["SET_BEFORE"]) == ("a b", "c=d", "stays")
    monkeypatch.delenv("KEY_ONE")
    monkeypatch.delenv("KEY_TWO")
    path.write_text("A=b\nsk-0123456789abcdef\n")
    with pytest.raises(UsageError, match="line 2: wanted NAME=value") as error:
        load_variables(path)
    assert "0123456789" not in str(error.value)
    with pytest.raises(UsageError, match="cannot be read"):
        load_variables(tmp_path / "missing")


@each_case("model, way")
def test_a_provider_without_a_kind_of_its_own_is_told_the_way(model: str, way: str) -> None:
    with pytest.raises(UsageError, match=way):
        load_model(model)


@each_case("url")
def test_an_address_that_no_request_can_be_sent_to_is_one_line(url: str) -> None:
    with pytest.raises(UsageError):
        load_model(f"openai/m?base_url={url}")


@each_case("name, value, says")
def test_an_odd_header_is_one_line(name: str, value: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADER_VALUE", value)
    with pytest.raises(UsageError, match=says) as error:
        header_values([f"{name}=HEADER_VALUE"])
    assert value == "fine" or value not in str(error.value)
