"""The child process that serves GGUF weights: an OpenAI-compatible server that ends with its parent.

It reads one line of JSON settings from its standard input, prints `{"url": ...}` when it is ready, and
ends when that input closes, which happens however the parent goes.
"""

import hashlib
import json
import os
import signal
import sys
import threading
import urllib.request
from collections.abc import Mapping
from typing import Any

from toolyard.core.processes.parent import end_with
from toolyard.models.shown_tools import ANY_TOOL, NO_TOOLS_SHOWN, shows_any_tool


def start_server(settings: Mapping[str, Any]) -> Any:
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


def server_facts(url: str, key: str) -> dict[str, str]:
    """What the server is and how it writes prompts: its version, its template's digest, a rendered prompt."""
    import xllamacpp

    template = str(_ask_server(f"{url}/props", key).get("chat_template") or "")
    messages = [{"role": "system", "content": "{system}"}, {"role": "user", "content": "{user}"}]
    rendered, with_tool = (
        _ask_server(f"{url}/apply-template", key, {"messages": messages, **tools}).get("prompt")
        for tools in ({}, {"tools": [ANY_TOOL]})
    )
    return {
        "server": f"llama.cpp, xllamacpp {xllamacpp.__version__}",
        "template_sha256": hashlib.sha256(template.encode()).hexdigest(),
        "rendered_prompt": str(rendered or "")[:4000],
        "parser": "llama.cpp, by the template",
        **({} if shows_any_tool(str(with_tool)) else NO_TOOLS_SHOWN),
    }


def _ask_server(url: str, key: str, body: Mapping[str, object] | None = None) -> Mapping[str, object]:
    """The server's own answer, from this machine to itself."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, data, headers)  # noqa: S310 - loopback
    # Without the proxy of `http_proxy`, which has no business here.
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
        found: Mapping[str, object] = json.loads(answer.read())
    return found


def end_with_parent(parent: int, *, signalled: bool) -> None:
    """Arranges that this process does not outlive `parent`.

    The kernel's signal fires when the *thread* that started this process ends, so it is asked for only
    when that was the main thread; the closing pipe works in every case.
    """
    if signalled:
        end_with(parent)
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
    try:
        server = start_server(settings)
    except RuntimeError:
        # Why stands on stderr already. An ordinary end would wait for the thread that reads, and abort.
        os._exit(1)
    announced = {
        "url": server.listening_address,
        "facts": server_facts(server.listening_address, settings["key"]),
    }
    sys.stdout.write(json.dumps(announced) + "\n")
    sys.stdout.flush()
    threading.Event().wait()


if __name__ == "__main__":
    main()
