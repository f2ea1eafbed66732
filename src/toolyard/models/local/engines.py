"""`vllm/NAME` and `sglang/NAME`: inference servers that are installed here, started and ended with the run.

vllm/Qwen/Qwen3-8B?parser=hermes&max_model_len=16384&lora=adapters/run3
"""

import importlib.util
import os
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from toolyard.core.errors import DataError, MissingExtra, ProviderError, UsageError
from toolyard.core.types import JsonValue
from toolyard.models.base import CONCURRENCY, Model
from toolyard.models.hf.model_weights import adapter_folder
from toolyard.models.http.request_settings import SETTINGS as ASKING_SETTINGS
from toolyard.models.http.request_settings import read_asking
from toolyard.models.local.served_model import ServedModel, price_at_home
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.spec import ModelSpec

SETTINGS = (
    "parser", "reasoning_parser", "max_model_len", "enforce_eager", "lora", "args", "start", *ASKING_SETTINGS
)  # fmt: skip
# Seconds for a server to load its weights.
START = 1800
PAUSE = 0.5
LAST_LINES = 5
# The name of an adapter at its server, and the ranks that vllm has room for.
LORA = "adapter"
RANKS = (8, 16, 32, 64, 128, 256, 320, 512)


@dataclass(frozen=True, slots=True)
class ServerKind:
    """One kind of server: its command, its flags, and where it tells its version."""

    name: str
    command: Callable[[str], Sequence[str]]
    parser_flags: tuple[str, ...]
    length_flag: str
    eager_flag: str
    version_path: str


def _vllm_command(model: str) -> Sequence[str]:
    started = _start_command("vllm", "vllm.entrypoints.cli.main")
    return (*started, "serve", model, "--served-model-name", model)


def _sglang_command(model: str) -> Sequence[str]:
    if shutil.which("sglang"):
        return (*_start_command("sglang", ""), "serve", "--model-path", model, "--served-model-name", model)
    started = _start_command("sglang", "sglang.launch_server")
    return (*started, "--model-path", model, "--served-model-name", model)


def _start_command(name: str, module: str) -> tuple[str, ...]:
    """How the server is started: its command, or its module where only the package can be imported."""
    found = shutil.which(name)
    if found is not None:
        return (found,)
    if importlib.util.find_spec(name) is None:
        raise MissingExtra(f"{name}/... needs {name}: pip install {name}")
    return (sys.executable, "-m", module)


VLLM = ServerKind(
    "vllm",
    _vllm_command,
    ("--enable-auto-tool-choice", "--tool-call-parser"),
    "--max-model-len",
    "--enforce-eager",
    "version",
)
SGLANG = ServerKind(
    "sglang",
    _sglang_command,
    ("--tool-call-parser",),
    "--context-length",
    "--disable-cuda-graph",
    "get_server_info",
)


class EngineProcess:
    """A server's process, with its log; ready when it answers its health check."""

    def __init__(self, engine: ServerKind, command: Sequence[str], patience: float) -> None:
        self.key = secrets.token_urlsafe(24)
        self.facts: dict[str, JsonValue] = {}
        self._engine = engine
        self._patience = patience
        self._port = _free_port()
        descriptor, path = tempfile.mkstemp(prefix=f"toolyard-{engine.name}-", suffix=".log")
        self._log = Path(path)
        with os.fdopen(descriptor, "wb") as log:
            self._process = subprocess.Popen(  # noqa: S603 - the command that the user named
                [*command, "--host", "127.0.0.1", "--port", str(self._port), "--api-key", self.key],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                # A run sends nothing to anybody but its models.
                env={**os.environ, "VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"},
                # A group of its own: these servers start workers, which must end with them.
                start_new_session=True,
            )

    def address(self) -> str:
        """The server's URL once it is healthy; its log's last lines where it does not come to that."""
        url = f"http://127.0.0.1:{self._port}"
        end = time.monotonic() + self._patience
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise self._start_error(f"ended with exit status {self._process.returncode}")
            if self._answers(f"{url}/health") is not None:
                reported = self._answers(f"{url}/{self._engine.version_path}") or b"{}"
                self.facts["server"] = f"{self._engine.name} {_reported_version(reported)}".strip()
                return url
            time.sleep(PAUSE)
        raise self._start_error(f"was not ready within {self._patience:.0f} s")

    def _answers(self, url: str) -> bytes | None:
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.key}"})  # noqa: S310 - loopback
        try:
            # Without the proxy of `http_proxy`, which has no business here.
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                request, timeout=5
            ) as answer:
                found: bytes = answer.read(2**20)
                return found
        except (urllib.error.URLError, OSError):
            return None

    def _start_error(self, what: str) -> ProviderError:
        lines = self._log.read_text("utf-8", "replace").replace(self.key, "KEY").strip().splitlines()
        said = " | ".join(line.strip() for line in lines[-LAST_LINES:])[-600:] or "it said nothing"
        return ProviderError("unreachable", f"{self._engine.name} {what}; its log {self._log} ends: {said}")

    def ends_within(self, seconds: float) -> bool:
        """Whether the server ends within that many seconds."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        """Ends the server and its workers; kills what does not go. Only the log of one that failed stays."""
        if "server" in self.facts and self._process.poll() is None:
            self._log.unlink(missing_ok=True)
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is None:
                os.killpg(self._process.pid, number)
            if self.ends_within(20):
                break


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _reported_version(data: bytes) -> str:
    try:
        reported = orjson.loads(data)
    except orjson.JSONDecodeError:
        return ""
    return str(reported.get("version") or "")[:60] if isinstance(reported, dict) else ""


def engine_provider(engine: ServerKind) -> Provider:
    """The provider of one kind of server."""

    def load(spec: ModelSpec, context: LoadContext) -> Model:
        spec.refuse_other_settings(*SETTINGS)
        command = (*engine.command(spec.name), *_flags_for_model(spec, engine))
        patience = spec.settings.get("start", str(START))
        if not patience.isdecimal():
            raise UsageError(f"start={patience[:40]}: wanted seconds, e.g. start={START}")

        def start() -> EngineProcess:
            child = EngineProcess(engine, command, float(patience))
            child.facts["parser"] = spec.settings.get("parser", "none")
            if spec.settings.get("lora"):
                child.facts["adapter"] = "beside the weights"
            return child

        slots = context.limits.concurrency or CONCURRENCY
        served = LORA if spec.settings.get("lora") else spec.name
        return ServedModel(
            spec.display, served, start, slots=slots, limits=context.limits, asking=read_asking(spec)
        )

    return Provider(
        f"{engine.name}/NAME[?parser=NAME&args=FLAGS]", load, lambda spec: price_at_home(spec, *SETTINGS)
    )


def _flags_for_model(spec: ModelSpec, engine: ServerKind) -> list[str]:
    settings, flags = spec.settings, list[str]()
    if settings.get("parser"):
        flags += [*engine.parser_flags, settings["parser"]]
    if settings.get("reasoning_parser"):
        flags += ["--reasoning-parser", settings["reasoning_parser"]]
    length, eager = settings.get("max_model_len", ""), settings.get("enforce_eager", "no")
    if length and not length.isdecimal():
        raise UsageError(f"max_model_len={length[:40]}: wanted a number of tokens, e.g. max_model_len=16384")
    if eager not in ("yes", "no"):
        raise UsageError(f"enforce_eager={eager[:40]}: wanted yes or no")
    flags += [engine.length_flag, length] if length else []
    flags += [engine.eager_flag] if eager == "yes" else []
    flags += _lora_flags(settings["lora"], engine) if settings.get("lora") else []
    return [*flags, *shlex.split(settings.get("args", ""))]


def _lora_flags(folder: str, engine: ServerKind) -> list[str]:
    """The flags for an adapter, which is asked for by a name of its own."""
    if engine is not VLLM:
        raise UsageError(f"lora= is for vllm/; give {engine.name} its own flags with args=")
    path = Path(folder).expanduser()
    try:
        config = orjson.loads((path / "adapter_config.json").read_bytes())
        rank = int(config["r"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"lora={folder}: no adapter_config.json with a rank in it ({type(error).__name__}); wanted a peft folder"
        ) from error
    adapter_folder(folder)
    largest = next((each for each in RANKS if each >= rank), rank)
    return ["--enable-lora", "--max-lora-rank", str(largest), "--lora-modules", f"{LORA}={path}"]


VLLM_PROVIDER = engine_provider(VLLM)
SGLANG_PROVIDER = engine_provider(SGLANG)
