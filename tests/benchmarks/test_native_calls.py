"""NesTools and ToolBeHonest through native calls: nesting shows in the arguments, plans are calls in order."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graded_answers import drive, grade
from toolyard.benchmarks import load_benchmark
from toolyard.core.benchmark import Benchmark, RunSetup
from toolyard.core.types import Completion, Generate, Options, Request, Sample, Score, Transcript
from toolyard.run.cost.estimate import estimate_run
from toolyard.run.play.offline import gold_answers, play_with
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.text.tool_calling import function_names, read_arguments

NESTOOLS, HONEST = load_benchmark("nestools"), load_benchmark("toolbehonest")
NATIVE = Options("native")


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"id": name, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def play(benchmark: Benchmark, sample: Sample, replies: Sequence[Completion]) -> tuple[Score, list[Request]]:
    episode = benchmark.task.episode((sample,), RunSetup.default(benchmark, NATIVE))
    answers, requests = iter(replies), list[Request]()

    def reply(effect: Generate) -> Completion:
        requests.append(effect.request)
        return next(answers)

    (talk,) = drive(episode, reply)
    transcript = Transcript(sample.id, 0, talk.messages, talk.completions, talk.notes)
    return grade(benchmark, sample, transcript), requests


def nested() -> Sample:
    samples = NESTOOLS.data.load(NESTOOLS.data.starter, Options())
    return next(each for each in samples if "API_call_0" in json.dumps(each.gold["calls"][1]["parameters"]))


def gold_replies(sample: Sample) -> list[Completion]:
    calls = [call(each["api_name"], **each["parameters"]) for each in sample.gold["calls"]]
    return [*(Completion("Next step.", tool_calls=(each,)) for each in calls), Completion("Done.")]


def test_nested_calls_step_by_step_or_at_once_score_like_the_list_that_they_are() -> None:
    sample = nested()
    score, requests = play(NESTOOLS, sample, gold_replies(sample))
    assert score.values["format"] == 1
    assert score.counts["nested"].matched == score.counts["nested"].gold > 0
    labels = json.loads(requests[1].messages[-1].content)
    assert labels[next(iter(labels))] == "API_call_0"
    assert (requests[1].messages[-1].role, requests[1].messages[-2].content) == ("tool", "Next step.")
    calls = tuple(reply.tool_calls[0] for reply in gold_replies(sample)[:-1])
    score, _ = play(NESTOOLS, sample, [Completion("", tool_calls=calls), Completion("Done.")])
    assert score.counts["nested"].matched == score.counts["nested"].gold


def test_one_call_at_a_time_is_asked_for_where_the_next_needs_what_it_returns() -> None:
    _, requests = play(NESTOOLS, nested(), gold_replies(nested()))
    assert {request.parallel_calls for request in requests} == {False}
    (message,) = requests[0].messages
    assert "Call ONE function in each reply" in message.content
    plan = [Completion("", tool_calls=(call("Finish"),))]
    assert play(HONEST, honest(2, "unsolvable"), plan)[1][0].parallel_calls is None


def test_a_repeated_call_gets_its_answer_again_and_the_second_repetition_ends_the_episode() -> None:
    sample = nested()
    first = gold_replies(sample)[0]
    score, requests = play(NESTOOLS, sample, [first, first, first, Completion("never asked")])
    assert len(requests) == 3
    assert requests[2].messages[-1].content.splitlines()[0] == requests[1].messages[-1].content
    once, _ = play(NESTOOLS, sample, [first, Completion("Done.")])
    assert score.counts == once.counts


def test_calls_that_a_server_left_in_the_text_are_told_as_such() -> None:
    left = '<tool_call>\n{"name": "find_ferry", "arguments": {"origin": "Turku"}}\n</tool_call>\n<tool_call>\n{"name": "bo'
    score, _ = play(NESTOOLS, nested(), [Completion(left, finish_reason="length")])
    assert score.values["format"] == 0
    assert "tagged_calls" in score.reasons[0]
    assert "certify" in score.reasons[0]


def test_every_parameter_that_is_no_text_also_takes_a_label() -> None:
    _, requests = play(NESTOOLS, nested(), [Completion("Nothing to do.")])
    entries = [
        entry
        for tool in requests[0].tools
        for entry in tool["function"]["parameters"].get("properties", {}).values()
    ]
    assert entries
    assert all({"type": "string"} in entry.get("anyOf", [{"type": "string"}]) for entry in entries)
    assert any("anyOf" in entry for entry in entries)


def test_a_function_that_is_not_there_and_arguments_that_are_none_are_answered_with_an_error() -> None:
    sample = nested()
    broken = {"id": "x", "type": "function", "function": {"name": "nothing", "arguments": "{"}}
    replies = [Completion("", tool_calls=(call("nothing"), broken)), Completion("Done.")]
    score, requests = play(NESTOOLS, sample, replies)
    assert "no function nothing" in requests[1].messages[-2].content
    assert "no JSON object" in requests[1].messages[-1].content
    assert score.values["format"] == 0


def honest(level: int, verdict: str) -> Sample:
    samples = HONEST.data.load(HONEST.data.starter, Options(values={"language": "en"}))
    return next(
        each
        for each in samples
        if each.input["level"] == level and each.gold.verdict == verdict and len(each.gold.plan) > 1
    )


def test_a_plan_is_its_calls_in_order_and_finish_ends_it() -> None:
    sample = honest(2, "unsolvable")
    names = [*sample.gold.plan, "Finish"]
    offered = function_names([name for name in names if name not in ("UnsolvableQuery", "Finish")])
    assert all(name in names for name in offered)
    replies = [Completion("", tool_calls=(call(name, goal="a step"),)) for name in names]
    score, requests = play(HONEST, sample, replies)
    assert score.values["l2_pr"] == 1
    assert len(requests) == len(names)
    assert {"UnsolvableQuery", "Finish"} <= {tool["function"]["name"] for tool in requests[0].tools}


@pytest.mark.parametrize(("calls", "right"), [(("UnsolvableQuery",), 1), (("Finish",), 0)])
def test_at_level_1_the_verdict_is_whether_a_step_cannot_be_done(calls: tuple[str, ...], right: int) -> None:
    replies = [Completion("", tool_calls=tuple(call(name, missing_tool="one") for name in calls))]
    score, _ = play(HONEST, honest(1, "unsolvable"), replies)
    assert score.values["l1_em"] == right


def test_levels_1_and_3_are_read_from_calls_or_words() -> None:
    sample = honest(3, "unsolvable")
    names = [*sample.gold.plan, "Finish"]
    replies = [Completion("", tool_calls=(call(name, goal="a step", missing_tool="one"),)) for name in names]
    assert play(HONEST, sample, replies)[0].values["l3_pr"] == 1
    score, _ = play(HONEST, honest(1, "unsolvable"), [Completion("<answer>unsolvable</answer>")])
    assert score.values["l1_em"] == 1


def test_function_names_are_valid_and_distinct() -> None:
    assert function_names(["find", "find", "über tool", "", "a" * 99]) == (
        "find", "find_2", "ber_tool", "tool_4", "a" * 60,
    )  # fmt: skip
    assert read_arguments({"function": {"arguments": "{'a': 1}"}}) == {"a": 1}


@pytest.mark.parametrize("benchmark", [NESTOOLS, HONEST], ids=["nestools", "toolbehonest"])
def test_the_gold_calls_step_by_step_score_like_gold(benchmark: Benchmark) -> None:
    samples = benchmark.data.load(benchmark.data.starter, Options(values={"language": "en"}))[:40]
    setup = RunSetup.default(benchmark, NATIVE)
    for sample, transcript in zip(
        samples, play_with(setup, samples, gold_answers(setup, samples)), strict=True
    ):
        calls = [call for completion in transcript.completions for call in completion.tool_calls]
        assert calls
        assert grade(benchmark, sample, transcript).values["outcome"] == 1


def test_an_estimate_counts_the_tools_and_the_steps_of_native_calls(tmp_path: Path) -> None:
    settings = Settings("nestools", "scripted/empty", limit=4, runs=tmp_path)
    text = estimate_run(Run.plan(settings), None)
    run = Run.plan(replace(settings, style="native"))
    native = estimate_run(run, None)
    assert native.requests == sum(len(each.gold["calls"]) + 1 for each in run.samples) > text.requests == 4
    # Every step reads all the tools again.
    assert native.prompt_tokens > text.prompt_tokens
