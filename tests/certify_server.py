"""A local endpoint that solves every task of `certify` in each dialect, and has one known defect at a time."""

import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from toolyard.certify.task import ProbeTask, WantedCall
from toolyard.certify.tasks import TASKS

BY_ASK = {task.ask: task for task in TASKS}
LONG_WORDS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
# What a first call of these tasks gets wrong before the tool's error is read.
ERRING = {"B-12": "B12", "C-40": "C40"}

Body = dict[str, Any]


class Served:
    """What the model behind the endpoint says in one turn."""

    def __init__(
        self, task: ProbeTask, text: str, calls: list[WantedCall], finish: str, written: int
    ) -> None:
        self.task, self.text, self.calls, self.finish, self.written = task, text, calls, finish, written


class Server:
    """An endpoint with one defect, or none; `model_fault` makes the model itself weak."""

    def __init__(self, defect: str = "", model_fault: str = "") -> None:
        self.defect, self.model_fault = defect, model_fault
        self.numbers = itertools.count(1)
        self.requests = 0

    # --- the model -------------------------------------------------------------------------------------------

    def solve(self, ask: str, results: list[str], choice: Any, room: int, native: bool) -> Served:
        """A model that knows every task; it makes calls in turn, reads errors and tells results."""
        task = BY_ASK[ask]
        if task.kind == "limit":
            return Served(task, LONG_WORDS, [], "length", room)
        if task.kind == "count":
            return Served(task, "fine", [], "stop", 1)
        if choice == "none":
            return Served(task, "In words, then.", [], "stop", 4)
        left = self.left(task, results)
        if self.model_fault and left:
            return self.weak(task, left)
        if task.any_call and choice != "auto":
            name = task.tools[0].name
            left = [WantedCall(name, {"room": "attic", "on": True} if name == "set_lamp" else {})]
        if not left:
            return Served(task, f"It is done: {' '.join(results[-1:])} {task.answer}.", [], "stop", 12)
        chained = task.answer or task.one_at_a_time or task.name in ("one_after_another", "chain_of_sums")
        text = "That tool fits." if task.name == "think_first" else ""
        return Served(task, text, left[:1] if chained else left, "tool_calls", 40)

    @staticmethod
    def left(task: ProbeTask, results: list[str]) -> list[WantedCall]:
        done = [result for result in results if not result.startswith("ERROR")]
        left = list(task.wanted[len(done) :])
        if task.feature == "tool results with errors" and not results:
            unit = str(left[0].arguments["unit"])
            return [WantedCall(left[0].tool, {"unit": ERRING[unit]})]
        return left

    def weak(self, task: ProbeTask, left: list[WantedCall]) -> Served:
        if self.model_fault == "no_call":
            return Served(task, "I cannot do that.", [], "stop", 6)
        wrong = {key: "wrong" if isinstance(each, str) else each for key, each in left[0].arguments.items()}
        return Served(task, "", [WantedCall(left[0].tool, {**wrong, "more": 1})], "tool_calls", 20)

    # --- the stack -------------------------------------------------------------------------------------------

    async def chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests += 1
        refused = self.refused(body, body.get("tools", []), body["messages"])
        if refused is not None:
            return refused
        asked = [m for m in body["messages"] if m["role"] == "user"]
        ask, results = self.read(body["messages"], asked)
        native = "tools" in body
        by_text = (
            not native
            and body["messages"][0]["role"] == "system"
            and "CALL" in body["messages"][0]["content"]
        )
        choice = self.choice(
            body.get("tool_choice", "auto" if by_text else "none" if BY_ASK[ask].tools else "auto")
        )
        served = self.solve(ask, results, choice, body["max_tokens"], native)
        message, finish = self.message(served, native, by_text)
        usage = self.usage(body, body["messages"], served)
        if body.get("stream"):
            return await self.stream_chat(request, message, finish, usage)
        choice_part = {"index": 0, "message": message, "finish_reason": finish}
        answer = {"id": "c", "object": "chat.completion", "model": body["model"], "choices": [choice_part]}
        if usage is not None:
            answer["usage"] = usage
        if self.defect == "bad_shape":
            answer["choices"][0] = {"index": 0, "text": message["content"], "finish_reason": finish}
        return web.json_response(answer)

    @staticmethod
    def read(messages: list[Body], asked: list[Body]) -> tuple[str, list[str]]:
        """The task's question and the results since, from native messages or from text."""
        place = max(i for i, m in enumerate(messages) if m["role"] == "user" and m["content"] in BY_ASK)
        results: list[str] = []
        for message in messages[place + 1 :]:
            if message["role"] == "tool":
                results.append(message["content"])
            elif message["role"] == "user":
                lines = message["content"].split("RESULT ")[1:]
                results += [line.partition(": ")[2].strip() for line in lines]
        return messages[place]["content"], results

    @staticmethod
    def choice(choice: Any) -> str:
        if isinstance(choice, dict):
            return str(choice.get("name") or choice["function"]["name"])
        return str(choice)

    def refused(self, body: Body, tools: list[Body], messages: list[Body]) -> web.Response | None:
        text = json.dumps(tools)
        if self.defect == "schema_refused" and "$ref" in text:
            return web.json_response({"error": {"message": "unsupported schema: $ref"}}, status=400)
        if self.defect == "choice_refused" and body.get("tool_choice", "auto") not in ("auto", "none"):
            return web.json_response({"error": {"message": "tool_choice must be auto"}}, status=400)
        if self.defect == "template_failed" and any(
            m.get("role") == "tool" or m.get("type") for m in messages
        ):
            error = {"message": "Jinja: Conversation roles must alternate"}
            return web.json_response({"error": error}, status=500)
        if self.defect == "parser_failed" and tools:
            return web.json_response({"error": {"message": "Failed to parse input at pos 12"}}, status=500)
        if self.defect == "history_refused" and any(
            m.get("role") == "tool" or m.get("type") for m in messages
        ):
            return web.json_response({"error": {"message": "tool messages are not allowed"}}, status=422)
        return None

    def message(self, served: Served, native: bool, by_text: bool) -> tuple[Body, str]:
        text, finish = served.text, served.finish
        if self.defect == "thought_in_text":
            text = f"<think>hm</think>{text}"
        if by_text:
            lines = [
                f"CALL {json.dumps({'name': w.tool, 'arguments': dict(w.arguments)}, ensure_ascii=False)}"
                for w in served.calls
            ]
            return {"role": "assistant", "content": "\n".join([text, *lines]).strip()}, finish.replace(
                "tool_calls", "stop"
            )
        calls = self.calls(served.calls)
        message: Body = {"role": "assistant", "content": text or None}
        message, calls = self.parsed(message, calls, served)
        if calls:
            message["tool_calls"] = calls
        elif finish == "tool_calls":
            finish = "stop"
        if self.defect == "finish_wrong" and calls:
            finish = "stop"
        if self.defect == "limit_not_told" and finish == "length":
            finish = "stop"
        return message, finish

    def calls(self, wanted: list[WantedCall]) -> list[Body]:
        """The calls as the list of an answer holds them."""
        found = []
        for each in wanted:
            arguments: Any = json.dumps(self.damaged(dict(each.arguments)), ensure_ascii=False)
            if self.defect == "arguments_double_encoded":
                arguments = json.dumps(arguments)
            elif self.defect == "arguments_not_text":
                arguments = json.loads(arguments)
            elif self.defect == "arguments_not_json":
                arguments = arguments[:-1]
            call_id = (
                ""
                if self.defect == "ids_missing"
                else "call_1"
                if self.defect == "ids_repeated"
                else f"call_{next(self.numbers)}"
            )
            name = f"functions.{each.tool}" if self.defect == "name_damaged" else each.tool
            found.append(
                {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
            )
        return found

    def damaged(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.damaged(item) for key, item in value.items()}
        if self.defect == "values_as_text" and isinstance(value, (int, float)):
            return str(value).lower() if isinstance(value, bool) else str(value)
        if isinstance(value, str) and self.defect == "unicode_damaged":
            return value.encode().decode("latin-1")
        if isinstance(value, str) and self.defect == "escapes_damaged":
            return value.replace("\n", "\\n").replace("&lt;", "<")
        return value

    def parsed(self, message: Body, calls: list[Body], served: Served) -> tuple[Body, list[Body]]:
        """What a parser with a defect makes of the calls."""
        texts = [
            f"<tool_call>{json.dumps({'name': w.tool, 'arguments': dict(w.arguments)})}</tool_call>"
            for w in served.calls
        ]
        if self.defect == "call_in_text" and calls:
            return {**message, "content": "".join(texts)}, []
        if self.defect == "call_in_thought" and calls:
            return {**message, "reasoning_content": "".join(texts)}, []
        if self.defect == "markup_in_text" and calls:
            return {**message, "content": "</tool_call>"}, calls
        if self.defect == "answer_swallowed" and calls:
            return message, []
        if self.defect == "calls_merged" and len(calls) > 1:
            joined = "".join(call["function"]["arguments"] for call in calls)
            calls[0]["function"]["arguments"] = joined
            return message, calls[:1]
        if self.defect == "choice_ignored" and served.task.choice not in ("auto", "none"):
            return {**message, "content": "Hello."}, []
        if self.defect == "parallel_ignored" and served.task.one_at_a_time and calls:
            return message, self.calls(list(served.task.wanted))
        return message, calls

    def usage(self, body: Body, messages: list[Body], served: Served) -> Body | None:
        if self.defect == "usage_missing":
            return None
        shown = [m for m in messages if not (self.defect == "system_not_shown" and m.get("role") == "system")]
        if self.defect == "result_not_shown":
            shown = [m for m in shown if m.get("role") != "tool" and m.get("type") != "function_call_output"]
        if self.defect == "past_call_not_shown":
            shown = [{**m, "tool_calls": None, "arguments": ""} for m in shown]
        tools = "" if self.defect == "tools_not_shown" else json.dumps(body.get("tools", ""))
        if self.defect == "parameters_not_shown":
            tools = json.dumps([t.get("name") or t["function"]["name"] for t in body.get("tools", [])])
        prompt = (len(json.dumps(shown)) + len(tools)) // 4
        written = max(served.written, sum(len(json.dumps(dict(w.arguments))) for w in served.calls) // 4)
        written = written * 9 + 900 if self.defect == "limit_ignored" else written
        total = prompt if self.defect == "usage_wrong" else prompt + written
        return {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": total}

    # --- streams ---------------------------------------------------------------------------------------------

    async def stream_chat(
        self, request: web.Request, message: Body, finish: str, usage: Body | None
    ) -> web.StreamResponse:
        deltas: list[Body] = [{"role": "assistant"}]
        deltas += (
            [{"reasoning_content": message["reasoning_content"]}] if message.get("reasoning_content") else []
        )
        deltas += [{"content": piece} for piece in pieces(message["content"] or "")]
        for index, call in enumerate(message.get("tool_calls", [])):
            place = {} if self.defect == "stream_without_index" else {"index": index}
            head = {**call, **place, "function": {"name": call["function"]["name"], "arguments": ""}}
            deltas.append({"tool_calls": [head]})
            arguments = call["function"]["arguments"]
            parts = pieces(arguments) if isinstance(arguments, str) else [arguments]
            if self.defect == "stream_chunks_lost" and len(parts) > 2:
                parts.pop(1)
            deltas += [{"tool_calls": [{**place, "function": {"arguments": part}}]} for part in parts]
        events = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
        events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        if usage is not None:
            events.append({"choices": [], "usage": usage})
        return await self.write(request, events, done=self.defect != "stream_not_ended")

    async def write(self, request: web.Request, events: list[Body], *, done: bool) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        text = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
        if self.defect == "stream_broken":
            text = 'data: {"choices": [{"del\n\n' + text
        await response.write((text + ("data: [DONE]\n\n" if done else "")).encode())
        await response.write_eof()
        return response

    async def responses(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests += 1
        if self.defect == "responses_not_served":
            return web.json_response({"error": "no such path"}, status=404)
        refused = self.refused(body, body.get("tools", []), body["input"])
        if refused is not None:
            return refused
        place = max(
            i for i, m in enumerate(body["input"]) if m.get("role") == "user" and m["content"] in BY_ASK
        )
        results = [m["output"] for m in body["input"][place:] if m.get("type") == "function_call_output"]
        ask = body["input"][place]["content"]
        native = "tools" in body
        choice = self.choice(body.get("tool_choice", "none" if BY_ASK[ask].tools else "auto"))
        served = self.solve(ask, results, choice, body["max_output_tokens"], native)
        message, finish = self.message(served, native, False)
        response = self.response(message, finish, self.usage(body, body["input"], served))
        if self.defect == "bad_shape":
            del response["output"]
        if not body.get("stream"):
            return web.json_response(response)
        done = self.defect != "stream_not_ended"
        return await self.write(request, self.response_events(response, done), done=False)

    def response(self, message: Body, finish: str, usage: Body | None) -> Body:
        output: list[Body] = []
        if message.get("reasoning_content"):
            thought = {"type": "reasoning_text", "text": message["reasoning_content"]}
            output.append({"type": "reasoning", "id": "r1", "content": [thought]})
        if message["content"]:
            part = {"type": "output_text", "text": message["content"]}
            output.append({"type": "message", "id": "m1", "role": "assistant", "content": [part]})
        for place, call in enumerate(message.get("tool_calls", [])):
            function = call["function"]
            output.append({"type": "function_call", "id": f"f{place}", "call_id": call["id"], **function})
        cut = finish == "length"
        names = {
            "input_tokens": "prompt_tokens",
            "output_tokens": "completion_tokens",
            "total_tokens": "total_tokens",
        }
        counted = None if usage is None else {name: usage[key] for name, key in names.items()}
        return {
            "object": "response", "status": "incomplete" if cut else "completed", "output": output, "usage": counted,
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        }  # fmt: skip

    def response_events(self, response: Body, done: bool) -> list[Body]:
        events: list[Body] = [{"type": "response.created"}]
        for place, item in enumerate(response.get("output", [])):
            shown = {**item, "call_id": "another"} if self.defect == "stream_ids_changed" else item
            events.append({"type": "response.output_item.added", "output_index": place, "item": shown})
            if item["type"] == "function_call":
                kind, text = "response.function_call_arguments.delta", item["arguments"]
            elif item["type"] == "message":
                kind, text = "response.output_text.delta", item["content"][0]["text"]
            else:
                continue
            parts = pieces(text) if isinstance(text, str) else []
            if self.defect == "stream_chunks_lost" and len(parts) > 2:
                parts.pop(1)
            events += [
                {"type": kind, "item_id": item["id"], "output_index": place, "delta": part} for part in parts
            ]
        kind = "response.completed" if response["status"] == "completed" else "response.incomplete"
        events += [{"type": kind, "response": response}] if done else []
        numbers = list(range(len(events)))
        if self.defect == "stream_out_of_order":
            numbers.reverse()
        return [{**event, "sequence_number": number} for event, number in zip(events, numbers, strict=True)]


def pieces(text: str) -> list[str]:
    """A text in pieces of seven letters."""
    return [text[start : start + 7] for start in range(0, len(text), 7)]


@asynccontextmanager
async def serve(server: Server) -> AsyncIterator[str]:
    """Runs the server and gives its base URL."""
    app = web.Application(client_max_size=2**26)
    app.router.add_post("/v1/chat/completions", server.chat)
    app.router.add_post("/v1/responses", server.responses)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()
