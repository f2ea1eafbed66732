"""The child process that serves GGUF weights: an OpenAI-compatible server that ends with its parent.

It reads one line of JSON settings from its standard input, prints `{"url": ...}` when it is ready, and
ends when that input closes, which happens however the parent goes.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
from collections.abc import Mapping
from typing import Any

PR_SET_PDEATHSIG = 1


def serve(settings: Mapping[str, Any]) -> Any:
    """The server, running in the background; it stops when the object is collected."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = settings["weights"]
    # Without an alias the list of models would show the path of the weights on this machine.
    params.model_alias = {settings["alias"]}
    params.api_keys = [settings["key"]]
    params.port = 0
    params.n_parallel = settings["slots"]
    params.n_ctx = settings["context"] * settings["slots"]
    if settings["lora"]:
        params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(path, 1.0) for path in settings["lora"]]
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    params.verbosity = 1
    params.ui = False
    return xllamacpp.Server(params)


def end_with_parent(parent: int, *, signalled: bool) -> None:
    """Arranges that this process does not outlive `parent`.

    The kernel's signal fires when the *thread* that started this process ends, so it is asked for only
    when that was the main thread; the closing pipe works in every case.
    """
    if signalled and sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
    threading.Thread(target=_exit_at_end_of_input, daemon=True).start()


def _exit_at_end_of_input() -> None:
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)


def main() -> None:
    """Reads the settings, serves until the parent is gone."""
    # Ctrl-C reaches the whole terminal group; the parent decides what becomes of the requests under way.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings = json.loads(sys.stdin.buffer.readline())
    end_with_parent(settings["parent"], signalled=settings["signalled"])
    server = serve(settings)
    sys.stdout.write(json.dumps({"url": server.listening_address}) + "\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    main()
