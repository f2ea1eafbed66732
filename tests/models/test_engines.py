"""Models that we start: vllm and sglang, the bundled one, and a model without a server asked as an endpoint."""

import asyncio
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from live_processes import are_gone, is_alive
from toolyard.core.errors import (
    CONTEXT_OVERFLOW,
    DataError,
    MissingAsset,
    MissingExtra,
    ProviderError,
    UsageError,
)
from toolyard.core.types import Completion, Decoding, Failure, Message, Request, Usage
from toolyard.models.base import Limits, Model, Price
from toolyard.models.embed.embedding import load_embedder
from toolyard.models.http.chat_server import Front, read_request, serve_model
from toolyard.models.http.endpoint import Endpoint
from toolyard.models.http.openai import OpenAIModel
from toolyard.models.http.request_settings import Asking
from toolyard.models.loading import load_model
from toolyard.models.local.bundled import LocalModel, bundled_serving
from toolyard.models.local.engines import SGLANG_PROVIDER, VLLM_PROVIDER
from toolyard.models.local.llama_process import ServerProcess, Serving
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.spec import ModelSpec

FAKE = """#!{python}
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
words = sys.argv[1:]
if "broken" in words:
    print("loading"); print("CUDA error: no device"); sys.exit(3)
key = words[words.index("--api-key") + 1]

class Server(BaseHTTPRequestHandler):
    def reply(self, value):
        data = json.dumps(value).encode()
        self.send_response(200 if self.headers["Authorization"] == "Bearer " + key else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
    def do_GET(self):
        self.reply({{"version": "0.99"}})
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        own = words[words.index("--served-model-name") + 2 : words.index("--host")]
        said = body["model"] + " " + " ".join(own)
        choice = {{"message": {{"content": said}}, "finish_reason": "stop"}}
        self.reply({{"choices": [choice], "usage": {{"prompt_tokens": 1, "completion_tokens": 1}}}})
    def log_message(self, *words):
        pass

HTTPServer(("127.0.0.1", int(words[words.index("--port") + 1])), Server).serve_forever()
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("vllm", "sglang"):
        path = tmp_path / name
        path.write_text(FAKE.format(python=sys.executable))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def loaded(provider: Provider, spec: str) -> Model:
    return provider.load(ModelSpec.parse(spec), LoadContext(Limits(timeout=60, retries=0)))


def answered(model: Model) -> tuple[Completion, dict[str, object]]:
    async def run() -> tuple[Completion, dict[str, object]]:
        try:
            answer = await model.generate(Request((Message("user", "hi"),), Decoding()))
            return answer, dict(getattr(model, "serving"))  # noqa: B009 - a model need not have it
        finally:
            await model.close()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("provider", "spec", "flags"),
    [
        (
            VLLM_PROVIDER,
            "vllm/org/m?parser=hermes&max_model_len=4096&enforce_eager=yes&args=--seed 3",
            "--enable-auto-tool-choice --tool-call-parser hermes --max-model-len 4096 --enforce-eager --seed 3",
        ),
        (
            SGLANG_PROVIDER,
            "sglang/org/m?parser=hermes&max_model_len=4096",
            "--tool-call-parser hermes --context-length 4096",
        ),
    ],
    ids=["vllm", "sglang"],
)
def test_an_installed_server_is_started_asked_and_ended(
    installed: Path, provider: Provider, spec: str, flags: str
) -> None:
    answer, serving = answered(loaded(provider, spec))
    kind = spec.split("/")[0]
    assert answer.text.split(" ", 1) == ["org/m", flags]
    assert (serving["server"], serving["parser"]) == (f"{kind} 0.99", "hermes")
    assert not [*installed.glob("*.log")]


def test_an_adapter_is_served_beside_the_weights_and_asked_by_its_name(installed: Path) -> None:
    adapter = installed / "adapter"
    adapter.mkdir()
    with pytest.raises(DataError, match=r"no adapter_config\.json"):
        loaded(VLLM_PROVIDER, f"vllm/org/m?lora={adapter}")
    (adapter / "adapter_config.json").write_text('{"r": 24}')
    (adapter / "adapter_model.safetensors").write_bytes(b"")
    answer, serving = answered(loaded(VLLM_PROVIDER, f"vllm/org/m?lora={adapter}"))
    name, flags = answer.text.split(" ", 1)
    assert (name, serving["adapter"]) == ("adapter", "beside the weights")
    assert flags == f"--enable-lora --max-lora-rank 32 --lora-modules adapter={adapter}"


@pytest.mark.parametrize("setting", ["max_model_len=long", "enforce_eager=maybe"])
def test_a_wrong_setting_is_refused(installed: Path, setting: str) -> None:
    with pytest.raises(UsageError):
        loaded(VLLM_PROVIDER, f"vllm/org/m?{setting}")


def test_a_server_to_be_imported_starts_as_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "vllm" / "entrypoints" / "cli"
    package.mkdir(parents=True)
    (package / "main.py").write_text(FAKE.format(python=sys.executable))
    (tmp_path / "vllm" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    answer, _ = answered(loaded(VLLM_PROVIDER, "vllm/org/m?parser=hermes"))
    assert answer.text == "org/m --enable-auto-tool-choice --tool-call-parser hermes"


def test_a_server_that_does_not_start_shows_the_end_of_its_log(installed: Path) -> None:
    with pytest.raises(ProviderError, match=r"status 3; its log .* ends: loading \| CUDA error") as caught:
        answered(loaded(VLLM_PROVIDER, "vllm/broken"))
    assert caught.value.kind == "unreachable"
    assert [log.read_text() for log in installed.glob("*.log")] == ["loading\nCUDA error: no device\n"]


def test_a_server_that_is_not_installed_names_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    for provider, kind in ((VLLM_PROVIDER, "vllm"), (SGLANG_PROVIDER, "sglang")):
        with pytest.raises(MissingExtra, match=f"pip install {kind}"):
            loaded(provider, f"{kind}/org/m")


FIND = {"type": "function", "function": {"name": "find", "parameters": {"type": "object", "properties": {}}}}


class Ferry:
    """Answers with a call where it has tools, with words otherwise, and keeps what it was asked."""

    name, price = "ferry", Price(0.0, 0.0)

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.closed = False

    async def generate(self, request: Request) -> Completion:
        self.asked.append(request)
        said = request.messages[-1].content
        if said == "too long":
            return Completion("", finish_reason=CONTEXT_OVERFLOW)
        if said == "broken":
            raise ProviderError("provider_failed", "no ferry today")
        call = {
            "id": "call_0",
            "type": "function",
            "function": {"name": "find", "arguments": '{"to": "Skye"}'},
        }
        calls = (call,) if request.tools else ()
        return Completion(
            "At noon.", "tool_calls" if calls else "stop", Usage(7, 3), tool_calls=calls, reasoning="Hm."
        )

    async def close(self) -> None:
        self.closed = True


def with_front(work: Callable[[Front], Coroutine[Any, Any, Any]]) -> tuple[Ferry, Any]:
    ferry = Ferry()

    async def run() -> Any:
        async with serve_model(ferry) as front:
            return await work(front)

    return ferry, asyncio.run(run())


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
def test_our_own_client_reads_what_the_model_said(streams: bool) -> None:
    request = Request(
        (Message("system", "Be brief."), Message("user", "When?")), Decoding(0.5, 0.9, 12, ("END",)), seed=4,
        tools=(FIND,), tool_choice="find", parallel_calls=False,
    )  # fmt: skip

    async def work(front: Front) -> Completion:
        model = OpenAIModel(
            "m", Endpoint(front.base_url, key=front.key, limits=Limits()), asking=Asking(streams=streams)
        )
        try:
            return await model.generate(request)
        finally:
            await model.close()

    ferry, found = with_front(work)
    assert (found.text, found.reasoning, found.finish_reason) == ("At noon.", "Hm.", "tool_calls")
    assert found.tool_calls[0]["function"] == {"name": "find", "arguments": '{"to": "Skye"}'}
    assert (found.usage.prompt_tokens, found.usage.completion_tokens) == (7, 3)
    asked = ferry.asked[0]
    assert (asked.messages, asked.decoding, asked.seed) == (request.messages, request.decoding, 4)
    assert (asked.tools, asked.tool_choice, asked.parallel_calls) == ((FIND,), "find", False)
    assert ferry.closed


def test_what_cannot_be_answered_is_refused_with_a_reason() -> None:
    async def work(front: Front) -> list[tuple[int, str]]:
        found = []
        good = {"Authorization": f"Bearer {front.key}"}
        said = '{"messages": [{"role": "user", "content": "%s"}]}'
        tries = [
            ("{", good),
            ("{}", good),
            (said % "too long", good),
            (said % "broken", good),
            (said % "x", {}),
        ]
        async with aiohttp.ClientSession() as session:
            for body, headers in tries:
                async with session.post(
                    f"{front.base_url}/chat/completions", data=body, headers=headers
                ) as answer:
                    found.append((answer.status, (await answer.json())["error"]["message"]))
        return found

    _, found = with_front(work)
    assert found == [
        (400, "the body is no JSON object"),
        (400, "messages: wanted a list that is not empty"),
        (400, "the prompt is longer than the context length"),
        (500, "no ferry today"),
        (401, "wrong key"),
    ]


def test_contents_in_parts_and_past_calls_are_read() -> None:
    past = {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    found = read_request(
        {
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
                {"role": "assistant", "content": None, "tool_calls": [past]},
                {"role": "tool", "tool_call_id": "c", "content": "noon"},
            ]
        }
    )
    assert isinstance(found, Request)
    assert [message.content for message in found.messages] == ["ab", "", "noon"]
    assert (found.messages[1].tool_calls, found.messages[2].tool_call_id) == ((past,), "c")
    assert isinstance(read_request({"messages": [{"role": "narrator"}]}), Failure)
    assert isinstance(read_request({"messages": [{"role": "user"}], "tools": "all"}), Failure)
    for size in (10**400, float("inf"), float("nan"), -1):
        assert isinstance(read_request({"messages": [{"role": "user"}], "max_tokens": size}), Failure)


def test_the_bundled_model_answers_and_its_process_ends() -> None:
    async def run() -> tuple[tuple[Completion, Completion], int]:
        model = load_model("local")
        assert isinstance(model, LocalModel)
        question = Request(
            (Message("user", "List three fruits."),),
            Decoding(max_tokens=12, logprobs=True),
            sample="s",
            seed=1,
        )
        too_long = Request((Message("user", "word " * 9000),), Decoding(max_tokens=4))
        try:
            answers = await asyncio.gather(model.generate(question), model.generate(too_long))
            assert model._child is not None
            return answers, model._child.pid
        finally:
            await model.close()

    (answer, overflow), child = asyncio.run(run())
    assert answer.text
    assert answer.model == "smollm2-135m-instruct"
    assert answer.finish_reason in ("stop", "length")
    assert 0 < answer.usage.completion_tokens <= 12
    assert len(answer.logprobs) == answer.usage.completion_tokens
    assert all(token.logprob <= 0 and len(token.top) == 5 for token in answer.logprobs)
    assert (overflow.text, overflow.finish_reason) == ("", "context_overflow")
    assert not is_alive(child)


def test_a_child_that_was_killed_makes_the_model_unreachable() -> None:
    async def run() -> None:
        model = LocalModel(limits=Limits(retries=0))
        hello = Request((Message("user", "Hello"),), Decoding(max_tokens=1))
        try:
            await model.generate(hello)
            assert model._child is not None
            os.kill(model._child.pid, signal.SIGKILL)
            assert are_gone([model._child.pid], 20)
            await model.generate(hello)
        finally:
            await model.close()

    with pytest.raises(ProviderError, match="has ended") as caught:
        asyncio.run(run())
    assert caught.value.kind == "unreachable"


PARENT = """
import sys, time
from toolyard.models.local.llama_process import ServerProcess
from toolyard.models.local.bundled import bundled_serving
child = ServerProcess(bundled_serving())
print(child.pid, flush=True)
if sys.argv[1] == "ready":
    child.address()
print("ready", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize("when", ["starting", "ready"])
def test_the_child_ends_when_its_parent_is_killed(when: str) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, when], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert parent.stdout.readline() == "ready\n"
        assert is_alive(child)
        os.kill(parent.pid, signal.SIGKILL)
    assert are_gone([child], 20)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_the_child_outlives_the_thread_that_started_it() -> None:
    started: list[ServerProcess] = []
    thread = threading.Thread(target=lambda: started.append(ServerProcess(bundled_serving())))
    thread.start()
    thread.join()
    (child,) = started
    assert child.address().startswith("http://127.0.0.1:")
    assert is_alive(child.pid)
    # threads that wait must not take the cores from whoever else works here
    assert b"OMP_WAIT_POLICY=passive" in Path(f"/proc/{child.pid}/environ").read_bytes().split(b"\0")
    with pytest.raises(urllib.error.HTTPError, match="401") as refused:
        urllib.request.urlopen(f"{child.address()}/v1/models")
    refused.value.close()
    child.stop()
    assert not is_alive(child.pid)


def test_a_child_that_does_not_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"no weights")
    child = ServerProcess(Serving(str(tmp_path / "broken.gguf"), "broken", 512, 1, 1))
    with pytest.raises(ProviderError, match="did not start") as caught:
        child.address()
    child.stop()
    assert caught.value.kind == "unreachable"


def test_missing_weights_name_the_fetch_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path))
    with pytest.raises(MissingAsset, match="toolyard fetch model"):
        load_model("local")
    with pytest.raises(MissingAsset, match="toolyard fetch embedder"):
        load_embedder("minilm")


def test_a_missing_engine_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "xllamacpp" else find_spec(name, *rest),
    )
    with pytest.raises(MissingExtra, match=r"pip install 'toolyard\[local\]'"):
        load_model("local")
