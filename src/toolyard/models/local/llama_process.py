"""The child process that serves GGUF weights with llama.cpp, and the pipe that ties it to this one."""

import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from toolyard.core.errors import ProviderError
from toolyard.core.types import JsonValue

# 0.00.044.153 E gguf_init_from_reader: failed to read key-value pairs
COMPLAINT = re.compile(r"[\d.]+ E (.+)")


@dataclass(frozen=True, slots=True)
class Serving:
    """What is served and how widely: `context` tokens for each of `slots` requests at a time."""

    weights: str
    alias: str
    context: int
    slots: int
    threads: int
    lora: tuple[str, ...] = ()


def default_threads() -> int:
    """As many as there are processors, up to eight."""
    return max(1, min(8, os.cpu_count() or 1))


class ServerProcess:
    """The child with the server; it ends with this process, however that goes."""

    def __init__(self, serving: Serving) -> None:
        self.key = secrets.token_urlsafe(24)
        self._named = Path(serving.weights).name
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        self._address = ""
        # what the child says of its server, its template and its parser
        self.facts: dict[str, JsonValue] = {}
        settings = {
            **asdict(serving),
            "key": self.key,
            "parent": os.getpid(),
            "signalled": threading.current_thread() is threading.main_thread(),
        }
        self._process = subprocess.Popen(
            # -P: a module of the user's in the current folder must not stand in for a library of ours.
            [sys.executable, "-P", "-m", "toolyard.models.local.llama_server"],
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
        """Whether the child process ends within that many seconds."""
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
                raise ProviderError(
                    "unreachable", f"the model of {self._named} did not start: {self._last_words()}"
                )
            announced = json.loads(line)
            self._address, self.facts = str(announced["url"]), dict(announced["facts"])
        return self._address

    def _last_words(self) -> str:
        self._process.wait(10)
        self._errors.seek(0)
        lines = self._errors.read()[-4000:].decode("utf-8", "replace").strip().splitlines()
        # The first complaint of llama.cpp is the cause, the others follow from it.
        causes = [found[1] for found in map(COMPLAINT.match, lines) if found]
        said = (causes[:1] or lines[-1:] or [f"exit status {self._process.returncode}"])[0]
        return f"{said.strip()[:300]}; is the file whole? fetch or convert it again"

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
