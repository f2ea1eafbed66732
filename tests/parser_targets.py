"""Every door through which text of strangers enters, as functions of bytes, with seeds to start from.

A target may return or raise a ToolyardError; anything else that leaves it is a fault. `bench/faults/parsers.py` drives
them with mutated input, `faults/test_parser_faults.py` replays what was ever found."""

import json
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path

from cases import cases
from graded_answers import grade
from tooleyes_harbour import HARBOUR, call, finish, replies
from toolyard.benchmarks.tooleyes.scoring.judge_material import Piece, claims_in
from toolyard.benchmarks.tooleyes.scoring.judge_replies import read_evidence as read_judge_replies
from toolyard.benchmarks.tooleyes.scoring.judge_verdicts import official_verdict, paper_verdict
from toolyard.benchmarks.tooleyes.scoring.parse import parse as parse_trajectory
from toolyard.benchmarks.tooleyes.scoring.score import score as score_trajectory
from toolyard.core.benchmark import Benchmark
from toolyard.core.errors import DataError
from toolyard.core.types import PROFILES, Evidence, Failure, Options, Sample, Transcript
from toolyard.lines import encode
from toolyard.models.http.stream import ChatStream, EventStream, ResponsesStream
from toolyard.models.key_scrubbing import Scrubber
from toolyard.models.scripted import read_recorded
from toolyard.owntools.lint.lint_rules import review_documents
from toolyard.owntools.mirror.mirror_code import module_code
from toolyard.owntools.mirror.mirror_plan import plan_mirror
from toolyard.owntools.sources import load_source
from toolyard.report.compare.human_agreement import read_labels
from toolyard.report.compare.model_facts import read_model_facts
from toolyard.report.gate.policy import read_policy
from toolyard.review.review_decisions import fold_decisions
from toolyard.review.review_folder import ReviewFolder
from toolyard.review.review_rows import row_files
from toolyard.run.plan.manifest_shape import manifest_problem
from toolyard.run.store.run_directory import RunStore
from toolyard.text.documents.mtu import from_mtu, from_mtu_list
from toolyard.text.documents.nestools import from_nestools
from toolyard.text.documents.openai import from_openai
from toolyard.text.documents.toolbehonest import from_toolbehonest
from toolyard.text.parsing import answer_text, first_json_value, json_values, read_json, read_literal
from toolyard.text.printable import printable_text
from toolyard.text.react import read_react
from toolyard.text.templates import render
from toolyard.traffic.log_reading import read_traffic
from toolyard.traffic.row_drafts import draft_rows
from toolyard.traffic.traffic_scoring import estimate_figures, judge_trajectory
from toolyard.train.settings import _read_config as read_settings

Run = Callable[[bytes], object]
SCHEMA = cases(__file__, "SCHEMA")
TOOLS = cases(__file__, "TOOLS")
OPENAPI = cases(__file__, "OPENAPI")
CALL = cases(__file__, "CALL")
LOG = cases(__file__, "LOG")
SPAN = cases(__file__, "SPAN")
MANIFEST = cases(__file__, "MANIFEST")
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
    estimate_figures(judged)
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


ROWS = 2
ANSWER = call("tide", {"port": "Husum"})


@dataclass(frozen=True, slots=True)
class Target:
    """One door: what it does with bytes, and well-formed bytes to begin with."""

    name: str
    group: str
    run: Callable[[bytes], object]
    seeds: tuple[bytes, ...]


def text_of(data: bytes) -> str:
    """The text that a model could have sent; lone surrogates stand for what is no UTF-8."""
    return data.decode("utf-8", "surrogateescape")


def value_of(data: bytes) -> object:
    """The JSON value of a document, as loaders hand it on."""
    value = read_json(text_of(data))
    if isinstance(value, Failure):
        raise DataError(value.kind)
    return value


def benchmark(name: str) -> Benchmark:
    """A benchmark's record."""
    found: Benchmark = import_module(f"toolyard.benchmarks.{name}").BENCHMARK
    return found


@cache
def starter(name: str) -> tuple[Sample, ...]:
    """A few of its starter samples, from all parts."""
    record = benchmark(name)
    samples = record.data.load(
        record.data.starter, Options(record.task.styles[0] if record.task.styles else "")
    )
    return samples[:: max(1, len(samples) // ROWS - 1)][:ROWS]


def in_file(name: str, read: Callable[[Path], object], **others: bytes) -> Callable[[bytes], object]:
    """Reads bytes as a file of that name, with other files beside it."""

    def run(data: bytes) -> object:
        with tempfile.TemporaryDirectory(prefix="doors") as folder:
            for other, content in others.items():
                (Path(folder) / other.replace("__", ".")).write_bytes(content)
            (Path(folder) / name).write_bytes(data)
            return read(Path(folder))

    return run


def first_lines(path: Path, count: int = ROWS) -> bytes:
    """The first lines of a starter file."""
    return b"".join(path.read_bytes().splitlines(keepends=True)[:count])


def answers(name: str) -> tuple[bytes, ...]:
    """Right answers to the starter samples."""
    oracle = benchmark(name).checks.oracle
    return tuple(oracle(sample, (), random.Random(0)).encode() for sample in starter(name))


def scored(name: str) -> Callable[[bytes], object]:
    """Scores a text as an answer under both profiles, and writes the scores."""

    def run(data: bytes) -> object:
        for sample in starter(name):
            for profile in PROFILES:
                score = grade(benchmark(name), sample, text_of(data), profile)
                encode({"values": score.values, "errors": score.errors, "graded": score.graded})
        return None

    return run


def predictions(name: str) -> Callable[[Path], object]:
    """Reads a file of predictions and scores what it holds."""

    def read(path: Path) -> None:
        samples = starter(name)
        by_id = {sample.id: sample for sample in samples}
        for transcript in benchmark(name).scoring.read_predictions(path, samples):
            if transcript.sample in by_id and transcript.error is None:
                grade(benchmark(name), by_id[transcript.sample], transcript)

    return read


def loaded(name: str) -> Callable[[Path], object]:
    """Loads data and makes prompts of it."""
    record = benchmark(name)

    def read(path: Path) -> None:
        options = Options(record.task.styles[0] if record.task.styles else "")
        for sample in record.data.load(path, options):
            record.task.prompt(sample, options)
            for profile in PROFILES:
                grade(record, sample, ANSWER, profile)

    return read


def nestools_targets() -> Iterator[Target]:
    """Answers, predictions and the four data files."""
    folder = benchmark("nestools").data.starter
    kept = {
        file.name.replace(".", "__"): first_lines(file)
        for file in folder.glob("*.jsonl")
        if file.name != "execution.jsonl"
    }
    kept["pool__jsonl"] = _named(folder / "pool.jsonl", kept["distractors__jsonl"])
    yield Target("nestools answer", "nestools", scored("nestools"), answers("nestools"))
    rows = [
        {"test_id": sample.id, "response": answer.decode()}
        for sample, answer in zip(starter("nestools"), answers("nestools"), strict=True)
    ]
    seeds = ("\n".join(map(json.dumps, rows)).encode(),)
    read = predictions("nestools")
    yield Target(
        "nestools predictions", "nestools", in_file("p.jsonl", lambda at: read(at / "p.jsonl")), seeds
    )
    for name, content in kept.items():
        others = {other: data for other, data in kept.items() if other != name}
        file = name.replace("__", ".")
        yield Target(f"nestools {file}", "nestools", in_file(file, loaded("nestools"), **others), (content,))


def _named(pool: Path, distractors: bytes) -> bytes:
    """The lines of the pool that distractors name."""
    wanted = {item for line in distractors.splitlines() for item in json.loads(line)["distractors"]}
    return b"".join(
        line for line in pool.read_bytes().splitlines(keepends=True) if json.loads(line)["api_id"] in wanted
    )


def mtu_targets() -> Iterator[Target]:
    """Answers, predictions and rows."""
    folder = benchmark("mtu").data.starter
    yield Target("mtu answer", "mtu", scored("mtu"), answers("mtu"))
    for setting in ("S-S", "M-M"):
        content = first_lines(folder / f"{setting}_eval.jsonl")
        name = f"{setting}_eval.jsonl"
        yield Target(f"mtu {setting}", "mtu", in_file(name, loaded("mtu")), (content,))
    rows = [{"id": sample.id, "response": "Thought: x", "row": 0} for sample in starter("mtu")]
    seeds = ("\n".join(map(json.dumps, rows)).encode(),)
    yield Target("mtu predictions", "mtu", in_file("S-S.jsonl", predictions("mtu")), seeds)


def toolbehonest_targets() -> Iterator[Target]:
    """Answers, predictions and the data file."""
    folder = benchmark("toolbehonest").data.starter
    rows = json.loads((folder / "test_en.json").read_bytes())[:ROWS]
    seeds = (json.dumps(rows).encode(),)
    yield Target("toolbehonest answer", "toolbehonest", scored("toolbehonest"), answers("toolbehonest"))
    yield Target("toolbehonest data", "toolbehonest", in_file("test_en.json", loaded("toolbehonest")), seeds)
    saved = {"single_step": {"level_1": [{"solvable": "<answer>solvable</answer>", "unsolvable": "no"}]}}
    read = predictions("toolbehonest")
    yield Target(
        "toolbehonest predictions",
        "toolbehonest",
        in_file("p.json", lambda at: read(at / "p.json")),
        (json.dumps(saved).encode(),),
    )


def harbour_scored(data: bytes) -> None:
    """A text as the one round of a trajectory, as its observation and as its judge's reply."""
    text = text_of(data)
    turns = [{"from": "assistant", "value": text}, {"from": "function", "value": text}]
    end = {"from": "assistant", "value": finish()}
    for notes in ({"conversation": turns}, {"conversation": [*turns, end], "saved": True}):
        for profile in PROFILES:
            trajectory = parse_trajectory(HARBOUR, Transcript(HARBOUR.id, notes=notes), profile)
            evidence = {name: replace(item, reply=text) for name, item in replies(2).items()}
            for found in ({}, evidence):
                encode(dict(score_trajectory(HARBOUR, trajectory, found, profile).values))


def verdict(data: bytes) -> None:
    """A text as a judge's reply and as what it quotes."""
    evidence = Evidence("h", "intent", reply=text_of(data))
    claims = claims_in([Piece("answer", text_of(data))])
    for found in (paper_verdict(evidence, "qzkdwbtrmvgcpfsh", claims), official_verdict(evidence, "quality")):
        assert isinstance(found, Failure) or 0 <= found <= 10


def tooleyes_targets() -> Iterator[Target]:
    """Rounds, verdicts, queries, trajectories, judge replies."""
    folder = benchmark("tooleyes").data.starter
    yield Target(
        "tooleyes round",
        "tooleyes",
        harbour_scored,
        (call("tide", {"port": "x", "day": 1}).encode(), finish().encode()),
    )
    yield Target(
        "tooleyes verdict",
        "tooleyes",
        verdict,
        (b"Scoring Reason: x.\nEvaluation Score: 8 (qzkdwbtrmvgcpfsh)",),
    )
    yield Target(
        "tooleyes queries",
        "tooleyes",
        in_file("q.jsonl", lambda at: loaded("tooleyes")(at / "q.jsonl")),
        (first_lines(folder / "queries.jsonl"), first_lines(folder / "pl.jsonl")),
    )
    prompt = 'you have access of the following tools:\n[{"name": "tide", "parameters": {"properties": {"port": {}}}}]'
    turns = [("system", prompt), ("user", "When is high water?"), ("assistant", finish("At nine."))]
    row = {
        "id": "Turn 1: x", "path": "ToolEyes/Tool_Library/Random/Random", "scenario": "TG",
        "conversations": [{"from": who, "value": what} for who, what in turns],
    }  # fmt: skip
    official = json.dumps([row]).encode()
    name = "scenario_data_zero_processed.json"
    yield Target(
        "tooleyes official", "tooleyes", in_file(name, lambda at: loaded("tooleyes")(at / name)), (official,)
    )

    config = {"raw": [{"query": "When?", "path": "x/Random/Random"}], "documents": [DOCUMENT]}
    raw = json.dumps(config).encode()
    yield Target("tooleyes library", "tooleyes", _library, (raw,))

    def trajectories(at: Path) -> None:
        record = benchmark("tooleyes").scoring
        samples = (
            record.saved.samples(at / "t.jsonl", starter("tooleyes"))
            if record.saved and record.saved.samples
            else ()
        )
        by_id = {sample.id: sample for sample in samples}
        for item in record.read_predictions(at / "t.jsonl", samples):
            for profile in PROFILES:
                found = parse_trajectory(by_id[item.sample], item, profile)
                score_trajectory(by_id[item.sample], found, {}, profile)

    yield Target(
        "tooleyes trajectories", "tooleyes", in_file("t.jsonl", trajectories), (json.dumps(row).encode(),)
    )
    reply = {"id": starter("tooleyes")[0].id, "question": "match", "turn": 0, "reply": "Evaluation Score: 9"}
    yield Target(
        "tooleyes evidence",
        "tooleyes",
        in_file("e.jsonl", lambda at: read_judge_replies(at / "e.jsonl", starter("tooleyes"))),
        (json.dumps(reply).encode(),),
    )


def _library(data: bytes) -> None:
    """The raw queries of one file, with the documents of the library beside them."""
    value = value_of(data)
    parts = value if isinstance(value, dict) else {}
    with tempfile.TemporaryDirectory(prefix="doors") as name:
        tests, tools = Path(name, "Test_Data"), Path(name, "Tool_Library", "Random", "Random")
        tests.mkdir()
        tools.mkdir(parents=True)
        (tests / "scenario_data_raw.json").write_text(json.dumps(parts.get("raw")), encoding="utf-8")
        (tools / "config_gpt4.json").write_text(json.dumps(parts.get("documents")), encoding="utf-8")
        loaded("tooleyes")(Path(name))


DOCUMENT = {
    "name": "tide", "description": "High water.", "parameters": {
        "type": "object", "required": ["port"],
        "properties": {"port": {"type": "string", "description": "Which.", "enum": ["Husum"], "default": None},
                       "days": {"type": "array", "items": {"type": "integer"}}}},
}  # fmt: skip
NESTED = {
    "api_name": "tide", "api_description": "x", "parameters": {"port": {"type": "str", "description": "Which."}},
    "required": ["port"], "responses": {"time": {"type": "str", "description": "When."}},
}  # fmt: skip
LISTED = {
    "name": "tide", "description": "x", "required_parameters": [{"name": "port", "type": "string", "description": "y"}],
    "optional_parameters": {"day": {"type": "int", "description": "z"}}, "result_parameters": [],
}  # fmt: skip


def text_targets() -> Iterator[Target]:
    """The tolerant readers of model text, tool documents and templates."""
    prose = (
        b'<think>x</think>Sure:\n```json\n[{"a": [1, 2.5e3, "b\\n"], \'c\': True, "d": null,}]\n```\n(1, {2})'
    )
    react = call("tide", {"port": "Husum"}).encode()

    def values(data: bytes) -> None:
        text = text_of(data)
        read_literal(text, lenient=True)
        first_json_value(text, lenient=True)
        for found in json_values(text):
            encode({"value": found.value})
        answer_text(text)
        printable_text(text)

    def template(data: bytes) -> None:
        head, _, rest = text_of(data).partition("\n")
        render(rest, {"tools": head, "criteria": rest})

    yield Target("text values", "text", values, (prose, b'[{"a": 1}]', b"{'a': (1, 2)}"))
    yield Target("text react", "text", lambda data: read_react(text_of(data)), (react, react + b"\n" + react))
    yield Target("text templates", "text", template, (b"x\nTools: {{tools}} {{ criteria }}",))
    readers = (
        ("openai", from_openai, DOCUMENT),
        ("nestools", from_nestools, NESTED),
        ("mtu", from_mtu, LISTED),
    )
    for name, read, document in readers:
        yield Target(f"document {name}", "text", _reading(read), (json.dumps(document).encode(),))
    yield Target("documents mtu", "text", _reading(from_mtu_list), (json.dumps([LISTED]).encode(),))
    listing = b"1. Tide: When high water is.\n2. Finish: Ends the plan."
    yield Target("documents toolbehonest", "text", lambda data: from_toolbehonest(text_of(data)), (listing,))


def _reading(read: Callable[[object], object]) -> Callable[[bytes], object]:
    return lambda data: read(value_of(data))


def file_targets() -> Iterator[Target]:
    """Files of runs, replays, reviews and votes."""
    line = {
        "sample": "7", "trial": 0, "messages": [{"role": "user", "content": "x"}], "notes": {}, "error": None,
        "completions": [{"text": "y", "usage": {"prompt_tokens": 1, "completion_tokens": 2}, "latency": 0.5}],
    }  # fmt: skip
    transcripts = encode(line) + encode({**line, "error": {"kind": "timeout", "detail": "late"}})
    evidence = encode({**_plain(Evidence("7", "intent", reply="Evaluation Score: 3")), "key": "k"})
    vote = {"annotator": "ada", "sample": "7", "label": 1, "dimension": "intent"}
    decision = {"item": "7", "verdict": "right", "row": {"id": 7}, "note": "", "annotator": "ada"}
    rows = json.dumps([{"id": 1, "text": "x"}]).encode()
    yield Target(
        "run transcripts",
        "files",
        in_file("transcripts.jsonl", lambda at: RunStore(at).transcripts()),
        (transcripts,),
    )
    yield Target(
        "run evidence", "files", in_file("evidence.jsonl", lambda at: RunStore(at).evidence()), (evidence,)
    )
    yield Target(
        "replay",
        "files",
        in_file("r.jsonl", lambda at: read_recorded(at / "r.jsonl")),
        (transcripts, b'{"id": "7", "trial": 0, "turn": 0, "response": "x"}\n'),
    )
    yield Target(
        "votes",
        "files",
        in_file("v.jsonl", lambda at: read_labels(at / "v.jsonl", "intent")),
        (encode(vote),),
    )
    yield Target("review rows", "files", in_file("d.json", row_files), (rows,))
    yield Target("review lines", "files", in_file("d.jsonl", row_files), (rows[1:-1],))
    yield Target(
        "review decisions",
        "files",
        in_file(
            "ada.jsonl",
            lambda at: [fold_decisions(lines) for lines in ReviewFolder(_as_review(at)).decisions().values()],
        ),
        (encode(decision),),
    )
    yield Target(
        "review identity",
        "files",
        in_file("review.json", lambda at: ReviewFolder(at).identity()),
        (encode({"kind": "data"}),),
    )


def _plain(evidence: Evidence) -> dict[str, object]:
    found: dict[str, object] = json.loads(encode(evidence))
    return found


def _as_review(folder: Path) -> Path:
    (folder / "decisions").mkdir()
    (folder / "ada.jsonl").rename(folder / "decisions" / "ada.jsonl")
    return folder


@cache
def targets() -> dict[str, Target]:
    """All doors by name."""
    doors = (
        text_targets,
        nestools_targets,
        mtu_targets,
        toolbehonest_targets,
        tooleyes_targets,
        file_targets,
    )
    own = (Target(*door) for door in own_doors())
    return {target.name: target for target in (*(target for each in doors for target in each()), *own)}
