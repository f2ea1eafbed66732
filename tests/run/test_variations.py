"""Variations and rewritten queries: gold follows, values are kept, and so do the perfect answers."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.core.types import Options, Sample
from toolyard.core.variations import other_names, shuffle_items
from toolyard.report.compare.sensitivity import measure_sensitivity, sensitivity_tables
from toolyard.run.api import evaluate
from toolyard.run.run import Run
from toolyard.run.settings import Settings

NAMES = ("mtu", "nestools", "toolbehonest", "tooleyes")
CASES = [
    (name, variation)
    for name in NAMES
    for variation, item in load_benchmark(name).task.variations.items()
    if not item.model
]


def shown(sample: Sample, run: Run) -> str:
    return "\n".join(message.content for message in run.benchmark.task.prompt(sample, run.options))


@pytest.mark.parametrize(("name", "variation"), CASES)
def test_a_variation_changes_prompts_and_no_gold(name: str, variation: str, tmp_path: Path) -> None:
    settings = Settings(name, "scripted/oracle", limit=6, runs=tmp_path)
    base, varied = Run.plan(settings), Run.plan(replace(settings, variation=variation))
    assert [sample.id for sample in varied.samples] == [sample.id for sample in base.samples]
    assert varied.folder != base.folder
    prompts = [(shown(a, base), shown(b, varied)) for a, b in zip(base.samples, varied.samples, strict=True)]
    assert sum(first != second for first, second in prompts) >= len(prompts) / 2
    result = evaluate(name, "scripted/oracle", limit=6, variation=variation, runs=tmp_path)
    figure = result.summaries["paper"].figures[result.run.setup.headline]
    assert figure.value == 1.0


def test_a_renamed_tool_is_renamed_wherever_it_stands() -> None:
    benchmark = load_benchmark("mtu")
    samples = benchmark.data.load(benchmark.data.starter, Options("default"))
    change = benchmark.task.variations["renamed-tools"].change
    assert change is not None
    for before, after in zip(samples, change(samples, 0), strict=True):
        names = [tool["name"] for tool in before.input["tools"]]
        told = json.dumps([after.input["tools"], after.input["history"], after.gold["calls"]])
        called = {call["name"] for turn in after.input["history"] for call in turn["calls"]}
        assert all(name.startswith("function_") for name in called if name not in names)
        assert not [name for name in names if f'"name": "{name}"' in told]
        assert not [name for name in names if f'"{name}.' in json.dumps(after.gold["calls"])]
        assert after.input["user"] == before.input["user"]
    assert shuffle_items(["a", "b"], 0, "x") == ["b", "a"]
    assert sorted(shuffle_items(list("abcdef"), 3, "y")) == list("abcdef")
    names = other_names(["b", "a", "b"], 1, "z")
    assert sorted(names) == ["a", "b"]
    assert sorted(names.values()) == ["function_01", "function_02"]


def test_a_run_under_a_variation_is_opened_again(tmp_path: Path) -> None:
    done = evaluate("nestools", "scripted/oracle", limit=3, variation="renamed-tools", runs=tmp_path)
    opened = Run.open(done.folder)
    assert opened.config.variation == "renamed-tools"
    assert opened.samples == done.run.samples
    worded = evaluate("nestools", "scripted/oracle", limit=3, variation="german", runs=tmp_path)
    assert "Aufgabe" in shown(Run.open(worded.folder).samples[0], Run.open(worded.folder))


def test_a_variation_that_is_not_there_is_one_line_and_reasoning_is_asked_of_a_model(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no variation 'upside-down'; it has paraphrase"):
        Run.plan(Settings("mtu", "scripted/oracle", variation="upside-down", runs=tmp_path))
    with pytest.raises(UsageError, match="changes nothing under --style verbatim"):
        Run.plan(Settings("mtu", "scripted/oracle", style="verbatim", variation="german", runs=tmp_path))
    model = "openai/m?base_url=http://localhost:1/v1&reasoning=low"
    run = Run.plan(Settings("mtu", model, limit=2, variation="reasoning-off", runs=tmp_path))
    assert run.config.model == "openai/m?base_url=http://localhost:1/v1&reasoning=none"


def test_the_sensitivity_table_pairs_each_variation_with_its_base(tmp_path: Path) -> None:
    folders = []
    for model in ("scripted/oracle", "scripted/word-overlap"):
        for variation in ("", "renamed-tools", "shuffled-tools"):
            settings: dict[str, Any] = {"limit": 30, "runs": tmp_path, "variation": variation}
            folders.append(evaluate("nestools", model, **settings).folder)
    found = measure_sensitivity(folders)
    lines = {(item.model, item.variation): item for item in found.varied}
    moved = lines["scripted/word-overlap", "renamed-tools"].test
    assert moved is not None
    assert moved.difference.value is not None
    assert moved.difference.value < 0
    assert lines["scripted/oracle", "base"].test is None
    assert found.spread()["scripted/oracle"] == 0.0
    better = next(item for item in found.conclusions if "better than" in item.text)
    assert better.text == "scripted/oracle is better than scripted/word-overlap"
    assert better.survives
    for table in sensitivity_tables(found):
        assert all(len(row) == len(table.columns) for row in table.rows)
    with pytest.raises(UsageError, match="wanted its base"):
        measure_sensitivity(folders[1:2])


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
