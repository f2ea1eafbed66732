"""Runs and data in object storage, tried on fsspec's store in memory."""

from pathlib import Path

import pytest

import toolyard
from toolyard.benchmarks import load_benchmark
from toolyard.core.errors import DataError, UsageError
from toolyard.report.report_files import write_report
from toolyard.run.grade.scoring import score_settings
from toolyard.run.plan.data_sources import data_path, remote_data
from toolyard.run.run import Run
from toolyard.run.settings import ScoreSettings
from toolyard.run.store.object_storage import is_copy, is_remote, local_copy, publish_changes, stored_url

fsspec = pytest.importorskip("fsspec")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    remote_data.cache_clear()
    memory = fsspec.filesystem("memory")
    for path in memory.find("/"):
        memory.rm(path)


def test_addresses_survive_being_paths() -> None:
    assert is_remote("s3://bucket/runs")
    assert is_remote(Path("s3://bucket/runs"))
    assert stored_url(Path("s3://bucket/runs") / "one") == "s3://bucket/runs/one"
    assert not is_remote("runs/one")
    assert not is_remote("/srv/runs")
    assert not is_remote("C:/runs")


def test_a_run_lives_in_the_store_and_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Path("memory://bucket/runs")
    toolyard.evaluate("nestools", "scripted/oracle", limit=2, runs=runs, name="one", embedder="none")
    memory = fsspec.filesystem("memory")
    kept = {path.rsplit("/", 1)[-1] for path in memory.find("/bucket/runs/one")}
    assert kept == {"manifest.json", "transcripts.jsonl", "scores.jsonl"}
    local = toolyard.evaluate("nestools", "scripted/oracle", limit=2, runs=tmp_path, embedder="none")
    scores = memory.cat_file("/bucket/runs/one/scores.jsonl")
    assert scores == (local.folder / "scores.jsonl").read_bytes()
    # Another machine: nothing in its cache.
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "elsewhere"))
    run = Run.open(Path("memory://bucket/runs/one"))
    assert run.is_played()
    assert is_copy(run.folder)
    scored = score_settings(ScoreSettings("memory://bucket/runs/one"))
    assert scored.summary.figures["average"].value == 1.0
    write_report(run)
    assert memory.exists("/bucket/runs/one/report.html")


def test_data_come_from_the_store_and_change_with_it(tmp_path: Path) -> None:
    memory = fsspec.filesystem("memory")
    starter = load_benchmark("mtu").data.starter
    memory.put(str(starter), "/bucket/data", recursive=True)
    result = toolyard.evaluate(
        "mtu", "scripted/oracle", data="memory://bucket/data", limit=2, runs=tmp_path, embedder="none"
    )
    assert result.summaries["paper"].figures["average"].value == 1.0
    copy = data_path(load_benchmark("mtu"), "memory://bucket/data")
    assert {path.name for path in copy.iterdir()} == {path.name for path in starter.iterdir()}
    with pytest.raises(DataError, match="holds nothing"):
        data_path(load_benchmark("mtu"), "memory://bucket/nowhere")


def test_only_what_changed_in_a_copy_is_sent(tmp_path: Path) -> None:
    folder = local_copy("memory://bucket/folder")
    (folder / "a.txt").write_text("a")
    (folder / "b.txt").write_text("b")
    assert publish_changes(folder) == 2
    assert publish_changes(folder) == 0
    (folder / "b.txt").write_text("changed")
    assert publish_changes(folder) == 1
    memory = fsspec.filesystem("memory")
    assert memory.cat_file("/bucket/folder/b.txt") == b"changed"
    memory.pipe_file("/bucket/folder/a.txt", b"from elsewhere")
    assert (local_copy("memory://bucket/folder") / "a.txt").read_text() == "from elsewhere"
    (tmp_path / "a.txt").write_text("a")
    assert publish_changes(tmp_path) == 0


def test_an_address_of_no_store_is_told() -> None:
    with pytest.raises(UsageError, match="not an address that fsspec knows"):
        local_copy("nosuchstore://bucket/folder")


@pytest.mark.parametrize(
    "address",
    ["s3://name:word@bucket/runs", "https://host/data?token=abc", "https://host/data?x=sk-0123456789abcdef"],
    ids=["password", "token", "key"],
)
def test_an_address_with_a_key_is_refused_before_it_is_written_down(address: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds a password or a key") as caught:
        toolyard.evaluate("nestools", "scripted/oracle", data=address, limit=1, runs=tmp_path / "runs")
    assert str(caught.value).startswith((f"{address.split(':')[0]}://... holds",))
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    "address", ["memory://", "memory://bucket/..", "memory://a/./", "zip://x::memory://a/b"]
)
def test_an_address_that_would_leave_its_copy_is_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not the address of one file or folder"):
        local_copy(address)
    assert not (tmp_path / "cache").exists()


def test_what_a_store_raises_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*words: object) -> bool:
        raise RuntimeError("no\ncredentials")

    monkeypatch.setattr(type(fsspec.filesystem("memory")), "isfile", broken)
    with pytest.raises(DataError, match=r"cannot be reached \(RuntimeError: no credentials\)"):
        local_copy("memory://bucket/data")
