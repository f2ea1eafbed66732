"""A model may rewrite queries before a run; only texts that keep every value are taken."""

import json
from pathlib import Path

import pytest

from toolyard import evaluate
from toolyard.core.errors import UsageError
from toolyard.run.run import Run

REWRITE = "Rewritten by a model."


def asked(tmp_path: Path, answers: dict[str, str], seen: list[str]) -> Path:
    """A run whose rewriter says `answers`; the folder of the run."""
    replies = tmp_path / "replies.jsonl"
    lines = [
        {"sample": sample, "trial": trial, "response": text}
        for sample, text in answers.items()
        for trial in (0, 1)
    ]
    replies.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def model(messages: list[dict[str, str]]) -> str:
        seen.append(messages[-1]["content"])
        return "[]"

    result = evaluate(
        "nestools", model, ids=tuple(answers), options={"variant": "no-conjunctions"},
        rewriter=f"scripted/replay:{replies}", runs=tmp_path / "runs",
    )  # fmt: skip
    return result.folder


def original(sample: str) -> str:
    from toolyard import load_benchmark
    from toolyard.core.types import Options

    benchmark = load_benchmark("nestools")
    samples = {each.id: each for each in benchmark.data.load(benchmark.data.starter, Options())}
    return str(samples[sample].input["query"])


def test_an_accepted_rewriting_is_sent_and_a_refused_one_is_counted(tmp_path: Path) -> None:
    seen: list[str] = []
    folder = asked(tmp_path, {"1": f"{REWRITE} {original('1')}", "2": "All values are gone."}, seen)
    assert sum(REWRITE in prompt for prompt in seen) == 1
    assert not any("All values are gone." in prompt for prompt in seen)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["rewrites"] == {"accepted": 1, "refused": 1}
    reopened = {sample.id: sample for sample in Run.open(folder).samples}
    assert REWRITE in reopened["1"].input["rewritten_query"]
    assert "rewritten_query" not in reopened["2"].input


def test_a_rewriter_with_nothing_to_rewrite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to rewrite"):
        evaluate("nestools", "scripted/empty", rewriter="scripted/empty", limit=1, runs=tmp_path)
