"""Replies of many calls and huge texts: what is kept is bounded and counted, and grading grows with it, not faster."""

import asyncio
import json
import random
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from aiohttp import web

from cases import cases
from chat_endpoint import Body, serve
from graded_answers import grade
from toolyard.benchmarks import load_benchmark
from toolyard.benchmarks.tooleyes.scoring.grounding import ground_answer
from toolyard.benchmarks.tooleyes.scoring.outcome import parameter_correctness
from toolyard.benchmarks.tooleyes.task.episode import REPEATED_THOUGHT, read_calls
from toolyard.certify.endpoint_turn import EndpointTurn
from toolyard.certify.surfaces import chat as certify_chat
from toolyard.certify.surfaces import responses as certify_responses
from toolyard.core.benchmark import RunSetup
from toolyard.core.types import Completion, Question, Request, Sample, Transcript
from toolyard.core.untrusted.limits import CALLS_PER_REPLY, CHARACTERS_PER_EPISODE, CHARACTERS_PER_REPLY
from toolyard.models.agents.agent_functions import FunctionModel
from toolyard.models.cache.stored_completions import completion_json, read_completion
from toolyard.models.http import responses, wire
from toolyard.models.http.stream import ChatStream
from toolyard.models.loading import load_model
from toolyard.report.content import load_report
from toolyard.report.tables.run_tables import cut_note
from toolyard.run.grade.evidence import Instruments, evidence_without_run
from toolyard.run.play.episodes import Unit, play_unit
from toolyard.run.play.execute import execute_run
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toy_benchmark import toy_benchmark, toy_samples

MANY = 1_000
NAMES = ("nestools", "mtu", "toolbehonest", "tooleyes")
ENDS = ("finish", "unsolvablequery")
REQUEST = Request((), load_benchmark("mtu").task.decoding_on())


def calls_of(name: str, count: int = MANY, arguments: str = '{"q": "Oslo %d"}') -> list[dict[str, Any]]:
    return [
        {
            "id": f"c{place}",
            "type": "function",
            "function": {"name": name, "arguments": arguments.replace("%d", str(place))},
        }
        for place in range(count)
    ]


async def flooding(request: web.Request, body: Body) -> web.StreamResponse:
    """A thousand calls of the first tool that ends nothing."""
    names = [tool["function"]["name"] for tool in body["tools"]]
    name = next(name for name in names if name.lower() not in ENDS)
    message = {"role": "assistant", "content": "All at once.", "tool_calls": calls_of(name)}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return web.json_response({"model": "m", "choices": [choice]})


@pytest.mark.parametrize("name", NAMES)
def test_a_reply_of_many_calls_ends_and_says_what_was_dropped(tmp_path: Path, name: str) -> None:
    settings = Settings(name, "served", style="native", limit=1, runs=tmp_path, name="r")

    async def played() -> list[str]:
        async with serve(flooding) as url:
            model = load_model(f"openai/m?base_url={url}")
            try:
                result = await execute_run(Run.plan(settings), model, Instruments(embedder="none"))
            finally:
                await model.close()
        return [item.score.reasons[0] for item in result.graded["paper"]]

    reasons = asyncio.run(played())
    lines = [json.loads(line) for line in (tmp_path / "r" / "transcripts.jsonl").read_text().splitlines()]
    for line, reason in zip(lines, reasons, strict=True):
        dropped = [completion["dropped_calls"] for completion in line["completions"]]
        assert set(dropped) == {MANY - CALLS_PER_REPLY}
        assert reason.startswith(f"{sum(dropped):,} calls of its replies were dropped")
        asked = [call["id"] for message in line["messages"] for call in message.get("tool_calls", ())]
        replied = [message["tool_call_id"] for message in line["messages"] if message["role"] == "tool"]
        assert len(asked) == CALLS_PER_REPLY * len(dropped)
        # MTU-Bench ends with the answer, whose calls nobody makes; ToolEyes ends when the same calls come again.
        assert replied == asked[: len(replied)]
        assert (len(replied) >= CALLS_PER_REPLY) == (name != "mtu")
    report = load_report(tmp_path / "r")
    assert "tool calls dropped" in cut_note(report)
    assert report.to_json()["dropped_calls"] == sum(
        completion["dropped_calls"] for line in lines for completion in line["completions"]
    )


def chat_reply() -> Completion:
    message: Any = {"role": "assistant", "content": "", "tool_calls": calls_of("find")}
    found = wire.read_completion({"choices": [{"message": message}]}, REQUEST, 0.0)
    assert isinstance(found, Completion)
    return found


def responses_reply() -> Completion:
    items = [{"type": "function_call", "call_id": f"c{n}", "name": "find"} for n in range(MANY)]
    found = responses.read_completion({"output": items}, REQUEST, 0.0)
    assert isinstance(found, Completion)
    return found


def streamed_reply() -> Completion:
    stream = ChatStream()
    for place, call in enumerate(calls_of("find")):
        stream.add({"choices": [{"delta": {"tool_calls": [{"index": place, **call}]}}]})
    stream.add({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})
    found = wire.read_completion(stream.whole(), REQUEST, 0.0)  # type: ignore[arg-type]
    assert isinstance(found, Completion)
    return found


def function_reply() -> Completion:
    model = FunctionModel(lambda _: {"content": "", "tool_calls": calls_of("find")}, name="agent")
    return asyncio.run(model.generate(REQUEST))


@pytest.mark.parametrize("reply", [chat_reply, responses_reply, streamed_reply, function_reply])
def test_every_way_to_a_reply_keeps_the_first_calls_counts_others(
    reply: Callable[[], Completion],
) -> None:
    found = reply()
    assert [call["id"] for call in found.tool_calls] == [f"c{n}" for n in range(CALLS_PER_REPLY)]
    assert found.dropped_calls == MANY - CALLS_PER_REPLY


@pytest.mark.parametrize(
    ("given", "calls", "characters"),
    [
        ({"text": "x" * (CHARACTERS_PER_REPLY + 7)}, 0, 7),
        ({"text": "x", "reasoning": "x" * (CHARACTERS_PER_REPLY + 9)}, 0, 9),
        ({"text": "x", "tool_calls": tuple(calls_of("find"))}, MANY - CALLS_PER_REPLY, 0),
        ({"text": "x", "tool_calls": tuple(calls_of("find", 3, "x" * 5_000_000))}, 3, 0),
        ({"text": "x" * CHARACTERS_PER_REPLY, "tool_calls": tuple(calls_of("f", CALLS_PER_REPLY))}, 0, 0),
    ],
    ids=["text", "thoughts", "calls", "arguments", "all that is kept"],
)
def test_what_is_kept_of_a_reply_is_bounded(given: dict[str, Any], calls: int, characters: int) -> None:
    found = Completion(**given)
    assert (found.dropped_calls, found.dropped_characters) == (calls, characters)
    assert found.size <= 3 * CHARACTERS_PER_REPLY
    assert read_completion(completion_json(found)) == found == replace(found)


def test_an_episode_keeps_so_much_of_its_replies_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "n").write_text("1")
    (sample,) = toy_samples(1)
    rounds = CHARACTERS_PER_EPISODE // CHARACTERS_PER_REPLY + 3
    toy = toy_benchmark(tmp_path / "n")

    def talking(samples: tuple[Sample, ...], setup: RunSetup) -> Any:
        said: tuple[Completion, ...] = ()
        for _ in range(rounds):
            (talk,) = yield from toy.task.episode(samples, setup)
            said += talk.completions
        return (replace(talk, completions=said),)

    async def answer(request: Request) -> Completion:
        return Completion("x" * CHARACTERS_PER_REPLY)

    benchmark = replace(toy, task=replace(toy.task, episode=talking))
    (found,) = asyncio.run(play_unit(Unit((sample,), 0), RunSetup.default(benchmark), answer))
    assert sum(len(completion.text) for completion in found.completions) == CHARACTERS_PER_EPISODE
    assert found.dropped.startswith(f"{3 * CHARACTERS_PER_REPLY:,} characters")


def test_a_long_thought_stands_once_before_many_calls() -> None:
    thought = "x" * (2 * REPEATED_THOUGHT)
    found = read_calls(Completion(thought, tool_calls=tuple(calls_of("find", 3))), native=True)
    assert [len(call.turn.thought) for call in found] == [len(thought), REPEATED_THOUGHT, REPEATED_THOUGHT]


def test_questions_are_not_posed_where_nobody_answers_them() -> None:
    posed: list[str] = []
    benchmark = load_benchmark("tooleyes")
    assert benchmark.judging is not None

    def ask(sample: Sample, *_: object) -> tuple[Question, ...]:
        posed.append(sample.id)
        return ()

    asking = replace(benchmark, judging=replace(benchmark.judging, ask=ask))
    samples = (Sample("s", {"query": "q", "documents": []}, None),)
    answers = [Transcript.answered("s", "x")]
    asyncio.run(evidence_without_run(RunSetup.default(asking), samples, answers, Instruments()))
    assert posed == []


def counted(action: Callable[[], object]) -> int:
    """The instructions that Python executes for the action."""
    total = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal total
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        total += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return total


def episode(sample: Sample, rounds: int, observed: str, answer: str) -> Transcript:
    """Rounds of the plan's first call, then the answer."""
    step = sample.gold.plan[0]
    call = f"Thought: so.\nAction: {step.tool}\nAction Input: {json.dumps(dict(step.arguments))}"
    end = f"Thought: so.\nAction: finish\nAction Input: {json.dumps({'answer': answer})}"
    talk = [("assistant", call), ("function", observed)] * rounds + [("assistant", end)]
    notes = {"conversation": [{"from": who, "value": text} for who, text in talk], "world": {}}
    return Transcript(sample.id, notes={**notes, "reference": {"observations": [{}] * 20, "changes": {}}})


REPEATED = cases(__file__, "REPEATED")


@pytest.mark.parametrize("shape", REPEATED)
@pytest.mark.parametrize("name", NAMES)
def test_grading_grows_with_the_answer_and_not_faster(name: str, shape: str) -> None:
    benchmark = load_benchmark(name)
    style = benchmark.task.styles[0] if benchmark.task.styles else ""
    sample = benchmark.data.load(
        benchmark.data.starter, replace(RunSetup.default(benchmark).options, style=style)
    )[0]
    unit = REPEATED[shape] or benchmark.checks.oracle(sample, (), random.Random(0)) + "\n"

    def graded(size: int) -> Callable[[], object]:
        answer = Transcript.answered(sample.id, unit * (size // len(unit) + 1))
        return lambda: [grade(benchmark, sample, answer, profile) for profile in benchmark.profiles]

    graded(100)()
    small, large = counted(graded(8_000)), counted(graded(32_000))
    assert large < 8 * small


@pytest.mark.parametrize(
    ("answer", "source"),
    [("{} ", "{} "), ("Ab{} ", "Ab{} "), ("{}-05-03 ", "{}-05-04 "), ("Ab Cd", "x ")],
    ids=["numbers", "names", "dates", "one name"],
)
def test_what_an_answer_rests_on_is_found_without_comparing_everything(answer: str, source: str) -> None:
    def looked_up(count: int) -> Callable[[], object]:
        texts = ["".join(form.format(n) for n in range(1000, 1000 + count)) for form in (answer, source)]
        return lambda: ground_answer(texts[0], texts[1:])

    assert counted(looked_up(1_600)) < 8 * counted(looked_up(400))


def test_what_was_said_before_every_call_is_kept_once() -> None:
    benchmark = load_benchmark("tooleyes")
    samples = benchmark.data.load(benchmark.data.starter, RunSetup.default(benchmark).options)
    sample = next(sample for sample in samples if sample.gold.plan)

    def peak(rounds: int) -> int:
        trajectory = benchmark.scoring.parse(sample, episode(sample, rounds, "x " * 1000, "Done."), "paper")
        tracemalloc.start()
        parameter_correctness(sample.gold, trajectory, "q")
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(1)
    assert peak(160) < 6 * peak(40)


def chat_events(count: int) -> str:
    call = {"function": {"name": "find", "arguments": "x"}}
    events = [
        {"choices": [{"delta": {"content": "ab", "tool_calls": [{"index": n, **call}]}}]}
        for n in range(count)
    ]
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"


def response_events(count: int) -> str:
    events: list[dict[str, Any]] = []
    for number in range(count):
        events.append({"type": "response.output_text.delta", "delta": "ab", "sequence_number": 2 * number})
        piece = {"type": "response.function_call_arguments.delta", "item_id": f"i{number}", "delta": "{}"}
        events.append({**piece, "sequence_number": 2 * number + 1})
    events.append({"type": "response.completed", "response": {"output": []}})
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events)


@pytest.mark.parametrize(
    ("read", "events"),
    [(certify_chat.read_stream, chat_events), (certify_responses.read_stream, response_events)],
)
def test_a_stream_under_certification_is_read_in_one_pass(
    read: Callable[[str], EndpointTurn], events: Callable[[int], str]
) -> None:
    assert len(read(events(MANY)).calls) <= CALLS_PER_REPLY
    small, large = events(500), events(2_000)
    assert counted(lambda: read(large)) < 6 * counted(lambda: read(small))
