"""Models without a model: benchmark answerers and recorded files."""

import asyncio
import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from cases import cases
from toolyard.core.benchmark import Checks, RunSetup
from toolyard.core.errors import DataError, ProviderError, UsageError
from toolyard.core.types import Completion, Decoding, Message, Request, Usage
from toolyard.models.base import Model
from toolyard.models.loading import load_model
from toolyard.run.play.offline import play_offline
from toy_benchmark import TOOLS, toy_benchmark, toy_samples

BENCHMARK = toy_benchmark(Path("none"))
SAMPLES = toy_samples(4)


def request(sample: str = "0", trial: int = 0, turn: int = 0) -> Request:
    return Request((Message("user", "the query"),), Decoding(), sample=sample, trial=trial, turn=turn)


def scripted(name: str, seed: int = 0) -> Model:
    return load_model(f"scripted/{name}", benchmark=BENCHMARK, samples=SAMPLES, seed=seed)


def say(model: Model, asked: Request) -> str:
    return asyncio.run(model.generate(asked)).text


def test_the_oracle_answers_for_its_sample() -> None:
    model = scripted("oracle")
    assert [say(model, request("1")), say(model, request("0"))] == ["beta", "alpha"]
    assert model.name == "scripted/oracle"


def test_an_answerer_may_call_natively() -> None:
    call = {"id": "call_0", "type": "function", "function": {"name": "alpha", "arguments": "{}"}}
    native = replace(
        BENCHMARK, checks=Checks(lambda sample, messages, rng: Completion("", tool_calls=(call,)))
    )
    model = load_model("scripted/oracle", benchmark=native, samples=SAMPLES, seed=0)
    assert asyncio.run(model.generate(request())).tool_calls == (call,)
    (transcript,) = play_offline(RunSetup.default(native), SAMPLES[:1], native.checks.oracle)
    assert transcript.completions[0].tool_calls == (call,)


def test_empty_says_nothing_and_needs_no_benchmark() -> None:
    assert say(load_model("scripted/empty"), request("whoever")) == ""


def test_baselines_of_the_benchmark_are_scripted_models() -> None:
    found = asyncio.run(scripted("first-tool").generate(request("3")))
    assert (found.text, found.usage) == ("alpha", Usage(3, 2))


def test_random_depends_on_seed_sample_and_trial_alone() -> None:
    asked = [request(str(sample), trial=trial) for sample in range(4) for trial in range(8)]
    forwards = [say(scripted("random"), one) for one in asked]
    model = scripted("random")
    assert [say(model, one) for one in reversed(asked)] == forwards[::-1]
    assert set(forwards) == set(TOOLS)
    assert [say(scripted("random", seed=1), one) for one in asked] != forwards


def test_an_unknown_script_lists_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"first-tool, oracle, random, empty, replay:FILE"):
        scripted("copy-query")
    with pytest.raises(
        UsageError, match=r"has no scripted/first-tol; did you mean scripted/first-tool\? it has "
    ):
        scripted("first-tol")
    with pytest.raises(UsageError, match="scripted/empty and scripted/replay:FILE can"):
        load_model("scripted/oracle")


def test_a_sample_nobody_told_of_is_not_answered() -> None:
    with pytest.raises(ProviderError, match="'c'"):
        say(scripted("oracle"), request("c"))


def replay(path: Path, *rows: object) -> Model:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return load_model(f"scripted/replay:{path}")


def test_replay_reads_one_answer_a_line(tmp_path: Path) -> None:
    model = replay(
        tmp_path / "r.jsonl",
        {"test_id": 7, "response": "seven"},
        {"id": "a", "trial": 1, "text": "trial one"},
        {"sample": "a", "response": "any trial, first"},
        {"sample": "a", "response": "any trial, second"},
        {"sample": "t", "turn": 1, "response": "later"},
        {"sample": "t", "turn": 0, "response": "sooner"},
    )
    assert say(model, request("7")) == "seven"
    assert say(model, request("a", trial=1)) == "trial one"
    assert [say(model, request("a", turn=turn)) for turn in (0, 1)] == [
        "any trial, first",
        "any trial, second",
    ]
    assert [say(model, request("t", turn=turn)) for turn in (0, 1)] == ["sooner", "later"]
    with pytest.raises(ProviderError) as caught:
        say(model, request("unknown"))
    assert caught.value.kind == "missing_prediction"


def test_replay_passes_over_a_byte_order_mark_and_reads_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"id": "a", "response": "one\u2028line"}\n', encoding="utf-8-sig")
    assert say(load_model(f"scripted/replay:{path}"), request("a")) == "one\u2028line"


def test_replay_reads_the_transcripts_of_a_run(tmp_path: Path) -> None:
    said = Completion("[...]", "length", Usage(5, 6), 0.1, "gpt", reasoning="hm")
    model = replay(
        tmp_path / "transcripts.jsonl",
        {"sample": "a", "trial": 0, "completions": [{"text": "old"}], "error": None},
        {"sample": "a", "trial": 0, "completions": [asdict(said), {"text": "second"}], "error": None},
        {"sample": "b", "trial": 0, "completions": [], "error": {"kind": "timeout", "detail": ""}},
    )
    # turns count on through a dialogue: the second sample of one starts at a later turn
    assert asyncio.run(model.generate(request("a", turn=4))) == said
    assert say(model, request("a", turn=5)) == "second"
    with pytest.raises(ProviderError) as caught:
        say(model, request("b"))
    assert caught.value.kind == "timeout"


@pytest.mark.parametrize(
    ("text", "says"), cases(__file__, "a_file_in_another_form_says_which_line_and_field")
)
def test_a_file_in_another_form_says_which_line_and_field(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        load_model(f"scripted/replay:{path}")
    assert says in str(caught.value)


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        load_model(f"scripted/replay:{tmp_path / 'none.jsonl'}")


def test_half_a_last_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "torn.jsonl"
    path.write_text('{"id": "a", "response": "whole"}\n{"id": "b", "resp')
    assert say(load_model(f"scripted/replay:{path}"), request("a")) == "whole"
