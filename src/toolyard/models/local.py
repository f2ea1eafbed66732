"""`local`: the bundled SmolLM2-135M-Instruct, served by a child process on this machine's processors."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import secrets
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO

from toolyard.core.errors import MissingExtra, ProviderError
from toolyard.core.types import Completion, Request
from toolyard.models.assets import MODEL, require_asset
from toolyard.models.base import Limits, Model, Price
from toolyard.models.endpoint import Endpoint
from toolyard.models.openai import OpenAIModel
from toolyard.models.provider import LoadContext, Provider
from toolyard.models.spec import ModelSpec

ALIAS = "smollm2-135m-instruct"
# The model was trained for 8192 tokens; each slot gets them all, whatever the other one reads.
CONTEXT = 8192
SLOTS = 2
TIMEOUT = 900.0
FREE = Price(0.0, 0.0)


class LocalModel:
    """The bundled model; its server starts at the first request and ends with this process.

    Two requests run at a time. At temperature 0 the text may still differ in rare cases between runs,
    because what is computed together in one batch depends on which requests are under way.
    """

    name = "local"
    price: Price | None = FREE
    # other weights are another model
    identity = f"local/{MODEL.files[0].sha256}"

    def __init__(self, *, limits: Limits | None = None, threads: int | None = None) -> None:
        if importlib.util.find_spec("xllamacpp") is None:
            raise MissingExtra("the bundled model needs xllamacpp: pip install 'toolyard[local]'")
        self._weights = require_asset(MODEL) / MODEL.files[0].name
        self._limits = limits or Limits(timeout=TIMEOUT)
        self._threads = threads or max(1, min(8, os.cpu_count() or 1))
        self._starting: asyncio.Task[OpenAIModel] | None = None
        self._child: ServerProcess | None = None

    async def generate(self, request: Request) -> Completion:
        """The bundled model's answer."""
        loop = asyncio.get_running_loop()
        if self._starting is None or self._starting.get_loop() is not loop:
            self._starting = loop.create_task(self._start())
        # Shielded, because everybody waits for the same start: one cancelled request must not end it.
        model = await asyncio.shield(self._starting)
        try:
            return await model.generate(request)
        except ProviderError as error:
            if await self._has_ended(error):
                raise ProviderError(
                    "unreachable", "the bundled model's process has ended; run again"
                ) from error
            raise

    async def _has_ended(self, error: ProviderError) -> bool:
        """Whether the failure is the child's end; its threads may outlive its sockets by a moment."""
        if self._child is None or error.kind not in ("connection", "unreachable"):
            return False
        return await asyncio.to_thread(self._child.ends_within, 2.0)

    async def _start(self) -> OpenAIModel:
        if self._child is None:
            self._child = ServerProcess(self._weights, self._threads)
        address = await asyncio.to_thread(self._child.address)
        slots = min(self._limits.concurrency or SLOTS, SLOTS)
        # A server on this machine has no rate limit and no network: it answers soon or never.
        limits = Limits(max(self._limits.timeout, TIMEOUT), min(self._limits.retries, 3), slots)
        endpoint = Endpoint(f"{address}/v1", key=self._child.key, limits=limits)
        return OpenAIModel(ALIAS, endpoint, name=self.name)

    async def close(self) -> None:
        """Ends the connections and the child process."""
        child, self._child = self._child, None
        starting, self._starting = self._starting, None
        if child is not None:
            await asyncio.to_thread(child.stop)
        if starting is not None and starting.done() and not starting.cancelled() and not starting.exception():
            await starting.result().close()


class ServerProcess:
    """The child process with the server, and the pipe that ties it to this one."""

    def __init__(self, weights: Path, threads: int) -> None:
        self.key = secrets.token_urlsafe(24)
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        self._address = ""
        settings = {
            "weights": str(weights),
            "alias": ALIAS,
            "key": self.key,
            "slots": SLOTS,
            "context": CONTEXT,
            "threads": threads,
            "parent": os.getpid(),
            "signalled": threading.current_thread() is threading.main_thread(),
        }
        self._process = subprocess.Popen(
            # -P: a module of the user's in the current folder must not stand in for a library of ours.
            [sys.executable, "-P", "-m", "toolyard.models.local_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            # Waiting threads that spin would take both cores from whoever else works on this machine.
            env={**os.environ, "OMP_WAIT_POLICY": "passive"},
        )
        if self._process.stdin is not None:
            self._process.stdin.write(json.dumps(settings).encode() + b"\n")
            self._process.stdin.flush()

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def ends_within(self, seconds: float) -> bool:
        """Whether the child is no more, or will be in a moment."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def address(self) -> str:
        """The server's URL, once it is ready; blocks until then."""
        if not self._address:
            line = self._process.stdout.readline() if self._process.stdout is not None else b""
            if not line:
                raise ProviderError("unreachable", f"the bundled model did not start: {self._last_words()}")
            self._address = str(json.loads(line)["url"])
        return self._address

    def _last_words(self) -> str:
        self._process.wait(10)
        self._errors.seek(0)
        lines = self._errors.read()[-4000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:300] if lines else f"exit status {self._process.returncode}"

    def stop(self) -> None:
        """Ends the child; kills it where it does not go."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()


def _load(spec: ModelSpec, context: LoadContext) -> Model:  # noqa: ARG001 - there is one bundled model
    return LocalModel(limits=context.limits)


def _price(spec: ModelSpec) -> Price | None:  # noqa: ARG001 - there is one bundled model
    return FREE


def _is_bare(spec: ModelSpec) -> bool:
    return not spec.rest and not spec.settings


PROVIDER = Provider("local", _load, _price, _is_bare)
