"""A run directory of a stranger: what it names is asked for nothing, what stands in it is no trap."""

import json
import os
import resource
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import toolyard
from toolyard.core.errors import DataError, MissingAsset, ToolyardError, UsageError
from toolyard.report.compare.compared_runs import load_compared
from toolyard.report.content import load_report
from toolyard.report.report_files import digest_of_sources, write_report
from toolyard.run.grade.scoring import is_local_judge, score_settings
from toolyard.run.plan.run_config import sha256_of
from toolyard.run.run import Run
from toolyard.run.settings import ScoreSettings

KEY = "TOOLYARD_PLANTED_KEY"


@contextmanager
def nobody_calls() -> Iterator[str]:
    """An address that must not be called."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


def forged(folder: Path, name: str, **changes: Any) -> Path:
    """A copy of a run without evidence and baselines, its manifest changed; `__` leads into a record."""
    other = folder.parent / name
    shutil.copytree(folder, other)
    for file in ("evidence.jsonl", "baselines.json"):
        (other / file).unlink(missing_ok=True)
    manifest = json.loads((other / "manifest.json").read_text())
    for path, value in changes.items():
        *way, last = path.split("__")
        place = manifest
        for step in way:
            place = place[step]
        place[last] = value
    (other / "manifest.json").write_text(json.dumps(manifest))
    return other


@pytest.fixture
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(KEY, "sk-planted-9f3a7c51e0d2b846")
    return tmp_path


def test_the_judge_of_a_stranger_is_not_asked(surroundings: Path) -> None:
    judged = toolyard.evaluate(
        "tooleyes", "scripted/oracle", judge="scripted/random", limit=1, runs=surroundings, embedder="hash"
    )
    commands = [f"agent:touch {surroundings / 'ran'}", "python:antigravity:fly", "scripted/replay:/dev/zero"]
    with nobody_calls() as address:
        for number, judge in enumerate((f"openai/j?base_url={address}/v1&key_env={KEY}", *commands)):
            folder = forged(judged.folder, f"judged-{number}", judge=judge)
            with pytest.raises(UsageError, match="named by the run directory alone"):
                score_settings(ScoreSettings(str(folder)))
        write_report(folder)
    assert not (surroundings / "ran").exists()


def test_the_embedder_of_a_stranger_is_not_asked(surroundings: Path) -> None:
    similar = toolyard.evaluate(
        "toolbehonest", "scripted/oracle", limit=1, runs=surroundings, embedder="hash"
    )
    with nobody_calls() as address:
        names = (
            f"openai/e?base_url={address}/v1&key_env={KEY}",
            f"sentence-transformers/{surroundings}/weights",
        )
        for number, name in enumerate(names):
            folder = forged(similar.folder, f"similar-{number}", similarity=name, identity__embedder=name)
            with pytest.raises(MissingAsset, match="named by the run directory alone"):
                score_settings(ScoreSettings(str(folder)))
            write_report(folder)
        again = score_settings(ScoreSettings(str(folder), embedder="hash"))
    assert again.summary.unscored == 0


def test_the_address_of_a_strangers_data_is_not_asked(surroundings: Path) -> None:
    pytest.importorskip("fsspec")
    whole = toolyard.evaluate("nestools", "scripted/oracle", limit=1, runs=surroundings, embedder="none")
    with nobody_calls() as address:
        folder = forged(whole.folder, "elsewhere", data=f"{address}/data")
        with pytest.raises(MissingAsset, match=f"toolyard stats nestools --data '{address}/data'"):
            Run.open(folder)


FILES = ("manifest.json", "transcripts.jsonl", "scores.jsonl", "evidence.jsonl", "baselines.json", ".lock")


def put(kind: str, place: Path, victim: Path) -> None:
    """Something that is no file of a run in the place of one."""
    place.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to("/dev/zero" if kind == "device" else victim)


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "link"])
def test_what_is_no_file_neither_hangs_nor_fills_the_memory_nor_leads_out(
    kind: str, surroundings: Path
) -> None:
    runs, victim = surroundings / "runs", surroundings / "victim"
    victim.write_text("precious")
    whole = toolyard.evaluate(
        "nestools", "scripted/oracle", limit=1, runs=runs, embedder="none", name="whole"
    )
    for file in FILES:
        shutil.copytree(whole.folder, runs / f"{kind}{file}")
        put(kind, runs / f"{kind}{file}" / file, victim)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, limits[1]))
    try:
        for folder in sorted(runs.iterdir()):
            for command in (
                lambda at: digest_of_sources(load_report(at)),
                lambda at: load_compared(at, "paper", {}),
                lambda at: score_settings(ScoreSettings(str(at))),
            ):
                # A mistake of the user's, or done.
                with suppress(ToolyardError, OSError):
                    command(folder)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
    assert victim.read_text() == "precious"
    assert score_settings(ScoreSettings(str(whole.folder))).summary.samples == 1


def test_numbers_that_no_run_has_and_a_whole_disk_are_refused(
    surroundings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = toolyard.evaluate("nestools", "scripted/oracle", limit=1, runs=surroundings, embedder="none")
    for name, value in (("trials", 10**8), ("trials", 0), ("seed", -5), ("limit", 0)):
        folder = forged(whole.folder, f"{name}{value}", **{f"identity__{name}": value})
        with pytest.raises(DataError, match=f"identity.{name}: found {value}, wanted"):
            Run.open(folder)
    monkeypatch.setattr("toolyard.run.plan.run_config.MOST_FILES", 3)
    for name in "abcd":
        (surroundings / name).touch()
    with pytest.raises(DataError, match="more than 3 files; give the folder of one data set"):
        sha256_of(surroundings)


def test_judges_that_work_on_this_machine_go_on() -> None:
    for name in ("", "local", "local-tuned", "scripted/random", "scripted/oracle"):
        assert is_local_judge(name)
    for name in (
        "openai/m",
        "local?base_url=http://h",
        "scripted/replay:file",
        "hf/m",
        "agent:ls",
        "inspect/a/b",
    ):
        assert not is_local_judge(name)
