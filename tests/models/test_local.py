"""The bundled model: the one test that really generates, and the child's life."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from live_processes import are_gone, is_alive
from toolyard.core.errors import MissingAsset, MissingExtra, ProviderError
from toolyard.core.types import Completion, Decoding, Message, Request
from toolyard.models.base import Limits
from toolyard.models.loading import load_model
from toolyard.models.local.bundled import LocalModel, bundled_serving
from toolyard.models.local.llama_process import ServerProcess, Serving


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
