"""Run directories of strangers: what they name is asked for nothing, and what has another form is called damaged."""

import copy
import json
import os
import resource
import shutil
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import toolyard
from cases import cases, each_case
from compared_runs import make_runs
from toolyard.benchmarks.nestools import BENCHMARK
from toolyard.cli import _run_command
from toolyard.core.errors import DataError, MissingAsset, ToolyardError, UsageError
from toolyard.report.compare.compared_runs import load_compared, set_baselines
from toolyard.report.compare.contamination import find_contamination
from toolyard.report.content import load_report
from toolyard.report.report_files import digest_of_sources, write_report
from toolyard.run.grade.judge_trials import read_spread
from toolyard.run.grade.scoring import is_local_judge, score_settings
from toolyard.run.plan.manifest_shape import BESIDE, DECODING, IN_IDENTITY, KNOWN, NEEDED, manifest_problem
from toolyard.run.plan.run_config import path_sha256
from toolyard.run.run import Run
from toolyard.run.settings import ScoreSettings
from toolyard.run.store.rewrites import count_rewrites, stored_rewrites
from toolyard.run.store.run_directory import RunStore

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
def test_what_is_no_file_hangs_nothing_fills_nothing_leads_nowhere(kind: str, surroundings: Path) -> None:
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


def test_numbers_of_no_run_and_disks_are_refused(surroundings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = toolyard.evaluate("nestools", "scripted/oracle", limit=1, runs=surroundings, embedder="none")
    for name, value in (("trials", 10**8), ("trials", 0), ("seed", -5), ("limit", 0)):
        folder = forged(whole.folder, f"{name}{value}", **{f"identity__{name}": value})
        with pytest.raises(DataError, match=f"identity.{name}: found {value}, wanted"):
            Run.open(folder)
    monkeypatch.setattr("toolyard.run.plan.run_config.MOST_FILES", 3)
    for name in "abcd":
        (surroundings / name).touch()
    with pytest.raises(DataError, match="more than 3 files; give the folder of one data set"):
        path_sha256(surroundings)


def test_judges_that_work_on_this_machine_go_on() -> None:
    for name in ("", "local", "local-tuned", "scripted/random", "scripted/oracle"):
        assert is_local_judge(name)
    for name in cases(__file__, "judges_that_work_on_this_machine_go_on"):
        assert not is_local_judge(name)


KINDS = {
    (): {**NEEDED, **KNOWN},
    ("identity",): {**IN_IDENTITY, **BESIDE},
    ("identity", "decoding"): DECODING,
}
VALUES: tuple[Any, ...] = (None, True, 1, 1.5, "x", [], {}, [{}], {"a": []})


def spoilt(manifest: Any) -> Iterator[tuple[str, Any]]:
    """The manifest with each of its fields replaced by what it cannot be."""
    for path, kinds in KINDS.items():
        for key, kind in kinds.items():
            for value in VALUES:
                changed = copy.deepcopy(manifest)
                part = changed
                for step in path:
                    part = part[step]
                if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
                    part[key] = value
                    yield key, changed


def test_a_field_of_another_kind_is_damage(tmp_path: Path) -> None:
    (folder,) = make_runs(tmp_path, "scripted/oracle")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest_problem(manifest) == ""
    for key, changed in spoilt(manifest):
        assert key in manifest_problem(changed), (key, changed)
    for key, value in (("ids", [1]), ("options", {"a": []})):
        assert f"identity.{key}" in manifest_problem(
            {**manifest, "identity": {**manifest["identity"], key: value}}
        )
    assert "usage" in manifest_problem({**manifest, "usage": {"prompt_tokens": "9"}})
    (folder / "manifest.json").write_text(
        json.dumps({**manifest, "identity": {**manifest["identity"], "limit": {}}})
    )
    with pytest.raises(DataError, match=r"identity\.limit: not of the right kind"):
        Run.open(folder)


def test_a_damaged_neighbour_does_not_matter(tmp_path: Path) -> None:
    run, other = make_runs(tmp_path, "scripted/oracle", "scripted/random")
    manifest = json.loads((run / "manifest.json").read_text())
    for content in ("", "[1]", "{}", '{"finished": "x"}'):
        (other / "manifest.json").write_text(content)
        assert find_contamination(run, BENCHMARK, manifest, "paper") is None


GONE = "<gone>"
SCORE = cases(__file__, "SCORE")
FIGURE = {"trials": 2, "mean": 0.5, "deviation": None, "low": 0.4, "high": 0.6}
SPREAD = {"judge": "m", "temperature": 0.0, "unscored": [0, 0], "figures": {"overall": FIGURE}}
REWRITE = {"sample": "a", "input": {"query": "b"}, "refused": ""}


def changed(record: Any, path: Sequence[str], value: Any) -> Any:
    """The record with another value at that place."""
    if not path:
        return value
    found = copy.deepcopy(record)
    part = found
    for step in path[:-1]:
        part = part[step]
    if value == GONE:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return found


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    first, second = make_runs(tmp_path_factory.mktemp("runs"), "scripted/oracle", "scripted/random")
    return first, second


@pytest.mark.parametrize(("path", "value"), SCORE, ids=range(len(SCORE)))
def test_a_score_of_another_form_is_damage(runs: tuple[Path, Path], path: Sequence[str], value: Any) -> None:
    file = runs[0] / "scores.jsonl"
    whole = file.read_bytes()
    first, rest = whole.split(b"\n", 1)
    try:
        file.write_bytes(json.dumps(changed(json.loads(first), path, value)).encode() + b"\n" + rest)
        with pytest.raises(DataError, match=r"scores\.jsonl, line 1"):
            load_compared(runs[0], "paper", {})
    finally:
        file.write_bytes(whole)


def test_groups_that_the_benchmark_cannot_read_end_a_command_in_one_line(
    runs: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = runs[1] / "scores.jsonl"
    whole = file.read_bytes()
    lines = [changed(json.loads(line), ("profiles", "paper"), []) for line in whole.splitlines()]
    try:
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        for words in (["compare", *map(str, runs)], ["gate", str(runs[0]), "--baseline", str(runs[1])]):
            monkeypatch.setattr(sys, "argv", ["toolyard", *words])
            assert _run_command() == 1
            assert capsys.readouterr().err.count("\n") == 1
    finally:
        file.write_bytes(whole)


@each_case("path, value", ids=range(14))
def test_a_spread_of_another_form_is_damage(tmp_path: Path, path: Sequence[str], value: Any) -> None:
    file = tmp_path / "judge_spread.json"
    whole = {"paper": SPREAD, "official": SPREAD}
    file.write_text(json.dumps(whole))
    assert read_spread(tmp_path) is not None
    file.write_text(json.dumps(changed(whole, path, value)))
    with pytest.raises(DataError, match=r"judge_spread\.json is damaged"):
        read_spread(tmp_path)


@pytest.mark.parametrize("count", ["9", [], {"a": 1}, None, True, 0.5])
def test_tokens_of_another_kind_are_damage(tmp_path: Path, count: Any) -> None:
    completion = {"text": "a", "usage": {"reasoning_tokens": count}}
    line = {
        "sample": "a", "trial": 0, "messages": [], "completions": [completion], "notes": {}, "error": None
    }  # fmt: skip
    (tmp_path / "transcripts.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(DataError, match=r"transcripts\.jsonl, line 1"):
        RunStore(tmp_path).transcripts()


@pytest.mark.parametrize("read", [stored_rewrites, count_rewrites])
@each_case("path, value", ids=range(7))
def test_a_rewrite_of_another_form_is_damage(
    tmp_path: Path, read: Callable[[Path], Any], path: Sequence[str], value: Any
) -> None:
    (tmp_path / "rewrites.jsonl").write_text(json.dumps(changed(REWRITE, path, value)) + "\n")
    with pytest.raises(DataError, match=r"rewrites\.jsonl, line 1"):
        read(tmp_path)


@each_case("content", ids=range(6))
def test_baselines_of_another_form_are_played_again(runs: tuple[Path, Path], content: str) -> None:
    compared = load_compared(runs[0], "paper", {})
    wanted = set_baselines([compared], "paper")
    (runs[0] / "baselines.json").write_text(content)
    assert [item.name for item in set_baselines([compared], "paper")] == [item.name for item in wanted]
