"""Doors of the users' own documents: tool documents, mirrors, logs and traces, policies, settings, manifests."""

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from toolyard.models.http.stream import ChatStream, EventStream, ResponsesStream
from toolyard.models.key_scrubbing import Scrubber
from toolyard.owntools.lint.lint_rules import review_documents
from toolyard.owntools.mirror.mirror_code import module_code
from toolyard.owntools.mirror.mirror_plan import plan_mirror
from toolyard.owntools.sources import load_source
from toolyard.report.compare.model_facts import read_model_facts
from toolyard.report.gate.policy import read_policy
from toolyard.run.plan.manifest_shape import manifest_problem
from toolyard.text.parsing import read_json
from toolyard.traffic.log_reading import read_traffic
from toolyard.traffic.row_drafts import draft_rows
from toolyard.traffic.traffic_scoring import figures_of, judge_trajectory
from toolyard.train.settings import _read_config as read_settings

Run = Callable[[bytes], object]
SCHEMA = {
    "type": "object",
    "properties": {"note_id": {"type": "string", "default": "a"}},
    "required": ["note_id"],
}
TOOLS = [
    {"name": f"{verb}_note", "description": "Works on a note.", "inputSchema": SCHEMA, "outputSchema": SCHEMA}
    for verb in ("get", "create")
]
OPENAPI = {
    "openapi": "3.1.0", "info": {"title": "Notes"}, "servers": [{"url": "http://127.0.0.1"}],
    "components": {"schemas": {"Note": SCHEMA}},
    "paths": {"/notes/{note_id}": {"get": {"operationId": "get_note", "parameters": [
        {"name": "note_id", "in": "path", "required": True, "schema": {"type": "string"}}],
        "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Note"}}}}}}}},
}  # fmt: skip
CALL = {"id": "1", "function": {"name": "get_note", "arguments": '{"note_id": "a"}'}}
LOG = {
    "request": {"model": "m", "tools": TOOLS, "messages": [{"role": "user", "content": "Read 17 notes of Oslo Harbour"}]},
    "response": {"choices": [{"message": {"role": "assistant", "content": "In all 18, in Oslo", "tool_calls": [CALL]}}]},
}  # fmt: skip
SPAN = {
    "traceId": "t", "startTimeUnixNano": "1", "status": {"code": 2}, "attributes": [
        {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
        {"key": "gen_ai.input.messages", "value": {"stringValue": json.dumps([{"role": "user", "parts": [
            {"type": "text", "content": "x"}, {"type": "tool_call", "id": "1", "name": "t", "arguments": {}}]}])}},
        {"key": "a", "value": {"arrayValue": {"values": [{"kvlistValue": {"values": [{"key": "b"}]}}]}}}],
}  # fmt: skip
MANIFEST = {
    "digest": "x", "identity": {"benchmark": "mtu", "model": "m", "ids": [], "options": {}, "version": "1",
    "data_sha256": "y", "decoding": {"temperature": 0, "top_p": 1, "max_tokens": 9, "stop": [], "logprobs": False}},
    "data": "starter", "templates": {}, "judge": "", "judge_decoding": {}, "similarity": "", "finished": None,
}  # fmt: skip
EVENTS = b'data: {"choices": [{"delta": {"content": "Os", "tool_calls": [{"index": 0, "id": "1"}]}}]}\n\ndata: [DONE]\n\n'


def named(name: str, read: Callable[[Path], object]) -> Run:
    """Reads bytes as a file of that name."""

    def run(data: bytes) -> object:
        with tempfile.TemporaryDirectory(prefix="doors") as folder:
            path = Path(folder) / name
            path.write_bytes(data)
            return read(path)

    return run


def tool_documents(path: Path) -> None:
    """Documents reviewed, and the code of their mirror compiled."""
    source = load_source(str(path))
    review_documents(source, "words")
    compile(module_code(plan_mirror(source)).encode("utf-8", "replace"), "tools.py", "exec")


def traffic(path: Path) -> None:
    """A log judged and turned into rows."""
    judged = [judge_trajectory(item) for item in read_traffic(path)]
    figures_of(judged)
    list(draft_rows(judged))


def streamed(data: bytes) -> None:
    """Events of a stream put together in both forms, and scrubbed as they came."""
    for assembly in (ChatStream(), ResponsesStream()):
        stream = EventStream()
        for event in stream.feed(data + b"\n"):
            if isinstance(event, dict | list):
                assembly.add(event)
        assembly.whole()
    Scrubber("sk-planted-0123456789abcdef").body(data.decode("utf-8", "replace"))


def own_doors() -> Iterator[tuple[str, str, Run, tuple[bytes, ...]]]:
    """Name, group, function and seeds of each."""
    documents, traces = (
        json.dumps(TOOLS).encode(),
        json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [SPAN]}]}]}),
    )
    yaml = b"openapi: 3.0.0\npaths:\n  /a: &a\n    get: {operationId: x}\n  /b: *a\n"
    yield "own tools", "own", named("t.json", tool_documents), (documents,)
    yield "own tools lines", "own", named("t.jsonl", tool_documents), (json.dumps(TOOLS[0]).encode(),)
    yield "own openapi", "own", named("o.json", tool_documents), (json.dumps(OPENAPI).encode(),)
    yield "own openapi YAML", "own", named("o.yaml", tool_documents), (yaml,)
    yield "traffic log", "traffic", named("l.json", traffic), (json.dumps(LOG).encode(),)
    yield "traffic traces", "traffic", named("l.json", traffic), (traces.encode(),)
    policy = (
        b"level: 0.05\nfigures: {average: 0.02, tree: 0.05}\nmay_differ: [templates]\nminimal_samples: 100\n"
    )
    yield "gate policy", "own", named("p.yaml", read_policy), (policy,)
    facts = json.dumps({"openai/*": {"kind": "open", "size": 7, "name": "x"}}).encode()
    yield "model facts", "own", named("f.json", read_model_facts), (facts,)
    yield (
        "train settings",
        "own",
        named("s.yaml", read_settings),
        (b"data: rows.jsonl\nbase: smollm2\nlr: 2e-3\n",),
    )
    yield (
        "run manifest",
        "own",
        lambda data: manifest_problem(read_json(data.decode("utf-8", "replace"))),
        (json.dumps(MANIFEST).encode(),),
    )
    yield "model stream", "own", streamed, (EVENTS,)
