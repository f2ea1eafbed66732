"""Dialogues of requests and goals: turns that people would say, reasons for turns without a call, gold that executes."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from toolyard.benchmarks.mtu import BENCHMARK
from toolyard.benchmarks.mtu.synth import PIPELINES
from toolyard.benchmarks.mtu.synth.world.request_pipeline import FORMS, REQUESTS
from toolyard.benchmarks.mtu.synth.world.subject_book import is_out_of_domain, subjects
from toolyard.run.checking import check_benchmark
from toolyard.synth.engines.local_engine import LocalEngine
from toolyard.synth.pipeline import Finished, PipelineRun, StageProgress
from toolyard.synth.row_questions import Answering
from toolyard.synth.stages import Context
from toolyard.world import VERSION

CONTEXT = Context(seed=11, rows=25)


def made(work: Path) -> Finished:
    progress = StageProgress(lambda _: None, len(REQUESTS.stages))
    return PipelineRun(REQUESTS, CONTEXT, LocalEngine(1), Answering(None), work, progress).finish()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return made(tmp_path_factory.mktemp("requests"))


@pytest.fixture(scope="module")
def dialogues(finished: Finished) -> list[dict[str, Any]]:
    return [dict(row) for row in finished.rows]


def test_world_is_this_pipeline() -> None:
    assert PIPELINES["world"] is REQUESTS
    assert not REQUESTS.asks


def test_scripts_are_as_long_as_the_released_dialogues() -> None:
    lengths = {
        setting: mean(len(script.rpartition(": ")[2].split()) for script in scripts)
        for setting, scripts in FORMS.items()
    }
    assert 5.0 <= lengths["M-S"] <= 6.2
    assert 3.0 <= lengths["M-M"] <= 4.0


def test_as_many_as_wanted_with_several_reasons_for_no_call(dialogues: list[dict[str, Any]]) -> None:
    counts = Counter(row["setting"] for row in dialogues)
    assert counts == dict.fromkeys(("S-S", "S-M", "M-S", "M-M", "OOD"), 5)
    idle = Counter(turn["situation"] for row in dialogues for turn in row["turns"] if not turn["calls"])
    assert set(idle) >= {"missing", "exists", "confirmed", "inability", "chat"}


def test_nobody_speaks_in_names_of_fields(dialogues: list[dict[str, Any]]) -> None:
    for row in dialogues:
        for turn in row["turns"]:
            assert " set to " not in turn["user"]
            for call in turn["calls"]:
                snake = [name for name in call["arguments"] if "_" in name]
                assert not any(name in turn["user"] for name in snake)


def test_every_request_goes_on_from_its_opening() -> None:
    assert sum(len(subject.requests) for subject in subjects()) >= 100
    for subject in subjects():
        shared = {name for slot in subject.slots for name in slot.split("+")}
        for request in subject.requests:
            own = {name for slot in request.slots for name in slot.split("+")}
            taken = set(re.findall(r"\{(\w+)\}", str([*request.step.arguments.values()])))
            for text in request.ask:
                assert all(f"{{{slot}}}" in text for slot in taken & own), (subject.name, text)
            for text in subject.opening:
                for slot in (each.split("+") for each in subject.slots if taken & {*each.split("+")}):
                    assert any(f"{{{name}}}" in text for name in slot), (subject.name, text)
            assert taken <= own | shared
            assert not any(f"{{{request.lacks}}}" in text for text in request.open)


def test_tools_of_ood_are_called_nowhere_else(dialogues: list[dict[str, Any]]) -> None:
    for row in dialogues:
        outside = [is_out_of_domain(call["tool"]) for turn in row["turns"] for call in turn["executed"]]
        assert any(outside) == (row["setting"] == "OOD" and bool(outside))


def test_the_set_passes_every_check_and_comes_out_again(finished: Finished, tmp_path: Path) -> None:
    folders = []
    for number, one in enumerate((finished, made(tmp_path / "again"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        REQUESTS.write(one.rows, folder, CONTEXT)
        folders.append({path.name: path.read_bytes() for path in sorted(folder.iterdir())})
    assert folders[0] == folders[1]
    (tmp_path / "0" / "synth.json").write_text(f'{{"world": "{VERSION}"}}')
    result = check_benchmark(BENCHMARK, str(tmp_path / "0"), {})
    assert [check for check in result.checks if not check.passed] == []
    assert [finding for finding in result.findings if finding.severity != "note"] == []
