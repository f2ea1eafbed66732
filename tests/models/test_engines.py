"""vllm and sglang: started when they are installed, health-checked, and their log shown where they fail."""

import asyncio
import os
import stat
import sys
import tempfile
from pathlib import Path

import pytest

from toolyard.core.errors import DataError, MissingExtra, ProviderError, UsageError
from toolyard.core.types import Completion, Decoding, Message, Request
from toolyard.models.base import Limits, Model
from toolyard.models.local.engines import SGLANG_PROVIDER, VLLM_PROVIDER
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


def test_a_server_that_can_only_be_imported_is_started_as_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    with pytest.raises(
        ProviderError, match=r"exit status 3; its log .* ends: loading \| CUDA error"
    ) as caught:
        answered(loaded(VLLM_PROVIDER, "vllm/broken"))
    assert caught.value.kind == "unreachable"
    assert [log.read_text() for log in installed.glob("*.log")] == ["loading\nCUDA error: no device\n"]


def test_a_server_that_is_not_installed_names_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    for provider, kind in ((VLLM_PROVIDER, "vllm"), (SGLANG_PROVIDER, "sglang")):
        with pytest.raises(MissingExtra, match=f"pip install {kind}"):
            loaded(provider, f"{kind}/org/m")
