"""Two processes on one place, kills while files are written, and what is half there taken for what it is."""

import ast
import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cases import cases
from toolyard.cli.output import write_output
from toolyard.core.errors import DataError, RunMismatch
from toolyard.lines import locked_file, move_folder, whole_folder
from toolyard.run.run import Run
from toolyard.run.settings import Settings
from toolyard.synth.command import SynthSettings, _put_in_place, synthesise
from toolyard.synth.data_card import MANIFEST
from toolyard_command import toolyard

SOURCE = Path(__file__).parents[2] / "src" / "toolyard"
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_order",
            "description": "Get an order by its id.",
            "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        },
    }
]
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


@pytest.mark.parametrize(
    "words",
    [
        ("env", "mtu", "--to", "gymnasium", "--out", "{d}/made"),
        ("mirror", "{d}/tools.json", "--out", "{d}/made"),
        ("new", "harbour", "--into", "{d}"),
    ],
    ids=lambda words: words[0],
)
def test_a_folder_that_a_kill_left_half_is_made_by_the_same_command(
    words: tuple[str, ...], tmp_path: Path
) -> None:
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
    _put_in_place(made, out)
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


def test_data_that_change_while_they_are_read_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
