"""Queries after a guideline: what an author drafts is kept where it runs and its facts come from results."""

import json
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import UsageError
from toolyard.run.grade.checking import check_benchmark
from toolyard.synth.command import synthesise
from toolyard.synth.settings import SynthSettings

DRAFT: dict[str, Any] = {
    "query": "How many laughs did joke number 5 earn?",
    "plan": [{"tool": "get_joke_by_id", "arguments": {"id": 5}}],
    "facts": [{"$": "0.laughs"}],
    "answer": "It earned {0.laughs} laughs.",
}
SEVERAL: dict[str, Any] = cases(__file__, "several")


def settings(out: Path, **more: Any) -> SynthSettings:
    return SynthSettings("tooleyes", out=out, workers=1, **more)


def drafts_file(folder: Path, *drafts: dict[str, Any]) -> str:
    path = folder / "drafts.jsonl"
    path.write_text("".join(json.dumps({"path": "Joke/jokes", **each}) + "\n" for each in drafts), "utf-8")
    return str(path)


def test_a_model_writes_queries_for_a_subcategory_that_pass_the_check(tmp_path: Path) -> None:
    asked: list[str] = []

    def author(messages: Any) -> str:
        asked.append(messages[-1]["content"] if isinstance(messages[-1], dict) else messages[-1].content)
        draft = DRAFT if len(asked) == 1 else SEVERAL
        return "Here it is:\n" + json.dumps(draft)

    made = synthesise(
        settings(tmp_path / "made", model=author, rows=2, options={"subcategory": "Joke/jokes"})
    )
    assert made.rows == 2 and "get_joke_by_id" in asked[0] and "text generation" in asked[0]
    table = next(table for table in made.tables if table.title.startswith("Table 10"))
    assert table.rows[-1] == ("all", 2, 1, 1, 2, 0)
    result = check_benchmark(load_benchmark("tooleyes"), str(made.folder / "queries.jsonl"), {}, mutate=False)
    assert all(check.passed for check in result.checks), result.checks


@each_case("change, reason")
def test_a_draft_is_refused_with_its_reason(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    path = drafts_file(tmp_path, {**DRAFT, **change}, SEVERAL, SEVERAL)
    made = synthesise(settings(tmp_path / "made", origin="written", options={"drafts": path}))
    assert made.rows == 1
    assert reason in json.dumps(made.manifest) and "same_request" in json.dumps(made.manifest)


def test_an_unknown_subcategory_is_named(tmp_path: Path) -> None:
    wanted = {"subcategory": "Jokes/none"}
    with pytest.raises(UsageError, match="Jokes/none"):
        synthesise(settings(tmp_path / "made", model=lambda _: "{}", options=wanted))
