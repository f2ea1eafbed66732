"""An MCP server on standard input and output that misbehaves in the way that its argument names."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from cases import cases

GOOD = {"name": "get_bed", "description": "One bed.", "inputSchema": {"type": "object", "properties": {}},
        "annotations": {"readOnlyHint": True}}  # fmt: skip
DEEP = '{"a":' * 100_000
MODE = sys.argv[1] if __name__ == "__main__" else ""
# A file that notes the process and its calls; the list then holds tools that nobody may call unasked.
JOURNAL = sys.argv[2] if __name__ == "__main__" and len(sys.argv) > 2 else ""
CHANGING = (
    {**GOOD, "name": "delete_bed"},
    {**GOOD, "name": "get_and_pay"},
    {**GOOD, "name": "move_bed", "annotations": {"readOnlyHint": False}},
    {"name": "look_at_bed", "inputSchema": {"type": "object"}},
)
OUT = sys.stdout.buffer


def write(content: Any) -> None:
    if not isinstance(content, bytes):
        content = json.dumps(content).encode()
    OUT.write(content + b"\n")
    OUT.flush()


def note(text: str) -> None:
    if JOURNAL:
        with Path(JOURNAL).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")


def reply(request: Any, result: Any) -> None:
    write({"jsonrpc": "2.0", "id": request["id"], "result": result})


# Tools that stand beside a good one in the list.
ODD: dict[str, Any] = cases(__file__, "odd")
# What is written once before the first answer.
NOISE = {
    **{name: text.encode() for name, text in cases(__file__, "noise").items()},
    "noise bytes": bytes(range(256)),
    "noise deep": DEEP.encode(),
    "noise long": b"x" * 3_000_000,
    "noise empty lines": b"\n" * 1_000,
}
# What a tool answers.
ANSWERS: dict[str, Any] = {
    **cases(__file__, "answers"),
    "answer huge": {"content": [{"type": "text", "text": "x" * 17_000_000}]},
    "answer deep": {"content": [{"type": "text", "text": DEEP}]},
}


def list_tools(request: Any) -> None:  # noqa: C901 - one way to fail after another
    if MODE == "list hangs":
        time.sleep(600)
    if MODE == "list dies":
        os._exit(3)
    if MODE == "list is none":
        return reply(request, {"tools": 5})
    if MODE == "list is empty":
        return reply(request, {"tools": []})
    if MODE == "list is endless":
        return reply(request, {"tools": [], "nextCursor": "again"})
    if MODE == "list has too many":
        return reply(request, {"tools": [{**GOOD, "name": f"t{n}"} for n in range(5_000)]})
    if MODE == "list cursor is odd":
        return reply(request, {"tools": [GOOD], "nextCursor": 5})
    if MODE == "list is an error":
        return write({"jsonrpc": "2.0", "id": request["id"], "error": {"code": "x", "message": 5}})
    if MODE == "list has no end":
        OUT.write(b'{"jsonrpc": "2.0", "id": 1, "result": "')
        while True:
            OUT.write(b"x" * 1_000_000)
    if MODE == "list floods":
        while True:
            write(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/message",
                    "params": {"level": "info", "data": "x" * 999},
                }
            )
    if MODE == "only odd":
        return reply(request, {"tools": [5, {"name": "odd_one"}]})
    more = [ODD[MODE]] if MODE in ODD else []
    more += CHANGING if JOURNAL else ()
    return reply(request, {"tools": [*more, GOOD, {**GOOD, "name": "list_beds"}]})


def call(request: Any) -> None:
    note(f"call {request['params']['name']}")
    if MODE in ANSWERS:
        return reply(request, ANSWERS[MODE])
    if MODE == "call hangs":
        time.sleep(600)
    if MODE == "call dies":
        os._exit(3)
    return reply(request, {"content": [{"type": "text", "text": '{"bed": "a"}'}]})


LISTS = (
    "list hangs", "list dies", "list is none", "list is empty", "list is endless", "list has too many",
    "list cursor is odd", "list is an error", "list has no end", "list floods", "only odd",
)  # fmt: skip
STARTS = tuple(cases(__file__, "starts"))
MODES = (*ODD, *NOISE, *ANSWERS, *LISTS, *STARTS, "call hangs", "call dies", "end is refused", "nothing odd")


def main() -> None:  # noqa: C901 - as above
    note(f"pid {os.getpid()}")
    if MODE == "start dies":
        sys.stderr.write("no \x1b[2Jlicence\n")
        sys.exit(3)
    if MODE == "start floods its log":
        for _ in range(3_000):
            sys.stderr.write("x" * 9_999)
    if MODE == "start leaves children":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    if MODE in NOISE:
        write(NOISE[MODE])
    for line in sys.stdin:
        request = json.loads(line)
        method = request.get("method")
        if MODE == "start says nothing" and method in ("server/discover", "initialize"):
            continue
        if method == "initialize":
            version = 5 if MODE == "start version is odd" else request["params"]["protocolVersion"]
            server = {"name": "beds", "version": "1"}
            reply(request, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server})
        elif method == "tools/list":
            list_tools(request)
        elif method == "tools/call":
            call(request)
        elif "id" in request and method:
            write(
                {
                    "jsonrpc": "2.0",
                    "id": request["id"],
                    "error": {"code": -32601, "message": "no such method"},
                }
            )
    if MODE == "end is refused":
        time.sleep(600)


if __name__ == "__main__":
    main()
