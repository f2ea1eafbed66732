"""Annotated dialogues with a writer of thoughts, observations and replies, and a checker that puts them right."""

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from finished_pipelines import finish
from mtu_harbour_corpus import write_corpus
from toolyard.benchmarks.mtu.synth import PIPELINES
from toolyard.core.errors import UsageError
from toolyard.synth.command import SynthSettings, choose_pipeline, synthesise
from toolyard.synth.pipeline import Finished
from toolyard.synth.stages import Context

PIPELINE = PIPELINES["corpora+model"]
OPTIONS = {choice.name: choice.default for choice in PIPELINE.choices}
Answer = Callable[[list[dict[str, str]]], Awaitable[str]]
THOUGHT = "I think before I call."


def lines(text: str, after: str) -> list[Any]:
    """The JSON lines of a prompt behind some words."""
    found = text.split(after, 1)[1].split("\n\n", 1)[0]
    return [json.loads(line) for line in found.splitlines() if line.startswith("{")]


async def writer(messages: list[dict[str, str]]) -> str:
    text = messages[0]["content"]
    count = (
        int(found.group(1))
        if (found := re.search(r"with (\d+) (?:thoughts|observations|replies)", text))
        else 0
    )
    if "one thought for each" in text:
        return json.dumps({"thoughts": [THOUGHT] * count})
    if "Write what the tools returned" in text:
        return json.dumps({"observations": [{}] * count})
    assert "what an assistant with tools says" in text, "the writer is never asked to check"
    turns = lines(text, "what they returned:")
    return json.dumps({"replies": [f"Gladly. {turn['recorded']}".strip() for turn in turns]})


def checker(seen: Counter[str]) -> Answer:
    """Finds every third dialogue right, puts every third right, and refuses the others."""

    async def answer(messages: list[dict[str, str]]) -> str:
        assert "Check the tool calls" in messages[0]["content"], "the checker is never asked to write"
        seen["asked"] += 1
        kind = seen["asked"] % 3
        if kind == 1:
            return json.dumps({"verdict": "right", "wrong": []})
        if kind == 2:
            better = {"turn": 0, "thought": "The user wants this, and all is known."}
            return json.dumps({"verdict": "wrong", "wrong": [0], "corrections": [better]})
        return json.dumps({"verdict": "wrong", "wrong": [0]})

    return answer


def checked(folder: Path, check: Answer) -> Finished:
    context = Context(0, 0, OPTIONS, "hash", {"sources": write_corpus(folder / "sources")})
    return finish(PIPELINE, folder / "work", context, writer, concurrency=1, checker=check)


def test_writer_writes_and_checker_corrects_as_well_as_rejects(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    finished = checked(tmp_path, checker(seen))
    line = next(each for each in finished.funnel if each.stage == "check")
    assert line.repaired["corrected"] >= 1
    assert line.rejected["found_wrong"] >= 1
    assert line.kept == seen["asked"] - line.rejected["found_wrong"]
    first = [row["turns"][0] for row in finished.rows]
    assert {turn["thought"] for turn in first} == {THOUGHT, "The user wants this, and all is known."}
    assert any(turn["assistant"].startswith("Gladly.") for turn in first)


def test_correction_of_a_call_is_none(tmp_path: Path) -> None:
    async def meddling(messages: list[dict[str, str]]) -> str:
        other = {"turn": 0, "thought": "Better.", "calls": [{"name": "delete_all", "arguments": {}}]}
        return json.dumps({"verdict": "wrong", "wrong": [0], "corrections": [other]})

    finished = checked(tmp_path, meddling)
    line = next(each for each in finished.funnel if each.stage == "check")
    assert line.kept == 0
    assert set(line.rejected) == {"found_wrong"}


def test_commands_name_the_two(tmp_path: Path) -> None:
    write_corpus(tmp_path / "sources")
    settings = SynthSettings("mtu", sources=tmp_path / "sources", model=writer, out=tmp_path / "set")
    assert choose_pipeline(settings).name == "corpora+model"
    with pytest.raises(UsageError, match="no checking stage"):
        synthesise(SynthSettings("nestools", "world", rows=1, checker=writer, out=tmp_path / "other"))
