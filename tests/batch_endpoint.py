"""A local endpoint with batch files, in a thread of its own, that counts what it was paid for."""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from aiohttp import web

Body: TypeAlias = dict[str, Any]
USAGE = {"prompt_tokens": 100, "completion_tokens": 10}


def echo(body: Body) -> str:
    """An answer that depends on nothing but the request."""
    return f"answer to {body['messages'][-1]['content'][:40]}"


class BatchEndpoint:
    """What the endpoint holds, and how often each request was answered and so paid for.

    `polls` is how often a batch is looked at before it has ended. `spoil` says for a request of a batch `failed`,
    `expired` or nothing. `happened` is called with the name of every step after it was done and before it is answered.
    """

    def __init__(
        self,
        answer: Callable[[Body], str] = echo,
        *,
        polls: int = 1,
        spoil: Callable[[Body], str] = lambda body: "",
    ) -> None:
        self.answer, self.polls, self.spoil = answer, polls, spoil
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, Body] = {}
        self.looks: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()
        self.direct = 0
        self.refuses: dict[str, int] = {}
        self.happened: Callable[[str], None] = lambda step: None

    def completion(self, body: Body) -> Body:
        self.paid[json.dumps(body, sort_keys=True)] += 1
        message = {"role": "assistant", "content": self.answer(body)}
        return {"model": "served", "choices": [{"message": message, "finish_reason": "stop"}], "usage": USAGE}

    async def chat(self, request: web.Request) -> web.Response:
        body = await request.json()
        if "stream_options" in body:
            return web.json_response({"error": {"message": "streams are not played here"}}, status=400)
        answer = self.completion(body)
        self.direct += 1
        self.happened("chat")
        return web.json_response(answer)

    async def upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        assert form["purpose"] == "batch"
        sent = form["file"]
        assert isinstance(sent, web.FileField)
        name = f"file-{len(self.files) + 1}"
        self.files[name] = sent.file.read()
        self.happened("upload")
        return web.json_response({"id": name, "object": "file"})

    async def create(self, request: web.Request) -> web.Response:
        order = await request.json()
        if self.refuses.get("create"):
            return web.json_response(
                {"error": {"message": "no batches today"}}, status=self.refuses["create"]
            )
        name = f"batch_{len(self.batches) + 1}"
        lines = [json.loads(line) for line in self.files[order["input_file_id"]].splitlines()]
        self.batches[name] = {
            "id": name, "object": "batch", "status": "in_progress", "metadata": order["metadata"], "errors": None,
            "request_counts": {"total": len(lines), "completed": 0, "failed": 0}, "lines": lines,
        }  # fmt: skip
        self.happened("create")
        return web.json_response(self.shown(name))

    def shown(self, name: str) -> Body:
        return {key: value for key, value in self.batches[name].items() if key != "lines"}

    async def listed(self, request: web.Request) -> web.Response:
        names = list(reversed(self.batches))
        after = request.query.get("after")
        rest = names[names.index(after) + 1 :] if after else names
        page = rest[: int(request.query["limit"])]
        self.happened("list")
        return web.json_response(
            {"data": [self.shown(name) for name in page], "has_more": len(page) < len(rest)}
        )

    async def look(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        self.looks[name] += 1
        if self.looks[name] > self.polls and self.batches[name]["status"] == "in_progress":
            self.finish(name)
        self.happened("poll")
        return web.json_response(self.shown(name))

    def finish(self, name: str) -> None:
        batch = self.batches[name]
        answered, failed, expired = [], [], False
        for line in batch["lines"]:
            fault = self.spoil(line["body"])
            expired |= fault == "expired"
            if fault == "failed":
                body = {"error": {"message": "overloaded"}}
                failed.append(
                    {"custom_id": line["custom_id"], "response": {"status_code": 500, "body": body}}
                )
            elif not fault:
                body = self.completion(line["body"])
                answered.append({"custom_id": line["custom_id"], "error": None,
                                 "response": {"status_code": 200, "body": body}})  # fmt: skip
        for kind, lines in (("output", answered), ("error", failed)):
            if lines:
                batch[f"{kind}_file_id"] = f"{name}-{kind}"
                self.files[f"{name}-{kind}"] = "\n".join(map(json.dumps, lines)).encode()
        batch["status"] = "expired" if expired else "completed"

    async def content(self, request: web.Request) -> web.Response:
        data = self.files[request.match_info["name"]]
        self.happened("content")
        return web.Response(body=data, content_type="application/octet-stream")

    def application(self) -> web.Application:
        app = web.Application(client_max_size=2**26)
        app.router.add_post("/v1/chat/completions", self.chat)
        app.router.add_post("/v1/files", self.upload)
        app.router.add_post("/v1/batches", self.create)
        app.router.add_get("/v1/batches", self.listed)
        app.router.add_get("/v1/batches/{name}", self.look)
        app.router.add_get("/v1/files/{name}/content", self.content)
        return app


@contextmanager
def serving(endpoint: BatchEndpoint) -> Iterator[str]:
    """The base URL of the endpoint while it runs in a thread."""
    loop, ready, ended = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    address: list[str] = []

    async def run() -> None:
        runner = web.AppRunner(endpoint.application(), access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        address.append(f"http://127.0.0.1:{runner.addresses[0][1]}/v1")
        ready.set()
        await ended.wait()
        await runner.cleanup()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    ready.wait()
    try:
        yield address[0]
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()
